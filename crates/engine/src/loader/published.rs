//! Finds copies of published files for imports whose file is missing.
//!
//! A program must use only one copy of a published file: its own copy, in any folder, or the built-in one. Otherwise,
//! the types in the file would be declared twice. The version of the built-in copy may depend on other imports. So
//! imports of missing files are resolved last, when everything else has been read.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rustc_hash::FxHashMap;

use super::jobs::Job;
use super::sources::{ImportResult, LoadState, SourceState};
use super::{Importer, Loading};
use crate::diagnostic::Diagnostic;
use crate::entity::{BuiltInProfile, Language, PublishedFile};
use crate::phase::Unit;
use crate::phase::read::ImportRequest;
use crate::rules;
use crate::source::{Address, BUILTIN, ImportTarget, ReadError};

/// The name of a published file in an import.
struct FileName {
    /// The name without a version.
    name: &'static str,
    /// The version; `None` if the import does not specify one.
    version: Option<String>,
}

/// An import that failed although there is a built-in copy of the file.
struct DeferredImport<'a> {
    source: &'a Arc<SourceState>,
    unit: &'a Unit,
    number: usize,
    file: FileName,
}

impl Loading {
    /// Returns whether an import must be resolved last, because a built-in copy imports a published file of which the
    /// program may have its own copy.
    pub(super) fn is_put_off(&self, importer: &Importer, request: &ImportRequest) -> bool {
        let is_late = importer.address.scheme() == BUILTIN && FileName::of(importer.language, request).is_some();
        if is_late {
            self.has_failed.store(true, Ordering::Release);
        }
        is_late
    }

    /// Redirects failed imports to the program's own copies. Returns the jobs for imports that are redirected to
    /// built-in copies.
    pub(super) fn late(&self) -> Vec<Job> {
        if !self.has_failed.swap(false, Ordering::AcqRel) {
            return Vec::new();
        }
        let sources = self.sources.all();
        let units: Vec<(&Arc<SourceState>, Arc<Unit>)> =
            sources.iter().filter_map(|source| Some((source, source.unit()?))).collect();
        let mut late = Vec::new();
        for (source, unit) in &units {
            for (number, request) in unit.imports.iter().enumerate() {
                if let Some(file) = FileName::of(unit.language, request)
                    && is_missing(source, number, request, &sources)
                {
                    late.push(DeferredImport { source, unit, number, file });
                }
            }
        }
        if late.is_empty() {
            return Vec::new();
        }
        let own = own_copies(&units, &sources);
        late.retain(|import| {
            let Some(copy) = own.get(import.file.name).filter(|copy| copy.number != import.source.number) else {
                return true;
            };
            copy.note_importer(import.unit.version);
            import.source.note_import(import.number, ImportResult::Instead(copy.number));
            false
        });
        let of_entry = self.entry_source.unit().map(|entry| versions_in(&entry)).unwrap_or_default();
        let of_all: BTreeSet<String> = units.iter().flat_map(|(_, unit)| versions_in(unit)).collect();
        let files: BTreeSet<&str> = late.iter().map(|import| import.file.name).collect();
        let job = |import: &DeferredImport<'_>| {
            let language = import.unit.language;
            let copies = || copies(language, import.file.name);
            let one_of = |names: &BTreeSet<String>| copies().find(|(_, file)| names.contains(file.version));
            let has_all = |version: &str| {
                files.iter().all(|name| self::copies(language, name).any(|(_, file)| file.version == version))
            };
            let version = import.file.version.clone().or_else(|| version_of(language, &import.source.identity));
            let (copy, _) = match version {
                Some(version) => copies().find(|(_, file)| file.version == version)?,
                None => [&versions_in(import.unit), &of_entry, &of_all]
                    .into_iter()
                    .find_map(one_of)
                    .or_else(|| copies().find(|(_, file)| has_all(file.version)))
                    .or_else(|| copies().next())?,
            };
            let mut request = import.unit.imports[import.number].clone();
            request.target = Some(ImportTarget::Url { url: copy.address.to_owned(), repository: None });
            let address = import.source.identity.clone();
            let importer = Importer { address, language, version: import.unit.version, number: 0 };
            Some(Job::Import { source: import.source.clone(), importer, number: import.number, request })
        };
        late.iter().filter_map(job).collect()
    }
}

