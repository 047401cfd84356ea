//! What the engine must know of a language as a whole.

use std::marker::PhantomData;

use super::arena::{AnySlots, slots};
use super::checks;
use super::{
    Advice, AnyCheck, AnyId, Asked, Described, Entity, EntityDescription, Functions, Id, Keyname, Kind,
    LanguageVersion, Position, Quirk, QuirkDescription, QuirkSet, Recognition, Role, Section, Versions,
};
use crate::ard::{Dialect, Document, Node, NodeId};
use crate::diagnostic::{Diagnostic, Explained, Rule, Span};
use crate::phase::inheritance::{Complete, Completion, Contest, Giver, Winner, first_parent};
use crate::phase::read::Reader;
use crate::phase::rendering::Assignment;
use crate::phase::{Context, Lint, Program};
use crate::rules;
#[cfg(feature = "archive")]
use crate::source::archive::Layout;
use crate::source::{Finder, Library, Nowhere};

/// A language: its versions, its kinds of entities, its sections of names, and what else sets it apart.
///
/// It is a static that a parser is given with [`Parser::builder`](crate::Parser::builder). Everything but the kinds has
/// a default, which [`new`](Self::new) gives:
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::entity::{Language, Members, Text};
/// use tosca_parse::{Entity, Entry, Parser};
///
/// /// A list of errands.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "list")]
/// struct List {
///     /// What is to be done.
///     errands: Members<Errand>,
/// }
///
/// /// Something to be done.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "errand")]
/// struct Errand {
///     /// Where it is done.
///     #[field(mandatory, short(scalar))]
///     place: Option<Text>,
/// }
///
/// tosca_parse::kinds! { static KINDS = [List, Errand]; }
/// static ERRANDS: Language = Language::new("Errands", KINDS);
///
/// let parser = Parser::builder(&ERRANDS).build()?;
/// let outcome = parser.parse_entry(Entry::text(parser.address("today.yaml")?, "errands: { letter: { plase: post } }"));
/// assert_eq!(outcome.diagnostics[0].message, "`plase` is not a keyname of errand `letter`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Whether the descriptions of its entities fit together can be checked with [`check`](Self::check), which is what a
/// test is for.
pub struct Language {
    /// The name, such as `MuranoPL`.
    pub name: &'static str,
    /// The versions, in the order of their numbers; none if there is only one, which needs no name.
    pub versions: &'static [VersionDescription],
    /// The kinds of entities, in the order of their numbers.
    pub kinds: &'static [&'static dyn AnyKind],
    /// The sections of names, in the order of their numbers.
    pub sections: &'static [SectionDescription],
    /// The kinds that a whole source can be, as [`recognise`](Self::recognise) says; the first kind by default.
    pub roots: &'static [Kind],
    /// The keynames of the root that hold what the source itself is about, which importing it does not bring.
    pub services: &'static [&'static str],
    /// What is put up with.
    pub leniency: Leniency,
    /// How its YAML is read.
    pub yaml: Dialect,
    /// Whether a source is written in the language, by its name and its text. It is asked only where a parser speaks
    /// several languages. What none claims is taken for the language of whoever imports it, and an entry for the
    /// parser's first one.
    pub claims: fn(&str, &str) -> bool,
    /// Finds out which version a source is written in, and what it is.
    /// For sources that do not say their version there is that of the source that imports them, if one does.
    pub recognise: fn(&Document, Recognition<'_>) -> Recognised,
    /// By which rule a key is reported that is no keyname, and is left alone.
    pub unknown_keyname: &'static Rule,
    /// The quirks that its users can ask for, those of the engine among them.
    pub quirks: &'static [QuirkDescription],
    /// Quirks that belong together.
    pub quirk_sets: &'static [QuirkSet],
    /// Keynames that others have added to entities of some kinds, which a quirk ignores.
    pub vendor_keynames: &'static [(Kind, &'static str)],
    /// The section about an entity in the standard of a version: empty if only the standard is known, `None` if there is no
    /// standard.
    pub spec_section: fn(LanguageVersion, &EntityDescription) -> Option<&'static str>,
    /// The name and the version that a source gives itself, by its text: an import may name both, as `name:version`.
    pub release: fn(&str) -> Option<(String, String)>,
    /// Names that other languages have for what the language declares under another name: `int` for `integer`.
    pub synonyms: &'static [(&'static str, &'static str)],
    /// Keynames for strings that a quirk lets be given by a function.
    pub computed_keynames: &'static [(Kind, &'static str)],
    /// The keynames of defaults, which a quirk lets be null.
    pub defaults: &'static [&'static str],
    /// The name under which a member of a kind is kept, where the language lets authors call it by another one.
    pub member_name: fn(Kind, LanguageVersion, &str) -> Option<&'static str>,
    /// The full form of a name that stands at a node, where authors may write a shorter one (`prefix:Name`). Nothing if
    /// it is no name, which the function has reported.
    pub qualify: Option<Qualify>,
    /// What finds the sources of names: profiles that are imported by name, and things of
    /// [sections whose names are found](SectionDescription::found).
    pub finder: fn(&Library) -> Box<dyn Finder>,
    /// The profiles that come with the language.
    pub profiles: &'static [BuiltInProfile],
    /// How imports put units together to one; `None` if every unit stays by itself, and has the names that it declares
    /// and imports.
    pub merging: Option<Merging>,
    /// How an item of the list of imports is written that imports a profile by its name, where a source may do so.
    pub profile_import: Option<fn(&str) -> String>,
    /// The units that every source of a version imports without saying so.
    pub implicit: fn(LanguageVersion) -> &'static [ImplicitUnit],
    /// Groups of further implicit units, for sources that ask for one with the word for their version. Names of a group
    /// win over those of the version.
    pub extensions: &'static [&'static [ImplicitUnit]],
    /// How its archives are laid out.
    #[cfg(feature = "archive")]
    pub archives: &'static Layout,
    /// Which parent's member wins where a type has several parents and more than one of them has a member of a name:
    /// [`first_parent`], [`most_derived`](crate::phase::inheritance::most_derived), or a rule of the language's own.
    pub winner: fn(&Contest<'_>) -> Winner,
    /// Checks a value that nothing describes: it is assigned to an undeclared member, or the type is unknown. The identifier
    /// is that of the entity that assigns it.
    pub check_undescribed: fn(&mut Context<'_>, AnyId, Position),
    /// The functions that can be called in values in a version.
    pub functions: fn(LanguageVersion) -> Option<&'static Functions>,
    /// What could be written where a value stands, and what the word there stands for: for editors.
    pub advise: fn(&Asked<'_>) -> Advice,
    /// What the entry of a valid program does not say, but what will be: short texts, each with the place that they are
    /// about, in the order of places. For editors.
    pub hints: fn(&Program<Complete>) -> Vec<(Span, String)>,
    /// Tables of rules: those by which its entities report problems, and additions to the explanations of [those of the
    /// engine](crate::rules::EXPLAINED), such as examples.
    pub rules: &'static [&'static [Explained]],
    /// What is looked for besides, if somebody asks for it.
    pub lints: &'static [&'static dyn Lint],
}

