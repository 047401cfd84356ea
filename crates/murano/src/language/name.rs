//! Names of classes and their namespaces.

use tosca_parse::ard::{Kind as NodeKind, Node};
use tosca_parse::diagnostic::Help;
use tosca_parse::entity::{Scalar, Section};
use tosca_parse::phase::read::Reader;
use tosca_parse_yaql::Result;

use super::rules;
use crate::name::{Namespaces, resolve};

/// The namespaces that prefixes stand for. They apply until a later document declares new ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefixes(pub Namespaces);

impl Scalar for Prefixes {
    const WHAT: &'static str = "a map of prefixes to namespaces";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        if node.kind() != NodeKind::Map {
            reader.wrong_kind(node, "`Namespaces`", "a map of prefixes to namespaces");
            return None;
        }
        reader.enter_scope(node);
        let mut sound = Vec::with_capacity(node.len());
        for entry in node.entries() {
            let pair = (entry.key.text().to_owned(), namespace(entry.value).to_owned());
            match Namespaces::new([pair.clone()]) {
                Ok(_) => sound.push(pair),
                Err(error) => {
                    let is_prefix = error.message().contains("prefix");
                    let at = if is_prefix { entry.key } else { entry.value };
                    let what = if is_prefix { "namespace prefix" } else { "namespace" };
                    reader
                        .problem(&rules::INVALID_NAMESPACE, at, format!("`{}` is not a {what}", at.text()))
                        .help("use letters, digits and `_`, but no leading digit; a namespace may also contain dots");
                }
            }
        }
        Namespaces::new(sound).ok().map(Self)
    }
}

/// Returns a namespace as written; null is the empty one.
fn namespace(node: Node<'_>) -> &str {
    if node.kind() == NodeKind::Null { "" } else { node.text() }
}

/// Returns the qualified form of a name, by the namespaces that are in force where it is read.
pub(super) fn qualified(reader: &Reader<'_>, name: &str) -> Result<String> {
    let scope = reader.scope();
    resolve(name, |prefix| scope?.find(prefix).map(|entry| namespace(entry.value)))
}

/// Like [`qualified`], for the engine; malformed names are reported.
pub(super) fn qualify_name(reader: &mut Reader<'_>, _: Section, node: Node<'_>) -> Option<String> {
    match qualified(reader, node.text()) {
        Ok(name) => Some(name),
        Err(_) => {
            let (message, help) = unqualified(reader, node.text());
            reader.problem(&rules::INVALID_NAME_OF_TYPE, node, message).help(help);
            None
        }
    }
}

/// Returns why a name has no qualified form, and the help.
pub(super) fn unqualified(reader: &Reader<'_>, name: &str) -> (String, Help) {
    let prefix = name.split_once(':').map(|(prefix, _)| prefix).filter(|prefix| !prefix.is_empty());
    let known = |prefix: &str| reader.scope().is_some_and(|scope| scope.find(prefix).is_some());
    match prefix.filter(|prefix| !known(prefix) && resolve(name, |_| Some("")).is_ok()) {
        Some(prefix) => {
            let prefixes = reader.scope().into_iter().flat_map(Node::entries).map(|entry| entry.key.text());
            let near = reader.suggestions().nearest(prefix, prefixes);
            let help = near.map_or_else(
                || format!("add `{prefix}: …` to `Namespaces`").into(),
                |near| Help::did_you_mean(name.replacen(prefix, near, 1)),
            );
            (format!("no namespace has the prefix `{prefix}`"), help)
        }
        None => {
            let help = "write words separated by dots, with or without the prefix of a namespace";
            (format!("`{name}` is not a valid class name"), help.into())
        }
    }
}
