//! Reads one source into a unit.

use std::sync::{Arc, OnceLock};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::reader::{ReadGaps, Reader, with_article};
use super::{ImportRequest, Read};
use crate::ard::{self, Document, Kind as NodeKind};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_PER_RULE, SourceId, Span};
use crate::entity::{
    Arenas, DetectedSource, ImplicitUnit, Kind, KindVocabulary, Language, LanguageVersion, NameAlias, Precedence,
    Quirks, Recognition, VersionWords, Vocabulary,
};
use crate::memory;
use crate::phase::namespace::{Declaration, Naming};
use crate::phase::{Program, Unit, Units};
use crate::rules;
use crate::source::{ReadError, Source};
use crate::symbol::{Interner, Symbol};
use crate::syntax::{Bytes, SourceDependency};
use crate::text::SharedText;

/// The context for reading a unit.
pub(crate) struct ReadContext<'a> {
    pub(crate) language: &'static Language,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) interner: &'a Interner,
    pub(crate) options: &'a ard::Options,
    /// A built-in text and its precompiled form.
    pub(crate) ahead: Option<(&'static str, &'static [u8])>,
    pub(crate) quirks: Quirks,
    pub(crate) most_of_a_rule: usize,
    /// The vendor-specific version identifiers that the user has declared.
    pub(crate) words: &'a VersionWords,
    /// The version of the importing source, for a source that does not declare its own.
    pub(crate) importer: Option<LanguageVersion>,
    /// The option that specifies the source.
    pub(crate) option: Option<&'static str>,
}

impl ReadContext<'_> {
    /// Returns the precompiled form of `text`, if it is the built-in text: a different text may be given under the same
    /// address.
    pub(crate) fn packed(&self, text: &str) -> Option<&'static [u8]> {
        let (of, packed) = self.ahead?;
        (!packed.is_empty() && of == text).then_some(packed)
    }
}

impl ard::ProblemCounter for ReadContext<'_> {
    fn problems(&self, document: Document) -> usize {
        let version = (self.language.detect)(&document, self.recognition()).version;
        let misplaced = self.keynames_at_the_level_of_names(&document, version);
        let source = Source::new(document.source(), String::new(), SharedText::from(document.text()));
        let written = DecodedSource { document: Some((document, Vec::new())), ..DecodedSource::yaml(source) };
        misplaced + read_unit(self, written, None, &mut |_, _| {}).diagnostics.len()
    }
}

impl ReadContext<'_> {
    fn recognition(&self) -> Recognition<'_> {
        Recognition { quirks: self.quirks, importer: self.importer, option: self.option, words: self.words }
    }

    /// Returns the number of keys in the value of a keyname that are keynames of the same entity, such as a property
    /// with the name `requirements`. They may be valid, but are more likely to be at the wrong level.
    fn keynames_at_the_level_of_names(&self, document: &Document, version: LanguageVersion) -> usize {
        let kinds: Vec<&KindVocabulary> = (0..self.language.kinds.len())
            .filter_map(|kind| self.vocabulary.of(Kind(kind as u8), self.interner))
            .collect();
        let mut owners: FxHashMap<Symbol, Vec<&KindVocabulary>> = FxHashMap::default();
        let maps = document.nodes().filter(|node| node.kind() == NodeKind::Map && !node.is_alias());
        maps.flat_map(ard::Node::entries)
            .filter(|entry| !entry.merged && entry.value.kind() == NodeKind::Map && !entry.value.is_alias())
            .filter_map(|entry| Some((entry.key.symbol()?, entry.value)))
            .map(|(outer, value)| {
                let of = || kinds.iter().copied().filter(|kind| kind.has(outer, version)).collect();
                let owners = owners.entry(outer).or_insert_with(of);
                let is_misplaced = |key: Symbol| owners.iter().any(|kind| kind.has(key, version));
                value.entries().filter_map(|entry| entry.key.symbol()).filter(|key| is_misplaced(*key)).count()
            })
            .sum()
    }
}

/// A source with its decoded text and the results so far.
pub(crate) struct DecodedSource {
    pub(crate) source: Source,
    pub(crate) bytes: Bytes,
    /// The problems that have been found in the text so far.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The raw data and its other sources, if the text has already been read or is not YAML.
    pub(crate) document: Option<(Document, Vec<SourceDependency>)>,
}

impl DecodedSource {
    /// Creates a source that is written in YAML.
    pub(crate) fn yaml(source: Source) -> Self {
        Self { source, bytes: Bytes::Text, diagnostics: Vec::new(), document: None }
    }

