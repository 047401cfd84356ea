//! Checks before a rename: whether a symbol can be renamed and whether the new name is valid.

use std::path::Path;

use tosca_parse::ard::{self, Kind};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{Functions, Parameter};
use tosca_parse::source::Address;
use tosca_parse::symbol::Interner;

use crate::files::File;
use crate::index::Name;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Position, Range};
use crate::references::{self, Goal, Search, Subject};
use crate::server::Server;

/// Returns the reason why a symbol can't be renamed, if its declaration can't be edited.
pub(crate) fn fixed(server: &Server<'_>, subject: &Subject) -> Option<String> {
    let title = &subject.title;
    if subject.identities.is_empty() {
        return Some(format!("{title} is built in"));
    }
    subject.identities.iter().find_map(|(file, ..)| {
        let address = Address::parse(file).ok()?;
        let Some(path) = address.to_path() else {
            return Some(match address.scheme() {
                "builtin" => format!("{title} is built in"),
                _ => format!("{title} is declared in {file}, which can't be edited"),
            });
        };
        if is_copy(server, &path) {
            return Some(format!("{title} is built in"));
        }
        let is_outside = || format!("{title} is declared in {}, outside the workspace", path.display());
        (!is_editable(server, &address)).then(is_outside)
    })
}

/// Returns the reason why the name at a position can't be renamed if it is in an expression.
pub(crate) fn in_expression(parsed: &Parsed, at: Position) -> Option<String> {
    let unit = parsed.unit()?;
    let offset = place::offset(&unit.source, at);
    let is_here =
        |node: &ard::Node<'_>| node.span().source == unit.id && (node.span().start..=node.span().end).contains(&offset);
    let found = unit.document.nodes().filter(is_here).any(|node| references::is_expression(unit, node));
    found.then(|| "names in expressions can't be renamed: rename the declaration, if no expression uses it".to_owned())
}

/// Returns whether a file can be edited: it is open, or in the workspace.
pub(crate) fn is_editable(server: &Server<'_>, file: &Address) -> bool {
    let is_inside = |path: &Path| {
        let is_inside = server.folders.is_empty() || server.folders.iter().any(|folder| path.starts_with(folder));
        is_inside && !is_copy(server, path)
    };
    server.documents.get(file).is_some() || file.to_path().is_some_and(|path| is_inside(&path))
}

/// Returns whether a file is a copy of a built-in source.
fn is_copy(server: &Server<'_>, path: &Path) -> bool {
    server.host.copies().is_some_and(|copies| path.starts_with(copies))
}

/// Returns the ranges of the name at a position in a file, if they can be edited together: the name is declared and
/// used only in this file, always in the same form. `None` if this is unknown because another file has not been parsed.
/// A change to this file makes the programs of its importers out of date, but not the words in them.
pub(crate) fn linked(server: &Server<'_>, file: &Address, parsed: &Parsed, at: Position) -> Option<Vec<Range>> {
    let subject = references::subject(parsed, at)?;
    let file = file.to_string();
    let is_own = subject.identities.iter().all(|(other, ..)| *other == file) && !subject.identities.is_empty();
    let is_complete = parsed.unit()?.document.is_complete();
    if !is_own || !is_complete {
        return None;
    }
    let search = Search { subject, goal: Goal::Mentions };
    let is_known = |(_, other): (&Name, &File)| other.is_known_apart_from(&file) || other.has_failed();
    if !server.files.iter().filter(|(name, _)| ***name != *file).all(is_known) {
        return None;
    }
    let may_contain = search.filter();
    let mut others = server.files.readers(&file).filter(|name| ***name != *file);
    let is_used_elsewhere = others.any(|name| {
        let Some(other) = server.files.get(name) else { return true };
        match &other.parsed {
            Some(parsed) if server.is_fresh(name) => search.of_entry(parsed).is_none_or(|found| found.is_mentioned()),
            Some(parsed) => search.may_occur(parsed, server.files.names()),
            None => other.record.as_ref().is_none_or(&may_contain),
        }
    });
    let found = search.of_entry(parsed).filter(|found| !is_used_elsewhere && !found.has_other_forms)?;
    let ranges: Vec<Range> = found.occurrences.iter().map(|occurrence| occurrence.range).collect();
    (ranges.len() > 1).then_some(ranges)
}

/// Returns the reason why a string can't be the new name of a symbol, if there is one.
pub(crate) fn invalid(parsed: &Parsed, subject: &Subject, name: &str) -> Option<String> {
    if name == subject.written {
        return Some(format!("`{name}` is already the name"));
    }
    if subject.written != subject.name && name.contains('.') {
        return Some(format!("`{name}` is not a valid name: a namespace can't be changed here"));
    }
    if !is_plain(name) {
        return Some(format!(
            "`{name}` is not a valid name: it must begin with a letter or `_` and contain only letters, digits, `_`, \
             `-` and `.`"
        ));
    }
    let unit = parsed.unit()?;
    let options = ard::Options { dialect: unit.language.yaml, ..ard::Options::default() };
    let (document, _) = ard::read(SourceId(0), name.into(), &Interner::new(), &options);
    // A language may read a file as a list of documents.
    let root =
        document.root().and_then(|root| if root.kind() == Kind::List { root.items().next() } else { Some(root) });
    if root.is_none_or(|root| root.kind() != Kind::String) {
        return Some(format!("`{name}` is not a valid name: YAML does not read it as a string"));
    }
    let functions = (unit.language.functions)(unit.version);
    functions.is_some_and(|functions| is_reserved(functions, name)).then(|| format!("`{name}` is a reserved word"))
}

/// Returns the search for a rename. If only the last part of a dotted name changes, only this part is replaced, so that
/// short forms of the name can follow.
pub(crate) fn goal(subject: &Subject, name: &str) -> Goal {
    let (new_name, part, text) = match subject.name.strip_suffix(&*subject.written) {
        Some(words) if !words.is_empty() => (format!("{words}{name}"), Some(&*subject.written), name),
        _ => {
            let parts = subject.name.rsplit_once('.').zip(name.rsplit_once('.'));
            let last = parts.filter(|((old, _), (new, _))| old == new).map(|((_, old), (_, new))| (old, new));
            (name.to_owned(), last.map(|(old, _)| old), last.map_or(name, |(_, new)| new))
        }
    };
    Goal::Rename { new_name, part: part.map(str::to_owned), text: text.to_owned() }
}

/// Returns whether a string can be written as a name without quotes.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') && text.chars().all(is_plain)
}

/// Returns whether `name` has a fixed meaning in the arguments of the given functions.
fn is_reserved(functions: &Functions, name: &str) -> bool {
    let parameters = functions.list.iter().flat_map(|function| function.parameters.iter().chain(&function.rest));
    parameters.into_iter().any(|parameter| match parameter {
        Parameter::Name(lookup) | Parameter::Other { name: Some(lookup), .. } => lookup.known.contains(&name),
        Parameter::Value | Parameter::File | Parameter::Other { .. } => false,
    })
}
