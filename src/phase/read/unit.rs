//! One source to one unit.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::ImportRequest;
use super::reader::{Losses, Reader, with_article};
use crate::ard::{self, Document, Kind};
use crate::diagnostic::{Diagnostic, SourceId, Span};
use crate::entity::{Arenas, FurtherName, ImplicitUnit, Language, LanguageVersion, NotRecognised, Quirks, Vocabulary};
use crate::phase::Unit;
use crate::phase::namespace::{Declaration, Naming};
use crate::rules;
use crate::source::Source;
use crate::symbol::Interner;

/// What reading a unit needs besides the text.
pub(crate) struct Surroundings<'a> {
    pub(crate) language: &'static Language,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) interner: &'a Interner,
    pub(crate) options: &'a ard::Options,
    pub(crate) quirks: Quirks,
}

/// Reads a source. `diagnostics` are the problems that its text has had so far; `on_import` is called with every
/// import as soon as it has been seen.
pub(crate) fn read_unit(
    surroundings: &Surroundings<'_>,
    source: Source,
    implicit: Option<&ImplicitUnit>,
    mut diagnostics: Vec<Diagnostic>,
    on_import: &mut dyn FnMut(&ImportRequest),
) -> Unit {
    let Surroundings { language, vocabulary, interner, quirks, .. } = surroundings;
    let id: SourceId = source.id();
    let document = read_document(surroundings, &source, &mut diagnostics);
    let version =
        (language.recognise)(&document, *quirks).unwrap_or_else(|NotRecognised { diagnostics: problems, guess }| {
            // What a broken text lacks may stand where it could not be read.
            if document.is_complete() || document.root().is_some() {
                diagnostics.extend(problems);
            }
            guess
        });
    if language.timestamp_tags.contains(version) && diagnostics.iter().any(|problem| is_timestamp_tag(problem, &source))
    {
        diagnostics.retain(|problem| !is_timestamp_tag(problem, &source));
    }
    let mut reader = Reader::new(&document, (language, version, *quirks), vocabulary, interner, on_import);
    let root = match document.root() {
        Some(node) => Some(language.kinds[usize::from(language.root.0)].read_root(&mut reader, node)),
        None => {
            if document.is_complete() && diagnostics.is_empty() {
                let message = match source.text().trim() {
                    "" => "the file is empty",
                    _ => "the file holds nothing but comments",
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
        add_further_names(&mut read.declarations, implicit, interner);
    }
    Unit {
        id,
        source: Arc::new(source),
        language,
        version,
        arenas: read.arenas,
        root,
        imports: read.imports,
        diagnostics,
        implicit: implicit.map(|unit| unit.precedence),
        is_data: false,
        references: read.references,
        declarations: read.declarations,
        losses: read.losses,
        document,
    }
}

/// Whether a problem is that a text is said to be a timestamp, which the core schema of YAML has no tag for.
fn is_timestamp_tag(problem: &Diagnostic, source: &Source) -> bool {
    let Span { start, end, .. } = problem.span;
    problem.rule.code == rules::REFUSED_TAG.code
        && source.text().get(start as usize..end as usize) == Some("!!timestamp")
}

fn read_document(surroundings: &Surroundings<'_>, source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Document {
    let Surroundings { interner, options, .. } = surroundings;
    let is_broken = diagnostics.iter().any(|problem| problem.rule.code == rules::INVALID_ENCODING.code);
    let read = if is_broken { ard::read_beginning } else { ard::read };
    let (document, problems) = read(source.id(), source.text().clone(), interner, options);
    diagnostics.extend(problems);
    document
}

/// Declares what an implicit unit declares by its further names, too.
fn add_further_names(declarations: &mut Vec<Declaration>, implicit: &ImplicitUnit, interner: &Interner) {
    let further: Vec<Declaration> = declarations
        .iter()
        .flat_map(|declaration| {
            let further = (implicit.further_names)(declaration.section, interner.text(declaration.name));
            further.into_iter().map(|FurtherName { name, is_tolerated }| Declaration {
                name: interner.intern(&name),
                naming: if is_tolerated { Naming::Tolerated } else { Naming::Further },
                ..*declaration
            })
        })
        .collect();
    let mut taken: FxHashSet<_> = declarations.iter().map(|known| (known.section, known.name)).collect();
    declarations.extend(further.into_iter().filter(|further| taken.insert((further.section, further.name))));
}

/// Makes a unit of nothing, for a source that is not read as something in a language.
pub(crate) fn blank_unit(surroundings: &Surroundings<'_>, source: Source, version: LanguageVersion) -> Unit {
    let Surroundings { interner, options, language, .. } = surroundings;
    let (document, _) = ard::read(source.id(), Arc::from(""), interner, options);
    Unit {
        id: source.id(),
        source: Arc::new(source),
        language,
        version,
        arenas: Arenas::default(),
        root: None,
        imports: Vec::new(),
        diagnostics: Vec::new(),
        implicit: None,
        is_data: true,
        references: Vec::new(),
        declarations: Vec::new(),
        losses: Losses::default(),
        document,
    }
}

/// Makes a unit of data that no language describes, such as the values of inputs.
pub(crate) fn data_unit(
    surroundings: &Surroundings<'_>,
    source: Source,
    version: LanguageVersion,
    mut diagnostics: Vec<Diagnostic>,
) -> Unit {
    let document = read_document(surroundings, &source, &mut diagnostics);
    if let Some(root) = document.root().filter(|root| !matches!(root.kind(), Kind::Map | Kind::Null)) {
        let message = format!("the values of inputs must be a map, not {}", with_article(root));
        diagnostics.push(Diagnostic::new(&rules::WRONG_KIND, root.span(), message));
    }
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
        is_data: true,
        references: Vec::new(),
        declarations: Vec::new(),
        losses: Losses::default(),
        document,
    }
}
