//! Runs the phases of a parse and collects their problems and durations.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::{Outcome, PhaseTime, Progress, Stage, ignore, provenance};

use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Levels, Severity, SourceId, Span, hide_foreign_text};
use crate::entity::Quirk;
use crate::loader::{Entry, Loader};
use crate::parallel;
use crate::phase::hierarchy::Derived;
use crate::phase::inheritance::Complete;
use crate::phase::namespace::Named;
use crate::phase::read::Read;
use crate::phase::rendering::{CheckWork, CheckedUnit};
use crate::phase::{
    ExcessPatterns, Lint, Program, Unit, Units, files, hierarchy, inheritance, namespace, rendering, run_lints,
};
use crate::rules;
use crate::session::{CachedUnits, Session, Sessions};
use crate::source::Sources;

/// A phase of a parse. Phases run in this order and are described in [`phase`](crate::phase).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Converts sources to entities, following imports.
    Read,
    /// Resolves every name.
    Namespaces,
    /// Finds the ancestors of types.
    Hierarchies,
    /// Completes types with inherited members and checks the types.
    Inheritance,
    /// Applies types to templates.
    Rendering,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 5] = [Self::Read, Self::Namespaces, Self::Hierarchies, Self::Inheritance, Self::Rendering];

    /// Returns the name, such as `namespaces`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Namespaces => "namespaces",
            Self::Hierarchies => "hierarchies",
            Self::Inheritance => "inheritance",
            Self::Rendering => "rendering",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A parse that has reached stage `S`.
pub(super) struct Pipeline<'s, S> {
    sessions: &'s Sessions,
    session: Arc<Session>,
    program: Program<S>,
    known: CachedUnits,
    diagnostics: Diagnostics,
    times: Vec<PhaseTime>,
    work: ImportWork,
}

/// A parse whose sources are being read.
pub(super) struct Start<'s> {
    sessions: &'s Sessions,
    session: Arc<Session>,
    loader: Loader,
    clock: Option<Instant>,
}

impl<'s> Start<'s> {
    /// Starts a parse by reading the text of the entry.
    pub(super) fn new(sessions: &'s Sessions, entry: Entry) -> Self {
        let (clock, session) = (clock(), sessions.latest());
        let loader = Loader::new(&session, entry);
        Self { sessions, session, loader, clock }
    }

    /// Reads the entry and everything that it imports on this thread, unless there is too much to read. Returns
    /// whether everything has been read.
    pub(super) fn read_on_this_thread(&mut self) -> bool {
        self.loader.read_on_this_thread()
    }

    /// Reads the remaining sources.
    pub(super) fn finish(self) -> Pipeline<'s, Read> {
        let Self { sessions, session, loader, clock } = self;
        let program = loader.finish();
        let mut times = Vec::with_capacity(Phase::ALL.len());
        times.push(PhaseTime { phase: Phase::Read, duration: elapsed(clock) });
        Pipeline::read(sessions, session, program, times)
    }
}

impl<'s> Pipeline<'s, Read> {
    fn read(sessions: &'s Sessions, session: Arc<Session>, program: Program<Read>, times: Vec<PhaseTime>) -> Self {
        let known = session.known(&program);
        let diagnostics = Diagnostics::up_to(program.most_of_a_rule);
        let mut course = Self { sessions, session, program, known, diagnostics, times, work: ImportWork::default() };
        let units = course.program.units.clone();
        course.report(units.list.iter().map(|unit| &unit.diagnostics));
        course.diagnostics.extend(course.program.stage.diagnostics.iter().cloned());
        course
    }

    /// Returns whether one thread can do the rest: there is so little work that one thread is faster than several, and
    /// the nesting is so shallow that any thread's stack suffices.
    pub(super) fn is_small(&self) -> bool {
        let units = &self.program.list;
        // Precompiled sources are neither parsed as YAML nor checked, so they don't count as work.
        let is_new = |(unit, is_known): &(&Arc<Unit>, bool)| !is_known && !unit.document.is_unpacked();
        let new = units.iter().zip(self.known.are_known()).filter(is_new);
        let bytes: usize = new.map(|(unit, _)| unit.source.text().len()).sum();
        bytes <= parallel::SEQUENTIAL_BYTES && units.iter().all(|unit| unit.document.is_shallow())
    }

