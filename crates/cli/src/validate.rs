//! Validates files and writes their models.

pub(super) mod models;

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use clap::ArgMatches;

use super::args::{Emit, FailOn, Format, Validate};
use super::baseline::Baseline;
use super::config;
use super::dump;
use super::entries::{Entries, entries};
use super::fix::{FixMode, Fixes, Reader};
use super::folder;
use super::ordered_parallel::map_in_order;
use super::output;
use super::overview::{self, Overview};
use super::parsers::Readers;
#[cfg(feature = "tables")]
use super::problem_table::ProblemFile;
use super::problems::Problems;
use super::progress::Progress as Bar;
use super::report::{self, Facts};
use super::result_cache::{Found, ResultCache, Walked};
use super::streams::Streams;
use super::total_imports::{TotalImports, counting_imports};
use super::watch::{self, Watched};
use super::{ExitStatus, Refusal};
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::diagnostic::{Diagnostic, Severity, Summary};
use tosca_parse::entity::Language;
use tosca_parse::normal::{Options, Service};
use tosca_parse::resolve::{Resolution, resolve_entry};
use tosca_parse::source::{Address, Sources};
use tosca_parse::{Entry, Outcome, Parser, Phase, PhaseTime, Progress, Stage};
use tosca_parse_config::{here, is_configuration, languages};

/// The work to do with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Validates the files.
    Validate,
    /// Validates the files and reads every file in archives.
    Verify,
    /// Validates the files and fulfills their open requirements.
    Resolve,
}

impl Mode {
    fn reads_whole_archives(self) -> bool {
        !matches!(self, Self::Validate | Self::Resolve)
    }
}

/// Validates files.
pub(super) fn run(
    mut validate: Validate,
    matches: &ArgMatches,
    mode: Mode,
    streams: &mut Streams,
) -> io::Result<ExitStatus> {
    let wishes = validate.rules.overrides(matches);
    let project = if validate.reading.access.no_config { None } else { tosca_parse_config::project(&here()) };
    let settings = config::with(&validate.reading.access, validate.reading.sandbox, project.as_deref());
    if let Err(message) = settings.and_then(|settings| validate.set_defaults(matches, &settings)) {
        return misused(streams, &message);
    }
    let validate = &validate;
    if mode == Mode::Resolve && (validate.dump || validate.stop_after.is_some()) {
        return misused(streams, "`resolve` needs all phases, so it takes neither `--dump` nor `--stop-after`");
    }
    if let Err(message) = report::check(validate) {
        return misused(streams, message);
    }
    let mut readers = Readers::new(&validate.reading, &wishes, validate.jobs);
    if validate.watch {
        readers = readers.searching_again();
    }
    let mut configurations = BTreeSet::new();
    let mut is_first = true;
    loop {
        let began = SystemTime::now();
        let mut read = validate.files.iter().map(PathBuf::from).collect();
        let verdict = round(validate, &mut readers, mode, &mut read, streams)?;
        // With `--watch`, later mistakes can be corrected while the command runs.
        let is_misused = verdict == ExitStatus::Misused && is_first;
        if !validate.watch || is_misused {
            // The process is about to end, which frees all memory at once.
            std::mem::forget(readers);
            return Ok(verdict);
        }
        configurations.extend(readers.configurations());
        let watched = Watched::new(read.iter().chain(&configurations).map(PathBuf::as_path), began);
        watched.report(streams)?;
        watched.wait();
        if watched.has_changed(&configurations) {
            readers.forget();
        }
        watch::clear(streams)?;
        is_first = false;
    }
}

