//! Groups and policies.

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::Node;
use tosca_parse::diagnostic::Help;
use tosca_parse::entity::{AnyId, Checked, Checks, Id};
use tosca_parse::phase::rendering::RenderedEntity;
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::blueprint::Nodes;
use super::{call, get, graph, key_of, report, report_loops, text_of};
use crate::grammar::{Group, GroupPolicy, GroupTrigger, NODE_TEMPLATES, ScalingPolicy};
use crate::rules::{GROUP_LOOP, INVALID_GROUP, INVALID_RELATIONSHIP};

/// The only type of scaling policies.
const SCALING: &str = "cloudify.policies.scaling";

/// The maximum number of members of all groups that are compared with each other, including those of nested groups.
const MAX_MEMBERS: usize = 200_000;

impl Checked for Group {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(group);
}

fn group(group: &Group, context: &mut Context<'_>, id: Id<Group>) {
    let Some(key) = key_of(context, id.any()) else { return };
    if group.members.is_given() && group.members.is_empty() {
        let message = format!("group `{}` has no members", key.text());
        report(context, &INVALID_GROUP, key, message, "add a node template or a group to `members`");
    }
    let name = context.intern(key.text());
    if context.resolve(id.any(), NODE_TEMPLATES, name).id().is_some() {
        let message = format!("group `{}` has the name of a node template", key.text());
        report(context, &INVALID_GROUP, key, message, "rename the group or the node template");
    }
}

impl Checked for GroupPolicy {
    const CHECKS: Checks<Self> = Checks::NEW.render(policy);
}

fn policy(policy: &GroupPolicy, context: &mut Context<'_>, id: Id<GroupPolicy>) {
    let definition = context.definition(id.any());
    context.apply::<GroupPolicy>(&RenderedEntity::of(id.any(), definition));
    values(context, policy.properties.position.and_then(|position| context.node(position)));
}

impl Checked for GroupTrigger {
    const CHECKS: Checks<Self> = Checks::NEW.render(trigger);
}

fn trigger(trigger: &GroupTrigger, context: &mut Context<'_>, id: Id<GroupTrigger>) {
    let definition = context.definition(id.any());
    context.apply::<GroupTrigger>(&RenderedEntity::of(id.any(), definition));
    values(context, trigger.parameters.position.and_then(|position| context.node(position)));
}

fn values(context: &mut Context<'_>, map: Option<Node<'_>>) {
    for entry in map.into_iter().flat_map(Node::entries) {
        call::check_definition(context, entry.value);
    }
}

impl Checked for ScalingPolicy {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(scaling);
}

fn scaling(policy: &ScalingPolicy, context: &mut Context<'_>, id: Id<ScalingPolicy>) {
    if let Some(ty) = text_of(context, policy.r#type).filter(|ty| ty.text() != SCALING) {
        let message = format!("there is no policy type `{}`", ty.text());
        report(context, &INVALID_GROUP, ty, message, Help::write(SCALING));
    }
    if policy.targets.is_given()
        && policy.targets.is_empty()
        && let Some(node) = super::node_of(context, id.any()).and_then(|node| node.find("targets"))
    {
        report(context, &INVALID_GROUP, node.value, "a scaling policy needs a target", "add a group to `targets`");
    }
}

/// Returns the members of a group: node templates and groups.
fn members(context: &Context<'_>, id: AnyId) -> Vec<AnyId> {
    let group = get::<Group>(context, id);
    let references = group.into_iter().flat_map(|group| group.members.iter());
    references.filter_map(|reference| context.any_target(*reference)).collect()
}

/// Checks the groups that scaling policies target.
pub(super) fn targeted(context: &mut Context<'_>, policies: &[Id<ScalingPolicy>], nodes: &Nodes<'_>) {
    let (mut groups, mut met) = (Vec::new(), FxHashSet::default());
    for id in policies {
        let Some(policy) = context.get(*id) else { continue };
        for target in policy.targets.iter().filter_map(|target| context.any_target(*target)) {
            if met.insert(target) {
                groups.push((target, *id));
            }
        }
    }
    loops(context, &groups);
    let mut owners: FxHashMap<AnyId, AnyId> = FxHashMap::default();
    let mut room = MAX_MEMBERS;
    let (roots, has_all_to_one) = (roots(context, &groups, nodes), nodes.has_all_to_one());
    for (group, policy) in &groups {
        let at = section(context, policy.any());
        for member in members(context, *group) {
            let other = owners.insert(member, *group).filter(|other| other != group);
            if let Some(other) = other {
                let name = |id| context.program.name(id);
                let (member, one, other) = (name(member), name(other), name(*group));
                let message = format!("`{member}` is a member of the scaling groups `{one}` and `{other}`");
                context.problem(&INVALID_GROUP, at, message).help("remove the member from one of the groups");
            }
        }
        let has_several = roots.get(group).is_some_and(|roots| roots.is_any_contained && roots.nodes.len() > 1);
        if has_several {
            let name = context.program.name(*group);
            let message = format!("the members of scaling group `{name}` are contained in different nodes");
            context.problem(&INVALID_GROUP, at, message).help("use a separate scaling group for each of the nodes");
        }
        if has_all_to_one {
            all_to_one(context, *group, nodes, &mut room);
        }
    }
}

