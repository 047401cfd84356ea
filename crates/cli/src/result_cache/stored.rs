//! The stored form of the result of a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Entry, Found, MAX_FILE, MAX_TEXT, ReadFile, ResultCache};
use tosca_parse::ard;
use tosca_parse::diagnostic::edit::Safety;
use tosca_parse::diagnostic::{Diagnostic, Edit, Related, Rule, Severity, SourceId, Span};
use tosca_parse::source::observe::Digest;
use tosca_parse::source::{SharedText, Source, Sources, regular};
use tosca_parse_config::languages;

/// The problems of a file, and the sources of its program.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Stored {
    name: String,
    sources: Vec<StoredSource>,
    problems: Vec<StoredProblem>,
    remedy: Option<(String, usize, usize)>,
}

#[derive(Clone, Serialize, Deserialize)]
struct StoredSource {
    name: String,
    is_shown: bool,
    text: Text,
}

/// The origin of a text.
#[derive(Clone, Serialize, Deserialize)]
enum Text {
    /// No problem refers to the source.
    Unused,
    BuiltIn,
    File(PathBuf),
    Here(String),
}

/// The index of a source, and a range in bytes.
type Place = (u32, u32, u32);

#[derive(Clone, Serialize, Deserialize)]
struct StoredProblem {
    code: String,
    severity: Severity,
    message: String,
    span: Place,
    related: Vec<(Place, String)>,
    help: Vec<String>,
    edits: Vec<(Place, String, Safety)>,
}

impl ResultCache {
    /// Converts a result to its stored form; `None` if that is impossible.
    pub(super) fn store(
        &self,
        name: &str,
        diagnostics: &[Diagnostic],
        sources: &Sources,
        remedy: Option<(&'static str, usize, usize)>,
        read: &[ReadFile],
    ) -> Option<Stored> {
        let place = |span: Span| match sources.rank(span.source) {
            Some(rank) => (rank as u32, span.start, span.end),
            None => (u32::MAX, span.start, span.end),
        };
        let mut problems = Vec::with_capacity(diagnostics.len());
        let mut used = BTreeSet::new();
        for problem in diagnostics {
            rule(problem.rule.code)?;
            let stored = StoredProblem {
                code: problem.rule.code.to_owned(),
                severity: problem.severity,
                message: problem.message.clone(),
                span: place(problem.span),
                related: problem.related.iter().map(|other| (place(other.span), other.message.clone())).collect(),
                help: problem.help.clone(),
                edits: problem.edits.iter().map(|edit| (place(edit.span), edit.text.clone(), edit.safety)).collect(),
            };
            let others = stored.related.iter().map(|(place, _)| place.0);
            used.extend(others.chain(stored.edits.iter().map(|(place, ..)| place.0)).chain([stored.span.0]));
            problems.push(stored);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let sources = sources.iter().zip(0..).map(|(source, number)| {
            let text = if used.contains(&number) { self.origin(source, &here, read)? } else { Text::Unused };
            Some(StoredSource { name: source.name().to_owned(), is_shown: source.is_shown(), text })
        });
        let remedy = remedy.map(|(set, before, after)| (set.to_owned(), before, after));
        Some(Stored { name: name.to_owned(), sources: sources.collect::<Option<_>>()?, problems, remedy })
    }

    /// Returns the origin of a source's text; `None` if the text is too large to be stored.
    fn origin(&self, source: &Source, here: &Path, read: &[ReadFile]) -> Option<Text> {
        if built_in(source.name()).is_some_and(|text| text == &**source.text()) {
            return Some(Text::BuiltIn);
        }
        let path = here.join(source.name());
        let file = read.iter().find(|file| file.path == path);
        if file.is_some_and(|file| self.text(file).is_some_and(|text| text == *source.text())) {
            return Some(Text::File(path));
        }
        (source.text().len() <= MAX_TEXT).then(|| Text::Here(source.text().to_string()))
    }

    /// Returns the text of a file if it still has the same content.
    fn text(&self, file: &ReadFile) -> Option<SharedText> {
        if let Some(known) = self.texts.get(&file.path) {
            return Some(known.clone());
        }
        let bytes = regular::read(&file.path, MAX_FILE).ok().filter(|bytes| Digest::of(bytes) == file.digest)?;
        let (text, _) = ard::decode(SourceId(0), bytes);
        self.texts.insert(file.path.clone(), text.clone());
        Some(text)
    }

    pub(super) fn restore(&self, entry: &Entry) -> Option<Found> {
        let Stored { name, sources, problems, remedy } = &entry.result;
        let mut all = Sources::new();
        for (source, number) in sources.iter().zip(0..) {
            let text: SharedText = match &source.text {
                Text::Unused => SharedText::default(),
                Text::BuiltIn => built_in(&source.name)?.into(),
                Text::File(path) => self.text(entry.read.iter().find(|file| file.path == *path)?)?,
                Text::Here(text) => text.as_str().into(),
            };
            all.add(Source::new(SourceId(number), source.name.clone(), text).shown(source.is_shown));
        }
        let span = |(source, start, end): Place| {
            // Edits and excerpts cut texts at these offsets.
            let source = SourceId(source);
            let text = all.get(source).map(Source::text);
            let fits = |at: u32| text.is_none_or(|text| text.is_char_boundary(at as usize));
            (start <= end && fits(start) && fits(end)).then_some(Span { source, start, end })
        };
        let mut diagnostics = Vec::with_capacity(problems.len());
        for problem in problems {
            let mut diagnostic = Diagnostic::new(rule(&problem.code)?, span(problem.span)?, "");
            diagnostic.severity = problem.severity;
            diagnostic.message.clone_from(&problem.message);
            diagnostic.help.clone_from(&problem.help);
            for (place, message) in &problem.related {
                diagnostic.related.push(Related { span: span(*place)?, message: message.clone() });
            }
            for (place, text, safety) in &problem.edits {
                diagnostic.edits.push(Edit { span: span(*place)?, text: text.clone(), safety: *safety });
            }
            diagnostics.push(diagnostic);
        }
        let remedy = match remedy {
            None => None,
            Some((name, before, after)) => {
                let mut sets = languages().iter().flat_map(|language| language.quirk_sets);
                Some((sets.find(|set| set.name == name)?.name, *before, *after)).filter(|_| after < before)
            }
        };
        Some(Found { name: name.clone(), diagnostics, sources: all, remedy })
    }
}

/// Returns the text of a built-in source.
fn built_in(name: &str) -> Option<&'static str> {
    let mut profiles = languages().iter().flat_map(|language| language.profiles);
    profiles.find(|profile| profile.address == name).map(|profile| profile.text)
}

fn rule(code: &str) -> Option<&'static Rule> {
    static RULES: OnceLock<FxHashMap<&'static str, &'static Rule>> = OnceLock::new();
    let rules = RULES.get_or_init(|| languages().rules().iter().map(|docs| (docs.rule.code, docs.rule)).collect());
    rules.get(code).copied()
}
