//! Entities, as the phases see them.
//!
//! An entity in a language (such as a node type or a requirement assignment) is a plain struct with annotated fields.
//! The derive macro [`Entity`](macro@crate::Entity) generates an [`EntityDescription`] and access to the fields by
//! index. The types of the fields ([`Text`], [`Reference`], [`Members`] and so on) implement reading and inheritance.
//! The phases use nothing else: no phase depends on a particular entity.
//!
//! All entities of one kind in a unit are stored in one [`Arena`]. Entities refer to each other by [`Id`]. They are
//! never changed after they have been read: the results of later phases are stored separately.
//!
//! ```
//! # extern crate tosca_parse_engine as tosca_parse;
//! use tosca_parse::Entity;
//! use tosca_parse::entity::{LanguageVersion, Members, Reference, Section, Text, Value};
//!
//! const SHAPES: Section = Section(0);
//! const V2: LanguageVersion = LanguageVersion(1);
//!
//! /// A type of shapes.
//! #[derive(Entity, Clone, Debug, Default)]
//! #[entity(title = "shape type", spec = "4.2")]
//! pub struct ShapeType {
//!     /// The shape type that this one is derived from.
//!     #[field(parent, lookup(SHAPES))]
//!     pub derived_from: Option<Reference<ShapeType>>,
//!     /// The description.
//!     #[field(inherit = overwrite)]
//!     pub description: Option<Text>,
//!     /// Its edges, by name.
//!     #[field(since = V2, inherit = refine)]
//!     pub edges: Members<Edge>,
//! }
//!
//! /// The edge of a shape.
//! #[derive(Entity, Clone, Debug, Default)]
//! #[entity(title = "edge")]
//! pub struct Edge {
//!     /// The length: `left: 5` is short for `left: { length: 5 }`.
//!     #[field(mandatory(inheritable), short(scalar), inherit = fixed)]
//!     pub length: Option<Value>,
//! }
//!
//! tosca_parse::kinds! {
//!     static KINDS = [ShapeType, Edge];
//! }
//! assert_eq!(KINDS[0].description().title, "shape type");
//! ```

mod arena;
mod by_kind;
mod call;
mod check;
mod checks;
mod completion;
mod description;
mod fields;
mod header;
mod id;
pub mod keyname_maps;
mod language;
mod macros;
mod model;
mod option;
pub mod position_context;
mod quirk;
mod recognition;
mod topology;
mod vocabulary;

use std::any::Any;

pub use arena::{Arena, Arenas, Slots};
pub(crate) use by_kind::ByKind;
pub use call::{CallArgument, Function, FunctionCall, Functions, Parameter};
pub use checks::{AnyCheck, Checked, Checks};
#[doc(hidden)]
pub use checks::{ChecksOf, Unchecked};
pub use completion::{
    CandidateFilter, CompletionProposal, CompletionRequest, CompletionResponse, MemberNote, ProposalKind, ValueType,
};
pub(crate) use description::with_article;
pub use description::{
    AssignmentSpec, EntityDescription, FieldDescription, FieldKey, Form, Inherit, Keyname, Lookup, Mandatory, ReadAs,
    Related, Relation, RelationKind, Role, Section, Shape, ShortForms, Undeclared, Versions,
};
pub use fields::{
    Child, Children, Clauses, EnumValue, Enumerated, List, Located, LocatedScalar, Members, Reference, References,
    Scalar, Sequence, Text, Texts, Value, Values,
};
pub use header::Header;
pub(crate) use id::MaybeId;
pub use id::{AnyId, Id, Kind, LanguageVersion, LocalId, NodeRef};
pub use language::{
    AnyKind, BuiltInProfile, DetectedSource, ImplicitUnit, KindOf, Language, Leniency, Merging, NameAlias, Precedence,
    PublishedFile, Qualify, SectionDescription, VersionDescription,
};
pub use model::{Model, ModelEntries, ModelLimits, ModelPart, VisitEntry};
pub use option::{LanguageOption, OptionValue};
pub use quirk::{Quirk, QuirkDescription, QuirkSet, Quirks};
pub use recognition::{Recognition, VersionWords, has_root_key, values_on_lines};
pub use topology::{InputForm, Topology, TopologyEdge, TopologyNode};
pub use vocabulary::{KindVocabulary, Vocabulary};

use crate::ard::Node;
use crate::phase::Context;
use crate::phase::inheritance::{Completion, InheritedField, InheritingField};
use crate::phase::read::Reader;
use crate::phase::rendering::RenderedField;
use crate::symbol::Symbol;