    /// Resolves names.
    pub(super) fn name(self) -> Pipeline<'s, Named> {
        let mut course = self.advance(Phase::Namespaces, |program, known| {
            namespace::run(program, &known.each(|unit| unit.named.clone()))
        });
        let units = course.program.stage.units.clone();
        let compared = units.iter().enumerate().filter(|(unit, _)| course.known.is_own(*unit));
        course.work.checks.compared += compared.map(|(_, unit)| unit.compared).sum::<usize>();
        // The problems in a unit are cached for use in other programs. Whether the entry declares the missing names
        // depends on this program, so that help is added here.
        let found = units.iter().flat_map(|unit| &unit.diagnostics);
        let found: Vec<Diagnostic> = found.map(|found| namespace::with_quirk(&course.program, found)).collect();
        course.diagnostics.extend(found);
        course
    }
}

impl<'s> Pipeline<'s, Named> {
    /// Finds the ancestors of types.
    pub(super) fn place(self) -> Pipeline<'s, Derived> {
        let mut course = self.advance(Phase::Hierarchies, |program, known| {
            hierarchy::run(program, &known.each(|unit| unit.placed.clone()))
        });
        let units = course.program.stage.units.clone();
        course.report(units.iter().map(|unit| &unit.diagnostics));
        course
    }
}

impl<'s> Pipeline<'s, Derived> {
    /// Completes types with inherited members and checks the types.
    pub(super) fn complete(self) -> Pipeline<'s, Complete> {
        let mut course = self.advance(Phase::Inheritance, |program, known| {
            let mut program = inheritance::run(program, &known.each(|unit| unit.complete.clone()));
            let forgotten = forgotten(&program, known);
            let known = forgotten.as_ref().unwrap_or(known);
            program.stage.caches = known.caches.clone();
            program.stage.checked = check(&program, known);
            program
        });
        course.known = forgotten(&course.program, &course.known).unwrap_or(course.known);
        course.session.remember_compiled(&course.known, &course.program);
        let units = &mut course.program.stage.units;
        course.diagnostics.reserve(units.iter().map(|unit| unit.diagnostics.len()).sum());
        for unit in units {
            match Arc::get_mut(unit) {
                // The unit is not cached, and there may be a million problems.
                Some(unit) => course.diagnostics.extend(std::mem::take(&mut unit.diagnostics)),
                None => course.diagnostics.extend(unit.diagnostics.iter().cloned()),
            }
        }
        let checked = course.program.stage.checked.clone();
        for (_, checked) in checked.iter().enumerate().filter(|(unit, _)| course.known.is_own(*unit)) {
            course.work.checks += checked.work;
        }
        course.report(checked.iter().map(|checked| &checked.diagnostics));
        course
    }
}

impl Pipeline<'_, Complete> {
    /// Applies types to the templates in the entry and in the units that are merged into it.
    pub(super) fn render(mut self) -> Self {
        let program = &self.program;
        let entry = program.list.first().filter(|entry| entry.document.is_complete());
        let work = &mut self.work;
        let found = timed(&mut self.times, Phase::Rendering, || {
            let is_merged = entry.is_some_and(|entry| entry.language.merging.is_some());
            let others = program.list.iter().skip(1).filter(|unit| is_merged && unit.document.is_complete());
            work.rendered = others.clone().map(|unit| rendering::count(unit)).sum();
            let mut found = Vec::new();
            for unit in entry.into_iter().chain(others) {
                let rendered = rendering::run(program, unit.id);
                work.checks += rendered.work;
                found.extend(rendered.diagnostics);
            }
            for (problems, compared) in parallel::map(&program.list, |unit| files::check(program, unit.id)) {
                work.checks.compared += compared;
                found.extend(problems);
            }
            found
        });
        self.diagnostics.extend(found);
        self
    }

    /// Runs the language's lints and the custom rules, if they are enabled.
    pub(super) fn lint(mut self, own: &[Arc<dyn Lint>], levels: &Levels) -> Self {
        let entry = self.program.list.first().filter(|entry| entry.document.is_complete());
        let lints = entry.into_iter().flat_map(|entry| entry.language.lints.iter().copied());
        let (found, compared) = run_lints(&self.program, lints.chain(own.iter().map(|own| &**own)), levels);
        self.work.checks.compared += compared;
        self.diagnostics.extend(found);
        self
    }

    /// Returns the outcome.
    pub(super) fn outcome(self, levels: &Levels) -> Outcome {
        self.sessions.settle(&self.session, &self.program);
        let import_cost = self.work.cost(&self.program, &self.known, &self.diagnostics);
        let (diagnostics, sources) = shown(self.diagnostics, &self.program, levels, true);
        Outcome { diagnostics, sources, program: self.program, times: self.times, import_cost }
    }

    /// Runs an additional step, which receives the problems found so far. Returns the outcome and the result of the
    /// step.
    pub(super) fn then<T>(
        mut self,
        levels: &Levels,
        step: impl FnOnce(&Program<Complete>, &[Diagnostic]) -> (T, Vec<Diagnostic>),
    ) -> (Outcome, T) {
        let (before, _) = shown(self.diagnostics.clone(), &self.program, levels, true);
        let (result, found) = step(&self.program, &before);
        self.diagnostics.extend(found);
        (self.outcome(levels), result)
    }
}

