//! The settings of a run: the user's configuration, the project's, and the values of the caller.
//!
//! Settings closer to the template win: the caller's, then the project's configuration, then the user's. Lists are
//! concatenated, so a project adds to the user's lists.

use std::ffi::{OsStr, OsString};
use std::num::NonZero;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use globset::{GlobSet, GlobSetBuilder};
use indexmap::IndexSet;

use crate::file::{File, Special};
use crate::path_patterns;
use crate::project_files::ProjectFiles;
use crate::{Bounds, DeclaredRule, Error, FailOn, Format, Limit, RuleOverrides, dirs, languages};
use tosca_parse::custom_rule::{CustomRule, CustomRules};
use tosca_parse::diagnostic::{Levels, Rule, RuleDocs};
use tosca_parse::entity::{LanguageOption, OptionValue, Quirk};
use tosca_parse::rules::UnknownRule;
use tosca_parse::source::{Address, InputValues, ReadError, is_yaml_name, regular};
use tosca_parse::{Entry, ParserBuilder};

/// The maximum size of a configuration, in bytes.
pub const LARGEST: u64 = 1 << 20;

/// The maximum number of path patterns in `exclude` and in all overrides of a configuration, of its custom rules, of the
/// folders in each list, and of mapped URLs. Each file or import is compared with all of them.
const MAX_ENTRIES: usize = 1_000;

/// The names of a project's configuration; the first existing one is used.
const NAMES: [&str; 2] = ["tosca-parse.yaml", ".tosca-parse.yaml"];

/// Returns whether a path is that of a project's configuration, which is never read as a template.
pub fn is_configuration(path: &Path) -> bool {
    path.file_name().is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

/// The configuration of the user.
#[derive(Clone, Debug, Default)]
pub enum UserFile {
    /// No configuration.
    #[default]
    Absent,
    /// `config.yaml` in the user's folder of configurations, if it exists.
    Installed,
    /// A file that the caller names.
    Named(PathBuf),
}

/// The values that the caller sets. They win over configurations.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The configuration of the user.
    pub user: UserFile,
    /// The folder that displayed names of sources are relative to; `None` means the current directory.
    pub directory: Option<PathBuf>,
    /// Whether no path of a project may lead out of the folder of its configuration.
    pub is_sandboxed: bool,
    /// The URL prefixes and the folders to read instead.
    pub map_url: Vec<(String, PathBuf)>,
    /// The limits.
    pub limits: Vec<Limit>,
}

/// The combined settings from the caller and from files.
#[derive(Debug, Default)]
pub struct Settings {
    /// The files: the user's, then the project's.
    layers: Vec<Layer>,
    /// The path of the project's configuration.
    project: Option<PathBuf>,
    /// The folder that displayed names of sources are relative to.
    directory: PathBuf,
    /// The URL mappings of the caller.
    map_url: Vec<(String, PathBuf)>,
    /// The limits.
    pub bounds: Bounds,
    /// A message for each ignored setting of the project.
    ignored: Vec<String>,
}

/// A configuration file.
#[derive(Debug)]
pub struct Layer {
    /// Its displayed path: relative to the current directory if it is inside.
    name: String,
    /// The folder that its paths are relative to.
    folder: PathBuf,
    file: File,
    trust: Trust,
    overrides: Arc<Overrides>,
    exclude: GlobSet,
    /// The text as the source of values for inputs.
    values: InputValues,
}

/// The files that the overrides of a configuration apply to. The patterns of all overrides are matched together, because
/// there may be many overrides as well as many files.
#[derive(Debug)]
struct Overrides {
    folder: PathBuf,
    globs: GlobSet,
    /// For each pattern, the index of its override, in ascending order.
    of_patterns: Vec<usize>,
}

