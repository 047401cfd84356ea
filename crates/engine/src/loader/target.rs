//! Resolves the targets of imports.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::{Importer, Loading};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::nearest;
use crate::rules;
use crate::source::{Address, FetchedSource, ImportTarget, NameQuery, candidates};
use crate::syntax::InputError;

/// The maximum number of unknown profiles of a source that are compared with the known ones.
pub(super) const MAX_SUGGESTIONS: usize = 20;

impl Loading {
    /// Returns the address and the identity of an import's target.
    pub(super) fn resolve(&self, importer: &Importer, target: &ImportTarget) -> Result<(Address, Address), InputError> {
        let candidates = match target {
            ImportTarget::Profile(name) => vec![self.profile(importer, name)?],
            ImportTarget::Url { url, repository } => {
                candidates(&importer.address, &self.root, url, repository.as_deref()).map_err(|error| InputError {
                    rule: &rules::INVALID_IMPORT,
                    message: error.to_string(),
                    help: error.help().map(Help::from),
                })?
            }
        };
        if let ImportTarget::Url { url, .. } = target
            && let Some(found) = self.in_import_paths(url, &candidates)
        {
            let identity = self.identity(&found);
            return Ok((found, identity));
        }
        let mut outside = None;
        let mut first = None;
        for address in &candidates {
            let identity = self.identity(address);
            if matches!(target, ImportTarget::Url { .. }) && self.is_outside(&identity) {
                outside = outside.or(Some(address));
                continue;
            }
            let provider = self.session.provider(address);
            if candidates.len() == 1 || provider.is_some_and(|provider| provider.exists(address)) {
                return Ok((address.clone(), identity));
            }
            first = first.or(Some((address.clone(), identity)));
        }
        match (first, outside) {
            (_, Some(address)) => {
                let name = address.display_name(Some(&self.directory));
                Err(InputError {
                    rule: &rules::IMPORT_OUTSIDE,
                    message: format!("`{name}` is outside the folders that the template may import from"),
                    help: Some(self.inside().into()),
                })
            }
            (Some(first), None) => Ok(first),
            (None, None) => Err(InputError {
                rule: &rules::INVALID_IMPORT,
                message: "the import has no possible address".to_owned(),
                help: None,
            }),
        }
    }

    /// Returns a matching file in the import paths, for an import whose target is missing or on the network.
    fn in_import_paths(&self, url: &str, candidates: &[Address]) -> Option<Address> {
        let found = self.session.in_import_paths(url)?;
        let is_there = |address: &Address| {
            !address.is_remote() && self.session.provider(address).is_some_and(|provider| provider.exists(address))
        };
        (!candidates.iter().any(is_there)).then_some(found)
    }

    /// Returns whether a source is outside the bounds, so that an import by path must not read it.
    fn is_outside(&self, identity: &Address) -> bool {
        let Some(bounds) = &self.bounds else { return false };
        if !self.session.sandbox && identity.is_remote() {
            return false;
        }
        !is_within(identity, bounds) && !self.session.is_granted(identity) && !self.is_in_option(identity)
    }

    /// Returns whether the source that was read is outside the bounds, although it was not when the import was
    /// resolved.
    pub(super) fn got_out(&self, identity: &Address, fetched: &FetchedSource) -> bool {
        let (Some(bounds), Some(real)) = (&self.bounds, &fetched.real) else { return false };
        let real = Address::from_path(real, Path::new("/"));
        let real = identity.path_in_archive().map_or_else(|| real.clone(), |path| real.inside(&path));
        // Profiles may be anywhere.
        is_within(identity, bounds) && self.is_outside(&real)
    }

    /// Returns help for an import of a source outside the bounds.
    fn inside(&self) -> String {
        let root = self.root.display_name(Some(&self.directory));
        format!("put the file into `{root}`, or import it as a profile")
    }

    /// Finds the source for a name.
    pub(super) fn find(&self, importer: &Importer, name: &str) -> Option<Address> {
        let query = self.query(importer, name);
        self.session.find(self.session.knowing(importer.language), &query)
    }

    fn query<'a>(&'a self, importer: &'a Importer, name: &'a str) -> NameQuery<'a> {
        NameQuery {
            name,
            importer: &importer.address,
            entry: &self.entry,
            options: &self.options,
            version: importer.version.0,
        }
    }

    fn profile(&self, importer: &Importer, name: &str) -> Result<Address, InputError> {
        self.find(importer, name).ok_or_else(|| {
            let message = format!("profile `{name}` is unknown");
            InputError { rule: &rules::UNKNOWN_PROFILE, message, help: self.similar_profile(importer, name) }
        })
    }

    /// Returns help for an unknown profile; only for the first imports of a source, because each name is compared with
    /// those of all profiles.
    fn similar_profile(&self, importer: &Importer, name: &str) -> Option<Help> {
        if importer.number >= MAX_SUGGESTIONS {
            return None;
        }
        let spoken = self.session.knowing(importer.language);
        let names = spoken.profile_names(&self.entry);
        self.profiles.fetch_max(names.len(), Ordering::Relaxed);
        // The version follows a colon. A different version of the same profile is a more likely intention than a
        // different profile.
        let stem = |name: &str| name.rsplit_once(':').map_or(name, |(stem, _)| stem).to_owned();
        let other_version = names.iter().map(String::as_str).find(|known| stem(known) == stem(name));
        match other_version.or_else(|| nearest(name, names.iter().map(String::as_str))) {
            Some(near) => Some(Help::did_you_mean(near)),
            None => spoken.finder.help(&self.query(importer, name)).map(Help::from),
        }
    }
}

/// Returns whether a source, or the archive that contains it, is in the given folder.
fn is_within(identity: &Address, bounds: &Address) -> bool {
    identity.is_below(bounds) || identity.archive().is_some_and(|archive| archive.is_below(bounds))
}
