//! The commands for `MuranoPL`: check packages, load and write models, call methods, generate schemas.

mod failures;
mod recording;
mod testing;
pub(super) mod values;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use tosca_parse::murano::language::{self, Class, MURANO, Manifest, ManifestFile, ModelFile, model};
use tosca_parse::murano::{
    Access, Arguments, Kind, PackageProvider, PackageSource, Runtime, Style, TypeName, builder_form, class_form,
    failure,
};
use tosca_parse::yaql::{Error, ErrorKind, Value};

use super::args::{FormFormat, Murano};
use super::folder::Found;
use super::overview::plural;
use super::streams::{Json, Streams};
use super::validate::misused;
use super::{ExitStatus, Refusal};
use failures::Failures;
use tosca_parse::budget;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::diagnostic::{Color, Severity};
use tosca_parse::entity::{AnyId, Entity as _};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::source::regular;
use tosca_parse::{Entry, Outcome, Parser, ard};
use tosca_parse_config::Bounds;

/// The file that every package folder contains.
pub(super) const MANIFEST: &str = "manifest.yaml";

/// The maximum size of a manifest, in bytes.
const MANIFEST_BYTES: u64 = 1 << 20;

/// Returns whether a folder is a package. Other programs have files named `manifest.yaml` as well.
pub(super) fn is_package(path: &Path) -> bool {
    let manifest = path.join(MANIFEST);
    let mut text = Vec::new();
    let is_read = manifest.is_file()
        && regular::open(&manifest).is_ok_and(|(file, _)| file.take(MANIFEST_BYTES).read_to_end(&mut text).is_ok());
    is_read && is_manifest(&String::from_utf8_lossy(&text))
}

fn is_manifest(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    text.lines().any(|line| ["FullName:", "Classes:"].iter().any(|keyname| line.starts_with(keyname)))
}

/// Returns whether a file is a manifest or belongs to a package. Class files alone look like other YAML files.
pub(super) fn is_of_package(path: &Path, text: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if path.ends_with(MANIFEST) || !(MURANO.claims)(&name, text) {
        return is_manifest(text) && path.ends_with(MANIFEST);
    }
    path.ancestors().skip(1).any(is_package)
}

/// Returns the package folder that a search has found, if it is a package.
pub(super) fn package_of(found: &Found) -> Option<&Path> {
    if found.is_whole { package(&found.path) } else { None }
}

/// Returns the package folder, given the folder itself or its manifest.
pub(super) fn package(entry: &Path) -> Option<&Path> {
    let folder = if entry.is_dir() { entry } else { entry.parent().filter(|_| entry.ends_with(MANIFEST))? };
    is_package(folder).then_some(folder)
}

/// Returns whether the entry of a program is written in `MuranoPL`.
pub(super) fn is_spoken<S>(program: &Program<S>) -> bool {
    program.list.first().is_some_and(|unit| std::ptr::eq(unit.language, &raw const MURANO))
}

/// Returns the model that the entry of a program contains, with the defaults of its classes; `None` if it is not a
/// model.
pub(super) fn model(program: &Program<Complete>) -> Option<Result<Value, Error>> {
    let objects = model::load(program)?.map_err(|mut faults| faults.remove(0).error);
    Some(objects.and_then(|objects| objects.runtime.save(objects.root.as_ref())))
}

/// Returns a one-line summary of a valid program if its entry is in `MuranoPL`.
pub(super) fn summary<S>(program: &Program<S>) -> Option<String> {
    let entry = program.list.first().filter(|unit| std::ptr::eq(unit.language, &raw const MURANO))?;
    let is_own = |unit: &&Arc<Unit>| {
        std::ptr::eq(unit.language, &raw const MURANO) && !unit.source.name().starts_with("builtin:")
    };
    let count: u32 = program.list.iter().filter(is_own).map(|unit| unit.arenas.count(Class::KIND)).sum();
    let manifest = entry.root.and_then(AnyId::cast::<ManifestFile>).and_then(|_| entry.arenas.get::<Manifest>(0));
    let what = match manifest.and_then(Manifest::package_name) {
        Some(name) => format!("package {name}"),
        None if entry.root.and_then(AnyId::cast::<ModelFile>).is_some() => "object model".to_owned(),
        None => "file of classes".to_owned(),
    };
    let classes = if count == 1 { "1 class".to_owned() } else { format!("{count} classes") };
    Some(format!("{}: valid {} {what}, {classes} including those that it uses", entry.source.name(), MURANO.name))
}

