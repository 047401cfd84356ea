//! The entries that arguments name.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::Path;

use clap::CommandFactory;

use super::Refusal;
use super::args::Cli;
use super::argv;
use super::fix::Project;
use super::folder;
use super::objects;
use super::parsers::Readers;
use tosca_parse::Entry;
use tosca_parse::source::Address;
use tosca_parse_config::{here, languages};

/// Returns the entries that the arguments name, each with its input values; or the reason why there are none.
pub(super) fn entries(files: &[OsString], readers: &mut Readers<'_>) -> io::Result<Result<Entries, Refusal>> {
    let list = Vec::with_capacity(files.len());
    let mut found = Entries { list, has_folders: false, project: Project::default(), stdin: None };
    // A template may refer to the bucket of another one, wherever it is among the arguments.
    let buckets = files.iter().filter_map(|file| readers.address(file).ok()?.bucket());
    readers.buckets.extend(buckets.collect::<Vec<_>>());
    for file in files {
        let added = if file == "-" {
            if found.stdin.is_some() {
                return Ok(Err("standard input can be read only once".to_owned().into()));
            }
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            found.add_text(bytes, readers).map_err(Refusal::from)
        } else {
            folder::matching(file, files.len() == 1)
                .and_then(|files| files.iter().try_for_each(|file| found.add(file, readers)).map_err(Refusal::from))
        };
        if let Err(refusal) = added {
            return Ok(Err(refusal));
        }
    }
    Ok(readers.check_wishes().map(|()| found).map_err(Refusal::from))
}

/// Returns the entry of an argument.
fn at(file: &OsStr, readers: &mut Readers<'_>) -> Result<(usize, Entry), String> {
    readers.entry(Entry::at(readers.address(file).map_err(|error| error.to_string())?))
}

/// The entries that the arguments name.
pub(super) struct Entries {
    /// The entries, each with the index of its parser.
    pub(super) list: Vec<(usize, Entry)>,
    /// Whether some entries were found in a folder.
    pub(super) has_folders: bool,
    /// The files that may be changed.
    pub(super) project: Project,
    pub(super) stdin: Option<StandardInput>,
}

/// The content of standard input, and its address.
pub(super) struct StandardInput {
    pub(super) address: Address,
    pub(super) bytes: Vec<u8>,
}

impl Entries {
    /// Adds the text of standard input.
    fn add_text(&mut self, bytes: Vec<u8>, readers: &mut Readers<'_>) -> Result<(), String> {
        let name = OsStr::new(&readers.reading.stdin_name);
        let address = readers.address(name).map_err(|error| error.to_string())?;
        self.list.push(readers.entry(Entry::text(address.clone(), &*bytes))?);
        self.stdin = Some(StandardInput { address, bytes });
        Ok(())
    }

    /// Adds the templates and archives below a folder of an object store.
    fn add_objects(&mut self, folder: &Address, readers: &mut Readers<'_>) -> Result<(), String> {
        self.has_folders = true;
        let settings = readers.settings(&here())?;
        let found = objects::find(folder, &readers.reading.access, &settings)?;
        for address in found {
            self.list.push(readers.entry(Entry::at(address))?);
        }
        Ok(())
    }

    /// Adds the file, or the files of a folder, that an argument names.
    fn add(&mut self, file: &OsString, readers: &mut Readers<'_>) -> Result<(), String> {
        if let Ok(address) = readers.address(file)
            && address.is_object()
            && address.is_directory()
        {
            return self.add_objects(&address, readers);
        }
        let path = Path::new(file);
        if path.exists() {
            let inside = if path.is_dir() { path.join("_") } else { path.to_owned() };
            self.project.add(path, readers.project(&inside).as_deref());
        }
        if !path.exists()
            && let Some(command) = argv::meant(&Cli::command(), file)
        {
            let word = file.display();
            return Err(format!("there is no file and no command `{word}`; did you mean `{command}`?"));
        }
        if !path.is_dir() || folder::is_archive_folder(path) {
            self.list.push(at(file, readers)?);
            return Ok(());
        }
        self.has_folders = true;
        let mut wrong = None;
        let walked = readers.walked.clone();
        let found = folder::find(path, walked.as_deref(), &mut |path| match readers.settings(path) {
            Ok(settings) => settings.excludes(path),
            Err(message) => {
                wrong = Some(message);
                true
            }
        });
        if let Some(message) = wrong {
            return Err(message);
        }
        if found.is_empty() {
            return Err(format!("there is no {} file in the folder `{}`", languages().main().name, path.display()));
        }
        readers.folders.extend(found.iter().filter_map(super::murano::package_of).map(Path::to_owned));
        for found in found {
            self.list.push(at(found.path.as_os_str(), readers)?);
        }
        Ok(())
    }
}
