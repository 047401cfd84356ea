//! The description of a whole language.

use std::marker::PhantomData;

use super::arena::{AnySlots, slots};
use super::checks;
use super::{
    AnyCheck, AnyId, CompletionRequest, CompletionResponse, Described, Entity, EntityDescription, Functions, Id,
    InputForm, Keyname, Kind, LanguageOption, LanguageVersion, MemberNote, Model, NodeRef, Quirk, QuirkDescription,
    QuirkSet, Recognition, Role, Section, Topology, Versions,
};
use crate::ard::{Dialect, Document, Node, NodeId};
use crate::diagnostic::{Diagnostic, Rule, RuleDocs, Span};
use crate::phase::inheritance::{
    Complete, Completion, ConflictResolution, InheritanceSource, MemberConflict, first_parent,
};
use crate::phase::migration::Migrate;
use crate::phase::read::Reader;
use crate::phase::rendering::Assignment;
use crate::phase::{Context, Lint, NamedFile, Program};
use crate::rules;
#[cfg(feature = "archive")]
use crate::source::archive::Layout;
use crate::source::{Finder, FinderContext, NullFinder};

/// A language: its versions, kinds of entities, sections of names, and other characteristics.
///
/// A language is a static that is passed to [`Parser::builder`](crate::Parser::builder). Everything but the name and
/// the kinds has a default, which [`new`](Self::new) sets:
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
///     /// The errands.
///     errands: Members<Errand>,
/// }
///
/// /// An errand.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "errand")]
/// struct Errand {
///     /// The place.
///     #[field(mandatory, short(scalar))]
///     place: Option<Text>,
/// }
///
/// tosca_parse::kinds! { static KINDS = [List, Errand]; }
/// static ERRANDS: Language = Language::new("Errands", KINDS);
///
/// let parser = Parser::builder(&ERRANDS).build()?;
/// let text = "errands: { letter: { plase: post } }";
/// let outcome = parser.parse_entry(Entry::text(parser.address("today.yaml")?, text));
/// assert_eq!(outcome.diagnostics[0].message, "`plase` is not a keyname of errand `letter`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Use [`check`](Self::check) in a test to verify that the descriptions of the entities are consistent.
pub struct Language {
    /// The name, such as `MuranoPL`.
    pub name: &'static str,
    /// The versions, in the order of their numbers; empty if there is only one version, which needs no name.
    pub versions: &'static [VersionDescription],
    /// The kinds of entities, in the order of their numbers.
    pub kinds: &'static [&'static dyn AnyKind],
    /// The sections of names, in the order of their numbers.
    pub sections: &'static [SectionDescription],
    /// The possible kinds of the root entity of a source, as determined by [`detect`](Self::detect); the first kind by
    /// default.
    pub roots: &'static [Kind],
    /// The root's keynames that describe the service rather than reusable declarations. An import does not include
    /// their content.
    pub services: &'static [&'static str],
    /// The deviations from the language that are accepted.
    pub leniency: Leniency,
    /// The YAML dialect.
    pub yaml: Dialect,
    /// Returns whether a source is in this language, judging by its name and text. Only called if the parser has
    /// several languages. A source that no language claims has the language of its importer; an entry has the parser's
    /// first language.
    pub claims: fn(&str, &str) -> bool,
    /// Determines the version and the root kind of a source. A source that does not declare a version has that of its
    /// importer, if there is one.
    pub detect: fn(&Document, Recognition<'_>) -> DetectedSource,
    /// The rule for keys that are not keynames. Apart from this problem, such a key is ignored.
    pub unknown_keyname: &'static Rule,
    /// Returns help for a key that is not a keyname of the entity, if the language knows where the key belongs.
    pub misplaced_key: fn(&EntityDescription, LanguageVersion, &str) -> Option<String>,
    /// The available quirks, including those of the engine.
    pub quirks: &'static [QuirkDescription],
    /// The language options that users can set.
    pub options: &'static [LanguageOption],
    /// The sets of quirks.
    pub quirk_sets: &'static [QuirkSet],
    /// Keynames that vendors have added to entities of some kinds. A quirk makes the parser ignore them.
    pub vendor_keynames: &'static [(&'static [Kind], &'static str)],
    /// Returns the section that defines an entity in the standard for a version; an empty string if the section is
    /// unknown, `None` if there is no standard.
    pub spec_section: fn(LanguageVersion, &EntityDescription) -> Option<&'static str>,
    /// Returns the name and version that a source declares in its text. An import may refer to both, as `name:version`.
    pub release: fn(&str) -> Option<(String, String)>,
    /// Names from other languages that correspond to names declared in this language, such as `int` for `integer`.
    pub synonyms: &'static [(&'static str, &'static str)],
    /// Keynames whose values are strings, but may be function calls if a quirk is enabled.
    pub computed_keynames: &'static [(Kind, &'static str)],
    /// The keynames for default values, which may be null if a quirk is enabled.
    pub defaults: &'static [&'static str],
    /// Returns the name under which a member of a kind is stored, if the given name is an alternative for it.
    pub member_name: fn(Kind, LanguageVersion, &str) -> Option<&'static str>,
    /// Returns the full form of the name at a node, if authors may write a short form (`prefix:Name`). The function
    /// returns `None` after reporting a problem if the node is not a valid name.
    pub qualify_name: Option<Qualify>,
    /// Creates the finder that maps names to sources: names of profiles that are imported by name, and names of
    /// entities in [sections whose names are found](SectionDescription::found).
    pub finder: fn(&FinderContext) -> Box<dyn Finder>,
    /// The built-in profiles.
    pub profiles: &'static [BuiltInProfile],
    /// How imports merge units; `None` if every unit remains separate and can use only the names that it declares or
    /// imports.
    pub merging: Option<Merging>,
    /// Returns the item to write in the list of imports to import a profile by name; `None` if profiles can't be
    /// imported by name.
    pub profile_import: Option<fn(&str) -> String>,
    /// The units that every source in a version imports implicitly.
    pub implicit: fn(LanguageVersion) -> &'static [ImplicitUnit],
    /// Groups of additional implicit units. A source requests a group by the identifier of its version. The names in a
    /// group override those of the version's implicit units.
    pub extensions: &'static [&'static [ImplicitUnit]],
    /// The layout of archives.
    #[cfg(feature = "archive")]
    pub archives: &'static Layout,
    /// Decides which member wins if several parents of a type have different members with the same name:
    /// [`first_parent`], [`most_derived`](crate::phase::inheritance::most_derived), or a custom function.
    pub resolve_conflict: fn(&MemberConflict<'_>) -> ConflictResolution,
    /// Checks a value that has no definition, because it is assigned to an undeclared member or its type is unknown.
    /// Also runs for each value that may contain calls and that no check has [processed](Context::record_judged). The
    /// identifier is that of the entity that contains the value.
    pub check_undescribed: fn(&mut Context<'_>, AnyId, NodeRef),
    /// Returns the functions that values can call in a version.
    pub functions: fn(LanguageVersion) -> Option<&'static Functions>,
    /// Returns the meaning of a scalar that is the address of a file: a field with the option `file`, or an argument
    /// that is a [`Parameter::File`](super::Parameter::File). `None` if it is not a local file. The identifier is that
    /// of the entity that contains the scalar.
    pub named_file: fn(&Context<'_>, AnyId, Node<'_>) -> Option<NamedFile>,
    /// Completes a value and finds the target of the word at the position, for editors.
    pub complete_value: fn(&CompletionRequest<'_>) -> CompletionResponse,
    /// Describes a member of a definition, for editors.
    pub describe_member: fn(&Program<Complete>, AnyId) -> MemberNote,
    /// Returns whether a template, or part of a template, must assign the required members of its definition. For
    /// editors.
    pub must_assign: fn(&Program<Complete>, AnyId) -> bool,
    /// The kinds of entities that can be called, or call others, such as workflows and operations: the items of call
    /// hierarchies in editors.
    pub routines: &'static [Kind],
    /// Returns short strings with their positions that say how the open requirements (or similar parts) of the entry of
    /// a valid program are resolved, in order. For editors.
    pub hints: fn(&Program<Complete>) -> Vec<(Span, String)>,
    /// Returns the topology that the entry describes, for diagrams and plans; `None` if there is nothing to draw.
    pub topology: fn(&Program<Complete>) -> Option<Topology>,
    /// Returns the model of a valid program's entry, as data for other programs; `None` if the language has no models.
    /// An error explains why there is no model for this entry.
    pub model: for<'p> fn(&'p Program<Complete>) -> Option<Result<Model<'p>, String>>,
    /// Returns the form for the inputs of the entry; `None` if there are no inputs.
    pub form: fn(&Program<Complete>) -> Option<InputForm>,
    /// Migrates files to a later version; `None` if they can't be migrated. If only names differ, use
    /// [`Renames`](crate::phase::migration::Renames).
    pub migrate: Option<Migrate>,
    /// Tables of rules: the language's own rules, and additions to the documentation of [the engine's
    /// rules](crate::rules::EXPLAINED), such as examples.
    pub rules: &'static [&'static [RuleDocs]],
    /// The optional checks.
    pub lints: &'static [&'static dyn Lint],
}