/// Runs a command.
pub(super) fn run(command: &Murano, streams: &mut Streams) -> io::Result<ExitStatus> {
    match command {
        Murano::Check { packages, package_path } => check(packages, package_path, streams),
        Murano::Build { class, builder, arguments, model, limit, package_path } => {
            let host = Host { limits: Bounds::of(limit).models.evaluation, ..Host::new(package_path) };
            show_value(streams, build(class, builder, arguments.as_deref(), model.as_deref(), &host))
        }
        Murano::Schema { class, methods, format: FormFormat::Html, package_path, .. } => match methods.as_slice() {
            [] => page(class, None, package_path, streams),
            [builder] => page(class, Some(builder), package_path, streams),
            _ => misused(streams, "a page is for one method: name the action or model builder"),
        },
        Murano::Schema { class, methods, reference_compatible, package_path, .. } => {
            show(streams, schema(class, methods, style(*reference_compatible), package_path))
        }
        Murano::Serve { listen, reference_compatible, package_path } => {
            serve(*listen, style(*reference_compatible), package_path.clone(), streams)
        }
        Murano::Run { model, call, arguments, record, class_config, limit, package_path } => {
            let limits = Bounds::of(limit).models.evaluation;
            let records = record.is_some();
            let host = Host { class_config: class_config.as_deref(), limits, records, ..Host::new(package_path) };
            match record {
                None => {
                    with_objects(model, &host, streams, show_value, |runtime, _| call_method(runtime, call, arguments))
                }
                Some(format) => {
                    let write = |streams: &mut Streams, recorded| recording::write(streams, call, *format, recorded);
                    with_objects(model, &host, streams, write, |runtime, _| {
                        let result = call_method(runtime, call, arguments)?;
                        Ok((result, runtime.effects()))
                    })
                }
            }
        }
        Murano::Test { package, tests, format, limit, package_path } => {
            let host = Host { limits: Bounds::of(limit).models.evaluation, is_test: true, ..Host::new(package_path) };
            testing::run(package, tests, *format, &host, streams)
        }
        Murano::Dump { model, class_config, limit, package_path } => {
            let limits = Bounds::of(limit).models.evaluation;
            let host = Host { class_config: class_config.as_deref(), limits, ..Host::new(package_path) };
            with_objects(model, &host, streams, show_value, Runtime::save)
        }
    }
}

fn style(reference_compatible: bool) -> Style {
    if reference_compatible { Style::Reference } else { Style::Correct }
}

/// Answers requests until the process ends.
fn serve(
    listen: std::net::SocketAddr,
    style: Style,
    paths: Vec<PathBuf>,
    streams: &mut Streams,
) -> io::Result<ExitStatus> {
    use std::net::TcpListener;

    let listener = match TcpListener::bind(listen) {
        Ok(listener) => listener,
        Err(error) => {
            writeln!(streams.err(), "error: can't listen on {listen}: {error}")?;
            return Ok(ExitStatus::Invalid);
        }
    };
    writeln!(streams.err(), "listening on http://{}", listener.local_addr()?)?;
    streams.err().flush()?;
    let limits = tosca_parse::murano::ServeLimits::default();
    match tosca_parse::murano::serve(listener, Folders(paths), style, &limits) {
        Ok(()) => Ok(ExitStatus::Valid),
        Err(error) => {
            writeln!(streams.err(), "error: {error}")?;
            Ok(ExitStatus::Invalid)
        }
    }
}

/// The packages in the given folders.
struct Folders(Vec<PathBuf>);

impl PackageProvider for Folders {
    fn runtime(&self) -> Result<Rc<Runtime>, Error> {
        runtime(&self.0)
    }

