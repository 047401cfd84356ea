//! Static descriptions of entities: what the derive macro makes of a struct's annotations.
//!
//! A description is all that a phase knows of an entity. The same tables answer every other question about the
//! grammar: which keynames are near a misspelt one, what a keyname means, since which version it exists.

use super::{LanguageVersion, Parameter, Word};
use crate::ard::Node;
use crate::diagnostic::Rule;
use crate::diagnostic::suggest::nearest;
use crate::phase::read::Reader;

/// A kind of entity.
#[derive(Debug)]
pub struct EntityDescription {
    /// The name of the struct, such as `NodeType`.
    pub name: &'static str,
    /// What authors call it, such as `node type`.
    pub title: &'static str,
    /// Its documentation, in Markdown.
    pub docs: &'static str,
    /// The section of the standard that defines it; empty if none does.
    pub spec: &'static str,
    /// Its fields, in the order of the struct.
    pub fields: &'static [FieldDescription],
    /// Whether it is written as a list of its fields, in their order.
    pub tuple: bool,
    /// Its keynames that exclude or need each other.
    pub relations: &'static [Relation],
}

/// A relation between keynames of an entity.
#[derive(Debug)]
pub struct Relation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The indices of the fields. A problem is reported at the first of them.
    pub fields: &'static [usize],
    /// The versions in which the relation holds.
    pub versions: Versions,
    /// Whether inherited values count.
    pub inherited: bool,
    /// The rule that an entity breaks if the relation does not hold.
    pub rule: &'static Rule,
    /// The remedy, if it is more specific than to add or remove a keyname.
    pub help: Option<&'static str>,
}

/// How keynames exclude or need each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// Exactly one of them must be given.
    OneOf,
    /// At least one of them must be given.
    AnyOf,
    /// At most one of them may be given.
    AtMostOne,
    /// The first needs all others.
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

impl EntityDescription {
    /// The field with the given name in the struct, and its index.
    pub fn field(&self, ident: &str) -> Option<(usize, &'static FieldDescription)> {
        self.fields.iter().enumerate().find(|(_, field)| field.ident == ident)
    }

    /// The first field that fulfils a condition, and its index.
    pub fn find(&self, condition: impl Fn(&FieldDescription) -> bool) -> Option<(usize, &'static FieldDescription)> {
        self.fields.iter().enumerate().find(|(_, field)| condition(field))
    }

    /// The effect of the keynames that are given on another one, for completion.
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

    /// Whether the kind is one of types: whether its entities can have parents.
    pub fn is_type(&self) -> bool {
        self.fields.iter().any(|field| field.role == Role::Parent)
    }

    /// The keynames of the entity in a version.
    pub fn keynames(&self, version: LanguageVersion) -> impl Iterator<Item = &'static str> {
        let is_known = move |keyname: &&Keyname| keyname.versions.contains(version) && keyname.is_written();
        self.fields.iter().flat_map(|field| field.keynames).filter(is_known).map(|keyname| keyname.name)
    }

    /// Whether it can be written as a map in a version, rather than only in a short form or as a list of its fields.
    pub fn is_map(&self, version: LanguageVersion) -> bool {
        let is_key = |keyname: &Keyname| keyname.name != Keyname::NONE && keyname.is_read_in(version);
        self.fields.iter().flat_map(|field| field.keynames).any(is_key)
    }

    /// The fields in a version of which it is a list, for entities that are written so: `[ node template, capability ]`.
    pub fn items(&self, version: LanguageVersion) -> impl Iterator<Item = (usize, &'static FieldDescription)> {
        let fields = self.fields.iter().enumerate().filter(|_| self.tuple);
        fields.filter(move |(_, field)| field.exists_in(version))
    }

    /// How an entity is written that has no keynames, for messages: `[ node template, capability ]` in code, or the
    /// short forms.
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

    /// The keyname of a version that a misspelled key probably means, including keys that resemble those of other versions.
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

    /// The key of a map of keynames that was probably meant to be the given one.
    pub fn misspelt<'n>(&self, node: Node<'n>, keyname: &str, version: LanguageVersion) -> Option<Node<'n>> {
        let is_meant = |key: &Node<'_>| {
            let is_unknown = self.keynames(version).all(|known| known != key.text());
            is_unknown && self.meant(key.text(), version) == Some(keyname)
        };
        node.entries().map(|entry| entry.key).find(is_meant)
    }

    /// What authors call what the entity is about: `property` for a `property definition`.
    pub fn noun(&self) -> &'static str {
        let title = self.title;
        title.strip_suffix(" definition").or_else(|| title.strip_suffix(" assignment")).unwrap_or(title)
    }

    /// The title with its article: `a node type`, `an interface type`.
    pub fn with_article(&self) -> String {
        with_article(self.title)
    }
}

