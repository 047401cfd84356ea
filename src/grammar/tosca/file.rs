//! Files and what they start with: repositories and imports (2.0, chapter 6).

use super::data::{Judge, Place, Schema};
use super::definition::FunctionDefinition;
use super::scalar::Metadata;
use super::section::{
    ARTIFACT_TYPES, CAPABILITY_TYPES, DATA_TYPES, FUNCTIONS, GROUP_TYPES, INTERFACE_TYPES, NODE_TYPES, POLICY_TYPES,
    RELATIONSHIP_TYPES, REPOSITORIES,
};
use super::template::ServiceTemplate;
use super::types::{
    ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType,
    check_endless, check_large,
};
use super::version::{V1_2, V1_3, V2_0};
use crate::Entity;
use crate::ard::{Entry, Kind, Node};
use crate::diagnostic::suggest::nearest;
use crate::entity::{
    AnyId, Child, Children, Described, Field, FieldDescription, Form, Header, Id, Local, Members, Quirk, Reference,
    Role, Shape, Shaped, Text, Value, downcast,
};
use crate::phase::Context;
use crate::phase::read::{ImportRequest, Reader};
use crate::rules;
use crate::source::ImportTarget;
use crate::value::Version;

/// A source in the language: type definitions, a service template, or both.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "TOSCA file", spec = "6.1", after_read = check_file, after_inheritance = check_types)]
pub struct File {
    /// The version of TOSCA that the file is written in; must be the first keyname.
    pub tosca_definitions_version: Option<Value>,
    /// What the file is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    pub metadata: Metadata,
    /// Scratch space for YAML anchors.
    pub dsl_definitions: DslDefinitions,
    /// Places from which files and artifacts are fetched.
    #[field(early, section = REPOSITORIES)]
    pub repositories: Members<Repository>,
    /// The name under which other files can import this one.
    #[field(keyname("namespace", since = V1_2, until = V1_3), keyname("profile", since = V2_0))]
    pub profile: Option<Text>,
    /// The files and profiles whose names this file uses.
    #[field(early)]
    pub imports: Children<Import>,
    /// The artifact types that the file defines.
    #[field(section = ARTIFACT_TYPES)]
    pub artifact_types: Members<ArtifactType>,
    /// The data types that the file defines.
    #[field(section = DATA_TYPES)]
    pub data_types: Members<DataType>,
    /// The capability types that the file defines.
    #[field(section = CAPABILITY_TYPES)]
    pub capability_types: Members<CapabilityType>,
    /// The interface types that the file defines.
    #[field(section = INTERFACE_TYPES)]
    pub interface_types: Members<InterfaceType>,
    /// The relationship types that the file defines.
    #[field(section = RELATIONSHIP_TYPES)]
    pub relationship_types: Members<RelationshipType>,
    /// The node types that the file defines.
    #[field(section = NODE_TYPES)]
    pub node_types: Members<NodeType>,
    /// The group types that the file defines.
    #[field(section = GROUP_TYPES)]
    pub group_types: Members<GroupType>,
    /// The policy types that the file defines.
    #[field(section = POLICY_TYPES)]
    pub policy_types: Members<PolicyType>,
    /// The functions that the file defines.
    #[field(section = FUNCTIONS, since = V2_0)]
    pub functions: Members<FunctionDefinition>,
    /// The service.
    #[field(keyname("topology_template", until = V1_3), keyname("service_template", since = V2_0))]
    pub service_template: Child<ServiceTemplate>,
}

/// What concerns the types of a file together.
fn check_types(file: &File, context: &mut Context<'_>, id: Id<File>) {
    let is_implicit = context.program.unit(id.unit).is_none_or(|unit| unit.implicit.is_some());
    if !is_implicit {
        let types: Vec<_> = file.data_types.iter().map(|(_, id)| id).collect();
        check_endless(context, &types);
        check_large(context, &types);
    }
}