    /// Returns a hash of the paths, sizes and times of the files.
    fn stamp(&self) -> u64 {
        const MAX_FILES: usize = 20_000;
        let mut hasher = DefaultHasher::new();
        let files = self.0.iter().flat_map(|path| walkdir::WalkDir::new(path).sort_by_file_name()).flatten();
        for file in files.take(MAX_FILES) {
            let Ok(metadata) = file.metadata() else { continue };
            (file.path(), metadata.len(), metadata.modified().ok()).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Prints the value as JSON, with integers of any size, or the error.
fn show_value(streams: &mut Streams, result: Result<Value, Error>) -> io::Result<ExitStatus> {
    match result {
        Ok(value) => show(streams, Ok(value.as_json())),
        Err(error) => refused(streams, &error),
    }
}

/// Prints the result as JSON, or the error.
fn show(streams: &mut Streams, result: Result<impl serde::Serialize, Error>) -> io::Result<ExitStatus> {
    match result {
        Ok(value) => {
            serde_json::to_writer_pretty(Json(streams.rendered_out()), &value)?;
            writeln!(streams.out())?;
            Ok(ExitStatus::Valid)
        }
        Err(error) => refused(streams, &error),
    }
}

fn refused(streams: &mut Streams, error: &Error) -> io::Result<ExitStatus> {
    let mut failures = Failures::default();
    failures.add(error, None);
    failures.write(true, streams)
}

/// Returns a runtime with the packages at the given paths. Each path is that of a package, an archive, or a folder that
/// contains packages.
fn runtime(paths: &[PathBuf]) -> Result<Rc<Runtime>, Error> {
    Host::new(paths).runtime()
}

/// The environment of a model.
struct Host<'a> {
    paths: &'a [PathBuf],
    /// The property values that the host configures.
    class_config: Option<&'a Path>,
    limits: budget::Limits,
    /// Whether requests to clouds and agents are recorded.
    records: bool,
    /// Whether the functions for tests are available.
    is_test: bool,
}

impl<'a> Host<'a> {
    fn new(paths: &'a [PathBuf]) -> Self {
        Self { paths, class_config: None, limits: budget::Limits::default(), records: false, is_test: false }
    }

    fn runtime(&self) -> Result<Rc<Runtime>, Error> {
        self.runtime_with(Vec::new())
    }

    /// Returns a runtime with the given packages, and those packages at the paths that have different names.
    fn runtime_with(&self, own: Vec<PackageSource>) -> Result<Rc<Runtime>, Error> {
        let mut builder = Runtime::builder().budget(self.limits);
        if self.records {
            builder = builder.record();
        }
        if self.is_test {
            builder = builder.test();
        }
        let names: Vec<String> = own.iter().map(|package| package.name().to_owned()).collect();
        for package in own {
            builder = builder.package(package);
        }
        for path in self.paths {
            for package in packages(path)? {
                if !names.iter().any(|name| name == package.name()) {
                    builder = builder.package(package);
                }
            }
        }
        if let Some(file) = self.class_config {
            let invalid = || Error::new(ErrorKind::Value, format!("`{}` is not a map of classes", file.display()));
            let configured = read(file)?;
            for (class, values) in configured.as_dict().ok_or_else(invalid)? {
                builder = builder.class_config(class.as_str().ok_or_else(invalid)?, values.clone());
            }
        }
        builder.build()
    }
}

/// Returns the packages of a path: a package folder, a folder that contains packages, or an archive.
fn packages(path: &Path) -> Result<Vec<PackageSource>, Error> {
    if path.is_file() && !path.ends_with(MANIFEST) {
        return packed(path);
    }
    let mut folders: Vec<_> = entries(path).iter().filter_map(|entry| entry.parent().map(Path::to_owned)).collect();
    if folders.is_empty() {
        // If the folder is not a package, reading it reports the reason.
        folders.push(package(path).unwrap_or(path).to_owned());
    }
    folders.iter().map(|folder| PackageSource::from_folder(folder)).collect()
}

/// Returns the manifests of the packages in a folder, or the archive of a package.
fn entries(path: &Path) -> Vec<PathBuf> {
    /// The maximum depth of a manifest below the folder.
    const DEEP: usize = 6;
    if path.is_file() && !path.ends_with(MANIFEST) {
        return vec![path.to_owned()];
    }
    let path = package(path).unwrap_or(path);
    let entries = walkdir::WalkDir::new(path).max_depth(DEEP).sort_by_file_name().into_iter().flatten();
    entries.filter(|entry| entry.file_name() == MANIFEST).map(walkdir::DirEntry::into_path).collect()
}

/// Returns the packages of an archive.
fn packed(path: &Path) -> Result<Vec<PackageSource>, Error> {
    let failed = |reason: &str| Error::new(ErrorKind::Value, format!("can't read `{}`: {reason}", path.display()));
    let parser = Parser::builder(&MURANO).offline(true).build().map_err(|error| failed(&error.to_string()))?;
    let outcome = parser.parse(&path.to_string_lossy()).map_err(|error| failed(&error.to_string()))?;
    let packages = language::packages(&outcome.program);
    let problem = outcome.diagnostics.iter().find(|problem| problem.severity == Severity::Error);
    match problem {
        Some(problem) if packages.is_empty() => Err(failed(&problem.message)),
        _ if packages.is_empty() => Err(failed("it is not a package")),
        _ => Ok(packages),
    }
}

/// Checks packages and files, and loads every class of every package.
fn check(paths: &[PathBuf], package_paths: &[PathBuf], streams: &mut Streams) -> io::Result<ExitStatus> {
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        return Refusal::unavailable(format!("there is no file or folder `{}`", missing.display())).report(streams);
    }
    let (files, paths): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| is_single_file(path));
    let searched: Vec<PathBuf> = paths.iter().chain(package_paths).cloned().collect();
    let mut checked = Checked::default();
    for file in &files {
        checked.add(check_file(file, &searched, true, streams)?);
    }
    for entry in paths.iter().flat_map(|path| entries(path)) {
        checked.add(check_file(&entry, &searched, false, streams)?);
    }
    let status = if checked.is_invalid { ExitStatus::Invalid } else { ExitStatus::Valid };
    if paths.is_empty() {
        return Ok(status);
    }
    let is_manifest_reported = checked.faulty.iter().any(|name| Path::new(name).ends_with(MANIFEST));
    // The problems above have more precise help than the errors of the runtime that they cause.
    let mut failures = Failures::without(checked.faulty);
    let (counts, loaded) = load_classes(&paths, package_paths, &mut failures);
    if let (Err(error), false) = (loaded, is_manifest_reported) {
        failures.add(&error, None);
    }
    if status == ExitStatus::Valid {
        writeln!(streams.err(), "{}, {}", plural(counts.0, "package"), plural(counts.1, "class"))?;
    }
    Ok(if failures.write(false, streams)? == ExitStatus::Valid { status } else { ExitStatus::Invalid })
}