impl Language {
    /// Creates a language with one version, without sections of names, whose sources are entities of the first kind.
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
            detect: |_, _| DetectedSource::version(LanguageVersion::FIRST),
            unknown_keyname: &rules::UNKNOWN_KEYNAME,
            misplaced_key: |_, _, _| None,
            quirks: &[],
            options: &[],
            quirk_sets: &[],
            vendor_keynames: &[],
            synonyms: &[],
            computed_keynames: &[],
            release: |_| None,
            spec_section: |_, entity| (!entity.spec.is_empty()).then_some(entity.spec),
            defaults: &[],
            member_name: |_, _, _| None,
            qualify_name: None,
            finder: |_| Box::new(NullFinder),
            profiles: &[],
            merging: None,
            profile_import: None,
            implicit: |_| &[],
            extensions: &[],
            #[cfg(feature = "archive")]
            archives: &Layout::PLAIN,
            resolve_conflict: first_parent,
            check_undescribed: |_, _, _| {},
            named_file: |_, _, node| Some(NamedFile::at(node.text())),
            functions: |_| None,
            complete_value: |_| CompletionResponse::default(),
            describe_member: MemberNote::of_definition,
            must_assign: |_, _| true,
            routines: &[],
            hints: |_| Vec::new(),
            topology: |_| None,
            model: |_| None,
            form: |_| None,
            migrate: None,
            rules: &[],
            lints: &[],
        }
    }
}

