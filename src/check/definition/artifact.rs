//! Artifact definitions (2.0, 12.2), and the implementations that use them (2.0, 11.8).

use crate::ard::{Kind, Node};
use crate::data::{PathContext, ValueContext};
use crate::diagnostic::Help;
use crate::entity::{AnyId, Checked, Checks, Entity as _, Id, LocalId, Members, Text, Value};
use crate::grammar::definition::{ArtifactDefinition, Implementation};
use crate::grammar::template::NodeTemplate;
use crate::grammar::types::NodeType;
use crate::grammar::version::V2_0;
use crate::phase::read::Reader;
use crate::phase::rendering::RenderedEntity;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for ArtifactDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check).check_files(find_file);
}

fn check(artifact: &ArtifactDefinition, context: &mut Context<'_>, id: Id<ArtifactDefinition>) {
    let id = id.any();
    if context.version(id) < V2_0 {
        check_deduced(artifact, context, id);
    }
    check_name(artifact, context, id);
    let definition = context.definition(id);
    context.apply::<ArtifactDefinition>(&RenderedEntity::of(id, definition));
}

/// Checks that an omitted type of an artifact can be inferred from the extension of its file. Only versions before 2.0
/// allow the omission (1.3, 3.6.7.2.1). The file of an implementation may be the name of another artifact.
fn check_deduced(artifact: &ArtifactDefinition, context: &mut Context<'_>, id: AnyId) {
    let Some(Text(file)) = artifact.file.filter(|_| artifact.r#type.is_none()) else { return };
    let Some(node) = context.node(file).filter(|node| node.kind() == Kind::String) else { return };
    let Some(owner) = context.program.owners(id).next() else { return };
    let is_defined = context.header(id).is_some_and(|header| {
        let node_type = context.definition(owner).and_then(AnyId::cast::<NodeType>).and_then(|id| context.get(id));
        node_type.is_some_and(|node_type| node_type.artifacts.get(header.name).is_some())
    });
    let is_of_node = owner.kind == NodeType::KIND || owner.kind == NodeTemplate::KIND && !is_defined;
    let has_extension = node.text().rsplit('/').next().is_some_and(|name| name.contains('.'));
    if is_of_node && !has_extension {
        let message = format!(
            "artifact `{}` needs a type: it can't be inferred from `{}`, which has no extension",
            context.program.name(id),
            node.text()
        );
        context
            .problem(&rules::MISSING_KEYNAME_OR_INHERITED, Some(node.span()), message)
            .help("write `{ file: …, type: … }`");
    }
}

/// Checks that the named file exists in the archive, unless the artifact names a repository. 2.0 does not require this,
/// and an orchestrator may have additional files. Outside of archives, the file probably exists already, relative to
/// the file that names it or to the template.
fn find_file(artifact: &ArtifactDefinition, context: &mut Context<'_>, id: Id<ArtifactDefinition>) {
    let id = id.any();
    let Some(Text(file)) = artifact.file.filter(|_| artifact.repository.is_none()) else { return };
    let Some(node) = context.node(file).filter(|node| node.kind() == Kind::String) else { return };
    let (path, version) = (node.text(), context.version(id));
    if !is_path(path) || path.starts_with('/') && version < V2_0 || names_artifact(context, id, path) {
        return;
    }
    let Some(neighbours) = context.program.surroundings(id.unit) else { return };
    if neighbours.has(path) != Some(false) {
        return;
    }
    if !neighbours.are_all() {
        // An absolute path refers to a file on a machine, or in the archive that the folder will be packed into.
        if !path.starts_with('/') && neighbours.has(&format!("/{path}")) == Some(false) {
            let message = format!("there is no file `{path}` here");
            let help = "add the file, correct the path, or name the repository that contains the file";
            context.problem(&rules::ABSENT_FILE, Some(node.span()), message).help(help);
        }
        return;
    }
    // Many authors write paths relative to the root of the archive.
    let from_root = neighbours.from_root(path);
    let help = if from_root != path && neighbours.has(&from_root) == Some(true) {
        format!("paths are relative to the file that contains them: write `{from_root}`")
    } else {
        "add the file, correct the path, or name the repository that contains the file".to_owned()
    };
    let message = format!("there is no file `{path}` in the archive");
    let rule = if version < V2_0 { &rules::MISSING_FILE } else { &rules::ABSENT_FILE };
    context.problem(rule, Some(node.span()), message).help(help);
}

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
fn is_path(text: &str) -> bool {
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
fn artifacts<'a>(context: &Context<'a>, id: AnyId) -> Vec<&'a Members<ArtifactDefinition>> {
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
fn names_artifact(context: &Context<'_>, id: AnyId, text: &str) -> bool {
    let Some(name) = context.program.interner.get(text) else { return false };
    artifacts(context, id).iter().any(|artifacts| artifacts.get(name).is_some())
}

/// Checks a name in an implementation that is similar to that of an artifact of the node. Other names may have a
/// meaning for the processor.
fn check_name(artifact: &ArtifactDefinition, context: &mut Context<'_>, id: AnyId) {
    let Some(Text(file)) = artifact.file.filter(|_| artifact.repository.is_none()) else { return };
    let Some(node) = context.node(file).filter(|node| node.kind() == Kind::String) else { return };
    let is_used = context.program.owners(id).next().is_some_and(|owner| owner.kind == Implementation::KIND);
    if !is_used || is_path(node.text()) || names_artifact(context, id, node.text()) {
        return;
    }
    let known = artifacts(context, id);
    let names = known.iter().flat_map(|artifacts| artifacts.iter()).map(|(name, _)| context.text(name));
    if let Some(name) = context.suggestions().nearest(node.text(), names) {
        let message = format!("the node has no artifact `{}`", node.text());
        context.problem(&rules::ABSENT_FILE, Some(node.span()), message).help(Help::did_you_mean(name));
    }
}

impl Checked for Implementation {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_timeout).after_inheritance(check_operation_host);
}