impl Overrides {
    /// Returns the indices of the overrides for a file, in ascending order.
    fn matching(&self, file: &Path) -> Vec<usize> {
        let (Some(inside), Some(last)) = (inside(&self.folder, file), self.of_patterns.last()) else {
            return Vec::new();
        };
        let mut are_matching = vec![false; last + 1];
        let mut patterns = Vec::new();
        for part in inside.ancestors() {
            self.globs.matches_into(part, &mut patterns);
            patterns.iter().for_each(|pattern| are_matching[self.of_patterns[*pattern]] = true);
        }
        (0..=*last).filter(|number| are_matching[*number]).collect()
    }
}

/// The trust in the author of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The user, who may set everything.
    User,
    /// The author of a project, who may lower limits.
    Project,
    /// The author of a project in a sandbox, where no path may lead out of the project's folder.
    Sandboxed,
}

/// Returns the path for settings that don't concern a file, so that the settings of the current directory apply.
pub fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_default().join("_")
}

/// Returns the configuration of the project that a file belongs to.
pub fn project(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    file.ancestors().skip(1).flat_map(|folder| NAMES.map(|name| folder.join(name))).find(|path| path.is_file())
}

impl Settings {
    /// Reads the configurations of the user and of a project.
    ///
    /// # Errors
    ///
    /// Returns an error if a configuration is unreadable or invalid.
    pub fn read(arguments: &Arguments, project: Option<&Path>) -> Result<Self, Error> {
        let mut settings = Self { map_url: arguments.map_url.clone(), ..Self::default() };
        let here = arguments.directory.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        settings.directory.clone_from(&here);
        let user = match &arguments.user {
            UserFile::Absent => None,
            UserFile::Installed => dirs::config().map(|folder| folder.join("config.yaml")),
            UserFile::Named(path) => Some(path.clone()),
        };
        if let Some(path) = user {
            let is_named = matches!(arguments.user, UserFile::Named(_));
            settings.layers.extend(Layer::read(&path, &here, is_named, Trust::User, &[])?);
        }
        if let Some(path) = project {
            settings.project = std::path::absolute(path).ok();
            let further = settings.custom_rules();
            let trust = if arguments.is_sandboxed { Trust::Sandboxed } else { Trust::Project };
            let layer = Layer::read(path, &here, true, trust, &further)?;
            settings.layers.extend(layer);
        }
        for layer in &settings.layers {
            if layer.trust == Trust::User {
                settings.bounds.set(layer.file.limits());
                continue;
            }
            let raised = settings.bounds.lower(layer.file.limits());
            let ignored = raised.into_iter().chain(layer.ignored_paths());
            settings.ignored.extend(ignored.map(|message| format!("{}: {message}", layer.name)));
        }
        settings.bounds.set(&arguments.limits);
        if let Err(message) = CustomRules::new(settings.checks()) {
            let file = settings.layers.last().map(|layer| layer.name.clone()).unwrap_or_default();
            return Err(Error::Invalid { file, position: None, message });
        }
        Ok(settings)
    }

    /// Configures the access to sources and profiles. `profile_paths` are the caller's; they are searched first.
    #[must_use]
    pub fn configure(&self, mut builder: ParserBuilder, profile_paths: &[PathBuf]) -> ParserBuilder {
        builder = builder
            .limits(self.bounds.sources.clone())
            .import_limits(self.bounds.imports)
            .model_limits(self.bounds.models)
            .archive_limits(self.bounds.archives.clone());
        for (prefix, folder) in self.map_url() {
            builder = builder.map_url(&prefix, folder);
        }
        let profile_paths: IndexSet<PathBuf> = profile_paths.iter().cloned().chain(self.profile_paths()).collect();
        profile_paths.into_iter().fold(builder, ParserBuilder::profile_path)
    }