impl Language {
    /// A language with one version, without sections of names, whose sources are entities of the first kind.
    pub const fn new(name: &'static str, kinds: &'static [&'static dyn AnyKind]) -> Self {
        Self {
            name,
            versions: &[],
            kinds,
            sections: &[],
            roots: &[Kind(0)],
            services: &[],
            leniency: Leniency::NONE,
            yaml: Dialect::CORE,
            claims: |_, _| false,
            recognise: |_, _| Recognised::version(LanguageVersion::FIRST),
            unknown_keyname: &rules::UNKNOWN_KEYNAME,
            quirks: &[],
            quirk_sets: &[],
            vendor_keynames: &[],
            synonyms: &[],
            computed_keynames: &[],
            release: |_| None,
            spec_section: |_, entity| (!entity.spec.is_empty()).then_some(entity.spec),
            defaults: &[],
            member_name: |_, _, _| None,
            qualify: None,
            finder: |_| Box::new(Nowhere),
            profiles: &[],
            merging: None,
            profile_import: None,
            implicit: |_| &[],
            extensions: &[],
            #[cfg(feature = "archive")]
            archives: &Layout::PLAIN,
            winner: first_parent,
            check_undescribed: |_, _, _| {},
            functions: |_| None,
            advise: |_| Advice::default(),
            hints: |_| Vec::new(),
            rules: &[],
            lints: &[],
        }
    }
}

/// How imports merge the units of a program: every unit sees the names of all, and the templates of all are rendered.
/// The language checks whether several units may declare a name. References stand for the nearest declaration.
#[derive(Clone, Copy, Debug)]
pub struct Merging {
    /// The separator of the prefix of an import and a name.
    pub separator: &'static str,
    /// Whether a name has no prefix, whichever import brings it.
    pub is_global: fn(&str) -> bool,
}

/// What makes the full form of a name: see [`Language::qualify`].
pub type Qualify = fn(&mut Reader<'_>, Section, Node<'_>) -> Option<String>;

/// In which versions of a language is put up with what it does not allow, mostly with a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leniency {
    /// A null stands for an empty map of keynames.
    pub null_is_empty: Versions,
    /// A keyname with a null is as good as one that is not given, unless null is a value there.
    pub null_is_absent: Versions,
    /// Named entities that stand in a list of maps with one entry each may stand in a map as well, for fields that
    /// allow it at all.
    pub maps_are_lists: Versions,
    /// Authors use what a later one among these versions introduced: keynames of later ones are read.
    pub mixed: Versions,
    /// Booleans may be spelt in the manner of YAML 1.1 (`yes`, `on`).
    pub yaml_1_1_booleans: Versions,
    /// The tag `!!timestamp` of YAML 1.1 may say of a text that it is one.
    pub timestamp_tags: Versions,
}