/// Validates the files once and records the paths of all sources read.
fn round(
    validate: &Validate,
    readers: &mut Readers<'_>,
    mode: Mode,
    read: &mut BTreeSet<PathBuf>,
    streams: &mut Streams,
) -> io::Result<ExitStatus> {
    let files = match wanted(validate, readers) {
        Ok(files) => files,
        Err(message) => return misused(streams, &message),
    };
    readers.walked = validate.cache_results.as_deref().map(|folder| Arc::new(Walked::read(folder)));
    let entries = match entries(&files, readers)? {
        Ok(entries) => entries,
        Err(refusal) => return refusal.report(streams),
    };
    readers.report(streams)?;
    let Entries { mut list, has_folders, project, stdin } = entries;
    let most = match readers.settings(&here()) {
        Ok(settings) => settings.bounds.run.imports,
        Err(message) => return misused(streams, &message),
    };
    let has_stdin = stdin.is_some();
    let (mut has_written, mut kept) = (false, BTreeSet::new());
    if let Some(wanted) = changes(validate) {
        let mut fixes = Fixes::new(wanted, project);
        let total = TotalImports::new(most);
        let mut fixers = readers.for_fixes();
        if let Some(stdin) = &stdin {
            if stdin.address.to_path().is_none() {
                return misused(streams, "standard input can't be changed if `--stdin-name` is a URL");
            }
            let Ok(text) = str::from_utf8(&stdin.bytes) else {
                return misused(streams, "standard input is not UTF-8, so it can't be changed");
            };
            fixers.memory.insert(stdin.address.clone(), text);
            fixes.add_text(&stdin.address, text);
        }
        for (number, (_, entry)) in list.iter().enumerate() {
            if total.is_exceeded() {
                writeln!(streams.err(), "warning: {}", total.left(list.len() - number, "changed"))?;
                break;
            }
            let reader = match fixers.entry(Entry::at(entry.address().clone())) {
                Ok((reader, _)) => reader,
                Err(message) => return misused(streams, &message),
            };
            let reader = Reader { parser: fixers.parser(reader), memory: &fixers.memory, entry: entry.address() };
            total.count(fixes.of(reader));
        }
        if validate.diff {
            fixes.diff(streams)?;
            fixes.report(false, streams)?;
            return Ok(if fixes.is_empty() { ExitStatus::Valid } else { ExitStatus::Invalid });
        }
        fixes.write()?;
        fixes.report(true, streams)?;
        kept.extend(fixes.kept().cloned());
        if let Some((stdin, text)) = stdin.zip(fixes.text()) {
            streams.rendered_out().write_all(text.as_bytes())?;
            has_written = true;
            for (number, entry) in list.iter_mut().filter(|(_, entry)| *entry.address() == stdin.address) {
                match readers.entry(Entry::text(stdin.address.clone(), text)) {
                    Ok(fixed) => (*number, *entry) = fixed,
                    Err(message) => return misused(streams, &message),
                }
            }
        }
    }
    if let Some(path) = &validate.output {
        let inputs = list.iter().filter_map(|(_, entry)| entry.address().to_path());
        if let Some(message) = output::replaced_input(Some(path), inputs) {
            return misused(streams, &message);
        }
        // A table is written separately.
        if !validate.format.is_table() || validate.problem_file() != Some(path) {
            streams.redirect(path);
        }
    }
    let baseline = match baseline(validate, readers) {
        Ok(baseline) => baseline,
        Err(message) => return misused(streams, &message),
    };
    let mut run = Run {
        validate,
        baseline,
        all: Problems::default(),
        is_alone: list.len() == 1 && !has_folders,
        has_folders,
        has_written,
        kept,
        models: 0,
        lines: Vec::new(),
        remedies: Vec::new(),
        valid: 0,
        invalid: 0,
        verdict: ExitStatus::Valid,
        has_warnings: false,
        #[cfg(feature = "tables")]
        table: if validate.format.is_table() { Some(ProblemFile::new(validate.problem_file())?) } else { None },
    };
    let bar = Arc::new(Bar::new("files", !validate.quiet));
    let (count, mut done) = (list.len(), 0);
    let last = validate.stop_after.unwrap_or(Phase::Rendering);
    let parsers = readers.parsers();
    // The result for a single file is never freed, because the process is about to end.
    let is_kept = count == 1 && !validate.watch || run.looks_at_programs();
    let suggests = validate.format == Format::Full && !validate.quiet && mode == Mode::Validate;
    let cache = run.uses_cache(mode, has_stdin).map(|folder| {
        ResultCache::new(folder, readers.result_keys(&format!("{last:?} {suggests}")), readers.walked.take())
    });
    let directory = readers.directory().to_owned();
    let total = TotalImports::new(most);
    let parse = |(reader, entry): (usize, Entry)| {
        let bar = bar.clone();
        let file: Arc<str> = entry.address().display_name(Some(&directory)).into();
        if total.is_exceeded() {
            return vec![Parsed::unread(reader, file, &total)];
        }
        let kept = cache.as_ref().and_then(|cache| Some((cache, cache.key(reader, entry.address())?)));
        if let Some((cache, key)) = &kept
            && let Some(found) = cache.find(key)
        {
            return vec![Parsed::cached(reader, file, found)];
        }
        let observer = kept.as_ref().map(|(cache, _)| cache.observer());
        let entry = observer.iter().cloned().fold(entry, Entry::observe);
        let again = suggests.then(|| entry.clone());
        let entry = if count > 1 { entry } else { entry.watch(move |done, all| bar.show(done, all)) };
        let parsed = parse_with_additional(&parsers, (reader, entry), last, mode, &total);
        let mut units = None;
        let parsed = parsed.map(|parsed| match parsed {
            Ok((progress, resolution)) => {
                units.get_or_insert_with(|| progress.stage.units().clone());
                Parsed::new(reader, file.clone(), progress, resolution, is_kept)
            }
            Err(unread) => Parsed::unread(reader, unread.display_name(Some(&directory)).into(), &total),
        });
        let mut parsed: Vec<Parsed> = parsed.collect();
        if let Some((first, entry)) = parsed.first_mut().zip(again) {
            first.remedy = Remedy::of(&parsers[reader], entry, last, first);
        }
        if let Some((((cache, key), observer), units)) = kept.zip(observer).zip(units)
            && let [Parsed { name, diagnostics, sources, remedy, .. }] = &parsed[..]
        {
            let remedy = remedy.map(|Remedy { set, before, after }| (set, before, after));
            cache.add(key, &observer, &units, (name, diagnostics, sources), remedy);
        }
        parsed
    };
    let take = |mut parsed: Vec<Parsed>| {
        if total.is_exceeded() {
            parsed = parsed
                .first()
                .map(|first| Parsed::unread(first.reader, first.file.clone(), &total))
                .into_iter()
                .collect();
        }
        run.is_alone &= parsed.len() == 1;
        for parsed in parsed {
            let (imports, allowed, written) = (parsed.imports, parsed.allowed, streams.written());
            run.one(parsed, last, streams)?;
            let written = (streams.written() - written) / bytes_per_import(validate);
            total.count((imports + written).saturating_sub(allowed));
        }
        done += 1;
        if count > 1 {
            bar.show(done, count);
        }
        Ok(())
    };
    // Querying the number of threads starts them.
    let threads = parsers.first().filter(|_| count > 1).map_or(1, Parser::threads);
    map_in_order(list, threads, parse, take)?;
    drop(bar);
    if let Some(cache) = cache {
        if validate.verbose {
            let hits = cache.hits();
            writeln!(streams.err(), "{} of {count} files parsed, {hits} from the cache", count - hits)?;
        }
        if let Err(error) = cache.save() {
            let message = format!("the results can't be kept: {error}");
            writeln!(streams.err(), "warning: {}", sanitize(&message))?;
        }
    }
    if validate.watch {
        read.extend(run.all.sources.iter().map(|source| PathBuf::from(source.name())));
    }
    run.finish(streams)
}

