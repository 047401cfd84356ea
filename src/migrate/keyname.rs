//! Migration of keynames, with special rules for some of them.

use super::Writer;
use super::patch::{Patch, inline, quoted};
use crate::ard::{Entry, Kind, Node};
use crate::data::{Evaluator, PathTarget, ValueContext, modern};
use crate::entity::{
    AnyId, Entity as _, EntityDescription, Field as _, FieldDescription, FieldKey, Form, Id, Keyname, Role, Shape,
};
use crate::field_key;
use crate::grammar::definition::{
    AttributeDefinition, ParameterDefinition, PropertyDefinition, RequirementDefinition, SchemaDefinition,
};
use crate::grammar::template::{
    NodeTemplate, NotificationAssignment, OperationAssignment, OperationCall, PolicyDefinition, Precondition,
    RequirementAssignment, ServiceTemplate, SubstitutionMapping, Trigger, WorkflowDefinition, WorkflowStep,
};
use crate::grammar::types::{DataType, NodeType, RelationshipType};
use crate::grammar::{File, Import, version};
use crate::normative;
use crate::phase::namespace::ReferenceResolver as _;
use crate::position_context::field_of_key;

/// Entries of a map that are set aside, to be collected below one key.
#[derive(Default)]
struct Apart<'p> {
    /// Entries whose keynames do not exist in the later version.
    lost: Vec<Entry<'p>>,
    /// Operations that are directly in their interface rather than below `operations`.
    operations: Vec<Entry<'p>>,
}

/// An entry of an entity.
struct KeynameEntry<'s, 'p> {
    id: AnyId,
    map: Node<'p>,
    entry: Entry<'p>,
    apart: &'s mut Apart<'p>,
}

/// A function that converts an entry; it returns `false` if nothing special applies.
type Conversion = for<'p> fn(&mut Writer<'p>, &mut KeynameEntry<'_, 'p>) -> bool;

/// Wraps a conversion that always applies.
macro_rules! always {
    (|$writer:ident, $at:ident| $conversion:expr) => {{
        fn convert<'p>($writer: &mut Writer<'p>, $at: &mut KeynameEntry<'_, 'p>) -> bool {
            $conversion;
            true
        }
        convert
    }};
}

/// Keynames that are converted for every later version.
const EACH: &[(FieldKey, Conversion)] = &[
    (
        field_key!(File.tosca_definitions_version),
        always!(|it, at| it.patch.rename(at.entry.value, version::word(it.to))),
    ),
    (field_key!(Import.named), always!(|it, at| it.patch.unnest(&at.entry))),
];

