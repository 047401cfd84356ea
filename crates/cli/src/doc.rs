//! Writes documentation of types.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::args::{Doc, DocFormat, RuleOverrides};
use super::dirs::shown;
use super::entries::entries;
use super::ordered_parallel::{map_in_order, workers};
use super::parsers::Readers;
use super::plan::show_all;
use super::problems::Problems;
use super::streams::Streams;
use super::total_imports::{TotalImports, counting_imports};
use super::validate::misused;
use super::{ExitStatus, output};
use tosca_parse::Entry;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::grammar::version;
use tosca_parse::source::regular;
use tosca_parse::source::replace::Draft;
use tosca_parse_config::here;
use tosca_parse_doc::{Builder, Documentation, FactValue, File, Format, MARK};

/// Documents the types of a file, a folder, or a profile.
pub(super) fn run(arguments: &Doc, streams: &mut Streams) -> io::Result<ExitStatus> {
    let wishes = RuleOverrides::default();
    let mut readers = Readers::new(&arguments.reading, &wishes, arguments.jobs);
    let subject = match subject(&arguments.source, &mut readers)? {
        Ok(subject) => subject,
        Err(message) => return misused(streams, &message),
    };
    let bounds = match readers.settings(&here()) {
        Ok(settings) => settings.bounds.clone(),
        Err(message) => return misused(streams, &message),
    };
    readers.report(streams)?;
    let mut builder = Builder::new(&*subject.title, bounds.documentation);
    let mut verdict = ExitStatus::Valid;
    let is_alone = subject.entries.len() == 1;
    let total = TotalImports::new(bounds.run.imports);
    let (mut problems, mut unread) = (Problems::default(), 0);
    for (reader, entry) in subject.entries {
        if total.is_exceeded() {
            unread += 1;
            continue;
        }
        let outcome = readers.parser(reader).parse_entry(entry);
        total.count(counting_imports(outcome.import_cost, &outcome.program));
        verdict = verdict.max(ExitStatus::of(&outcome.diagnostics));
        problems.add(reader, outcome.diagnostics, &outcome.sources);
        if subject.is_version {
            builder.add_implicit(&outcome.program);
        } else {
            builder.add(&outcome.program);
            if is_alone {
                builder.introduce(&outcome.program);
            }
        }
    }
    show_all((&problems.list, &problems.sources), &arguments.problems, false, streams)?;
    if unread > 0 {
        writeln!(streams.err(), "error: {}", total.left(unread, "documented"))?;
        verdict = verdict.max(ExitStatus::Invalid);
    }
    if verdict != ExitStatus::Valid {
        return Ok(verdict);
    }
    let mut documentation = builder.finish();
    if let Some(profile) = profile(&documentation) {
        documentation.title = profile;
    }
    if documentation.pages.is_empty() {
        writeln!(streams.err(), "error: {} has no types", sanitize(&subject.title))?;
        return Ok(ExitStatus::Invalid);
    }
    let format = match arguments.format {
        DocFormat::Html => Format::Html,
        DocFormat::Markdown => Format::Markdown,
    };
    let folder = Folder { path: &arguments.output, is_forced: arguments.force, workers: workers(arguments.jobs) };
    match folder.write(&documentation, format) {
        Ok(number) => {
            let left_out = documentation.left_out;
            if left_out.pages > 0 || left_out.members > 0 {
                writeln!(
                    streams.err(),
                    "warning: {} types and {} members are omitted; raise the limit with `--limit doc-pages=…` or \
                     `--limit doc-size=…`",
                    left_out.pages,
                    left_out.members
                )?;
            }
            let start = arguments.output.join(start(format));
            writeln!(streams.out(), "wrote {number} files; start with {}", shown(&start))?;
            Ok(ExitStatus::Valid)
        }
        Err(message) => {
            writeln!(streams.err(), "error: {}", sanitize(&message))?;
            Ok(ExitStatus::Invalid)
        }
    }
}

/// The name under which a documented profile is imported.
fn profile(documentation: &Documentation) -> Option<String> {
    let fact = documentation.about.facts.iter().find(|fact| matches!(fact.keyname, "profile" | "namespace"))?;
    let FactValue::Data(texts) = &fact.value else { return None };
    texts.first().cloned()
}

/// The documented files.
struct Subject {
    title: String,
    entries: Vec<(usize, Entry)>,
    /// Whether the types of a version are documented, rather than those of an entry.
    is_version: bool,
}

/// Returns the files that an argument names: a file or folder, the name of a profile, or a version.
fn subject(source: &OsStr, readers: &mut Readers<'_>) -> io::Result<Result<Subject, String>> {
    let name = source.to_string_lossy().into_owned();
    let is_yaml = |name: &str| [".yaml", ".yml", ".yay", ".csar"].iter().any(|end| name.ends_with(end));
    if Path::new(source).exists() || name == "-" || name.contains("://") || is_yaml(&name) {
        let entries = match entries(&[source.to_owned()], readers)? {
            Ok(entries) => entries.list,
            Err(refusal) => return Ok(Err(refusal.message)),
        };
        return Ok(Ok(Subject { title: name, entries, is_version: false }));
    }
    Ok(named(&name, readers))
}