    /// Returns the raw data of the source; reads the text as YAML if necessary.
    pub(crate) fn read_document(&mut self, surroundings: &ReadContext<'_>) -> &Document {
        let Self { source, diagnostics, document, .. } = self;
        let (document, _) =
            document.get_or_insert_with(|| (read_document(surroundings, source, diagnostics), Vec::new()));
        document
    }
}

/// Reads a source. `on_import` is called with every import as soon as it has been read.
pub(crate) fn read_unit(
    surroundings: &ReadContext<'_>,
    written: DecodedSource,
    implicit: Option<&ImplicitUnit>,
    on_import: &mut dyn FnMut(LanguageVersion, &ImportRequest),
) -> Unit {
    let ReadContext { language, vocabulary, interner, quirks, importer, option, .. } = surroundings;
    let DecodedSource { source, bytes, mut diagnostics, document } = written;
    let id: SourceId = source.id();
    let (document, dependencies) =
        document.unwrap_or_else(|| (read_document(surroundings, &source, &mut diagnostics), Vec::new()));
    let detected = (language.detect)(&document, surroundings.recognition());
    let DetectedSource { version, root, diagnostics: problems, is_foreign, is_unversioned, misspelt, extension } =
        detected;
    // Anything missing from an incomplete document may be in the part that could not be read.
    if document.is_complete() || document.root().is_some() {
        diagnostics.extend(problems);
    }
    let timestamp_tags = language.leniency.timestamp_tags.contains(version);
    if timestamp_tags && diagnostics.iter().any(|problem| is_timestamp_tag(problem, &source)) {
        diagnostics.retain(|problem| !is_timestamp_tag(problem, &source));
    }
    let mut reader = Reader::new(&document, (language, version, *quirks), root, (vocabulary, interner), on_import);
    reader.out.diagnostics = Diagnostics::up_to(surroundings.most_of_a_rule);
    reader.ignore(misspelt);
    let root = match document.root() {
        Some(_) if is_foreign => None,
        Some(node) => Some(language.kinds[usize::from(root.0)].read_root(&mut reader, node)),
        None => {
            // A source that an option specifies may be empty.
            if document.is_complete() && diagnostics.is_empty() && option.is_none() {
                let message = match source.text().trim() {
                    "" => "the file is empty",
                    _ => "the file contains only comments",
                };
                let help = format!("a {} file starts with its version", language.name);
                let start = Span { source: id, start: 0, end: 0 };
                diagnostics.push(Diagnostic::new(&rules::EMPTY_SOURCE, start, message).with_help(help));
            }
            None
        }
    };
    let mut read = reader.out;
    if !read.repeated.is_empty() {
        let repeated: FxHashSet<Span> = read.repeated.iter().map(|key| document.node(*key).span()).collect();
        let is_repeated =
            |problem: &Diagnostic| problem.rule.code == rules::DUPLICATE_KEY.code && repeated.contains(&problem.span);
        diagnostics.retain(|problem| !is_repeated(problem));
    }
    diagnostics.extend(read.diagnostics);
    if let Some(implicit) = implicit {
        add_aliases(&mut read.declarations, implicit, interner);
    }
    read.arenas.shrink_to_fit();
    read.imports.shrink_to_fit();
    read.values.sort_unstable_by_key(|(value, _)| *value);
    memory::shrink(&mut read.values);
    read.files.sort_unstable_by_key(|(file, _)| *file);
    read.files.dedup_by_key(|(file, _)| *file);
    memory::shrink(&mut read.files);
    memory::shrink(&mut read.references);
    memory::shrink(&mut read.declarations);
    Unit {
        id,
        source: Arc::new(source),
        language,
        version,
        arenas: read.arenas,
        root,
        imports: read.imports,
        diagnostics,
        implicit: implicit.map(|unit| unit.precedence).or(option.map(|_| Precedence::Shadowed)),
        option: *option,
        extension,
        is_data: false,
        borrowed: is_unversioned.then_some(*importer),
        references: read.references,
        declarations: read.declarations,
        losses: read.losses,
        values: read.values,
        files: read.files,
        bytes,
        dependencies,
        document,
        beginning: OnceLock::new(),
    }
}

/// Reads a single source, without following imports or looking up names.
pub fn read_alone(language: &'static Language, source: Source) -> Program<Read> {
    let interner = Arc::new(Interner::new());
    let limits = ard::Limits { repairs: ard::Limits::FEW_REPAIRS, ..ard::Limits::default() };
    let surroundings = ReadContext {
        language,
        vocabulary: &Vocabulary::new(language),
        interner: &interner,
        options: &ard::Options { dialect: language.yaml, limits, ..ard::Options::default() },
        ahead: None,
        quirks: Quirks::default(),
        most_of_a_rule: MAX_PER_RULE,
        words: VersionWords::NONE,
        importer: None,
        option: None,
    };
    let unit = read_unit(&surroundings, DecodedSource::yaml(source), None, &mut |_, _| {});
    Program { units: Arc::new(Units::of_one(unit, interner)), stage: Read::default() }
}