/// Keynames whose values are different since 2.0.
const SINCE_2_0: &[(FieldKey, Conversion)] = &[
    (field_key!(File.profile), |it, at| it.profile(at)),
    (field_key!(DataType.derived_from), |it, at| it.root_type(at)),
    (field_key!(DataType.validation), CLAUSES),
    (field_key!(AttributeDefinition.validation), CLAUSES),
    (field_key!(ParameterDefinition.validation), CLAUSES),
    (field_key!(PropertyDefinition.validation), CLAUSES),
    (field_key!(SchemaDefinition.validation), CLAUSES),
    (field_key!(SchemaDefinition.constraints), CLAUSES),
    (field_key!(RequirementDefinition.node_filter), NODE_FILTER),
    (field_key!(NodeTemplate.node_filter), NODE_FILTER),
    (field_key!(RequirementAssignment.node_filter), NODE_FILTER),
    (field_key!(SubstitutionMapping.substitution_filter), NODE_FILTER),
    (field_key!(RelationshipType.valid_target_types), always!(|it, at| it.valid_targets(at.id, at.entry.key))),
    (field_key!(NodeTemplate.instance_count), always!(|it, at| it.patch.rename(at.entry.key, "count"))),
    (field_key!(NodeTemplate.occurrences), always!(|it, at| it.occurrences(at))),
    (field_key!(RequirementAssignment.occurrences), always!(|it, at| it.occurrences(at))),
    (field_key!(Trigger.assertions), always!(|it, at| it.trigger_condition(at.id, &at.entry))),
    (field_key!(Trigger.operation), always!(|it, at| it.trigger_action(at.entry.value))),
    (field_key!(WorkflowDefinition.preconditions), always!(|it, at| it.preconditions(&at.entry))),
    (field_key!(WorkflowStep.filter), always!(|it, at| it.step_filter(at.id, &at.entry))),
    (field_key!(OperationCall.operation), always!(|it, at| it.operation_name(at.entry.value))),
    (field_key!(OperationAssignment.outputs), OUTPUTS),
    (field_key!(NotificationAssignment.outputs), OUTPUTS),
    (field_key!(WorkflowDefinition.outputs), OUTPUTS),
    (field_key!(SubstitutionMapping.properties), always!(|it, at| it.mapped_values(at.entry.value))),
    (field_key!(SubstitutionMapping.attributes), always!(|it, at| it.mapped_attributes(at.id, at.entry.value))),
    (field_key!(SubstitutionMapping.capabilities), always!(|it, at| it.mapped(at.entry.value))),
    (field_key!(SubstitutionMapping.requirements), always!(|it, at| it.mapped_requirements(at.entry.value))),
    (field_key!(SubstitutionMapping.simple_requirements), always!(|it, at| it.mapped_requirements(at.entry.value))),
    (field_key!(SubstitutionMapping.interfaces), always!(|it, at| it.mapped_interfaces(at.entry.value))),
];

const CLAUSES: Conversion = always!(|it, at| it.constraints(at.map, &at.entry, at.id));
const NODE_FILTER: Conversion = always!(|it, at| it.node_filter(at.id, &at.entry));
const OUTPUTS: Conversion =
    always!(|it, at| at.entry.value.entries().for_each(|output| it.mapping(output.value, at.id)));

impl<'p> Writer<'p> {
    /// Converts the keynames of an entity, and their values unless these are entities.
    pub(super) fn keynames(&mut self, id: AnyId, description: &'static EntityDescription, map: Node<'p>) {
        let mut apart = Apart::default();
        for entry in map.entries() {
            let Some((field, keyname)) = field_of_key(description, self.unit.version, entry.key.text()) else {
                continue;
            };
            if self.seen.insert(entry.key.id()) {
                let mut at = KeynameEntry { id, map, entry, apart: &mut apart };
                if !self.convert(description, field, keyname, &mut at) {
                    self.rename(field, keyname, at);
                }
            }
        }
        self.put_together(map, &apart.operations);
        self.keep_as_metadata(description, map, &apart.lost);
    }

    /// Applies the special conversion of a keyname, if it has one.
    fn convert(
        &mut self,
        description: &'static EntityDescription,
        field: &'static FieldDescription,
        keyname: &'static Keyname,
        at: &mut KeynameEntry<'_, 'p>,
    ) -> bool {
        let key = FieldKey::of(description, field);
        let special = |table: &[(FieldKey, Conversion)]| table.iter().find(|row| row.0 == key).map(|row| row.1);
        if let Some(convert) = special(EACH) {
            return convert(self, at);
        }
        if keyname.name == Keyname::ANY && field.keyname(self.to) != Keyname::ANY {
            at.apart.operations.push(at.entry);
            return true;
        }
        if !self.is_new() {
            return false;
        }
        let value = at.entry.value;
        if field.role == Role::Parent && value.text() == normative::ENTITY_ROOT && self.unknown.contains(&value.id()) {
            self.patch.remove(at.map, &at.entry);
            return true;
        }
        special(SINCE_2_0).is_some_and(|convert| convert(self, at))
    }

