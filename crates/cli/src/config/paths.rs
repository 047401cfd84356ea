//! The paths in configuration files, which change when files move.

use std::path::Path;

use tosca_parse::ard::{Kind, Node, NodeId};
use tosca_parse::source::regular;
use tosca_parse_server::Configuration;

use tosca_parse_config::{Data, LARGEST};

/// The keys of paths and of lists of paths.
const PATHS: [&str; 4] = ["profile_paths", "import_paths", "baseline", "cache_results"];

/// The keys of maps whose values are paths or lists of paths.
const MAPS: [&str; 2] = ["map_url", "options"];

/// Returns a configuration file with its paths; `None` if it can't be read. `opened` is its text in an editor.
pub(crate) fn configuration(path: &Path, opened: Option<Vec<u8>>) -> Option<Configuration> {
    let text = String::from_utf8(opened.or_else(|| regular::read(path, LARGEST).ok())?).ok()?;
    let data = Data::read(&path.display().to_string(), &text, Data::ALIASES_OF_CONFIGURATION).ok()?;
    let paths = data.root().map(paths).unwrap_or_default();
    let (source, document) = data.into_parts();
    Some(Configuration { path: path.to_owned(), source, document, paths })
}

fn paths(root: Node<'_>) -> Vec<NodeId> {
    let overrides = root.find("overrides").into_iter().flat_map(|entry| entry.value.items());
    let maps = std::iter::once(root).chain(overrides);
    let mut values: Vec<Node<'_>> = Vec::new();
    for map in maps {
        let find = |key: &str| map.find(key).map(|entry| entry.value);
        values.extend(PATHS.iter().filter_map(|key| find(key)));
        values.extend(MAPS.iter().filter_map(|key| find(key)).flat_map(Node::entries).map(|entry| entry.value));
    }
    let items = values.into_iter().flat_map(|value| match value.kind() {
        Kind::List => value.items().collect(),
        _ => vec![value],
    });
    let is_path = |node: &Node<'_>| node.kind() == Kind::String && !node.is_alias();
    let mut paths: Vec<NodeId> = items.filter(is_path).map(Node::id).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
