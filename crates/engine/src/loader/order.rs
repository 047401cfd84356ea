//! Creates the program from the loaded sources, with the units in the order of the imports.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use foldhash::{HashMap, HashSet};
use rustc_hash::FxHashSet;

use super::entry::Inputs;
use super::sources::{ImportResult, LoadState, SourceState};
use super::target::MAX_SUGGESTIONS;
use super::{Loading, diagnostic, duplicates, given, loops, published};
use crate::diagnostic::{Diagnostic, Span};
use crate::entity::{LanguageVersion, NodeRef};
use crate::parallel;
use crate::phase::read::{ImportRequest, Read};
use crate::phase::{PresentKinds, Program, ResolvedImport, SiblingFiles, Unit, UnitIndex, Units};
use crate::rules;
use crate::source::{
    ARCHIVE, Address, BUILTIN, FILE, FileProvider, ImportTarget, InputValues, MEMORY, ReadError, SourceProblem,
    network_source, release,
};

/// The number of profile names that take as long to collect and compare as reading a cached source.
const NAMES_PER_SOURCE: usize = 14;

/// The units of a program that have been found so far, in the order of the imports.
pub(super) struct Order<'a> {
    /// For each source, the index of its unit.
    places: Vec<Option<usize>>,
    sources: Vec<&'a SourceState>,
    pub(super) list: Vec<Arc<Unit>>,
}

impl<'a> Order<'a> {
    fn new(sources: usize) -> Self {
        Self { places: vec![None; sources], sources: Vec::new(), list: Vec::new() }
    }

    /// Returns the index of a source's unit, adding the unit if necessary; `None` if there is no unit.
    pub(super) fn place(&mut self, source: &'a SourceState) -> Option<usize> {
        if let Some(place) = self.places[source.number] {
            return Some(place);
        }
        self.list.push(source.unit()?);
        self.sources.push(source);
        self.places[source.number] = Some(self.sources.len() - 1);
        self.places[source.number]
    }
}

impl Loading {
    /// Reads input values as a unit; returns it with the positions of the maps.
    fn read_inputs(&self, inputs: Inputs, version: LanguageVersion) -> (Arc<Unit>, Vec<NodeRef>) {
        let read = |values: &InputValues| self.session.read_values(values, version);
        let (unit, maps) = match inputs {
            Inputs::Values(values) => (read(&values), values.maps),
            Inputs::At(address) => {
                let name = address.display_name(Some(&self.directory));
                let unit = match self.session.fetch(&address) {
                    Ok(fetched) => read(&InputValues::new(name, fetched.bytes)),
                    Err(error) => Arc::new(self.session.unreadable_values(name, &error, version)),
                };
                (unit, None)
            }
        };
        let document = &unit.document;
        let maps = match maps {
            Some(starts) => starts.iter().filter_map(|start| document.map_at(*start)).collect(),
            None => Vec::from_iter(document.root()),
        };
        let places = maps.into_iter().map(|map| NodeRef { unit: unit.id, node: map.id() }).collect();
        (unit, places)
    }