    /// Returns the displayed paths of the files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.layers.iter().map(|layer| Path::new(&layer.name))
    }

    /// Returns the files: the user's, then the project's.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the layers, nearest first.
    pub fn nearest_first(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().rev()
    }

    /// Returns the paths to search for profiles after those from the arguments.
    pub fn profile_paths(&self) -> impl Iterator<Item = PathBuf> {
        self.nearest_first().flat_map(|layer| layer.file.profile_paths().filter_map(|path| layer.place(path)))
    }

    /// Returns the folders to search for imports by file name after those from the arguments.
    pub fn import_paths(&self) -> impl Iterator<Item = PathBuf> {
        self.nearest_first().flat_map(|layer| layer.file.import_paths().filter_map(|path| layer.place(path)))
    }

    /// Returns the URL prefixes and the folders to read instead.
    pub fn map_url(&self) -> impl Iterator<Item = (String, PathBuf)> {
        let files = self
            .nearest_first()
            .flat_map(|layer| layer.file.map_url().filter_map(|(url, path)| Some((url.clone(), layer.place(path)?))));
        self.map_url.iter().cloned().chain(files)
    }

    /// Returns the functions that may be called although they are not defined.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().flat_map(|layer| layer.file.functions())
    }

    /// Returns the declared versions and the versions that they are read as.
    pub fn versions(&self) -> impl Iterator<Item = (&String, &String)> {
        self.layers.iter().flat_map(|layer| layer.file.versions())
    }

    /// Returns the custom rules of the project and the user; if two have the same name, the nearer one wins.
    pub fn custom_rules(&self) -> Vec<&DeclaredRule> {
        let mut found: Vec<&DeclaredRule> = Vec::new();
        for own in self.nearest_first().flat_map(|layer| layer.file.custom_rules()) {
            if !found.iter().any(|known| known.explained.rule.name == own.explained.rule.name) {
                found.push(own);
            }
        }
        found.sort_by_key(|own| own.explained.rule.name);
        found
    }

    /// Returns the built-in or custom rule with the given code or name.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such rule.
    pub fn rule(&self, code_or_name: &str) -> Result<RuleDocs, UnknownRule> {
        find(code_or_name, self.custom_rules().into_iter())
    }

    /// Returns the custom rules as a lint; `None` if there are none.
    pub fn custom_lint(&self) -> Option<CustomRules> {
        let checks = self.checks();
        if checks.is_empty() {
            return None;
        }
        let excluded = self.layers.iter().map(|layer| (layer.folder.clone(), layer.exclude.clone()));
        let files = ProjectFiles::new(self.project.clone(), self.directory.clone(), excluded.collect());
        // An error has been reported when the settings were read.
        Some(CustomRules::new(checks).ok()?.imports(move |name| files.has(name)))
    }

    /// Returns the checks of the custom rules.
    fn checks(&self) -> Vec<CustomRule> {
        self.custom_rules().into_iter().filter_map(|own| own.check().ok()).collect()
    }

    /// Returns the quirks for a file.
    pub fn quirks(&self, file: &Path) -> Vec<Quirk> {
        let mut quirks = Vec::new();
        for layer in &self.layers {
            quirks.extend(layer.file.quirks());
            let special = layer.overrides(file, |special| !special.quirks().is_empty());
            quirks.extend(special.flat_map(Special::quirks));
        }
        quirks
    }

    /// Returns the input values for a file.
    pub fn inputs(&self, file: &Path) -> impl Iterator<Item = InputValues> {
        self.layers.iter().filter_map(move |layer| {
            let special = layer.overrides(file, |special| special.start_of_inputs().is_some());
            let special = special.filter_map(Special::start_of_inputs);
            let maps: Vec<u32> = layer.file.start_of_inputs().into_iter().chain(special).collect();
            (!maps.is_empty()).then(|| layer.values.at(maps))
        })
    }

    /// Returns the values of language options for a file: paths or URLs.
    pub fn options(&self, file: &Path) -> Vec<(&'static LanguageOption, OsString)> {
        let mut options = Vec::new();
        for layer in &self.layers {
            let special = layer.overrides(file, |special| !special.options().is_empty());
            let all = layer.file.options().iter().chain(special.flat_map(Special::options));
            options.extend(all.filter_map(|(option, value)| Some((*option, layer.source(value)?))));
        }
        options
    }

    /// Sets the input values and the values of language options for the file of an entry. Those of the caller are added
    /// afterwards, so that they win. Paths are relative to a directory.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if a value is invalid.
    pub fn apply(&self, entry: Entry, file: &Path, directory: &Path) -> Result<Entry, String> {
        let entry = self.inputs(file).fold(entry, Entry::input_values);
        let mut options = self.options(file).into_iter();
        options.try_fold(entry, |entry, (option, value)| with_option(entry, option, &value, directory))
    }

    /// Returns the path of the project's configuration.
    pub fn project(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// Returns the style of formatted files.
    pub fn formatting(&self) -> tosca_parse_fmt::Options {
        let mut options = tosca_parse_fmt::Options::default();
        let layers = self.layers.iter().filter_map(|layer| layer.file.format());
        layers.for_each(|formatting| formatting.set(&mut options));
        self.versions().for_each(|(word, version)| options.versions.declare(word, version));
        options
    }

    /// Returns the format of problems.
    pub fn problem_format(&self) -> Option<Format> {
        self.nearest_first().find_map(|layer| layer.file.problem_format())
    }

    /// Returns the lowest severity for which the exit code is 1.
    pub fn fail_on(&self) -> Option<FailOn> {
        self.nearest_first().find_map(|layer| layer.file.fail_on())
    }

    /// Returns the number of threads.
    pub fn jobs(&self) -> Option<NonZero<u16>> {
        self.nearest_first().find_map(|layer| layer.file.jobs())
    }

    /// Returns the folder in which results are kept.
    pub fn cache_results(&self) -> Option<PathBuf> {
        self.nearest_first().find_map(Layer::cache_results)
    }

    /// Returns the path of the baseline.
    pub fn baseline(&self) -> Option<PathBuf> {
        self.nearest_first().find_map(|layer| layer.place(layer.file.baseline()?))
    }

    /// Returns whether a project names a baseline outside its folder, which is then not modified.
    pub fn has_baseline_outside(&self) -> bool {
        let layer =
            self.nearest_first().find(|layer| layer.file.baseline().and_then(|path| layer.place(path)).is_some());
        layer.is_some_and(|layer| {
            let path = layer.file.baseline().unwrap_or(Path::new(""));
            layer.trust != Trust::User && !layer.is_inside(path)
        })
    }

    /// Returns a message for each ignored setting of the project.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Returns whether a path or one of its parent folders is excluded.
    pub fn excludes(&self, path: &Path) -> bool {
        self.layers.iter().any(|layer| covers(&layer.folder, &layer.exclude, path))
    }

    /// Returns the level of each rule, as set by the configurations and then by the caller.
    pub fn levels(&self, wishes: &RuleOverrides) -> Levels {
        let strict = wishes.strict || self.layers.iter().any(|layer| layer.file.strict());
        let mut levels = Levels::new().strict(strict);
        for (index, layer) in self.layers.iter().enumerate() {
            // If a nearer file declares a rule again, settings for that rule in files farther away don't apply.
            let own = |name: &str| self.own(name).filter(|(declared, _)| *declared <= index).map(|(_, rule)| rule);
            for (which, wanted) in layer.file.rules() {
                which.set(&mut levels, *wanted, own);
            }
            let (overrides, directory) = (layer.overrides.clone(), self.directory.clone());
            let find = move |name: &str| overrides.matching(&directory.join(name));
            let scopes = levels.scopes(layer.file.overrides().len(), find);
            for (scope, special) in scopes.into_iter().zip(layer.file.overrides()) {
                for (which, wanted) in special.rules() {
                    which.set_in(&mut levels, scope, *wanted, own);
                }
            }
        }
        for (which, wanted) in &wishes.rules {
            which.set(&mut levels, *wanted, |name| self.own(name).map(|(_, rule)| rule));
        }
        levels
    }

    /// Returns a custom rule and the index of the file that declares it.
    fn own(&self, name: &str) -> Option<(usize, &'static Rule)> {
        let layers = self.layers.iter().enumerate().rev();
        let mut own = layers.flat_map(|(index, layer)| layer.file.custom_rules().iter().map(move |own| (index, own)));
        own.find(|(_, own)| own.explained.rule.name == name).map(|(index, own)| (index, own.explained.rule))
    }
}

