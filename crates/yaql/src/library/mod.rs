//! The functions of YAQL, each with the signature from its documentation.

mod branch;
mod collection;
mod context;
mod dictionary;
mod format;
mod legacy;
mod list;
mod number;
mod order;
mod regex;
mod set;
mod string;
mod timestamp;
mod type_tests;
mod walk;

use std::rc::Rc;

pub(crate) use self::order::Ordering;
use crate::error::Result;
use crate::function::{Call, Library};
use crate::value::Value;

type Body = fn(&mut Call<'_>) -> Result<Value>;

/// Functions, each with its signature and body.
type Table = &'static [(&'static str, Body)];

thread_local! {
    static STANDARD: Rc<Library> = assemble(&[
        branch::TABLE,
        collection::TABLE,
        context::TABLE,
        dictionary::TABLE,
        list::TABLE,
        timestamp::TABLE,
        number::TABLE,
        order::TABLE,
        regex::TABLE,
        set::TABLE,
        string::TABLE,
        type_tests::TABLE,
        walk::TABLE,
    ]);
    static FORMATTING: Rc<Library> = assemble(&[format::TABLE]);
    static LEGACY: Rc<Library> = assemble(&[legacy::TABLE]);
}

fn assemble(tables: &[Table]) -> Rc<Library> {
    let mut library = Library::new();
    for (signature, body) in tables.iter().copied().flatten() {
        library.add(signature, *body);
    }
    Rc::new(library)
}

/// Returns the functions of YAQL.
pub fn standard() -> Rc<Library> {
    STANDARD.with(Rc::clone)
}

/// Returns `format` for strings, which YAQL 3 dropped and `MuranoPL` relies on.
pub fn formatting() -> Rc<Library> {
    FORMATTING.with(Rc::clone)
}

/// Returns the functions that differ in YAQL 0.2, and those that only it has. They extend the standard ones.
pub fn legacy() -> Rc<Library> {
    LEGACY.with(Rc::clone)
}

/// Returns a count, or the given alternative if the count is below zero.
fn count_or(number: i64, otherwise: usize) -> usize {
    usize::try_from(number).unwrap_or(otherwise)
}
