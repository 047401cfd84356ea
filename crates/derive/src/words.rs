//! `#[derive(Words)]`: the allowed values of a keyname.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Fields, Ident, LitStr, Result};

use crate::ast::{Errors, docs};
use crate::expand::versions;

/// The options of `#[words(…)]`.
#[derive(Default)]
struct WordsAttrs {
    title: String,
    any_case: bool,
}

/// A variant with its `#[word(…)]` options.
struct Word {
    ident: Ident,
    docs: String,
    name: String,
    since: Option<Expr>,
    until: Option<Expr>,
}

pub(crate) const WORDS_OPTIONS: &[&str] = &["title", "any_case"];
pub(crate) const WORD_OPTIONS: &[&str] = &["name", "since", "until"];

/// Writes the implementations of `Words` and `Scalar`.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let (attrs, words) = parse(input)?;
    let (ident, WordsAttrs { title, any_case }) = (&input.ident, attrs);
    let descriptions = words.iter().map(|Word { docs, name, since, until, .. }| {
        let versions = versions(since.as_ref(), until.as_ref());
        quote!(::tosca_parse::entity::Word { name: #name, docs: #docs, versions: #versions })
    });
    let variants = words.iter().map(|word| &word.ident);
    Ok(quote! {
        #[automatically_derived]
        impl ::tosca_parse::entity::Words for #ident {
            const TITLE: &'static str = #title;
            const ANY_CASE: bool = #any_case;
            const WORDS: &'static [::tosca_parse::entity::Word] = &[#(#descriptions),*];
            const VALUES: &'static [Self] = &[#(Self::#variants),*];
        }

        #[automatically_derived]
        impl ::tosca_parse::entity::Scalar for #ident {
            const WHAT: &'static str = #title;
            const FORM: ::tosca_parse::entity::Form = ::tosca_parse::entity::Form::Words {
                words: <Self as ::tosca_parse::entity::Words>::WORDS,
                any_case: #any_case,
            };

            fn read(
                reader: &mut ::tosca_parse::phase::read::Reader<'_>,
                node: ::tosca_parse::ard::Node<'_>,
            ) -> ::core::option::Option<Self> {
                reader.word(node)
            }
        }
    })
}

fn parse(input: &DeriveInput) -> Result<(WordsAttrs, Vec<Word>)> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "words are the variants of an enum"));
    };
    let mut errors = Errors::default();
    let attrs = errors.keep(words(&input.attrs)).unwrap_or_default();
    if attrs.title.is_empty() {
        let message = "words need a title: `#[words(title = \"status\")]`";
        errors.push(Error::new_spanned(&input.ident, message));
    }
    if data.variants.is_empty() {
        errors.push(Error::new_spanned(&input.ident, "there must be at least one word"));
    }
    let mut all: Vec<Word> = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            errors.push(Error::new_spanned(&variant.fields, "a word has no fields"));
        }
        let docs = docs(&variant.attrs);
        if docs.is_empty() {
            errors
                .push(Error::new_spanned(&variant.ident, "a word needs a doc comment: the reference is made from it"));
        }
        let mut word =
            Word { ident: variant.ident.clone(), docs, name: lowercase(&variant.ident), since: None, until: None };
        errors.keep(word.read(&variant.attrs));
        if all.iter().any(|other| other.name == word.name) {
            errors.push(Error::new_spanned(&variant.ident, format!("`{}` is there already", word.name)));
        }
        all.push(word);
    }
    errors.finish((attrs, all))
}

fn words(attrs: &[Attribute]) -> Result<WordsAttrs> {
    let mut out = WordsAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("words")) {
        attr.parse_nested_meta(|meta| {
            match crate::attr::one_of(&meta, WORDS_OPTIONS)?.to_string().as_str() {
                "title" => out.title = meta.value()?.parse::<LitStr>()?.value(),
                _ => out.any_case = true,
            }
            Ok(())
        })?;
    }
    Ok(out)
}

impl Word {
    fn read(&mut self, attrs: &[Attribute]) -> Result<()> {
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("word")) {
            attr.parse_nested_meta(|meta| {
                match crate::attr::one_of(&meta, WORD_OPTIONS)?.to_string().as_str() {
                    "name" => self.name = meta.value()?.parse::<LitStr>()?.value(),
                    "since" => self.since = Some(meta.value()?.parse()?),
                    _ => self.until = Some(meta.value()?.parse()?),
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Converts a name such as `NotYet` to `not_yet`.
fn lowercase(ident: &Ident) -> String {
    let mut name = String::new();
    for (index, letter) in ident.to_string().char_indices() {
        if letter.is_uppercase() && index > 0 {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