fn check_file(file: &File, reader: &mut Reader<'_>, id: Local) {
    let imports = reader.header(id).and_then(|header| reader.document().node(header.node).find("imports"));
    let is_wrong = |node: Node<'_>| match node.kind() {
        Kind::List => false,
        Kind::Null => node.is_substitute() || !reader.has(Quirk::NULL_SECTIONS),
        _ => true,
    };
    if imports.is_some_and(|imports| is_wrong(imports.value)) {
        // That has been reported; nobody knows what would have been imported.
        reader.lose_imports();
    }
    if reader.version() < V2_0 {
        check_parents(file, reader);
        return check_metadata(file.metadata, reader);
    }
    check_names(file.metadata, reader);
    if !file.service_template.is_set() {
        return;
    }
    let Some(Text(profile)) = file.profile else { return };
    let profile = reader.document().node(profile.node);
    let service = reader.header(id).and_then(|header| reader.document().node(header.node).find("service_template"));
    let problem =
        reader.problem(&rules::PROFILE_WITH_SERVICE, profile, "a file with a profile must not have a service template");
    let problem = problem.help("move the types into a file of their own, and import it here");
    if let Some(service) = service {
        problem.related(service.key.span(), "the service template is here");
    }
}

/// Before 2.0 there is a normative type at the root of each kind, and what is not derived from it can't be used where a
/// normative type is wanted (decision B 22). Data types are derived from nothing in the examples of the text, too.
fn check_parents(file: &File, reader: &mut Reader<'_>) {
    for (section, root) in ROOTS {
        check_parents_of(file, section, root, reader);
    }
}

/// The sections of types, each with the normative type from which all others are derived.
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
    let is_orphan = |id: &Local| {
        let Some((header, of_type)) = reader.header(*id).zip(reader.any_entity(*id)) else { return false };
        let parent = of_type.description().find(|field| field.role == Role::Parent);
        // A parent that could not be read has been reported; the normative types themselves end somewhere.
        let is_given = parent.is_some_and(|(index, _)| of_type.field(index).is_set())
            || document.node(header.node).find("derived_from").is_some();
        !is_given && !reader.interner().text(header.name).starts_with("tosca.")
    };
    let orphans: Vec<Local> = types.into_iter().filter(is_orphan).collect();
    let Some(first) = orphans.first().filter(|_| document.is_complete()) else { return };
    let Some(header) = reader.header(*first) else { return };
    let key = document.node(header.key);
    // Whoever leaves parents out does so everywhere, and need not be told of each.
    let others = match orphans.len() {
        1 => String::new(),
        2 => ", as is another one".to_owned(),
        all => format!(", as are {} others", all - 1),
    };
    let title = field.shape.entity().map_or("type", |entity| entity.title);
    let message = format!("{title} `{}` is derived from nothing{others}", reader.interner().text(header.name));
    reader.problem(&rules::NO_PARENT, key, message).help(format!("add `derived_from: {root}`"));
}

/// The values of metadata may be of any type, but a name of the template or of its author that is a bare number without
/// a fraction, or a boolean, is a slip: neither is a name (2.0, 17.3; decision A 4).
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

/// Before 2.0, some names in the metadata of a file have a meaning (1.0, 3.9.3). What is neither text nor a number has been
/// reported.
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
            reader.problem(&rules::INVALID_VERSION, value, message).help("write for example `1.0` or `2.1.0.beta-3`");
        }
    }
}

/// The keyname `dsl_definitions`: data that is only there to be referred to by YAML aliases (2.0, 6.3).
#[derive(Clone, Copy, Debug, Default)]
pub struct DslDefinitions {
    given: bool,
}

impl Shaped for DslDefinitions {
    const SHAPE: Shape = Shape::Values;
    // Scratch space is anything before 2.0.
    const ALSO: Option<Form> = Some(Form::Any);
    const NULLABLE: bool = true;
}

impl Field for DslDefinitions {
    fn is_set(&self) -> bool {
        self.given
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, _: &'static FieldDescription) {
        self.given = true;
        if reader.version() < V2_0 {
            // Scratch space is anything.
            return;
        }
        if node.kind() != Kind::Map {
            reader.wrong_kind(node, "`dsl_definitions`", "a map");
            return;
        }
        for entry in node.entries() {
            reader.name(entry.key);
            // An entry that is neither structured nor anchored can't be meant for anything. Decision A 42.
            let is_structured = matches!(entry.value.kind(), Kind::Map | Kind::List);
            if !is_structured && !entry.value.has_anchor() && !entry.value.is_substitute() {
                let message = format!("`{}` is neither a map, nor a list, nor has it an anchor", entry.key.text());
                reader
                    .problem(&rules::POINTLESS_DSL_DEFINITION, entry.key, message)
                    .help(format!("give it an anchor: `{}: &name …`", entry.key.text()));
            }
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            *self = *other;
        }
    }
}