fn check_timeout(implementation: &Implementation, reader: &mut Reader<'_>, _: LocalId) {
    let Some(Value(timeout)) = implementation.timeout else { return };
    let node = reader.document().node(timeout.node);
    if node.kind() != Kind::Map && node.as_integer().is_none_or(|seconds| seconds < 0) && !node.is_placeholder() {
        let problem = reader.wrong_kind(node, "`timeout`", "a number of seconds");
        problem.help("write a whole number, `60` for example");
    }
}

/// Checks the host on which an operation runs; the entity that has the operation determines the allowed hosts (1.3,
/// 3.6.15).
fn check_operation_host(implementation: &Implementation, context: &mut Context<'_>, id: Id<Implementation>) {
    let Some(node) = implementation.operation_host.and_then(|Text(host)| context.node(host)) else { return };
    let allowed: &[&str] = match ValueContext::of(id.any()).here(context) {
        PathContext::Node(_) => &["SELF", "HOST", "ORCHESTRATOR"],
        PathContext::Relationship(_) => &["SOURCE", "TARGET", "ORCHESTRATOR"],
        PathContext::Capability(_) | PathContext::Unknown | PathContext::Nowhere => {
            &["SELF", "HOST", "SOURCE", "TARGET", "ORCHESTRATOR"]
        }
    };
    check_host(context, node, allowed);
}

/// Reports an operation host that is not allowed.
pub(in crate::check) fn check_host(context: &mut Context<'_>, node: Node<'_>, allowed: &[&str]) {
    if !allowed.contains(&node.text()) && !node.is_placeholder() {
        let help = context.did_you_mean(node.text(), allowed, "write one of");
        let message = format!("an operation can't run on `{}` here", node.text());
        context.problem(&rules::INVALID_WORD, Some(node.span()), message).help_if(help);
    }
}