impl Leniency {
    /// Nothing is put up with.
    pub const NONE: Self = Self {
        null_is_empty: Versions::NONE,
        null_is_absent: Versions::NONE,
        maps_are_lists: Versions::NONE,
        mixed: Versions::NONE,
        yaml_1_1_booleans: Versions::NONE,
        timestamp_tags: Versions::NONE,
    };
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Language {
    /// The separator of prefixes and names.
    pub fn separator(&self) -> &'static str {
        self.merging.map_or(":", |merging| merging.separator)
    }

    /// Whether its users can ask for a quirk.
    pub(crate) fn has_quirk(&self, quirk: Quirk) -> bool {
        self.quirks.iter().any(|description| description.quirk == quirk)
    }

    /// What authors call a version, such as `MuranoPL 1.2`.
    pub fn version_title(&self, version: LanguageVersion) -> &'static str {
        let alone = if self.versions.is_empty() { self.name } else { "this version" };
        self.versions.get(usize::from(version.0)).map_or(alone, |version| version.title)
    }

    /// Whether a keyname was only introduced by a later version, but is used in this one as well.
    pub(crate) fn is_early(&self, version: LanguageVersion, keyname: &Keyname) -> bool {
        let (mixed, since) = (self.leniency.mixed, keyname.versions.since);
        since > version && mixed.contains(version) && mixed.contains(since)
    }

    /// The rules of the engine and of the language, with what the language adds to the explanations of the former, in the
    /// order of the codes.
    pub fn explained(&self) -> Vec<Explained> {
        rules::explained(self.rules.iter().copied())
    }

    /// The text of a profile or an implicit unit that comes with the language, by its address.
    pub fn built_in_text(&self, address: &str) -> Option<&'static str> {
        let profiles = self.profiles.iter().map(|profile| (profile.address, profile.text));
        let versions = (0..self.versions.len()).map(|number| LanguageVersion(number as u8));
        let extensions = self.extensions.iter().copied().flatten();
        let implicit = versions.flat_map(|version| (self.implicit)(version)).chain(extensions);
        let implicit = implicit.map(|unit| (unit.name, unit.text));
        profiles.chain(implicit).find(|(known, _)| *known == address).map(|(_, text)| text)
    }

    /// The kinds whose entities can have parents.
    pub fn types(&self) -> impl Iterator<Item = Kind> {
        self.kinds
            .iter()
            .enumerate()
            .filter(|(_, kind)| kind.description().is_type())
            .map(|(number, _)| Kind(number as u8))
    }
}

