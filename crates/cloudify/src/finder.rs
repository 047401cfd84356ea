//! The locations of plugins, blueprints and the standard types.

use std::path::Path;

use tosca_parse::source::{Address, Finder, FinderContext, NameQuery};

use crate::version::short_name;

/// The import of the standard types.
pub(crate) const STANDARD_TYPES: &str = "cloudify/types/types.yaml";

/// The prefix for imports of plugins.
pub(crate) const PLUGIN: &str = "plugin:";

/// The prefix for imports of blueprints that the manager has.
pub(crate) const BLUEPRINT: &str = "blueprint:";

/// A finder for plugins and blueprints in the folders `plugins` and `blueprints`, next to the blueprint and in the
/// folders of the user.
pub(crate) struct Folders {
    context: FinderContext,
}

impl Folders {
    pub(crate) fn new(context: &FinderContext) -> Self {
        Self { context: context.clone() }
    }

    /// Returns the first file that exists, in the folders that are searched for plugins and blueprints.
    fn first(&self, entry: &Address, path: &str, names: &[String]) -> Option<Address> {
        let file = |folder: &Address, name: &String| folder.join(&format!("{path}/{name}")).ok();
        let beside = entry.directory();
        let mut beside_entry = names.iter().filter_map(|name| file(&beside, name));
        // A link must not lead out of the folder of the blueprint, because the blueprint may be untrusted.
        let root = self.identity(&beside).as_directory().to_string();
        let found =
            beside_entry.find(|file| self.context.exists(file) && self.identity(file).to_string().starts_with(&root));
        let mut others =
            self.search_paths().into_iter().flat_map(|folder| names.iter().filter_map(move |name| file(&folder, name)));
        found.or_else(|| others.find(|file| self.context.exists(file)))
    }

    fn identity(&self, address: &Address) -> Address {
        let provider = self.context.providers.iter().find(|provider| provider.serves(address));
        provider.map_or_else(|| address.clone(), |provider| provider.identity(address))
    }
}

/// Returns the name of a plugin or blueprint, if it is a single name without a path.
fn single(name: &str) -> Option<&str> {
    let is_name =
        |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0', '%', '#', ':', '?']);
    is_name(name).then_some(name)
}

/// Returns a file name with a version before its extension.
fn versioned(name: &str, version: u8) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "yaml"));
    format!("{stem}_{}.{ending}", short_name(version))
}

impl Finder for Folders {
    fn find(&self, query: &NameQuery<'_>) -> Option<Address> {
        if let Some(plugin) = query.name.strip_prefix(PLUGIN) {
            let name = single(plugin.split('?').next().unwrap_or_default())?;
            let files = [versioned("plugin.yaml", query.version), "plugin.yaml".to_owned()];
            return self.first(query.entry, &format!("plugins/{name}"), &files);
        }
        if let Some(blueprint) = query.name.strip_prefix(BLUEPRINT) {
            let name = single(blueprint)?;
            return self.first(query.entry, &format!("blueprints/{name}"), &["blueprint.yaml".to_owned()]);
        }
        if query.name != STANDARD_TYPES {
            return None;
        }
        let local = query.importer.join(STANDARD_TYPES).ok().filter(|local| self.context.exists(local));
        let built_in = match short_name(query.version) {
            "1_3" => "builtin:/cloudify/types_1_3.yaml",
            "1_5" => "builtin:/cloudify/types.yaml",
            // Versions before 1.3 have no standard types: this file is reported as newer than the blueprint.
            _ => "builtin:/cloudify/types_1_4.yaml",
        };
        local.or_else(|| Address::parse(built_in).ok())
    }

    fn search_paths(&self) -> Vec<Address> {
        let paths = self.context.paths.iter();
        paths.map(|path| Address::from_path(path, Path::new("/")).as_directory()).collect()
    }

    fn help(&self, query: &NameQuery<'_>) -> Option<String> {
        let name = |prefix| single(query.name.strip_prefix(prefix)?.split('?').next()?);
        if let Some(name) = name(PLUGIN) {
            return Some(format!("put the file of the plugin next to the blueprint, as `plugins/{name}/plugin.yaml`"));
        }
        let name = name(BLUEPRINT)?;
        Some(format!("put the blueprint next to this one, as `blueprints/{name}/blueprint.yaml`"))
    }
}
