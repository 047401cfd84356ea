//! Static descriptions of entities, which the derive macro generates from the annotations of a struct.
//!
//! The description contains everything that the phases know about a kind of entity. The same tables serve all other
//! purposes: suggesting keynames for misspelled ones, explaining what a keyname means, and showing in which versions it
//! exists.

use super::{EnumValue, LanguageVersion, Parameter};
use crate::ard::Node;
use crate::diagnostic::Rule;
use crate::diagnostic::suggest::nearest;
use crate::phase::read::Reader;

/// A kind of entity.
#[derive(Debug)]
pub struct EntityDescription {
    /// The name of the struct, such as `NodeType`.
    pub name: &'static str,
    /// The term that authors use, such as `node type`.
    pub title: &'static str,
    /// Its documentation, in Markdown.
    pub docs: &'static str,
    /// The section of the standard that defines the entity; empty if there is none.
    pub spec: &'static str,
    /// The fields, in declaration order.
    pub fields: &'static [FieldDescription],
    /// Whether the entity is written as a list of its fields, in order.
    pub tuple: bool,
    /// The relations between the keynames.
    pub relations: &'static [Relation],
}

/// A relation between keynames of an entity.
#[derive(Debug)]
pub struct Relation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The indexes of the fields. A problem is reported at the first of them.
    pub fields: &'static [usize],
    /// The versions in which the relation holds.
    pub versions: Versions,
    /// Whether inherited values count as given.
    pub inherited: bool,
    /// The rule that an entity violates if the relation does not hold.
    pub rule: &'static Rule,
    /// The help, if it is more specific than adding or removing a keyname.
    pub help: Option<&'static str>,
}

/// The kind of a relation between keynames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// Exactly one of the keynames must be given.
    OneOf,
    /// At least one of the keynames must be given.
    AnyOf,
    /// At most one of the keynames may be given.
    AtMostOne,
    /// The first keyname requires all the others.
    Needs,
}

/// The effect of given keynames on a keyname that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Related {
    /// The keyname can't be added.
    Excluded,
    /// The keyname or an alternative must be added.
    Needed,
}

/// The identity of an entity's field, which [`field_key!`](crate::field_key) creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldKey {
    entity: &'static str,
    ident: &'static str,
}

impl FieldKey {
    /// Creates a key without checking the names; use [`field_key!`](crate::field_key) instead.
    #[doc(hidden)]
    pub const fn new(entity: &'static str, ident: &'static str) -> Self {
        Self { entity, ident }
    }

    /// Returns the key of a described field.
    pub fn of(entity: &EntityDescription, field: &FieldDescription) -> Self {
        Self { entity: entity.name, ident: field.ident }
    }

    /// Returns the name of the field in the struct.
    pub const fn ident(self) -> &'static str {
        self.ident
    }
}

impl EntityDescription {
    /// Returns the field with the given name in the struct and its index.
    pub fn field(&self, ident: &str) -> Option<(usize, &'static FieldDescription)> {
        self.fields.iter().enumerate().find(|(_, field)| field.ident == ident)
    }

    /// Returns the first field that satisfies the given predicate, and its index.
    pub fn find(&self, condition: impl Fn(&FieldDescription) -> bool) -> Option<(usize, &'static FieldDescription)> {
        self.fields.iter().enumerate().find(|(_, field)| condition(field))
    }

    /// Returns the effect of the given keynames on the keyname of the field at `index`, for completion.
    pub fn relation_of(
        &self,
        index: usize,
        version: LanguageVersion,
        is_given: impl Fn(&FieldDescription) -> bool,
    ) -> Option<Related> {
        let is_given = |index: &usize| is_given(&self.fields[*index]);
        let relations = self.relations.iter().filter(|relation| relation.versions.contains(version));
        let related = relations.filter(|relation| relation.fields.contains(&index)).filter_map(|relation| {
            let others_given = relation.fields.iter().any(|other| *other != index && is_given(other));
            match relation.kind {
                RelationKind::OneOf | RelationKind::AtMostOne if others_given => Some(Related::Excluded),
                RelationKind::OneOf => Some(Related::Needed),
                RelationKind::AnyOf => (!others_given).then_some(Related::Needed),
                RelationKind::Needs if index != relation.fields[0] && is_given(&relation.fields[0]) => {
                    Some(Related::Needed)
                }
                RelationKind::AtMostOne | RelationKind::Needs => None,
            }
        });
        related.min()
    }