    /// Sorts the units and creates the program.
    pub(super) fn program(&self, asked: &SourceState, inputs: Vec<Inputs>) -> Program<Read> {
        let (session, entry) = (&self.session, &*self.entry_source);
        let sources = self.sources.all();
        let mut read = Read::default();
        let mut findings = asked.take_findings();
        findings.extend(entry.take_findings());
        let exceeded = self.budget.exceeded();
        let mut order = Order::new(sources.len());
        order.place(entry);
        let given = if exceeded.is_none() { self.order_given(&mut order, &sources, &mut read) } else { Vec::new() };
        let mut links: Vec<Vec<ResolvedImport>> = Vec::new();
        let mut reported: FxHashSet<usize> = FxHashSet::default();
        let (mut followed, mut unknown_profiles) = (0, 0);
        while let Some(&source) = order.sources.get(links.len()) {
            let unit = order.list[links.len()].clone();
            let imports = std::mem::take(&mut source.state().imports);
            let (mut of_unit, mut failed) = (Vec::new(), Vec::new());
            followed += unit.imports.len();
            for (number, request) in unit.imports.iter().enumerate() {
                let led = imports.get(number).unwrap_or(&ImportResult::Open);
                let found = match led {
                    _ if exceeded.is_some() => {
                        failed.push(number);
                        continue;
                    }
                    ImportResult::Unfound => continue,
                    ImportResult::To(target) | ImportResult::Instead(target) => {
                        let target = &*sources[*target];
                        findings.extend(target.take_findings());
                        let is_copy = target.identity.scheme() == BUILTIN && request.target.is_some();
                        if (is_copy || matches!(led, ImportResult::Instead(_))) && source.identity.scheme() != BUILTIN {
                            let replaced = published::report(self, &unit, request, target);
                            read.diagnostics.extend(replaced.filter(|_| reported.insert(target.number)));
                        }
                        order.place(target.elsewhere().map_or(target, |other| &*sources[other]))
                    }
                    ImportResult::Refused(refusal) => {
                        let is_compared = number < MAX_SUGGESTIONS && refusal.rule.code == rules::UNKNOWN_PROFILE.code;
                        unknown_profiles += usize::from(is_compared);
                        None
                    }
                    ImportResult::Open => None,
                };
                match found {
                    // A source may itself declare a name that it refers to.
                    Some(found) if found == links.len() && is_named(request) => {}
                    Some(found) => of_unit.push(ResolvedImport { unit: found, prefix: request.prefix, import: number }),
                    None => {
                        failed.push(number);
                        read.diagnostics.extend(self.failure(&unit, request, led, &sources));
                    }
                }
            }
            of_unit.shrink_to_fit();
            links.push(of_unit);
            read.failed_imports.push(failed);
        }
        let (folder, files) = (entry.identity.directory(), Arc::new(FileProvider));
        let mut surroundings =
            parallel::map(&order.sources, |source| self.surroundings(&source.identity, &folder, &files));
        let mut list = order.list;
        if let Some(first) = duplicates::find(&list, &links) {
            let is_first: Vec<bool> = first.iter().enumerate().map(|(unit, first)| unit == *first).collect();
            let numbers: Vec<usize> = is_first
                .iter()
                .scan(0, |next, is_first| Some(std::mem::replace(next, *next + usize::from(*is_first))))
                .collect();
            for link in links.iter_mut().flatten() {
                link.unit = numbers[first[link.unit]];
            }
            keep(&mut list, &is_first);
            keep(&mut links, &is_first);
            keep(&mut surroundings, &is_first);
            keep(&mut read.failed_imports, &is_first);
        }
        read.diagnostics.extend(exceeded.zip(list.first()).map(|(exceeded, entry)| too_much(entry, exceeded)));
        let mut implicit = session.add_implicit(&mut list, &mut links);
        let given = given::import(&given, &list, &mut implicit);
        let version = list.first().map_or(LanguageVersion::LAST, |unit| unit.version);
        let (first, mut maps) = (list.len(), Vec::new());
        for inputs in inputs {
            let (unit, of_unit) = self.read_inputs(inputs, version);
            maps.extend(of_unit);
            if list[first..].iter().all(|known| known.id != unit.id) {
                list.push(unit);
            }
        }
        self.add_findings(&findings, version, &mut list);
        links.resize_with(list.len(), Vec::new);
        implicit.resize_with(list.len(), Vec::new);
        surroundings.resize(list.len(), None);
        read.failed_imports.resize_with(list.len(), Vec::new);
        let (index, occurring) = (UnitIndex::of(&list), PresentKinds::of(&list));
        let compared = unknown_profiles * self.profiles.load(Ordering::Relaxed);
        let imported = sources.iter().filter(|source| ![asked.number, entry.number].contains(&source.number)).count();
        let units = Units {
            import_cost: self.budget.cost(imported, followed) + compared / NAMES_PER_SOURCE,
            list,
            links,
            implicit,
            given,
            interner: session.interner.clone(),
            inputs: maps,
            quirks: session.quirks,
            most_of_a_rule: session.most_of_a_rule,
            model_limits: session.models,
            words: session.words.clone(),
            functions: session.functions.clone(),
            index,
            occurring,
            surroundings,
            memo: OnceLock::new(),
        };
        read.diagnostics.extend(loops::report(&units));
        Program { units: Arc::new(units), stage: read }
    }

    /// Returns the files around a source: those in its archive, in the folder that is treated as an archive, or in the
    /// entry's folder.
    fn surroundings(&self, identity: &Address, folder: &Address, files: &Arc<FileProvider>) -> Option<SiblingFiles> {
        let own = identity.archive().map(|archive| archive.inside(""));
        let packed = own.or_else(|| self.packed.clone().filter(|root| identity.is_below(root)));
        if let Some(root) = packed {
            // A file in a folder may be open in an editor, whose provider does not know the other files.
            let of_files = if identity.archive().is_some() { identity } else { &root };
            let provider = self.session.provider(of_files)?.clone();
            return Some(SiblingFiles { unit: identity.clone(), root, are_all: true, provider, known: Arc::default() });
        }
        // Apart from archives, only files on disk have surrounding files, and only without a sandbox.
        let root = (identity.scheme() == FILE && !self.session.sandbox).then(|| folder.clone())?;
        let provider = files.clone();
        Some(SiblingFiles { unit: identity.clone(), root, are_all: false, provider, known: Arc::default() })
    }

