//! Constraint clauses, node filters and assertions, which are all function calls since 2.0.

use super::Writer;
use super::patch::{inline, quoted};
use crate::ard::{Entry, Kind, Node};
use crate::data::{Argument, Condition, ConditionSubject as Subject, Constraint, DataKind, Typed, constraint};
use crate::entity::{AnyId, Id};
use crate::grammar::definition::{ParameterDefinition, PropertyDefinition, SchemaDefinition};
use crate::grammar::section::CAPABILITY_TYPES;
use crate::grammar::types::{DataType, NodeType};

/// The subject of clauses in definitions of values.
const VALUE: &str = "$value";

/// Returns the first argument of a condition.
fn subject(of: &str, subject: Subject) -> String {
    match subject {
        Subject::Value => of.to_owned(),
        Subject::Length if of.starts_with('$') => format!("{{ $length: {of} }}"),
        Subject::Length => format!("{{ $length: [ {of} ] }}"),
        Subject::Bound(index) => format!("{{ $value: [ {index} ] }}"),
    }
}

impl<'p> Writer<'p> {
    /// Converts the list of constraint clauses of a definition to a validation clause, in place.
    pub(super) fn constraints(&mut self, map: Node<'p>, entry: &Entry<'p>, at: AnyId) {
        let list = entry.value;
        let clauses = list.items().map(|item| self.single(item)).collect::<Option<Vec<_>>>();
        let Some(clauses) = clauses else { return };
        if clauses.is_empty() {
            return self.patch.remove(map, entry);
        }
        self.patch.rename(entry.key, "validation");
        if list.is_alias() {
            self.patch.insert(list.span().start, "{ $and: ");
            self.patch.insert(list.span().end, " }");
        } else {
            self.patch.join(entry.key, list, "$and");
        }
        let is_range = self.kind(at) == Some(DataKind::Range);
        for clause in clauses {
            if self.seen.insert(clause.key.id()) {
                self.rewrite(&clause, is_range, at);
            }
        }
    }

    /// Returns the kind of the values that a definition defines.
    fn kind(&self, at: AnyId) -> Option<DataKind> {
        fn of<T: Typed>(writer: &Writer<'_>, at: AnyId) -> Option<DataKind> {
            let id: Id<T> = at.cast()?;
            writer.context.get(id)?.schema(&writer.context, id).kind(&writer.context)
        }
        of::<PropertyDefinition>(self, at)
            .or_else(|| of::<ParameterDefinition>(self, at))
            .or_else(|| of::<SchemaDefinition>(self, at))
            .or_else(|| at.cast::<DataType>().map(|id| DataKind::of(&self.context, id)))
    }

    /// Returns a clause that has an equivalent call in 2.0.
    fn single(&self, node: Node<'p>) -> Option<Constraint<'p>> {
        constraint(&self.context, node).ok().filter(Constraint::has_conditions)
    }

    /// Replaces a clause with a call.
    fn rewrite(&mut self, clause: &Constraint<'p>, is_range: bool, at: AnyId) {
        let operand = clause.operand;
        match clause.conditions(is_range).next() {
            // The layout and the comments of the operand are kept.
            Some(Condition { function, subject: of, argument: Argument::Node(node) }) if node.id() == operand.id() => {
                self.patch.rename(clause.key, &format!("${function}"));
                self.patch.prepend(&subject(VALUE, of), operand);
                self.value(operand, at);
            }
            _ => {
                let text = self.clause(clause, VALUE, is_range);
                self.patch.replace(clause.key.span().start, operand.span().end, text);
            }
        }
    }

    /// Formats a clause about a subject as a call: the function, and its arguments in brackets.
    fn clause(&self, clause: &Constraint<'p>, of: &str, is_range: bool) -> String {
        let call = |condition: Condition<'p>| {
            let argument = match condition.argument {
                Argument::Node(node) => self.operand(node),
                Argument::Pattern(pattern) => quoted(&pattern),
            };
            format!("${}: [ {}, {argument} ]", condition.function, subject(of, condition.subject))
        };
        let calls: Vec<String> = clause.conditions(is_range).map(call).collect();
        match &calls[..] {
            [only] => only.clone(),
            _ => format!("$and: [ {{ {} }} ]", calls.join(" }, { ")),
        }
    }

