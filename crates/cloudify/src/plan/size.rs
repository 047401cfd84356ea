//! The size of a plan, which is limited: nodes repeat the values of their types, so a small blueprint could have an
//! endless plan.
//!
//! Sizes are upper bounds, in values. What a type contributes is counted once per type, not per node.

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::Node;
use tosca_parse::entity::{AnyId, Entity, Id, Members, Reference};
use tosca_parse::phase::Context;

use super::{MAX_DEPTH, Part, Parts, full_name};
use crate::check::value::{Type, defaults, type_of};
use crate::check::{get, node_of, value_of};
use crate::grammar::{DataType, Interface, NodeTemplate, NodeType, PropertyDefinition, Relationship, RelationshipType};

/// The number of bytes of a string that count as a value.
const BYTES_OF_A_VALUE: usize = 64;

/// The number of values that a node, a relationship or an operation counts as, in addition to its content.
const ENTITY: usize = 8;

/// The number of defaults for one property that take as long to search as one value takes to write.
const LAYERS_OF_A_VALUE: usize = 4;

/// Returns the maximum size of a plan.
pub(super) fn most(context: &Context<'_>) -> usize {
    let units = context.program.list.iter().filter(|unit| unit.implicit.is_none());
    let text = units.fold(0_usize, |sum, unit| sum.saturating_add(unit.source.text().len()));
    context.program.model_limits.values.saturating_add(text)
}

/// Returns the first declaration beyond the limit.
pub(super) fn first_over_limit(context: &Context<'_>, parts: &Parts) -> Option<Part> {
    let mut sizes = Sizes {
        context,
        most: most(context),
        values: FxHashMap::default(),
        types: FxHashMap::default(),
        data: FxHashMap::default(),
    };
    let templates = parts.templates.iter().flat_map(|(_, parts)| parts).map(|part| (part, true));
    let mut sum = 0_usize;
    let mut declarations = parts.written().map(|part| (part, false)).chain(templates);
    let first = declarations.find(|(part, is_template)| {
        let size = if *is_template { sizes.of_template(part) } else { sizes.of_entity(part) };
        let name = part.prefix.len() + context.program.name(part.id).len();
        sum = sum.saturating_add(size).saturating_add(name / BYTES_OF_A_VALUE);
        sum > sizes.most
    });
    first.map(|(part, _)| part.clone())
}

struct Sizes<'c, 'a> {
    context: &'c Context<'a>,
    /// The limit; counting stops there.
    most: usize,
    /// The number of values in entities as they are written, and their length.
    values: FxHashMap<AnyId, [usize; 2]>,
    /// The sizes of types and of definitions in them, by the length of their namespaces.
    types: FxHashMap<(AnyId, usize), usize>,
    /// The sizes of values of data types, with the depth at which they were computed.
    data: FxHashMap<AnyId, (usize, usize)>,
}

impl Sizes<'_, '_> {
    /// Returns the size of an entity as it is written.
    fn of_entity(&mut self, part: &Part) -> usize {
        let [count, size] = match self.values.get(&part.id) {
            Some(known) => *known,
            None => {
                let size = node_of(self.context, part.id).map_or([0; 2], size);
                self.values.insert(part.id, size);
                size
            }
        };
        with_prefix([count, size], part.prefix.len())
    }

