//! The expected values, as described by definitions (2.0, 9.4 to 9.8).

use super::typed::kind::DataKind;
use crate::diagnostic::SourceId;
use crate::entity::{AnyId, Clauses, Entity, Id};
use crate::grammar::definition::{AttributeDefinition, ParameterDefinition, PropertyDefinition, SchemaDefinition};
use crate::grammar::types::DataType;
use crate::phase::Context;

/// The description of a value.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    /// The type; `None` if it is unknown.
    pub data_type: Option<Id<DataType>>,
    /// The conditions on the value, in addition to those of its type.
    pub validation: Option<&'a Clauses>,
    /// The schema of the keys of a map.
    pub key_schema: Option<Id<SchemaDefinition>>,
    /// The schema of the entries of a list or map.
    pub entry_schema: Option<Id<SchemaDefinition>>,
    /// The definition with this schema.
    pub definition: Option<AnyId>,
}

impl Schema<'_> {
    /// Returns the schema of values of a type.
    pub const fn of_type(data_type: Option<Id<DataType>>) -> Self {
        Self { data_type, validation: None, key_schema: None, entry_schema: None, definition: None }
    }

    /// Returns an entity of the given unit to which [tables](crate::phase::Program::table) about its clauses for this
    /// schema can be attached, and the type on which they depend: none if the kind of the values is decisive.
    pub(crate) fn owner_of_clauses(
        &self,
        context: &Context<'_>,
        unit: SourceId,
    ) -> Option<(AnyId, Option<Id<DataType>>)> {
        const MAX_PARENTS: usize = 16;
        let data_type = self.data_type?;
        let is_in_unit = |id: &AnyId| id.unit == unit;
        let own = [self.definition, Some(data_type.any())].into_iter().flatten().find(is_in_unit);
        match DataKind::of(context, data_type) {
            DataKind::Scalar | DataKind::ScalarUnit => return Some((own?, Some(data_type))),
            // The entry schema of a definition may differ.
            DataKind::List | DataKind::Map | DataKind::Complex => {
                let owner = self.definition.unwrap_or(data_type.any());
                return is_in_unit(&owner).then_some((owner, Some(data_type)));
            }
            _ => {}
        }
        let parent = |id: &AnyId| context.program.lineage(*id)?.parents().first().copied();
        let mut parents = std::iter::successors(Some(data_type.any()), parent).take(MAX_PARENTS);
        Some((own.or_else(|| parents.find(is_in_unit))?, None))
    }
}

/// A value definition.
pub trait Typed: Entity {
    /// Returns the schema of the value.
    fn schema<'a>(&'a self, context: &Context<'_>, id: Id<Self>) -> Schema<'a>;
}