fn named(name: &str, readers: &mut Readers<'_>) -> Result<Subject, String> {
    let place = readers.address(OsStr::new("version.yaml")).map_err(|error| error.to_string())?;
    if version::of_word(name).is_some() {
        let entry = readers.entry(Entry::text(place, format!("tosca_definitions_version: {name}\n")))?;
        return Ok(Subject { title: name.to_owned(), entries: vec![entry], is_version: true });
    }
    let (reader, _) = readers.entry(Entry::at(place))?;
    let (profiles, _) = readers.parser(reader).profiles();
    let Some((_, address)) = profiles.iter().find(|(known, address)| known == name || address.to_string() == name)
    else {
        let words = version::words().map(|word: &str| word);
        let help = nearest(name, profiles.iter().map(|(name, _)| &**name).chain(words)).map_or_else(
            || "`tosca-parse profiles` lists the profiles".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(format!("there is no file, folder or profile `{name}`; {help}"));
    };
    let entry = readers.entry(Entry::at(address.clone()))?;
    Ok(Subject { title: name.to_owned(), entries: vec![entry], is_version: false })
}

/// Returns the name of the file to start with.
fn start(format: Format) -> &'static str {
    match format {
        Format::Html => "index.html",
        Format::Markdown => "README.md",
    }
}

/// The folder of a documentation.
struct Folder<'a> {
    path: &'a Path,
    /// Whether it may contain other files.
    is_forced: bool,
    /// The number of threads that write files.
    workers: usize,
}

impl Folder<'_> {
    /// Writes a documentation and removes the pages of an earlier one. Returns the number of files.
    ///
    /// # Errors
    ///
    /// Returns an error, before anything is written, if the folder or one of the files was not written by this command.
    fn write(&self, documentation: &Documentation, format: Format) -> Result<usize, String> {
        self.check()?;
        let files = documentation.files(format);
        let paths: BTreeSet<PathBuf> = files.iter().map(|file| self.path.join(&file.path)).collect();
        for path in &paths {
            let folder = path.parent().unwrap_or(self.path);
            if fs::symlink_metadata(folder).is_ok_and(|known| !known.is_dir()) && folder != self.path {
                return Err(format!("{} is not a folder", shown(folder)));
            }
            if fs::symlink_metadata(path).is_ok() && !is_generated(path) {
                return Err(format!("{} was not written by `tosca-parse doc`; name another folder", shown(path)));
            }
        }
        let number = files.len();
        let write = |file: File| {
            let path = self.path.join(&file.path);
            write(&path, &documentation.text(format, &file))
                .map_err(|error| io::Error::other(format!("can't write {}: {error}", shown(&path))))
        };
        map_in_order(files, self.workers, write, |written| written).map_err(|error| error.to_string())?;
        self.remove_others(&paths);
        Ok(number)
    }

    /// Checks that the folder is empty, or contains a documentation.
    fn check(&self) -> Result<(), String> {
        output::check_folders(&self.path.join(start(Format::Html))).map_err(|error| error.to_string())?;
        let mut entries = match fs::read_dir(self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(format!("{}: {error}", shown(self.path))),
        };
        let is_known =
            || [Format::Html, Format::Markdown].iter().any(|format| is_generated(&self.path.join(start(*format))));
        if self.is_forced || entries.next().is_none() || is_known() {
            return Ok(());
        }
        Err(format!(
            "{} has files that were not written by `tosca-parse doc`; name another folder, or keep them with `--force`",
            shown(self.path)
        ))
    }

    /// Removes the pages of an earlier run. Failures are ignored, because the files do no harm.
    fn remove_others(&self, wanted: &BTreeSet<PathBuf>) {
        for path in children(self.path) {
            let is_folder = is_folder_itself(&path);
            let files = if is_folder { children(&path) } else { vec![path.clone()] };
            // Another documentation has folders of its own.
            if is_folder && files.iter().any(|file| is_folder_itself(file)) {
                continue;
            }
            for file in files.iter().filter(|file| !wanted.contains(*file) && is_generated(file)) {
                let _ = fs::remove_file(file);
            }
            if is_folder && !files.is_empty() {
                // Fails if other files are in it.
                let _ = fs::remove_dir(&path);
            }
        }
    }
}

/// Returns the paths in a folder.
fn children(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Returns whether a path is a folder and not a link.
fn is_folder_itself(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|known| known.is_dir())
}

/// Returns whether a file, which is not a link, was written by this command.
fn is_generated(path: &Path) -> bool {
    if !fs::symlink_metadata(path).is_ok_and(|known| known.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let is_read = regular::open(path).is_ok_and(|(file, _)| file.take(128).read_to_end(&mut start).is_ok());
    is_read && String::from_utf8_lossy(&start).lines().take(2).any(|line| line.contains(MARK))
}

/// Writes a file, unless it has the content already.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let known = match regular::read(path, u64::MAX) {
        Ok(known) if known == text.as_bytes() => return Ok(()),
        Ok(known) => Some(known),
        Err(_) => None,
    };
    let draft = Draft::in_place_of_link(path)?.without_sync();
    let mut draft = match known {
        Some(known) => draft.expecting(known),
        None => draft.expecting_no_file(),
    };
    draft.write_all(text.as_bytes())?;
    draft.replace()
}
