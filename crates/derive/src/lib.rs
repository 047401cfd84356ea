//! The derive macro of tosca-parse.
//!
//! `#[derive(Entity)]` turns the annotations of a struct's fields into a static description. The phases use this
//! description to read entities, look up names, inherit and render. [`Entity`](macro@Entity) documents every
//! annotation.
//!
//! The examples are tested in the engine, because a dependency on it would be circular.
//!
//! Modules: `ast` and `attr` read the input, `valid` checks it, and `expand` generates the code.

mod ast;
mod attr;
mod enumerated;
mod expand;
#[cfg(test)]
mod tests;
mod valid;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

#[cfg_attr(not(doctest), doc = include_str!("annotations.md"))]
#[proc_macro_derive(Entity, attributes(entity, field))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

#[cfg_attr(not(doctest), doc = include_str!("enumerated.md"))]
#[proc_macro_derive(Enumerated, attributes(enumerated, value))]
pub fn derive_enumerated(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    enumerated::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn derive(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let entity = ast::Entity::parse(input)?;
    valid::check(&entity)?;
    Ok(expand::expand(&entity))
}
