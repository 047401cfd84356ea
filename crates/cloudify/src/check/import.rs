//! Imports.

use foldhash::HashSet;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Help;
use tosca_parse::entity::{Checked, Checks, LocalId};
use tosca_parse::phase::Context;
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::rules::{DUPLICATE_NAME, INVALID_IMPORT, UNDECLARED, UNKNOWN_VERSION, WRONG_KIND};
use tosca_parse::source::ImportTarget;

use super::value::{Subject, check, type_of};
use super::{entities, kind, report};
use crate::finder::{BLUEPRINT, PLUGIN, STANDARD_TYPES};
use crate::function::call;
use crate::grammar::{Blueprint, Import};
use crate::rules::{EMPTY_NAMESPACE, NAMESPACE_NOT_ALLOWED, NEWER_IMPORT};
use crate::version::{declared, of_word};

/// The separator between the namespace and the location in an import.
const SEPARATOR: &str = "--";

/// The location of an import.
struct ImportLocation<'n> {
    /// The node of the location.
    node: Node<'n>,
    /// The namespace, which may be empty.
    namespace: Option<&'n str>,
    location: &'n str,
}

/// Returns the location of an import, given its node.
fn location(import: Node<'_>) -> ImportLocation<'_> {
    let node = import.entries().next().map_or(import, |entry| entry.key);
    let (namespace, location) = match node.text().rsplit_once(SEPARATOR) {
        Some((namespace, location)) => (Some(namespace), location),
        None => (None, node.text()),
    };
    ImportLocation { node, namespace, location }
}

impl Checked for Import {
    const CHECKS: Checks<Self> = Checks::NEW.import(request).after_read(import);
}

fn request(_: &Import, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    let node = reader.document().node(reader.header(id)?.node);
    let ImportLocation { node, namespace, location } = location(node);
    let is_found = location == STANDARD_TYPES || [PLUGIN, BLUEPRINT].iter().any(|scheme| location.starts_with(scheme));
    let target = if is_found {
        ImportTarget::Profile(location.to_owned())
    } else {
        ImportTarget::Url { url: location.to_owned(), repository: None }
    };
    let namespace = namespace.filter(|namespace| !namespace.is_empty());
    let prefix = namespace.map(|namespace| reader.interner().intern(namespace));
    let is_import = node.kind() == Kind::String && !location.is_empty();
    let target = Some(target);
    is_import.then_some(ImportRequest { entity: id, node: node.id(), target, prefix, is_reference: false })
}

fn import(_: &Import, reader: &mut Reader<'_>, id: LocalId) {
    let Some(header) = reader.header(id) else { return };
    let import = reader.document().node(header.node);
    if import.kind() == Kind::Map && import.len() != 1 {
        let help = "write a list item for each import";
        reader.not_one_entry(import, "an import with values for a plugin", help);
        return;
    }
    let ImportLocation { node, namespace, location } = location(import);
    match namespace {
        Some("") => {
            let message = "the namespace of the import is empty";
            reader.problem(&EMPTY_NAMESPACE, node, message).help(Help::write(location));
        }
        Some(namespace) if namespace.contains(SEPARATOR) => {
            let message = format!("the namespace `{namespace}` contains `{SEPARATOR}`");
            reader.problem(&INVALID_IMPORT, node, message).help("use a namespace without `--`");
        }
        None if location.starts_with(BLUEPRINT) => {
            let message = "the import of a blueprint needs a namespace";
            reader.problem(&INVALID_IMPORT, node, message).help(format!("write `NAME{SEPARATOR}{location}`"));
        }
        Some(namespace) if location == STANDARD_TYPES => {
            let message = format!("the standard types can't be imported with the namespace `{namespace}`");
            reader.problem(&NAMESPACE_NOT_ALLOWED, node, message).help(Help::write(location));
        }
        _ => {}
    }
    if node.kind() == Kind::String && location.is_empty() {
        reader.problem(&INVALID_IMPORT, node, "the import has no location").help("write the path of a file");
    }
}

/// Reports imports that occur twice in a list, and blueprints with the same namespace.
pub(super) fn list(blueprint: Node<'_>, reader: &mut Reader<'_>) {
    let Some(imports) = blueprint.find("imports").filter(|imports| imports.value.kind() == Kind::List) else { return };
    let (mut met, mut namespaces) = (HashSet::default(), HashSet::default());
    for import in imports.value.items().filter(|import| matches!(import.kind(), Kind::String | Kind::Map)) {
        let ImportLocation { node, namespace, location } = location(import);
        if !met.insert(node.text()) {
            let message = format!("`{}` is imported twice", node.text());
            reader.problem(&DUPLICATE_NAME, node, message).help("remove one of the imports");
        } else if let Some(namespace) = namespace.filter(|_| location.starts_with(BLUEPRINT))
            && !namespaces.insert(namespace)
        {
            let message = format!("two blueprints are imported with the namespace `{namespace}`");
            reader
                .problem(&NAMESPACE_NOT_ALLOWED, node, message)
                .help("use a different namespace for one of the blueprints");
        }
    }
}

/// Compares imports with the imported units.
pub(super) fn targets(context: &mut Context<'_>) {
    let program = context.program;
    for (unit, links) in program.list.iter().zip(&program.links) {
        for link in links {
            let Some(request) = unit.imports.get(link.import) else { continue };
            let node = unit.document.node(request.node);
            let imported = &program.list[link.unit];
            if !std::ptr::eq(imported.language, unit.language) {
                let message = "the imported file is written in a different language";
                report(context, &INVALID_IMPORT, node, message, "import a file in the Cloudify DSL");
                continue;
            }
            version(context, node, link.unit);
            let import = unit.arenas.header(request.entity).map(|header| unit.document.node(header.node));
            if let Some(values) = import.and_then(|import| import.entries().next()).map(|entry| entry.value) {
                configuration(context, values, link.unit);
            }
        }
    }
}

/// Compares the version that an imported file declares with that of the blueprint.
fn version(context: &mut Context<'_>, node: Node<'_>, imported: usize) {
    let program = context.program;
    let (entry, imported) = (&program.list[0], &program.list[imported]);
    let Some(word) = declared(&imported.document).filter(|word| word.kind() == Kind::String) else { return };
    let latest = declared(&entry.document).and_then(|word| of_word(word.text()));
    match of_word(word.text()) {
        None => {
            let message = format!("the imported file has the unknown version `{}`", word.text());
            report(context, &UNKNOWN_VERSION, node, message, "correct or remove the version in the file");
        }
        Some(version) if latest.is_some_and(|latest| version > latest) => {
            let message =
                format!("the imported file has version `{}`, which is later than that of the blueprint", word.text());
            report(context, &NEWER_IMPORT, node, message, format!("write `{}` in the blueprint as well", word.text()));
        }
        Some(_) => {}
    }
}

/// Checks the values that an import gives to the properties of a plugin.
fn configuration(context: &mut Context<'_>, values: Node<'_>, imported: usize) {
    let program = context.program;
    let Some(blueprint) = program.list[imported].root.and_then(|root| super::get::<Blueprint>(context, root)) else {
        return;
    };
    let plugins = entities(context, blueprint.plugins.iter().map(|(_, id)| id));
    let properties: Vec<_> = plugins.iter().flat_map(|plugin| plugin.properties.iter()).collect();
    for entry in values.entries() {
        if entry.value.kind() == Kind::Map && call(entry.value).is_none() {
            let message = format!("the value of a plugin property can't be {}", kind(entry.value));
            report(context, &WRONG_KIND, entry.value, message, "write a scalar, a list or a function");
            continue;
        }
        if properties.is_empty() {
            continue;
        }
        let found = properties.iter().find(|(name, _)| entry.key.symbol() == Some(*name));
        let Some(property) = found.and_then(|(_, id)| context.get(*id)) else {
            let message = format!("the plugin has no property `{}`", entry.key.text());
            report(context, &UNDECLARED, entry.key, message, "remove the value, or correct the name");
            continue;
        };
        let what = format!("property `{}`", entry.key.text());
        check(context, type_of(context, property.r#type), entry.value, Subject::new(&what));
    }
}
