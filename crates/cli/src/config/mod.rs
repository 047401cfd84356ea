//! The settings of a run: the user's configuration, the project's, and the arguments.
//!
//! A user of the library passes all this to the builder of a parser; only the command reads files. Settings closer to
//! the template win: arguments, then the project's configuration, then the user's. Lists are concatenated, so a project
//! adds to the user's lists.

mod custom_rules;
mod file;
mod paths;
mod project_files;
mod show;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::num::NonZero;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

pub(super) use custom_rules::DeclaredRule;
pub(super) use file::json_schema;
use file::{File, Special};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
pub(super) use paths::configuration;
use project_files::ProjectFiles;
pub(super) use show::show;

use super::args::{FailOn, Format, RuleOverrides, SourceArgs};
use super::dirs;
use super::languages::languages;
use super::limits::Bounds;
use super::streams::Streams;
use tosca_parse::custom_rule::CustomRule;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::diagnostic::{Levels, Rule, RuleDocs};
use tosca_parse::entity::{LanguageOption, Quirk};
use tosca_parse::rules::UnknownRule;
use tosca_parse::source::{HttpOptions, HttpProvider, ObjectStoreOptions, ObjectStoreProvider, Provider};
use tosca_parse::source::{ReadError, regular};

/// The maximum size of a configuration, in bytes.
const LARGEST: u64 = 1 << 20;

/// The names of a project's configuration; the first existing one is used.
const NAMES: [&str; 2] = ["tosca-parse.yaml", ".tosca-parse.yaml"];

/// Returns whether a path is that of a project's configuration, which is never read as a template.
pub(super) fn is_configuration(path: &Path) -> bool {
    path.file_name().is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

/// The combined settings from arguments and files.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The files: the user's, then the project's.
    layers: Vec<Layer>,
    /// The path of the project's configuration.
    project: Option<PathBuf>,
    /// The URL mappings from the arguments.
    map_url: Vec<(String, PathBuf)>,
    pub(super) bounds: Bounds,
    /// A message for each ignored setting of the project.
    ignored: Vec<String>,
}

/// A configuration file.
#[derive(Debug)]
struct Layer {
    /// Its displayed path: relative to the current directory if it is inside.
    name: String,
    /// The folder that its paths are relative to.
    folder: PathBuf,
    file: File,
    trust: Trust,
    overrides: Vec<Arc<GlobSet>>,
    exclude: GlobSet,
}

/// The trust in the author of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// The user, who may set everything.
    User,
    /// The author of a project, who may lower limits.
    Project,
    /// The author of a project in a sandbox, where no path may lead out of the project's folder.
    Sandboxed,
}

/// Returns the path for settings that don't concern a file, so that the settings of the current directory apply.
pub(super) fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_default().join("_")
}

/// Returns the configuration of the project that a file belongs to.
pub(super) fn project(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    file.ancestors().skip(1).flat_map(|folder| NAMES.map(|name| folder.join(name))).find(|path| path.is_file())
}

impl Settings {
    /// Returns the settings for a file.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if a configuration is unreadable or invalid.
    pub(super) fn of(access: &SourceArgs, file: &Path) -> Result<Self, String> {
        let project = if access.no_config { None } else { project(file) };
        Self::with(access, false, project.as_deref())
    }

