//! Static descriptions of entities, which the derive macro generates from the annotations of a struct.
//!
//! A description is everything that a phase knows about an entity. The same tables answer every other question about
//! the grammar: which keynames are similar to a misspelled one, what a keyname means, and since which version it
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
    /// The section of the standard that defines it; empty if none does.
    pub spec: &'static str,
    /// Its fields, in the order of the struct.
    pub fields: &'static [FieldDescription],
    /// Whether it is written as a list of its fields, in order.
    pub tuple: bool,
    /// The relations between its keynames.
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
    /// Whether inherited values count.
    pub inherited: bool,
    /// The rule that an entity violates if the relation does not hold.
    pub rule: &'static Rule,
    /// The help, if it is more specific than adding or removing a keyname.
    pub help: Option<&'static str>,
}

/// The kind of a relation between keynames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// Exactly one of them must be given.
    OneOf,
    /// At least one of them must be given.
    AnyOf,
    /// At most one of them may be given.
    AtMostOne,
    /// The first requires all others.
    Needs,
}

/// The effect of given keynames on another keyname of the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Related {
    /// It can't be added.
    Excluded,
    /// It, or an alternative, must be added.
    Needed,
}

/// A field of an entity, named in code by [`field_key!`](crate::field_key).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldKey {
    entity: &'static str,
    ident: &'static str,
}

impl FieldKey {
    /// Use [`field_key!`](crate::field_key), which checks the names.
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
    /// Returns the field with the given name in the struct, and its index.
    pub fn field(&self, ident: &str) -> Option<(usize, &'static FieldDescription)> {
        self.fields.iter().enumerate().find(|(_, field)| field.ident == ident)
    }

    /// Returns the first field that satisfies a predicate, and its index.
    pub fn find(&self, condition: impl Fn(&FieldDescription) -> bool) -> Option<(usize, &'static FieldDescription)> {
        self.fields.iter().enumerate().find(|(_, field)| condition(field))
    }

    /// Returns the effect of the given keynames on another one, for completion.
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

    /// Returns whether the kind is a kind of types, so that its entities can have parents.
    pub fn is_type(&self) -> bool {
        self.fields.iter().any(|field| field.role == Role::Parent)
    }

    /// Returns the keynames of the entity in a version.
    pub fn keynames(&self, version: LanguageVersion) -> impl Iterator<Item = &'static str> {
        let is_known = move |keyname: &&Keyname| keyname.versions.contains(version) && keyname.is_written();
        self.fields.iter().flat_map(|field| field.keynames).filter(is_known).map(|keyname| keyname.name)
    }

    /// Returns whether it can be written as a map in a version, and not only in a short form or as a list of its
    /// fields.
    pub fn is_map(&self, version: LanguageVersion) -> bool {
        let is_key = |keyname: &Keyname| keyname.name != Keyname::NONE && keyname.is_read_in(version);
        self.fields.iter().flat_map(|field| field.keynames).any(is_key)
    }

    /// Returns the list items in a version, for entities that are written as a list: `[ node template, capability ]`.
    pub fn items(&self, version: LanguageVersion) -> impl Iterator<Item = (usize, &'static FieldDescription)> {
        let fields = self.fields.iter().enumerate().filter(|_| self.tuple);
        fields.filter(move |(_, field)| field.exists_in(version))
    }

    /// Returns the notation of an entity without keynames, for messages: `[ node template, capability ]` in code, or
    /// the short forms.
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

    /// Returns the keyname of a version that a misspelled key probably means, including keys that resemble those of
    /// other versions.
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

    /// Returns the key of a map that was probably meant to be a given keyname.
    pub fn misspelt<'n>(&self, node: Node<'n>, keyname: &str, version: LanguageVersion) -> Option<Node<'n>> {
        let is_meant = |key: &Node<'_>| {
            let is_unknown = self.keynames(version).all(|known| known != key.text());
            is_unknown && self.meant(key.text(), version) == Some(keyname)
        };
        node.entries().map(|entry| entry.key).find(is_meant)
    }

    /// Returns the term for the subject of the entity: `property` for a `property definition`.
    pub fn noun(&self) -> &'static str {
        let title = self.title;
        title.strip_suffix(" definition").or_else(|| title.strip_suffix(" assignment")).unwrap_or(title)
    }

    /// Returns the title with its article: `a node type`, `an interface type`.
    pub fn with_article(&self) -> String {
        with_article(self.title)
    }
}

