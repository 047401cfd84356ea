//! Files (2.0, chapter 6).

use super::types::default_size::check_large;
use super::types::infinite::check_endless;
use crate::ard::{Entry, Kind, Node};
use crate::entity::{Checked, Checks, Described, Id, LocalId, Quirk, Role};
use crate::grammar::File;
use crate::grammar::Metadata;
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::phase::read::Reader;
use crate::rules;
use crate::value::Version;

impl Checked for File {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_file).after_inheritance(check_types);
}

/// Runs the checks that concern all types of a file.
fn check_types(file: &File, context: &mut Context<'_>, id: Id<File>) {
    let is_implicit = context.program.unit(id.unit).is_none_or(|unit| unit.implicit.is_some());
    if !is_implicit {
        let types: Vec<_> = file.data_types.iter().map(|(_, id)| id).collect();
        check_endless(context, &types);
        check_large(context, &types);
    }
}

fn check_file(file: &File, reader: &mut Reader<'_>, id: LocalId) {
    let imports = reader.header(id).and_then(|header| reader.document().node(header.node).find("imports"));
    let is_wrong = |node: Node<'_>| match node.kind() {
        Kind::List => false,
        Kind::Null => node.is_placeholder() || !reader.has(Quirk::NULL_SECTIONS),
        _ => true,
    };
    if imports.is_some_and(|imports| is_wrong(imports.value)) {
        // The problem has been reported, and the names that the import would provide are unknown.
        reader.mark_imports_missing();
    }
    if reader.version() < V2_0 {
        check_parents(file, reader);
        return check_metadata(file.metadata, reader);
    }
    check_names(file.metadata, reader);
}

/// Reports types without a parent. Before 2.0, each kind of type has a normative root, and a type that is not derived
/// from it can't be used where a normative type is expected (decision B 22). Data types are the exception: data types
/// in the examples in the standard have no parent either.
fn check_parents(file: &File, reader: &mut Reader<'_>) {
    for (section, root) in ROOTS {
        check_parents_of(file, section, root, reader);
    }
}

/// The sections of types, each with the normative root of its types.
const ROOTS: [(&str, &str); 7] = [
    ("artifact_types", "tosca.artifacts.Root"),
    ("capability_types", "tosca.capabilities.Root"),
    ("interface_types", "tosca.interfaces.Root"),
    ("relationship_types", "tosca.relationships.Root"),
    ("node_types", "tosca.nodes.Root"),
    ("group_types", "tosca.groups.Root"),
    ("policy_types", "tosca.policies.Root"),
];

fn check_parents_of(file: &File, section: &str, root: &str, reader: &mut Reader<'_>) {
    let document = reader.document();
    let Some((index, field)) = file.description().field(section) else { return };
    let mut types = Vec::new();
    file.field(index).visit_children(&mut |id| types.push(id.local()));
    let is_orphan = |id: &LocalId| {
        let Some((header, of_type)) = reader.header(*id).zip(reader.any_entity(*id)) else { return false };
        let parent = of_type.description().find(|field| field.role == Role::Parent);
        // An unreadable parent has been reported; the normative types themselves include the roots.
        let is_given = parent.is_some_and(|(index, _)| of_type.field(index).is_set())
            || document.node(header.node).find("derived_from").is_some()
            || reader.is_incomplete(header.node);
        !is_given && !reader.interner().text(header.name).starts_with("tosca.")
    };
    let orphans: Vec<LocalId> = types.into_iter().filter(is_orphan).collect();
    let Some(first) = orphans.first().filter(|_| document.is_complete()) else { return };
    let Some(header) = reader.header(*first) else { return };
    let key = document.node(header.key);
    // Authors who omit parents usually omit all of them, so one problem is enough.
    let others = match orphans.len() {
        1 => " has".to_owned(),
        2 => " and another one have".to_owned(),
        all => format!(" and {} others have", all - 1),
    };
    let title = field.shape.entity().map_or("type", |entity| entity.title);
    let message = format!("{title} `{}`{others} no parent", reader.interner().text(header.name));
    reader.problem(&rules::NO_PARENT, key, message).help(format!("add `derived_from: {root}`"));
}

/// Checks the template name and author name in metadata. Values of metadata may be of any type, but an integer or a
/// boolean is not a name (2.0, 17.3; decision A 4).
fn check_names(metadata: Metadata, reader: &mut Reader<'_>) {
    let Some(position) = metadata.position else { return };
    let map = reader.document().node(position.node);
    for name in ["template_name", "template_author"] {
        let is_slip = |entry: &Entry<'_>| matches!(entry.value.kind(), Kind::Integer | Kind::Boolean);
        if let Some(entry) = map.find(name).filter(is_slip) {
            reader.wrong_kind(entry.value, &format!("`{name}`"), "a string");
        }
    }
}

/// Checks the entries of metadata that have a defined meaning before 2.0 (1.0, 3.9.3). Values that are neither strings
/// nor numbers have been reported.
fn check_metadata(metadata: Metadata, reader: &mut Reader<'_>) {
    let Some(position) = metadata.position else { return };
    let map = reader.document().node(position.node);
    for name in ["template_name", "template_author"] {
        let is_number = |entry: &Entry<'_>| matches!(entry.value.kind(), Kind::Float | Kind::Integer);
        if let Some(entry) = map.find(name).filter(is_number) {
            reader.wrong_kind(entry.value, &format!("`{name}`"), "a string");
        }
    }
    if let Some(Entry { value, .. }) = map.find("template_version") {
        let is_text = matches!(value.kind(), Kind::String | Kind::Float | Kind::Integer);
        if is_text && Version::parse(value.text()).is_none() {
            let message = format!("`{}` is not a version", value.text());
            reader.problem(&rules::INVALID_VERSION, value, message).help("write `1.0` or `2.1.0.beta-3`, for example");
        }
    }
}