/// Loads all classes of the packages at the given paths, which may need other packages. Returns the numbers of packages
/// and classes.
fn load_classes(
    paths: &[PathBuf],
    package_paths: &[PathBuf],
    failures: &mut Failures,
) -> ((usize, usize), Result<(), Error>) {
    let mut own = Vec::new();
    for path in paths {
        match packages(path) {
            Ok(found) => own.extend(found),
            Err(error) => return ((0, 0), Err(error)),
        }
    }
    let is_own: Vec<String> = own.iter().map(|package| package.name().to_owned()).collect();
    let runtime = match Host::new(package_paths).runtime_with(own) {
        Ok(runtime) => runtime,
        Err(error) => return ((0, 0), Err(error)),
    };
    let (mut packages, mut classes) = (0, 0);
    for package in runtime.packages().iter().filter(|package| is_own.contains(&package.origin.name)) {
        packages += 1;
        for name in package.class_names() {
            classes += 1;
            let loaded = runtime.find_class(package.origin.index, name).and_then(|class| runtime.check_meta(&class));
            if let Err(error) = loaded {
                failures.add(&error, Some(&format!("{}: {name}", package.origin.name)));
            }
        }
    }
    ((packages, classes), Ok(()))
}

/// The result of checks without loading.
#[derive(Default)]
struct Checked {
    is_invalid: bool,
    /// The names of the files with errors.
    faulty: Vec<String>,
}

