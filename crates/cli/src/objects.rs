//! Finds everything in a folder of an object store that can be validated.

use std::collections::BTreeSet;
use std::path::Path;

use super::args::SourceArgs;
use super::config;
use super::folder;
use tosca_parse::source::{Address, ObjectStoreProvider, ReadError};
use tosca_parse_config::{Settings, is_configuration, languages};

/// The maximum number of starts of objects in memory.
const MAX_STARTS: usize = 256;

/// Returns the templates and archives below a folder, sorted by key, without hidden ones.
///
/// # Errors
///
/// Returns a one-line message for the user if the folder can't be listed, has too many objects or has no templates.
pub(super) fn find(folder: &Address, access: &SourceArgs, settings: &Settings) -> Result<Vec<Address>, String> {
    let name = folder.display_name(None);
    let failed = |error: &ReadError| {
        let hint = match error {
            ReadError::TooManyObjects { .. } => {
                "; list a smaller folder, or raise the limit: `--limit store-objects=…`".to_owned()
            }
            error => error.help().map(|help| format!("; {help}")).unwrap_or_default(),
        };
        format!("can't list `{name}`: {error}{hint}")
    };
    if access.offline {
        return Err(failed(&ReadError::no_provider(folder)));
    }
    let stores = config::object_stores(settings, access, &BTreeSet::new());
    let provider = ObjectStoreProvider::new(config::http(settings, access), stores);
    let mut found = provider.objects_below(folder).map_err(|error| failed(&error))?;
    found.retain(|address| is_visible(address, folder) && is_candidate(address));
    let found: Vec<Address> = found.chunks(MAX_STARTS).flat_map(|part| claimed(part, &provider)).collect();
    if found.is_empty() {
        return Err(format!("there is no {} file in the folder `{name}`", languages().main().name));
    }
    Ok(found)
}

/// Returns the archives among some objects, and those whose starts a language claims.
fn claimed(objects: &[Address], provider: &ObjectStoreProvider) -> Vec<Address> {
    let starts = provider.read_starts(objects, folder::HEAD);
    let claimed = objects.iter().zip(starts).filter_map(|(address, start)| {
        // An object that can't be read is reported when it is validated.
        let is_claimed = start.ok().is_none_or(|start| folder::claims(address.file_name(), start));
        (is_claimed || is_archive(address)).then(|| address.clone())
    });
    claimed.collect()
}

/// Returns whether neither the object nor one of the folders between it and `folder` is hidden.
fn is_visible(address: &Address, folder: &Address) -> bool {
    let (address, folder) = (address.to_string(), folder.to_string());
    address.strip_prefix(&folder).is_some_and(|below| below.split('/').all(|name| !name.starts_with('.')))
}

fn is_candidate(address: &Address) -> bool {
    let path = Path::new(address.file_name());
    is_archive(address) || (folder::is_named_as_template(path) && !is_configuration(path))
}

/// Returns whether an object is an archive of templates. Other archives are read only if they are named.
fn is_archive(address: &Address) -> bool {
    Path::new(address.file_name()).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csar"))
}
