//! The layout of packages: a manifest at the root and classes in a separate folder.

use tosca_parse::rules;
use tosca_parse::source::archive::{EntryPoints, Layout, at_root};
use tosca_parse::source::{SourceProblem, SourceRange};

use super::finder::MANIFEST;

/// Packages.
pub(super) static LAYOUT: Layout = Layout {
    descriptions: &[MANIFEST],
    start: |tree| {
        let has_manifest = tree.has(MANIFEST) || at_root(tree).iter().any(|path| path == MANIFEST);
        let reason = (!has_manifest).then(|| SourceProblem {
            rule: &rules::NO_ENTRY_DEFINITIONS,
            message: format!("there is no `{MANIFEST}` at the root of the package"),
            help: None,
            place: SourceRange::whole(&tree.whole()),
        });
        EntryPoints { entry: has_manifest.then(|| MANIFEST.to_owned()), reason, ..EntryPoints::default() }
    },
    ..Layout::PLAIN
};