    /// Returns whether entities of this kind are types, which can have parents.
    pub fn is_type(&self) -> bool {
        self.fields.iter().any(|field| field.role == Role::Parent)
    }

    /// Returns the keynames of the entity in a version.
    pub fn keynames(&self, version: LanguageVersion) -> impl Iterator<Item = &'static str> {
        let is_known = move |keyname: &&Keyname| keyname.versions.contains(version) && keyname.is_written();
        self.fields.iter().flat_map(|field| field.keynames).filter(is_known).map(|keyname| keyname.name)
    }

    /// Returns whether a keyname exists in a version.
    pub(crate) fn has_keyname(&self, version: LanguageVersion, name: &str) -> bool {
        let mut keynames = self.fields.iter().flat_map(|field| field.keynames);
        keynames.any(|keyname| keyname.name == name && keyname.versions.contains(version) && keyname.is_written())
    }

    /// Returns whether the entity can be written as a map in a version, rather than only in a short form or as a list.
    pub fn is_map(&self, version: LanguageVersion) -> bool {
        let is_key = |keyname: &Keyname| keyname.name != Keyname::NONE && keyname.is_read_in(version);
        self.fields.iter().flat_map(|field| field.keynames).any(is_key)
    }

    /// Returns the list items in a version, for entities that are written as a list: `[ node template, capability ]`.
    pub fn items(&self, version: LanguageVersion) -> impl Iterator<Item = (usize, &'static FieldDescription)> {
        let fields = self.fields.iter().enumerate().filter(|_| self.tuple);
        fields.filter(move |(_, field)| field.exists_in(version))
    }

    /// Returns the notation for an entity without keynames, for messages: a list such as `[ node template, capability
    /// ]`, or the short forms.
    pub fn forms(&self, version: LanguageVersion) -> String {
        if self.tuple {
            let items = self.items(version).map(|(_, field)| {
                let optional = if field.is_mandatory(version) { "" } else { " (optional)" };
                format!("{}{optional}", field.words())
            });
            return format!("`[ {} ]`", items.collect::<Vec<_>>().join(", "));
        }
        let short = |has: fn(&FieldDescription) -> bool| {
            self.find(|field| has(field) && field.exists_in(version)).map(|(_, field)| field)
        };
        let scalar = short(|field| field.short.scalar).map(|field| match field.shape {
            Shape::Reference => "a name (a string)".to_owned(),
            _ => "a scalar".to_owned(),
        });
        let list = short(|field| field.short.list).map(|field| match field.shape.entity() {
            Some(entity) if entity.tuple => entity.forms(version),
            _ => "a list".to_owned(),
        });
        let map = short(|field| field.short.map).map(|_| "a map".to_owned());
        let forms: Vec<String> = [scalar, list, map].into_iter().flatten().collect();
        forms.join(" or ")
    }

    /// Returns the keyname in the given version that a misspelled key probably stands for. The key may also resemble a
    /// different version's keyname for the same field.
    pub fn meant(&self, key: &str, version: LanguageVersion) -> Option<&'static str> {
        nearest(key, self.keynames(version)).or_else(|| {
            let fields = self.fields.iter().filter(|field| field.exists_in(version));
            let names = fields.flat_map(|field| field.keynames.iter().map(move |keyname| (field, keyname)));
            let written: Vec<_> = names.filter(|(_, keyname)| keyname.is_written()).collect();
            let near = nearest(key, written.iter().map(|(_, keyname)| keyname.name))?;
            let (field, _) = written.iter().find(|(_, keyname)| keyname.name == near)?;
            Some(field.keyname(version)).filter(|name| *name != Keyname::ANY && *name != Keyname::NONE)
        })
    }

    /// Returns the key in a map that was probably meant to be the given keyname.
    pub fn misspelt<'n>(&self, node: Node<'n>, keyname: &str, version: LanguageVersion) -> Option<Node<'n>> {
        let is_meant = |key: &Node<'_>| {
            let is_unknown = self.keynames(version).all(|known| known != key.text());
            is_unknown && self.meant(key.text(), version) == Some(keyname)
        };
        node.entries().map(|entry| entry.key).find(is_meant)
    }

    /// Returns the field with entries that may be written without its keyname in some version, and the entity of the
    /// entries.
    pub(crate) fn any_content(&self) -> Option<(&'static FieldDescription, &'static EntityDescription)> {
        let takes_any = |field: &FieldDescription| field.keynames.iter().any(|keyname| keyname.name == Keyname::ANY);
        let (_, field) = self.find(takes_any)?;
        Some((field, field.shape.entity()?))
    }

    /// Returns the term for the subject of the entity: `property` for a `property definition`.
    pub fn noun(&self) -> &'static str {
        let title = self.title;
        title.strip_suffix(" definition").or_else(|| title.strip_suffix(" assignment")).unwrap_or(title)
    }

    /// Returns the title with an indefinite article: `a node type`, `an interface type`.
    pub fn with_article(&self) -> String {
        with_article(self.title)
    }
}

