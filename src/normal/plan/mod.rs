//! Plans: the order in which the nodes of a service are deployed, with their operations, and the changes from an older
//! version.
//!
//! A node depends on the targets of its requirements and on the nodes whose attributes its values read. Nodes that
//! don't depend on each other form a *stage*: they can be deployed in parallel, once the previous stages are complete.
//! Each node is in the earliest possible stage, so there are as few stages as possible. Undeployment uses the opposite
//! direction.
//!
//! For each node, a step lists the operations that are called, with their inputs: those of the node's lifecycle
//! interface, interleaved with those of its relationships (the declarative workflow of TOSCA 1.3, 5.8.5 and 7.4).

mod difference;
mod operations;
mod order;
mod rebase;
mod step;
mod text;

use foldhash::{HashMap, HashSet};

use super::{Map, Name, Node, Options, Service, TypeName};
use crate::diagnostic::Diagnostic;
use crate::entity::{Model, Topology};
use crate::phase::Program;
use crate::phase::inheritance::Complete;
pub use difference::{Difference, DifferenceKind};
use order::{Order, dependencies};
pub(super) use rebase::Part;
pub use step::{Action, PLAN_VERSION, Plan, PlannedCall, Related, Stage, Step};

/// Returns the JSON Schema of a serialized [`Plan`], which is published as `docs/plan.schema.json`.
#[cfg(feature = "schema")]
pub fn plan_json_schema() -> serde_json::Value {
    crate::json_schema::of::<Plan>()
}

/// Returns the JSON Schema of the serialized result of [`Service::diff`], which is published as
/// `docs/differences.schema.json`.
#[cfg(feature = "schema")]
pub fn differences_json_schema() -> serde_json::Value {
    let mut schema = crate::json_schema::of::<Vec<Difference>>();
    schema["title"] = "Differences".into();
    schema
}

impl Service {
    /// Plans the deployment and undeployment of the service. Unknown inputs of operations are calls, so
    /// [evaluate](Self::evaluate) the service first.
    ///
    /// ```
    /// use tosca_parse::normal::Service;
    /// use tosca_parse::{Entry, Parser, TOSCA};
    ///
    /// let parser = Parser::builder(&TOSCA).build()?;
    /// let text = "
    /// tosca_definitions_version: tosca_2_0
    /// capability_types: { Host: {} }
    /// relationship_types: { HostedOn: {} }
    /// node_types:
    ///   Server: { capabilities: { host: Host } }
    ///   Shop: { requirements: [ host: { capability: Host, relationship: HostedOn } ] }
    /// service_template:
    ///   node_templates:
    ///     shop: { type: Shop, requirements: [ host: server ] }
    ///     server: { type: Server }
    /// ";
    /// let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
    /// let plan = Service::of(&outcome.program).expect("there is a service template").plan();
    /// let first: Vec<&str> = plan.deployment[0].steps.iter().map(|step| &*step.node).collect();
    /// assert_eq!(first, ["server"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plan(&self) -> Plan {
        let order = Order::of(&dependencies(self));
        let deployment = deployment(self, &order, |_| true, |_| Some((Action::Add, Vec::new())));
        plan(self, &order, Vec::new(), deployment)
    }

    /// Plans the change from a service that was deployed with a different template to this one: the nodes to remove,
    /// replace, add and change. The undeployment concerns the resulting service.
    #[must_use]
    pub fn plan_from(&self, old: &Self) -> Plan {
        let order = Order::of(&dependencies(self));
        let moved = rebase::Moved::new(old, self);
        let mut changes = difference::of_nodes(old, self, &moved);
        let replaced = replaced(old, self, &moved, &changes);
        let action = |node: &str| match (old.nodes.contains_key(node), changes.contains_key(node)) {
            (false, _) => Some(Action::Add),
            _ if replaced.contains(node) => Some(Action::Replace),
            (true, true) => Some(Action::Change),
            (true, false) => None,
        };
        let actions: Map<Action> = self.nodes.keys().filter_map(|node| Some((node.clone(), action(node)?))).collect();
        let is_removed = |node: &str| !self.nodes.contains_key(node) || replaced.contains(node);
        let removal = undeployment(old, &Order::of(&dependencies(old)), is_removed, Action::Remove);
        let deployment = deployment(
            self,
            &order,
            |node| actions.contains_key(node),
            |node| {
                let action = *actions.get(node)?;
                let differences = if action == Action::Add { None } else { changes.get_mut(node).map(std::mem::take) };
                Some((action, differences.unwrap_or_default()))
            },
        );
        plan(self, &order, removal, deployment)
    }

    /// Returns the differences from another model, for example an older version of the service.
    #[must_use]
    pub fn diff(&self, old: &Self) -> Vec<Difference> {
        let mut list = Vec::new();
        self.each_difference(old, |difference| list.push(difference));
        list
    }

    /// Calls a function with each of these [differences](Self::diff), in order, without keeping them in memory.
    pub fn each_difference(&self, old: &Self, mut call: impl FnMut(Difference)) {
        difference::of_services(old, self, &mut call);
    }
}

