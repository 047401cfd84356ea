//! Output files named by arguments.

use std::io::{self, Write};
use std::path::Path;

use tosca_parse::source::replace::Draft;

/// Returns a draft of new content for a file that an argument names. It does not follow links to other folders: a link
/// may be part of a project, and the project's author must not decide which file is replaced.
///
/// # Errors
///
/// Returns an error if the path is a link that leads out of both its folder and the current one, or if the file can't
/// be written.
pub(super) fn draft(path: &Path) -> io::Result<Draft> {
    let draft = Draft::new(path)?;
    let named = std::path::absolute(path)?;
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|link| link.is_symlink());
    if is_link && draft.target() != named {
        let folders = [named.parent().map(Path::to_owned), std::env::current_dir().ok()];
        let mut folders = folders.into_iter().flatten().filter_map(|folder| folder.canonicalize().ok());
        if !folders.any(|folder| draft.target().starts_with(folder)) {
            let message = format!("{}: a link to {}: name that file instead", path.display(), draft.target().display());
            return Err(io::Error::other(message));
        }
    }
    Ok(draft)
}

/// Replaces or creates a file that an argument names.
///
/// # Errors
///
/// Returns an error if the file can't be written. The file is then unchanged.
pub(super) fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    write_with(path, |out| out.write_all(content.as_ref()))
}

/// Replaces or creates a file like [`write`], with the content that a function writes.
pub(super) fn write_with(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut draft = draft(path)?;
    content(&mut draft)?;
    draft.replace()
}

/// Returns an error message if an output file is one of the inputs, which it would replace.
pub(super) fn replaced_input<P: AsRef<Path>>(
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = P>,
) -> Option<String> {
    let output = output?;
    let target = output.canonicalize().ok()?;
    let is_input = inputs.into_iter().any(|input| input.as_ref().canonicalize().is_ok_and(|input| input == target));
    is_input
        .then(|| format!("`{}` is an input, so the output would replace it: name a different file", output.display()))
}
