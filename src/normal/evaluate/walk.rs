//! Traversal of a model that replaces values with their results.

use std::sync::Arc;

use super::super::{
    Activity, Artifact, Capability, Group, Interface, Map, Node, Operation, OverlayMap, Policy, Property, Relationship,
    Requirement, Service, Substitution, Trigger, Value, Workflow,
};
use super::evaluator::{CHANGED_PROPERTY, Evaluator, Progress};
use super::owner::{Owner, PropertyId, Standing, pointer};

/// A part of a model that may contain calls.
trait HasCalls {
    fn has_calls(&self) -> bool;
}

impl HasCalls for Property {
    fn has_calls(&self) -> bool {
        self.value.as_ref().is_some_and(|value| !value.is_data() || reads_others(&self.schema.validation))
    }
}

/// Returns whether validation clauses read values other than the one under validation, judging by their first parts.
fn reads_others(clauses: &[Value]) -> bool {
    /// The maximum number of parts to search for each value.
    const MAX: usize = 64;
    let mut waiting: Vec<&Value> = clauses.iter().take(MAX).collect();
    for _ in 0..MAX {
        match waiting.pop() {
            Some(Value::Call(call)) if matches!(&*call.name, "get_input" | "get_property" | "get_attribute") => {
                return true;
            }
            Some(Value::Call(call)) => waiting.extend(call.arguments.iter().take(MAX)),
            Some(Value::List(items)) => waiting.extend(items.iter().take(MAX)),
            Some(Value::Map(entries)) => waiting.extend(entries.values().take(MAX)),
            Some(_) => {}
            None => break,
        }
    }
    false
}

impl<T: HasCalls> HasCalls for OverlayMap<T> {
    fn has_calls(&self) -> bool {
        self.values().any(|value| value.has_calls())
    }
}

impl HasCalls for Capability {
    fn has_calls(&self) -> bool {
        self.properties.has_calls() || self.attributes.has_calls()
    }
}

impl HasCalls for Artifact {
    fn has_calls(&self) -> bool {
        self.properties.has_calls()
    }
}

impl HasCalls for Operation {
    fn has_calls(&self) -> bool {
        self.inputs.has_calls() || self.outputs.has_calls() || !timeout_of(self).is_none_or(Value::is_data)
    }
}

fn timeout_of(operation: &Operation) -> Option<&Value> {
    operation.implementation.as_ref()?.timeout.as_ref()
}

impl HasCalls for Interface {
    fn has_calls(&self) -> bool {
        self.inputs.has_calls() || self.operations.has_calls() || self.notifications.has_calls()
    }
}

impl HasCalls for Relationship {
    fn has_calls(&self) -> bool {
        self.properties.has_calls() || self.attributes.has_calls() || self.interfaces.has_calls()
    }
}

/// The requirements of a node are evaluated separately.
impl HasCalls for Node {
    fn has_calls(&self) -> bool {
        let is_data = |value: &Option<Value>| value.as_ref().is_none_or(Value::is_data);
        self.properties.has_calls()
            || self.attributes.has_calls()
            || self.capabilities.has_calls()
            || self.interfaces.has_calls()
            || self.artifacts.has_calls()
            || !is_data(&self.count)
            || !is_data(&self.node_filter)
    }
}

impl HasCalls for Requirement {
    fn has_calls(&self) -> bool {
        !self.count.as_ref().is_none_or(Value::is_data)
            || !self.node_filter.iter().all(Value::is_data)
            || self.allocation.has_calls()
            || self.relationship.has_calls()
    }
}

impl HasCalls for Trigger {
    fn has_calls(&self) -> bool {
        let is_data = |value: &Option<Value>| value.as_ref().is_none_or(Value::is_data);
        !is_data(&self.condition)
            || self.action.iter().filter_map(Activity::inputs).any(|inputs| !inputs.values().all(Value::is_data))
    }
}