/// Sets the value of a language option: a path relative to a directory, or a URL.
///
/// # Errors
///
/// Returns an error, as one line for the user, if the value is invalid.
pub fn with_option(entry: Entry, option: &LanguageOption, value: &OsStr, directory: &Path) -> Result<Entry, String> {
    let address = match value.to_str() {
        Some(text) => Address::from_argument(text, directory).map_err(|error| format!("{}: {error}", option.name))?,
        None => Address::from_path(Path::new(value), directory),
    };
    if option.value == OptionValue::Folder && address.to_path().is_none_or(|path| !path.is_dir()) {
        return Err(format!("there is no folder `{}`", value.display()));
    }
    Ok(entry.option(option.name, address))
}

/// Returns the rule with the given code or name, among the built-in and the given custom ones.
pub(crate) fn find<'o>(
    code_or_name: &str,
    own: impl Iterator<Item = &'o DeclaredRule>,
) -> Result<RuleDocs, UnknownRule> {
    let known: Vec<RuleDocs> = languages().rules().iter().chain(own.map(|own| &own.explained)).cloned().collect();
    tosca_parse_engine::rules::parse(&known, code_or_name).cloned()
}

/// Returns whether a path with the name of a YAML file is a link to a file with a different kind of name, whose content
/// must not be shown.
fn leads_elsewhere(path: &Path) -> bool {
    let is_yaml = |path: &Path| is_yaml_name(&path.file_name().unwrap_or_default().to_string_lossy());
    is_yaml(path) && path.canonicalize().is_ok_and(|real| !is_yaml(&real))
}

