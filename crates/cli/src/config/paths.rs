//! The paths in configuration files, which change when files move.

use std::path::Path;

use tosca_parse::ard::{Kind, Node, NodeId};
use tosca_parse::source::regular;
use tosca_parse_server::Configuration;

use tosca_parse_config::{Data, LARGEST};

/// The keys of paths and of lists of paths.
const PATHS: [&str; 4] = ["profile_paths", "import_paths", "baseline", "cache_results"];

/// The keys of lists of patterns.
const PATTERNS: [&str; 2] = ["exclude", "files"];

/// The keys of maps whose values are paths or lists of paths.
const MAPS: [&str; 2] = ["map_url", "options"];

/// Returns a configuration file with its paths; `None` if it can't be read. `opened` is its text in an editor.
pub(crate) fn configuration(path: &Path, opened: Option<Vec<u8>>) -> Option<Configuration> {
    let text = String::from_utf8(opened.or_else(|| regular::read(path, LARGEST).ok())?).ok()?;
    let data = Data::read(&path.display().to_string(), &text, Data::ALIASES_OF_CONFIGURATION).ok()?;
    let paths = data.root().map(paths).unwrap_or_default();
    let patterns = data.root().map(patterns).unwrap_or_default();
    let (source, document) = data.into_parts();
    Some(Configuration { path: path.to_owned(), source, document, paths, patterns })
}

/// Returns the maps of settings: the whole file and the overrides.
fn maps(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let overrides = root.find("overrides").into_iter().flat_map(|entry| entry.value.items());
    std::iter::once(root).chain(overrides)
}

fn patterns(root: Node<'_>) -> Vec<NodeId> {
    strings(maps(root).flat_map(|map| PATTERNS.iter().filter_map(move |key| Some(map.find(key)?.value))))
}

fn paths(root: Node<'_>) -> Vec<NodeId> {
    let mut values: Vec<Node<'_>> = Vec::new();
    for map in maps(root) {
        let find = |key: &str| map.find(key).map(|entry| entry.value);
        values.extend(PATHS.iter().filter_map(|key| find(key)));
        values.extend(MAPS.iter().filter_map(|key| find(key)).flat_map(Node::entries).map(|entry| entry.value));
    }
    strings(values)
}

/// Returns the strings among values and the items of lists, each once.
fn strings<'a>(values: impl IntoIterator<Item = Node<'a>>) -> Vec<NodeId> {
    let items = values.into_iter().flat_map(|value| match value.kind() {
        Kind::List => value.items().collect(),
        _ => vec![value],
    });
    let is_string = |node: &Node<'_>| node.kind() == Kind::String && !node.is_alias();
    let mut strings: Vec<NodeId> = items.filter(is_string).map(Node::id).collect();
    strings.sort_unstable();
    strings.dedup();
    strings
}
