//! Writing archives.
//!
//! The same files make the same bytes, wherever and whenever they are packed: entries are sorted, all have one time,
//! and of permissions only counts whether a file can be executed. So two archives can be compared, signed, and cached.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use walkdir::WalkDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::meta::{Meta, PLACES};
use super::{Format, is_yaml_at_root};

/// The beginning of 1980 in seconds of Unix: the first time that every format has.
const TIME: u64 = 315_532_800;

/// What is to be packed.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The folder whose content becomes that of the archive, but for hidden files.
    pub folder: PathBuf,
    /// The path of the template below the folder. If it is not given: the one that a `TOSCA.meta` in the folder names,
    /// or else the only YAML file at its root.
    pub entry: Option<String>,
    /// The paths of further templates.
    pub others: Vec<String>,
    /// Who made the archive.
    pub created_by: Option<String>,
}

/// Why an archive can't be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A file can't be read, or the archive not be written.
    #[error("`{}`: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// The library that writes the format refuses something.
    #[error("`{0}` can't be packed: {1}")]
    Format(String, String),
    /// A file that is named is not there.
    #[error("there is no file `{0}` in the folder")]
    Missing(String),
    /// Nobody says which file is the template.
    #[error("nobody says which file is the template: there is no YAML file at the root of the folder, or several")]
    NoEntry,
    /// A link leads out of the folder, or a path is not text.
    #[error("`{}` {}", .0.display(), .1)]
    Refused(PathBuf, &'static str),
}

/// A file to pack.
#[derive(Clone, Debug)]
struct Item {
    name: String,
    path: PathBuf,
    is_executable: bool,
}

/// Packs a folder into a file, which comes into being whole or not at all; how many files have been packed.
///
/// A `TOSCA.meta` of the folder is kept, and in it all blocks but the first to the letter; the first is changed where
/// the plan says something else. `progress` is told the number of each file and of all.
///
/// # Errors
///
/// A file can't be read, the plan names one that is not there, or the archive can't be written.
pub fn pack(
    plan: &Plan,
    target: &Path,
    format: Format,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<usize, PackError> {
    let target = std::path::absolute(target).map_err(|error| PackError::Io(target.to_owned(), error))?;
    let items = items(&plan.folder, &target)?;
    let meta = Metadata::of(plan, &items)?;
    let mut part = target.clone().into_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    let failed = |error| PackError::Io(part.clone(), error);
    let file = BufWriter::new(File::create(&part).map_err(failed)?);
    let written = match format {
        Format::Zip => write_zip(file, &items, &meta, progress),
        Format::Tar => write_tar(file, &items, &meta, progress).map(drop),
        Format::TarGz => {
            let gzip = GzBuilder::new().mtime(0).write(file, Compression::best());
            write_tar(gzip, &items, &meta, progress)
                .and_then(|gzip| gzip.finish().and_then(|mut file| file.flush()).map_err(failed))
        }
    };
    let written = written.and_then(|()| fs::rename(&part, &target).map_err(failed));
    if written.is_err() {
        // What is left over is of no use; that it can't be removed either is not the problem.
        let _ = fs::remove_file(&part);
    }
    written.map(|()| items.iter().filter(|item| item.name != meta.name).count() + 1)
}

/// The files of a folder in the order of the alphabet, but for hidden ones and the archive itself.
fn items(folder: &Path, target: &Path) -> Result<Vec<Item>, PackError> {
    let root = fs::canonicalize(folder).map_err(|error| PackError::Io(folder.to_owned(), error))?;
    let mut items = Vec::new();
    let is_shown =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    for entry in WalkDir::new(&root).sort_by_file_name().into_iter().filter_entry(is_shown) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            PackError::Io(path, error.into_io_error().unwrap_or_else(|| io::Error::other("it can't be searched")))
        })?;
        let path = entry.path();
        if entry.path_is_symlink() {
            let leads_out = fs::canonicalize(path).map_or(true, |real| !real.starts_with(&root));
            if leads_out {
                return Err(PackError::Refused(path.to_owned(), "is a link that leads nowhere, or out of the folder"));
            }
            if path.is_dir() {
                return Err(PackError::Refused(path.to_owned(), "is a link to a folder"));
            }
        }
        if !path.is_file() || path == target {
            continue;
        }
        let below = path.strip_prefix(&root).unwrap_or(path);
        let names: Option<Vec<&str>> = below.iter().map(|name| name.to_str()).collect();
        let Some(names) = names else {
            return Err(PackError::Refused(path.to_owned(), "has a name that is not text"));
        };
        items.push(Item { name: names.join("/"), path: path.to_owned(), is_executable: is_executable(path) });
    }
    items.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(items)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}

/// The `TOSCA.meta` of the archive.
struct Metadata {
    name: String,
    text: String,
}

