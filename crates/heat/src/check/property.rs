//! The values of properties, compared with their definitions.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use rustc_hash::FxHashSet;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::{Help, Span};
use tosca_parse::entity::{Id, Members};
use tosca_parse::phase::DiagnosticExt as _;
use tosca_parse::symbol::Symbol;

use super::constraint::{Constrained, Fault, boolean, misfit, to_number, violation};
use super::default_of;
use super::value::{Checker, Made};
use crate::grammar::{Parameter, ParameterType, Template};
use crate::rules;
use crate::shape::Shapes;
use crate::types::{PropertyDefinition, PropertyType, ResourceType};

/// Pairs of mutually exclusive properties.
const EXCLUSIVE: [(&str, &str, &str); 1] = [("OS::Neutron::Router", "ha", "distributed")];

/// Resource types that need at least one of several properties.
const NEEDED: [(&str, &[&str]); 1] = [("OS::Cinder::Volume", &["size", "source_volid", "snapshot_id", "backup_id"])];

/// Pairs of properties where the first must not exceed the second.
const ORDERED: [(&str, &str, &str); 2] = [
    ("OS::Heat::AutoScalingGroup", "min_size", "max_size"),
    ("AWS::AutoScaling::AutoScalingGroup", "MinSize", "MaxSize"),
];

/// The maximum number of missing properties that a problem names.
const MAX_NAMED: usize = 3;

/// The parameters of a nested template, which are the properties of the resource. Many templates may nest the same
/// template, so these tables are made once.
struct Interface {
    parameters: HashMap<String, Id<Parameter>>,
    /// The parameters for which the template has no default.
    required: Vec<String>,
}

