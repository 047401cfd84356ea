//! What the engine must know of a language as a whole.

use std::marker::PhantomData;

use super::arena::{AnySlots, slots};
use super::{AnyId, Described, Entity, EntityDescription, Id, Kind, LanguageVersion, Quirks, Role, Section, Versions};
use crate::ard::Document;
use crate::diagnostic::Diagnostic;
use crate::phase::inheritance::{Completion, Contest, Source, Winner};
use crate::phase::read::Reader;

/// A language: its versions, its kinds of entities, its sections of names.
///
/// It is a static that a parser is given with [`ParserBuilder::language`](crate::ParserBuilder::language). Whether the
/// descriptions of its entities fit together can be checked with [`check`](Self::check), which is what a test is for.
pub struct Language {
    /// The name, such as `TOSCA`.
    pub name: &'static str,
    /// The versions, in the order of their numbers.
    pub versions: &'static [VersionDescription],
    /// The kinds of entities, in the order of their numbers.
    pub kinds: &'static [&'static dyn AnyKind],
    /// The sections of names, in the order of their numbers.
    pub sections: &'static [SectionDescription],
    /// The kind of the root of every source.
    pub root: Kind,
    /// The keynames of the root that hold what the source itself is about, which importing it does not bring.
    pub services: &'static [&'static str],
    /// The versions in which a null stands for an empty map of keynames.
    pub null_is_empty: Versions,
    /// Versions whose authors use what a later one among them introduced: keynames of later ones are read, with a
    /// warning.
    pub mixed: Versions,
    /// The versions in which sources may import each other in a loop, with a warning.
    pub import_loops: Versions,
    /// The versions in which booleans may be spelt in the manner of YAML 1.1 (`yes`, `on`), with a warning.
    pub yaml_1_1_booleans: Versions,
    /// The versions in which the tag `!!timestamp` of YAML 1.1 may say of a text that it is one.
    pub timestamp_tags: Versions,
    /// Finds out which version a source is written in.
    pub recognise: fn(&Document, Quirks) -> Result<LanguageVersion, NotRecognised>,
    /// The name under which a member of a kind is kept, where the language lets authors call it by another one.
    pub member_name: fn(Kind, LanguageVersion, &str) -> Option<&'static str>,
    /// The profiles that come with the language.
    pub profiles: &'static [BuiltInProfile],
    /// The units that every source of a version imports without saying so.
    pub implicit: fn(LanguageVersion) -> &'static [ImplicitUnit],
    /// Which parent's member wins where a type has several parents and more than one of them has a member of a name:
    /// [`first_parent`](crate::phase::inheritance::first_parent),
    /// [`most_derived`](crate::phase::inheritance::most_derived), or a rule of the language's own.
    pub winner: fn(&Contest<'_>) -> Winner,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Language {
    /// What authors call a version, such as `TOSCA 2.0`.
    pub fn version_title(&self, version: LanguageVersion) -> &'static str {
        self.versions.get(usize::from(version.0)).map_or("this version", |version| version.title)
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

/// A source whose version is missing, unknown or misplaced.
#[derive(Debug)]
pub struct NotRecognised {
    /// The problems.
    pub diagnostics: Vec<Diagnostic>,
    /// The version that the source seems to be written in, so that reading can go on.
    pub guess: LanguageVersion,
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
}

/// A profile that comes with a language.
#[derive(Debug)]
pub struct BuiltInProfile {
    /// The names by which it can be imported.
    pub names: &'static [&'static str],
    /// Its address, of the scheme `builtin`, in the form that addresses are shown in.
    pub address: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A unit that is imported without saying so.
#[derive(Debug)]
pub struct ImplicitUnit {
    /// Its name, shown as its address.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
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
    fn complete(&self, completion: &mut Completion<'_>, id: AnyId, sources: &[Source<'_>]);

    /// Room for completed entities of the kind.
    fn new_slots(&self, count: u32) -> Box<dyn AnySlots>;
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

    fn complete(&self, completion: &mut Completion<'_>, id: AnyId, sources: &[Source<'_>]) {
        completion.complete(Id::<E>::at(id.unit, id.index), sources);
    }

    fn new_slots(&self, count: u32) -> Box<dyn AnySlots> {
        slots::<E>(count)
    }
}