/// Returns the kind of changes to apply to files.
fn changes(validate: &Validate) -> Option<FixMode> {
    match &validate.add_ignore {
        Some(reason) => Some(FixMode::Exemptions(reason.clone())),
        None if validate.unsafe_fixes => Some(FixMode::All),
        None => (validate.fix || validate.diff).then_some(FixMode::Safe),
    }
}

/// Returns the baseline of the arguments or the configuration.
fn baseline(validate: &Validate, readers: &mut Readers<'_>) -> Result<Option<Baseline>, String> {
    if let Some(path) = &validate.write_baseline {
        return Ok(Some(Baseline::empty(path)));
    }
    let named = match &validate.baseline {
        Some(path) => Some(path.clone()),
        None => {
            let settings = readers.settings(&here())?;
            if validate.prune_baseline && settings.has_baseline_outside() {
                return Err(
                    "the baseline of the configuration is outside the project: name it with `--baseline`".to_owned()
                );
            }
            settings.baseline()
        }
    };
    if named.is_none() && validate.prune_baseline {
        return Err("`--prune-baseline` needs a baseline: set one from `--baseline` or the configuration".to_owned());
    }
    named.map(|path| Baseline::read(&path)).transpose()
}

/// The result of parsing a file.
struct Parsed {
    /// The index of its parser.
    reader: usize,
    /// Its display name.
    name: String,
    /// The display name of the file that the user named or a folder contains: for a template in an archive, the archive.
    #[cfg_attr(not(feature = "tables"), expect(dead_code))]
    file: Arc<str>,
    diagnostics: Vec<Diagnostic>,
    sources: Sources,
    /// The number of its imports; 0 if the result is from the cache.
    imports: usize,
    /// The number of imports that do not count.
    allowed: usize,
    /// The set of quirks that resolves some of its errors.
    remedy: Option<Remedy>,
    /// Whether the result is from the cache, so that its sources are numbered separately.
    is_cached: bool,
    /// The program, if it is kept. Otherwise, the thread that built it drops it, because dropping takes long.
    made: Option<Made>,
}