/// A title with its article: `a node type`, `an interface type`, `a usage`.
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
    /// What may stand there besides; for a list of entities, in the place of one of them.
    pub also: Option<Form>,
    /// Whether a null is a value of the field.
    pub nullable: bool,
    /// When it must be given.
    pub mandatory: Option<Mandatory>,
    /// What an absent value means, as it would be written.
    pub default: Option<&'static str>,
    /// Which short forms stand for this field.
    pub short: Short,
    /// For a field of entities: the field of these that a short form stands for here, instead of their own choice; a
    /// map is then never one.
    pub members_short: Option<&'static str>,
    /// Whether it is read before the fields that are not early; early ones are read in the order of the struct.
    pub early: bool,
    /// Whether named entities stand in a list of maps with one entry each, rather than in a map.
    pub sequenced: bool,
    /// The versions in which what should stand in such a list may also stand in a map, with a warning.
    pub map_too: Option<Versions>,
    /// The versions in which what should stand in a map may also stand in such a list.
    pub list_too: Option<Versions>,
    /// Whether a key may also be a list, which says more than a name does.
    pub list_keys: bool,
    /// The versions in which what could be the only item of a list may stand without the list.
    pub one_too: Option<Versions>,
    /// For a value: as which entity it is read besides.
    pub read_as: Option<ReadAs>,
    /// The section of names in which its entities are declared.
    pub section: Option<Section>,
    /// Whether these names are known only within the entity, where they hide others of the section.
    pub scoped: bool,
    /// Where the names that it holds are looked up.
    pub lookup: Option<Lookup>,
    /// What the reference means for hierarchies and inheritance.
    pub role: Role,
    /// How it is inherited.
    pub inherit: Option<Inherit>,
    /// The versions in which members can only be refined, not added.
    pub closed: Option<Versions>,
    /// Whether the members are assignments to the members of the same name that the entity's definition has.
    pub assigns: Option<Assigns>,
    /// The versions in which functions can be called in its values.
    pub value: Option<Versions>,
    /// The kind of argument that such a value is, if it is not any value.
    pub argument: Option<Parameter>,
}

impl Keyname {
    /// The name that stands for every key that is not a keyname.
    pub const ANY: &'static str = "*";

    /// The name that says that there is none: only a short form gives such a field.
    pub const NONE: &'static str = "";

    /// Whether it is a key that can be written.
    pub fn is_written(&self) -> bool {
        self.name != Self::ANY && self.name != Self::NONE
    }

    /// Whether it is read in a version, with or without a warning.
    pub const fn is_read_in(&self, version: LanguageVersion) -> bool {
        self.versions.contains(version) || matches!(self.tolerated, Some(versions) if versions.contains(version))
    }
}

impl FieldDescription {
    /// The section in which the entities of the field are known to the whole unit.
    pub(crate) fn declares(&self) -> Option<Section> {
        self.section.filter(|_| !self.scoped)
    }

    /// Whether other entities are read into the field.
    pub fn holds_entities(&self) -> bool {
        matches!(self.shape, Shape::One(_) | Shape::List(_) | Shape::Named(_) | Shape::Sequence(_))
    }

    /// The entities that stand there in a version, if there are some.
    pub fn entity(&self, version: LanguageVersion) -> Option<&'static EntityDescription> {
        let read_as = || self.read_as.filter(|read_as| read_as.versions.contains(version));
        self.shape.entity().or_else(|| Some((read_as()?.entity)()))
    }

    /// What the field is called in messages: its keyname, or what it is if it has none.
    pub fn title(&self, version: LanguageVersion) -> String {
        match self.keyname(version) {
            Keyname::NONE => format!("the {}", self.words()),
            keyname => format!("`{keyname}`"),
        }
    }

    /// The name of the field as words: `node template`.
    pub fn words(&self) -> String {
        self.ident.replace('_', " ")
    }

    /// The keyname of the field in a version; the nearest one if the version has none.
    pub fn keyname(&self, version: LanguageVersion) -> &'static str {
        let names = self.keynames;
        names
            .iter()
            .find(|keyname| keyname.versions.contains(version))
            .or(names.last())
            .map_or("", |keyname| keyname.name)
    }

    /// Whether it has to be given in a version, or inherited.
    pub fn is_mandatory(&self, version: LanguageVersion) -> bool {
        self.mandatory.is_some_and(|mandatory| mandatory.versions.contains(version))
    }

    /// Whether a single item may stand in place of a list, in a version.
    pub fn takes_one(&self, version: LanguageVersion) -> bool {
        self.one_too.is_some_and(|versions| versions.contains(version))
    }

    /// Whether named entities may stand in a list of maps with one entry each, in a version.
    pub fn takes_list(&self, version: LanguageVersion) -> bool {
        self.sequenced || self.list_too.is_some_and(|versions| versions.contains(version))
    }

    /// Whether the field exists in a version.
    pub fn exists_in(&self, version: LanguageVersion) -> bool {
        self.keynames.iter().any(|keyname| keyname.versions.contains(version))
    }
}