impl<'s, S> Pipeline<'s, S> {
    /// Returns the result of the phases that have run so far.
    pub(super) fn progress(self, levels: &Levels, stage: impl FnOnce(Program<S>) -> Stage) -> Progress {
        self.sessions.settle(&self.session, &self.program);
        let is_complete = self.times.len() == Phase::ALL.len();
        let import_cost = self.work.cost(&self.program, &self.known, &self.diagnostics);
        let (diagnostics, sources) = shown(self.diagnostics, &self.program, levels, is_complete);
        Progress { diagnostics, sources, stage: stage(self.program), times: self.times, import_cost }
    }

    fn advance<T>(mut self, phase: Phase, run: impl FnOnce(Program<S>, &CachedUnits) -> Program<T>) -> Pipeline<'s, T> {
        let program = timed(&mut self.times, phase, || run(self.program, &self.known));
        let Self { sessions, session, known, diagnostics, times, work, .. } = self;
        Pipeline { sessions, session, program, known, diagnostics, times, work }
    }

    fn report<'d>(&mut self, found: impl Iterator<Item = &'d Vec<Diagnostic>> + Clone) {
        self.diagnostics.reserve(found.clone().map(Vec::len).sum());
        self.diagnostics.extend(found.flatten().cloned());
    }
}

/// Returns the units without cached results if a program needs that: cached results are about types with all parents.
fn forgotten(program: &Program<Complete>, known: &CachedUnits) -> Option<CachedUnits> {
    program.stage.placed.has_only_first_parents.then(|| known.forgotten())
}

/// Returns the results of checking each unit's types, from the cache if possible. Precompiled units have been checked
/// before.
fn check(program: &Program<Complete>, known: &CachedUnits) -> Vec<Arc<CheckedUnit>> {
    let known = known.each(|unit| unit.checked.clone());
    let unknown: Vec<&Arc<Unit>> =
        program.list.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(unit, _)| unit).collect();
    let mut new = parallel::map(&unknown, |unit| {
        let is_doubtful = unit.document.is_complete() && !unit.document.is_unpacked();
        if is_doubtful { Arc::new(rendering::check(program, unit.id)) } else { Arc::default() }
    })
    .into_iter();
    known.into_iter().filter_map(|known| known.or_else(|| new.next())).collect()
}

/// The work of a parse that depends on its imports, but is done again for each importer.
#[derive(Clone, Copy, Default)]
struct ImportWork {
    checks: CheckWork,
    /// The number of entities in merged sources that were rendered.
    rendered: usize,
}

impl ImportWork {
    /// Returns all work as a number of imported sources.
    ///
    /// It does not depend on what is cached. Measured 2026-11-30: reading a cached source takes 10 µs; comparing two
    /// names, 0.35 µs; checking a node of a type again, up to 0.5 µs; comparing a value with 16 bytes of a condition,
    /// up to 0.8 µs; a member of a type, up to 0.8 µs; rendering an entity, 6 µs; a problem, 2 to 4 µs and, for those
    /// of the entry, 670 bytes; the name of a file, up to 1.2 µs; compiling a KB of text, 55 µs; including a KB of text
    /// in a document in Yay, 200 µs; a step of an evaluation, up to 0.2 µs; and reading 512 bytes to repair errors, up
    /// to 20 µs. Text that is compiled again counts less than it takes, because the types that real projects share have
    /// hundreds of KB.
    fn cost(self, units: &Units, known: &CachedUnits, diagnostics: &Diagnostics) -> usize {
        let entry = units.list.first().map(|entry| entry.id);
        let is_of_entry = |problem: &&Diagnostic| Some(problem.span.source) == entry;
        let of_entry = diagnostics.iter().filter(is_of_entry).count();
        let reported = of_entry + (diagnostics.len() - of_entry) / 4;
        let imported = || units.list.iter().enumerate().skip(1);
        let files: usize = imported().map(|(_, unit)| unit.files.len()).sum();
        let is_imported = |unit: &Unit| unit.implicit.is_none() && !unit.document.is_unpacked();
        let again = imported().filter(|(index, unit)| known.is_own(*index) && is_imported(unit));
        let again: usize = again.map(|(_, unit)| unit.source.text().len()).sum();
        // What an imported source includes is read again, and compared, for each importer.
        let includes: usize = units.list.iter().map(|unit| unit.dependencies.len()).sum();
        let evaluated = units.list.first().map_or(0, |entry| {
            let included: usize = entry.sources().skip(1).map(|source| source.text().len()).sum();
            included / 64 + usize::try_from(entry.document.steps / 64).unwrap_or(usize::MAX)
        });
        let CheckWork { compared, nodes, conditions, members } = self.checks;
        let checked = compared / 30 + nodes / 20 + conditions / 12 + members / 12;
        let rest = checked + self.rendered / 2 + files / 16 + again / 512;
        // Values for inputs are checked again for each entry.
        let given = imported().filter(|(_, unit)| unit.is_data).map(|(_, unit)| unit.document.weight()).sum::<u64>();
        let given = units.inputs.len() + usize::try_from(given / 25).unwrap_or(usize::MAX);
        // What is imported is often repaired only once.
        let repaired = |unit: &Arc<Unit>| unit.document.repair_bytes;
        let repaired =
            units.list.first().map_or(0, repaired) + units.list.iter().skip(1).map(repaired).sum::<usize>() / 2;
        // Whether the expressions of imported sources are compiled depends on the cache.
        let patterns = usize::try_from(ExcessPatterns::weight_of_entry(units) / 10).unwrap_or(usize::MAX);
        units.import_cost + repaired / 512 + patterns + reported + includes + evaluated + given + rest
    }
}

