//! The settings of a run: the user's configuration, the project's, and the arguments.

mod paths;
mod show;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub(super) use paths::configuration;
pub(super) use show::show;

use super::args::SourceArgs;
use super::streams::Streams;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::source::{HttpOptions, HttpProvider, ObjectStoreOptions, ObjectStoreProvider, Provider};
use tosca_parse_config::{Arguments, Settings, UserFile, dirs, project};

/// Returns the settings for a file.
///
/// # Errors
///
/// Returns an error, as one line for the user, if a configuration is unreadable or invalid.
pub(super) fn of(access: &SourceArgs, file: &Path) -> Result<Settings, String> {
    let project = if access.no_config { None } else { project(file) };
    with(access, false, project.as_deref())
}

/// Returns the settings with the configuration of a project.
///
/// # Errors
///
/// Returns an error, as one line for the user, if a configuration is unreadable or invalid.
pub(super) fn with(access: &SourceArgs, is_sandboxed: bool, project: Option<&Path>) -> Result<Settings, String> {
    let user = match &access.config {
        _ if access.no_config => UserFile::Absent,
        Some(path) => UserFile::Named(path.clone()),
        None => UserFile::Installed,
    };
    let (map_url, limits) = (access.map_url.clone(), access.limit.clone());
    Ok(Settings::read(&Arguments { user, is_sandboxed, map_url, limits, ..Arguments::default() }, project)?)
}

/// Returns the HTTP options.
pub(super) fn http(settings: &Settings, access: &SourceArgs) -> HttpOptions {
    let cache = if access.no_cache { None } else { dirs::cache() };
    HttpOptions {
        cache: cache.map(|cache| cache.join("http")),
        user_agent: concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")).to_owned(),
        private_network: access.allow_private_network,
        ..settings.bounds.http.clone()
    }
}

/// Returns the options for object stores. `named` are the buckets that arguments name.
pub(super) fn object_stores(settings: &Settings, access: &SourceArgs, named: &BTreeSet<String>) -> ObjectStoreOptions {
    let buckets = access.allow_bucket.iter().chain(named).cloned().collect();
    ObjectStoreOptions { buckets, objects: settings.bounds.stores.objects, ..ObjectStoreOptions::default() }
}

/// Returns the providers of remote files; none if the network must not be used.
pub(super) fn remote_providers(settings: &Settings, access: &SourceArgs) -> Vec<Arc<dyn Provider>> {
    if access.offline {
        return Vec::new();
    }
    let objects = object_stores(settings, access, &BTreeSet::new());
    vec![
        Arc::new(HttpProvider::with_options(http(settings, access))),
        Arc::new(ObjectStoreProvider::new(http(settings, access), objects)),
    ]
}

/// Reports the ignored settings of the project.
pub(super) fn report(settings: &Settings, streams: &mut Streams) -> io::Result<()> {
    settings.ignored().iter().try_for_each(|message| writeln!(streams.err(), "warning: {}", sanitize(message)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tosca_parse_config::Bounds;

    #[test]
    fn defaults_are_those_of_the_library() {
        assert_eq!(Bounds::default().stores.objects, ObjectStoreOptions::default().objects);
    }
}