impl<'a> Checker<'_, 'a> {
    /// Checks the properties of a resource. `at` is the position of its name.
    pub(crate) fn properties(&mut self, made: Made<'a>, name: &str, node: Option<Node<'_>>, at: Option<Span>) {
        match made {
            Made::Unknown => {}
            Made::Type(ty) if ty.any_property.is_some_and(|any| any.value) => {}
            Made::Type(ty) => {
                self.members(&ty.properties, Some(ty), node, at);
                self.relations(name, node, at);
            }
            Made::Nested(id, template) => self.parameters(id, template, node, at),
        }
    }

    fn relations(&mut self, ty: &str, node: Option<Node<'_>>, at: Option<Span>) {
        let find = |key: &str| node.and_then(|node| node.find(key)).filter(|entry| entry.value.kind() != Kind::Null);
        for (_, one, other) in EXCLUSIVE.iter().filter(|(known, ..)| *known == ty) {
            if let (Some(one), Some(other)) = (find(one), find(other))
                && [one.value, other.value].iter().all(|value| value.as_bool() == Some(true))
            {
                let message = format!("`{}` and `{}` exclude each other", one.key.text(), other.key.text());
                self.report(&rules::CONFLICTING_PROPERTIES, other.key, message, "remove one of the properties");
            }
        }
        for (_, names) in NEEDED.iter().filter(|(known, _)| *known == ty) {
            if names.iter().all(|name| find(name).is_none()) {
                let empty = node.into_iter().flat_map(Node::entries).find(|entry| names.contains(&entry.key.text()));
                let at = empty.map(|entry| entry.value.span()).or(at);
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

    /// Checks a value whose type is named by a different property.
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
            self.report(&rules::INVALID_PROPERTY, value, message, format!("write {}", accepts.title()));
        }
    }

    fn interface(&self, id: Id<Template>, template: &Template) -> Arc<Interface> {
        let context = &*self.context;
        context.program.table("interface", id.any(), || {
            let all =
                template.parameters.iter().filter_map(|(name, id)| Some((context.text(name), id, context.get(id)?)));
            let (mut parameters, mut required) = (HashMap::default(), Vec::new());
            for (name, id, parameter) in all {
                parameters.insert(name.to_owned(), id);
                if default_of(parameter, context).is_none() {
                    required.push(name.to_owned());
                }
            }
            Interface { parameters, required }
        })
    }

    fn parameters(&mut self, id: Id<Template>, template: &Template, node: Option<Node<'_>>, at: Option<Span>) {
        let interface = self.interface(id, template);
        let mut given = HashSet::default();
        for entry in node.into_iter().flat_map(Node::entries) {
            let name = entry.key.text();
            let parameter = interface.parameters.get(name).and_then(|id| self.context.get(*id));
            let Some(parameter) = parameter else {
                // A misspelled property is not missing.
                given.extend(self.unknown(entry.key, || interface.parameters.keys().map(String::as_str).collect()));
                continue;
            };
            given.insert(name);
            let accepts = match parameter.r#type.map(|ty| ty.value) {
                Some(ParameterType::String | ParameterType::Number | ParameterType::Boolean) => Shapes::SCALAR,
                Some(ParameterType::CommaDelimitedList) => Shapes::LIST.or(Shapes::STRING).or(Shapes::NULL),
                _ => Shapes::ANY,
            };
            let fault = if self.call(entry.value).is_some() {
                self.unmet(entry.value, accepts)
            } else if entry.value.kind() == Kind::Null {
                None
            } else {
                misfit(parameter, entry.value, self.context)
            };
            self.fault(entry.value, name, fault);
        }
        if given.len() < interface.parameters.len() {
            let required = interface.required.iter().map(String::as_str);
            let missing = required.filter(|name| !given.contains(name));
            let missing: Vec<&str> = missing
                .filter(|name| !self.scope.registry.has_default(self.context, name))
                .take(MAX_NAMED + 1)
                .collect();
            self.missing(missing.into_iter(), at);
        }
    }

    /// Returns the fault of a value that can't have any of the given shapes.
    fn unmet(&self, node: Node<'_>, accepts: Shapes) -> Option<Fault> {
        let shapes = self.shapes(node);
        let what = || format!("must be {}, not {}", accepts.title(), shapes.title());
        (!shapes.meets(accepts)).then(|| Fault::new(what(), format!("write {}", accepts.title())))
    }

    fn fault(&mut self, node: Node<'_>, name: &str, fault: Option<Fault>) {
        if let Some(Fault { what, help }) = fault {
            self.report(&rules::INVALID_PROPERTY, node, format!("property `{name}` {what}"), help);
        }
    }

    /// Reports missing properties as one problem, because templates with many parameters may be used by many resources.
    fn missing<'n>(&mut self, names: impl Iterator<Item = &'n str>, at: Option<Span>) {
        let named: Vec<_> = names.take(MAX_NAMED + 1).collect();
        let Some(first) = named.first() else { return };
        let message = match named[..] {
            [name] => format!("required property `{name}` is missing"),
            _ if named.len() > MAX_NAMED => {
                format!("required properties `{}` and others are missing", named[..MAX_NAMED].join("`, `"))
            }
            _ => format!("required properties `{}` are missing", named.join("`, `")),
        };
        self.context.problem(&rules::MISSING_PROPERTY, at, message).help(format!("add `{first}: …`"));
    }

    /// Reports an unknown property, and returns the property that was probably meant.
    fn unknown<'n>(&mut self, key: Node<'_>, names: impl FnOnce() -> Vec<&'n str>) -> Option<&'n str> {
        let name = key.text();
        let mut names = if self.context.suggestions().is_spent() { Vec::new() } else { names() };
        names.sort_unstable();
        let meant = self.context.suggestions().nearest(name, names.iter().copied());
        let help = match meant {
            Some(meant) => Some(Help::did_you_mean(meant)),
            None => self.context.did_you_mean(name, names, "there are"),
        };
        let help = help.unwrap_or_else(|| format!("remove `{name}`").into());
        self.report(&rules::UNKNOWN_PROPERTY, key, format!("there is no property `{name}`"), help);
        meant
    }

    /// Returns the name that replaces an older name of a property.
    fn newer(&self, ty: Option<&'a ResourceType>, name: &str) -> Option<&'a str> {
        let renamed = ty?.renamed.get(self.context.program.interner.get(name)?)?;
        self.context.node(self.context.get(renamed)?.to?.0).map(Node::text)
    }

    fn members(
        &mut self,
        members: &'a Members<PropertyDefinition>,
        ty: Option<&'a ResourceType>,
        node: Option<Node<'_>>,
        at: Option<Span>,
    ) {
        let mut given: FxHashSet<Symbol> = FxHashSet::default();
        let mut empty = None;
        for entry in node.into_iter().flat_map(Node::entries) {
            let name = entry.key.text();
            let symbol = self.context.intern(name);
            match members.get(symbol).and_then(|id| self.context.get(id)) {
                Some(definition) if definition.refused.is_some_and(|refused| refused.value) => {
                    let message = format!("property `{name}` is not implemented");
                    self.report(&rules::UNKNOWN_PROPERTY, entry.key, message, format!("remove `{name}`"));
                }
                Some(definition) => self.value(definition, entry.value, name),
                None => {
                    let context = &*self.context;
                    let names: Vec<_> = members.iter().map(|(name, _)| context.text(name)).collect();
                    let meant = self.unknown(entry.key, || names);
                    given.extend(meant.map(|meant| self.context.intern(meant)));
                }
            }
            let newer = self.newer(ty, name);
            if let Some(newer) = newer.filter(|newer| node.is_some_and(|node| node.find(newer).is_some())) {
                let message = format!("`{name}` is the older name of `{newer}`, which is given as well");
                self.report(&rules::CONFLICTING_PROPERTIES, entry.key, message, format!("remove `{name}`"));
            }
            if self.vanishes(entry.value) {
                empty = empty.or_else(|| Some(entry.value.span()));
            } else {
                given.insert(symbol);
                given.extend(newer.map(|newer| self.context.intern(newer)));
            }
        }
        let context = &*self.context;
        let is_required = |id| {
            let definition: Option<&PropertyDefinition> = context.get(id);
            definition.and_then(|definition| definition.required).is_some_and(|required| required.value)
        };
        let missing = members.iter().filter(|(name, id)| !given.contains(name) && is_required(*id));
        let missing: Vec<_> = missing.map(|(name, _)| context.text(name)).take(MAX_NAMED + 1).collect();
        self.missing(missing.into_iter(), empty.or(at));
    }

    /// Returns whether a value is an `if` without an alternative whose condition is false.
    fn vanishes(&self, node: Node<'_>) -> bool {
        let Some((function, arguments)) = self.call(node) else { return false };
        let mut items = arguments.items();
        function.name() == "if"
            && arguments.len() == 2
            && items.next().and_then(|condition| self.holds(condition)) == Some(false)
    }

    /// Reports a function in place of all properties. Returns whether there is one.
    pub(crate) fn no_call(&mut self, properties: Node<'_>) -> bool {
        let Some((function, _)) = self.call(properties) else { return false };
        let message = format!("`properties` can't be the result of `{}`", function.name());
        self.report(&rules::INVALID_PROPERTY, properties, message, "write a map of properties");
        true
    }

    /// Returns the value that a property has because the parameter that it reads has one. Only numbers and strings are
    /// known; other values are converted first.
    fn given(&self, node: Node<'_>) -> Option<Node<'a>> {
        let (function, name) = self.call(node).filter(|_| !self.is_conditional)?;
        let is_literal = function.name() == "get_param" && name.kind() == Kind::String;
        let declared = self.scope.parameters.get(name.text()).filter(|_| is_literal)?;
        let value = declared.value.filter(|value| !value.text().is_empty())?;
        let is_known = match declared.parameter.r#type?.value {
            ParameterType::Number => to_number(value).is_some(),
            ParameterType::String => value.kind() == Kind::String,
            _ => false,
        };
        is_known.then_some(value)
    }

    pub(crate) fn value(&mut self, definition: &'a PropertyDefinition, node: Node<'_>, name: &str) {
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
            && function.name() == "if"
        {
            arguments.items().skip(1).for_each(|branch| self.value(definition, branch, name));
            return;
        }
        let unmet = self.unmet(node, accepts);
        if unmet.is_none()
            && let Some(given) = self.given(node)
        {
            let fault = self.violation(definition, ty, given);
            let fault = fault.map(|Fault { what, .. }| Fault::new(what, "correct the value of the parameter"));
            self.fault(node, name, fault);
            return;
        }
        if unmet.is_some() || self.call(node).is_some() || node.kind() == Kind::Null {
            self.fault(node, name, unmet);
            return;
        }
        if let Some(fault) = self.violation(definition, ty, node) {
            self.fault(node, name, Some(fault));
            return;
        }
        let of_items = self.context.program.interner.get("*").and_then(|any| definition.schema.get(any));
        if node.kind() == Kind::List {
            if let Some(items) = of_items.and_then(|id| self.context.get(id)) {
                node.items().for_each(|item| self.value(items, item, name));
            }
        } else if !definition.schema.is_empty() {
            self.members(&definition.schema, None, Some(node), Some(node.span()));
        }
    }

    /// Returns the reason why a literal is not allowed.
    fn violation(&self, definition: &PropertyDefinition, ty: PropertyType, node: Node<'_>) -> Option<Fault> {
        let text = node.text();
        match ty {
            PropertyType::Integer
                if text.trim().replace('_', "").parse::<i128>().is_err() && node.as_integer().is_none() =>
            {
                return Some(Fault::shape("an integer"));
            }
            PropertyType::Number if node.kind() == Kind::String && to_number(node).is_none() => {
                return Some(Fault::shape("a number"));
            }
            PropertyType::Boolean
                if node.kind() == Kind::String && !matches!(text.to_lowercase().as_str(), "true" | "false") =>
            {
                return Some(Fault::shape("`true` or `false`"));
            }
            _ => {}
        }
        let of = Constrained::Property { is_boolean: ty == PropertyType::Boolean };
        let constraints = definition.constraints.iter().filter_map(|id| self.context.get(*id));
        constraints.into_iter().find_map(|constraint| violation(constraint, of, node, self.context))
    }
}
