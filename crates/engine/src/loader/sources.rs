//! The sources that a loading has come upon, and what has become of each.

use std::collections::hash_map::Entry as Place;
use std::sync::{Arc, MutexGuard};

use rustc_hash::FxHashMap;

use super::Locked;
use crate::entity::LanguageVersion;
use crate::phase::Unit;
use crate::source::{Address, Finding, ReadError};
use crate::syntax::Refusal;

/// Sources by their identities, and in the order in which somebody came upon them first.
#[derive(Default)]
pub(super) struct Sources(Locked<Table>);

#[derive(Default)]
struct Table {
    numbers: FxHashMap<Address, usize>,
    list: Vec<Arc<Sought>>,
}

impl Sources {
    /// The source with an identity.
    pub(super) fn of(&self, identity: &Address) -> Arc<Sought> {
        let mut table = self.0.lock();
        let number = table.list.len();
        let known = match table.numbers.entry(identity.clone()) {
            Place::Occupied(known) => *known.get(),
            Place::Vacant(vacant) => *vacant.insert(number),
        };
        if known == number {
            table.list.push(Arc::new(Sought { identity: identity.clone(), number, state: Locked::default() }));
        }
        table.list[known].clone()
    }

    /// All sources, each in the place of its number.
    pub(super) fn all(&self) -> Vec<Arc<Sought>> {
        self.0.lock().list.clone()
    }
}

/// A source that somebody has come upon.
pub(super) struct Sought {
    pub(super) identity: Address,
    /// Its place among all sources.
    pub(super) number: usize,
    state: Locked<State>,
}

/// What is known of a source.
#[derive(Default)]
pub(super) struct State {
    pub(super) fate: Fate,
    /// The earliest version of the sources that import it, in which it is read if it does not say its own.
    pub(super) importer: Option<LanguageVersion>,
    /// The name of the option by which it is given.
    pub(super) option: Option<&'static str>,
    /// What providers have found besides.
    pub(super) findings: Vec<Finding>,
    /// Where its imports lead.
    pub(super) imports: Vec<Led>,
    /// The servers whose documents import it, and `None` for local ones: those for which it has been read, and those
    /// that come next if it can't be read for them.
    importers: (Vec<Option<Address>>, Vec<Option<Address>>),
}

/// The lack of a further importer.
pub(super) struct NoImporter;

/// What an import makes of a source.
pub(super) enum Asked {
    /// It is to be read for the first time.
    First,
    /// It is to be read again, since it could not be read for other importers.
    Anew,
    /// It has been read, or will be.
    Before,
}

/// What has become of a source.
#[derive(Default)]
pub(super) enum Fate {
    /// Nobody has asked for it.
    #[default]
    New,
    /// Somebody makes a unit of it.
    Pending,
    Unit(Arc<Unit>),
    /// Its address stands for another source, which has this number.
    Elsewhere(usize),
    Failed(ReadError, Address),
}

/// Where an import leads.
#[derive(Clone, Default)]
pub(super) enum Led {
    /// It has not been followed.
    #[default]
    Open,
    /// To the source with this number.
    To(usize),
    /// To the source with this number, because the one that it asks for can't be read.
    Instead(usize),
    /// Nowhere, for a reason that is reported.
    Refused(Box<Refusal>),
    /// Nowhere: it is a name that no source has been found for, which will be reported where it is looked up.
    Unfound,
}

impl Sought {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Asks for it on behalf of a server, or of a local source.
    ///
    /// Whether a source can be read must not depend on which of several importers comes first.
    pub(super) fn ask(&self, server: Option<Address>) -> Asked {
        let mut state = self.state();
        let State { fate, importers: (read, next), .. } = &mut *state;
        match fate {
            Fate::New => {
                *fate = Fate::Pending;
                read.push(server);
                Asked::First
            }
            Fate::Failed(ReadError::PrivateNetwork, _) if !read.contains(&server) => {
                *fate = Fate::Pending;
                read.push(server);
                Asked::Anew
            }
            Fate::Pending if !read.contains(&server) && !next.contains(&server) => {
                next.push(server);
                Asked::Before
            }
            _ => Asked::Before,
        }
    }

    /// The next importer, for which it may be read although it can't be for others.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    pub(super) fn next_importer(&self) -> Result<Option<Address>, NoImporter> {
        let mut state = self.state();
        let next = state.importers.1.pop().ok_or(NoImporter)?;
        state.importers.0.push(next.clone());
        Ok(next)
    }

    /// Whether nobody has asked for it before, who would make a unit of it.
    pub(super) fn is_new(&self) -> bool {
        let mut state = self.state();
        let is_new = matches!(state.fate, Fate::New);
        if is_new {
            state.fate = Fate::Pending;
        }
        is_new
    }

    /// Notes the option by which it is given, unless it is also something else. Returns whether it is not.
    pub(super) fn give(&self, option: &'static str) -> bool {
        let mut state = self.state();
        if matches!(state.fate, Fate::New) {
            state.option.get_or_insert(option);
        }
        state.option == Some(option)
    }

    /// The name of the option by which it is given.
    pub(super) fn option(&self) -> Option<&'static str> {
        self.state().option
    }

    pub(super) fn set_fate(&self, fate: Fate) {
        self.state().fate = fate;
    }

    /// The unit that has been made of it.
    pub(super) fn unit(&self) -> Option<Arc<Unit>> {
        match &self.state().fate {
            Fate::Unit(unit) => Some(unit.clone()),
            Fate::New | Fate::Pending | Fate::Elsewhere(_) | Fate::Failed(..) => None,
        }
    }

    /// The number of the source that its address stands for, if that is another one.
    pub(super) fn elsewhere(&self) -> Option<usize> {
        match self.state().fate {
            Fate::Elsewhere(other) => Some(other),
            _ => None,
        }
    }

    /// Notes the version of a source that imports it.
    pub(super) fn note_importer(&self, version: LanguageVersion) {
        let mut state = self.state();
        state.importer = Some(state.importer.map_or(version, |known| version.min(known)));
    }

    /// Notes where an import leads.
    pub(super) fn note_import(&self, number: usize, led: Led) {
        let imports = &mut self.state().imports;
        if imports.len() <= number {
            imports.resize_with(number + 1, Led::default);
        }
        imports[number] = led;
    }

    pub(super) fn add_findings(&self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.state().findings.extend(findings);
        }
    }

    /// What providers have found, once.
    pub(super) fn take_findings(&self) -> Vec<Finding> {
        std::mem::take(&mut self.state().findings)
    }
}