/// Returns a title with an indefinite article: `a node type`, `an interface type`, `a usage`.
pub(crate) fn with_article(title: &str) -> String {
    let sounds_like_a_vowel = title.starts_with(['a', 'e', 'i', 'o', 'u']) && !title.starts_with("us");
    let article = if sounds_like_a_vowel { "an" } else { "a" };
    format!("{article} {title}")
}

/// A field of an entity.
#[derive(Debug)]
pub struct FieldDescription {
    /// The name of the field in the struct.
    pub ident: &'static str,
    /// Its documentation, in Markdown.
    pub docs: &'static str,
    /// The keynames from which the field is read, one for each range of versions; empty for a field that is not read.
    pub keynames: &'static [Keyname],
    /// The shape of the value in the source.
    pub shape: Shape,
    /// An additional form that the value, or an item in a list of entities, may have.
    pub also: Option<Form>,
    /// Whether null is a valid value.
    pub nullable: bool,
    /// When the field is mandatory.
    pub mandatory: Option<Mandatory>,
    /// The value that an absent field stands for, as an author would write it.
    pub default: Option<&'static str>,
    /// The short forms of the entity that set this field.
    pub short: ShortForms,
    /// For a field that holds entities: the entity's field that a short form sets, instead of the one that the entity
    /// itself declares. A map is then never a short form.
    pub members_short: Option<&'static str>,
    /// Whether the field is read before the other fields. Early fields are read in declaration order.
    pub early: bool,
    /// Whether named entities are written as a list of maps with one entry each, rather than as a map.
    pub sequenced: bool,
    /// The versions in which a list of maps with one entry each may also be written as a map, with a warning.
    pub map_too: Option<Versions>,
    /// The versions in which a map may also be written as a list of maps with one entry each.
    pub list_too: Option<Versions>,
    /// Whether a key may also be a list, which can express more than a name.
    pub list_keys: bool,
    /// The versions in which a single item may be written without the list.
    pub one_too: Option<Versions>,
    /// For a value: the entity that the value is also read as.
    pub read_as: Option<ReadAs>,
    /// The section of names in which the entities in the field are declared.
    pub section: Option<Section>,
    /// Whether the names of the entities in the field are visible only within the entity that has the field, where they
    /// shadow other names in the section.
    pub scoped: bool,
    /// The sections in which the names in the field are looked up.
    pub lookup: Option<Lookup>,
    /// The role of the field's references in hierarchies and inheritance.
    pub role: Role,
    /// How the field inherits; `None` if it does not.
    pub inherit: Option<Inherit>,
    /// The versions in which members can only be refined, not added.
    pub closed: Option<Versions>,
    /// For a field whose members are assignments: how they relate to the members in the entity's definition.
    pub assigns: Option<AssignmentSpec>,
    /// The versions in which the field's values can contain function calls.
    pub value: Option<Versions>,
    /// The kind of function argument that the value must be; `None` if any value is allowed.
    pub argument: Option<Parameter>,
    /// Whether the value is the address of a file.
    pub file: bool,
}

impl Keyname {
    /// The name that stands for every key that is not a keyname.
    pub const ANY: &'static str = "*";

    /// The name for a field that has no keyname and can only be set by a short form.
    pub const NONE: &'static str = "";

    /// Returns whether this is an actual key that authors can write.
    pub fn is_written(&self) -> bool {
        self.name != Self::ANY && self.name != Self::NONE
    }

    /// Returns whether the keyname is accepted in a version, with or without a warning.
    pub const fn is_read_in(&self, version: LanguageVersion) -> bool {
        self.versions.contains(version) || matches!(self.tolerated, Some(versions) if versions.contains(version))
    }
}

impl FieldDescription {
    /// Returns the section in which the field's entities are declared for the whole unit, if there is one.
    pub(crate) fn declares(&self) -> Option<Section> {
        self.section.filter(|_| !self.scoped)
    }

