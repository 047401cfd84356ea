//! Comparison of the parts of lists, maps and complex values with their schemas.

use rustc_hash::FxHashSet;

use super::core::Judge;
use super::result;
use crate::ard::{Kind, Node};
use crate::data::call::Shape;
use crate::data::schema::{Schema, Typed};
use crate::data::typed::kind::DataKind;
use crate::diagnostic::Help;
use crate::entity::{Id, Value};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::types::DataType;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// The maximum number of members of a type for which finding each takes less time than counting them.
const FEW: usize = 32;

impl<'a> Judge<'_, 'a> {
    pub(crate) fn check_items(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
        node.items().for_each(|item| self.check(item, &entries));
        true
    }

    pub(crate) fn check_entries(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        // A schema whose keys are not strings has been reported at its definition (decision A 47).
        let keys = schema.keys(self.context);
        let is_odd =
            keys.as_ref().and_then(|keys| keys.kind(self.context)).is_some_and(|kind| kind != DataKind::String);
        let keys = keys.filter(|_| !is_odd || self.version(node) < V2_0);
        let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
        for entry in node.entries() {
            match &keys {
                _ if entry.key.kind() == Kind::Map => self.check_computed_key(entry.key, keys.as_ref()),
                Some(keys) => self.check_literal(entry.key, keys),
                None if entry.key.kind() != Kind::String => self.key_is_no_string(entry.key),
                None => {}
            }
            self.check(entry.value, &entries);
        }
        true
    }

    /// Checks a key of a map that is the result of a function (2.0, 10.1).
    fn check_computed_key(&mut self, key: Node<'a>, schema: Option<&Schema<'a>>) {
        let Shape::Call(call) = self.shape(key) else { return self.key_is_no_string(key) };
        let known = self.check_call(call);
        if let Some(schema) = schema {
            result::check(self, call, &known, schema);
            self.check_computed(key, schema);
        } else if let Some(kind) = known.kind(self.context).filter(|kind| *kind != DataKind::String) {
            let message =
                format!("a key of a map must be a string, but `${}` returns {}", call.name, kind.with_article());
            self.problem(&rules::RESULT_TYPE, key, message).help("use a function that returns a string");
        }
    }

    fn key_is_no_string(&mut self, key: Node<'_>) {
        let message = format!("the keys of a map are strings, not {}", crate::phase::read::with_article(key));
        let help = match key.kind() {
            Kind::Map | Kind::List => "write a string, or call a function that returns one".into(),
            _ => Help::quote(key.text()),
        };
        self.problem(&rules::WRONG_TYPE, key, message).help(help);
    }

    pub(crate) fn check_members(&mut self, node: Node<'a>, data_type: Id<DataType>) -> bool {
        let Some(definition) = self.context.get(data_type) else { return true };
        let mut meant = FxHashSet::default();
        // A list can have as many values as its type has members, so those of a large type are counted first.
        let is_large = definition.properties.len() > FEW;
        let mut given = FxHashSet::default();
        for entry in node.entries() {
            // The members of a value must be known when the value is read, so their names can't be computed.
            if matches!(entry.key.kind(), Kind::Map | Kind::List) {
                let message =
                    format!("the names of properties are strings, not {}", crate::phase::read::with_article(entry.key));
                self.problem(&rules::WRONG_TYPE, entry.key, message).help("write the name as a literal");
                continue;
            }
            let member = entry.key.symbol().and_then(|name| definition.properties.get(name));
            match member.and_then(|id| Some((id, self.context.get(id)?))) {
                Some((id, PropertyDefinition { value: Some(Value(fixed)), .. })) => {
                    let name = self.context.program.name(id.any());
                    let message = format!("property `{name}` has a fixed value and can't be assigned");
                    let fixed = self.context.span(*fixed);
                    self.problem(&rules::FIXED_VALUE_ASSIGNED, entry.key, message)
                        .related(fixed, "fixed here")
                        .help("remove the assignment");
                }
                Some((id, property)) => {
                    if is_large && property.needs_value() {
                        given.insert(id);
                    }
                    let schema = Typed::schema(property, self.context, id);
                    self.check(entry.value, &schema);
                }
                None => {
                    let context = &self.context;
                    let names = definition.properties.iter().map(|(name, _)| context.text(name));
                    let (near, help) = context.suggestions().search(entry.key.text(), names, "it has");
                    meant.extend(near);
                    let name = context.program.name(data_type.any());
                    let message = format!("data type `{name}` has no property `{}`", entry.key.text());
                    let defined = context.program.name_span(data_type.any());
                    self.problem(&rules::UNDECLARED, entry.key, message).help_if(help).related(defined, "defined here");
                }
            }
        }
        if is_large {
            let is_complete = given.len() == mandatory_members(self.context, data_type, definition);
            if is_complete || !self.is_silent && !self.context.has_room_for_missing() {
                return true;
            }
        }
        for (name, id) in definition.properties.iter() {
            if !self.context.get(id).is_some_and(PropertyDefinition::needs_value) {
                continue;
            }
            let is_given = node.get(name).is_some() || meant.contains(&self.context.text(name));
            if !is_given {
                let message = format!(
                    "a `{}` needs a value for `{}`",
                    self.context.program.name(data_type.any()),
                    self.context.text(name)
                );
                let defined = self.context.program.name_span(id.any());
                let help = format!("add `{}: …`", self.context.text(name));
                self.problem(&rules::MISSING_VALUE, node, message).related(defined, "required here").help(help);
            }
        }
        true
    }
}

/// Returns the number of members that a value of a complex type must have.
fn mandatory_members(context: &Context<'_>, id: Id<DataType>, data_type: &DataType) -> usize {
    const MANDATORY: &str = "mandatory members";
    context.program.noted(MANDATORY, id.any()).unwrap_or_else(|| {
        let members = data_type.properties.iter().filter_map(|(_, id)| context.get(id));
        let count = members.filter(|member| member.needs_value()).count();
        context.program.note(MANDATORY, id.any(), count);
        count
    })
}