/// The program of a file.
struct Made {
    stage: Stage,
    times: Vec<PhaseTime>,
    resolution: Option<Resolution>,
}

impl Parsed {
    fn new(reader: usize, file: Arc<str>, progress: Progress, resolution: Option<Resolution>, is_kept: bool) -> Self {
        let Progress { diagnostics, sources, stage, times, import_cost } = progress;
        let name = stage.units().list.first().map(|unit| unit.source.name().to_owned()).unwrap_or_default();
        let (imports, allowed) = (import_cost, stage.units().free_imports());
        let made = is_kept.then_some(Made { stage, times, resolution });
        Self { reader, name, file, diagnostics, sources, imports, allowed, remedy: None, is_cached: false, made }
    }

    fn cached(reader: usize, file: Arc<str>, found: Found) -> Self {
        let Found { name, diagnostics, sources, remedy } = found;
        let remedy = remedy.map(|(set, before, after)| Remedy { set, before, after });
        Self { reader, name, file, diagnostics, sources, imports: 0, allowed: 0, remedy, is_cached: true, made: None }
    }

    /// Creates the result for a file that is not read, because those before it import too much.
    fn unread(reader: usize, file: Arc<str>, total: &TotalImports) -> Self {
        let (problem, sources) = total.problem(&file);
        let found = Found { name: file.to_string(), diagnostics: vec![problem], sources, remedy: None };
        Self::cached(reader, file, found)
    }
}

/// A set of quirks that resolves errors.
#[derive(Clone, Copy)]
struct Remedy {
    set: &'static str,
    /// The number of errors without and with the set.
    before: usize,
    after: usize,
}

impl Remedy {
    /// Determines the set for a file by parsing it again.
    fn of(parser: &Parser, entry: Entry, last: Phase, parsed: &Parsed) -> Option<Self> {
        let before = Summary::of(&parsed.diagnostics).errors;
        if before == 0 {
            return None;
        }
        let set_of = |language: &'static Language| language.quirk_set_for(&parsed.diagnostics, &parsed.sources);
        let set = languages().iter().find_map(set_of)?;
        let again = parser.with_quirks(set.quirks.iter().copied()).parse_until(entry, last);
        let after = Summary::of(&again.diagnostics).errors;
        (after < before).then_some(Self { set: set.name, before, after })
    }
}

