//! Migration of values: function calls, and strings that start with a dollar sign.

use super::Writer;
use super::patch::Patch;
use crate::ard::{Kind, Node, Style};
use crate::data::{Call, CallShape, Evaluator, PathTarget, ValueContext, modern};
use crate::entity::AnyId;

impl<'p> Writer<'p> {
    /// Converts a value of an entity to the notation of 2.0.
    pub(super) fn value(&mut self, node: Node<'p>, at: AnyId) {
        match node.kind() {
            Kind::Map => {
                if let CallShape::Call(call) = Call::shape(node, self.unit.version) {
                    return self.call(call, at);
                }
                for entry in node.entries() {
                    if self.seen.insert(entry.key.id()) {
                        self.escape(entry.key);
                        self.value(entry.value, at);
                    }
                }
            }
            Kind::List => node.items().for_each(|item| self.value(item, at)),
            _ if !node.is_alias() && self.seen.insert(node.id()) => self.escape(node),
            _ => {}
        }
    }

    /// Doubles a dollar sign at the start of a string, as required since 2.0.
    fn escape(&mut self, node: Node<'p>) {
        if node.kind() != Kind::String || node.is_alias() || !node.text().starts_with('$') {
            return;
        }
        let span = node.span();
        let at = match node.style() {
            Style::Plain => Some(span.start),
            Style::SingleQuoted | Style::DoubleQuoted => Some(span.start + 1),
            _ => self.patch.written(node).find('$').map(|place| span.start + place as u32),
        };
        if let Some(at) = at {
            self.patch.insert(at, "$");
        }
    }

    fn call(&mut self, call: Call<'p>, at: AnyId) {
        if !self.seen.insert(call.name_node.id()) {
            return;
        }
        self.patch.rename(call.name_node, &format!("${}", call.name));
        let arguments = call.arguments();
        let taken = match (call.name, call.arguments) {
            ("get_property", Some(list)) => self.path(list, &arguments, at, PathTarget::Property),
            ("get_attribute", Some(list)) => self.path(list, &arguments, at, PathTarget::Attribute),
            ("get_artifact", Some(list)) => {
                let taken = self.path(list, &arguments[..arguments.len().min(2)], at, PathTarget::Property);
                self.drop_location(list, &arguments);
                taken
            }
            _ => 0,
        };
        for argument in arguments.into_iter().skip(taken) {
            self.value(argument, at);
        }
    }

    /// Converts the start of a path and returns the number of its converted steps.
    fn path(&mut self, list: Node<'p>, arguments: &[Node<'p>], at: AnyId, sought: PathTarget) -> usize {
        let evaluator = Evaluator::new(&self.context, ValueContext::of(at));
        let Some(found) = modern(&evaluator, arguments, sought) else { return 0 };
        let is_same = found.steps.len() == found.taken
            && found.steps.iter().zip(arguments).all(|(step, argument)| step == argument.text());
        // An aliased node may also be a step of other paths.
        if !is_same && arguments[..found.taken].iter().all(|argument| !argument.is_alias()) {
            self.patch.replace_items(list, &arguments[..found.taken], &found.steps);
        }
        found.taken
    }

    /// Converts the path to the attribute that stores an output.
    pub(super) fn mapping(&mut self, list: Node<'p>, at: AnyId) {
        let steps: Vec<Node<'p>> = list.items().collect();
        if steps.first().is_some_and(|first| self.seen.insert(first.id())) {
            self.path(list, &steps, at, PathTarget::Attribute);
        }
    }

    /// Removes the location of an artifact from a call, and the flag that removes the artifact: 2.0 has neither.
    fn drop_location(&mut self, list: Node<'p>, arguments: &[Node<'p>]) {
        let [_, artifact, .., last] = arguments else { return };
        if arguments.len() < 3 || Patch::is_block(list) {
            return;
        }
        let (start, end) = (artifact.span().end, last.span().end);
        self.patch.replace(start, end, "");
        let message = "the location of the artifact is removed: `$get_artifact` takes only the artifact".to_owned();
        self.left(arguments[2].span(), message, "check that the implementation works without it");
    }
}