impl Plan {
    /// Plans the deployment and undeployment of the topology that the entry of a program describes. Values are computed
    /// as far as they are known, and secrets are replaced. Returns the problems of the evaluation, too; `None` if there
    /// is nothing to deploy.
    pub fn of(program: &Program<Complete>, options: Options<'_>) -> Option<(Self, Vec<Diagnostic>)> {
        if let Some((service, problems)) = Service::evaluated(program, options) {
            let secrets = program.secrets();
            return Some((service.masked(&secrets).plan().masked(&secrets), problems));
        }
        let entry = program.list.first()?;
        let topology = (entry.language.topology)(program)?;
        Some((Self::of_topology(entry.source.name(), &topology).masked(&program.secrets()), Vec::new()))
    }

    /// Plans the deployment and undeployment of the topology of a program in any language.
    #[must_use]
    pub fn of_topology(file: &str, topology: &Topology) -> Self {
        let mut needed = vec![Vec::new(); topology.nodes.len()];
        topology.edges.iter().for_each(|edge| needed[edge.from].push(edge.to));
        let order = Order::of(&order::Dependencies::of(needed));
        let names: Vec<Name> = topology.nodes.iter().map(|node| node.name.as_str().into()).collect();
        let stages = |order: &Order, action: Action| {
            let step = |node: &usize| Step {
                node: names[*node].clone(),
                action,
                types: [TypeName { name: topology.nodes[*node].kind.as_str().into(), origin: None, version: None }]
                    .into(),
                directive: None,
                count: None,
                after: order.after[*node].iter().map(|needed| names[*needed].clone()).collect(),
                operations: Vec::new(),
                differences: Vec::new(),
                source: None,
            };
            order.stages.iter().map(|nodes| Stage { steps: nodes.iter().map(step).collect() }).collect()
        };
        Self {
            plan: PLAN_VERSION,
            file: file.into(),
            removal: Vec::new(),
            deployment: stages(&order, Action::Add),
            undeployment: stages(&order.reversed(), Action::Remove),
            loops: order.loops.iter().map(|nodes| nodes.iter().map(|node| names[*node].clone()).collect()).collect(),
        }
    }
}

/// Returns the differences between two models of any language.
#[must_use]
pub fn differences(old: &Model<'_>, new: &Model<'_>) -> Vec<Difference> {
    let mut list = Vec::new();
    each_difference(old, new, |difference| list.push(difference));
    list
}

/// Calls a function with each of these [differences], in order, without keeping them in memory.
pub fn each_difference(old: &Model<'_>, new: &Model<'_>, mut call: impl FnMut(Difference)) {
    difference::of_models(old, new, &mut call);
}

/// Returns a plan with the given stages; the service is undeployed as a whole.
fn plan(service: &Service, order: &Order, removal: Vec<Stage>, deployment: Vec<Stage>) -> Plan {
    Plan {
        plan: PLAN_VERSION,
        file: service.file.clone(),
        removal,
        deployment,
        undeployment: undeployment(service, order, |_| true, Action::Remove),
        loops: order.loops.iter().map(|nodes| nodes.iter().map(|node| name(service, *node)).collect()).collect(),
    }
}

