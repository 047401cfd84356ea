//! Syntaxes other than YAML, which convert the text of a source to raw data.
//!
//! A source is YAML unless a syntax claims it. A syntax may be more than a notation: if it evaluates its input, it may
//! create its data from several sources. In this case, the unit depends on all of these sources, nodes refer to the
//! sources that they come from, and the phases need no special treatment. [`Assembler`](crate::ard::Assembler) creates
//! such documents.

use std::sync::Arc;

use foldhash::HashMap;

use crate::ard::{Document, Limits, Options};
use crate::diagnostic::{Diagnostic, Help, Rule, Span};
use crate::source::{Address, Source};
use crate::symbol::Interner;
use crate::text::SharedText;

/// A notation for raw data other than YAML.
///
/// It is added to a parser with [`ParserBuilder::syntax`](crate::ParserBuilder::syntax) and used for all languages, on
/// many threads in parallel.
pub trait Syntax: Send + Sync {
    /// Returns the name, such as `YAML`.
    fn name(&self) -> &'static str;

    /// Returns whether a source has this syntax, judging by its address and text.
    fn claims(&self, address: &Address, text: &str) -> bool;

    /// Converts a source to a document and a list of problems, whose positions are in that source or in a source that
    /// was [requested](Input::include). There is always a document; if it is not [complete](Document::is_complete),
    /// nothing is reported as missing.
    fn read(&self, input: &mut Input<'_>) -> (Document, Vec<Diagnostic>);

    /// Returns the folders that the user has specified for includes. Sources in them may be included even in a sandbox.
    fn granted(&self) -> &[Address] {
        &[]
    }
}

/// The input for a [`Syntax`], with access to other sources.
pub struct Input<'a> {
    /// The source: its text, ID and name.
    pub source: &'a Source,
    /// The address of the source.
    pub address: &'a Address,
    /// The interner for keys.
    pub interner: &'a Interner,
    /// The options for reading the source.
    pub options: &'a Options,
    /// Whether the text is incomplete because the rest could not be decoded. This has been reported.
    pub is_cut: bool,
    sources: &'a dyn IncludeSources,
    dependencies: Vec<SourceDependency>,
    /// The index of the source at each address.
    known: HashMap<Address, usize>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(
        source: &'a Source,
        address: &'a Address,
        (interner, options): (&'a Interner, &'a Options),
        is_cut: bool,
        sources: &'a dyn IncludeSources,
    ) -> Self {
        Self {
            source,
            address,
            interner,
            options,
            is_cut,
            sources,
            dependencies: Vec::new(),
            known: HashMap::default(),
        }
    }

    /// Returns the limits on the size of the input.
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// Returns the source at the path or URL `reference`, as `importer` specifies it. A source is read only once, even
    /// if it is requested several times.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not exist, is not text, or must not be read by `importer`.
    pub fn include(&mut self, importer: &Address, reference: &str) -> Result<Arc<IncludedSource>, InputError> {
        self.dependency(importer, reference)?.include.clone()
    }

    /// Returns the address and the bytes of the source at the path or URL `reference`. The source need not be text.
    ///
    /// # Errors
    ///
    /// Returns an error if the source does not exist or must not be read by `importer`.
    pub fn include_bytes(&mut self, importer: &Address, reference: &str) -> Result<(Address, Vec<u8>), InputError> {
        let SourceDependency { address, include, bytes } = self.dependency(importer, reference)?;
        match (bytes, include) {
            (Some(Bytes::Others(bytes)), Ok(include)) => Ok((include.address.clone(), bytes.to_vec())),
            (Some(Bytes::Others(bytes)), Err(_)) => Ok((address.clone(), bytes.to_vec())),
            (_, Ok(include)) => Ok((include.address.clone(), include.source.text().as_bytes().to_vec())),
            (_, Err(refusal)) => Err(refusal.clone()),
        }
    }