/// Returns a title with its article: `a node type`, `an interface type`, `a usage`.
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
    /// The keynames that it is read from, one for each range of versions; empty for a field that is not read.
    pub keynames: &'static [Keyname],
    /// The shape of its value in the source.
    pub shape: Shape,
    /// Another form that the value may have; for a list of entities, another form of an item.
    pub also: Option<Form>,
    /// Whether a null is a value of the field.
    pub nullable: bool,
    /// When the field is mandatory.
    pub mandatory: Option<Mandatory>,
    /// The meaning of an absent value, in the notation of the source.
    pub default: Option<&'static str>,
    /// The short forms of the entity that give a value for this field.
    pub short: ShortForms,
    /// For a field of entities: the field that a short form sets, instead of the one that the entity declares. A map is
    /// then never a short form.
    pub members_short: Option<&'static str>,
    /// Whether it is read before the other fields; early fields are read in the order of the struct.
    pub early: bool,
    /// Whether named entities are written as a list of maps with one entry each, rather than as a map.
    pub sequenced: bool,
    /// The versions in which such a list may also be written as a map, with a warning.
    pub map_too: Option<Versions>,
    /// The versions in which a map may also be written as such a list.
    pub list_too: Option<Versions>,
    /// Whether a key may also be a list, which contains more than a name.
    pub list_keys: bool,
    /// The versions in which a single item may be written without the list.
    pub one_too: Option<Versions>,
    /// For a value: the entity that it is also read as.
    pub read_as: Option<ReadAs>,
    /// The section of names in which its entities are declared.
    pub section: Option<Section>,
    /// Whether these names are known only within the entity, where they shadow other names of the section.
    pub scoped: bool,
    /// The sections in which its names are looked up.
    pub lookup: Option<Lookup>,
    /// The role of its references in hierarchies and inheritance.
    pub role: Role,
    /// The rule of inheritance.
    pub inherit: Option<Inherit>,
    /// The versions in which members can only be refined, not added.
    pub closed: Option<Versions>,
    /// Whether the members assign to the members of the same name in the entity's definition.
    pub assigns: Option<AssignmentSpec>,
    /// The versions in which functions can be called in its values.
    pub value: Option<Versions>,
    /// The kind of argument that such a value is, if it is not any value.
    pub argument: Option<Parameter>,
}

impl Keyname {
    /// The name for every key that is not a keyname.
    pub const ANY: &'static str = "*";

    /// The name for a field without a keyname, which only a short form can set.
    pub const NONE: &'static str = "";

    /// Returns whether it is a key that can be written.
    pub fn is_written(&self) -> bool {
        self.name != Self::ANY && self.name != Self::NONE
    }

    /// Returns whether it is read in a version, with or without a warning.
    pub const fn is_read_in(&self, version: LanguageVersion) -> bool {
        self.versions.contains(version) || matches!(self.tolerated, Some(versions) if versions.contains(version))
    }
}

impl FieldDescription {
    /// Returns the section in which the entities of the field are known to the whole unit.
    pub(crate) fn declares(&self) -> Option<Section> {
        self.section.filter(|_| !self.scoped)
    }

    /// Returns whether other entities are read into the field.
    pub fn holds_entities(&self) -> bool {
        matches!(self.shape, Shape::One(_) | Shape::List(_) | Shape::Named(_) | Shape::Sequence(_))
    }

    /// Returns the entity in the field in a version, if there is one.
    pub fn entity(&self, version: LanguageVersion) -> Option<&'static EntityDescription> {
        let read_as = || self.read_as.filter(|read_as| read_as.versions.contains(version));
        self.shape.entity().or_else(|| Some((read_as()?.entity)()))
    }

    /// Returns the term for the field in messages: its keyname, or the words of its name if it has none.
    pub fn title(&self, version: LanguageVersion) -> String {
        match self.keyname(version) {
            Keyname::NONE => format!("the {}", self.words()),
            keyname => format!("`{keyname}`"),
        }
    }

    /// Returns the name of the field as words: `node template`.
    pub fn words(&self) -> String {
        self.ident.replace('_', " ")
    }

    /// Returns the keyname of the field in a version; the nearest one if the version has none.
    pub fn keyname(&self, version: LanguageVersion) -> &'static str {
        let names = self.keynames;
        names
            .iter()
            .find(|keyname| keyname.versions.contains(version))
            .or(names.last())
            .map_or("", |keyname| keyname.name)
    }

    /// Returns whether it must be given in a version, or inherited.
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

