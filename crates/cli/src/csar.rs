//! Packs, lists and unpacks archives.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet};

use super::args::{Create, Csar, SourceArgs};
use super::config;
use super::progress::Progress;
use super::streams::Streams;
use super::{ExitStatus, Refusal, output};
use tosca_parse::archive::LAYOUT;
use tosca_parse::diagnostic::Level;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::source::archive::Archive;
use tosca_parse::source::archive::pack::{PackError, PackOptions, pack};
use tosca_parse::source::replace::Draft;
use tosca_parse::source::{Address, Archives, FileProvider, MappedProvider, Provider, ReadError, SourceProblem};
use tosca_parse_config::here;

/// Runs an archive command, except `check`, which is run as a validation.
pub(super) fn run(csar: &Csar, streams: &mut Streams) -> io::Result<ExitStatus> {
    match csar {
        Csar::Create(plan) => create(plan, streams),
        Csar::List { archives, access } => list(archives, access, streams),
        Csar::Extract { archive, folder, force, access } => {
            extract(archive, folder.as_deref(), *force, access, streams)
        }
        Csar::Check(_) => Ok(ExitStatus::Misused),
    }
}

fn error(streams: &mut Streams, verdict: ExitStatus, message: &str) -> io::Result<ExitStatus> {
    writeln!(streams.err(), "error: {}", sanitize(message))?;
    Ok(verdict)
}

fn create(create: &Create, streams: &mut Streams) -> io::Result<ExitStatus> {
    if !create.folder.exists() {
        let message = format!("there is no file or folder `{}`", create.folder.display());
        return Refusal::unavailable(message).report(streams);
    }
    let mut plan = PackOptions {
        folder: create.folder.clone(),
        entry: create.entry.clone(),
        others: create.other.clone(),
        created_by: create.created_by.clone(),
    };
    let mut name = create.folder.clone();
    if create.folder.is_file() {
        let file = create.folder.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if LAYOUT.format(file).is_some() {
            let message =
                format!("`{}` is an archive; unpack it with `csar extract`, and name the folder", sanitize(file));
            return error(streams, ExitStatus::Misused, &message);
        }
        if create.entry.is_some() {
            return error(streams, ExitStatus::Misused, "`--entry` is for folders; a template has been given");
        }
        plan.entry = create.folder.file_name().and_then(OsStr::to_str).map(str::to_owned);
        plan.folder = match create.folder.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        name.set_extension("");
    }
    let output = match &create.output {
        Some(output) => output.clone(),
        None => {
            // Paths such as `.` have a name only in canonical form.
            let whole = fs::canonicalize(&name).unwrap_or(name);
            let mut name = whole.file_name().unwrap_or(OsStr::new("archive")).to_owned();
            name.push(".csar");
            PathBuf::from(name)
        }
    };
    let Some(format) = output.file_name().and_then(OsStr::to_str).and_then(|name| LAYOUT.format(name)) else {
        let message =
            format!("the name `{}` has no known extension: use .zip, .csar, .tar, .tar.gz or .tgz", output.display());
        return error(streams, ExitStatus::Misused, &message);
    };
    if let Err(failure) = output::check_folders(&output) {
        return error(streams, ExitStatus::Invalid, &failure.to_string());
    }
    let bar = Progress::new("files", true);
    let result = pack(&LAYOUT, &plan, &output, format, &mut |done, all| bar.show(done, all));
    drop(bar);
    match result {
        Ok(number) => {
            let files = if number == 1 { "file" } else { "files" };
            let name = output.display().to_string();
            writeln!(streams.out(), "{}: {number} {files}, {format}", sanitize(&name))?;
            Ok(ExitStatus::Valid)
        }
        Err(PackError::NoEntry(templates)) => {
            error(streams, ExitStatus::Invalid, &no_entry("the template can't be determined; name it", &templates))
        }
        Err(PackError::LostEntry { entry, templates }) => {
            let message =
                format!("`TOSCA.meta` names `{}`, which is not in the folder; name the template", sanitize(&entry));
            error(streams, ExitStatus::Invalid, &no_entry(&message, &templates))
        }
        Err(problem) => error(streams, ExitStatus::Invalid, &problem.to_string()),
    }
}

/// Returns a message that lists the possible entry templates of a folder.
fn no_entry(message: &str, templates: &[String]) -> String {
    const SHOWN: usize = 5;
    let names: Vec<String> = templates.iter().take(SHOWN).map(|name| format!("`--entry {}`", sanitize(name))).collect();
    let more = if templates.len() > SHOWN { ", …" } else { "" };
    match &names[..] {
        [] => "there is no YAML file in the folder; name the template with `--entry`".to_owned(),
        names => format!("{message}: {}{more}", names.join(", ")),
    }
}