impl Layer {
    /// Reads a configuration, which may refer to custom rules from configurations farther away; `None` if an optional
    /// file does not exist.
    fn read(
        path: &Path,
        here: &Path,
        is_named: bool,
        trust: Trust,
        further: &[&DeclaredRule],
    ) -> Result<Option<Self>, Error> {
        let bytes = match regular::read(path, LARGEST) {
            Ok(bytes) => bytes,
            Err(ReadError::NotFound) if !is_named => return Ok(None),
            Err(error) => {
                return Err(Error::Unreadable { file: path.display().to_string(), reason: error.to_string() });
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let name = path.strip_prefix(here).unwrap_or(path).display().to_string();
        let file = File::read(&name, &text, further).map_err(|error| match error {
            Error::Invalid { file, position, .. } if leads_elsewhere(path) => {
                let message = "the file that the link leads to is not a valid configuration".to_owned();
                Error::Invalid { file, position, message }
            }
            error => error,
        })?;
        let invalid = |message| Error::Invalid { file: name.clone(), position: None, message };
        let counts = [
            ("profile_paths", "folders", file.profile_paths().count()),
            ("import_paths", "folders", file.import_paths().count()),
            ("map_url", "URLs", file.map_url().count()),
        ];
        for (key, what, count) in counts {
            limited(key, what, count).map_err(invalid)?;
        }
        let exclude = globs("exclude", file.exclude().iter().collect()).map_err(invalid)?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = absolute.parent().unwrap_or(Path::new("/")).to_owned();
        let patterns = file.overrides().iter().enumerate();
        let patterns = patterns.flat_map(|(number, special)| special.files().iter().map(move |file| (number, file)));
        let (of_patterns, patterns): (Vec<usize>, Vec<&String>) = patterns.unzip();
        let globs = globs("overrides", patterns).map_err(invalid)?;
        let overrides = Arc::new(Overrides { folder: folder.clone(), globs, of_patterns });
        let values = InputValues::new(&*name, text.as_bytes());
        Ok(Some(Self { name, folder, file, trust, overrides, exclude, values }))
    }

    /// Returns the displayed path of the file: relative to the current directory if it is inside.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the settings in the file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the trust in the author of the file.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Returns the folder in which results are kept. A project's author must not decide where files are written, so the
    /// folder of a project is inside of it, with links resolved, and there is none in a sandbox.
    pub fn cache_results(&self) -> Option<PathBuf> {
        let folder = self.resolve(self.file.cache_results()?);
        match self.trust {
            Trust::User => Some(folder),
            Trust::Sandboxed => None,
            Trust::Project => {
                let is_plain = |part: Component<'_>| !matches!(part, Component::ParentDir);
                let there = folder.ancestors().find(|part| part.symlink_metadata().is_ok())?.canonicalize().ok()?;
                let is_inside =
                    folder.components().all(is_plain) && there.starts_with(self.folder.canonicalize().ok()?);
                is_inside.then_some(folder)
            }
        }
    }

    /// Resolves a path in the file; `None` if a sandbox does not allow it.
    pub fn place(&self, path: &Path) -> Option<PathBuf> {
        (self.trust != Trust::Sandboxed || self.is_inside(path)).then(|| self.resolve(path))
    }

    /// Resolves a path or URL of the file; `None` if a sandbox does not allow it.
    pub fn source(&self, value: &str) -> Option<OsString> {
        if value.contains("://") {
            return (self.trust != Trust::Sandboxed).then(|| value.into());
        }
        self.place(Path::new(value)).map(PathBuf::into_os_string)
    }

    fn resolve(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), dirs::home()) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => self.folder.join(path),
        }
    }

    /// Returns whether a path in the file stays inside the folder of the file, with links resolved.
    fn is_inside(&self, path: &Path) -> bool {
        match (self.resolve(path).canonicalize(), self.folder.canonicalize()) {
            (Ok(real), Ok(folder)) => real.starts_with(folder),
            _ => {
                !path.starts_with("~")
                    && path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
            }
        }
    }

    /// Returns a message for each path that a sandbox does not allow.
    fn ignored_paths(&self) -> impl Iterator<Item = String> {
        let profiles = self.file.profile_paths().map(|path| ("profile_paths", path));
        let imports = self.file.import_paths().map(|path| ("import_paths", path));
        let mapped = self.file.map_url().map(|(_, path)| ("map_url", path.as_path()));
        let paths = profiles.chain(imports).chain(mapped).chain(self.file.baseline().map(|path| ("baseline", path)));
        let special = self.file.overrides().iter().flat_map(Special::options);
        let options = self.file.options().iter().chain(special);
        let options = options.filter(|(_, value)| self.source(value).is_none());
        let options = options.map(|(option, value)| (option.name, Path::new(value)));
        let paths = paths.filter(|(_, path)| self.place(path).is_none());
        let cache = self.file.cache_results().filter(|_| self.cache_results().is_none()).map(|path| {
            let reason =
                if self.trust == Trust::Sandboxed { "`--sandbox` is given" } else { "it is outside the project" };
            format!("cache_results: `{}` is ignored, because {reason}", path.display())
        });
        let paths = paths.chain(options).map(|(key, path)| {
            format!(
                "{key}: `{}` is ignored, because it is outside the project, and `--sandbox` is given",
                path.display()
            )
        });
        paths.chain(cache)
    }

    /// Returns the overrides for a file among those that `sets` selects.
    pub fn overrides(&self, file: &Path, sets: impl Fn(&Special) -> bool) -> impl Iterator<Item = &Special> {
        let all = self.file.overrides();
        let matching = if all.iter().any(&sets) { self.overrides.matching(file) } else { Vec::new() };
        matching.into_iter().map(|number| &all[number]).filter(move |special| sets(special))
    }
}