    /// Returns whether the field holds entities.
    pub fn holds_entities(&self) -> bool {
        matches!(self.shape, Shape::One(_) | Shape::List(_) | Shape::Named(_) | Shape::Sequence(_))
    }

    /// Returns the description of the entity that the field holds, or that its value is also read as, in a version.
    pub fn entity(&self, version: LanguageVersion) -> Option<&'static EntityDescription> {
        let read_as = || self.read_as.filter(|read_as| read_as.versions.contains(version));
        self.shape.entity().or_else(|| Some((read_as()?.entity)()))
    }

    /// Returns the term for the field in messages: its keyname, or the words in its name if it has no keyname.
    pub fn title(&self, version: LanguageVersion) -> String {
        match self.keyname(version) {
            Keyname::NONE => format!("the {}", self.words()),
            keyname => format!("`{keyname}`"),
        }
    }

    /// Returns the words in the name of the field: `node template`.
    pub fn words(&self) -> String {
        self.ident.replace('_', " ")
    }

    /// Returns the field's keyname in a version; if it has none there, that of the nearest version.
    pub fn keyname(&self, version: LanguageVersion) -> &'static str {
        let names = self.keynames;
        names
            .iter()
            .find(|keyname| keyname.versions.contains(version))
            .or(names.last())
            .map_or("", |keyname| keyname.name)
    }

    /// Returns whether the field must be given or inherited in a version.
    pub fn is_mandatory(&self, version: LanguageVersion) -> bool {
        self.mandatory.is_some_and(|mandatory| mandatory.versions.contains(version))
    }

    /// Returns whether a single item may be written in place of a list, in a version.
    pub fn takes_one(&self, version: LanguageVersion) -> bool {
        self.one_too.is_some_and(|versions| versions.contains(version))
    }

    /// Returns whether named entities may be written as a list of maps with one entry each, in a version.
    pub fn takes_list(&self, version: LanguageVersion) -> bool {
        self.sequenced || self.list_too.is_some_and(|versions| versions.contains(version))
    }

    /// Returns whether the field exists in a version.
    pub fn exists_in(&self, version: LanguageVersion) -> bool {
        self.keynames.iter().any(|keyname| keyname.versions.contains(version))
    }
}

/// A keyname of a field.
#[derive(Debug)]
pub struct Keyname {
    /// The key; `*` for every key that is not a keyname; empty if only a short form sets the field.
    pub name: &'static str,
    /// The versions in which the keyname exists.
    pub versions: Versions,
    /// The other versions in which the keyname is accepted, with a warning.
    pub tolerated: Option<Versions>,
}

/// The entity that a value is also read as, to check its form. The field still stores only the position of the value.
#[derive(Clone, Copy, Debug)]
pub struct ReadAs {
    /// The versions in which the value is read as the entity.
    pub versions: Versions,
    /// The kind of entity.
    pub entity: fn() -> &'static EntityDescription,
    /// Reads the value as the entity and reports its problems.
    pub read: fn(&mut Reader<'_>, Node<'_>),
}

/// A range of a language's versions, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The first version.
    pub since: LanguageVersion,
    /// The last version.
    pub until: LanguageVersion,
}

impl Versions {
    /// Every version.
    pub const ALL: Self = Self { since: LanguageVersion::FIRST, until: LanguageVersion::LAST };

    /// No version.
    pub const NONE: Self = Self { since: LanguageVersion::LAST, until: LanguageVersion::FIRST };

    /// Returns whether a version is in the range.
    pub const fn contains(self, version: LanguageVersion) -> bool {
        self.since.0 <= version.0 && version.0 <= self.until.0
    }
}

/// When a field is mandatory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mandatory {
    /// The versions in which the field must be given.
    pub versions: Versions,
    /// Whether an inherited value is sufficient. If so, the inheritance phase does the check; otherwise, the read phase
    /// does.
    pub inheritable: bool,
}

/// The short forms of an entity that set a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ShortForms {
    /// A bare scalar.
    pub scalar: bool,
    /// A bare list.
    pub list: bool,
    /// A map other than one of the entity's keynames.
    pub map: bool,
}

