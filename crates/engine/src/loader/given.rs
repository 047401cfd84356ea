//! Sources that options specify. All units in the entry's language import them implicitly.

use std::sync::Arc;

use super::jobs::Job;
use super::order::Order;
use super::sources::SourceState;
use super::{Loading, Session};
use crate::diagnostic::{Diagnostic, SourceId, Span};
use crate::entity::OptionValue;
use crate::phase::Unit;
use crate::phase::read::Read;
use crate::rules;
use crate::source::{Address, OptionValues};

/// A source that an option specifies.
pub(super) struct OptionSource {
    source: Arc<SourceState>,
    option: &'static str,
}

/// Returns the folders that options specify.
pub(super) fn folders(session: &Session, values: &OptionValues) -> Vec<Address> {
    let options = session.spoken().iter().flat_map(|spoken| spoken.language.options);
    let folders = options.filter(|option| option.value == OptionValue::Folder);
    folders.flat_map(|option| option.values(values)).map(|folder| session.identity(folder)).collect()
}

impl Loading {
    /// Returns further jobs when the entry and its imports have been read: sources that options specify, then
    /// redirected imports.
    pub(super) fn rest(&self) -> Vec<Job> {
        let given = self.given();
        if given.is_empty() { self.late() } else { given }
    }

    fn given(&self) -> Vec<Job> {
        let Some(entry) = self.entry_source.unit().filter(|_| self.given.get().is_none()) else { return Vec::new() };
        let (mut given, mut jobs) = (Vec::new(), Vec::new());
        for option in entry.language.options.iter().filter(|option| option.value == OptionValue::Source) {
            for address in option.values(&self.options) {
                let source = self.sources.of(&self.identity(address));
                if source.give(option.name) {
                    let (address, source) = (address.clone(), source.clone());
                    jobs.push(Job::OptionSource { address, source, language: entry.language });
                }
                given.push(OptionSource { source, option: option.name });
            }
        }
        let _ = self.given.set(given);
        jobs
    }

    /// Returns whether a source is in a folder that an option specifies.
    pub(super) fn is_in_option(&self, identity: &Address) -> bool {
        let is_in = |address: &Address| self.granted.iter().any(|folder| address.is_below(folder));
        is_in(identity) || identity.archive().is_some_and(is_in)
    }

    /// Adds the units of the sources that options specify to the order, and returns their IDs.
    pub(super) fn order_given<'a>(
        &self,
        order: &mut Order<'a>,
        sources: &'a [Arc<SourceState>],
        read: &mut Read,
    ) -> Vec<SourceId> {
        let mut units = Vec::new();
        for OptionSource { source, option } in self.given.get().into_iter().flatten() {
            let source = &sources[source.elsewhere().unwrap_or(source.number)];
            let Some(place) = order.place(source) else { continue };
            let unit = &order.list[place];
            if source.option() == Some(*option) {
                if !units.contains(&unit.id) {
                    units.push(unit.id);
                }
                continue;
            }
            let start = Span { source: unit.id, start: 0, end: 0 };
            let message =
                format!("`{}` also has another role, so it can't be given with `{option}`", unit.source.name());
            let help = "use a different file";
            read.diagnostics.push(Diagnostic::new(&rules::INVALID_IMPORT, start, message).with_help(help));
        }
        units
    }
}

/// Makes all units in the entry's language import the given units; later ones take precedence. Returns the indexes of
/// the given units.
pub(super) fn import(given: &[SourceId], list: &[Arc<Unit>], implicit: &mut [Vec<usize>]) -> Vec<usize> {
    let place = |id: &SourceId| list.iter().position(|unit| unit.id == *id);
    let given: Vec<usize> = given.iter().filter_map(place).collect();
    let Some(entry) = list.first().filter(|_| !given.is_empty()) else { return given };
    for (index, (unit, implicit)) in list.iter().zip(implicit).enumerate() {
        let is_built_in = unit.implicit.is_some() && unit.option.is_none();
        if std::ptr::eq(unit.language, entry.language) && !is_built_in {
            implicit.splice(0..0, given.iter().rev().copied().filter(|given| *given != index));
        }
    }
    given
}