/// Parses a file and, if it is an archive, its additional templates. These are meant for substitution and have
/// different inputs. For each template that is not read, because those before it import too much, the iterator returns
/// its address.
pub(super) fn parse_with_additional(
    parsers: &[Parser],
    (reader, entry): (usize, Entry),
    last: Phase,
    mode: Mode,
    total: &TotalImports,
) -> impl Iterator<Item = Result<(Progress, Option<Resolution>), Address>> {
    let parser = &parsers[reader];
    let mut list = VecDeque::from([entry]);
    let mut imported = 0;
    std::iter::from_fn(move || {
        let entry = list.pop_front()?;
        let address = entry.address().clone();
        if total.is_exceeded_by(imported) {
            return Some(Err(address));
        }
        let entry = entry.verify(mode.reads_whole_archives());
        let parsed = if mode == Mode::Resolve {
            let (outcome, resolution) = resolve_entry(parser, entry);
            let Outcome { diagnostics, sources, program, times, import_cost } = outcome;
            (Progress { diagnostics, sources, stage: Stage::Complete(program), times, import_cost }, resolution)
        } else {
            (parser.parse_until(entry, last), None)
        };
        // The additional templates of an archive are known after it has been read.
        let additional: Vec<Entry> = parser.additional_templates(&address).into_iter().map(Entry::at).collect();
        additional.into_iter().rev().for_each(|entry| list.push_front(entry));
        imported += counting_imports(parsed.0.import_cost, parsed.0.stage.units());
        Some(Ok(parsed))
    })
}

pub(super) fn misused(streams: &mut Streams, message: &str) -> io::Result<ExitStatus> {
    Refusal::from(message.to_owned()).report(streams)
}

/// Returns the amount of output, in bytes, that counts as one import. Measured 2026-11-30: writing one MB takes 25 ms as
/// JSON, and 80 ms in other formats. It counts less than that, because the user has asked for it.
fn bytes_per_import(validate: &Validate) -> usize {
    match validate.emit {
        Some(Emit::Json | Emit::Jsonl) => 2048,
        Some(Emit::Yaml | Emit::Clout) | None => 512,
    }
}

/// Returns the files to read among those named.
fn wanted(validate: &Validate, readers: &mut Readers<'_>) -> Result<Vec<OsString>, String> {
    let mut wanted = Vec::with_capacity(validate.files.len());
    for file in &validate.files {
        let path = Path::new(file);
        let is_left_out = if is_configuration(path) && path.is_file() {
            // The file is read as a configuration.
            readers.settings(path).map(|_| true)?
        } else {
            validate.skip_unversioned && folder::is_unversioned(path)
                || validate.force_exclude && path.exists() && readers.settings(path)?.excludes(path)
        };
        if !is_left_out {
            wanted.push(file.clone());
        }
    }
    Ok(wanted)
}

/// A run over all files.
struct Run<'a> {
    validate: &'a Validate,
    baseline: Option<Baseline>,
    all: Problems,
    is_alone: bool,
    has_folders: bool,
    /// Whether the fixed text of standard input has been written to standard output.
    has_written: bool,
    /// The files with problems whose fixes can't be applied.
    kept: BTreeSet<PathBuf>,
    /// The number of written models.
    models: usize,
    /// One line per file that is listed, if there are folders.
    lines: Vec<String>,
    remedies: Vec<Remedy>,
    valid: usize,
    invalid: usize,
    /// The worst status of a file.
    verdict: ExitStatus,
    has_warnings: bool,
    /// The table of problems, if it is requested.
    #[cfg(feature = "tables")]
    table: Option<ProblemFile>,
}