impl Checked {
    fn add(&mut self, other: Self) {
        self.is_invalid |= other.is_invalid;
        self.faulty.extend(other.faulty);
    }
}

/// Returns whether a file is not a manifest or an archive, but has classes or is a model.
fn is_single_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_text = [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
    is_text && path.is_file() && !path.ends_with(MANIFEST)
}

/// Validates a file or a package, and reports its problems and, if wanted, that it is valid. Its classes may need packages
/// at the given paths.
fn check_file(file: &Path, paths: &[PathBuf], is_summarized: bool, streams: &mut Streams) -> io::Result<Checked> {
    let refused = |streams: &mut Streams, error: &Error| {
        refused(streams, error)?;
        Ok(Checked { is_invalid: true, faulty: Vec::new() })
    };
    let failed = |reason: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Value, format!("can't read `{}`: {reason}", file.display()))
    };
    let mut builder = Parser::builder(&MURANO).offline(true);
    for path in paths {
        builder = builder.profile_path(path);
    }
    let parser = match builder.build() {
        Ok(parser) => parser,
        Err(error) => return refused(streams, &failed(&error)),
    };
    let outcome = match parser.address(&file.to_string_lossy()) {
        // A manifest is found in a folder that the user names, and may be a link to any file.
        Ok(address) => parser.parse_entry(Entry::at(address).named(!file.ends_with(MANIFEST))),
        Err(error) => return refused(streams, &failed(&error)),
    };
    if !outcome.diagnostics.is_empty() {
        let terminal = Terminal::new(&outcome.diagnostics, &outcome.sources).color(failures::color(false));
        write!(streams.report(false), "{terminal}")?;
    }
    if !outcome.is_valid() {
        let errors = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
        let sources = errors.filter_map(|problem| outcome.sources.get(problem.span.source));
        return Ok(Checked { is_invalid: true, faulty: sources.map(|source| source.name().to_owned()).collect() });
    }
    if let Some(summary) = summary(&outcome.program).filter(|_| is_summarized) {
        writeln!(streams.err(), "{summary}")?;
    }
    Ok(Checked::default())
}

fn read(file: &Path) -> Result<Value, Error> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Value, format!("can't read `{}`: {error}", file.display()))
    };
    let text = regular::read_text(file, ard::Limits::default().bytes).map_err(|error| failed(&error))?;
    values::read(&file.to_string_lossy(), &text)
}

/// Passes the objects of a model to a function, or reports why there are none.
fn with_objects<T>(
    model: &Path,
    host: &Host<'_>,
    streams: &mut Streams,
    write: impl FnOnce(&mut Streams, Result<T, Error>) -> io::Result<ExitStatus>,
    work: impl FnOnce(&Rc<Runtime>, Option<&Rc<tosca_parse::murano::Object>>) -> Result<T, Error>,
) -> io::Result<ExitStatus> {
    let (runtime, data) = match host.runtime().and_then(|runtime| Ok((runtime, read(model)?))) {
        Ok(found) => found,
        Err(error) => return refused(streams, &error),
    };
    let error = match runtime.load_model(&data) {
        Ok(root) => return write(streams, work(&runtime, root.as_ref())),
        Err(error) => error,
    };
    if let Some(problems) = problems(model, host.paths) {
        let color = Color::Auto.enabled(&io::stderr());
        let terminal = Terminal::new(&problems.diagnostics, &problems.sources).color(color);
        write!(streams.rendered_err(), "{terminal}")?;
        return Ok(ExitStatus::Invalid);
    }
    // An alias of YAML is not another object with the same id.
    match runtime.load_with_repeated_ids(&data) {
        Ok(root) => write(streams, work(&runtime, root.as_ref())),
        Err(_) => refused(streams, &error),
    }
}

/// Returns the errors that validation finds in a model, if any.
fn problems(model: &Path, paths: &[PathBuf]) -> Option<Outcome> {
    let mut builder = Parser::builder(&MURANO).offline(true);
    for path in paths {
        builder = builder.profile_path(path);
    }
    let mut outcome = builder.build().ok()?.parse(&model.to_string_lossy()).ok()?;
    if outcome.is_valid() || !is_spoken(&outcome.program) {
        return None;
    }
    outcome.diagnostics.retain(|problem| problem.severity == Severity::Error);
    Some(outcome)
}

