//! Groups, policies and workflows.

use serde_json::{Map, Value, json};
use tosca_parse::normal::{
    Activity, Group, Name, OperationCall, Policy, Step, Trigger, Value as Data, Workflow, WorkflowCall,
};

use crate::component::implementation;
use crate::types::types;
use crate::{Clout, Edge, Vertex, fields, id, text};

impl Clout<'_> {
    pub(super) fn group(&self, name: &str, group: &Group) -> Vertex {
        let nodes = group.nodes.iter().filter_map(|node| self.node_id(node));
        let groups = group.groups.iter().filter_map(|group| self.group_id(group));
        let members = nodes.chain(groups).map(|member| Edge::bare("Member", member)).collect();
        let mut properties = fields(json!({
            "description": text(group.description.as_ref()),
            "interfaces": self.interfaces(&group.interfaces),
            "metadata": group.metadata,
            "name": name,
            "properties": self.values.properties(&group.properties),
            "types": types(&group.types),
        }));
        if !group.attributes.is_empty() {
            properties.insert("attributes".to_owned(), self.values.parameters(&group.attributes));
        }
        Vertex::new("Group", properties, members)
    }

    pub(super) fn policy<E>(
        &self,
        policy_id: &str,
        name: &str,
        policy: &Policy,
        write: &mut impl FnMut(&str, &Vertex) -> Result<(), E>,
    ) -> Result<(), E> {
        let trigger_id = |index| id(format_args!("{policy_id}-trigger"), index);
        let mut edges: Vec<Edge> = self.targets(&policy.nodes, &policy.groups).collect();
        edges.extend((0..policy.triggers.len()).map(|index| Edge::bare("PolicyTrigger", trigger_id(index))));
        let properties = fields(json!({
            "description": text(policy.description.as_ref()),
            "metadata": policy.metadata,
            "name": name,
            "properties": self.values.properties(&policy.properties),
            "types": types(&policy.types),
        }));
        write(policy_id, &Vertex::new("Policy", properties, edges))?;
        for (index, (name, trigger)) in policy.triggers.iter().enumerate() {
            let trigger_id = trigger_id(index);
            let edges = activity_edges(&trigger_id, &trigger.action).collect();
            write(&trigger_id, &Vertex::new("PolicyTrigger", self.trigger(name, trigger), edges))?;
            self.activities(&trigger_id, &trigger.action, write)?;
        }
        Ok(())
    }

    fn trigger(&self, name: &str, trigger: &Trigger) -> Map<String, Value> {
        let mut properties = fields(json!({
            "description": text(trigger.description.as_ref()),
            "event": text(trigger.event.as_ref()),
            "metadata": trigger.metadata,
            "name": name,
        }));
        let optional = [
            ("condition", &trigger.condition),
            ("operation", &trigger.operation),
            ("schedule", &trigger.schedule),
            ("targetFilter", &trigger.target_filter),
        ];
        let given =
            |(name, value): (&str, &Option<Data>)| Some((name.to_owned(), self.values.untyped(value.as_ref()?)));
        properties.extend(optional.into_iter().filter_map(given));
        properties
    }

    pub(super) fn workflow<E>(
        &self,
        workflow_id: &str,
        name: &str,
        workflow: &Workflow,
        write: &mut impl FnMut(&str, &Vertex) -> Result<(), E>,
    ) -> Result<(), E> {
        let step_id = |index| id(format_args!("{workflow_id}-step"), index);
        let edges = (0..workflow.steps.len()).map(|index| Edge::bare("WorkflowStep", step_id(index))).collect();
        let mut properties = fields(json!({
            "description": text(workflow.description.as_ref()),
            "inputs": self.values.parameters(&workflow.inputs),
            "metadata": workflow.metadata,
            "name": name,
            "outputs": self.outputs(&workflow.outputs),
        }));
        self.conditions("preconditions", &workflow.preconditions, &mut properties);
        if workflow.implementation.is_some() {
            properties.extend(fields(implementation(workflow.implementation.as_ref())));
        }
        write(workflow_id, &Vertex::new("Workflow", properties, edges))?;
        for (index, (name, step)) in workflow.steps.iter().enumerate() {
            let this = step_id(index);
            let mut edges: Vec<Edge> = self.targets(&step.node, &step.group).collect();
            edges.extend(activity_edges(&this, &step.activities));
            for (kind, next) in [("OnSuccess", &step.on_success), ("OnFailure", &step.on_failure)] {
                let next = next.iter().filter_map(|next| workflow.steps.get_index_of(next));
                edges.extend(next.map(|next| Edge::bare(kind, step_id(next))));
            }
            write(&this, &Vertex::new("WorkflowStep", self.step(name, step), edges))?;
            self.activities(&this, &step.activities, write)?;
        }
        Ok(())
    }

    fn step(&self, name: &str, step: &Step) -> Map<String, Value> {
        let mut properties = fields(json!({ "name": name }));
        let optional =
            [("description", &step.description), ("host", &step.operation_host), ("relationship", &step.relationship)];
        let given = |(name, text): (&str, &Option<Name>)| Some((name.to_owned(), json!(text.as_ref()?)));
        properties.extend(optional.into_iter().filter_map(given));
        self.conditions("filter", &step.filter, &mut properties);
        properties
    }

    fn conditions(&self, name: &str, conditions: &[Data], properties: &mut Map<String, Value>) {
        if !conditions.is_empty() {
            let conditions = conditions.iter().map(|condition| self.values.untyped(condition)).collect();
            properties.insert(name.to_owned(), conditions);
        }
    }

    fn targets<'t>(
        &'t self,
        nodes: impl IntoIterator<Item = &'t Name> + 't,
        groups: impl IntoIterator<Item = &'t Name> + 't,
    ) -> impl Iterator<Item = Edge> + 't {
        let nodes = nodes.into_iter().filter_map(|node| self.node_id(node));
        let groups = groups.into_iter().filter_map(|group| self.group_id(group));
        let nodes = nodes.map(|node| Edge::bare("NodeTemplateTarget", node));
        nodes.chain(groups.map(|group| Edge::bare("GroupTarget", group)))
    }

    fn activities<E>(
        &self,
        owner: &str,
        activities: &[Activity],
        write: &mut impl FnMut(&str, &Vertex) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut activities = activities.iter().enumerate();
        activities.try_for_each(|(index, activity)| write(&activity_id(owner, index), &self.activity(activity)))
    }

    fn activity(&self, activity: &Activity) -> Vertex {
        let (properties, edge) = match activity {
            Activity::SetState(state) => (json!({ "setNodeState": state }), None),
            Activity::CallOperation(OperationCall { interface, operation, inputs, .. }) => {
                let inputs = self.values.untyped_map(inputs);
                (json!({ "callOperation": { "interface": interface, "operation": operation, "inputs": inputs } }), None)
            }
            Activity::Delegate(call) => self.called("DelegateWorkflow", call),
            Activity::Inline(call) => self.called("InlineWorkflow", call),
            _ => (json!({}), None),
        };
        Vertex::new("WorkflowActivity", fields(properties), edge.into_iter().collect())
    }

    /// Returns the properties of an activity that runs a workflow, and the edge to the workflow if the service has it.
    fn called(&self, kind: &str, call: &WorkflowCall) -> (Value, Option<Edge>) {
        let WorkflowCall { workflow, inputs, .. } = call;
        let mut properties = Map::new();
        if !inputs.is_empty() {
            properties.insert("inputs".to_owned(), self.values.untyped_map(inputs));
        }
        let target = self.workflow_id(workflow);
        if target.is_none() {
            properties.insert("workflow".to_owned(), json!(workflow));
        }
        (Value::Object(properties), target.map(|target| Edge::bare(kind, target)))
    }
}

fn activity_id(owner: &str, index: usize) -> String {
    id(format_args!("{owner}-activity"), index)
}

fn activity_edges(owner: &str, activities: &[Activity]) -> impl Iterator<Item = Edge> {
    (0..activities.len()).map(move |index| {
        Edge::new("WorkflowActivity", fields(json!({ "sequence": index })), activity_id(owner, index))
    })
}