    pub(super) fn with(access: &SourceArgs, is_sandboxed: bool, project: Option<&Path>) -> Result<Self, String> {
        let mut settings = Self { map_url: access.map_url.clone(), ..Self::default() };
        let own = match &access.config {
            _ if access.no_config => None,
            Some(path) => Some(path.clone()),
            None => dirs::config().map(|folder| folder.join("config.yaml")),
        };
        if let Some(path) = own {
            settings.layers.extend(Layer::read(&path, access.config.is_some(), Trust::User, &[])?);
        }
        if let Some(path) = project {
            settings.project = std::path::absolute(path).ok();
            let further = settings.custom_rules();
            let trust = if is_sandboxed { Trust::Sandboxed } else { Trust::Project };
            let layer = Layer::read(path, true, trust, &further)?;
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
        settings.bounds.set(&access.limit);
        Ok(settings)
    }

    /// Returns the HTTP options.
    pub(super) fn http(&self, access: &SourceArgs) -> HttpOptions {
        let cache = if access.no_cache { None } else { dirs::cache() };
        HttpOptions {
            cache: cache.map(|cache| cache.join("http")),
            user_agent: concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")).to_owned(),
            private_network: access.allow_private_network,
            ..self.bounds.http.clone()
        }
    }

    /// Returns the options for object stores. `named` are the buckets that arguments name.
    pub(super) fn object_stores(&self, access: &SourceArgs, named: &BTreeSet<String>) -> ObjectStoreOptions {
        let buckets = access.allow_bucket.iter().chain(named).cloned().collect();
        ObjectStoreOptions { buckets, ..self.bounds.stores.clone() }
    }

    /// Returns the providers of remote files; none if the network must not be used.
    pub(super) fn remote_providers(&self, access: &SourceArgs) -> Vec<Arc<dyn Provider>> {
        if access.offline {
            return Vec::new();
        }
        let objects = self.object_stores(access, &BTreeSet::new());
        vec![
            Arc::new(HttpProvider::with_options(self.http(access))),
            Arc::new(ObjectStoreProvider::new(self.http(access), objects)),
        ]
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.layers.iter().map(|layer| Path::new(&layer.name))
    }

    /// Returns the layers, nearest first.
    fn nearest_first(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().rev()
    }

    /// Returns the paths to search for profiles after those from the arguments.
    pub(super) fn profile_paths(&self) -> impl Iterator<Item = PathBuf> {
        self.nearest_first().flat_map(|layer| layer.file.profile_paths().filter_map(|path| layer.place(path)))
    }

    /// Returns the folders to search for imports by file name after those from the arguments.
    pub(super) fn import_paths(&self) -> impl Iterator<Item = PathBuf> {
        self.nearest_first().flat_map(|layer| layer.file.import_paths().filter_map(|path| layer.place(path)))
    }

    /// Returns the URL prefixes and the folders to read instead.
    pub(super) fn map_url(&self) -> impl Iterator<Item = (String, PathBuf)> {
        let files = self
            .nearest_first()
            .flat_map(|layer| layer.file.map_url().filter_map(|(url, path)| Some((url.clone(), layer.place(path)?))));
        self.map_url.iter().cloned().chain(files)
    }

    /// Returns the functions that may be called although they are not defined.
    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().flat_map(|layer| layer.file.functions())
    }

    /// Returns the declared versions and the versions that they are read as.
    pub(super) fn versions(&self) -> impl Iterator<Item = (&String, &String)> {
        self.layers.iter().flat_map(|layer| layer.file.versions())
    }