    fn of_template(&mut self, part: &Part) -> usize {
        let Some(template) = get::<NodeTemplate>(self.context, part.id) else { return 0 };
        let entity = with_prefix([ENTITY; 2], part.prefix.len());
        let mut sum = entity + self.of_entity(part) + self.of_type(template.r#type, &part.prefix);
        for id in &template.relationships {
            let relationship: Option<&Relationship> = self.context.get(*id);
            let of_type = relationship.map_or(0, |relationship| self.of_type(relationship.r#type, &part.prefix));
            sum = sum.saturating_add(entity).saturating_add(of_type);
            if sum > self.most {
                break;
            }
        }
        sum
    }

    /// Returns the size of what a node or a relationship gets from its type.
    fn of_type<T: Entity>(&mut self, reference: Option<Reference<T>>, prefix: &str) -> usize {
        let Some((reference, id)) = reference.and_then(|own| Some((own, self.context.target(own)?.any()))) else {
            return 0;
        };
        let name = full_name(prefix, self.context.text(reference.name)).len();
        let prefix = name.saturating_sub(self.context.program.name(id).len());
        if let Some(known) = self.types.get(&(id, prefix)) {
            return *known;
        }
        let mut sum = name / BYTES_OF_A_VALUE;
        let (mut ancestor, mut name) = (id, name);
        let mut met = FxHashSet::default();
        while met.insert(ancestor) && sum <= self.most {
            sum += 1 + name / BYTES_OF_A_VALUE;
            let parent = self.context.program.lineage(ancestor).and_then(|lineage| lineage.parents().first().copied());
            let written = node_of(self.context, ancestor).and_then(|node| node.find("derived_from"));
            let (Some(parent), Some(written)) = (parent, written) else { break };
            name += written.value.text().len();
            name = name.saturating_sub(self.context.program.name(ancestor).len());
            ancestor = parent;
        }
        if let Some(of_type) = get::<NodeType>(self.context, id) {
            sum = self.add_properties(sum, &of_type.properties, prefix);
            sum = self.add_operations(sum, &of_type.interfaces, prefix);
        } else if let Some(of_type) = get::<RelationshipType>(self.context, id) {
            sum = self.add_properties(sum, &of_type.properties, prefix);
            sum = self.add_operations(sum, &of_type.source_interfaces, prefix);
            sum = self.add_operations(sum, &of_type.target_interfaces, prefix);
        }
        self.types.insert((id, prefix), sum);
        sum
    }

    fn add_properties(&mut self, mut sum: usize, properties: &Members<PropertyDefinition>, prefix: usize) -> usize {
        for (_, id) in properties.iter() {
            if sum > self.most {
                break;
            }
            sum = sum.saturating_add(self.of_property(id, prefix));
        }
        sum
    }

    fn of_property(&mut self, id: Id<PropertyDefinition>, prefix: usize) -> usize {
        if let Some(known) = self.types.get(&(id.any(), prefix)) {
            return *known;
        }
        let Some(definition) = self.context.get(id) else { return 0 };
        let mut sum = 1 + self.context.program.name(id.any()).len() / BYTES_OF_A_VALUE;
        if let Type::Data(data) = type_of(self.context, definition.r#type) {
            let layers = defaults(self.context, id, data);
            let of_layers = layers.iter().map(|layer| with_prefix(size(*layer), prefix));
            let of_data = with_prefix([self.of_data(data, 0); 2], prefix);
            sum = of_layers.fold(sum, usize::saturating_add);
            sum = sum.saturating_add(of_data.saturating_mul(1 + layers.len() / LAYERS_OF_A_VALUE));
        } else if let Some(default) = value_of(self.context, definition.default) {
            sum = sum.saturating_add(with_prefix(size(default), prefix));
        }
        self.types.insert((id.any(), prefix), sum);
        sum
    }

    /// Returns the size of a value of a data type that gives no fields.
    fn of_data(&mut self, id: Id<DataType>, depth: usize) -> usize {
        // What was computed at a greater depth may lack the deepest fields.
        if let Some((_, known)) = self.data.get(&id.any()).filter(|(known, _)| *known <= depth) {
            return *known;
        }
        let Some(of_type) = self.context.get(id).filter(|_| depth <= MAX_DEPTH) else { return 0 };
        // In a loop, which is reported, there are no values.
        self.data.insert(id.any(), (0, 0));
        let mut sum = 1_usize;
        for (name, id) in of_type.properties.iter() {
            let Some(field) = self.context.get(id).filter(|_| sum <= self.most) else { break };
            let own = 1 + self.context.text(name).len() / BYTES_OF_A_VALUE;
            let default = value_of(self.context, field.default).map_or(0, |default| size(default)[1]);
            let inner = match type_of(self.context, field.r#type) {
                Type::Data(data) => self.of_data(data, depth + 1),
                _ => 0,
            };
            sum = sum.saturating_add(own).saturating_add(default).saturating_add(inner);
        }
        self.data.insert(id.any(), (depth, sum));
        sum
    }

    fn add_operations(&mut self, mut sum: usize, interfaces: &Members<Interface>, prefix: usize) -> usize {
        for (_, id) in interfaces.iter() {
            let Some(interface) = self.context.get(id) else { continue };
            for (_, id) in interface.operations.iter() {
                if sum > self.most {
                    return sum;
                }
                let name = self.context.program.name(id.any()).len() / BYTES_OF_A_VALUE;
                sum = sum.saturating_add(with_prefix([1, ENTITY + name], prefix));
                let Some(operation) = self.context.get(id) else { continue };
                let own = node_of(self.context, id.any()).map_or([0; 2], size);
                sum = sum.saturating_add(with_prefix(own, prefix));
                for (_, id) in operation.inputs.iter() {
                    let default = self.context.get(id).and_then(|input| value_of(self.context, input.default));
                    sum = sum.saturating_add(1 + default.map_or(0, |default| with_prefix(size(default), prefix)));
                }
            }
        }
        sum
    }
}

/// Returns the number of values in a value, and its size with the lengths of its strings.
fn size(node: Node<'_>) -> [usize; 2] {
    let (mut count, mut size) = (0, 0);
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        count += 1;
        size += 1 + node.text().len() / BYTES_OF_A_VALUE;
        open.extend(node.items());
        for entry in node.entries() {
            size += entry.key.text().len() / BYTES_OF_A_VALUE;
            open.push(entry.value);
        }
    }
    [count, size]
}

/// Returns the size of values in which each may contain a name with a namespace of the given length.
fn with_prefix([count, size]: [usize; 2], prefix: usize) -> usize {
    size.saturating_add(count.saturating_mul(prefix / BYTES_OF_A_VALUE))
}
