//! The arguments of `csar`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::sources::SourceArgs;
use super::validate::Validate;

#[derive(Debug, Subcommand)]
pub(crate) enum Csar {
    /// Pack a folder; the same files always produce the same archive
    Create(Create),
    /// Read every file in an archive and validate its templates
    Check(Box<Validate>),
    /// List the files in an archive
    List {
        /// Archives: paths or URLs
        #[arg(value_name = "ARCHIVE", required = true)]
        archives: Vec<OsString>,
        #[command(flatten)]
        access: SourceArgs,
    },
    /// Unpack an archive
    Extract {
        /// The archive: a path or URL
        archive: OsString,
        /// The folder to unpack to, created if missing; by default named after the archive
        folder: Option<PathBuf>,
        /// Replace existing files
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        access: SourceArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The folder to pack, or the template in it; hidden files are left out
    pub(crate) folder: PathBuf,
    /// The archive to write; its extension selects the format: .zip, .csar, .tar, .tar.gz, .tgz
    #[arg(long, short, value_name = "ARCHIVE")]
    pub(crate) output: Option<PathBuf>,
    /// The path of the main template, relative to the folder
    #[arg(long, value_name = "PATH")]
    pub(crate) entry: Option<String>,
    /// The path of an additional template, relative to the folder
    #[arg(long, value_name = "PATH")]
    pub(crate) other: Vec<String>,
    /// The author of the archive
    #[arg(long, value_name = "NAME")]
    pub(crate) created_by: Option<String>,
}
