//! The sources of a program that is being loaded, with their states.

use std::collections::hash_map::Entry as Place;
use std::sync::{Arc, MutexGuard};

use foldhash::HashMap;

use super::Locked;
use crate::entity::LanguageVersion;
use crate::phase::Unit;
use crate::source::{Address, ReadError, SourceProblem};
use crate::syntax::InputError;

/// Sources by identity and in the order in which they were first found.
#[derive(Default)]
pub(super) struct Sources(Locked<Table>);

#[derive(Default)]
struct Table {
    numbers: HashMap<Address, usize>,
    list: Vec<Arc<SourceState>>,
}

impl Sources {
    /// Returns the source with the given identity, which is added if it is new.
    pub(super) fn of(&self, identity: &Address) -> Arc<SourceState> {
        let mut table = self.0.lock();
        let number = table.list.len();
        let known = match table.numbers.entry(identity.clone()) {
            Place::Occupied(known) => *known.get(),
            Place::Vacant(vacant) => *vacant.insert(number),
        };
        if known == number {
            table.list.push(Arc::new(SourceState { identity: identity.clone(), number, state: Locked::default() }));
        }
        table.list[known].clone()
    }

    /// Returns all sources, in the order of their indexes.
    pub(super) fn all(&self) -> Vec<Arc<SourceState>> {
        self.0.lock().list.clone()
    }
}

/// A source that has been found.
pub(super) struct SourceState {
    pub(super) identity: Address,
    /// The index of the source.
    pub(super) number: usize,
    state: Locked<State>,
}

/// The state of a source.
#[derive(Default)]
pub(super) struct State {
    pub(super) fate: LoadState,
    /// The earliest version among its importers. The source is read in this version if it does not declare one.
    pub(super) importer: Option<LanguageVersion>,
    /// The name of the option that specifies the source.
    pub(super) option: Option<&'static str>,
    /// Additional findings of providers.
    pub(super) findings: Vec<SourceProblem>,
    /// The targets of its imports.
    pub(super) imports: Vec<ImportResult>,
    /// The servers whose documents import the source, or `None` for local documents: first the ones for which it has
    /// been read, then the ones to try next if that fails.
    importers: (Vec<Option<Address>>, Vec<Option<Address>>),
}

/// The error if there is no further importer.
pub(super) struct NoImporter;

/// The effect of requesting a source for an import.
pub(super) enum RequestEffect {
    /// The source must be read for the first time.
    First,
    /// The source must be read again, because it could not be read for other importers.
    Again,
    /// The source has been read or will be read.
    Already,
}

/// The progress of a source.
#[derive(Default)]
pub(super) enum LoadState {
    /// The source has not been requested.
    #[default]
    New,
    /// The unit of the source is being created.
    Pending,
    Unit(Arc<Unit>),
    /// The address of the source refers to a different source, which has this index.
    Elsewhere(usize),
    Failed(ReadError, Address),
}

/// The target of an import.
#[derive(Clone, Default)]
pub(super) enum ImportResult {
    /// The import has not been followed.
    #[default]
    Open,
    /// The source with this index.
    To(usize),
    /// The source with this index is used instead, because the requested one can't be read.
    Instead(usize),
    /// There is no target, for a reason that is reported.
    Refused(Box<InputError>),
    /// There is no target, because no source has been found for a name. This is reported where the name is looked up.
    Unfound,
}

impl SourceState {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Requests the source on behalf of a document on the given server, or of a local document.
    ///
    /// Whether a source can be read must not depend on the order of the importers.
    pub(super) fn ask(&self, server: Option<Address>) -> RequestEffect {
        let mut state = self.state();
        let State { fate, importers: (read, next), .. } = &mut *state;
        match fate {
            LoadState::New => {
                *fate = LoadState::Pending;
                read.push(server);
                RequestEffect::First
            }
            LoadState::Failed(error, _) if error.depends_on_importer() && !read.contains(&server) => {
                *fate = LoadState::Pending;
                read.push(server);
                RequestEffect::Again
            }
            LoadState::Pending if !read.contains(&server) && !next.contains(&server) => {
                next.push(server);
                RequestEffect::Already
            }
            _ => RequestEffect::Already,
        }
    }

    /// Returns the next importer for which the source may be readable although it was not for the previous ones.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no further importer.
    pub(super) fn next_importer(&self) -> Result<Option<Address>, NoImporter> {
        let mut state = self.state();
        let next = state.importers.1.pop().ok_or(NoImporter)?;
        state.importers.0.push(next.clone());
        Ok(next)
    }

    /// Returns whether the source has not been requested before. The caller must then create its unit.
    pub(super) fn is_new(&self) -> bool {
        let mut state = self.state();
        let is_new = matches!(state.fate, LoadState::New);
        if is_new {
            state.fate = LoadState::Pending;
        }
        is_new
    }

    /// Records the option that specifies the source, unless the source already has a different role. Returns false if
    /// it does.
    pub(super) fn give(&self, option: &'static str) -> bool {
        let mut state = self.state();
        if matches!(state.fate, LoadState::New) {
            state.option.get_or_insert(option);
        }
        state.option == Some(option)
    }

    /// Returns the name of the option that specifies the source.
    pub(super) fn option(&self) -> Option<&'static str> {
        self.state().option
    }

    pub(super) fn set_fate(&self, fate: LoadState) {
        self.state().fate = fate;
    }

    /// Returns its unit.
    pub(super) fn unit(&self) -> Option<Arc<Unit>> {
        match &self.state().fate {
            LoadState::Unit(unit) => Some(unit.clone()),
            LoadState::New | LoadState::Pending | LoadState::Elsewhere(_) | LoadState::Failed(..) => None,
        }
    }

    /// Returns the index of the source that the address refers to, if that is a different source.
    pub(super) fn elsewhere(&self) -> Option<usize> {
        match self.state().fate {
            LoadState::Elsewhere(other) => Some(other),
            _ => None,
        }
    }

    /// Records the version of an importer.
    pub(super) fn note_importer(&self, version: LanguageVersion) {
        let mut state = self.state();
        state.importer = Some(state.importer.map_or(version, |known| version.min(known)));
    }

    /// Records the target of an import.
    pub(super) fn note_import(&self, number: usize, led: ImportResult) {
        let imports = &mut self.state().imports;
        if imports.len() <= number {
            imports.resize_with(number + 1, ImportResult::default);
        }
        imports[number] = led;
    }

    pub(super) fn add_findings(&self, findings: Vec<SourceProblem>) {
        if !findings.is_empty() {
            self.state().findings.extend(findings);
        }
    }

    /// Returns the findings of providers and removes them.
    pub(super) fn take_findings(&self) -> Vec<SourceProblem> {
        std::mem::take(&mut self.state().findings)
    }
}
