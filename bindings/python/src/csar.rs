//! Archives.

use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use tosca_parse::archive::LAYOUT;
use tosca_parse::source::archive::pack::{PackError, PackOptions, pack};

use crate::error::config_error;

/// Packs a folder into a file, whose name determines the format.
#[pyfunction]
#[pyo3(signature = (folder, target, *, entry, others, created_by))]
pub(crate) fn pack_folder(
    py: Python<'_>,
    folder: PathBuf,
    target: PathBuf,
    entry: Option<String>,
    others: Vec<String>,
    created_by: Option<String>,
) -> PyResult<()> {
    let name = target.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let format = LAYOUT.format(name).ok_or_else(|| {
        config_error(format!("the name `{name}` has no known extension: use .zip, .csar, .tar, .tar.gz or .tgz"))
    })?;
    let options = PackOptions { folder, entry, others, created_by };
    let packed = py.detach(|| pack(&LAYOUT, &options, &target, format, &mut |_, _| ()));
    packed.map(|_| ()).map_err(|error| match error {
        PackError::Io(..) | PackError::Write(_) => PyOSError::new_err(error.to_string()),
        PackError::NoEntry(names) if names.is_empty() => {
            config_error("there is no YAML file in the root of the archive; name the template with `entry`")
        }
        PackError::NoEntry(names) => {
            config_error(format!("the template can't be determined; name it with `entry`: {}", names.join(", ")))
        }
        error => config_error(error),
    })
}