/// A spelling of a field in the source.
#[derive(Debug)]
pub struct Keyname {
    /// The key; `*` for every key that is not a keyname, nothing if only a short form gives the field.
    pub name: &'static str,
    /// The versions that have it.
    pub versions: Versions,
    /// Whether it is read, with a warning, in the other versions too.
    pub tolerated: Option<Versions>,
}

/// As which entity a value is read, too. The value stays in the source; the entity says what it looks like.
#[derive(Clone, Copy, Debug)]
pub struct ReadAs {
    /// The versions in which it has that look.
    pub versions: Versions,
    /// The kind of entity.
    pub entity: fn() -> &'static EntityDescription,
    /// Reads it, and reports what is wrong with it.
    pub read: fn(&mut Reader<'_>, Node<'_>),
}

/// A range of versions of a language, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The first.
    pub since: LanguageVersion,
    /// The last.
    pub until: LanguageVersion,
}

impl Versions {
    /// Every version.
    pub const ALL: Self = Self { since: LanguageVersion::FIRST, until: LanguageVersion::LAST };

    /// No version.
    pub const NONE: Self = Self { since: LanguageVersion::LAST, until: LanguageVersion::FIRST };

    /// Whether a version is in the range.
    pub const fn contains(self, version: LanguageVersion) -> bool {
        self.since.0 <= version.0 && version.0 <= self.until.0
    }
}

/// When a field must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mandatory {
    /// The versions in which it must be given.
    pub versions: Versions,
    /// Whether an inherited value will do: then the inheritance phase checks it, else the reading phase does.
    pub inheritable: bool,
}

/// Which short forms of an entity stand for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Short {
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
    /// A scalar, or another value without names and entities: what it is called, such as `string`, and its form.
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
    /// The entities that stand there, if there are some.
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

/// The form of a value without names and entities, as far as it can be told from outside. What it means, and all that
/// is wrong with it, whoever reads it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Anything.
    Any,
    /// Nothing.
    Null,
    /// `true` or `false`.
    Boolean,
    /// An integer that is not negative.
    Count,
    /// Text.
    String,
    /// Text that matches a regular expression; numbers are taken for text.
    Pattern(&'static str),
    /// A certain text.
    Word(&'static str),
    /// One of several words.
    Words {
        /// The words.
        words: &'static [Word],
        /// Whether they may be written in capitals.
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

/// Where names are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// The sections, in order; the first that has the name wins.
    pub sections: &'static [Section],
    /// Further sections, in which the language does not look, but whose names are accepted.
    pub accepted: &'static [Section],
    /// Whether a name that none of them has is left to a later phase.
    pub optional: bool,
    /// Names that stand for something that no source declares.
    pub known: &'static [&'static str],
}

impl Lookup {
    /// A lookup in some sections.
    pub const fn of(sections: &'static [Section]) -> Self {
        Self { sections, accepted: &[], optional: false, known: &[] }
    }

    /// The same, for names that need not be found.
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// What a reference means for hierarchies and inheritance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// Nothing.
    #[default]
    None,
    /// It names a parent of the type.
    Parent,
    /// It names the type that defines the entity.
    Definition,
    /// It names an entity from which all keynames are taken that are not given.
    Copy,
}

/// How a field of a parent type, or of the type that defines an entity, reaches the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inherit {
    /// A value of one's own replaces the inherited one.
    Overwrite,
    /// A value of one's own replaces the inherited one, which it must equal.
    Fixed,
    /// A value of one's own replaces the inherited one, within which it must lie.
    Within,
    /// Names of one's own replace the inherited ones, and must each be one of them or be derived from one.
    Narrow,
    /// One's own values are added to the inherited ones.
    Accumulate,
    /// Members of one's own are added; one that is inherited too is completed from the inherited one.
    Refine,
    /// Members of one's own are added; one of the same name replaces the inherited one as a whole.
    Replace,
    /// Members of one's own are added; one that is inherited must not be given again.
    Extend,
}

/// How the members of an assigning field relate to the definition's members of the same field.
#[derive(Clone, Copy, Debug)]
pub struct Assigns {
    /// What becomes of a member that the definition does not have.
    pub undeclared: Undeclared,
    /// The field of the definition, if it is not called the same.
    pub field: Option<&'static str>,
    /// What a member is called, for fields of values: `property`.
    pub title: &'static str,
    /// Another field of the definition, the members of which can be assigned here too.
    pub also: Option<&'static str>,
}

/// What becomes of a member that the definition does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// It is an error.
    Error,
    /// It is a warning.
    Warning,
    /// It is allowed.
    Allowed,
}