/// Returns the position of the section that contains a policy.
fn section(context: &Context<'_>, policy: AnyId) -> Option<tosca_parse::diagnostic::Span> {
    let root = context.program.owners(policy).last()?;
    context.program.keyname_span(root, "policies")
}

fn loops(context: &mut Context<'_>, groups: &[(AnyId, Id<ScalingPolicy>)]) {
    let numbers: FxHashMap<AnyId, usize> = groups.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
    let mut edges = Vec::new();
    for (number, (id, _)) in groups.iter().enumerate() {
        edges.extend(members(context, *id).iter().filter_map(|member| Some((number, *numbers.get(member)?))));
    }
    let nodes =
        groups.iter().map(|(id, policy)| (section(context, policy.any()), context.program.name(*id).to_owned()));
    let graph = graph(nodes.collect(), edges);
    report_loops(context, &GROUP_LOOP, &graph, |name, path| {
        (format!("scaling group `{name}` contains itself: {path}"), "remove one of the groups from the other")
    });
}

/// The nodes around the members of a group, including those of nested groups.
#[derive(Clone, Default)]
struct Roots {
    /// The outermost nodes that contain the members; at most two, because more make no difference.
    nodes: Vec<AnyId>,
    /// Whether any member is contained in another node.
    is_any_contained: bool,
}

impl Roots {
    fn add(&mut self, node: AnyId) {
        if self.nodes.len() < 2 && !self.nodes.contains(&node) {
            self.nodes.push(node);
        }
    }
}

/// Returns the nodes around the members of each group, after those of nested groups.
fn roots(context: &Context<'_>, groups: &[(AnyId, Id<ScalingPolicy>)], nodes: &Nodes<'_>) -> FxHashMap<AnyId, Roots> {
    let mut known: FxHashMap<AnyId, Roots> = FxHashMap::default();
    let mut waiting: Vec<(AnyId, bool)> = groups.iter().map(|(group, _)| (*group, false)).collect();
    while let Some((group, is_complete)) = waiting.pop() {
        if !is_complete {
            // In a loop, which is reported, a group begun earlier adds nothing.
            if known.contains_key(&group) {
                continue;
            }
            known.insert(group, Roots::default());
            waiting.push((group, true));
            let inner = members(context, group).into_iter().filter(|id| get::<Group>(context, *id).is_some());
            waiting.extend(inner.map(|member| (member, false)));
            continue;
        }
        let mut roots = Roots::default();
        for member in members(context, group) {
            if get::<Group>(context, member).is_some() {
                let inner = known.get(&member).cloned().unwrap_or_default();
                inner.nodes.into_iter().for_each(|node| roots.add(node));
                roots.is_any_contained |= inner.is_any_contained;
            } else {
                let (root, is_contained) = nodes.root(nodes.canonical(member));
                roots.add(root);
                roots.is_any_contained |= is_contained;
            }
        }
        known.insert(group, roots);
    }
    known
}

/// Reports relationships between the members of a scaling group in which all instances have the same target.
fn all_to_one(context: &mut Context<'_>, group: AnyId, nodes: &Nodes<'_>, room: &mut usize) {
    let (mut waiting, mut met, mut all) = (vec![group], FxHashSet::default(), FxHashSet::default());
    while let Some(next) = waiting.pop() {
        for member in members(context, next) {
            let Some(left) = room.checked_sub(1) else { return };
            *room = left;
            if get::<Group>(context, member).is_some() {
                if met.insert(member) {
                    waiting.push(member);
                }
            } else {
                all.insert(nodes.canonical(member));
            }
        }
    }
    let mut members: Vec<AnyId> = all.iter().copied().collect();
    members.sort_unstable_by_key(|member| context.program.name_span(*member).map(|span| span.start));
    for member in &members {
        for (id, target) in nodes.all_to_one(*member) {
            if all.contains(&target) && *member != target {
                let at = super::node_of(context, id).map(Node::span);
                let message = "`all_to_one` is not supported between members of a scaling group";
                context.problem(&INVALID_RELATIONSHIP, at, message).help("write `connection_type: all_to_all`");
            }
        }
    }
}