/// A place from which files and artifacts are fetched.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "repository", spec = "6.5", after_read = check_repository, after_inheritance = check_credential)]
pub struct Repository {
    /// The address of the repository.
    #[field(mandatory, short(scalar))]
    pub url: Option<Text>,
    /// What is in the repository.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What the repository asks of those who fetch from it.
    #[field(until = V1_3, tolerated)]
    pub credential: Option<Value>,
}

/// Before 2.0, a credential is a value of a normative data type (1.0, 3.5.5).
fn check_credential(repository: &Repository, context: &mut Context<'_>, id: Id<Repository>) {
    let id = id.any();
    let Some(Value(credential)) = repository.credential.filter(|_| context.version(id) < V2_0) else { return };
    // An empty one says nothing, as the committee's first implementations took it.
    let node = context.node(credential).filter(|node| node.kind() == Kind::Map && !node.is_empty());
    let Some(node) = node else { return };
    let name = context.intern("tosca.datatypes.Credential");
    let data_type = context.resolve(id, DATA_TYPES, name).id().and_then(AnyId::cast::<DataType>);
    Judge::new(context, Place::of(id)).check(node, &Schema::of_type(data_type));
}

fn check_repository(repository: &Repository, reader: &mut Reader<'_>, _: Local) {
    if let Some(Value(credential)) = repository.credential {
        let node = reader.document().node(credential.node);
        if node.kind() != Kind::Map {
            let problem = reader.wrong_kind(node, "`credential`", "a map");
            problem.help("write for example `credential: { token: secret }`");
        }
    }
    let Some(Text(url)) = repository.url else { return };
    let node = reader.document().node(url.node);
    // A repository may be given relative to the file, so anything will do as the base.
    let base = url::Url::parse("file:///");
    let reason = match base.and_then(|base| base.join(node.text())) {
        Err(reason) => Some(reason.to_string()),
        Ok(_) if node.text().trim().contains(char::is_whitespace) && reader.version() >= V2_0 => {
            Some("it has blanks in it".to_owned())
        }
        Ok(_) => None,
    };
    if let Some(reason) = reason {
        let message = format!("`{}` is not an address: {reason}", node.text());
        reader
            .problem(&rules::INVALID_URL, node, message)
            .help("write a URL such as `https://example.com/files/`, or a path that is relative to this file");
    }
}

/// An import of a file or a profile.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "import", spec = "6.8.1", import = request)]
pub struct Import {
    /// The address of the file; relative to this file, or to the repository.
    #[field(keyname("file", until = V1_3), keyname("url", since = V2_0), short(scalar))]
    pub url: Option<Text>,
    /// The import itself, if it has a name: `- name: file` (decision B 5).
    #[field(keyname("*", until = V1_3))]
    pub named: NamedImport,
    /// The name of the profile.
    #[field(since = V2_0)]
    pub profile: Option<Text>,
    /// The repository in which the file is. It must be one of this file: what an import brings can't say where to find
    /// the import.
    #[field(lookup(REPOSITORIES, optional))]
    pub repository: Option<Reference<Repository>>,
    /// The prefix that the imported names get here.
    #[field(keyname("namespace_prefix", until = V1_3), keyname("namespace", since = V2_0))]
    pub namespace: Option<Text>,
    /// The name of the imported names' own name space.
    #[field(until = V1_3)]
    pub namespace_uri: Option<Text>,
    /// What the import is for.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
}

/// An import below a name that has no meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedImport(Option<Id<Import>>);

impl Shaped for NamedImport {
    const SHAPE: Shape = Shape::One(|| Import::default().description());
}

impl Field for NamedImport {
    fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn read(&mut self, _: &mut Reader<'_>, _: Node<'_>, _: &'static FieldDescription) {}

    fn read_entry(
        &mut self,
        reader: &mut Reader<'_>,
        key: Node<'_>,
        value: Node<'_>,
        field: &'static FieldDescription,
    ) {
        let keynames = ["file", "repository", "namespace_prefix", "namespace_uri"];
        if let Some(near) = nearest(key.text(), keynames) {
            reader
                .problem(&rules::UNKNOWN_KEYNAME, key, format!("`{}` is not a keyname of an import", key.text()))
                .help(format!("did you mean `{near}`?"));
            return;
        }
        if self.0.is_some() {
            reader
                .problem(&rules::NOT_ONE_ENTRY, key, "an import with a name can't have a second one")
                .help("put a dash before each import");
            return;
        }
        let Some(name) = reader.name(key) else { return };
        self.0 = Some(reader.entity(Some((name, key)), value, field.members_short));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            *self = *other;
        }
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.0.iter().for_each(|id| visit(id.any()));
    }
}