/// A spelling of a field in the source.
#[derive(Debug)]
pub struct Keyname {
    /// The key; `*` for every key that is not a keyname, empty if only a short form sets the field.
    pub name: &'static str,
    /// The versions that have it.
    pub versions: Versions,
    /// The other versions in which it is read, with a warning.
    pub tolerated: Option<Versions>,
}

/// The entity that a value is also read as. The value stays in the source; the entity describes its form.
#[derive(Clone, Copy, Debug)]
pub struct ReadAs {
    /// The versions in which the value is read as the entity.
    pub versions: Versions,
    /// The kind of entity.
    pub entity: fn() -> &'static EntityDescription,
    /// Reads it, and reports its problems.
    pub read: fn(&mut Reader<'_>, Node<'_>),
}

/// A range of versions of a language, both ends included.
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
    /// The versions in which it must be given.
    pub versions: Versions,
    /// Whether an inherited value is enough: then the inheritance phase checks it, else the read phase.
    pub inheritable: bool,
}

/// The short forms of an entity that give a value for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ShortForms {
    /// A bare scalar.
    pub scalar: bool,
    /// A bare list.
    pub list: bool,
    /// A map that is not a map of the entity's keynames.
    pub map: bool,
}

/// The shape of a field's value in the source.
#[derive(Clone, Copy)]
pub enum Shape {
    /// A scalar, or another value without names and entities: the term for it, such as `string`, and its form.
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
    /// Named entities, each name once.
    Named(fn() -> &'static EntityDescription),
    /// Named entities in order, names may repeat.
    Sequence(fn() -> &'static EntityDescription),
}

impl Shape {
    /// Returns the entity in the field, if there is one.
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

/// The form of a value without names and entities, as far as it can be described. Its meaning, and further
/// restrictions, are up to the code that reads it.
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
    /// A certain string.
    Constant(&'static str),
    /// An enum value.
    Enumerated {
        /// The allowed values.
        values: &'static [EnumValue],
        /// Whether they are case-insensitive.
        any_case: bool,
    },
    /// A list.
    List(&'static Form),
    /// One of several forms.
    Either(&'static [Form]),
}

/// A section of names; the language lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section(pub u8);

/// The sections in which names are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// The sections, in order; the first that has the name wins.
    pub sections: &'static [Section],
    /// Further sections whose names are accepted although the language does not look there.
    pub accepted: &'static [Section],
    /// Whether an unknown name is left to a later phase.
    pub optional: bool,
    /// Names that are known without a declaration in any source.
    pub known: &'static [&'static str],
}

impl Lookup {
    /// Returns a lookup in some sections.
    pub const fn of(sections: &'static [Section]) -> Self {
        Self { sections, accepted: &[], optional: false, known: &[] }
    }

    /// Returns a lookup for names that need not be found.
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
    /// It names a parent of the type.
    Parent,
    /// It names the type that defines the entity.
    Definition,
    /// It names an entity that supplies every keyname that is not given.
    Copy,
}

/// How a field inherits from a parent type, or from the type that defines the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inherit {
    /// A new value replaces the inherited one.
    Overwrite,
    /// A new value must equal the inherited one.
    Fixed,
    /// A new value must be within the inherited one.
    Within,
    /// New names replace the inherited ones, and each must be, or be derived from, one of them.
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

/// How the members of an assigning field relate to the members of the same field in the definition.
#[derive(Clone, Copy, Debug)]
pub struct AssignmentSpec {
    /// How undeclared members are treated.
    pub undeclared: Undeclared,
    /// The field of the definition, if it has another name.
    pub field: Option<&'static str>,
    /// The term for a member, for fields of values: `property`.
    pub title: &'static str,
    /// Another field of the definition whose members can be assigned here too.
    pub also: Option<&'static str>,
}

/// The treatment of members that the definition does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// As an error.
    Error,
    /// With a warning.
    Warning,
    /// Allowed.
    Allowed,
}