/// Opens the archive that an argument names.
fn open(argument: &OsStr, archives: &Archives) -> Result<(Address, Arc<Archive>), Refusal> {
    let directory = std::env::current_dir().unwrap_or_default();
    let address = match argument.to_str() {
        Some(text) => Address::from_argument(text, &directory).map_err(|error| error.to_string())?,
        None => Address::from_path(Path::new(argument), &directory),
    };
    let archive = archives.open(&address).map_err(|error| Refusal {
        // An archive with mistakes has been read.
        status: if matches!(error, ReadError::Found(_)) { ExitStatus::Invalid } else { ExitStatus::Unavailable },
        message: format!("can't read `{}`: {}", address.display_name(Some(&directory)), all(&error)),
    })?;
    Ok((address, archive))
}

/// Returns an archive reader with the settings from the arguments and the configuration.
fn archives(access: &SourceArgs, streams: &mut Streams) -> Result<Archives, String> {
    let settings = config::of(access, &here())?;
    config::report(&settings, streams).map_err(|error| error.to_string())?;
    let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
    for (prefix, folder) in settings.map_url() {
        providers.push(Arc::new(MappedProvider::new(&prefix, fs::canonicalize(&folder).unwrap_or(folder))));
    }
    providers.push(Arc::new(FileProvider));
    providers.extend(config::remote_providers(&settings, access));
    Ok(Archives::new(providers, settings.bounds.archives, [&LAYOUT]))
}

fn all(error: &ReadError) -> String {
    match error {
        ReadError::Found(findings) => findings.iter().map(|finding| &*finding.message).collect::<Vec<_>>().join("; "),
        error => error.to_string(),
    }
}

/// Reports the problems with an archive.
fn report(findings: &[SourceProblem], streams: &mut Streams) -> io::Result<()> {
    let directory = std::env::current_dir().unwrap_or_default();
    for finding in findings {
        let severity = finding.rule.level.severity();
        let name = finding.place.address.display_name(Some(&directory));
        writeln!(
            streams.err(),
            "{severity}[{}]: {}: {}",
            finding.rule.code,
            sanitize(&name),
            sanitize(&finding.message)
        )?;
    }
    Ok(())
}

fn list(arguments: &[OsString], access: &SourceArgs, streams: &mut Streams) -> io::Result<ExitStatus> {
    let archives = match archives(access, streams) {
        Ok(archives) => archives,
        Err(message) => return error(streams, ExitStatus::Misused, &message),
    };
    let mut verdict = ExitStatus::Valid;
    for argument in arguments {
        let (address, archive) = match open(argument, &archives) {
            Ok(opened) => opened,
            Err(refusal) => {
                verdict = verdict.max(refusal.report(streams)?);
                continue;
            }
        };
        if arguments.len() > 1 {
            let directory = std::env::current_dir().unwrap_or_default();
            writeln!(streams.out(), "{}:", address.display_name(Some(&directory)))?;
        }
        let width = archive.members().map(|(_, member)| member.size.to_string().len()).max().unwrap_or(0);
        let others: HashSet<&str> = archive.other_definitions().iter().map(|other| &**other).collect();
        for (path, member) in archive.members() {
            let role = if archive.entry_definitions() == Some(path) {
                "  (entry)"
            } else if others.contains(path) {
                "  (other)"
            } else {
                ""
            };
            let shown: String = path.escape_debug().collect();
            writeln!(streams.out(), "{:>width$}  {shown}{role}", member.size)?;
        }
        if archive.findings().iter().any(|finding| finding.rule.level == Level::Error) {
            verdict = ExitStatus::Invalid;
        }
        report(archive.findings(), streams)?;
        report(archive.reason().map(std::slice::from_ref).unwrap_or_default(), streams)?;
    }
    Ok(verdict)
}