    /// Returns the names of the sources in the directory at the path or URL `reference`, which ends with a slash; `None`
    /// if it can't be listed, or if `importer` must not include sources from it.
    pub fn list(&self, importer: &Address, reference: &str) -> Option<Vec<String>> {
        // The name of a file that need not exist, because only its position matters.
        let file = self.sources.resolve(importer, &format!("{reference}*")).ok()?;
        self.sources.list(&file.directory())
    }

    /// Returns the dependency on the source at a path or URL, which is read only once.
    fn dependency(&mut self, importer: &Address, reference: &str) -> Result<&SourceDependency, InputError> {
        let address = self.sources.resolve(importer, reference)?;
        let at = match self.known.get(&address) {
            Some(at) => *at,
            None => {
                self.dependencies.push(self.sources.read(&address));
                self.known.insert(address, self.dependencies.len() - 1);
                self.dependencies.len() - 1
            }
        };
        Ok(&self.dependencies[at])
    }

    /// Returns all sources that have been requested.
    pub(crate) fn into_dependencies(self) -> Vec<SourceDependency> {
        self.dependencies
    }
}

/// A source that a document includes.
#[derive(Debug)]
pub struct IncludedSource {
    /// The source: its text, ID and name.
    pub source: Arc<Source>,
    /// The address of the source.
    pub address: Address,
}

/// The reason why a source can't be read.
#[derive(Clone, Debug)]
pub struct InputError {
    /// The violated rule.
    pub rule: &'static Rule,
    /// The message.
    pub message: String,
    /// The help.
    pub help: Option<Help>,
}

impl InputError {
    /// Returns the problem, positioned at the span that refers to the source.
    pub fn at(&self, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.rule, span, self.message.clone());
        match &self.help {
            Some(help) => diagnostic.with_help(help.clone()),
            None => diagnostic,
        }
    }
}

/// Access to the sources that a document can include.
pub(crate) trait IncludeSources {
    /// Resolves a reference in a source to an address.
    fn resolve(&self, importer: &Address, reference: &str) -> Result<Address, InputError>;

    /// Reads the source at an address.
    fn read(&self, address: &Address) -> SourceDependency;

    /// Returns the names of the sources in a directory; `None` if it can't be listed.
    fn list(&self, directory: &Address) -> Option<Vec<String>>;
}

/// Another source that a document was created from, in its state at that time.
#[derive(Debug)]
pub(crate) struct SourceDependency {
    pub(crate) address: Address,
    pub(crate) include: Result<Arc<IncludedSource>, InputError>,
    /// The bytes, if the source could be read.
    bytes: Option<Bytes>,
}

impl SourceDependency {
    pub(crate) fn new(
        address: Address,
        include: Result<Arc<IncludedSource>, InputError>,
        bytes: Option<Bytes>,
    ) -> Self {
        Self { address, include, bytes }
    }

    /// Returns whether the source still has the same content; `bytes` is its current content.
    pub(crate) fn is_still(&self, bytes: Option<&[u8]>) -> bool {
        match (&self.bytes, bytes) {
            (Some(known), Some(bytes)) => {
                known.are(self.include.as_ref().map_or("", |include| include.source.text()), bytes)
            }
            (None, None) => true,
            _ => false,
        }
    }

    /// Returns whether two dependencies have the same address and content.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let text = |of: &Self| {
            of.include.as_ref().map_or_else(|_| SharedText::default(), |include| include.source.text().clone())
        };
        self.address == other.address && self.bytes == other.bytes && text(self) == text(other)
    }
}

/// The bytes from which text was decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// The same bytes as those of the text.
    Text,
    /// Different bytes: with a byte order mark, in a different encoding, or with an end that can't be decoded.
    Others(Arc<[u8]>),
}

impl Bytes {
    /// Returns whether `bytes` are the bytes from which `text` was decoded.
    pub(crate) fn are(&self, text: &str, bytes: &[u8]) -> bool {
        match self {
            Self::Text => text.as_bytes() == bytes,
            Self::Others(others) => **others == *bytes,
        }
    }
}