    /// Writes the keyname of the later version and converts plain values.
    fn rename(
        &mut self,
        field: &'static FieldDescription,
        keyname: &'static Keyname,
        KeynameEntry { id, entry, apart, .. }: KeynameEntry<'_, 'p>,
    ) {
        let (key, value) = (entry.key, entry.value);
        if field.exists_in(self.to) {
            let name = field.keyname(self.to);
            if ![Keyname::ANY, keyname.name].contains(&name) && keyname.name != Keyname::ANY {
                self.patch.rename(key, name);
            }
        } else if !field.keynames.iter().any(|keyname| keyname.is_read_in(self.to)) {
            return apart.lost.push(entry);
        }
        if matches!(field.shape, Shape::Scalar(_, Form::Boolean)) && value.kind() == Kind::String {
            // These values are only booleans in YAML 1.1.
            let is_true = matches!(&*value.text().to_ascii_lowercase(), "yes" | "on");
            self.patch.rename(value, if is_true { "true" } else { "false" });
        }
        let was_map = field.map_too.is_some_and(|versions| !versions.contains(self.to));
        if was_map && value.kind() == Kind::Map {
            self.patch.list(value);
        }
        // Scratch space is converted where aliases refer to it.
        if field.value.is_some() && self.is_new() {
            self.value(value, id);
        }
    }

    /// Adds values that the later version requires to be explicit.
    pub(super) fn additions(&mut self, id: AnyId, node: Node<'p>) {
        if !self.is_new() {
            return;
        }
        match id.kind {
            ServiceTemplate::KIND
                if node.kind() == Kind::Map && node.find("node_templates").is_none() && !node.is_alias() =>
            {
                self.patch.add(node, None, "node_templates: {}");
            }
            RequirementDefinition::KIND => self.requirement_count(id, node),
            DataType::KIND => self.entry_schema(id, node),
            OperationCall::KIND if node.kind() == Kind::String => self.operation_name(node),
            _ => {}
        }
    }

    /// Removes the profile of a file with a service template, which can't have one since 2.0.
    fn profile(&mut self, at: &mut KeynameEntry<'_, 'p>) -> bool {
        let has_service = at.map.find("topology_template").is_some();
        if has_service {
            let key = at.entry.key;
            let message = format!("`{}` is left out: a file with a service template has no profile", key.text());
            self.left(key.span(), message, "if other files import the types, move them to a separate file");
            self.patch.remove(at.map, &at.entry);
        }
        has_service
    }

    /// Removes `derived_from` with the common root of data types, which does not exist since 2.0.
    fn root_type(&mut self, at: &mut KeynameEntry<'_, 'p>) -> bool {
        let is_root = self.is_root(at.id);
        if is_root {
            self.patch.remove(at.map, &at.entry);
        }
        is_root
    }