    /// Returns the custom rules of the project and the user; if two have the same name, the nearer one wins.
    pub(super) fn custom_rules(&self) -> Vec<&DeclaredRule> {
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
    pub(super) fn rule(&self, code_or_name: &str) -> Result<RuleDocs, UnknownRule> {
        find(code_or_name, self.custom_rules().into_iter())
    }

    /// Returns the checks of the custom rules.
    pub(super) fn rule_checks(&self) -> impl Iterator<Item = CustomRule> {
        let files = ProjectFiles::of(self);
        // Errors in them have been reported.
        self.custom_rules().into_iter().filter_map(move |own| {
            let files = files.clone();
            Some(own.check().ok()?.imports(move |name| files.has(name)))
        })
    }

    /// Returns the quirks for a file.
    pub(super) fn quirks(&self, file: &Path) -> Vec<Quirk> {
        let mut quirks = Vec::new();
        for layer in &self.layers {
            quirks.extend(layer.file.quirks());
            for number in layer.matching(file) {
                quirks.extend(layer.file.overrides()[number].quirks());
            }
        }
        quirks
    }

    /// Returns the input values for a file, as JSON maps, each with the name of the configuration that it comes from.
    pub(super) fn inputs(&self, file: &Path) -> Vec<(String, String)> {
        let mut inputs = Vec::new();
        for layer in &self.layers {
            let special = layer.matching(file).filter_map(|number| layer.file.overrides()[number].inputs());
            let maps = layer.file.inputs().into_iter().chain(special);
            inputs.extend(maps.map(|map| (layer.name.clone(), map.to_string())));
        }
        inputs
    }

    /// Returns the values of language options for a file: paths or URLs.
    pub(super) fn options(&self, file: &Path) -> Vec<(&'static LanguageOption, OsString)> {
        let mut options = Vec::new();
        for layer in &self.layers {
            let special = layer.matching(file).flat_map(|number| layer.file.overrides()[number].options());
            let all = layer.file.options().iter().chain(special);
            options.extend(all.filter_map(|(option, value)| Some((*option, layer.source(value)?))));
        }
        options
    }

    /// Returns the path of the project's configuration.
    pub(super) fn project(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// Returns the style of formatted files.
    pub(super) fn formatting(&self) -> tosca_parse_fmt::Options {
        let mut options = tosca_parse_fmt::Options::default();
        let layers = self.layers.iter().filter_map(|layer| layer.file.format());
        layers.for_each(|formatting| formatting.set(&mut options));
        self.versions().for_each(|(word, version)| options.versions.declare(word, version));
        options
    }

    /// Returns the format of problems.
    pub(super) fn problem_format(&self) -> Option<Format> {
        self.nearest_first().find_map(|layer| layer.file.problem_format())
    }

    /// Returns the lowest severity for which the exit code is 1.
    pub(super) fn fail_on(&self) -> Option<FailOn> {
        self.nearest_first().find_map(|layer| layer.file.fail_on())
    }

    /// Returns the number of threads.
    pub(super) fn jobs(&self) -> Option<NonZero<u16>> {
        self.nearest_first().find_map(|layer| layer.file.jobs())
    }

    /// Returns the folder in which results are kept.
    pub(super) fn cache_results(&self) -> Option<PathBuf> {
        self.nearest_first().find_map(Layer::cache_results)
    }

    /// Returns the path of the baseline.
    pub(super) fn baseline(&self) -> Option<PathBuf> {
        self.nearest_first().find_map(|layer| layer.place(layer.file.baseline()?))
    }

    /// Returns whether a project names a baseline outside its folder, which is then not modified.
    pub(super) fn has_baseline_outside(&self) -> bool {
        let layer =
            self.nearest_first().find(|layer| layer.file.baseline().and_then(|path| layer.place(path)).is_some());
        layer.is_some_and(|layer| {
            let path = layer.file.baseline().unwrap_or(Path::new(""));
            layer.trust != Trust::User && !layer.is_inside(path)
        })
    }

    /// Returns a message for each ignored setting of the project.
    pub(super) fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Reports the ignored settings of the project.
    pub(super) fn report(&self, streams: &mut Streams) -> io::Result<()> {
        self.ignored.iter().try_for_each(|message| writeln!(streams.err(), "warning: {}", sanitize(message)))
    }

    /// Returns whether a path or one of its parent folders is excluded.
    pub(super) fn excludes(&self, path: &Path) -> bool {
        self.layers.iter().any(|layer| covers(&layer.folder, &layer.exclude, path))
    }

    /// Returns the level of each rule, as set by the configurations and then by the arguments.
    pub(super) fn levels(&self, wishes: &RuleOverrides) -> Levels {
        let strict = wishes.strict || self.layers.iter().any(|layer| layer.file.strict());
        let mut levels = Levels::new().strict(strict);
        for (index, layer) in self.layers.iter().enumerate() {
            // If a nearer file declares a rule again, settings for that rule in files farther away don't apply.
            let own = |name: &str| self.own(name).filter(|(declared, _)| *declared <= index).map(|(_, rule)| rule);
            for (which, wanted) in layer.file.rules() {
                which.set(&mut levels, *wanted, own);
            }
            for (number, globs) in layer.overrides.iter().enumerate() {
                let (folder, globs) = (layer.folder.clone(), globs.clone());
                let scope = levels.scope(move |name| covers(&folder, &globs, Path::new(name)));
                for (which, wanted) in layer.file.overrides()[number].rules() {
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

/// Returns the rule with the given code or name, among the built-in and the given custom ones.
fn find<'o>(code_or_name: &str, own: impl Iterator<Item = &'o DeclaredRule>) -> Result<RuleDocs, UnknownRule> {
    let known: Vec<RuleDocs> = languages().rules().iter().chain(own.map(|own| &own.explained)).cloned().collect();
    tosca_parse_engine::rules::parse(&known, code_or_name).cloned()
}

impl Layer {
    /// Reads a configuration, which may refer to custom rules from configurations farther away; `None` if an optional
    /// file does not exist.
    fn read(path: &Path, is_named: bool, trust: Trust, further: &[&DeclaredRule]) -> Result<Option<Self>, String> {
        let bytes = match regular::read(path, LARGEST) {
            Ok(bytes) => bytes,
            Err(ReadError::NotFound) if !is_named => return Ok(None),
            Err(error) => return Err(format!("can't read the configuration `{}`: {error}", path.display())),
        };
        let text = String::from_utf8_lossy(&bytes);
        let here = std::env::current_dir().unwrap_or_default();
        let name = path.strip_prefix(&here).unwrap_or(path).display().to_string();
        let file = File::read(&name, &text, further)?;
        let globs = |list: &[String]| globs(list).map_err(|error| format!("{name}: {error}"));
        let overrides = file.overrides().iter().map(|special| globs(special.files()).map(Arc::new));
        let overrides = overrides.collect::<Result<_, _>>()?;
        let exclude = globs(file.exclude())?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = absolute.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(Some(Self { name, folder, file, trust, overrides, exclude }))
    }

    /// Returns the folder in which results are kept. A project's author must not decide where files are written, so the
    /// folder of a project is inside of it, with links resolved, and there is none in a sandbox.
    fn cache_results(&self) -> Option<PathBuf> {
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
    fn place(&self, path: &Path) -> Option<PathBuf> {
        (self.trust != Trust::Sandboxed || self.is_inside(path)).then(|| self.resolve(path))
    }

    /// Resolves a path or URL of the file; `None` if a sandbox does not allow it.
    fn source(&self, value: &str) -> Option<OsString> {
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

    /// Returns the indices of the overrides for a file.
    fn matching(&self, file: &Path) -> impl Iterator<Item = usize> {
        let globs = self.overrides.iter().enumerate();
        globs.filter(move |(_, globs)| covers(&self.folder, globs, file)).map(|(number, _)| number)
    }
}

/// Returns whether patterns relative to a folder match a file or one of its parent folders.
fn covers(folder: &Path, globs: &GlobSet, file: &Path) -> bool {
    let file = std::path::absolute(file);
    let inside = file.ok().and_then(|file| file.strip_prefix(folder).ok().map(Path::to_owned));
    inside.is_some_and(|inside| inside.ancestors().any(|part| globs.is_match(part)))
}

/// Compiles path patterns. A pattern without a slash matches file names in any folder.
fn globs(patterns: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let trimmed = pattern.trim_start_matches("./").trim_end_matches('/');
        let anywhere = if trimmed.contains('/') { trimmed.to_owned() } else { format!("**/{trimmed}") };
        let glob = GlobBuilder::new(anywhere.trim_start_matches('/')).literal_separator(true).build();
        set.add(glob.map_err(|error| format!("`{pattern}` is not a path pattern: {}", error.kind()))?);
    }
    set.build().map_err(|error| error.to_string())
}