/// Returns the program's own copies of published files by file name. If several copies have the same name, the one
/// whose address comes first is used.
fn own_copies<'a>(
    units: &[(&'a Arc<SourceState>, Arc<Unit>)],
    sources: &'a [Arc<SourceState>],
) -> FxHashMap<&'static str, &'a Arc<SourceState>> {
    let mut own: FxHashMap<&'static str, &Arc<SourceState>> = FxHashMap::default();
    for (source, unit) in units {
        for (number, request) in unit.imports.iter().enumerate() {
            let Some(file) = FileName::of(unit.language, request) else { continue };
            let Some(ImportResult::To(target)) = source.state().imports.get(number).cloned() else { continue };
            let target = &sources[target];
            let target = target.elsewhere().map_or(target, |other| &sources[other]);
            if target.unit().is_none() || target.identity.scheme() == BUILTIN {
                continue;
            }
            let known = own.entry(file.name).or_insert(target);
            if target.identity.to_string() < known.identity.to_string() {
                *known = target;
            }
        }
    }
    own
}

/// Returns the version of the built-in copy at an address; `None` if there is none.
fn version_of(language: &'static Language, address: &Address) -> Option<String> {
    if address.scheme() != BUILTIN {
        return None;
    }
    let address = address.to_string();
    let profile = language.profiles.iter().find(|profile| profile.address == address)?;
    Some(profile.published?.version.to_owned())
}

/// Returns whether the target of an import is missing: a file that does not exist, or a URL that can't or must not be
/// read.
fn is_missing(source: &SourceState, number: usize, request: &ImportRequest, sources: &[Arc<SourceState>]) -> bool {
    let target = match source.state().imports.get(number) {
        Some(ImportResult::To(target)) => *target,
        Some(ImportResult::Open) => return source.identity.scheme() == BUILTIN,
        Some(ImportResult::Refused(refusal)) => {
            return refusal.rule.code == rules::IMPORT_OUTSIDE.code
                && request.target.as_ref().is_some_and(|target| base(target).contains(SCHEME));
        }
        _ => return false,
    };
    match &sources[target].state().fate {
        LoadState::Failed(ReadError::NotFound, _) => true,
        LoadState::Failed(_, address) => address.is_remote(),
        _ => false,
    }
}

/// Reports that an import was redirected to a different copy of the file.
pub(super) fn report(
    loading: &Loading,
    unit: &Unit,
    request: &ImportRequest,
    target: &SourceState,
) -> Option<Diagnostic> {
    let Some(ImportTarget::Url { url, .. }) = &request.target else { return None };
    let file = FileName::of(unit.language, request)?;
    let span = unit.document.node(request.node).span();
    let Some(version) = version_of(unit.language, &target.identity) else {
        let name = target.identity.display_name(Some(&loading.directory));
        let message = format!("`{url}` can't be read; `{name}` is used, which has the same name");
        return Some(Diagnostic::new(&rules::REPLACED_IMPORT, span, message).with_help(format!("import `{name}`")));
    };
    let message = format!("`{url}` can't be read; the built-in version {version} of the file is used");
    let diagnostic = Diagnostic::new(&rules::REPLACED_IMPORT, span, message);
    let diagnostic = match file.version {
        None => diagnostic.with_help(format!(
            "to use another version, import the file by its URL; {}",
            built_in_versions(unit.language, file.name)
        )),
        Some(_) => diagnostic,
    };
    Some(diagnostic.with_help("to use a different file of this name, add that file to the template"))
}

/// Returns help for a failed import: the versions of the file that could be imported instead.
pub(super) fn help(unit: &Unit, request: &ImportRequest) -> Option<String> {
    let file = FileName::of(unit.language, request)?;
    Some(built_in_versions(unit.language, file.name))
}

fn built_in_versions(language: &'static Language, name: &str) -> String {
    let versions: Vec<&str> = copies(language, name).map(|(_, file)| file.version).collect();
    match &versions[..] {
        [only] => format!("the built-in version of the file is {only}"),
        [first @ .., last] => format!("the built-in versions of the file are {} and {last}", first.join(", ")),
        [] => "there is no built-in version of the file".to_owned(),
    }
}

/// The separator between the scheme of a URL and the rest.
const SCHEME: &str = "://";

/// Returns the URL of the repository or, if there is none, of the import.
fn base(target: &ImportTarget) -> &str {
    match target {
        ImportTarget::Url { repository: Some(repository), .. } => repository,
        ImportTarget::Url { url, .. } | ImportTarget::Profile(url) => url,
    }
}

impl FileName {
    /// Returns the published file that an import names, if the language has a copy of it.
    fn of(language: &'static Language, request: &ImportRequest) -> Option<Self> {
        let target = request.target.as_ref()?;
        let ImportTarget::Url { url, .. } = target else { return None };
        // The import already refers to a built-in file.
        if url.strip_prefix(BUILTIN).is_some_and(|rest| rest.starts_with(':')) {
            return None;
        }
        let mut published = language.profiles.iter().filter_map(|profile| profile.published);
        let path = url.split(['?', '#']).next()?;
        let name = path.rsplit('/').next()?;
        let in_name = version_in(name);
        let (start, end) = in_name.map_or((name.len(), name.len()), |version| (version.start, version.end));
        let is_called =
            |file: &PublishedFile| file.name.strip_prefix(&name[..start]).is_some_and(|rest| rest == &name[end..]);
        let file = published.find(is_called)?;
        let base = base(target);
        let is_url = base.contains(SCHEME);
        if is_url && !base.get(..file.site.len()).is_some_and(|start| start.eq_ignore_ascii_case(file.site)) {
            return None;
        }
        let folders = || [base, path].into_iter().flat_map(|path| path.rsplit('/')).find_map(version_in);
        let version = in_name.or_else(|| if is_url { folders() } else { None });
        Some(Self { name: file.name, version: version.map(|version| version.text.replace('_', ".")) })
    }
}

/// A version in the name of a file or folder.
#[derive(Clone, Copy)]
struct VersionIn<'a> {
    text: &'a str,
    /// The start of the version's range, which includes the separator before the version.
    start: usize,
    end: usize,
}