/// Returns the problems in their final form and the sources.
fn shown(diagnostics: Diagnostics, units: &Units, levels: &Levels, is_complete: bool) -> (Vec<Diagnostic>, Sources) {
    let sources: Sources = units.list.iter().flat_map(|unit| unit.sources()).cloned().collect();
    let mut diagnostics = diagnostics.into_sorted(&sources);
    drop_consequences(&mut diagnostics, units);
    let diagnostics = ignore::apply(diagnostics, units, &sources, levels, is_complete);
    let mut diagnostics = units.bounded(levels.apply(diagnostics, &sources));
    provenance::add_uses(&mut diagnostics, units);
    provenance::mask(&mut diagnostics, units);
    leave_services_to_others(&mut diagnostics, units);
    hide_foreign_text(&mut diagnostics, &sources);
    for problem in &mut diagnostics {
        if problem.edits.is_empty() {
            let edit = Edit::of(problem, &sources);
            problem.edits.extend(edit);
        }
    }
    (diagnostics, sources)
}

/// Drops problems in text that was changed to read past a syntax error without knowing its intended meaning.
fn drop_consequences(diagnostics: &mut Vec<Diagnostic>, units: &Units) {
    if units.list.iter().all(|unit| !unit.document.is_recovered()) {
        return;
    }
    diagnostics.retain(|problem| {
        let is_unclear = |unit: &Unit| unit.document.is_unclear(problem.span.start);
        problem.rule.code == rules::YAML_SYNTAX.code || !units.unit(problem.span.source).is_some_and(is_unclear)
    });
}

/// Drops problems in the services that imported files describe, if the corresponding quirk is enabled. Otherwise, adds
/// help that suggests the quirk to the errors among them.
fn leave_services_to_others(diagnostics: &mut Vec<Diagnostic>, units: &Units) {
    let mut services: FxHashMap<SourceId, Option<Span>> = FxHashMap::default();
    let mut is_theirs = |problem: &Diagnostic| {
        let source = problem.span.source;
        let place = (*services.entry(source).or_insert_with(|| imported_service(units, source)))?;
        Some(place.start <= problem.span.start && problem.span.end <= place.end)
    };
    if units.quirks.has(Quirk::IMPORTED_SERVICES) {
        diagnostics.retain(|problem| is_theirs(problem) != Some(true));
        return;
    }
    for problem in diagnostics {
        if problem.severity == Severity::Error && is_theirs(problem) == Some(true) {
            problem.help.push(Quirk::IMPORTED_SERVICES.help());
        }
    }
}

/// Returns the place of the service that a source describes; `None` for the entry.
fn imported_service(units: &Units, source: SourceId) -> Option<Span> {
    let unit = units.unit(source).filter(|unit| units.index(unit.id) != Some(0))?;
    let service = unit.language.services.iter().find_map(|keyname| unit.document.root()?.find(keyname))?;
    Some(service.value.span())
}

/// Runs a phase and records its duration, which is zero if there is no clock.
fn timed<T>(times: &mut Vec<PhaseTime>, phase: Phase, run: impl FnOnce() -> T) -> T {
    let start = clock();
    let result = run();
    times.push(PhaseTime { phase, duration: elapsed(start) });
    result
}

fn clock() -> Option<Instant> {
    let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    has_clock.then(Instant::now)
}

fn elapsed(start: Option<Instant>) -> Duration {
    start.map_or(Duration::ZERO, |start| start.elapsed())
}