/// How imports merge the units of a program: every unit can use the names in all units, and the templates in all units
/// are rendered. The language checks whether several units may declare the same name. References refer to the nearest
/// declaration.
#[derive(Clone, Copy, Debug)]
pub struct Merging {
    /// The separator between an import prefix and a name.
    pub separator: &'static str,
    /// Returns whether a name never gets a prefix, regardless of the import.
    pub is_global: fn(&str) -> bool,
}

/// A function that returns the full form of a name; see [`Language::qualify_name`].
pub type Qualify = fn(&mut Reader<'_>, Section, Node<'_>) -> Option<String>;

/// The accepted deviations from a language, mostly with a warning. Each field contains the versions in which a
/// deviation is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leniency {
    /// Null is read as an empty map of keynames.
    pub null_is_empty: Versions,
    /// A keyname whose value is null counts as absent, unless null is a valid value.
    pub null_is_absent: Versions,
    /// A list of maps with one entry each may be written as a map, for fields that allow it.
    pub maps_are_lists: Versions,
    /// In these versions, keynames that were introduced in a later one of these versions are accepted.
    pub accept_newer_keynames: Versions,
    /// Booleans may have the YAML 1.1 spelling (`yes`, `on`).
    pub yaml_1_1_booleans: Versions,
    /// A string may be marked as a timestamp with the YAML 1.1 tag `!!timestamp`.
    pub timestamp_tags: Versions,
}

impl Leniency {
    /// No deviation is accepted.
    pub const NONE: Self = Self {
        null_is_empty: Versions::NONE,
        null_is_absent: Versions::NONE,
        maps_are_lists: Versions::NONE,
        accept_newer_keynames: Versions::NONE,
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
    /// Returns the separator between an import prefix and a name.
    pub fn separator(&self) -> &'static str {
        self.merging.map_or(":", |merging| merging.separator)
    }

    /// Returns whether users can enable the quirk.
    pub(crate) fn has_quirk(&self, quirk: Quirk) -> bool {
        self.quirks.iter().any(|description| description.quirk == quirk)
    }

    /// Returns the version with an identifier, such as `name_2_0`, or with a number, such as `2.0`.
    pub fn version_of(&self, name: &str) -> Option<LanguageVersion> {
        let has_number = |title: &str| title.strip_suffix(name).is_some_and(|rest| rest.ends_with(' '));
        let index = self.versions.iter().position(|known| known.word == name || has_number(known.title))?;
        u8::try_from(index).ok().map(LanguageVersion)
    }

    /// Returns the latest version; `None` if the language has no versions.
    pub fn latest_version(&self) -> Option<LanguageVersion> {
        u8::try_from(self.versions.len().checked_sub(1)?).ok().map(LanguageVersion)
    }