fn name(service: &Service, node: usize) -> Name {
    service.nodes.get_index(node).map(|(name, _)| name.clone()).unwrap_or_default()
}

/// Returns the nodes that can't be changed in place, because their type, directives or hosts differ, and the nodes that
/// run on them.
fn replaced(old: &Service, new: &Service, moved: &rebase::Moved<'_>, changes: &Map<Vec<Difference>>) -> HashSet<Name> {
    let is_other = |name: &Name| match (old.nodes.get(name), new.nodes.get(name)) {
        (Some(old), Some(new)) => {
            let of_type = old.types.first().map(|of_type| moved.type_name(of_type));
            of_type.as_ref() != new.types.first() || old.directives != new.directives || hosts(old) != hosts(new)
        }
        _ => false,
    };
    let mut replaced: HashSet<Name> = changes.keys().filter(|name| is_other(name)).cloned().collect();
    let mut guests: HashMap<Name, Vec<&Name>> = HashMap::default();
    for (guest, node) in new.nodes.iter().filter(|(name, _)| old.nodes.contains_key(name)) {
        for host in hosts(node) {
            guests.entry(host.clone()).or_default().push(guest);
        }
    }
    let mut waiting: Vec<Name> = replaced.iter().cloned().collect();
    while let Some(host) = waiting.pop() {
        for guest in guests.get(&host).into_iter().flatten() {
            if replaced.insert((*guest).clone()) {
                waiting.push((*guest).clone());
            }
        }
    }
    replaced
}

/// Returns the hosts of a node.
fn hosts(node: &Node) -> Vec<&Name> {
    let hosting = node.requirements.iter().filter(|requirement| super::evaluate::is_hosting(&requirement.relationship));
    hosting.filter_map(|requirement| Some(&requirement.target.as_ref()?.node)).collect()
}

fn deployment(
    service: &Service,
    order: &Order,
    is_in: impl Fn(&str) -> bool,
    mut action: impl FnMut(&str) -> Option<(Action, Vec<Difference>)>,
) -> Vec<Stage> {
    let incoming = operations::incoming(service);
    let mut stages = Vec::with_capacity(order.stages.len());
    for nodes in &order.stages {
        let mut steps = Vec::with_capacity(nodes.len());
        for node in nodes {
            let Some((name, template)) = service.nodes.get_index(*node) else { continue };
            let Some((action, differences)) = action(name) else { continue };
            let is_made = action != Action::Change;
            let operations =
                if is_made { operations::deployment(service, *node, &incoming[*node]) } else { Vec::new() };
            let after = order.after[*node].iter().map(|node| self::name(service, *node));
            let after = after.filter(|name| is_in(name)).collect();
            steps.push(Step { action, after, operations, differences, ..step(name, template) });
        }
        stages.push(Stage { steps });
    }
    stages.retain(|stage| !stage.steps.is_empty());
    stages
}

fn undeployment(service: &Service, order: &Order, is_wanted: impl Fn(&str) -> bool, action: Action) -> Vec<Stage> {
    let order = order.reversed();
    let mut stages = Vec::with_capacity(order.stages.len());
    for nodes in &order.stages {
        let mut steps = Vec::with_capacity(nodes.len());
        steps.extend(nodes.iter().filter_map(|node| {
            let (name, template) = service.nodes.get_index(*node).filter(|(name, _)| is_wanted(name))?;
            let after = order.after[*node].iter().map(|node| self::name(service, *node));
            Some(Step {
                action,
                after: after.filter(|name| is_wanted(name)).collect(),
                operations: operations::undeployment(service, *node),
                ..step(name, template)
            })
        }));
        stages.push(Stage { steps });
    }
    stages.retain(|stage| !stage.steps.is_empty());
    stages
}

fn step(name: &Name, template: &Node) -> Step {
    let directive = template.directives.first().filter(|first| &***first != "create");
    Step {
        node: name.clone(),
        action: Action::Add,
        types: template.types.clone(),
        directive: directive.cloned(),
        count: template.count.clone(),
        after: Vec::new(),
        operations: Vec::new(),
        differences: Vec::new(),
        source: template.source.clone(),
    }
}
