//! What turns the text of a source into raw data.
//!
//! That is YAML unless something else says that a source is its own. A syntax may be more than a notation: one that is
//! evaluated makes its data of several sources. Then all of them are what the unit depends on, nodes tell which source
//! they come from, and the phases see no difference. [`Assembler`](crate::ard::Assembler) makes such documents.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ard::{Document, Limits, Options};
use crate::diagnostic::{Diagnostic, Rule, Span};
use crate::source::{Address, Source};
use crate::symbol::Interner;
use crate::text::SharedText;

/// A way of writing raw data down, other than YAML.
///
/// A parser is told of it with [`ParserBuilder::syntax`](crate::ParserBuilder::syntax), and uses it for whatever
/// language, in many threads at once.
pub trait Syntax: Send + Sync {
    /// The name, such as `YAML`.
    fn name(&self) -> &'static str;

    /// Whether a source is written in it, by its address and its text.
    fn claims(&self, address: &Address, text: &str) -> bool;

    /// Makes a document of a text, and a list of problems, whose places are in the text or in one of the others that
    /// it has [asked for](Input::other). There is a document in any case; one that is not
    /// [complete](Document::is_complete) lacks what may not be missed.
    fn read(&self, input: &mut Input<'_>) -> (Document, Vec<Diagnostic>);
}

/// What a [`Syntax`] reads, and what it may read besides.
pub struct Input<'a> {
    /// The text, with its number and its name.
    pub source: &'a Source,
    /// Where it stands.
    pub address: &'a Address,
    /// The names that keys become.
    pub interner: &'a Interner,
    /// How a text is to be read.
    pub options: &'a Options,
    /// Whether only the beginning of the text is there, since the rest is no text, which has been reported.
    pub is_cut: bool,
    library: &'a dyn Others,
    ingredients: Vec<Ingredient>,
    /// Which of them stands at an address.
    known: FxHashMap<Address, usize>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(
        source: &'a Source,
        address: &'a Address,
        (interner, options): (&'a Interner, &'a Options),
        is_cut: bool,
        library: &'a dyn Others,
    ) -> Self {
        Self {
            source,
            address,
            interner,
            options,
            is_cut,
            library,
            ingredients: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// What is refused because of its size.
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// Another source, at a path or URL that is written in a source. It is read once, however often it is asked for.
    ///
    /// # Errors
    ///
    /// There is nothing there, it is not text, or it is outside of what the source may read.
    pub fn other(&mut self, importer: &Address, reference: &str) -> Result<Arc<Other>, Refusal> {
        self.ingredient(importer, reference)?.other.clone()
    }

    /// The bytes of another source, which need not be text, and where they stand.
    ///
    /// # Errors
    ///
    /// There is nothing there, or it is outside of what the source may read.
    pub fn other_bytes(&mut self, importer: &Address, reference: &str) -> Result<(Address, Vec<u8>), Refusal> {
        let Ingredient { address, other, bytes } = self.ingredient(importer, reference)?;
        match (bytes, other) {
            (Some(Bytes::Others(bytes)), Ok(other)) => Ok((other.address.clone(), bytes.to_vec())),
            (Some(Bytes::Others(bytes)), Err(_)) => Ok((address.clone(), bytes.to_vec())),
            (_, Ok(other)) => Ok((other.address.clone(), other.source.text().as_bytes().to_vec())),
            (_, Err(refusal)) => Err(refusal.clone()),
        }
    }

    /// What there is at a path or URL; asked for once.
    fn ingredient(&mut self, importer: &Address, reference: &str) -> Result<&Ingredient, Refusal> {
        let address = self.library.resolve(importer, reference)?;
        let at = match self.known.get(&address) {
            Some(at) => *at,
            None => {
                self.ingredients.push(self.library.read(&address));
                self.known.insert(address, self.ingredients.len() - 1);
                self.ingredients.len() - 1
            }
        };
        Ok(&self.ingredients[at])
    }

    /// What has been asked for.
    pub(crate) fn into_ingredients(self) -> Vec<Ingredient> {
        self.ingredients
    }
}

/// A source that a document is made of besides its own.
#[derive(Debug)]
pub struct Other {
    /// The text, with its number and its name.
    pub source: Arc<Source>,
    /// Where it stands.
    pub address: Address,
}

/// Why a source can't be had.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What kind of problem it is.
    pub rule: &'static Rule,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Refusal {
    /// The problem, at the place that asks for the source.
    pub fn at(&self, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.rule, span, self.message.clone());
        match &self.help {
            Some(help) => diagnostic.with_help(help.clone()),
            None => diagnostic,
        }
    }
}

/// Where further sources come from.
pub(crate) trait Others {
    /// The address of what a source names.
    fn resolve(&self, importer: &Address, reference: &str) -> Result<Address, Refusal>;

    /// What there is at an address.
    fn read(&self, address: &Address) -> Ingredient;
}

/// What there was at an address when a document was made.
#[derive(Debug)]
pub(crate) struct Ingredient {
    pub(crate) address: Address,
    pub(crate) other: Result<Arc<Other>, Refusal>,
    /// The bytes, if there were any.
    bytes: Option<Bytes>,
}

impl Ingredient {
    pub(crate) fn new(address: Address, other: Result<Arc<Other>, Refusal>, bytes: Option<Bytes>) -> Self {
        Self { address, other, bytes }
    }

    /// Whether there is still the same.
    pub(crate) fn is_still(&self, bytes: Option<&[u8]>) -> bool {
        match (&self.bytes, bytes) {
            (Some(known), Some(bytes)) => known.are(self.other.as_ref().map_or("", |other| other.source.text()), bytes),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether it is what another one is.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let text =
            |of: &Self| of.other.as_ref().map_or_else(|_| SharedText::default(), |other| other.source.text().clone());
        self.address == other.address && self.bytes == other.bytes && text(self) == text(other)
    }
}

/// The bytes that a text was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// Those of the text.
    Text,
    /// Others: it had a byte order mark, another encoding, or an end that is no text.
    Others(Arc<[u8]>),
}

impl Bytes {
    /// Whether they are these, for the text that was made of them.
    pub(crate) fn are(&self, text: &str, bytes: &[u8]) -> bool {
        match self {
            Self::Text => text.as_bytes() == bytes,
            Self::Others(others) => **others == *bytes,
        }
    }
}