    /// Returns the title of a version, such as `MuranoPL 1.2`.
    pub fn version_title(&self, version: LanguageVersion) -> &'static str {
        let alone = if self.versions.is_empty() { self.name } else { "this version" };
        self.versions.get(usize::from(version.0)).map_or(alone, |version| version.title)
    }

    /// Returns whether a keyname from a later version is accepted in the given version.
    pub(crate) fn is_early(&self, version: LanguageVersion, keyname: &Keyname) -> bool {
        let (accept_newer_keynames, since) = (self.leniency.accept_newer_keynames, keyname.versions.since);
        since > version && accept_newer_keynames.contains(version) && accept_newer_keynames.contains(since)
    }

    /// Returns the rules of the engine and of the language, with the language's additions to the documentation, sorted
    /// by code.
    pub fn explained(&self) -> Vec<RuleDocs> {
        rules::explained(self.rules.iter().copied())
    }

    /// Returns the text of the built-in profile or implicit unit with the given address.
    pub fn built_in_text(&self, address: &str) -> Option<&'static str> {
        let profiles = self.profiles.iter().map(|profile| (profile.address, profile.text));
        let versions = (0..self.versions.len()).map(|number| LanguageVersion(number as u8));
        let extensions = self.extensions.iter().copied().flatten();
        let implicit = versions.flat_map(|version| (self.implicit)(version)).chain(extensions);
        let implicit = implicit.map(|unit| (unit.name, unit.text));
        profiles.chain(implicit).find(|(known, _)| *known == address).map(|(_, text)| text)
    }

    /// Returns whether entities of the given kind can have parents.
    pub fn is_type(&self, kind: Kind) -> bool {
        self.kinds.get(usize::from(kind.0)).is_some_and(|kind| kind.description().is_type())
    }

    /// Returns the kinds whose entities can have parents.
    pub fn types(&self) -> impl Iterator<Item = Kind> {
        self.kinds
            .iter()
            .enumerate()
            .filter(|(_, kind)| kind.description().is_type())
            .map(|(number, _)| Kind(number as u8))
    }
}

/// The version and root kind of a source.
#[derive(Debug)]
pub struct DetectedSource {
    /// The version; a likely one if it is unknown, so that reading can continue.
    pub version: LanguageVersion,
    /// The kind of the root entity.
    pub root: Kind,
    /// The problems with the version declaration.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the source is in a different language, so that nothing in it is read.
    pub is_foreign: bool,
    /// Whether the source does not declare its version, so that it depends on the importer.
    pub is_unversioned: bool,
    /// The key in the root that is a misspelled keyname for the version. The misspelling has been reported.
    pub misspelt: Option<NodeId>,
    /// The index in [`Language::extensions`] of the additional implicit units.
    pub extension: Option<usize>,
}

impl DetectedSource {
    /// Creates the result for a source in the given version, with the language's first kind as its root.
    pub const fn version(version: LanguageVersion) -> Self {
        Self {
            version,
            root: Kind(0),
            diagnostics: Vec::new(),
            is_foreign: false,
            is_unversioned: false,
            misspelt: None,
            extension: None,
        }
    }

    /// Sets the kind of the root.
    #[must_use]
    pub const fn root(mut self, root: Kind) -> Self {
        self.root = root;
        self
    }

    /// Adds problems.
    #[must_use]
    pub fn with(mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Self {
        self.diagnostics.extend(diagnostics);
        self
    }
}

/// A version of a language.
#[derive(Debug)]
pub struct VersionDescription {
    /// The title.
    pub title: &'static str,
    /// The identifier that sources declare.
    pub word: &'static str,
}

/// A section of names.
#[derive(Debug)]
pub struct SectionDescription {
    /// The term for an entity in the section, such as `node type`.
    pub title: &'static str,
    /// Whether importing units can use the names in the section.
    pub exported: bool,
    /// Whether a name may be declared although an imported unit declares it too.
    pub shadows: bool,
    /// Whether referring to an entity imports it: its source is found by the name.
    pub found: bool,
}

impl SectionDescription {
    /// Returns the title with an indefinite article: `a node type`.
    pub fn with_article(&self) -> String {
        super::with_article(self.title)
    }
}

/// A built-in profile.
#[derive(Debug)]
pub struct BuiltInProfile {
    /// The names under which the profile can be imported; empty if it is only a copy of a published file.
    pub names: &'static [&'static str],
    /// The address, with the scheme `builtin`, in the form in which addresses are shown.
    pub address: &'static str,
    /// The source.
    pub text: &'static str,
    /// The precompiled document of the source, from [`pack`](crate::ard::pack). Its YAML is not read, and its types are
    /// not checked, so they must be valid in any program. The source is read if this is empty or belongs to a different
    /// source.
    pub packed: &'static [u8],
    /// The published file that the profile replaces if the file can't be read.
    pub published: Option<PublishedFile>,
}

