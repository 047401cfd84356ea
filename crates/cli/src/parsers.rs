//! Parsers for the files of a run: one per configuration.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;

use super::args::{ReadArgs, RuleOverrides, RuleSelector, SourceArgs};
use super::config;
use super::fix::{OUTDATED, PROBLEMS};
use super::result_cache::{self, Walked};
use super::streams::Streams;
use tosca_parse::entity::Quirk;
use tosca_parse::source::{Address, AddressError, CatalogueProblem, MemoryProvider, Searches};
use tosca_parse::{Entry, Parser, ParserBuilder};
use tosca_parse_config::{Settings, here, languages, with_option};

/// The maximum number of parsers, which take 0.1 to 0.2 MB each even for the smallest project.
const MAX_PARSERS: usize = 250;

/// The parsers, created on first use.
pub(super) struct Readers<'a> {
    pub(super) reading: &'a ReadArgs,
    wishes: &'a RuleOverrides,
    jobs: Option<u16>,
    /// The folder that paths are relative to.
    directory: PathBuf,
    /// The configurations of projects, by folder.
    projects: HashMap<PathBuf, Option<PathBuf>>,
    settings: HashMap<Option<PathBuf>, Rc<Settings>>,
    list: Vec<(Option<PathBuf>, Vec<Quirk>, Parser)>,
    /// The folders that are read as a whole, because their files may refer to each other.
    pub(super) folders: Vec<PathBuf>,
    /// What earlier runs have found out about the files of folders.
    pub(super) walked: Option<Arc<Walked>>,
    /// Sources that are read instead of files.
    pub(super) memory: MemoryProvider,
    /// The buckets of object stores that arguments name.
    pub(super) buckets: BTreeSet<String>,
    /// The maximum number of problems per rule; `None` means the default.
    problems: Option<usize>,
    /// The searches that all parsers share; `None` if each must notice changes to the folders.
    searches: Option<Searches>,
    /// Whether files are changed, so that their earlier texts are not worth caching.
    changes_files: bool,
    /// A provider that is queried before the files.
    overlay: Option<tosca_parse_server::Overlay>,
}

impl<'a> Readers<'a> {
    /// Creates parsers with the settings from the arguments.
    pub(super) fn new(reading: &'a ReadArgs, wishes: &'a RuleOverrides, jobs: Option<u16>) -> Self {
        let (projects, settings) = (HashMap::default(), HashMap::default());
        Self {
            reading,
            wishes,
            jobs,
            directory: std::env::current_dir().unwrap_or_default(),
            projects,
            settings,
            list: Vec::new(),
            folders: Vec::new(),
            walked: None,
            memory: MemoryProvider::new(),
            buckets: BTreeSet::new(),
            problems: None,
            searches: Some(Searches::default()),
            changes_files: false,
            overlay: None,
        }
    }

    /// Returns parsers for the same sources that don't stop at the default number of problems per rule.
    pub(super) fn for_fixes(&self) -> Self {
        let (folders, memory, buckets) = (self.folders.clone(), self.memory.clone(), self.buckets.clone());
        let new = Self::new(self.reading, self.wishes, self.jobs);
        Self { folders, memory, buckets, problems: Some(PROBLEMS), changes_files: true, ..new }
    }

    /// Makes the parsers cache little of the earlier texts of files.
    pub(super) fn changing_files(mut self) -> Self {
        self.changes_files = true;
        self
    }

    /// Makes the parsers notice changes to the folders that they search, because the command runs for a long time.
    pub(super) fn searching_again(mut self) -> Self {
        self.searches = None;
        self
    }

    /// Makes the parsers use the documents that an editor has open.
    pub(super) fn with_overlay(mut self, overlay: tosca_parse_server::Overlay) -> Self {
        self.overlay = Some(overlay);
        self.searching_again()
    }

    /// Returns the paths of all configurations in use.
    pub(super) fn configurations(&self) -> Vec<PathBuf> {
        self.settings.values().flat_map(|settings| settings.files()).map(Path::to_owned).collect()
    }

    /// Drops the configurations and the parsers built from them.
    pub(super) fn forget(&mut self) {
        self.projects.clear();
        self.settings.clear();
        self.list.clear();
        self.searches = self.searches.take().map(|_| Searches::default());
    }