/// Calls `OBJECT.METHOD`, where the object is named by its id, or `CLASS.METHOD`. Ids may contain dots, but
/// method names may not.
fn call_method(runtime: &Rc<Runtime>, call: &str, arguments: &[String]) -> Result<Value, Error> {
    let invalid = || Error::new(ErrorKind::Value, format!("`{call}` is not a call: write OBJECT.METHOD"));
    let (object, method) = call.rsplit_once('.').ok_or_else(invalid)?;
    let values = arguments.iter().map(|text| values::read("the argument", text)).collect::<Result<_, _>>()?;
    let arguments = Arguments::new(values, Vec::new());
    let called = runtime.object(object).map(|object| object.class.clone());
    let class = TypeName::parse(object).and_then(|name| runtime.find_type(&name).ok());
    let result = match (&called, &class) {
        (None, Some(class)) => runtime.call_class(class, method, arguments, Access::Session),
        _ => runtime.call_object(object, method, arguments, Access::Session),
    };
    result.map_err(|error| match failure(&error).map(|failure| failure.kind) {
        Some(Kind::NoObject) if called.is_none() => with_suggestion(error, object, &runtime.object_ids()),
        Some(Kind::NoMethod) => {
            let classes = called.iter().chain(&class).flat_map(tosca_parse::murano::Class::lineage);
            let names: Vec<String> =
                classes.flat_map(|class| class.methods.keys().cloned().collect::<Vec<_>>()).collect();
            with_suggestion(error, method, &names)
        }
        _ => error,
    })
}

/// Adds a suggestion of the name that was probably meant.
fn with_suggestion(error: Error, name: &str, names: &[String]) -> Error {
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => error.with_hint(&format!("did you mean `{near}`?")),
        None => error,
    }
}

fn schema(class: &str, methods: &[String], style: Style, paths: &[PathBuf]) -> Result<serde_json::Value, Error> {
    let (runtime, class) = find(class, &Host::new(paths))?;
    runtime.named_schemas(&class, methods, style)
}

fn find(class: &str, host: &Host<'_>) -> Result<(Rc<Runtime>, Rc<tosca_parse::murano::Class>), Error> {
    let runtime = host.runtime()?;
    let invalid = || Error::new(ErrorKind::Value, format!("`{class}` is not a valid class name"));
    let found = runtime.find_type(&TypeName::parse(class).ok_or_else(invalid)?).map_err(|error| {
        let packages = runtime.packages().iter();
        let names: Vec<String> = packages.flat_map(|package| package.class_names().map(str::to_owned)).collect();
        match failure(&error).map(|failure| failure.kind) {
            Some(Kind::NoPackageForClass) => with_suggestion(error, class, &names),
            _ => error,
        }
    })?;
    Ok((runtime, found))
}

/// Writes an HTML form for an object of a class or for the arguments of a model builder or action.
fn page(class: &str, builder: Option<&str>, paths: &[PathBuf], streams: &mut Streams) -> io::Result<ExitStatus> {
    let form = find(class, &Host::new(paths)).and_then(|(runtime, class)| match builder {
        None | Some("") => class_form(&runtime, &class),
        Some(builder) => builder_form(&runtime, &class, builder),
    });
    match form {
        Ok(form) => write!(streams.out(), "{}", form.page()).map(|()| ExitStatus::Valid),
        Err(error) => refused(streams, &error),
    }
}

/// Runs a model builder with arguments from a file.
fn build(
    class: &str,
    builder: &str,
    arguments: Option<&Path>,
    model: Option<&Path>,
    host: &Host<'_>,
) -> Result<Value, Error> {
    let (runtime, class) = find(class, host)?;
    let arguments = arguments.map_or_else(|| Ok(Value::dict([])), read)?;
    let entries = arguments
        .as_dict()
        .ok_or_else(|| Error::new(ErrorKind::Value, "arguments must be a map of names to values"))?;
    let named = entries.iter().map(|(name, value)| (name.to_python().into(), value.clone())).collect();
    runtime.build_model(&class, builder, model.map(read).transpose()?, named)
}