/// A file published by a third party, which authors import by its path or URL.
#[derive(Clone, Copy, Debug)]
pub struct PublishedFile {
    /// The common prefix of the URLs under which all versions are published.
    pub site: &'static str,
    /// The name of the file, without the version.
    pub name: &'static str,
    /// The version, such as `1.2.3`. It may be part of the URL or of the file name. If there are several versions of a
    /// file and no import in the program names one, the first version in the list of profiles is used.
    pub version: &'static str,
}

/// A unit that is imported implicitly.
#[derive(Debug)]
pub struct ImplicitUnit {
    /// The name, shown as its address.
    pub name: &'static str,
    /// The source.
    pub text: &'static str,
    /// The precompiled document of the source, from [`pack`](crate::ard::pack). Its YAML is not read, and its types are
    /// not checked, so they must be valid in any program. The source is read if this is empty or belongs to a different
    /// source.
    pub packed: &'static [u8],
    /// The precedence of the unit's names.
    pub precedence: Precedence,
    /// Returns the aliases for a name that the unit declares in a section.
    pub aliases: fn(Section, &str) -> Vec<NameAlias>,
}

/// An alias for a name that an implicit unit declares. It refers to the same entity, but a declaration under the alias
/// overrides the alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAlias {
    /// The name.
    pub name: String,
    /// Whether the alias is, strictly speaking, wrong. If so, its use is reported, and it is never suggested.
    pub is_tolerated: bool,
}

/// The precedence of the names of an implicit unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// No other unit may declare the names.
    Reserved,
    /// Names in other units override the names.
    Shadowed,
    /// Names in other units override the names. Uses of the names are reported, because they belong to a different
    /// version.
    Tolerated,
}

/// A kind of entity whose type is erased.
pub trait AnyKind: Sync {
    /// Returns the description of the kind.
    fn description(&self) -> &'static EntityDescription;

    /// Returns the number of the kind.
    fn number(&self) -> Kind;

    /// Creates an empty entity of the kind.
    fn new_entity(&self) -> Box<dyn Described>;

    /// Returns whether entities of the kind can inherit anything.
    fn inherits(&self) -> bool;

    /// Returns whether entities of the kind are imports.
    fn is_import(&self) -> bool;

    /// Reads a node as an entity of the kind that has no owner.
    fn read_root(&self, reader: &mut Reader<'_>, node: crate::ard::Node<'_>) -> AnyId;

    /// Completes an entity of the kind.
    fn complete(&self, completion: &mut Completion<'_>, id: AnyId, sources: &[InheritanceSource<'_>]);

    /// Creates slots for completed entities of the kind.
    fn new_slots(&self, count: u32) -> Box<dyn AnySlots>;

    /// Returns the check that runs for entities of the kind after phase 4.
    fn after_inheritance(&self) -> Option<AnyCheck>;

    /// Returns the function that renders entities of the kind, if they are templates.
    fn render(&self) -> Option<AnyCheck>;

    /// Checks a value that is assigned, or missing, according to an entity of the kind.
    fn judge(&self, context: &mut Context<'_>, id: AnyId, assignment: &Assignment);
}

/// The kind of the entities of type `E`.
#[derive(Debug)]
pub struct KindOf<E>(PhantomData<fn() -> E>);

impl<E> KindOf<E> {
    /// The only value.
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

    fn is_import(&self) -> bool {
        <E as Entity>::CHECKS.import.is_some()
    }

    fn read_root(&self, reader: &mut Reader<'_>, node: crate::ard::Node<'_>) -> AnyId {
        reader.entity::<E>(None, node, None).any()
    }

    fn complete(&self, completion: &mut Completion<'_>, id: AnyId, sources: &[InheritanceSource<'_>]) {
        completion.complete(Id::<E>::at(id.unit, id.index), sources);
    }

    fn new_slots(&self, count: u32) -> Box<dyn AnySlots> {
        slots::<E>(count)
    }

    fn after_inheritance(&self) -> Option<AnyCheck> {
        checks::after_inheritance::<E>()
    }

    fn render(&self) -> Option<AnyCheck> {
        checks::render::<E>()
    }

    fn judge(&self, context: &mut Context<'_>, id: AnyId, assignment: &Assignment) {
        checks::judge::<E>(context, id, assignment);
    }
}
