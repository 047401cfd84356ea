//! Packs archives.
//!
//! The same files always produce the same bytes, regardless of where and when they are packed: entries are sorted and
//! all have the same time, and only the executable bit of their permissions is kept. So archives can be compared,
//! signed and cached.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use walkdir::WalkDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::super::replace::Draft;
use super::super::{Address, FileProvider, Provider, ReadError};
use super::{ArchiveTree, Format, Layout};

/// The start of 1980 as Unix time, in seconds: the earliest time that every format supports.
const TIME: u64 = 315_532_800;

/// The options for packing.
#[derive(Clone, Debug, Default)]
pub struct PackOptions {
    /// The folder with the content of the archive; hidden files are excluded.
    pub folder: PathBuf,
    /// The path of the template in the folder. By default, it is the template that the folder's description names or,
    /// if there is none, the only YAML file at the root.
    pub entry: Option<String>,
    /// The paths of the other templates.
    pub others: Vec<String>,
    /// The author of the archive.
    pub created_by: Option<String>,
}

/// The reason why an archive can't be packed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A file can't be read.
    #[error("`{}`: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// The archive can't be written.
    #[error("{0}")]
    Write(io::Error),
    /// The library for the format reports an error.
    #[error("`{0}` can't be packed: {1}")]
    Format(String, String),
    /// A named file does not exist.
    #[error("there is no file `{0}` in the folder")]
    Missing(String),
    /// No template is given and the folder does not have exactly one YAML file at its root. Contains the possible
    /// files.
    #[error("the template can't be determined")]
    NoEntry(Vec<String>),
    /// The description in the folder names a template that does not exist.
    #[error("the description of the archive names `{entry}`, which is not in the folder")]
    LostEntry {
        /// The name.
        entry: String,
        /// The possible files.
        templates: Vec<String>,
    },
    /// A file can't be packed, because it is a link that leads out of the folder, its path is not Unicode, or the like.
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

/// Packs a folder into a file, which is created either completely or not at all. Returns the number of packed files.
///
/// A file in the folder that describes the archive is kept; the [layout](Layout) changes it if the options require
/// this. `progress` is called with the number of each file and the total number of files.
///
/// # Errors
///
/// Returns an error if a file can't be read, if a named file does not exist, or if the archive can't be written.
pub fn pack(
    layout: &Layout,
    plan: &PackOptions,
    target: &Path,
    format: Format,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<usize, PackError> {
    let target = std::path::absolute(target).map_err(|error| PackError::Io(target.to_owned(), error))?;
    let items = items(&plan.folder, &target)?;
    let description = Description::of(layout, plan, &Folder { items: &items, path: &plan.folder })?;
    let description = description.as_ref();
    let failed = |error| PackError::Write(error);
    let mut draft = Draft::in_place_of_link(&target).map_err(failed)?;
    match format {
        Format::Zip => write_zip(&mut draft, &items, description, progress)?,
        Format::Tar => drop(write_tar(&mut draft, &items, description, progress)?),
        Format::TarGz => {
            let gzip = GzBuilder::new().mtime(0).write(&mut draft, Compression::best());
            write_tar(gzip, &items, description, progress)?.finish().map_err(failed)?;
        }
    }
    draft.replace().map_err(failed)?;
    Ok(in_order(&items, description).count() + usize::from(description.is_some()))
}

/// Returns the files in a folder in alphabetical order, except for hidden files and the archive itself.
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
            let real = fs::canonicalize(path).ok();
            let Some(inside) = real.as_deref().and_then(|real| real.strip_prefix(&root).ok()) else {
                return Err(PackError::Refused(path.to_owned(), "is a link that leads nowhere or out of the folder"));
            };
            if inside.iter().any(|name| name.as_encoded_bytes().starts_with(b".")) {
                return Err(PackError::Refused(
                    path.to_owned(),
                    "is a link to a hidden file, and these are not packed",
                ));
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
            return Err(PackError::Refused(path.to_owned(), "has a name that is not valid Unicode"));
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

/// The file that describes the archive.
struct Description {
    name: String,
    text: String,
}

impl Description {
    fn of(layout: &Layout, plan: &PackOptions, folder: &Folder<'_>) -> Result<Option<Self>, PackError> {
        for named in plan.entry.iter().chain(&plan.others) {
            if !folder.has(named) {
                return Err(PackError::Missing(named.clone()));
            }
        }
        let places = layout.descriptions;
        let Some(name) = places.iter().find(|place| folder.has(place)).or(places.first()) else { return Ok(None) };
        let is_changed = plan.entry.is_some() || !plan.others.is_empty() || plan.created_by.is_some();
        let text = match folder.item(name) {
            Some(item) if !is_changed => {
                // An unchanged description must name a template, too.
                (layout.describe)(plan, folder, name)?;
                let bytes = fs::read(&item.path).map_err(|error| PackError::Io(item.path.clone(), error))?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => (layout.describe)(plan, folder, name)?,
        };
        Ok(Some(Self { name: (*name).to_owned(), text }))
    }
}

/// The files in a folder that is being packed.
struct Folder<'a> {
    items: &'a [Item],
    path: &'a Path,
}

impl Folder<'_> {
    fn item(&self, path: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.name == path)
    }
}

impl ArchiveTree for Folder<'_> {
    fn has(&self, path: &str) -> bool {
        self.item(path).is_some()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        FileProvider.read(&self.address(path), 64 << 20)
    }

    fn paths(&self) -> Vec<String> {
        self.items.iter().map(|item| item.name.clone()).collect()
    }

    fn address(&self, path: &str) -> Address {
        let path = self.item(path).map_or_else(|| self.path.join(path), |item| item.path.clone());
        Address::from_path(&path, Path::new("/"))
    }

    fn whole(&self) -> Address {
        Address::from_path(self.path, Path::new("/"))
    }
}

/// Returns all entries except for the description, in order. The description is written first, so that it is found
/// without reading the whole archive.
fn in_order<'a>(items: &'a [Item], description: Option<&'a Description>) -> impl Iterator<Item = &'a Item> {
    items.iter().filter(move |item| description.is_none_or(|description| description.name != item.name))
}

fn write_zip<W: Write + Seek>(
    target: W,
    items: &[Item],
    description: Option<&Description>,
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
    if let Some(Description { name, text }) = description {
        zip.start_file(&**name, options(false, 0)).map_err(|error| refused(name, error))?;
        zip.write_all(text.as_bytes()).map_err(|error| refused(name, error.into()))?;
    }
    for (number, item) in in_order(items, description).enumerate() {
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
    description: Option<&Description>,
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
    if let Some(Description { name, text }) = description {
        add(name, false, text.len() as u64, &mut text.as_bytes())?;
    }
    for (number, item) in in_order(items, description).enumerate() {
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