    /// Formats a value in brackets.
    fn operand(&self, node: Node<'p>) -> String {
        match node.kind() {
            Kind::List => {
                let items: Vec<String> = node.items().map(|item| self.operand(item)).collect();
                format!("[ {} ]", items.join(", "))
            }
            Kind::Map => {
                let entries = node.entries();
                let entries =
                    entries.map(|entry| format!("{}: {}", inline(&self.patch, entry.key), self.operand(entry.value)));
                format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
            _ => inline(&self.patch, node),
        }
    }

    /// Formats clauses about a subject: a list of clauses, a single clause, or a value that the subject must equal.
    fn all(&self, node: Node<'p>, subject: &str) -> Option<Vec<String>> {
        match node.kind() {
            Kind::List => node.items().map(|item| Some(self.clause(&self.single(item)?, subject, false))).collect(),
            Kind::Map => Some(vec![self.clause(&self.single(node)?, subject, false)]),
            _ => Some(vec![format!("$equal: [ {subject}, {} ]", inline(&self.patch, node))]),
        }
    }

    /// Converts a node filter to a condition, in place. The paths in the condition start with `steps`.
    pub(super) fn filter(&mut self, entry: &Entry<'p>, steps: &str, node_type: Option<Id<NodeType>>) {
        if let Some(clauses) = self.filter_clauses(entry.value, steps, node_type).filter(|clauses| !clauses.is_empty())
        {
            self.patch.clauses(entry.key, entry.value, "$and", &clauses);
        }
    }

    fn filter_clauses(&self, node: Node<'p>, steps: &str, node_type: Option<Id<NodeType>>) -> Option<Vec<String>> {
        let mut clauses = Vec::new();
        for Entry { key, value, .. } in node.entries() {
            match key.text() {
                "properties" => clauses.extend(self.property_clauses(value, steps)?),
                "capabilities" => {
                    for Entry { key, value, .. } in entries_of(value) {
                        let name = self.capability(node_type, key);
                        let steps = format!("{steps}, CAPABILITY, {name}");
                        for properties in value.entries().filter(|entry| entry.key.text() == "properties") {
                            clauses.extend(self.property_clauses(properties.value, &steps)?);
                        }
                    }
                }
                _ => return None,
            }
        }
        Some(clauses)
    }

    fn property_clauses(&self, node: Node<'p>, steps: &str) -> Option<Vec<String>> {
        let mut clauses = Vec::new();
        for Entry { key, value, .. } in entries_of(node) {
            let subject = format!("{{ $get_property: [ {steps}, {} ] }}", inline(&self.patch, key));
            clauses.extend(self.all(value, &subject)?);
        }
        Some(clauses)
    }

    /// Returns the name of a capability that a key names, possibly by its type.
    fn capability(&self, node_type: Option<Id<NodeType>>, key: Node<'p>) -> String {
        let text = key.text();
        let found = node_type.and_then(|id| self.context.get(id)).and_then(|node_type| {
            let names: Vec<_> = node_type.capabilities.iter().collect();
            if names.iter().any(|(name, _)| self.context.text(*name) == text) {
                return None;
            }
            let section = CAPABILITY_TYPES;
            let wanted = self.program.resolve(self.unit.id, section, self.context.intern(text)).id()?;
            names.into_iter().find_map(|(name, id)| {
                let of_type = self.context.target_of(self.context.get(id)?.r#type)?;
                self.program.is_a(of_type.any(), wanted).then(|| self.context.text(name).to_owned())
            })
        });
        found.unwrap_or_else(|| inline(&self.patch, key))
    }

    /// Converts assertions to conditions about the attributes of the entity that `steps` lead to; `None` if they are
    /// something else.
    pub(super) fn assertions(&self, node: Node<'p>, steps: &str) -> Option<Vec<String>> {
        match node.kind() {
            Kind::List => {
                let items = node.items().map(|item| self.assertions(item, steps));
                Some(items.collect::<Option<Vec<_>>>()?.concat())
            }
            Kind::Map => {
                let entries = node.entries().map(|entry| self.assertion(&entry, steps));
                Some(entries.collect::<Option<Vec<_>>>()?.concat())
            }
            _ => None,
        }
    }

    fn assertion(&self, entry: &Entry<'p>, steps: &str) -> Option<Vec<String>> {
        let calls = |clauses: Vec<String>| format!("[ {{ {} }} ]", clauses.join(" }, { "));
        let all = |clauses: Vec<String>| match &clauses[..] {
            [only] => only.clone(),
            _ => format!("$and: {}", calls(clauses)),
        };
        match entry.key.text() {
            "and" | "assert" => self.assertions(entry.value, steps),
            "or" => {
                let items: Vec<Node<'p>> =
                    if entry.value.kind() == Kind::List { entry.value.items().collect() } else { vec![entry.value] };
                let items = items.into_iter().map(|item| Some(all(self.assertions(item, steps)?)));
                let items = items.collect::<Option<Vec<_>>>()?;
                Some(vec![if items.len() == 1 { items.concat() } else { format!("$or: {}", calls(items)) }])
            }
            "not" => Some(vec![format!("$not: [ {{ {} }} ]", all(self.assertions(entry.value, steps)?))]),
            _ => {
                let name = inline(&self.patch, entry.key);
                self.all(entry.value, &format!("{{ $get_attribute: [ {steps}, {name} ] }}"))
            }
        }
    }
}

/// Returns the entries of a map, or of the maps in a list.
fn entries_of(node: Node<'_>) -> Vec<Entry<'_>> {
    match node.kind() {
        Kind::List => node.items().flat_map(Node::entries).collect(),
        _ => node.entries().collect(),
    }
}