    /// Adds units for the sources about which providers have reported findings.
    fn add_findings(&self, findings: &[SourceProblem], version: LanguageVersion, list: &mut Vec<Arc<Unit>>) {
        let mut units: Vec<Unit> = Vec::new();
        let mut numbers: HashMap<&Address, usize> = HashMap::default();
        let mut known: HashSet<(&str, &str, &Address, (u32, u32))> = HashSet::default();
        for finding in findings {
            let place = &finding.place;
            if !known.insert((finding.rule.code, &finding.message, &place.address, place.range)) {
                continue;
            }
            let index = *numbers.entry(&place.address).or_insert_with(|| {
                let name = place.address.display_name(Some(&self.directory));
                units.push(self.session.blank(name, place.text.clone(), version));
                units.len() - 1
            });
            let unit = &mut units[index];
            unit.diagnostics.push(diagnostic(unit.id, finding));
        }
        list.extend(units.into_iter().map(Arc::new));
    }

    fn failure(
        &self,
        unit: &Unit,
        request: &ImportRequest,
        led: &ImportResult,
        sources: &[Arc<SourceState>],
    ) -> Option<Diagnostic> {
        let span = unit.document.node(request.node).span();
        request.target.as_ref()?;
        Some(match led {
            ImportResult::Refused(refusal) => refusal.at(span),
            ImportResult::To(target) | ImportResult::Instead(target) => match &sources[*target].state().fate {
                LoadState::Failed(error, address) => {
                    let name = address.display_name(Some(&self.directory));
                    let message = format!("can't read `{name}`: {error}");
                    let mut diagnostic = Diagnostic::new(error.rule(), span, message);
                    diagnostic.is_unavailable = error.is_failure() && network_source(address).is_some();
                    if let Some(help) = error.help() {
                        diagnostic = diagnostic.with_help(help);
                    }
                    if let Some(help) = request.target.as_ref().and_then(|target| remedy(error, target, address, &name))
                    {
                        diagnostic = diagnostic.with_help(help);
                    }
                    if matches!(error, ReadError::NotFound) && self.session.import_paths_are_cut() {
                        diagnostic = diagnostic.with_help("the import paths have too many files to search all of them");
                    }
                    if let Some(help) = published::help(unit, request) {
                        diagnostic = diagnostic.with_help(help);
                    }
                    diagnostic.with_help(
                        "until the file can be read, unknown names are not reported, because the file may declare them",
                    )
                }
                _ => Diagnostic::new(&rules::INVALID_IMPORT, span, "the import could not be read"),
            },
            ImportResult::Open | ImportResult::Unfound => {
                Diagnostic::new(&rules::INVALID_IMPORT, span, "the import could not be followed")
            }
        })
    }
}

/// Returns whether an import is a reference to a name.
fn is_named(request: &ImportRequest) -> bool {
    request.is_reference && matches!(request.target, Some(ImportTarget::Profile(_)))
}

/// Returns the problem about an exceeded limit, at the entry's first import, or at the start of the entry if it has no
/// imports.
fn too_much(entry: &Unit, (message, help): (String, &str)) -> Diagnostic {
    let start = Span { source: entry.id, start: 0, end: 0 };
    let span = entry.imports.first().map_or(start, |import| entry.document.node(import.node).span());
    Diagnostic::new(&rules::TOO_MANY_IMPORTS, span, message).with_help(help)
}

/// Keeps the marked items.
fn keep<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next().copied().unwrap_or(true));
}

/// Returns help for a source named `name` that can't be read: to use a different path, or a copy in a folder.
fn remedy(error: &ReadError, target: &ImportTarget, address: &Address, name: &str) -> Option<String> {
    let ImportTarget::Url { url, repository } = target else { return None };
    if !matches!(address.scheme(), FILE | BUILTIN | MEMORY | ARCHIVE) {
        let end = name.find(['?', '#']).unwrap_or(name.len());
        let prefix = name[..end].rfind('/').map_or(name, |slash| &name[..=slash]);
        return Some(format!(
            "read a copy of the file from a folder: `--map-url {prefix}=FOLDER`, or `--import-path FOLDER`"
        ));
    }
    let is_relative = repository.is_none() && !url.starts_with('/') && Address::parse(url).is_err();
    let is_sought = address.scheme() == FILE && address.archive().is_none();
    match error {
        _ if release(url).is_some() => Some(format!(
            "`{url}` is the name and the version of an archive; unpack it below a folder, and name the folder: \
             `--import-path FOLDER`"
        )),
        ReadError::NotFound if is_relative => {
            let file = url.rsplit('/').next().unwrap_or(url);
            Some(format!(
                "correct the path (it is relative to the importing file), add the file, or name the folder that contains `{file}`: `--import-path FOLDER`"
            ))
        }
        ReadError::NotFound if is_sought => Some(format!(
            "correct the address, add the file, or name the folder that contains `{}`: `--import-path FOLDER`",
            address.file_name()
        )),
        ReadError::NotFound => Some("correct the address, or add the file".to_owned()),
        ReadError::NotAFile { what: "a directory" } => Some("specify a file in the directory".to_owned()),
        _ => None,
    }
}
