//! Migration of files to a later version of TOSCA.
//!
//! A valid program is traversed entity by entity, and every difference from the later version becomes an edit of the
//! text. Changes of keynames follow from the descriptions of entities; the conversion of values and types is defined
//! here. Everything else (comments, order, quotes) stays unchanged. Features without a counterpart in the later version
//! are kept as metadata if possible and reported. Any other problem in the later version is found by validating the
//! resulting text.

mod clause;
mod keyname;
mod patch;
mod value;

use foldhash::HashSet;
use rustc_hash::FxHashSet;

use crate::ard::{Document, Kind as NodeKind, Node, NodeId};
use crate::diagnostic::{Diagnostic, Edit, Safety, Span};
use crate::entity::{AnyId, Described, Entity, Kind, LanguageVersion, Members, Value, field_of};
use crate::grammar::definition::{
    NotificationDefinition, OperationDefinition, ParameterDefinition, PropertyDefinition,
};
use crate::grammar::template::SubstitutionMapping;
use crate::grammar::version::{V1_2, V2_0};
use crate::normative;
use crate::phase::inheritance::Complete;
use crate::phase::migration::migrated;
use crate::phase::namespace::ReferenceResolver as _;
use crate::phase::{Context, Program, Unit};
use crate::rules;
use patch::Patch;

pub use crate::phase::migration::Migration;

/// The import name of the profile with the types of 1.x for 2.0.
pub const PROFILE: &str = "org.oasis-open.tosca.simple:2.0";

/// The prefix of the profile's types if other types have the same names.
const PREFIX: &str = "tosca";

/// Returns whether a program has types with the same names as other types in the 2.0 profile for the types of 1.x.
pub fn clashes(program: &Program<Complete>) -> bool {
    let (mut known, mut own) = (HashSet::default(), HashSet::default());
    let language = program.language().map(|language| language.name);
    for unit in program.list.iter().filter(|unit| Some(unit.language.name) == language) {
        for id in unit.types() {
            let name = program.name(id);
            if unit.implicit.is_none() {
                own.insert((id.kind, name.to_owned()));
            } else if let Some(name) = normative::counterpart(name) {
                known.insert((id.kind, name.to_owned()));
            }
        }
    }
    !own.is_disjoint(&known)
}

/// Migrates programs. Types of the profile get a prefix in all of them if a program has other types with the same names.
pub(crate) fn migrate_all(programs: &[&Program<Complete>], to: LanguageVersion) -> Vec<Migration> {
    let with_prefix = programs.iter().any(|program| clashes(program));
    programs.iter().map(|program| migrate(program, to, with_prefix)).collect()
}

/// Migrates all files of a program that are written in an earlier version. Types of the profile get a prefix if
/// requested.
pub fn migrate(program: &Program<Complete>, to: LanguageVersion, with_prefix: bool) -> Migration {
    let mut migration = Migration::default();
    let Some(language) = program.language() else { return migration };
    for unit in migrated(program, language, to) {
        let mut writer = Writer::new(program, unit, to, with_prefix);
        writer.write();
        let Writer { patch, problems, .. } = writer;
        migration.edits.extend(patch.finish().into_iter().map(|(start, end, text)| Edit {
            span: Span { source: unit.id, start, end },
            text,
            safety: Safety::Safe,
        }));
        migration.problems.extend(problems);
    }
    migration
}