fn extract(
    argument: &OsStr,
    folder: Option<&Path>,
    force: bool,
    access: &SourceArgs,
    streams: &mut Streams,
) -> io::Result<ExitStatus> {
    let archives = match archives(access, streams) {
        Ok(archives) => archives,
        Err(message) => return error(streams, ExitStatus::Misused, &message),
    };
    let (address, archive) = match open(argument, &archives) {
        Ok(opened) => opened,
        Err(refusal) => return refusal.report(streams),
    };
    let name = address.file_name();
    let stem = [".tar.gz", ".tgz", ".tar", ".zip", ".csar"].iter().find_map(|ending| {
        let at = name.len().checked_sub(ending.len())?;
        name.get(at..)?.eq_ignore_ascii_case(ending).then(|| &name[..at])
    });
    let folder = match (folder, stem) {
        (Some(folder), _) => folder.to_owned(),
        (None, Some("" | "." | "..")) => {
            let message = format!("`{name}` has no name for the folder; name the folder after the archive");
            return error(streams, ExitStatus::Misused, &message);
        }
        (None, stem) => PathBuf::from(stem.unwrap_or("archive")),
    };
    if let Err(failure) = output::check_folders(&folder.join("_")) {
        return error(streams, ExitStatus::Invalid, &failure.to_string());
    }
    report(archive.findings(), streams)?;
    let mut verdict = if archive.findings().is_empty() { ExitStatus::Valid } else { ExitStatus::Invalid };
    let is_hidden = |path: &&str| path.split('/').any(|name| name.starts_with('.'));
    let mut hidden = archive.members().map(|(path, _)| path).filter(is_hidden);
    if let Some(first) = hidden.next() {
        let count = 1 + hidden.count();
        // Tools such as `git` execute commands from some hidden files.
        writeln!(streams.err(), "warning: {count} hidden files are extracted, such as `{}`", sanitize(first))?;
    }
    let bar = Progress::new("files", true);
    let all = archive.members().len();
    let real = address.to_path().and_then(|path| path.canonicalize().ok());
    let mut extraction = Extraction { archive: &archive, real, folder: &folder, folders: HashMap::new(), force };
    let mut number = 0;
    for (done, (path, member)) in archive.members_in_order().enumerate() {
        bar.show(done, all);
        if let Err(problem) = extraction.write(path, member.is_executable) {
            let target = folder.join(path);
            verdict = error(streams, ExitStatus::Invalid, &format!("`{}`: {problem}", target.display()))?;
        } else {
            number += 1;
        }
    }
    drop(bar);
    let files = if number == 1 { "file" } else { "files" };
    writeln!(streams.out(), "{}: {number} {files}", sanitize(&folder.display().to_string()))?;
    Ok(verdict)
}

/// An archive that is being extracted.
struct Extraction<'a> {
    archive: &'a Archive,
    /// The path of the archive with links resolved, if it is in the file system.
    real: Option<PathBuf>,
    /// The folder that the files are extracted to.
    folder: &'a Path,
    /// The created folders: their paths in the archive, and their paths with links resolved.
    folders: HashMap<PathBuf, PathBuf>,
    /// Whether existing files are replaced.
    force: bool,
}

impl Extraction<'_> {
    /// Extracts a file. All names were checked when the archive was opened, so none leads out of the folder.
    fn write(&mut self, path: &str, is_executable: bool) -> Result<(), String> {
        let to_text = |error: io::Error| error.to_string();
        let path = Path::new(path);
        let target =
            self.make_folder(path.parent().unwrap_or(Path::new("")))?.join(path.file_name().unwrap_or_default());
        let mut draft = match fs::symlink_metadata(&target) {
            Ok(_) if !self.force => return Err("it already exists; `--force` replaces it".to_owned()),
            Ok(known) if known.is_file() && target.canonicalize().is_ok_and(|real| Some(real) == self.real) => {
                return Err("it is the archive itself".to_owned());
            }
            Ok(known) if known.is_file() || known.is_symlink() => Draft::in_place_of_link(&target),
            Ok(_) => return Err("it already exists and is not a file".to_owned()),
            Err(_) => Draft::in_place_of_link(&target).map(Draft::expecting_no_file),
        }
        .map_err(to_text)?
        .executable(is_executable);
        self.archive.copy(&path.to_string_lossy(), &mut draft).map_err(|error| all(&error))?;
        draft.replace().map_err(to_text)
    }

    /// Creates a folder in the folder that the files are extracted to, and nowhere else: an existing link could lead out
    /// of it. Returns its path with links resolved.
    fn make_folder(&mut self, path: &Path) -> Result<PathBuf, String> {
        let to_text = |error: io::Error| error.to_string();
        let missing: Vec<&Path> = path.ancestors().take_while(|at| !self.folders.contains_key(*at)).collect();
        for at in missing.into_iter().rev() {
            let real = match (at.parent().map(|parent| &self.folders[parent]), at.file_name()) {
                (Some(parent), Some(name)) => {
                    let made = parent.join(name);
                    match fs::create_dir(&made) {
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                            fs::canonicalize(&made).map_err(to_text)?
                        }
                        result => result.map(|()| made).map_err(to_text)?,
                    }
                }
                _ => {
                    fs::create_dir_all(self.folder).map_err(to_text)?;
                    fs::canonicalize(self.folder).map_err(to_text)?
                }
            };
            if self.folders.get(Path::new("")).is_some_and(|root| !real.starts_with(root)) {
                return Err("a link leads out of the folder".to_owned());
            }
            self.folders.insert(at.to_owned(), real);
        }
        Ok(self.folders[path].clone())
    }
}