    /// Returns the folder that paths are relative to.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the parser with the given index.
    pub(super) fn parser(&self, number: usize) -> &Parser {
        &self.list[number].2
    }

    /// Returns a key for the results of each parser, for a cache; `None` if its results depend on something else.
    pub(super) fn result_keys(&self, what: &str) -> Vec<Option<String>> {
        let key = |project: &Option<PathBuf>, quirks: &[Quirk]| {
            let settings = self.settings.get(project)?;
            // The check of a custom rule may look for files.
            if !settings.custom_rules().is_empty() {
                return None;
            }
            let Self { reading, wishes, .. } = self;
            let folders = reading.profile_path.iter().chain(&reading.package_path).chain(&reading.import_path).cloned();
            let folders = folders.chain(settings.profile_paths()).chain(settings.import_paths());
            let folders: Vec<PathBuf> = folders.chain(self.folders.iter().cloned()).collect();
            let configurations: Vec<PathBuf> = settings.files().map(Path::to_owned).collect();
            let names: Vec<_> = quirks.iter().map(|quirk| quirk.name()).collect();
            result_cache::key_of(&format!("{what}\0{reading:?}\0{wishes:?}\0{names:?}"), &configurations, &folders)
        };
        self.list.iter().map(|(project, quirks, _)| key(project, quirks)).collect()
    }

    /// Returns all parsers, by index.
    pub(super) fn parsers(&self) -> Vec<Parser> {
        self.list.iter().map(|(_, _, parser)| parser.clone()).collect()
    }

    /// Returns the settings for a file.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if a configuration is invalid.
    pub(super) fn settings(&mut self, file: &Path) -> Result<Rc<Settings>, String> {
        let project = self.project(file);
        if let Some(settings) = self.settings.get(&project) {
            return Ok(settings.clone());
        }
        let settings = Rc::new(config::with(&self.reading.access, self.reading.sandbox, project.as_deref())?);
        self.settings.insert(project, settings.clone());
        Ok(settings)
    }

    /// Reports the ignored settings of projects.
    pub(super) fn report(&self, streams: &mut Streams) -> io::Result<()> {
        let mut settings: Vec<_> = self.settings.iter().collect();
        settings.sort_by_key(|(project, _)| *project);
        settings.into_iter().try_for_each(|(_, settings)| config::report(settings, streams))
    }

    /// Checks that all rules named by arguments are built-in rules or custom rules of a configuration in use.
    ///
    /// # Errors
    ///
    /// Returns a one-line message for the user if a rule is unknown or a configuration is invalid.
    pub(super) fn check_wishes(&mut self) -> Result<(), String> {
        for (which, _) in &self.wishes.rules {
            let RuleSelector::Custom(name) = which else { continue };
            if !self.settings.values().any(|settings| settings.rule(name).is_ok()) {
                self.settings(&here())?.rule(name).map_err(|unknown| unknown.to_string())?;
            }
        }
        Ok(())
    }

    /// Returns the configuration of the project that a file belongs to.
    pub(super) fn project(&mut self, file: &Path) -> Option<PathBuf> {
        if self.reading.access.no_config {
            return None;
        }
        let folder = file.parent().unwrap_or(file);
        if let Some(known) = self.projects.get(folder) {
            return known.clone();
        }
        let project = tosca_parse_config::project(file);
        self.projects.insert(folder.to_owned(), project.clone());
        project
    }

    /// Returns the address of an argument. A path need not be valid Unicode.
    ///
    /// # Errors
    ///
    /// Returns an error if the argument is an invalid URL.
    pub(super) fn address(&self, argument: &OsStr) -> Result<Address, AddressError> {
        match argument.to_str() {
            Some(text) => Address::from_argument(text, &self.directory),
            None => Ok(Address::from_path(Path::new(argument), &self.directory)),
        }
    }

    /// Returns an entry with its input values and the index of the parser that reads it.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if a name or value in the arguments or the configuration is invalid.
    pub(super) fn entry(&mut self, mut entry: Entry) -> Result<(usize, Entry), String> {
        let file = entry.address().to_path().unwrap_or_else(here);
        let settings = self.settings(&file)?;
        entry = settings.apply(entry, &file, &self.directory)?;
        for file in &self.reading.inputs {
            entry = entry.inputs_at(self.address(file).map_err(|error| error.to_string())?);
        }
        for input in &self.reading.input {
            entry = entry.inputs(format!("--input {}", input.name), input.yaml());
        }
        for (option, value) in &self.reading.options.0 {
            entry = with_option(entry, option, value, &self.directory)?;
        }
        Ok((self.reader(&file, &settings)?, entry))
    }