/// Finds the version in a name: the first three numbers that are separated by dots or underscores, with or without a
/// preceding `v`.
fn version_in(name: &str) -> Option<VersionIn<'_>> {
    let bytes = name.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut from = 0;
    while from < bytes.len() {
        let is_joined = |place: usize| place == 0 || !bytes[place - 1].is_ascii_alphanumeric();
        let begin = from + usize::from(matches!(bytes[from], b'v' | b'V'));
        let mut end = begin;
        let mut numbers = 0;
        while is_joined(from) && numbers < 3 {
            let joint = usize::from(numbers > 0);
            if joint > 0 && !bytes.get(end).is_some_and(|byte| matches!(byte, b'.' | b'_')) {
                break;
            }
            let count = if end + joint <= bytes.len() { digits(end + joint) } else { 0 };
            if count == 0 {
                break;
            }
            end += joint + count;
            numbers += 1;
        }
        if numbers == 3 && !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) {
            let start = if from > 0 && matches!(bytes[from - 1], b'.' | b'_' | b'-') { from - 1 } else { from };
            return Some(VersionIn { text: &name[begin..end], start, end });
        }
        from += 1;
    }
    None
}

/// Returns the versions of published files that are named in a unit's imports.
fn versions_in(unit: &Unit) -> BTreeSet<String> {
    unit.imports.iter().filter_map(|request| FileName::of(unit.language, request)?.version).collect()
}

/// Returns the built-in copies of a file, in order of preference.
fn copies(language: &'static Language, name: &str) -> impl Iterator<Item = (&'static BuiltInProfile, PublishedFile)> {
    language.profiles.iter().filter_map(move |profile| {
        let file = profile.published.filter(|file| file.name == name)?;
        Some((profile, file))
    })
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions_are_found_in_names() {
        let found = |name| version_in(name).map(|version| (version.text, version.start, version.end));
        assert_eq!(found("v2.6.1"), Some(("2.6.1", 0, 6)));
        assert_eq!(found("2.6.1"), Some(("2.6.1", 0, 5)));
        assert_eq!(found("types_2_6_1_more.yaml"), Some(("2_6_1", 5, 11)));
        assert_eq!(found("a001_2_6_1_more.yaml"), Some(("2_6_1", 4, 10)));
        assert_eq!(found("types-v2.6.1.yaml"), Some(("2.6.1", 5, 12)));
        for name in ["", "v", "types.yaml", "a001_types", "2.6", "2.6.", "x2.6.1", "2.6.1b", "2.6.ä"] {
            assert_eq!(found(name), None, "{name}");
        }
    }
}