impl Metadata {
    fn of(plan: &Plan, items: &[Item]) -> Result<Self, PackError> {
        let has = |name: &str| items.iter().any(|item| item.name == name);
        let name = PLACES.into_iter().find(|place| has(place)).unwrap_or(PLACES[0]);
        let old = items
            .iter()
            .find(|item| item.name == name)
            .map(|item| fs::read(&item.path).map_err(|error| PackError::Io(item.path.clone(), error)));
        let old = old.transpose()?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        for named in plan.entry.iter().chain(&plan.others) {
            if !has(named) {
                return Err(PackError::Missing(named.clone()));
            }
        }
        let is_changed = plan.entry.is_some() || !plan.others.is_empty() || plan.created_by.is_some();
        let known = old.as_deref().map(Meta::of);
        if let Some(text) = &old
            && !is_changed
        {
            return Ok(Self { name: name.to_owned(), text: text.clone() });
        }
        let old_value = |key: &str| known.as_ref().and_then(|meta| meta.get(key)).map(|entry| entry.value.clone());
        let entry = match plan.entry.clone().or_else(|| old_value("Entry-Definitions")) {
            Some(entry) => entry,
            None => Self::only(items)?,
        };
        let is_2_0 = items.iter().find(|item| item.name == entry).is_none_or(|item| says_2_0(&item.path));
        let mut lines: Vec<(String, String)> = Vec::new();
        for entry in known.iter().flat_map(|meta| &meta.entries) {
            lines.push((entry.key.clone(), entry.value.clone()));
        }
        let mut set = |key: &str, value: Option<String>, default: Option<&str>| match (
            lines.iter_mut().find(|(known, _)| known == key),
            value,
            default,
        ) {
            (Some(line), Some(value), _) => line.1 = value,
            (None, Some(value), _) => lines.push((key.to_owned(), value)),
            (None, None, Some(default)) => lines.push((key.to_owned(), default.to_owned())),
            _ => {}
        };
        if !is_2_0 {
            set("TOSCA-Meta-File-Version", None, Some("1.1"));
        }
        set("CSAR-Version", None, Some(if is_2_0 { "2.0" } else { "1.1" }));
        set("Created-By", plan.created_by.clone().map(|by| by.replace(['\r', '\n'], " ")), Some("tosca-parse"));
        set("Entry-Definitions", Some(entry), None);
        let quoted = |name: &String| if name.contains(' ') { format!("\"{name}\"") } else { name.clone() };
        let others: Vec<String> = plan.others.iter().map(quoted).collect();
        set("Other-Definitions", (!others.is_empty()).then(|| others.join(" ")), None);
        let mut text = String::new();
        for (key, value) in &lines {
            text.extend([key, ": ", value, "\n"]);
        }
        if let (Some(meta), Some(old)) = (&known, &old)
            && !meta.others.is_empty()
        {
            text.push('\n');
            text.push_str(&old[meta.others.clone()]);
        }
        Ok(Self { name: name.to_owned(), text })
    }

    /// The only YAML file at the root.
    fn only(items: &[Item]) -> Result<String, PackError> {
        let mut found = items.iter().map(|item| &item.name).filter(|name| is_yaml_at_root(name));
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only.clone()),
            _ => Err(PackError::NoEntry),
        }
    }
}

/// Whether a template says that it is of TOSCA 2.0, or nothing.
fn says_2_0(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64 << 10).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head);
    let version = text.lines().find_map(|line| line.strip_prefix("tosca_definitions_version:"));
    read.is_err() || version.is_none_or(|version| version.contains("tosca_2_0"))
}

/// All entries in their order: what describes the archive is found without reading all of it.
fn in_order<'a>(items: &'a [Item], meta: &'a Metadata) -> impl Iterator<Item = &'a Item> {
    items.iter().filter(|item| item.name != meta.name)
}

fn write_zip<W: Write + Seek>(
    target: W,
    items: &[Item],
    meta: &Metadata,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(), PackError> {
    let refused = |name: &str, error: zip::result::ZipError| PackError::Format(name.to_owned(), error.to_string());
    let options = |is_executable: bool, size: u64| {
        SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(if is_executable { 0o755 } else { 0o644 })
            .large_file(size >= u64::from(u32::MAX))
    };
    let mut zip = ZipWriter::new(target);
    zip.start_file(&*meta.name, options(false, 0)).map_err(|error| refused(&meta.name, error))?;
    zip.write_all(meta.text.as_bytes()).map_err(|error| refused(&meta.name, error.into()))?;
    for (number, item) in in_order(items, meta).enumerate() {
        progress(number + 1, items.len());
        let failed = |error| PackError::Io(item.path.clone(), error);
        let mut file = File::open(&item.path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        zip.start_file(&*item.name, options(item.is_executable, size)).map_err(|error| refused(&item.name, error))?;
        io::copy(&mut file, &mut zip).map_err(failed)?;
    }
    let mut target = zip.finish().map_err(|error| refused("the archive", error))?;
    target.flush().map_err(|error| refused("the archive", error.into()))
}

fn write_tar<W: Write>(
    target: W,
    items: &[Item],
    meta: &Metadata,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<W, PackError> {
    let refused = |name: &str, error: io::Error| PackError::Format(name.to_owned(), error.to_string());
    let mut tar = tar::Builder::new(target);
    let mut add = |name: &str, is_executable: bool, size: u64, content: &mut dyn Read| {
        let mut header = tar::Header::new_ustar();
        header.set_size(size);
        header.set_mode(if is_executable { 0o755 } else { 0o644 });
        header.set_mtime(TIME);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, name, content.take(size)).map_err(|error| refused(name, error))
    };
    add(&meta.name, false, meta.text.len() as u64, &mut meta.text.as_bytes())?;
    for (number, item) in in_order(items, meta).enumerate() {
        progress(number + 1, items.len());
        let failed = |error| PackError::Io(item.path.clone(), error);
        let mut file = File::open(&item.path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        add(&item.name, item.is_executable, size, &mut file)?;
    }
    let mut target = tar.into_inner().map_err(|error| refused("the archive", error))?;
    target.flush().map_err(|error| refused("the archive", error))?;
    Ok(target)
}