    fn reader(&mut self, file: &Path, settings: &Settings) -> Result<usize, String> {
        let (project, quirks) = (self.project(file), settings.quirks(file));
        if let Some(number) = self.list.iter().position(|(one, other, _)| *one == project && *other == quirks) {
            return Ok(number);
        }
        if self.list.len() == MAX_PARSERS {
            return Err(format!(
                "the files have more than {MAX_PARSERS} different configurations or sets of quirks; check fewer at a time"
            ));
        }
        let stores = config::object_stores(settings, &self.reading.access, &self.buckets);
        let mut builder = builder(self.reading, settings)?.directory(&self.directory).object_stores(stores);
        if let Some(searches) = &self.searches {
            builder = builder.searches(searches.clone());
        }
        for folder in &self.folders {
            builder = builder.profile_path(folder);
        }
        let mut builder = builder.levels(settings.levels(self.wishes));
        builder = builder.provider(Arc::new(self.memory.clone()));
        if let Some(overlay) = &self.overlay {
            builder = builder.provider(Arc::new(overlay.clone()));
        }
        for quirk in &quirks {
            builder = builder.quirk(*quirk);
        }
        if let Some(rules) = settings.custom_lint() {
            builder = builder.lint(rules);
        }
        if let Some(problems) = self.problems {
            builder = builder.problems_of_a_rule(problems);
        }
        if self.changes_files {
            builder = builder.remembered_bytes(OUTDATED);
        }
        if let Some(jobs) = self.jobs {
            builder = builder.threads(usize::from(jobs));
        }
        let parser = builder.build().map_err(|error| error.to_string())?;
        self.list.push((project, quirks, parser));
        Ok(self.list.len() - 1)
    }
}

/// Returns a parser builder with the settings from the arguments and the configuration, or an error message.
fn builder(reading: &ReadArgs, settings: &Settings) -> Result<ParserBuilder, String> {
    // A folder named by an argument must exist; one named by the configuration need not exist on every computer.
    if let Some(path) = reading.profile_path.iter().find(|path| !path.exists()) {
        return Err(CatalogueProblem::Missing(path.clone()).to_string());
    }
    if let Some(path) = reading.package_path.iter().find(|path| !path.exists()) {
        return Err(format!("there is no folder `{}`", path.display()));
    }
    if let Some(folder) = reading.import_path.iter().find(|folder| !folder.is_dir()) {
        return Err(format!("there is no folder `{}`", folder.display()));
    }
    let mut builder = accessing(&reading.access, settings, &reading.profile_path).sandbox(reading.sandbox);
    for path in &reading.package_path {
        builder = builder.profile_path(path);
    }
    {
        builder = builder.syntax(Arc::new(super::yay::syntax(reading)?));
    }
    for folder in reading.import_path.iter().cloned().chain(settings.import_paths()) {
        builder = builder.import_path(folder);
    }
    for quirk in reading.quirk.iter().flat_map(|asked| &asked.0) {
        builder = builder.quirk(*quirk);
    }
    // The versions of the command line are declared last, so they win.
    if reading.read_version.iter().all(|read| read.word.is_some()) {
        for (word, version) in settings.versions() {
            builder = builder.read_version(word, version);
        }
    }
    for read in &reading.read_version {
        builder = match &read.word {
            Some(word) => builder.read_version(word, &read.version),
            None => builder.read_unknown_versions(&read.version),
        };
    }
    for name in reading.allow_function.iter().map(String::as_str).chain(settings.functions()) {
        builder = builder.function(name);
    }
    Ok(builder)
}

/// Returns a parser builder that accesses sources and profiles as the arguments and the configuration specify.
pub(super) fn accessing(access: &SourceArgs, settings: &Settings, profile_paths: &[PathBuf]) -> ParserBuilder {
    let main = Parser::builder(languages().main());
    let builder = languages()
        .iter()
        .skip(1)
        .fold(main, ParserBuilder::language)
        .offline(access.offline)
        .http(config::http(settings, access))
        .object_stores(config::object_stores(settings, access, &BTreeSet::new()));
    settings.configure(builder, profile_paths)
}