/// The shape of a field's value in the source.
#[derive(Clone, Copy)]
pub enum Shape {
    /// A scalar, or a different kind of value without names and entities: the term for the value, such as `string`, and
    /// its form.
    Scalar(&'static str, Form),
    /// Any value.
    Value,
    /// A map of names to any values.
    Values,
    /// A name to look up.
    Reference,
    /// A list of names to look up.
    References,
    /// One entity.
    One(fn() -> &'static EntityDescription),
    /// A list of entities.
    List(fn() -> &'static EntityDescription),
    /// Named entities with distinct names.
    Named(fn() -> &'static EntityDescription),
    /// Named entities in order; names may be repeated.
    Sequence(fn() -> &'static EntityDescription),
}

impl Shape {
    /// Returns the description of the entity that the field holds, if there is one.
    pub fn entity(self) -> Option<&'static EntityDescription> {
        match self {
            Shape::One(entity) | Shape::List(entity) | Shape::Named(entity) | Shape::Sequence(entity) => Some(entity()),
            Shape::Scalar(..) | Shape::Value | Shape::Values | Shape::Reference | Shape::References => None,
        }
    }
}

impl std::fmt::Debug for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shape::Scalar(what, _) => f.write_str(what),
            Shape::Value => f.write_str("value"),
            Shape::Values => f.write_str("map of values"),
            Shape::Reference => f.write_str("name"),
            Shape::References => f.write_str("list of names"),
            Shape::One(entity) => f.write_str(entity().title),
            Shape::List(entity) => write!(f, "list of {}", entity().title),
            Shape::Named(entity) => write!(f, "map of {}", entity().title),
            Shape::Sequence(entity) => write!(f, "sequenced list of {}", entity().title),
        }
    }
}

/// The form of a value without names and entities, as far as it can be described. Only the code that reads the value
/// knows its meaning and further restrictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Anything.
    Any,
    /// Null.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A non-negative integer.
    Count,
    /// A string.
    String,
    /// A string that matches a regular expression. Numbers are read as strings.
    Pattern(&'static str),
    /// A specific string.
    Constant(&'static str),
    /// An enum value.
    Enumerated {
        /// The allowed values.
        values: &'static [EnumValue],
        /// Whether the values are case-insensitive.
        any_case: bool,
    },
    /// A list.
    List(&'static Form),
    /// One of several forms.
    Either(&'static [Form]),
}

/// A section of names: its index in the language's list of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section(pub u8);

/// The sections in which names are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// The sections, in order. The first one that contains the name wins.
    pub sections: &'static [Section],
    /// Additional sections whose names are accepted although the language does not allow them here.
    pub accepted: &'static [Section],
    /// Whether an unknown name is left to a later phase.
    pub optional: bool,
    /// Names that are known even without a declaration in a source.
    pub known: &'static [&'static str],
}

impl Lookup {
    /// Creates a lookup in the given sections.
    pub const fn of(sections: &'static [Section]) -> Self {
        Self { sections, accepted: &[], optional: false, known: &[] }
    }

    /// Makes the lookup optional, so that unknown names are not reported.
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// The role of a reference in hierarchies and inheritance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// No special role.
    #[default]
    None,
    /// The reference names a parent of the type.
    Parent,
    /// The reference names the type that defines the entity.
    Definition,
    /// The reference names an entity that supplies every keyname that is not given.
    Copy,
}

/// How a field inherits from a parent type or from the type that defines the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inherit {
    /// A new value replaces the inherited one.
    Overwrite,
    /// A new value must equal the inherited one.
    Fixed,
    /// A new value must be within the inherited one.
    Within,
    /// New names replace the inherited names. Each new name must be an inherited name or that of a type derived from an
    /// inherited one.
    Narrow,
    /// New values are added to the inherited ones.
    Accumulate,
    /// New members are added; a member with an inherited name is completed from the inherited one.
    Refine,
    /// New members are added; a member with an inherited name replaces the inherited one as a whole.
    Replace,
    /// New members are added; a member with an inherited name is an error.
    Extend,
}

/// How the members of a field with assignments relate to the members in the definition.
#[derive(Clone, Copy, Debug)]
pub struct AssignmentSpec {
    /// How undeclared members are treated.
    pub undeclared: Undeclared,
    /// The field of the definition, if its name differs.
    pub field: Option<&'static str>,
    /// The term for a member, for fields of values: `property`.
    pub title: &'static str,
    /// An additional field of the definition whose members can be assigned here too.
    pub also: Option<&'static str>,
}

/// The treatment of members that the definition does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// Undeclared members are errors.
    Error,
    /// Undeclared members cause a warning.
    Warning,
    /// Undeclared members are allowed.
    Allowed,
}
