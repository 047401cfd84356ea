//! The values of properties, compared with their definitions.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::Members;
use tosca_parse::phase::Explain as _;

use super::parameter::{boolean, fulfills, matches_start, measure, misfit, to_number};
use super::value::{Checker, Made};
use crate::grammar::{ParameterType, Template};
use crate::rules;
use crate::shape::Shapes;
use crate::types::{PropertyDefinition, PropertyType, ResourceType};

/// Pairs of properties of which only one can be given.
const EXCLUSIVE: [(&str, &str, &str); 1] = [("OS::Neutron::Router", "ha", "distributed")];

/// Resource types that need at least one of some properties.
const NEEDED: [(&str, &[&str]); 1] = [("OS::Cinder::Volume", &["size", "source_volid", "snapshot_id", "backup_id"])];

/// Pairs of properties of which the first is at most the second.
const ORDERED: [(&str, &str, &str); 2] = [
    ("OS::Heat::AutoScalingGroup", "min_size", "max_size"),
    ("AWS::AutoScaling::AutoScalingGroup", "MinSize", "MaxSize"),
];

impl<'a> Checker<'_, 'a> {
    /// Checks the properties of a resource. `at` is the place of its name.
    pub(crate) fn properties(&mut self, made: Made<'a>, name: &str, node: Option<Node<'_>>, at: Option<Span>) {
        match made {
            Made::Unknown => {}
            Made::Type(ty) if ty.any_property.is_some_and(|any| any.value) => {}
            Made::Type(ty) => {
                self.members(&ty.properties, Some(ty), node, at);
                self.relations(name, node, at);
            }
            Made::Nested(template) => self.parameters(template, node, at),
        }
    }

    fn relations(&mut self, ty: &str, node: Option<Node<'_>>, at: Option<Span>) {
        let find = |key: &str| node.and_then(|node| node.find(key)).filter(|entry| entry.value.kind() != Kind::Null);
        for (_, one, other) in EXCLUSIVE.iter().filter(|(known, ..)| *known == ty) {
            if let (Some(one), Some(other)) = (find(one), find(other))
                && [one.value, other.value].iter().all(|value| value.as_bool() == Some(true))
            {
                let message = format!("`{}` and `{}` exclude each other", one.key.text(), other.key.text());
                self.report(&rules::CONFLICTING_PROPERTIES, other.key, message, "remove one of them");
            }
        }
        for (_, names) in NEEDED.iter().filter(|(known, _)| *known == ty) {
            if names.iter().all(|name| find(name).is_none()) {
                let message = format!("the resource needs one of `{}`", names.join("`, `"));
                self.context.problem(&rules::MISSING_PROPERTY, at, message).help(format!("add `{}: …`", names[0]));
            }
        }
        if ty == "OS::Heat::Value"
            && let (Some(ty), Some(value)) = (find("type"), find("value"))
        {
            self.typed(ty.value, value.value);
        }
        for (_, least, most) in ORDERED.iter().filter(|(known, ..)| *known == ty) {
            if let (Some(one), Some(other)) = (find(least), find(most))
                && to_number(one.value).zip(to_number(other.value)).is_some_and(|(one, other)| one > other)
            {
                let message = format!("`{least}` is greater than `{most}`");
                self.report(&rules::INVALID_PROPERTY, one.value, message, "swap the values");
            }
        }
    }

    /// Checks a value whose type another property names.
    fn typed(&mut self, ty: Node<'_>, value: Node<'_>) {
        let accepts = match ty.text() {
            "number" => Shapes::NUMBER.or(Shapes::STRING),
            "boolean" => Shapes::BOOLEAN.or(Shapes::STRING).or(Shapes::INTEGER),
            "comma_delimited_list" => Shapes::LIST.or(Shapes::STRING),
            _ => return,
        };
        let shapes = self.shapes(value);
        let is_text = self.call(value).is_none() && shapes == Shapes::STRING;
        let is_wrong = is_text
            && match ty.text() {
                "number" => to_number(value).is_none(),
                "boolean" => boolean(value).is_none(),
                _ => false,
            };
        if is_wrong || !shapes.meets(accepts) {
            let message = format!("the value does not have the type `{}`", ty.text());
            self.report(&rules::INVALID_PROPERTY, value, message, "correct the value or its type");
        }
    }

    fn parameters(&mut self, template: &'a Template, node: Option<Node<'_>>, at: Option<Span>) {
        let context = &*self.context;
        let known: Vec<_> =
            template.parameters.iter().filter_map(|(name, id)| Some((context.text(name), context.get(id)?))).collect();
        for entry in node.into_iter().flat_map(Node::entries) {
            let name = entry.key.text();
            let Some((_, parameter)) = known.iter().find(|(known, _)| *known == name) else {
                self.unknown(entry.key, known.iter().map(|(name, _)| *name).collect());
                continue;
            };
            let accepts = match parameter.r#type.map(|ty| ty.value) {
                Some(ParameterType::String | ParameterType::Number | ParameterType::Boolean) => Shapes::SCALAR,
                Some(ParameterType::CommaDelimitedList) => Shapes::LIST.or(Shapes::STRING).or(Shapes::NULL),
                _ => Shapes::ANY,
            };
            let fault = if self.call(entry.value).is_some() {
                let shapes = self.shapes(entry.value);
                (!shapes.meets(accepts)).then(|| format!("must be {}, not {}", accepts.title(), shapes.title()))
            } else if entry.value.kind() == Kind::Null {
                None
            } else {
                misfit(parameter, entry.value, self.context)
            };
            if let Some(fault) = fault {
                self.report(
                    &rules::INVALID_PROPERTY,
                    entry.value,
                    format!("property `{name}` {fault}"),
                    "correct the value",
                );
            }
        }
        for (name, parameter) in &known {
            if parameter.default.is_none() && node.is_none_or(|node| node.find(name).is_none()) {
                self.missing(name, at);
            }
        }
    }

    fn missing(&mut self, name: &str, at: Option<Span>) {
        let message = format!("required property `{name}` is missing");
        self.context.problem(&rules::MISSING_PROPERTY, at, message).help(format!("add `{name}: …`"));
    }

    fn unknown(&mut self, key: Node<'_>, names: Vec<&str>) {
        let name = key.text();
        let help = self.context.did_you_mean(name, names, "there are");
        let help = help.unwrap_or_else(|| format!("remove `{name}`"));
        self.report(&rules::UNKNOWN_PROPERTY, key, format!("there is no property `{name}`"), &help);
    }

    fn members(
        &mut self,
        members: &'a Members<PropertyDefinition>,
        ty: Option<&'a ResourceType>,
        node: Option<Node<'_>>,
        at: Option<Span>,
    ) {
        let older = |checker: &Self, name: &str| {
            let renamed = ty?.renamed.get(checker.context.intern(name))?;
            let to = checker.context.get(renamed)?.to?;
            checker.context.node(to.0).map(Node::text)
        };
        for entry in node.into_iter().flat_map(Node::entries) {
            let name = entry.key.text();
            let definition = members.get(self.context.intern(name)).and_then(|id| self.context.get(id));
            match definition {
                Some(definition) if definition.refused.is_some_and(|refused| refused.value) => {
                    let message = format!("property `{name}` is not implemented");
                    self.report(&rules::UNKNOWN_PROPERTY, entry.key, message, &format!("remove `{name}`"));
                }
                Some(definition) => self.value(definition, entry.value, name),
                None => {
                    let names = members.iter().map(|(name, _)| self.context.text(name)).collect();
                    self.unknown(entry.key, names);
                }
            }
            if let Some(newer) = older(self, name)
                && node.is_some_and(|node| node.find(newer).is_some())
            {
                let message = format!("`{name}` is the older name of `{newer}`, which is given as well");
                self.report(&rules::CONFLICTING_PROPERTIES, entry.key, message, &format!("remove `{name}`"));
            }
        }
        for (name, id) in members.iter() {
            let is_required =
                self.context.get(id).and_then(|definition| definition.required).is_some_and(|required| required.value);
            if !is_required {
                continue;
            }
            let name = self.context.text(name);
            let is_given = |node: Node<'_>| {
                let has = |entry: &tosca_parse::ard::Entry<'_>| {
                    entry.key.text() == name || older(self, entry.key.text()) == Some(name)
                };
                node.entries().any(|entry| has(&entry) && !self.vanishes(entry.value))
            };
            if !node.is_some_and(is_given) {
                let empty = node.and_then(|node| node.find(name)).map(|entry| entry.value.span());
                self.missing(name, empty.or(at));
            }
        }
    }

    /// Whether a value is an `if` without an alternative whose condition is false.
    fn vanishes(&self, node: Node<'_>) -> bool {
        let Some((function, arguments)) = self.call(node) else { return false };
        let mut items = arguments.items();
        function.name == "if"
            && arguments.len() == 2
            && items.next().and_then(|condition| self.holds(condition)) == Some(false)
    }

    fn value(&mut self, definition: &'a PropertyDefinition, node: Node<'_>, name: &str) {
        let ty = definition.r#type.map_or(PropertyType::Any, |ty| ty.value);
        let accepts = match ty {
            PropertyType::String => Shapes::STRING.or(Shapes::INTEGER).or(Shapes::BOOLEAN),
            PropertyType::Integer => Shapes::INTEGER.or(Shapes::STRING),
            PropertyType::Number => Shapes::NUMBER.or(Shapes::STRING).or(Shapes::BOOLEAN),
            PropertyType::Boolean => Shapes::BOOLEAN.or(Shapes::STRING),
            PropertyType::List => Shapes::LIST,
            PropertyType::Map => Shapes::MAP,
            PropertyType::Any => Shapes::ANY,
        }
        .or(Shapes::NULL);
        if let Some((function, arguments)) = self.call(node)
            && function.name == "if"
        {
            arguments.items().skip(1).for_each(|branch| self.value(definition, branch, name));
            return;
        }
        let shapes = self.shapes(node);
        if !shapes.meets(accepts) {
            let message = format!("property `{name}` must be {}, not {}", accepts.title(), shapes.title());
            self.report(&rules::INVALID_PROPERTY, node, message, "correct the value");
            return;
        }
        if self.call(node).is_some() || node.kind() == Kind::Null {
            return;
        }
        if let Some(fault) = self.fault(definition, ty, node) {
            self.report(&rules::INVALID_PROPERTY, node, format!("property `{name}` {fault}"), "correct the value");
            return;
        }
        if let Some(items) = definition.items.0.and_then(|id| self.context.get(id)) {
            node.items().for_each(|item| self.value(items, item, name));
        }
        if !definition.keys.is_empty() {
            self.members(&definition.keys, None, Some(node), Some(node.span()));
        }
    }

    /// The reason why a literal is not allowed, as the end of a sentence.
    fn fault(&self, definition: &PropertyDefinition, ty: PropertyType, node: Node<'_>) -> Option<String> {
        let text = node.text();
        match ty {
            PropertyType::Integer
                if text.trim().replace('_', "").parse::<i128>().is_err() && node.as_integer().is_none() =>
            {
                return Some("must be an integer".to_owned());
            }
            PropertyType::Number if node.kind() == Kind::String && to_number(node).is_none() => {
                return Some("must be a number".to_owned());
            }
            PropertyType::Boolean
                if node.kind() == Kind::String && !matches!(text.to_lowercase().as_str(), "true" | "false") =>
            {
                return Some("must be `true` or `false`".to_owned());
            }
            _ => {}
        }
        let bound =
            |value: Option<tosca_parse::entity::Value>| value.and_then(|value| to_number(self.context.node(value.0)?));
        let measure = match ty {
            PropertyType::Integer | PropertyType::Number => to_number(node),
            PropertyType::List | PropertyType::Map => Some(measure(node.len())),
            _ => Some(measure(text.chars().count())),
        };
        if bound(definition.min).zip(measure).is_some_and(|(min, found)| found < min)
            || bound(definition.max).zip(measure).is_some_and(|(max, found)| found > max)
        {
            return Some("is out of range".to_owned());
        }
        if let Some(allowed) = definition.allowed.and_then(|value| self.context.node(value.0)) {
            let same = |found: Node<'_>| allowed.items().any(|allowed| allowed.text() == found.text());
            let fits = match node.kind() {
                Kind::List => node.items().all(|item| self.call(item).is_some() || same(item)),
                _ => {
                    same(node)
                        || allowed
                            .items()
                            .any(|allowed| allowed.text().eq_ignore_ascii_case(text) && ty == PropertyType::Boolean)
                }
            };
            if !fits {
                let known: Vec<_> = allowed.items().map(Node::text).collect();
                return Some(format!("must be one of `{}`", known.join("`, `")));
            }
        }
        if let Some(pattern) = definition.pattern.and_then(|pattern| self.context.node(pattern.0))
            && matches_start(pattern.text(), text) == Some(false)
        {
            return Some("does not match the pattern".to_owned());
        }
        let custom = definition.custom.items.iter().filter_map(|name| self.context.node(name.0));
        custom
            .map(Node::text)
            .find_map(|name| (fulfills(name, node) == Some(false)).then(|| format!("violates the constraint `{name}`")))
    }
}