/// The part of an entity's implementation that the derive macro generates.
pub trait Described: Any + Send + Sync {
    /// Returns the description of the entity's kind.
    fn description(&self) -> &'static EntityDescription;

    /// Returns the field at the given index in the description.
    fn field(&self, index: usize) -> &dyn Field;

    /// Returns the field at the given index in the description.
    fn field_mut(&mut self, index: usize) -> &mut dyn Field;
}

/// A kind of entity: a struct with annotations that a language lists among its kinds.
pub trait Entity: Described + Default + Clone {
    /// The number of the kind in the language's list.
    const KIND: Kind;

    /// The checks of the kind: those of [`Checked`], if it is implemented.
    const CHECKS: Checks<Self> = Checks::NEW;
}

/// A type for fields of entities.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the type of a field of an entity",
    label = "not the type of a field",
    note = "fields are `Option<Text>`, `Option<Located<…>>`, `Option<Value>`, `Values`, `Option<Reference<…>>`, `References<…>`, \
            `Child<…>`, `Children<…>`, `Members<…>`, or of a type that implements `Field` and `Shaped`",
    note = "a field that phases must not see is `#[field(skip)]`"
)]
pub trait Field: Any + Send + Sync {
    /// Returns whether the field has a value, given in the source or inherited.
    fn is_set(&self) -> bool;

    /// Reads the value from a node and reports its problems.
    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription);

    /// Reads an entry whose key is not a keyname. Only called for fields with the keyname `*`.
    fn read_entry(
        &mut self,
        reader: &mut Reader<'_>,
        key: Node<'_>,
        value: Node<'_>,
        field: &'static FieldDescription,
    ) {
        let _ = (reader, key, value, field);
    }

    /// Completes the field from the same field in the inheritance sources, nearest first.
    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        let _ = (completion, site, sources);
    }

    /// Matches the members of the field with the members that they assign to in a definition. For fields with
    /// assignments.
    fn assign(&self, context: &mut Context<'_>, site: &RenderedField<'_>) {
        let _ = (context, site);
    }

    /// Copies the whole value of `other`, which has the same type.
    fn copy_from(&mut self, other: &dyn Field);

    /// Returns the entity with the given name in the field.
    fn member(&self, name: Symbol) -> Option<AnyId> {
        let _ = name;
        None
    }

    /// Returns the number of entities in the field.
    fn child_count(&self) -> usize {
        let mut count = 0;
        self.visit_children(&mut |_| count += 1);
        count
    }

    /// Calls `visit` with every entity in the field.
    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        let _ = visit;
    }

    /// Calls `visit` with the position of every string and value in the field, except for references.
    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        let _ = visit;
    }

    /// Calls `visit` with every reference in the field.
    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        let _ = visit;
    }
}

/// The static part of a field's type.
///
/// The type of a field must be one of the engine's or implement this trait:
///
/// ```compile_fail
/// # extern crate tosca_parse_engine as tosca_parse;
/// /// A door.
/// #[derive(tosca_parse::Entity, Clone, Debug, Default)]
/// #[entity(title = "door")]
/// struct Door {
///     /// The width: `Option<Located<…>>` of a `Scalar` would be possible.
///     width: u32,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the type of a field of an entity",
    label = "not the type of a field",
    note = "scalars and names are in an `Option`: `Option<Text>`, `Option<Located<…>>`, `Option<Reference<…>>`",
    note = "a field that phases must not see is `#[field(skip)]`"
)]
pub trait Shaped {
    /// The shape of the value in the source.
    const SHAPE: Shape;

    /// An additional form that the value, or an item in a list of entities, may have, such as a list in place of a
    /// name.
    const ALSO: Option<Form> = None;

    /// Whether null is a valid value.
    const NULLABLE: bool = false;
}

/// Returns the entity's field with the given name, if it has type `F`. For fields that several kinds share.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::Entity;
/// use tosca_parse::entity::{Text, field_of};
///
/// /// A note.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "note")]
/// struct Note {
///     /// The text.
///     text: Option<Text>,
/// }
///
/// # tosca_parse::kinds! { static KINDS = [Note]; }
/// let note = Note::default();
/// assert_eq!(field_of::<Option<Text>>(&note, "text"), Some(&None));
/// assert_eq!(field_of::<Option<Text>>(&note, "title"), None);
/// ```
pub fn field_of<'e, F: Field>(entity: &'e dyn Described, ident: &str) -> Option<&'e F> {
    let (index, _) = entity.description().field(ident)?;
    downcast(entity.field(index))
}

/// Returns the field as type `F`, if it has that type.
pub fn downcast<F: Field>(field: &dyn Field) -> Option<&F> {
    (field as &dyn Any).downcast_ref()
}