impl Run<'_> {
    /// Returns whether the program of a file is needed, and not only its problems.
    fn looks_at_programs(&self) -> bool {
        let validate = self.validate;
        let is_written = validate.dump || validate.emit.is_some() || validate.verbose;
        is_written || validate.evaluate || self.baseline.is_some() || self.shows_overviews()
    }

    /// Returns the folder for results if they are all that is needed. `junit` lists files without problems, too.
    fn uses_cache(&self, mode: Mode, has_stdin: bool) -> Option<PathBuf> {
        let validate = self.validate;
        let looks_at_programs =
            validate.dump || validate.emit.is_some() || self.baseline.is_some() || self.shows_overviews();
        let is_changed = changes(validate).is_some();
        let is_other = mode != Mode::Validate || validate.watch || has_stdin || validate.format == Format::Junit;
        validate.cache_results.clone().filter(|_| !looks_at_programs && !is_changed && !is_other)
    }

    /// Returns whether an overview of a valid file is shown.
    fn shows_overviews(&self) -> bool {
        !self.validate.quiet && self.validate.format == Format::Full && !self.has_folders && !self.has_written
    }

    fn one(&mut self, parsed: Parsed, last: Phase, streams: &mut Streams) -> io::Result<()> {
        let validate = self.validate;
        let Parsed { reader, name, mut diagnostics, sources, remedy, is_cached, made, .. } = parsed;
        self.remedies.extend(remedy);
        let evaluated = made.as_ref().and_then(|made| self.evaluate(made, &mut diagnostics));
        if let Some((baseline, made)) = self.baseline.as_mut().zip(made.as_ref()) {
            baseline.take(&mut diagnostics, made.stage.units(), &sources);
        }
        if !self.kept.is_empty() {
            // These fixes have just failed, so they are not offered.
            let path = |source| std::path::absolute(sources.get(source)?.name()).ok();
            let is_kept =
                |problem: &&mut Diagnostic| path(problem.span.source).is_some_and(|path| self.kept.contains(&path));
            diagnostics.iter_mut().filter(is_kept).for_each(|problem| problem.edits.clear());
        }
        let summary = Summary::of(&diagnostics);
        let is_valid = summary.errors == 0;
        *(if is_valid { &mut self.valid } else { &mut self.invalid }) += 1;
        if let Some(made) = made.as_ref().filter(|_| validate.verbose) {
            overview::times(streams.rendered_err(), made.stage.units(), &made.times)?;
        }
        self.verdict = self.verdict.max(ExitStatus::of(&diagnostics));
        if self.has_folders && (!is_valid || validate.verbose) {
            let counts = [(summary.errors, "error"), (summary.warnings, "warning")];
            let counts: Vec<String> = counts
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" }))
                .collect();
            let verdict = if is_valid { "valid  " } else { "invalid" };
            let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
            self.lines.push(format!("{verdict}  {name}{counts}"));
        }
        self.has_warnings |= diagnostics.iter().any(|problem| problem.severity == Severity::Warning);
        diagnostics.retain(|shown| !validate.quiet || shown.severity == Severity::Error);
        #[cfg(feature = "tables")]
        if let Some(table) = &mut self.table {
            // Each template has its problems in the table, so they are not needed any more.
            table.add(&parsed.file, is_valid, &std::mem::take(&mut diagnostics), &sources)?;
        }
        if is_cached {
            self.all.add_cached(reader, diagnostics, &sources);
        } else {
            self.all.add(reader, diagnostics, &sources);
        }
        let Some(Made { stage, resolution, .. }) = made else { return Ok(()) };
        let resolution = resolution.as_ref();
        if validate.dump {
            dump::dump(streams, &stage, last)?;
        } else if validate.stop_after.is_none() && (is_valid || resolution.is_some() && validate.emit.is_none()) {
            self.describe(&stage, evaluated, resolution, streams)?;
        }
        // The process is about to end, which frees all memory at once.
        if self.is_alone && !validate.watch {
            std::mem::forget(stage);
        }
        Ok(())
    }

    /// Returns the evaluated model of a valid service, if requested. A value that can't be computed adds a problem.
    fn evaluate(&self, made: &Made, diagnostics: &mut Vec<Diagnostic>) -> Option<Service> {
        let Stage::Complete(program) = &made.stage else { return None };
        if !self.validate.evaluate || Summary::of(diagnostics).errors > 0 {
            return None;
        }
        let attributes = self.validate.reading.attributes.as_ref().map(|attributes| &attributes.0);
        let options = Options { resolution: made.resolution.as_ref(), positions: self.validate.positions, attributes };
        let (service, problems) = Service::evaluated(program, options)?;
        diagnostics.extend(problems);
        Some(service)
    }

    /// Writes the model or the overview of a valid service.
    fn describe(
        &mut self,
        stage: &Stage,
        evaluated: Option<Service>,
        resolution: Option<&Resolution>,
        streams: &mut Streams,
    ) -> io::Result<()> {
        let Stage::Complete(program) = stage else { return Ok(()) };
        let validate = self.validate;
        if let Some(format) = validate.emit {
            let options = Options { resolution, positions: validate.positions, ..Options::default() };
            return self.write_model(program, evaluated, options, format, streams);
        }
        if !self.shows_overviews() {
            return Ok(());
        }
        if let Some(summary) = super::murano::summary(program) {
            return writeln!(streams.out(), "{summary}");
        }
        let color = validate.appearance.color.enabled(&io::stdout());
        let overview = Overview::of(program, resolution).color(color);
        if self.is_alone {
            write!(streams.rendered_out(), "{overview}")
        } else {
            writeln!(streams.rendered_out(), "{overview:#}")
        }
    }

    /// Shows all problems.
    fn finish(mut self, streams: &mut Streams) -> io::Result<ExitStatus> {
        self.close(streams)?;
        let validate = self.validate;
        if let Some(baseline) = self.baseline.take_if(|_| validate.write_baseline.is_some()) {
            baseline.write(streams)?;
            return Ok(ExitStatus::Valid);
        }
        let Problems { list, sources, .. } = &self.all;
        // A stream with a model, a dump or a text must contain nothing else.
        let is_taken = validate.dump || validate.emit.is_some() || self.has_written;
        let mut remarks = Vec::new();
        if validate.format == Format::Full && !validate.quiet {
            remarks.append(&mut self.lines);
            let sets: BTreeSet<&str> = self.remedies.iter().map(|remedy| remedy.set).collect();
            for set in sets {
                let of_set = || self.remedies.iter().filter(|remedy| remedy.set == set);
                let (before, after): (usize, usize) =
                    (of_set().map(|remedy| remedy.before).sum(), of_set().map(|remedy| remedy.after).sum());
                let errors = if before == 1 { "error" } else { "errors" };
                remarks.push(format!("`--quirk {set}` resolves {} of {before} {errors}", before - after));
            }
            let number = self.valid + self.invalid;
            if number > 1 || self.has_folders {
                let noun = if number == 1 { "file" } else { "files" };
                let verb = if self.valid == 1 { "is" } else { "are" };
                remarks.push(format!("{} of {number} {noun} {verb} valid", self.valid));
            }
        }
        #[cfg(feature = "tables")]
        if let Some(table) = self.table.take() {
            table.finish(streams)?;
        }
        let facts = Facts { has_folders: self.has_folders, is_taken, remarks: &remarks };
        report::write(validate, list, sources, &facts, streams)?;
        if let Some(baseline) = self.baseline.take() {
            if validate.prune_baseline { baseline.prune(streams)? } else { baseline.report(streams)? }
        }
        let verdict = match (validate.exit_zero, validate.fail_on) {
            (true, _) => ExitStatus::Valid,
            (false, FailOn::Warning) if self.has_warnings => ExitStatus::Invalid,
            (false, _) => self.verdict,
        };
        if !validate.watch {
            std::mem::forget(self);
        }
        Ok(verdict)
    }
}