macro_rules! typed {
    ($($definition:ty),*) => {
        $(impl Typed for $definition {
            fn schema<'a>(&'a self, context: &Context<'_>, id: Id<Self>) -> Schema<'a> {
                Schema {
                    data_type: context.target_of(self.r#type),
                    validation: Some(&self.validation),
                    key_schema: self.key_schema,
                    entry_schema: self.entry_schema,
                    definition: Some(id.any()),
                }
            }
        })*
    };
}

typed!(PropertyDefinition, AttributeDefinition, ParameterDefinition);

impl<'a> Schema<'a> {
    /// Returns the kind of the values; `None` if the type is unknown.
    pub fn kind(&self, context: &Context<'_>) -> Option<DataKind> {
        Some(DataKind::of(context, self.data_type?))
    }

    /// Returns whether a value of another schema can be a value of this schema, judging by their types: one type is
    /// derived from the other, or the other type is an integer and this one a float. The same applies to the entries of
    /// lists and maps.
    pub fn may_hold(&self, context: &Context<'a>, other: &Schema<'a>) -> bool {
        let (Some(mine), Some(theirs)) = (self.data_type, other.data_type) else { return true };
        let are_related =
            || context.program.is_a(mine.any(), theirs.any()) || context.program.is_a(theirs.any(), mine.any());
        match (DataKind::of(context, mine), DataKind::of(context, theirs)) {
            (DataKind::Float, DataKind::Integer) => true,
            (DataKind::Complex, DataKind::Complex)
            | (DataKind::Scalar, DataKind::Scalar)
            | (DataKind::ScalarUnit, DataKind::ScalarUnit) => are_related(),
            (DataKind::List, DataKind::List) | (DataKind::Map, DataKind::Map) => {
                match (self.entries(context), other.entries(context)) {
                    (Some(mine), Some(theirs)) => mine.may_hold(context, &theirs),
                    _ => true,
                }
            }
            (mine, theirs) => mine == theirs,
        }
    }

    /// Returns whether every value of another schema is a value of this schema, judging by their types: the other type
    /// is this one or derived from it, or is an integer while this one is a float. The same applies to the entries of
    /// lists and maps.
    pub fn holds_all(&self, context: &Context<'a>, other: &Schema<'a>) -> bool {
        let (Some(mine), Some(theirs)) = (self.data_type, other.data_type) else { return true };
        let (kind, other_kind) = (DataKind::of(context, mine), DataKind::of(context, theirs));
        let is_built_in = kind != DataKind::Complex
            && context.program.unit(mine.unit).is_some_and(|unit| unit.implicit.is_some())
            && kind.is_named(context.program.name(mine.any()));
        let is_held = match (kind, other_kind) {
            (DataKind::Float, DataKind::Integer) => is_built_in,
            // Built-in types of other versions are different types with the same meaning.
            _ if is_built_in => kind == other_kind,
            _ => context.program.is_a(theirs.any(), mine.any()),
        };
        is_held
            && match (self.entries(context), other.entries(context)) {
                (Some(mine), Some(theirs)) => mine.holds_all(context, &theirs),
                _ => true,
            }
    }

    /// Returns the schema of the entries of a list or map, from the definition or else from the type.
    pub fn entries(&self, context: &Context<'a>) -> Option<Schema<'a>> {
        let id = self.entry_definition(context)?;
        Some(context.get(id)?.schema(context, id))
    }

    /// Returns the definition of the [entries](Self::entries).
    pub fn entry_definition(&self, context: &Context<'_>) -> Option<Id<SchemaDefinition>> {
        self.entry_schema.or_else(|| context.get(self.data_type?)?.entry_schema)
    }

    /// Returns the schema of the keys of a map, from the definition or else from the type.
    pub fn keys(&self, context: &Context<'a>) -> Option<Schema<'a>> {
        let of_type = || context.get(self.data_type?)?.key_schema;
        let id = self.key_schema.or_else(of_type)?;
        Some(context.get(id)?.schema(context, id))
    }

    /// Returns the schema of a member of a complex value.
    pub fn member(&self, context: &Context<'a>, name: &str) -> Option<Schema<'a>> {
        let id = self.member_definition(context, name)?;
        Some(context.get(id)?.schema(context, id))
    }

    /// Returns the definition of a [member](Self::member).
    pub fn member_definition(&self, context: &Context<'_>, name: &str) -> Option<Id<PropertyDefinition>> {
        context.get(self.data_type?)?.properties.get(context.program.interner.get(name)?)
    }

    /// Returns the term for the value in messages: "property `port`".
    pub fn title(&self, context: &Context<'_>) -> String {
        match self.definition {
            Some(id) if !context.program.name(id).is_empty() => context.mention(id),
            _ => "the value".to_owned(),
        }
    }

    /// Returns the expected value, with an article: "a string", "a list of `string`", "a `Credential`".
    pub fn phrase(&self, context: &Context<'a>) -> Option<String> {
        let kind = self.kind(context)?;
        Some(match self.entries(context).filter(|_| kind == DataKind::List) {
            Some(entries) => format!("a list of `{}`", entries.type_name(context)),
            None if kind.is_named(self.type_name(context)) => kind.with_article().to_owned(),
            None => format!("a `{}`", self.type_name(context)),
        })
    }

    /// Returns whether the definition or the type has conditions on values.
    pub(crate) fn is_restricted(&self, context: &Context<'a>) -> bool {
        let of_type = self.data_type.and_then(|data_type| context.get(data_type));
        self.validation.is_some_and(|clauses| !clauses.is_empty())
            || of_type.is_some_and(|data_type| !data_type.validation.is_empty())
    }

    /// Returns the name of the type.
    pub fn type_name(&self, context: &Context<'a>) -> &'a str {
        self.data_type.map_or("", |data_type| context.program.name(data_type.any()))
    }
}

impl Typed for SchemaDefinition {
    fn schema<'a>(&'a self, context: &Context<'_>, id: Id<Self>) -> Schema<'a> {
        let clauses = if self.constraints.is_empty() { &self.validation } else { &self.constraints };
        Schema {
            data_type: context.target_of(self.r#type),
            validation: Some(clauses),
            key_schema: self.key_schema,
            entry_schema: self.entry_schema,
            definition: Some(id.any()),
        }
    }
}
