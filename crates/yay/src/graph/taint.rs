//! Provisional results: those found while a stanza is undecided.

use rustc_hash::{FxHashMap, FxHashSet};

use super::decide::Decision;
use super::{Graph, GroupId, ListId, ThunkId, ViewId};
use crate::name::Name;

/// Not tainted.
pub(super) const CLEAN: u32 = u32::MAX;

/// The target of a lookup that encountered an undecided stanza.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Skip {
    Key(Name),
    Name(Name),
    /// Everything.
    All,
}

/// A stanza that is being decided.
pub(super) struct Frame {
    serial: u64,
    pub(super) skipped: FxHashSet<Skip>,
    log: usize,
}

/// Stanzas of a block that follow each other and are all being decided, the last one first: each waits for the one
/// before it. They are skipped together, so that many of them cost no more than one.
#[derive(Default)]
pub(super) struct Run {
    /// The first stanza and the one after the last.
    pub(super) range: Option<(u32, u32)>,
    /// The targets of lookups past them and the time of the last one.
    skipped: FxHashMap<Skip, u64>,
}

impl Run {
    fn begin(&mut self, stanza: u32) {
        match &mut self.range {
            None => self.range = Some((stanza, stanza + 1)),
            Some((first, _)) if *first == stanza + 1 => *first = stanza,
            Some(_) => {}
        }
    }

    fn end(&mut self, stanza: u32) {
        if let Some((first, end)) = &mut self.range
            && *first == stanza
        {
            *first += 1;
            if first == end {
                self.range = None;
                self.skipped.clear();
            }
        }
    }
}

/// A result to forget if it was provisional.
#[derive(Clone, Copy)]
pub(super) enum Memo {
    Thunk(ThunkId),
    Member(ViewId, Name),
    List(ListId),
    Decision(GroupId, u32),
    Partial(GroupId, Name, usize),
}

/// The outermost undecided stanza that taints a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    depth: u32,
    serial: u64,
}

impl Mark {
    pub(super) const CLEAN: Mark = Mark { depth: CLEAN, serial: 0 };
}

impl Graph<'_> {
    /// Runs a function and returns the taint of its result.
    pub(super) fn watch<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, u32) {
        let outer = std::mem::replace(&mut self.taint, CLEAN);
        let result = run(self);
        let own = self.taint;
        self.taint = outer.min(own);
        (result, own)
    }

    /// Returns the depth of the undecided stanza that taints something, if it is still undecided.
    pub(super) fn depth_of(&self, mark: Mark) -> u32 {
        let same = self.frames.get(mark.depth as usize).is_some_and(|frame| frame.serial == mark.serial);
        if same { mark.depth } else { CLEAN }
    }

    pub(super) fn mark(&self, depth: u32) -> Mark {
        self.frames.get(depth as usize).map_or(Mark::CLEAN, |frame| Mark { depth, serial: frame.serial })
    }

    /// Returns the taint of everything that is evaluated now.
    pub(super) fn current_mark(&self) -> Mark {
        self.mark(self.taint)
    }

    /// Records the use of a cached result.
    pub(super) fn touch(&mut self, mark: Mark) {
        self.taint = self.taint.min(self.depth_of(mark));
    }

    /// Records a cached result that may have to be discarded.
    pub(super) fn remember(&mut self, memo: Memo, depth: u32) -> Mark {
        if depth != CLEAN {
            self.note::<Memo>(1);
            self.log.push(memo);
        }
        self.mark(depth)
    }

    pub(super) fn frame_count(&self) -> u32 {
        self.frames.len() as u32
    }

    pub(super) fn push_frame(&mut self, group: GroupId, stanza: u32) -> u32 {
        self.serial += 1;
        self.findings_mut(group).run.begin(stanza);
        let frame = Frame { serial: self.serial, skipped: FxHashSet::default(), log: self.log.len() };
        self.frames.push(frame);
        self.frame_count() - 1
    }

    pub(super) fn pop_frame(&mut self, group: GroupId, stanza: u32) {
        self.end_run(group, stanza);
        self.frames.pop();
        if self.frames.is_empty() {
            self.log.clear();
        }
    }

    /// Makes lookups read a stanza from now on, because it is decided.
    pub(super) fn end_run(&mut self, group: GroupId, stanza: u32) {
        self.findings_mut(group).run.end(stanza);
    }

    pub(super) fn skip(&mut self, depth: u32, what: Skip) {
        if let Some(frame) = self.frames.get_mut(depth as usize) {
            frame.skipped.insert(what);
        }
        self.taint = self.taint.min(depth);
    }

    /// Returns the number of remaining stanzas of a block. A run of undecided ones is skipped at once.
    pub(super) fn hop(&mut self, group: GroupId, left: u32, what: Skip) -> u32 {
        let serial = self.serial;
        let this = self.findings_mut(group);
        let Some((first, end)) = this.run.range else { return left };
        if left <= first || left > end {
            return left;
        }
        this.run.skipped.insert(what, serial);
        if let Some(Decision::Busy(depth)) = this.decided.get(&(left - 1)) {
            let depth = *depth;
            self.taint = self.taint.min(depth);
        }
        first
    }

    /// Returns the targets of lookups past a stanza while it was being decided.
    pub(super) fn skipped(&self, group: GroupId, depth: u32) -> Vec<Skip> {
        let frame = &self.frames[depth as usize];
        let run = &self.findings(group).run;
        let mut skipped: FxHashSet<Skip> = frame.skipped.clone();
        skipped.extend(run.skipped.iter().filter(|(_, when)| **when >= frame.serial).map(|(skip, _)| *skip));
        skipped.into_iter().collect()
    }

    /// Drops the results that were cached since the start of the innermost undecided stanza.
    pub(super) fn forget(&mut self) {
        let Some(start) = self.frames.last().map(|frame| frame.log) else { return };
        for memo in self.log.split_off(start) {
            match memo {
                Memo::Thunk(thunk) => self.thunks[thunk.at()].forget(),
                Memo::Member(view, key) => self.forget_member(view, key),
                Memo::Partial(group, name, left) => {
                    self.findings_mut(group).exports.partial.remove(&(name, left));
                }
                Memo::List(list) => self.lists[list.at()].forget(),
                Memo::Decision(group, stanza) => {
                    self.findings_mut(group).decided.remove(&stanza);
                }
            }
        }
    }
}
