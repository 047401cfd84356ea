//! `#[derive(Enumerated)]`: the allowed values of a keyname.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Fields, Ident, LitStr, Result};

use crate::ast::{Errors, docs};
use crate::expand::versions;

/// The options of `#[enumerated(…)]`.
#[derive(Default)]
struct EnumAttrs {
    title: String,
    any_case: bool,
}

/// A variant with its `#[value(…)]` options.
struct EnumValue {
    ident: Ident,
    docs: String,
    name: String,
    since: Option<Expr>,
    until: Option<Expr>,
}

pub(crate) const ENUM_OPTIONS: &[&str] = &["title", "any_case"];
pub(crate) const VALUE_OPTIONS: &[&str] = &["name", "since", "until"];

/// Generates the implementations of `Enumerated` and `Scalar`.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let (attrs, values) = parse(input)?;
    let (ident, EnumAttrs { title, any_case }) = (&input.ident, attrs);
    let descriptions = values.iter().map(|EnumValue { docs, name, since, until, .. }| {
        let versions = versions(since.as_ref(), until.as_ref());
        quote!(::tosca_parse::entity::EnumValue { name: #name, docs: #docs, versions: #versions })
    });
    let variants = values.iter().map(|value| &value.ident);
    Ok(quote! {
        #[automatically_derived]
        impl ::tosca_parse::entity::Enumerated for #ident {
            const TITLE: &'static str = #title;
            const ANY_CASE: bool = #any_case;
            const VALUES: &'static [::tosca_parse::entity::EnumValue] = &[#(#descriptions),*];
            const VARIANTS: &'static [Self] = &[#(Self::#variants),*];
        }

        #[automatically_derived]
        impl ::tosca_parse::entity::Scalar for #ident {
            const WHAT: &'static str = #title;
            const FORM: ::tosca_parse::entity::Form = ::tosca_parse::entity::Form::Enumerated {
                values: <Self as ::tosca_parse::entity::Enumerated>::VALUES,
                any_case: #any_case,
            };

            fn read(
                reader: &mut ::tosca_parse::phase::read::Reader<'_>,
                node: ::tosca_parse::ard::Node<'_>,
            ) -> ::core::option::Option<Self> {
                reader.enum_value(node)
            }
        }
    })
}

fn parse(input: &DeriveInput) -> Result<(EnumAttrs, Vec<EnumValue>)> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only an enum can have values"));
    };
    let mut errors = Errors::default();
    let attrs = errors.keep(enum_attrs(&input.attrs)).unwrap_or_default();
    if attrs.title.is_empty() {
        let message = "an enum needs a title: `#[enumerated(title = \"status\")]`";
        errors.push(Error::new_spanned(&input.ident, message));
    }
    if data.variants.is_empty() {
        errors.push(Error::new_spanned(&input.ident, "there must be at least one value"));
    }
    let mut all: Vec<EnumValue> = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            errors.push(Error::new_spanned(&variant.fields, "a value can't have fields"));
        }
        let docs = docs(&variant.attrs);
        if docs.is_empty() {
            errors.push(Error::new_spanned(&variant.ident, "a value needs a doc comment: the reference shows it"));
        }
        let mut value =
            EnumValue { ident: variant.ident.clone(), docs, name: lowercase(&variant.ident), since: None, until: None };
        errors.keep(value.read(&variant.attrs));
        if all.iter().any(|other| other.name == value.name) {
            errors.push(Error::new_spanned(&variant.ident, format!("`{}` is already a value", value.name)));
        }
        all.push(value);
    }
    errors.finish((attrs, all))
}

fn enum_attrs(attrs: &[Attribute]) -> Result<EnumAttrs> {
    let mut out = EnumAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("enumerated")) {
        attr.parse_nested_meta(|meta| {
            match crate::attr::one_of(&meta, ENUM_OPTIONS)?.to_string().as_str() {
                "title" => out.title = meta.value()?.parse::<LitStr>()?.value(),
                _ => out.any_case = true,
            }
            Ok(())
        })?;
    }
    Ok(out)
}

impl EnumValue {
    fn read(&mut self, attrs: &[Attribute]) -> Result<()> {
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("value")) {
            attr.parse_nested_meta(|meta| {
                match crate::attr::one_of(&meta, VALUE_OPTIONS)?.to_string().as_str() {
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
