//! Groups, policies and workflows.

use std::sync::Arc;

use super::super::{Activity, Group, OperationCall, OverlayMap, Policy, Step, Trigger, Value, Workflow, WorkflowCall};
use super::builder::{Builder, Share};
use super::interface::ArtifactScope;
use crate::ard::Kind;
use crate::entity::{AnyId, Id, Members, NodeRef, Value as Located};
use crate::grammar::template::{
    Activity as ActivityOf, GroupDefinition, NodeTemplate, PolicyDefinition, Trigger as TriggerOf,
    WorkflowCall as WorkflowCallOf, WorkflowDefinition, WorkflowStep,
};
use crate::grammar::types::{GroupType, PolicyType};

impl Builder<'_> {
    pub(super) fn group(&self, id: Id<GroupDefinition>, share: Share) -> Group {
        let Some(group) = self.get(id) else { return Group::default() };
        let type_id = self.context.target_of(group.r#type);
        let of_type = type_id.filter(|_| share == Share::All).and_then(|id| Some((id, self.get(id)?)));
        let blank = of_type.map(|(id, of_type)| self.groups.get(id, || Arc::new(self.group_of_type(of_type))));
        let of_type = of_type.map(|(_, of_type)| of_type);
        let (properties, attributes) = (of_type.map(|of_type| &of_type.properties), of_type.map(|it| &it.attributes));
        let mut made = Group {
            types: type_id.map_or_else(Default::default, |id| self.types_for(id.any(), share)),
            description: self.text(group.description),
            metadata: self.metadata(group.metadata),
            nodes: self.targets::<NodeTemplate>(&group.members),
            groups: self.targets::<GroupDefinition>(&group.members),
            source: self.source(id.any()),
            ..blank.map(|blank| (*blank).clone()).unwrap_or_default()
        };
        self.assign(&mut made.properties, group.properties, properties);
        self.assign_attributes(&mut made.attributes, group.attributes, attributes, properties);
        self.assign_interfaces(
            &mut made.interfaces,
            &group.interfaces,
            of_type.map(|it| &it.interfaces),
            ArtifactScope::unnamed(share),
        );
        made
    }

    /// Returns a group without assignments of a template.
    fn group_of_type(&self, of_type: &GroupType) -> Group {
        Group {
            properties: self.definitions(&of_type.properties),
            attributes: self.definitions(&of_type.attributes),
            interfaces: self.interfaces(&of_type.interfaces, ArtifactScope::default()),
            ..Group::default()
        }
    }

    pub(super) fn policy(&self, id: Id<PolicyDefinition>, share: Share) -> Policy {
        let Some(policy) = self.get(id) else { return Policy::default() };
        let type_id = self.context.target_of(policy.r#type);
        let of_type = type_id.filter(|_| share == Share::All).and_then(|id| Some((id, self.get(id)?)));
        let blank = of_type.map(|(id, of_type)| self.policies.get(id, || Arc::new(self.policy_of_type(of_type))));
        let mut made = Policy {
            types: type_id.map_or_else(Default::default, |id| self.types_for(id.any(), share)),
            description: self.text(policy.description),
            metadata: self.metadata(policy.metadata),
            nodes: self.targets::<NodeTemplate>(&policy.targets),
            groups: self.targets::<GroupDefinition>(&policy.targets),
            source: self.source(id.any()),
            ..blank.map(|blank| (*blank).clone()).unwrap_or_default()
        };
        self.assign(&mut made.properties, policy.properties, of_type.map(|(_, of_type)| &of_type.properties));
        made.triggers.extend(self.triggers(&policy.triggers));
        made
    }

    /// Returns a policy without assignments of a template.
    fn policy_of_type(&self, of_type: &PolicyType) -> Policy {
        Policy {
            properties: self.definitions(&of_type.properties),
            triggers: self.triggers(&of_type.triggers),
            ..Policy::default()
        }
    }

    fn triggers(&self, triggers: &Members<TriggerOf>) -> OverlayMap<Trigger> {
        self.named(triggers, |id| Arc::new(self.trigger(id)))
    }

    fn trigger(&self, id: Id<TriggerOf>) -> Trigger {
        let Some(trigger) = self.get(id) else { return Trigger::default() };
        Trigger {
            description: self.text(trigger.description),
            metadata: self.metadata(trigger.metadata),
            event: self.text(trigger.event),
            schedule: self.given(trigger.schedule),
            target_filter: trigger.target_filter.and_then(|id| self.written(id.any())),
            condition: self.given(trigger.condition).or_else(|| self.written(trigger.assertions?.any())),
            action: self.activities(&trigger.action),
            operation: self.given(trigger.operation),
            source: self.source(id.any()),
        }
    }

    pub(super) fn given(&self, value: Option<Located>) -> Option<Value> {
        Some(self.value(self.data(Some(value?.0))?))
    }

    /// Returns the source of an entity, as a value.
    fn written(&self, id: AnyId) -> Option<Value> {
        let node = self.context.header(id)?.node;
        Some(self.value(self.data(Some(NodeRef { unit: id.unit, node }))?))
    }

    fn activities(&self, activities: &[Id<ActivityOf>]) -> Vec<Activity> {
        activities.iter().filter_map(|id| self.activity(*id)).collect()
    }

    fn activity(&self, id: Id<ActivityOf>) -> Option<Activity> {
        let activity = self.get(id)?;
        if let Some(call) = activity.call_operation.and_then(|id| self.get(id)) {
            let name = self.text(call.operation)?;
            let (interface, operation) = name.rsplit_once('.').unwrap_or(("", &*name));
            return Some(Activity::CallOperation(OperationCall {
                interface: interface.into(),
                operation: operation.into(),
                description: self.text(call.description),
                metadata: self.metadata(call.metadata),
                inputs: self.values(call.inputs),
            }));
        }
        if let Some(call) = activity.delegate.and_then(|id| self.get(id)) {
            return self.workflow_call(call).map(Activity::Delegate);
        }
        if let Some(call) = activity.inline.and_then(|id| self.get(id)) {
            return self.workflow_call(call).map(Activity::Inline);
        }
        Some(Activity::SetState(self.text(activity.set_state)?))
    }

    fn workflow_call(&self, call: &WorkflowCallOf) -> Option<WorkflowCall> {
        Some(WorkflowCall {
            workflow: self.text(call.workflow)?,
            description: self.text(call.description),
            metadata: self.metadata(call.metadata),
            inputs: self.values(call.inputs),
        })
    }

    pub(super) fn workflow(&self, id: Id<WorkflowDefinition>) -> Workflow {
        let Some(workflow) = self.get(id) else { return Workflow::default() };
        let mut outputs = OverlayMap::default();
        self.map_outputs(&mut outputs, workflow.outputs);
        Workflow {
            description: self.text(workflow.description),
            metadata: self.metadata(workflow.metadata),
            inputs: self.definitions(&workflow.inputs),
            preconditions: match workflow.precondition {
                Some(_) => self.conditions(workflow.precondition),
                None => workflow.preconditions.iter().filter_map(|id| self.written(id.any())).collect(),
            },
            steps: self.named(&workflow.steps, |id| self.step(id)),
            implementation: workflow.implementation.and_then(|id| self.implementation(id, ArtifactScope::default())),
            outputs,
            source: self.source(id.any()),
        }
    }

    /// Returns the conditions that must all hold: a list, or a single one.
    fn conditions(&self, conditions: Option<Located>) -> Vec<Value> {
        let Some(node) = conditions.and_then(|conditions| self.data(Some(conditions.0))) else { return Vec::new() };
        match node.kind() {
            Kind::List => node.items().map(|condition| self.value(condition)).collect(),
            _ => vec![self.value(node)],
        }
    }

    fn step(&self, id: Id<WorkflowStep>) -> Step {
        let Some(step) = self.get(id) else { return Step::default() };
        let target = step.target.and_then(|target| self.context.any_target(target));
        let name_if = |is_it: bool, id: AnyId| is_it.then(|| self.name_of(id));
        Step {
            description: self.text(step.description),
            metadata: self.metadata(step.metadata),
            node: target.and_then(|id| name_if(id.cast::<NodeTemplate>().is_some(), id)),
            group: target.and_then(|id| name_if(id.cast::<GroupDefinition>().is_some(), id)),
            relationship: self.text(step.target_relationship),
            operation_host: self.text(step.operation_host),
            filter: self.conditions(step.filter),
            activities: self.activities(&step.activities),
            on_success: self.texts(&step.on_success),
            on_failure: self.texts(&step.on_failure),
            source: self.source(id.any()),
        }
    }
}
