//! The files that artifacts and repositories name (2.0, 12.2 and 6.5).

use crate::ard::Node;
use crate::entity::{AnyId, Entity as _, Members};
use crate::grammar::Repository;
use crate::grammar::definition::ArtifactDefinition;
use crate::grammar::template::NodeTemplate;
use crate::grammar::types::NodeType;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt as _, NamedFile};
use crate::rules;

/// Returns the file that an artifact or a repository names. It must exist in the archive, if it can only be a path and
/// the artifact names no repository. 2.0 does not require this, and an orchestrator may have additional files. Outside of
/// archives, the file probably exists already, relative to the file that names it or to the template.
pub(crate) fn named_file(context: &Context<'_>, owner: AnyId, node: Node<'_>) -> Option<NamedFile> {
    let path = node.text();
    let named = NamedFile::at(path);
    let Some(artifact) = owner.cast::<ArtifactDefinition>() else {
        let is_url = owner.cast::<Repository>().is_some();
        return Some(NamedFile { is_url, ..named });
    };
    if context.get(artifact)?.repository.is_some() || names_artifact(context, owner, path) {
        return None;
    }
    let (is_path, is_absolute) = (is_path(path), path.starts_with('/'));
    if context.program.surroundings(owner.unit)?.are_all() {
        let is_file = is_path && (!is_absolute || context.version(owner) >= V2_0);
        return Some(NamedFile { report_missing: is_file.then_some(missing_in_archive), ..named });
    }
    // An absolute path refers to a file on a machine, or in the archive that the folder will be packed into.
    if is_absolute {
        return Some(named);
    }
    let paths = vec![path.to_owned(), format!("/{path}")];
    Some(NamedFile { paths, report_missing: is_path.then_some(missing_in_folder), ..named })
}

fn missing_in_folder(context: &mut Context<'_>, node: Node<'_>) {
    let message = format!("there is no file `{}` here", node.text());
    context.problem(&rules::ABSENT_FILE, Some(node.span()), message).help(ADD_FILE);
}

fn missing_in_archive(context: &mut Context<'_>, node: Node<'_>) {
    let (path, unit) = (node.text(), node.document().source());
    let program = context.program;
    let Some((around, unit)) = program.surroundings(unit).zip(program.unit(unit)) else { return };
    // Many authors write paths relative to the root of the archive.
    let from_root = around.from_root(path);
    let help = if from_root != path && around.has(&from_root) == Some(true) {
        format!("paths are relative to the file that contains them: write `{from_root}`")
    } else {
        ADD_FILE.to_owned()
    };
    let message = format!("there is no file `{path}` in the archive");
    let rule = if unit.version < V2_0 { &rules::MISSING_FILE } else { &rules::ABSENT_FILE };
    context.problem(rule, Some(node.span()), message).help(help);
}

const ADD_FILE: &str = "add the file, correct the path, or name the repository that contains the file";

/// File extensions that are common in archives. Other extensions may be parts of names: `ansible.builtin.command`.
const ENDINGS: &[&str] = &[
    "7z", "bash", "bat", "bin", "bz2", "cfg", "cmd", "conf", "csar", "csv", "deb", "ear", "exe", "gz", "img", "ini",
    "iso", "j2", "jar", "js", "json", "key", "ksh", "md", "ova", "ovf", "pem", "php", "pl", "pp", "ps1", "py", "qcow2",
    "raw", "rb", "rpm", "sh", "so", "sql", "tar", "tf", "tgz", "toml", "txt", "vhd", "vmdk", "war", "whl", "xml", "xz",
    "yaml", "yml", "zip", "zsh",
];

/// Returns whether a character is rare in paths but common in commands, calls and the names of images: a quotation mark,
/// a bracket, or one of `#$&*:;<>?|\`.
fn is_sign(char: char) -> bool {
    matches!(char, '"'..='$' | '&'..='*' | ':'..='<' | '>' | '?' | '['..=']' | '`' | '{'..='}')
}

/// Returns whether a string can only be the path of a file. Without an extension, it may be the name of an artifact;
/// with a colon, the name of an image; and with only dots, the name of a class or module.
pub(crate) fn is_path(text: &str) -> bool {
    let is_word = |char: char| !char.is_whitespace() && !char.is_control() && !is_sign(char);
    let name = &text[text.bytes().rposition(|byte| byte == b'/').map_or(0, |slash| slash + 1)..];
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        let is_short = (1..=8).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_known = || ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending));
        let is_below = || text.contains('/') && ending.starts_with(|char: char| char.is_ascii_alphabetic());
        !stem.is_empty() && is_short && (is_below() || is_known())
    });
    (has_ending || text.starts_with("./") || text.starts_with("../")) && text.chars().all(is_word)
}

/// Returns the artifacts of the nodes that contain an entity, from the templates and their types.
pub(crate) fn artifacts<'a>(context: &Context<'a>, id: AnyId) -> Vec<&'a Members<ArtifactDefinition>> {
    let owners = context.program.owners(id);
    let of_owner = |owner: AnyId| {
        let template = owner.cast::<NodeTemplate>().and_then(|id| context.get(id));
        let node_type = owner.cast().or_else(|| context.definition(owner).and_then(AnyId::cast::<NodeType>));
        let of_type = node_type.and_then(|id| context.get(id)).map(|node_type| &node_type.artifacts);
        template.map(|template| &template.artifacts).into_iter().chain(of_type)
    };
    owners.filter(|owner| matches!(owner.kind, NodeType::KIND | NodeTemplate::KIND)).flat_map(of_owner).collect()
}

/// Returns whether a string in an implementation is the name of an artifact of the node.
pub(crate) fn names_artifact(context: &Context<'_>, id: AnyId, text: &str) -> bool {
    let Some(name) = context.program.interner.get(text) else { return false };
    artifacts(context, id).iter().any(|artifacts| artifacts.get(name).is_some())
}