/// What a source is.
#[derive(Debug)]
pub struct Recognised {
    /// The version that it is written in, or seems to be, so that reading can go on.
    pub version: LanguageVersion,
    /// The kind of entity that the whole source is.
    pub root: Kind,
    /// What is wrong with how the source says so.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it is written in another language, so that nothing in it is read.
    pub is_foreign: bool,
    /// Whether the source does not say its version, so that it depends on what imports it.
    pub says_nothing: bool,
    /// The key in the root that should be the keyname of the version, which has been reported.
    pub misspelt: Option<NodeId>,
    /// The number of the group of [`Language::extensions`] that the source has besides the implicit units of its version.
    pub extension: Option<usize>,
}

impl Recognised {
    /// A source of a version, which is an entity of the language's first kind.
    pub const fn version(version: LanguageVersion) -> Self {
        Self {
            version,
            root: Kind(0),
            diagnostics: Vec::new(),
            is_foreign: false,
            says_nothing: false,
            misspelt: None,
            extension: None,
        }
    }

    /// The same, as an entity of another kind.
    #[must_use]
    pub const fn root(mut self, root: Kind) -> Self {
        self.root = root;
        self
    }

    /// The same, with problems.
    #[must_use]
    pub fn with(mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Self {
        self.diagnostics.extend(diagnostics);
        self
    }
}

/// A version of a language.
#[derive(Debug)]
pub struct VersionDescription {
    /// What authors call it.
    pub title: &'static str,
}

/// A section of names.
#[derive(Debug)]
pub struct SectionDescription {
    /// What authors call a thing of the section, such as `node type`.
    pub title: &'static str,
    /// Whether importing units see its names.
    pub exported: bool,
    /// Whether a name may be declared although an imported unit declares it too.
    pub shadows: bool,
    /// Whether naming something is as good as importing it: its source is found by the name.
    pub found: bool,
}

impl SectionDescription {
    /// The title with its article: `a node type`.
    pub fn with_article(&self) -> String {
        super::with_article(self.title)
    }
}

/// A profile that comes with a language.
#[derive(Debug)]
pub struct BuiltInProfile {
    /// The names by which it can be imported; none if it is only the copy of a published file.
    pub names: &'static [&'static str],
    /// Its address, of the scheme `builtin`, in the form that addresses are shown in.
    pub address: &'static str,
    /// Its text.
    pub text: &'static str,
    /// What [`pack`](crate::ard::pack) has made of the text, so that its YAML need not be read. Its types are not checked
    /// then: there must be nothing wrong with them, whatever else a program has. It is read if this is empty, or was made of
    /// another text.
    pub packed: &'static [u8],
    /// The published file that it replaces if that can't be read.
    pub published: Option<PublishedFile>,
}

/// A file that others publish, and that authors import by its path or URL.
#[derive(Clone, Copy, Debug)]
pub struct PublishedFile {
    /// The beginning of the URLs at which it is published, in any version.
    pub site: &'static str,
    /// The name of the file, without a version.
    pub name: &'static str,
    /// The version, such as `1.2.3`. It may occur in the URL or in the name of the file. Of several versions of a file, the
    /// first one in the list of profiles is used if no import of the program says which.
    pub version: &'static str,
}