    /// Moves operations below the keyname `operations`.
    fn put_together(&mut self, map: Node<'p>, operations: &[Entry<'p>]) {
        // If the keyname exists, entries next to it are not operations.
        if map.find("operations").is_some() {
            return;
        }
        if let Some(group) = following(map, operations).first() {
            self.patch.nest(map, group, "operations");
        }
    }

    /// Keeps entries with keynames that no longer exist as metadata, which processors ignore.
    fn keep_as_metadata(&mut self, description: &'static EntityDescription, map: Node<'p>, lost: &[Entry<'p>]) {
        let has_metadata = description.field("metadata").is_some_and(|(_, field)| field.exists_in(self.to));
        if lost.is_empty() || !self.is_new() {
            return;
        }
        if !has_metadata {
            for entry in lost {
                let message = format!("`{}` has no counterpart in {} and is left out", entry.key.text(), self.title());
                self.left(entry.key.span(), message, HELP);
                self.patch.remove(map, entry);
            }
            return;
        }
        for entry in lost {
            let message =
                format!("`{}` has no counterpart in {} and is kept as metadata", entry.key.text(), self.title());
            self.left(entry.key.span(), message, HELP);
        }
        let metadata = map.find("metadata").map(|entry| entry.value).filter(|value| value.kind() == Kind::Map);
        let groups = following(map, lost);
        let mut texts = Vec::new();
        let first = if metadata.is_none() { groups.first() } else { None };
        for group in groups.iter().skip(usize::from(first.is_some())) {
            for entry in group {
                let name = inline(&self.patch, entry.key);
                texts.push(format!("{name}: {}", self.flow(entry.value)));
                self.patch.remove(map, entry);
            }
        }
        match (metadata, first) {
            (Some(metadata), _) => texts.iter().for_each(|text| self.patch.add(metadata, None, text)),
            (None, Some(group)) => {
                self.patch.nest(map, group, "metadata");
                texts.iter().for_each(|text| self.patch.add(map, group.last(), &format!("  {text}")));
            }
            (None, None) => {}
        }
    }

    /// Formats any value in brackets.
    fn flow(&self, node: Node<'p>) -> String {
        match node.kind() {
            Kind::Map => {
                let entries = node.entries();
                let entries =
                    entries.map(|entry| format!("{}: {}", inline(&self.patch, entry.key), self.flow(entry.value)));
                format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
            Kind::List => format!("[ {} ]", node.items().map(|item| self.flow(item)).collect::<Vec<_>>().join(", ")),
            _ => inline(&self.patch, node),
        }
    }

    /// Returns whether a data type is derived from the common root, which no longer exists in 2.0.
    fn is_root(&self, id: AnyId) -> bool {
        let parent =
            id.cast::<DataType>().and_then(|id| self.program.raw_as(id)).and_then(|of_type| of_type.derived_from);
        let target = parent.and_then(|parent| self.program.target(parent.erased()));
        target.is_some_and(|target| self.program.name(target) == "tosca.datatypes.Root")
    }

    /// Adds the type of entries to a data type for lists or maps, which need not specify it before 2.0.
    fn entry_schema(&mut self, id: AnyId, node: Node<'p>) {
        let Some(of_type) = id.cast::<DataType>().and_then(|id| self.program.raw_as(id)) else { return };
        let parent = of_type.derived_from.map(|parent| self.program.text(parent.name));
        if matches!(parent, Some("list" | "map")) && !of_type.entry_schema.is_set() {
            let behind = node.find("derived_from");
            self.patch.add(node, behind.as_ref(), "entry_schema: string");
        }
    }

    /// Adds a count range to a requirement without one: the default is exactly one relationship before 2.0, and any
    /// number since.
    fn requirement_count(&mut self, id: AnyId, node: Node<'p>) {
        let Some(own) = id.cast::<RequirementDefinition>().and_then(|id| self.program.raw_as(id)) else { return };
        let is_refined = self.program.owners(id).find_map(AnyId::cast::<NodeType>).is_some_and(|owner| {
            let parent = self.context.get(owner).and_then(|owner| self.context.target_of(owner.derived_from));
            let requirements = parent.and_then(|parent| self.context.get(parent)).map(|parent| &parent.requirements);
            let name = self.program.header(id).map(|header| header.name);
            requirements.zip(name).is_some_and(|(requirements, name)| requirements.get(name).is_some())
        });
        if own.count_range.is_some() || is_refined || node.is_alias() {
            return;
        }
        match node.kind() {
            Kind::Map => {
                let last = ["relationship", "node", "capability"].into_iter().find_map(|keyname| node.find(keyname));
                self.patch.add(node, last.as_ref().filter(|entry| !entry.merged), ONE);
            }
            Kind::String if !Patch::is_block(node) => {
                self.patch.insert(node.span().start, "{ capability: ");
                self.patch.insert(node.span().end, format!(", {ONE} }}"));
            }
            _ => {}
        }
    }

    /// Converts the number of relationships or nodes in an assignment.
    fn occurrences(&mut self, at: &mut KeynameEntry<'_, 'p>) {
        let (key, value) = (at.entry.key, at.entry.value);
        let bounds: Vec<&str> = value.items().map(Node::text).collect();
        let (keyname, text) = match bounds[..] {
            [lower, upper] if lower == upper && at.map.find("instance_count").is_none() => ("count", lower),
            ["0", "1"] if at.id.kind == RequirementAssignment::KIND => ("optional", "true"),
            _ => return at.apart.lost.push(at.entry),
        };
        self.patch.rename(key, keyname);
        self.patch.replace(value.span().start, value.span().end, text.to_owned());
    }

    /// Splits the list of target types into capability types and node types.
    fn valid_targets(&mut self, id: AnyId, key: Node<'p>) {
        let Some(of_type) = id.cast::<RelationshipType>().and_then(|id| self.program.raw_as(id)) else { return };
        let targets = of_type.valid_target_types.iter().filter_map(|reference| self.program.target(*reference));
        let are_nodes: Vec<bool> = targets.map(|target| target.cast::<NodeType>().is_some()).collect();
        if are_nodes.iter().all(|is_node| !is_node) {
            self.patch.rename(key, "valid_capability_types");
        } else if are_nodes.iter().all(|is_node| *is_node) {
            self.patch.rename(key, "valid_target_node_types");
        }
    }

    /// Converts a node filter. In a requirement, the condition applies to the relationship, whose target is the node.
    fn node_filter(&mut self, id: AnyId, entry: &Entry<'p>) {
        let program = self.program;
        let node_type = |id: AnyId| -> Option<Id<NodeType>> {
            if let Some(definition) = id.cast::<RequirementDefinition>() {
                return self.context.target_of(self.context.get(definition)?.node);
            }
            if let Some(mapping) = id.cast::<SubstitutionMapping>() {
                return self.context.target_of(self.context.get(mapping)?.node_type);
            }
            if let Some(template) = id.cast::<NodeTemplate>() {
                return self.context.target_of(self.context.get(template)?.r#type);
            }
            let template = program.owners(id).find_map(AnyId::cast::<NodeTemplate>)?;
            let owner = self.context.get(self.context.target_of(self.context.get(template)?.r#type)?)?;
            let definition = owner.requirements.get(program.header(id)?.name)?;
            self.context.target_of(self.context.get(definition)?.node)
        };
        let node_type = node_type(id);
        let is_requirement =
            id.cast::<RequirementDefinition>().is_some() || id.cast::<RequirementAssignment>().is_some();
        let steps = if is_requirement { "SELF, TARGET" } else { "SELF" };
        self.filter(entry, steps, node_type);
    }

    /// Converts the condition of a trigger, which applies to the node that the trigger's filter names, or else to the
    /// only target of the policy.
    fn trigger_condition(&mut self, id: AnyId, entry: &Entry<'p>) {
        let program = self.program;
        let filter = id.cast::<Trigger>().and_then(|id| program.raw_as(id)).and_then(|trigger| trigger.target_filter);
        let filtered = filter.and_then(|id| program.raw_as(id)).and_then(|filter| filter.node);
        let policy = program.owners(id).find_map(AnyId::cast::<PolicyDefinition>).and_then(|id| program.raw_as(id));
        let only = policy.and_then(|policy| match policy.targets[..] {
            [only] => Some(only),
            _ => None,
        });
        let node = filtered.or(only).filter(|reference| {
            program.target(*reference).is_some_and(|target| target.cast::<NodeTemplate>().is_some())
        });
        let Some(name) = node.map(|reference| program.text(reference.name)) else { return };
        let is_long = entry.value.find("constraint").is_some();
        let constraint = entry.value.find("constraint").map_or(entry.value, |entry| entry.value);
        let Some(clauses) = self.assertions(constraint, name).filter(|clauses| !clauses.is_empty()) else { return };
        if is_long {
            let others: Vec<Entry<'p>> =
                entry.value.entries().filter(|entry| entry.key.text() != "constraint").collect();
            for other in &others {
                let message = format!("`{}` has no counterpart in {} and is left out", other.key.text(), self.title());
                self.left(other.key.span(), message, HELP);
            }
        }
        self.patch.clauses(entry.key, entry.value, "$and", &clauses);
    }

    /// Converts the name of a workflow to a list of activities.
    fn trigger_action(&mut self, node: Node<'p>) {
        if node.kind() == Kind::String && !Patch::is_block(node) {
            self.patch.insert(node.span().start, "[ { inline: ");
            self.patch.insert(node.span().end, " } ]");
        }
    }

    /// Joins the conditions of a workflow.
    fn preconditions(&mut self, entry: &Entry<'p>) {
        let program = self.program;
        let items: Vec<Node<'p>> = match entry.value.kind() {
            Kind::List => entry.value.items().collect(),
            _ => vec![entry.value],
        };
        let mut clauses = Vec::new();
        for item in items {
            let owned = self.unit.entity_at(item.id()).and_then(AnyId::cast::<Precondition>);
            let Some(precondition) = owned.and_then(|id| program.raw_as(id)) else { return };
            let Some(target) = precondition.target else { return };
            if program.target(target).is_none_or(|target| target.cast::<NodeTemplate>().is_none()) {
                return;
            }
            let mut steps = program.text(target.name).to_owned();
            if let Some(relationship) = item.find("target_relationship") {
                steps = format!("{steps}, RELATIONSHIP, {}", relationship.value.text());
            }
            let Some(condition) = item.find("condition") else { continue };
            let Some(found) = self.assertions(condition.value, &steps) else { return };
            clauses.extend(found);
        }
        if !clauses.is_empty() {
            self.patch.rename(entry.key, "precondition");
            self.patch.clauses(entry.key, entry.value, "$and", &clauses);
        }
    }

    /// Converts the filter of a step, which applies to the step's target.
    fn step_filter(&mut self, id: AnyId, entry: &Entry<'p>) {
        let program = self.program;
        let Some(step) = id.cast::<WorkflowStep>().and_then(|id| program.raw_as(id)) else { return };
        let Some(target) = step.target else { return };
        if program.target(target).is_none_or(|target| target.cast::<NodeTemplate>().is_none()) {
            return;
        }
        let mut steps = program.text(target.name).to_owned();
        if let Some(relationship) = step.target_relationship.and_then(|text| program.node(text.0)) {
            steps = format!("{steps}, RELATIONSHIP, {}", relationship.text());
        }
        if let Some(clauses) = self.assertions(entry.value, &steps).filter(|clauses| !clauses.is_empty()) {
            self.patch.clauses(entry.key, entry.value, "$and", &clauses);
        }
    }

    /// Converts the name of an operation, which may start with the type of its interface.
    fn operation_name(&mut self, node: Node<'p>) {
        let Some((interface, operation)) = node.text().rsplit_once('.') else { return };
        if let Some(name) = normative::interface_of_type(interface) {
            self.patch.rename(node, &format!("{name}.{operation}"));
        }
    }

    /// Removes the lists around the names of inputs and outputs in mappings.
    fn mapped_values(&mut self, map: Node<'p>) {
        for entry in map.entries() {
            let mapped = entry.value.find("mapping").map_or(entry.value, |entry| entry.value);
            let mut items = mapped.items();
            if let (Some(only), None) = (items.next(), items.next()) {
                let (span, text) = (entry.value.span(), inline(&self.patch, only));
                self.patch.replace(span.start, span.end, text);
            }
        }
    }

    /// Converts mappings of attributes. In 2.0, attributes are only mapped to outputs, so a mapping to an attribute of
    /// a node template gets a new output.
    fn mapped_attributes(&mut self, id: AnyId, map: Node<'p>) {
        self.mapped_values(map);
        let program = self.program;
        let owner = program.owners(id).next().and_then(|owner| program.header(owner));
        let Some(service) = owner.map(|owner| self.document.node(owner.node)) else { return };
        let outputs = service.find("outputs");
        let mut added: Vec<String> = Vec::new();
        let mut texts = Vec::new();
        for entry in map.entries() {
            let mapped = entry.value.find("mapping").map_or(entry.value, |entry| entry.value);
            let steps: Vec<Node<'p>> = mapped.items().collect();
            if steps.len() < 2 {
                continue;
            }
            let is_taken = |name: &String| {
                added.contains(name) || outputs.as_ref().is_some_and(|outputs| outputs.value.find(name).is_some())
            };
            let attribute = entry.key.text();
            let names =
                (1..).map(|number| if number == 1 { attribute.to_owned() } else { format!("{attribute}_{number}") });
            let Some(name) = names.into_iter().find(|name| !is_taken(name)) else { continue };
            let evaluator = Evaluator::new(&self.context, ValueContext::of(id));
            let (mut path, taken) = modern(&evaluator, &steps, PathTarget::Attribute)
                .map_or((Vec::new(), 0), |found| (found.steps, found.taken));
            path.extend(steps[taken..].iter().map(|step| inline(&self.patch, *step)));
            let shown = quoted_if_needed(&name);
            texts.push(format!("{shown}: {{ value: {{ $get_attribute: [ {} ] }} }}", path.join(", ")));
            let span = entry.value.span();
            self.patch.replace(span.start, span.end, shown);
            added.push(name);
        }
        if texts.is_empty() {
            return;
        }
        match outputs.map(|outputs| outputs.value).filter(|outputs| outputs.kind() == Kind::Map) {
            Some(outputs) => texts.iter().for_each(|text| self.patch.add(outputs, None, text)),
            None => self.patch.add(service, None, &format!("outputs: {{ {} }}", texts.join(", "))),
        }
    }

    /// Moves the target of a mapping out of a map with other keys.
    fn mapped(&mut self, map: Node<'p>) {
        for entry in map.entries() {
            let Some(mapping) = entry.value.find("mapping") else { continue };
            for other in entry.value.entries().filter(|other| other.key.text() != "mapping") {
                let message = format!("`{}` has no counterpart in {} and is left out", other.key.text(), self.title());
                self.left(other.key.span(), message, HELP);
            }
            let (span, text) = (entry.value.span(), self.flow(mapping.value));
            self.patch.replace(span.start, span.end, text);
        }
    }

    /// Converts the mappings of requirements to a list.
    fn mapped_requirements(&mut self, node: Node<'p>) {
        match node.kind() {
            Kind::Map => {
                self.patch.list(node);
                self.mapped(node);
            }
            _ => node.items().for_each(|item| self.mapped(item)),
        }
    }

    fn mapped_interfaces(&mut self, map: Node<'p>) {
        for entry in map.entries() {
            if let Some(name) = normative::interface_of_type(entry.key.text()) {
                self.patch.rename(entry.key, name);
            }
        }
    }
}

/// The range of a requirement definition that did not specify one.
const ONE: &str = "count_range: [ 1, 1 ]";

/// The help for a construct without a counterpart.
const HELP: &str = "check that the service works without it";

/// Returns a name as a key, quoted if necessary.
fn quoted_if_needed(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.'));
    if is_plain { name.to_owned() } else { quoted(name) }
}

/// Groups consecutive entries of a map.
fn following<'p>(map: Node<'p>, entries: &[Entry<'p>]) -> Vec<Vec<Entry<'p>>> {
    let mut groups: Vec<Vec<Entry<'p>>> = Vec::new();
    let mut is_open = false;
    for entry in map.entries().filter(|entry| !entry.merged) {
        if !entries.iter().any(|other| other.key.id() == entry.key.id()) {
            is_open = false;
        } else if is_open && let Some(group) = groups.last_mut() {
            group.push(entry);
        } else {
            is_open = true;
            groups.push(vec![entry]);
        }
    }
    groups
}