/// Returns whether patterns relative to a folder match a file or one of its parent folders.
pub(crate) fn covers(folder: &Path, globs: &GlobSet, file: &Path) -> bool {
    inside(folder, file).is_some_and(|inside| inside.ancestors().any(|part| globs.is_match(part)))
}

/// Returns the path of a file relative to a folder that contains it.
fn inside(folder: &Path, file: &Path) -> Option<PathBuf> {
    std::path::absolute(file).ok()?.strip_prefix(folder).ok().map(Path::to_owned)
}

/// Returns an error if the number of entries of a key is too large.
pub(crate) fn limited(key: &str, what: &str, count: usize) -> Result<(), String> {
    if count <= MAX_ENTRIES {
        return Ok(());
    }
    Err(format!("`{key}` has {count} {what}; at most {MAX_ENTRIES} are allowed"))
}

/// Compiles the path patterns of a key. A pattern without a slash matches file names in any folder.
fn globs(key: &str, patterns: Vec<&String>) -> Result<GlobSet, String> {
    limited(key, "path patterns", patterns.len())?;
    let of_key = |reason: String| format!("`{key}`: {reason}");
    path_patterns::check_length(patterns.iter().map(|pattern| pattern.as_str())).map_err(of_key)?;
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let trimmed = pattern.trim_start_matches("./").trim_end_matches('/');
        let anywhere = if trimmed.contains('/') { trimmed.to_owned() } else { format!("**/{trimmed}") };
        let glob = path_patterns::parse(anywhere.trim_start_matches('/'));
        set.add(glob.map_err(|reason| format!("`{pattern}` is not a path pattern: {reason}"))?);
    }
    path_patterns::build(&set).map_err(of_key)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::*;
    use crate::Position;

    #[test]
    fn overrides_apply_to_the_files_that_they_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tosca-parse.yaml");
        let read = |patterns: &str| {
            fs::write(&path, format!("overrides:\n{patterns}")).unwrap();
            let settings = Settings::read(&Arguments::default(), Some(&path))?;
            let matching = |file: &str| settings.layers[0].overrides.matching(&folder.path().join(file));
            Ok::<_, Error>(["a.yaml", "d/a.yaml", "d/e/b.yaml", "/a.yaml"].map(matching))
        };
        let some =
            "- { files: [ d, a.yaml ], rules: { T2001: warn } }\n- { files: [ d/**/b* ], rules: { T2001: deny } }\n";
        assert_eq!(read(some).unwrap(), [vec![0], vec![0], vec![0, 1], vec![]]);
        let many = |number: usize| "- { files: [ a, b ], rules: { T2001: warn } }\n".repeat(number);
        assert!(read(&many(MAX_ENTRIES / 2)).is_ok());
        let error = read(&many(MAX_ENTRIES / 2 + 1)).unwrap_err().to_string();
        assert!(error.ends_with("`overrides` has 1002 path patterns; at most 1000 are allowed"), "{error}");
    }

    #[test]
    fn path_patterns_are_limited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tosca-parse.yaml");
        let read = |patterns: Vec<String>| {
            fs::write(&path, format!("exclude: [ {} ]", patterns.join(", "))).unwrap();
            Settings::read(&Arguments::default(), Some(&path)).map_err(|error| error.to_string())
        };
        let many = |number: usize| (0..number).map(|number| format!("'**/x{number}*/**/y*'")).collect();
        assert!(read(many(MAX_ENTRIES)).unwrap().excludes(&folder.path().join("a/x999z/b/yes.yaml")));
        let error = read(many(MAX_ENTRIES + 1)).err().unwrap();
        assert!(error.ends_with("`exclude` has 1001 path patterns; at most 1000 are allowed"), "{error}");
        for part in ["**/a*/", "{a,b}*"] {
            assert!(read(vec![format!("'{}'", part.repeat(100))]).is_ok());
            let error = read(vec![format!("'{}'", part.repeat((64 << 10) / part.len() + 1))]).err().unwrap();
            assert!(
                error.ends_with("`exclude`: the patterns are too long; at most 65536 bytes are allowed"),
                "{error}"
            );
        }
    }

    #[test]
    fn lists_of_a_configuration_are_limited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tosca-parse.yaml");
        let read = |text: String| {
            fs::write(&path, text).unwrap();
            Settings::read(&Arguments::default(), Some(&path)).map_err(|error| error.to_string())
        };
        let paths = |number: usize| vec!["a"; number].join(", ");
        let many = |number: usize, entry: &dyn Fn(usize) -> String| -> String { (0..number).map(entry).collect() };
        let url = |number: usize| format!("  http://{number}.org/: a\n");
        let rule = |number: usize| format!("  r-{number}: {{ path: a, condition: false, message: x }}\n");
        let texts: [(&str, &dyn Fn(usize) -> String); 4] = [
            ("`profile_paths` has 1001 folders", &|number| format!("profile_paths: [ {} ]", paths(number))),
            ("`import_paths` has 1001 folders", &|number| format!("import_paths: [ {} ]", paths(number))),
            ("`map_url` has 1001 URLs", &|number| format!("map_url:\n{}", many(number, &url))),
            ("`custom_rules` has 1001 rules", &|number| format!("custom_rules:\n{}", many(number, &rule))),
        ];
        for (message, text) in texts {
            assert!(read(text(MAX_ENTRIES)).is_ok(), "{message}");
            let error = read(text(MAX_ENTRIES + 1)).err().unwrap();
            assert!(error.ends_with(&format!("{message}; at most 1000 are allowed")), "{error}");
        }
    }

    #[test]
    fn projects_are_restricted_and_users_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tosca-parse.yaml");
        fs::write(&path, "limits: { archive-ratio: 100000, archive-entries: 10 }\nimport_paths: [ .., a ]\n").unwrap();
        let read = |arguments: &Arguments, project: Option<&Path>| Settings::read(arguments, project).unwrap();
        let file = folder.path().join("a/b.yaml");
        assert_eq!(project(&file).as_deref(), Some(&*path));

        let settings = read(&Arguments::default(), Some(&path));
        assert_eq!(settings.bounds.archives.entries, 10);
        assert_eq!(settings.bounds.archives.ratio, Bounds::default().archives.ratio);
        assert_eq!((settings.ignored().len(), settings.import_paths().count()), (1, 2));

        let sandboxed = read(&Arguments { is_sandboxed: true, ..Arguments::default() }, Some(&path));
        assert_eq!((sandboxed.ignored().len(), sandboxed.import_paths().count()), (2, 1));

        let user = read(&Arguments { user: UserFile::Named(path), ..Arguments::default() }, None);
        assert_eq!((user.ignored().len(), user.bounds.archives.ratio), (0, 100_000));
    }

    #[test]
    fn errors_have_names_and_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tosca-parse.yaml");
        let arguments = Arguments { directory: Some(folder.path().to_owned()), ..Arguments::default() };
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            Settings::read(&arguments, Some(&path)).map(|_| ())
        };
        assert_eq!(read("strict: true\n"), Ok(()));
        for (text, line, column, offset, start) in [
            ("strict: yes\n", 1, 9, 8, "strict: invalid type"),
            ("strict: true\nrules: { own-rule: warn }\n", 2, 10, 22, "no rule is called `own-rule`"),
            (
                "custom_rules: { a: { condition: false, message: no } }\n",
                1,
                17,
                16,
                "custom_rules: a: it needs a `kind`",
            ),
            ("rules: [\n", 1, 8, 7, "`[` is never closed"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.position(), Some(Position { line, column, offset }), "{error}");
            assert!(error.message().starts_with(start), "{error}");
            assert!(error.to_string().starts_with(&format!("tosca-parse.yaml:{line}:{column}: ")), "{error}");
        }
        let absent = folder.path().join("absent.yaml");
        let error = Settings::read(&arguments, Some(&absent)).unwrap_err();
        assert!(error.to_string().starts_with("can't read the configuration `"), "{error}");
    }
}