/// Returns whether a problem is about a timestamp tag, which is not in YAML's core schema.
fn is_timestamp_tag(problem: &Diagnostic, source: &Source) -> bool {
    let Span { start, end, .. } = problem.span;
    problem.rule.code == rules::REFUSED_TAG.code
        && source.text().get(start as usize..end as usize) == Some("!!timestamp")
}

fn read_document(surroundings: &ReadContext<'_>, source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Document {
    let ReadContext { interner, options, .. } = surroundings;
    let schema = options.dialect.schema;
    let packed = surroundings.packed(source.text());
    if let Some(document) = packed.and_then(|packed| ard::unpack(source.id(), source.text(), packed, interner, schema))
    {
        return document;
    }
    let is_broken = diagnostics.iter().any(|problem| problem.rule.code == rules::INVALID_ENCODING.code);
    let (document, problems) = if is_broken {
        ard::read_beginning(source.id(), source.text().clone(), interner, options)
    } else {
        ard::read_with_counter(source.id(), source.text().clone(), (interner, options), Some(surroundings))
    };
    diagnostics.extend(problems);
    document
}

/// Adds declarations for the aliases of the names that an implicit unit declares.
fn add_aliases(declarations: &mut Vec<Declaration>, implicit: &ImplicitUnit, interner: &Interner) {
    let aliases: Vec<Declaration> = declarations
        .iter()
        .flat_map(|declaration| {
            let aliases = (implicit.aliases)(declaration.section, interner.text(declaration.name));
            aliases.into_iter().map(|NameAlias { name, is_tolerated }| Declaration {
                name: interner.intern(&name),
                naming: if is_tolerated { Naming::Tolerated } else { Naming::Further },
                ..*declaration
            })
        })
        .collect();
    let mut taken = FxHashSet::with_capacity_and_hasher(declarations.len() + aliases.len(), FxBuildHasher);
    taken.extend(declarations.iter().map(|known| (known.section, known.name)));
    declarations.extend(aliases.into_iter().filter(|alias| taken.insert((alias.section, alias.name))));
}

/// Creates an empty unit, for a source that is not read in any language.
pub(crate) fn blank_unit(surroundings: &ReadContext<'_>, source: Source, version: LanguageVersion) -> Unit {
    let ReadContext { interner, options, .. } = surroundings;
    let (document, _) = ard::read(source.id(), SharedText::default(), interner, options);
    raw_unit(surroundings, source, version, (document, Vec::new()))
}

/// Creates a unit of data that no language describes, such as input values.
pub(crate) fn data_unit(
    surroundings: &ReadContext<'_>,
    source: Source,
    version: LanguageVersion,
    mut diagnostics: Vec<Diagnostic>,
) -> Unit {
    let document = read_document(surroundings, &source, &mut diagnostics);
    if let Some(root) = document.root().filter(|root| !matches!(root.kind(), NodeKind::Map | NodeKind::Null)) {
        let message = format!("the values of inputs must be a map, not {}", with_article(root));
        diagnostics.push(Diagnostic::new(&rules::WRONG_KIND, root.span(), message));
    }
    raw_unit(surroundings, source, version, (document, diagnostics))
}

/// Creates a unit without entities.
fn raw_unit(
    surroundings: &ReadContext<'_>,
    source: Source,
    version: LanguageVersion,
    (document, diagnostics): (Document, Vec<Diagnostic>),
) -> Unit {
    Unit {
        id: source.id(),
        source: Arc::new(source),
        language: surroundings.language,
        version,
        arenas: Arenas::default(),
        root: None,
        imports: Vec::new(),
        diagnostics,
        implicit: None,
        option: None,
        extension: None,
        is_data: true,
        borrowed: None,
        references: Vec::new(),
        declarations: Vec::new(),
        losses: ReadGaps::default(),
        values: Vec::new(),
        files: Vec::new(),
        bytes: Bytes::Text,
        dependencies: Vec::new(),
        document,
        beginning: OnceLock::new(),
    }
}

/// Returns the problem about a source that can't be read.
pub(crate) fn unreadable(source: SourceId, error: &ReadError) -> Diagnostic {
    let start = Span { source, start: 0, end: 0 };
    let mut diagnostic = Diagnostic::new(error.rule(), start, format!("can't read the file: {error}"));
    diagnostic.is_unavailable = error.is_failure();
    match error.help() {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}