/// A unit that is imported without saying so.
#[derive(Debug)]
pub struct ImplicitUnit {
    /// Its name, shown as its address.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// What [`pack`](crate::ard::pack) has made of the text, so that its YAML need not be read. Its types are not checked
    /// then: there must be nothing wrong with them, whatever else a program has. It is read if this is empty, or was made of
    /// another text.
    pub packed: &'static [u8],
    /// How its names stand to others.
    pub precedence: Precedence,
    /// The further names of what it declares: by which section it is in, and the name that it is declared by.
    pub further_names: fn(Section, &str) -> Vec<FurtherName>,
}

/// A further name of something that an implicit unit declares. It stands for the same thing as the declared name, but
/// gives way to anything that the unit declares by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FurtherName {
    /// The name.
    pub name: String,
    /// Whether it is wrong, strictly speaking: using it is reported then, and it is not suggested to anybody.
    pub is_tolerated: bool,
}

/// How the names of an implicit unit stand to those of other units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// No other unit may declare them.
    Reserved,
    /// Names of other units win.
    Shadowed,
    /// Names of other units win, and using one of these is reported: they belong to another version.
    Tolerated,
}

/// A kind of entity, without its type.
pub trait AnyKind: Sync {
    /// The description of the kind.
    fn description(&self) -> &'static EntityDescription;

    /// The number that entities of the kind bear.
    fn number(&self) -> Kind;

    /// An entity of the kind that says nothing.
    fn new_entity(&self) -> Box<dyn Described>;

    /// Whether entities of the kind can inherit anything.
    fn inherits(&self) -> bool;

    /// Reads a node as an entity of the kind that nothing holds.
    fn read_root(&self, reader: &mut Reader<'_>, node: crate::ard::Node<'_>) -> AnyId;

    /// Completes an entity of the kind.
    fn complete(&self, completion: &mut Completion<'_>, id: AnyId, sources: &[Giver<'_>]);

    /// Room for completed entities of the kind.
    fn new_slots(&self, count: u32) -> Box<dyn AnySlots>;

    /// The check of entities of the kind after phase 4.
    fn after_inheritance(&self) -> Option<AnyCheck>;

    /// The check against the surroundings of the unit.
    fn look_around(&self) -> Option<AnyCheck>;

    /// The rendering, if entities of the kind are templates.
    fn render(&self) -> Option<AnyCheck>;

    /// Judges a value that is assigned to what an entity of the kind defines, or the lack of one.
    fn judge(&self, context: &mut Context<'_>, id: AnyId, assignment: &Assignment);
}

/// The kind of entities of type `E`.
#[derive(Debug)]
pub struct KindOf<E>(PhantomData<fn() -> E>);

impl<E> KindOf<E> {
    /// The kind.
    pub const NEW: Self = Self(PhantomData);
}

impl<E: Entity> AnyKind for KindOf<E> {
    fn description(&self) -> &'static EntityDescription {
        E::default().description()
    }

    fn number(&self) -> Kind {
        E::KIND
    }

    fn new_entity(&self) -> Box<dyn Described> {
        Box::new(E::default())
    }

    fn inherits(&self) -> bool {
        self.description().find(|field| field.inherit.is_some() || field.role != Role::None).is_some()
    }

    fn read_root(&self, reader: &mut Reader<'_>, node: crate::ard::Node<'_>) -> AnyId {
        reader.entity::<E>(None, node, None).any()
    }

    fn complete(&self, completion: &mut Completion<'_>, id: AnyId, sources: &[Giver<'_>]) {
        completion.complete(Id::<E>::at(id.unit, id.index), sources);
    }

    fn new_slots(&self, count: u32) -> Box<dyn AnySlots> {
        slots::<E>(count)
    }

    fn after_inheritance(&self) -> Option<AnyCheck> {
        checks::after_inheritance::<E>()
    }

    fn look_around(&self) -> Option<AnyCheck> {
        checks::look_around::<E>()
    }

    fn render(&self) -> Option<AnyCheck> {
        checks::render::<E>()
    }

    fn judge(&self, context: &mut Context<'_>, id: AnyId, assignment: &Assignment) {
        checks::judge::<E>(context, id, assignment);
    }
}
