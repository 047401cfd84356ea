//! Writes a template and its test file.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tosca_parse::grammar::version::{V2_0, word};

use super::args::New;
use super::dirs::shown;
use super::streams::Streams;
use super::test::{is_test_file, is_yaml, test_file_of};
use super::validate::misused;
use super::{ExitStatus, output};

/// The name of the template in a new folder.
const NAME: &str = "service.yaml";

/// Writes the files. If one of them exists, none is written.
pub(super) fn run(arguments: &New, streams: &mut Streams) -> io::Result<ExitStatus> {
    let path = &arguments.path;
    if is_test_file(path) {
        return misused(streams, "name the template; its test file is written next to it");
    }
    if path.is_file() && !is_yaml(path) {
        return misused(streams, &format!("`{}` is neither a folder nor the name of a template", path.display()));
    }
    let is_template = is_yaml(path) && !path.is_dir();
    // Names are shown without `./` in front.
    let folder = if path == Path::new(".") { Path::new("") } else { path };
    let template = if is_template { path.clone() } else { folder.join(NAME) };
    let test = test_file_of(&template);
    let text = if arguments.tosca == V2_0 {
        include_str!("new/2.0.yaml").to_owned()
    } else {
        include_str!("new/1.x.yaml").replace("VERSION", word(arguments.tosca))
    };
    if let Err((path, error)) = write([(&template, &text), (&test, include_str!("new/test.yaml"))]) {
        let reason = match error.kind() {
            ErrorKind::AlreadyExists => "it already exists; no file was written".to_owned(),
            _ => error.to_string(),
        };
        writeln!(streams.err(), "error: {}: {reason}", shown(path))?;
        return Ok(ExitStatus::Invalid);
    }
    let next = match shown(if is_template { &test } else { folder }) {
        path if path.contains(char::is_whitespace) => format!(" '{path}'"),
        path if path.is_empty() => path,
        path => format!(" {path}"),
    };
    let out = &mut streams.out();
    writeln!(out, "wrote {}", shown(&template))?;
    writeln!(out, "wrote {}", shown(&test))?;
    writeln!(out, "next: tosca-parse test{next}")?;
    Ok(ExitStatus::Valid)
}

/// Writes new files or none.
fn write<'p, const N: usize>(files: [(&'p Path, &str); N]) -> Result<(), (&'p Path, io::Error)> {
    let mut created: Vec<(&Path, File)> = Vec::new();
    let remove = |created: &[(&Path, File)]| {
        for (path, _) in created {
            // If removing fails too, only the first failure is reported.
            let _ = std::fs::remove_file(path);
        }
    };
    for (path, _) in files {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let create = || folder.map_or(Ok(()), std::fs::create_dir_all);
        let opened = output::check_folders(path).and_then(|()| create());
        match opened.and_then(|()| OpenOptions::new().write(true).create_new(true).open(path)) {
            Ok(file) => created.push((path, file)),
            Err(error) => {
                remove(&created);
                return Err((path, error));
            }
        }
    }
    for (index, (path, text)) in files.into_iter().enumerate() {
        if let Err(error) = created[index].1.write_all(text.as_bytes()) {
            remove(&created);
            return Err((path, error));
        }
    }
    Ok(())
}
