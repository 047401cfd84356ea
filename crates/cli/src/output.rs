//! Output files named by arguments.

use std::io::{self, Write};
use std::path::Path;

use tosca_parse::source::replace::Draft;

use super::folder::is_input;

/// Returns a draft of new content for a file that an argument names. It does not follow links to other folders: a link
/// may be part of a project, and the project's author must not decide which file is replaced.
///
/// # Errors
///
/// Returns an error if the path is a link that leads out of both its folder and the current one, if it is in a linked
/// folder that leads out of the current one, if there is a template or archive, or if the file can't be written.
pub(super) fn draft(path: &Path) -> io::Result<Draft> {
    let draft = draft_of_template(path)?;
    // Imported files are inputs, too.
    if is_input(draft.target()) {
        let message = format!("{}: a template, which the output would replace: name a different file", path.display());
        return Err(io::Error::other(message));
    }
    Ok(draft)
}

/// Returns a draft like [`draft`], which can replace a template.
fn draft_of_template(path: &Path) -> io::Result<Draft> {
    check_folders(path)?;
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

/// Replaces or creates a template that an argument names.
///
/// # Errors
///
/// Returns an error if the file can't be written. The file is then unchanged.
pub(super) fn write_template(path: &Path, content: &str) -> io::Result<()> {
    let mut draft = draft_of_template(path)?;
    draft.write_all(content.as_bytes())?;
    draft.replace()
}

/// Checks the folders of a file that an argument names. Only those in the current folder can be part of a project.
///
/// # Errors
///
/// Returns an error if one of the folders is a link that leads out of the current folder.
pub(super) fn check_folders(path: &Path) -> io::Result<()> {
    let (named, here) = (std::path::absolute(path)?, std::env::current_dir()?);
    let real = here.canonicalize()?;
    let folders = named.ancestors().skip(1).take_while(|folder| folder.starts_with(&here));
    for link in folders.filter(|folder| folder.is_symlink() && **folder != here) {
        let target = link.canonicalize()?;
        if !target.starts_with(&real) {
            let (link, target) = (link.display(), target.display());
            let message = format!("{}: {link} is a link to {target}: name that folder instead", path.display());
            return Err(io::Error::other(message));
        }
    }
    Ok(())
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