/// The parts of a service that may have changed in an evaluation.
pub(super) struct Evaluated {
    /// The service without its nodes.
    service: Service,
    /// Nodes without their requirements, by index.
    nodes: Vec<(usize, Node)>,
    /// Requirements, by the index of the node and their own.
    requirements: Vec<(usize, usize, Requirement)>,
}

impl Evaluated {
    /// Makes the changes to the service.
    pub(super) fn apply(self, service: &mut Service) {
        let nodes = std::mem::take(&mut service.nodes);
        *service = Service { nodes, ..self.service };
        for (number, node) in self.nodes {
            let requirements = std::mem::take(&mut service.nodes[number].requirements);
            service.nodes[number] = Node { requirements, ..node };
        }
        for (number, index, requirement) in self.requirements {
            service.nodes[number].requirements[index] = requirement;
        }
    }
}

impl Evaluator<'_> {
    /// Evaluates the whole service.
    pub(super) fn service(&mut self) -> Evaluated {
        let mut service = self.service.frame();
        let (mut nodes, mut requirements) = (Vec::new(), Vec::new());
        self.owned(&mut service.inputs, Owner::Inputs);
        for (number, node) in self.service.nodes.values().enumerate() {
            if node.has_calls() {
                let mut node = node.frame();
                self.node(&mut node, number);
                nodes.push((number, node));
            }
            for (index, requirement) in node.requirements.iter().enumerate().filter(|(_, own)| own.has_calls()) {
                let mut requirement = requirement.clone();
                self.at = (self.pointer_of_node(number), node.source.clone());
                self.inside(&format!("requirements/{index}"), |evaluator| {
                    evaluator.requirement(&mut requirement, number, index);
                });
                requirements.push((number, index, requirement));
            }
        }
        service.relationships.change(Relationship::has_calls, |_, name, relationship| {
            self.at.0 = pointer(["relationships", name]);
            self.relationship(relationship, Standing::Template);
        });
        for (name, group) in &mut service.groups {
            self.at.0 = pointer(["groups", name]);
            self.group(group);
        }
        for (name, policy) in &mut service.policies {
            self.at.0 = pointer(["policies", name]);
            self.policy(policy);
        }
        for (number, (name, workflow)) in service.workflows.iter_mut().enumerate() {
            self.at.0 = pointer(["workflows", name]);
            self.workflow(workflow, number);
        }
        self.at.0 = String::new();
        if let Some(substitution) = &mut service.substitution {
            self.inside("substitution", |evaluator| evaluator.substitution(substitution));
        }
        self.inside("outputs", |evaluator| evaluator.properties(&mut service.outputs, Standing::Service));
        Evaluated { service, nodes, requirements }
    }

    fn pointer_of_node(&self, number: usize) -> String {
        self.service.nodes.get_index(number).map_or_else(String::new, |(name, _)| pointer(["nodes", name]))
    }

    fn node(&mut self, node: &mut Node, number: usize) {
        let place = Standing::Node(number);
        self.owned(&mut node.properties, Owner::Node(number));
        self.at = (self.pointer_of_node(number), node.source.clone());
        self.inside("attributes", |evaluator| evaluator.properties(&mut node.attributes, place));
        node.capabilities.change(Capability::has_calls, |index, _, capability| {
            let capability = Arc::make_mut(capability);
            self.owned(&mut capability.properties, Owner::Capability(number, index));
            self.inside("capabilities", |evaluator| evaluator.properties(&mut capability.attributes, place));
        });
        self.inside("interfaces", |evaluator| evaluator.interfaces(&mut node.interfaces, place));
        node.artifacts.change(Artifact::has_calls, |_, _, artifact| {
            self.inside("artifacts", |evaluator| evaluator.properties(&mut Arc::make_mut(artifact).properties, place));
        });
        self.inside("count", |evaluator| evaluator.optional(&mut node.count, place));
        self.inside("node_filter", |evaluator| evaluator.optional(&mut node.node_filter, place));
    }

    fn requirement(&mut self, requirement: &mut Requirement, node: usize, number: usize) {
        // Before 2.0, `SELF` was the relationship only within the relationship itself.
        let within = Standing::Relationship(node, number);
        let place = if self.is_simple { Standing::Node(node) } else { within };
        self.optional(&mut requirement.count, place);
        for filter in &mut requirement.node_filter {
            *filter = self.one_of(filter, place);
        }
        self.inside("allocation", |evaluator| evaluator.properties(&mut requirement.allocation, place));
        if requirement.relationship.has_calls() {
            let relationship = Arc::make_mut(&mut requirement.relationship);
            self.owned(&mut relationship.properties, Owner::Relationship(node, number));
            self.inside("relationship/attributes", |evaluator| {
                evaluator.properties(&mut relationship.attributes, within);
            });
            self.inside("relationship/interfaces", |evaluator| {
                evaluator.interfaces(&mut relationship.interfaces, within);
            });
        }
    }

    fn relationship(&mut self, relationship: &mut Arc<Relationship>, place: Standing) {
        let relationship = Arc::make_mut(relationship);
        self.inside("properties", |evaluator| evaluator.properties(&mut relationship.properties, place));
        self.inside("attributes", |evaluator| evaluator.properties(&mut relationship.attributes, place));
        self.inside("interfaces", |evaluator| evaluator.interfaces(&mut relationship.interfaces, place));
    }

    fn group(&mut self, group: &mut Group) {
        self.inside("properties", |evaluator| evaluator.properties(&mut group.properties, Standing::Service));
        self.inside("attributes", |evaluator| evaluator.properties(&mut group.attributes, Standing::Service));
        self.inside("interfaces", |evaluator| evaluator.interfaces(&mut group.interfaces, Standing::Service));
    }

    fn policy(&mut self, policy: &mut Policy) {
        self.inside("properties", |evaluator| evaluator.properties(&mut policy.properties, Standing::Service));
        policy.triggers.change(Trigger::has_calls, |_, name, trigger| {
            let trigger = Arc::make_mut(trigger);
            self.inside(&format!("triggers/{name}/condition"), |evaluator| {
                evaluator.optional(&mut trigger.condition, Standing::Service);
            });
            self.inside(&format!("triggers/{name}/action"), |evaluator| {
                trigger.action.iter_mut().for_each(|activity| evaluator.activity(activity, Standing::Service));
            });
        });
    }

    fn workflow(&mut self, workflow: &mut Workflow, number: usize) {
        let place = Standing::Workflow(number);
        for condition in &mut workflow.preconditions {
            *condition = self.inside("preconditions", |evaluator| evaluator.one_of(condition, place));
        }
        for (name, step) in &mut workflow.steps {
            self.inside(&format!("steps/{name}"), |evaluator| {
                step.filter.iter_mut().for_each(|filter| *filter = evaluator.one_of(filter, place));
                step.activities.iter_mut().for_each(|activity| evaluator.activity(activity, place));
            });
        }
        self.inside("outputs", |evaluator| evaluator.properties(&mut workflow.outputs, place));
    }

    fn substitution(&mut self, substitution: &mut Substitution) {
        let place = Standing::Service;
        self.inside("filter", |evaluator| evaluator.optional(&mut substitution.filter, place));
        let mapped = substitution.properties.iter_mut().chain(&mut substitution.attributes);
        let of_capabilities = substitution.capabilities.iter_mut().map(|of| (&mut of.properties, &mut of.attributes));
        let of_requirements = substitution.requirements.iter_mut().map(|of| (&mut of.properties, &mut of.attributes));
        let assigned = of_capabilities
            .chain(of_requirements)
            .flat_map(|(properties, attributes)| properties.values_mut().chain(attributes.values_mut()));
        let values = mapped.filter_map(|mapping| mapping.value.as_mut()).chain(assigned);
        values.for_each(|value| *value = self.one_of(value, place));
    }

    fn activity(&mut self, activity: &mut Activity, place: Standing) {
        let inputs = activity.inputs_mut().into_iter().flat_map(Map::values_mut);
        inputs.for_each(|value| *value = self.one_of(value, place));
    }

    fn interfaces(&mut self, interfaces: &mut OverlayMap<Interface>, place: Standing) {
        interfaces.change(Interface::has_calls, |_, name, interface| {
            let interface = Arc::make_mut(interface);
            self.inside(name, |evaluator| {
                evaluator.inside("inputs", |evaluator| evaluator.properties(&mut interface.inputs, place));
                evaluator.inside("operations", |evaluator| evaluator.operations(&mut interface.operations, place));
                evaluator
                    .inside("notifications", |evaluator| evaluator.operations(&mut interface.notifications, place));
            });
        });
    }

    fn operations(&mut self, operations: &mut OverlayMap<Operation>, place: Standing) {
        operations.change(Operation::has_calls, |_, name, operation| {
            let operation = Arc::make_mut(operation);
            self.inside(name, |evaluator| {
                evaluator.inside("inputs", |evaluator| evaluator.properties(&mut operation.inputs, place));
                evaluator.inside("outputs", |evaluator| evaluator.properties(&mut operation.outputs, place));
                if let Some(implementation) = &mut operation.implementation {
                    let timeout = &mut implementation.timeout;
                    evaluator.inside("implementation/timeout", |evaluator| evaluator.optional(timeout, place));
                }
            });
        });
    }

    /// Evaluates properties that paths can refer to.
    fn owned(&mut self, properties: &mut OverlayMap<Property>, owner: Owner) {
        properties.change(Property::has_calls, |_, name, property| {
            let id = PropertyId { owner, name: name.clone() };
            self.prepare(id.clone());
            if let Some(Progress::Computed(value)) = self.known.get(&id) {
                let value = Value::clone(value);
                self.put(property, value);
            }
            if let (Some(value), Some((_, place))) = (&property.value, self.value_at(&id)) {
                let at = (self.pointer_of(&id), property.source.clone());
                let before = std::mem::replace(&mut self.at, at);
                self.validate(value, &property.schema, place);
                self.at = before;
                self.refer(property, place);
            }
        });
    }

    /// Sets the references of the remaining calls in the value of a property.
    fn refer(&self, property: &mut Arc<Property>, place: Standing) {
        let value = property.value.as_ref().filter(|value| !value.is_data());
        let references = value.map(|value| self.references(value, place)).unwrap_or_default();
        if property.references != references {
            Arc::make_mut(property).references = references;
        }
    }

    /// Evaluates properties that no path can refer to.
    fn properties(&mut self, properties: &mut OverlayMap<Property>, place: Standing) {
        properties.change(Property::has_calls, |_, name, property| {
            let written = Arc::clone(property);
            let Some(value) = &written.value else { return };
            let source = std::mem::replace(&mut self.at.1, property.source.clone());
            let computed = self.inside(&pointer([&**name])[1..], |evaluator| {
                let computed = evaluator.one_with(value, place, Some(&property.schema));
                evaluator.validate(&computed, &property.schema, place);
                if computed != *value {
                    evaluator.spend(CHANGED_PROPERTY);
                }
                computed
            });
            self.at.1 = source;
            let is_changed = computed != *value;
            drop(written);
            if is_changed {
                self.put(property, computed);
            }
            self.refer(property, place);
        });
    }

    fn put(&mut self, property: &mut Arc<Property>, value: Value) {
        let property = Arc::make_mut(property);
        property.scalars = self.scalars(&value, &property.schema);
        property.expression = property.value.replace(value);
    }

    fn optional(&mut self, value: &mut Option<Value>, place: Standing) {
        if let Some(value) = value.as_mut().filter(|value| !value.is_data()) {
            *value = self.one_of(value, place);
        }
    }

    fn one_of(&mut self, value: &Value, place: Standing) -> Value {
        if value.is_data() { value.clone() } else { self.one_with(value, place, None) }
    }

    /// Runs a closure with the current position extended by a step.
    fn inside<R>(&mut self, step: &str, work: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.at.0.len();
        self.at.0.push('/');
        self.at.0.push_str(step);
        let result = work(self);
        self.at.0.truncate(length);
        result
    }
}