/// The migration of a unit.
struct Writer<'p> {
    program: &'p Program<Complete>,
    context: Context<'p>,
    unit: &'p Unit,
    document: &'p Document,
    to: LanguageVersion,
    with_prefix: bool,
    /// Whether a type of the profile has been used.
    needs_profile: bool,
    patch: Patch<'p>,
    /// Keys and values that have been converted: aliases may refer to them.
    seen: FxHashSet<NodeId>,
    /// Names that no entity has.
    unknown: FxHashSet<NodeId>,
    problems: Vec<Diagnostic>,
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program<Complete>, unit: &'p Unit, to: LanguageVersion, with_prefix: bool) -> Self {
        let unknown = unit.references().filter(|(reference, ..)| program.target(*reference).is_none());
        Self {
            program,
            unknown: unknown.map(|(_, node, _, _)| node).collect(),
            context: Context::new(program, 0),
            unit,
            document: &unit.document,
            to,
            with_prefix,
            needs_profile: false,
            patch: Patch::new(&unit.document),
            seen: FxHashSet::default(),
            problems: Vec::new(),
        }
    }

    /// Returns whether the later version has function calls for conditions and requires types to be imported.
    fn is_new(&self) -> bool {
        self.to >= V2_0
    }

    fn write(&mut self) {
        let kinds = (0..self.unit.language.kinds.len()).map(|kind| Kind(kind as u8));
        let arenas = &self.unit.arenas;
        let mut all: Vec<(NodeId, usize, AnyId)> = Vec::new();
        for (local, _) in kinds.flat_map(|kind| arenas.of_kind(kind)) {
            let Some(header) = arenas.header(local) else { continue };
            let id = local.of(self.unit.id);
            all.push((header.node, self.program.owners(id).count(), id));
        }
        // Outer entities come first, so that inner ones move with them.
        all.sort_unstable();
        for (_, _, id) in all {
            self.entity(id);
        }
        if self.is_new() {
            self.references();
        }
        if self.needs_profile {
            self.import_profile();
        }
    }

    fn entity(&mut self, id: AnyId) {
        let program = self.program;
        let Some((header, entity)) = program.header(id).zip(program.raw(id)) else { return };
        let node = self.document.node(header.node);
        let description = entity.description();
        let key = self.document.node(header.key);
        let named = normative::member_name(id.kind, self.unit.version, key.text());
        if let Some(name) = named.filter(|_| self.seen.insert(key.id())) {
            self.patch.rename(key, name);
        }
        if let Some(Value(value)) = short(entity, header.node) {
            let value = self.document.node(value.node);
            // In the short form of 2.0, the value would be fixed.
            let is_default = id.kind == PropertyDefinition::KIND;
            if self.is_new() && is_default && !Patch::is_block(value) {
                self.patch.insert(value.span().start, "{ default: ");
                self.value(value, id);
                self.patch.insert(value.span().end, " }");
            } else if self.is_new() && value.kind() == NodeKind::List && is_output(program, id) {
                self.mapping(value, id);
            } else if self.is_new() {
                self.value(value, id);
            }
        } else if node.kind() == NodeKind::Map && !is_mapped(program, id) {
            self.keynames(id, description, node);
        }
        let is_empty = node.kind() == NodeKind::Null && node.text().is_empty() && !node.is_alias();
        if is_empty && self.is_new() && self.seen.insert(node.id()) {
            self.patch.insert(node.span().start, " {}");
        }
        self.additions(id, node);
    }

    /// Converts names of normative types to the names in the profile.
    fn references(&mut self) {
        let program = self.program;
        for (reference, node, _, _) in self.unit.references() {
            let Some(target) = program.target(reference) else { continue };
            let node = self.document.node(node);
            if let Some(name) = self.counterpart(target) {
                self.patch.rename(node, &name);
                self.needs_profile = true;
            } else if program.unit(target.unit).is_some_and(|unit| unit.implicit.is_some()) {
                // Built-in types have no other names.
                self.patch.rename(node, if program.name(target) == "null" { "nil" } else { program.name(target) });
            }
        }
    }

    /// Returns the name of a normative type in 2.0, if the name is different.
    fn counterpart(&self, id: AnyId) -> Option<String> {
        self.program.unit(id.unit).filter(|unit| unit.implicit.is_some())?;
        let name = match self.program.name(id) {
            // The type with this name in 1.2 has no properties.
            "tosca.capabilities.Container" if self.unit.version < V1_2 => "tosca.capabilities.Compute",
            name => name,
        };
        let name = normative::counterpart(name)?;
        Some(if self.with_prefix { format!("{PREFIX}:{name}") } else { name.to_owned() })
    }

    fn import_profile(&mut self) {
        let Some(root) = self.document.root().filter(|root| root.kind() == NodeKind::Map) else { return };
        let profile = format!("profile: {PROFILE}");
        let namespace = format!("namespace: {PREFIX}");
        let item: Vec<&str> = if self.with_prefix { vec![&profile, &namespace] } else { vec![&profile] };
        if let Some(imports) = root.find("imports") {
            if imports.value.kind() == NodeKind::List {
                self.patch.add_item(imports.value, &item);
            }
            return;
        }
        let is_section = |key: Node<'_>| key.text().ends_with("_types") || key.text() == "topology_template";
        let Some(section) = root.entries().find(|entry| is_section(entry.key)) else { return };
        if Patch::is_block(root) {
            self.patch.add_section(section.key, &format!("imports:\n  - {}", item.join("\n    ")));
        } else {
            self.patch.insert(section.key.span().start, format!("\"imports\": [ {{ {} }} ], ", item.join(", ")));
        }
    }

    /// Reports a change of meaning.
    fn left(&mut self, span: Span, message: String, help: &str) {
        self.problems.push(Diagnostic::new(&rules::NO_COUNTERPART, span, message).with_help(help));
    }

    fn title(&self) -> &'static str {
        self.unit.language.version_title(self.to)
    }
}

/// Returns whether an entity is the target of a substitution mapping, which is converted with the mapping as a whole.
fn is_mapped(program: &Program<Complete>, id: AnyId) -> bool {
    program.owners(id).any(|owner| owner.cast::<SubstitutionMapping>().is_some())
}

/// Returns whether an entity is an output of an operation or notification, which is stored in an attribute.
fn is_output(program: &Program<Complete>, id: AnyId) -> bool {
    fn outputs<E: Entity>(
        program: &Program<Complete>,
        owner: AnyId,
        of: fn(&E) -> &Members<ParameterDefinition>,
    ) -> Option<&Members<ParameterDefinition>> {
        program.raw_as(owner.cast::<E>()?).map(of)
    }
    let found = program.owners(id).next().and_then(|owner| {
        outputs(program, owner, |of: &OperationDefinition| &of.outputs)
            .or_else(|| outputs(program, owner, |of: &NotificationDefinition| &of.outputs))
    });
    found.is_some_and(|outputs| outputs.iter().any(|(_, output)| output.any() == id))
}

/// Returns the value of the short form of an entity, in versions before 2.0.
fn short(entity: &dyn Described, node: NodeId) -> Option<Value> {
    let values =
        ["value", "default", "constraint"].into_iter().filter_map(|ident| field_of::<Option<Value>>(entity, ident));
    values.filter_map(|value| *value).find(|Value(value)| value.node == node)
}
