//! Imports (2.0, 6.8).

use crate::ard::{Kind, Node};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::nearest;
use crate::entity::{Checked, Checks, Field, Header, LocalId, Reference, Text};
use crate::grammar::version::V2_0;
use crate::grammar::{IMPORT_KEYNAMES, Import, Repository};
use crate::phase::read::{ImportRequest, Reader};
use crate::rules;
use crate::source::ImportTarget;

impl Checked for Import {
    const CHECKS: Checks<Self> = Checks::NEW.import(request);
}

/// Returns the import request (2.0, 6.8.2): either a file or a profile.
fn request(import: &Import, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    if import.named.is_set() && import.url.is_none() {
        // The import below the name is a separate entity that has been requested.
        return None;
    }
    let document = reader.document();
    let node = document.node(reader.header(id)?.node);
    let named = import.url.or(import.profile).map(|Text(position)| document.node(position.node));
    let named = named.or_else(|| misspelled_file(reader, node)).unwrap_or(node);
    let target = target(import, reader, (document.node(reader.header(id)?.key), node));
    let namespace = import.namespace.map(|Text(position)| document.node(position.node));
    if let Some(empty) = namespace.filter(|namespace| namespace.kind() == Kind::String && namespace.text().is_empty()) {
        reader
            .problem(&rules::INVALID_NAME, empty, "a namespace must not be empty")
            .help("write a name, or remove the keyname");
    }
    let prefix = namespace.map(|namespace| reader.interner().intern(namespace.text()));
    if target.is_none() && prefix.is_none() {
        reader.mark_imports_missing();
    }
    Some(ImportRequest { entity: id, node: named.id(), target, prefix, is_reference: false })
}

fn target(import: &Import, reader: &mut Reader<'_>, (key, node): (Node<'_>, Node<'_>)) -> Option<ImportTarget> {
    let document = reader.document();
    let text = |Text(position): Text| document.node(position.node).text().to_owned();
    let file = import.url.map(text).or_else(|| Some(misspelled_file(reader, node)?.text().to_owned()));
    match (file, import.profile) {
        (Some(url), None) => {
            let repository = match import.repository {
                Some(reference) => {
                    let of_name = |(header, repository): (Header, &Repository)| {
                        (header.name == reference.name).then_some(repository.url)
                    };
                    let Some(url) = reader.entities().find_map(of_name) else {
                        unknown_repository(reader, node, reference);
                        return None;
                    };
                    Some(text(url?))
                }
                None => None,
            };
            Some(ImportTarget::Url { url, repository })
        }
        (None, Some(profile)) => Some(ImportTarget::Profile(text(profile))),
        (Some(_), Some(_)) => None,
        (None, None) => {
            let is_read = matches!(node.kind(), Kind::Map | Kind::Null) && !node.is_placeholder();
            if reader.version() < V2_0 && is_read && node.find("file").is_none() {
                reader
                    .problem(&rules::MISSING_KEYNAME, key, "the import lacks the mandatory keyname `file`")
                    .help("add `file: …`");
            }
            None
        }
    }
}

/// Returns the value of a misspelled `file`, which has been reported.
fn misspelled_file<'n>(reader: &Reader<'_>, import: Node<'n>) -> Option<Node<'n>> {
    let is_it =
        |key: Node<'_>| !IMPORT_KEYNAMES.contains(&key.text()) && nearest(key.text(), IMPORT_KEYNAMES) == Some("file");
    let entries = import.entries().filter(|_| reader.version() < V2_0 && import.find("file").is_none());
    entries.filter(|entry| is_it(entry.key)).map(|entry| entry.value).find(|value| value.kind() == Kind::String)
}

fn unknown_repository(reader: &mut Reader<'_>, import: Node<'_>, reference: Reference<Repository>) {
    let Some(entry) = import.find("repository") else { return };
    let interner = reader.interner();
    let names = reader.entities::<Repository>().map(|(header, _)| interner.text(header.name));
    let help = match reader.suggestions().nearest(interner.text(reference.name), names) {
        Some(near) => Help::did_you_mean(near),
        None => "an import can only use a repository that the same file declares".into(),
    };
    let message = format!("there is no repository `{}`", interner.text(reference.name));
    reader.problem(&rules::UNKNOWN_NAME, entry.value, message).help(help);
}