/// What to import (2.0, 6.8.2): either a file or a profile.
fn request(import: &Import, reader: &mut Reader<'_>, id: Local) -> Option<ImportRequest> {
    if import.named.is_set() && import.url.is_none() {
        // What is below the name is an import of its own, and has been requested.
        return None;
    }
    let document = reader.document();
    let node = document.node(reader.header(id)?.node);
    let named = import.url.or(import.profile).map_or(node, |Text(position)| document.node(position.node));
    let target = target(import, reader, (document.node(reader.header(id)?.key), node));
    let namespace = import.namespace.map(|Text(position)| document.node(position.node));
    if let Some(empty) = namespace.filter(|namespace| namespace.kind() == Kind::String && namespace.text().is_empty()) {
        reader
            .problem(&rules::INVALID_NAME, empty, "a namespace must not be empty")
            .help("give it a name, or leave it out");
    }
    let prefix = namespace.map(|namespace| reader.interner().intern(namespace.text()));
    if target.is_none() && prefix.is_none() {
        reader.lose_imports();
    }
    Some(ImportRequest { entity: id, node: named.id(), target, prefix, is_reference: false })
}

fn target(import: &Import, reader: &mut Reader<'_>, (key, node): (Node<'_>, Node<'_>)) -> Option<ImportTarget> {
    let document = reader.document();
    let text = |Text(position): Text| document.node(position.node).text().to_owned();
    match (import.url, import.profile) {
        (Some(url), None) => {
            let repository = match import.repository {
                Some(reference) => {
                    let of_name = |(header, repository): (Header, &Repository)| {
                        (header.name == reference.name).then_some(repository.url)
                    };
                    let Some(url) = reader.entities().find_map(of_name) else {
                        unknown_repository(reader, node, reference);
                        return None;
                    };
                    Some(text(url?))
                }
                None => None,
            };
            Some(ImportTarget::Url { url: text(url), repository })
        }
        (None, Some(profile)) => {
            if let Some(entry) = node.find("repository") {
                reader
                    .problem(
                        &rules::URL_XOR_PROFILE,
                        entry.key,
                        "a profile is found by its name, it can't be in a repository",
                    )
                    .help("leave `repository` out, or import the file by its `url`");
            }
            Some(ImportTarget::Profile(text(profile)))
        }
        (Some(_), Some(Text(profile))) => {
            let profile = document.node(profile.node);
            let problem = reader.problem(
                &rules::URL_XOR_PROFILE,
                profile,
                "an import has either a `url` or a `profile`, not both",
            );
            let problem = problem.help("remove one of them, or make two imports");
            if let Some(url) = node.find("url") {
                problem.related_node(url.value.id(), "the `url` is here");
            }
            None
        }
        (None, None) => {
            let is_read = matches!(node.kind(), Kind::Map | Kind::Null) && !node.is_substitute();
            if reader.version() < V2_0 && is_read && node.find("file").is_none() {
                reader
                    .problem(&rules::MISSING_KEYNAME, key, "the import lacks the mandatory keyname `file`")
                    .help("add `file: …`");
            }
            let was_given = ["url", "file", "profile"].iter().any(|keyname| node.find(keyname).is_some());
            if reader.version() >= V2_0 && node.kind() == Kind::Map && !was_given {
                reader
                    .problem(&rules::URL_XOR_PROFILE, node, "an import needs a `url` or a `profile`")
                    .help("add `url: …` with the address of a file, or `profile: …` with the name of a profile");
            }
            None
        }
    }
}

fn unknown_repository(reader: &mut Reader<'_>, import: Node<'_>, reference: Reference<Repository>) {
    let Some(entry) = import.find("repository") else { return };
    let interner = reader.interner();
    let names = reader.entities::<Repository>().map(|(header, _)| interner.text(header.name));
    let help = match reader.suggestions().nearest(interner.text(reference.name), names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "an import can only use a repository that the same file declares".to_owned(),
    };
    let message = format!("there is no repository `{}`", interner.text(reference.name));
    reader.problem(&rules::UNKNOWN_NAME, entry.value, message).help(help);
}
