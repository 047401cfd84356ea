//! Limits of capabilities: the number of relationships, and the amounts that relationships may allocate.

use std::collections::VecDeque;
use std::sync::Arc;

use foldhash::HashMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::{Candidate, Candidates, Shortlist, capability_here};
use super::index::Index;
use super::query::RequirementQuery;
use crate::ard::Node;
use crate::data::{Amount, Evaluator, RelationshipContext, ValueContext, amounts};
use crate::entity::{AnyId, Id, Value};
use crate::grammar::template::{NodeTemplate, RequirementAssignment};
use crate::phase::Context;
use crate::symbol::Symbol;
use crate::value::Number;
use bigdecimal::{Signed, Zero};

/// The target of relationships: a node and its capability.
type End = (usize, AnyId);

/// The maximum number of earlier choices that are considered to free capacity for another one.
const CHANGES: usize = 10_000;

/// The maximum number of nodes that are considered for moved allocations, for all queries together, because each node
/// takes a while.
const MOVES: usize = 100_000;

/// The used capacities, and the limits.
pub(super) struct CapacityTracker<'i, 'a> {
    index: &'i Index<'a>,
    /// The number of relationships to each capability that limits this number.
    used: FxHashMap<End, u64>,
    limits: FxHashMap<End, Option<u64>>,
    /// The allocated amounts of properties.
    allocated: HashMap<(End, String), Number>,
    /// The choices for each query: nodes, with the number of relationships to each.
    chosen: FxHashMap<usize, Vec<(Candidate, u64)>>,
    /// The queries with a relationship to each capability that limits the number of relationships or from which
    /// something is allocated.
    at: FxHashMap<End, Vec<usize>>,
    /// The number of nodes without capacity at the start of a shortlist, by shortlist and allocation. Such nodes need
    /// not be considered again.
    spent: HashMap<(usize, String), usize>,
    /// The target nodes of a node's relationships, by the name of the requirement.
    ends: FxHashMap<(usize, Symbol), Vec<usize>>,
    /// The number of nodes that have been considered for moved allocations.
    looked: usize,
    /// Assignments in the template that exceed a limit, in order, with the target and the reason.
    pub(super) exceeding: Vec<(Id<RequirementAssignment>, usize, String)>,
}

impl<'i, 'a> CapacityTracker<'i, 'a> {
    /// Creates a tracker with the capacities that the relationships in the template itself use.
    pub(super) fn of(context: &mut Context<'a>, index: &'i Index<'a>) -> Self {
        let mut rooms = Self {
            index,
            used: FxHashMap::default(),
            limits: FxHashMap::default(),
            allocated: HashMap::default(),
            chosen: FxHashMap::default(),
            at: FxHashMap::default(),
            ends: FxHashMap::default(),
            spent: HashMap::default(),
            looked: 0,
            exceeding: Vec::new(),
        };
        for (source, node) in index.nodes.iter().enumerate() {
            for (name, id) in &node.template.requirements {
                let Some(assignment) = context.get(*id) else { continue };
                let target = assignment.node.reference.and_then(|reference| context.any_target(reference));
                let Some(target) = target.and_then(AnyId::cast::<NodeTemplate>) else { continue };
                let Some(target) = index.number(target) else { continue };
                rooms.ends.entry((source, *name)).or_default().push(target);
                let here = RelationshipContext::of_assignment(context, *id, index.here(source));
                let Some(capability) = here.capability.definition else { continue };
                let candidate = Candidate { node: target, capability: Some(capability) };
                let count = match assignment.count {
                    None => 1,
                    Some(Value(count)) => {
                        let of_node = context.node(count).and_then(|node| u64::try_from(node.as_integer()?).ok());
                        of_node.unwrap_or(1)
                    }
                };
                if let Some(reason) = rooms.lacks(context, Some(assignment), node.id.any(), candidate, count) {
                    rooms.exceeding.push((*id, target, reason));
                }
                rooms.take(context, Some(assignment), node.id.any(), candidate, count);
            }
        }
        rooms
    }

    /// Returns the nodes that have been chosen for a query, in the order of choice.
    pub(super) fn taken(&self, demand: usize) -> Vec<(usize, u64)> {
        let chosen = self.chosen.get(&demand).map_or(&[][..], |chosen| chosen);
        chosen.iter().map(|(candidate, count)| (candidate.node, *count)).collect()
    }

    /// Chooses the first nodes with enough capacity for a query.
    pub(super) fn place(
        &mut self,
        context: &mut Context<'a>,
        demands: &[RequirementQuery<'a>],
        shortlists: &[Option<Arc<Shortlist>>],
        number: usize,
    ) {
        let demand = &demands[number];
        let (Some(shortlist), Some(mut wanted)) = (&shortlists[number], demand.count) else { return };
        let at = self.index.nodes[demand.source].id.any();
        let mut full = false;
        // Nodes that are connected by another assignment of the requirement come last: two assignments are meant for
        // two nodes.
        let others = self.ends.get(&(demand.source, demand.name)).cloned().unwrap_or_default();
        let is_other = |candidate: &&Candidate| others.contains(&candidate.node);
        let key = (Arc::as_ptr(shortlist) as usize, demand.allocated(context));
        let start = self.advance(context, demand, shortlist, key);
        let again = shortlist.nodes[start..].iter().filter(|_| !others.is_empty()).filter(is_other);
        for candidate in shortlist.nodes[start..].iter().filter(|candidate| !is_other(candidate)).chain(again) {
            if wanted == 0 {
                return;
            }
            if candidate.node == demand.source {
                continue;
            }
            // The relationships of one requirement have different target nodes, but one template may create several
            // nodes.
            let most = self.index.nodes[candidate.node].count.unwrap_or(1).min(wanted);
            let fits = |rooms: &mut Self, context: &mut Context<'a>, count| {
                rooms.lacks(context, demand.assignment, at, *candidate, count).is_none()
            };
            let mut count = most;
            while count > 0 && !fits(self, context, count) {
                // The largest part that fits is approximated by halving; other nodes take the rest.
                full = true;
                count /= 2;
            }
            if count > 0 {
                self.choose(context, demand, number, *candidate, count);
                wanted -= count;
            }
        }
        while wanted > 0 && (full || start > 0) && self.make_room(context, demands, shortlists, number) {
            wanted -= 1;
        }
    }

    /// Returns the number of nodes at the start of a shortlist that have no capacity left for a query, however little
    /// it needs.
    fn advance(
        &mut self,
        context: &mut Context<'a>,
        demand: &RequirementQuery<'a>,
        shortlist: &Shortlist,
        key: (usize, String),
    ) -> usize {
        let at = self.index.nodes[demand.source].id.any();
        let mut start = self.spent.get(&key).copied().unwrap_or(0);
        while let Some(candidate) = shortlist.nodes.get(start)
            && self.is_spent(context, demand, at, *candidate)
        {
            start += 1;
        }
        self.spent.insert(key, start);
        start
    }

    /// Returns whether a node has no capacity left for a query, however little it needs.
    fn is_spent(
        &mut self,
        context: &mut Context<'a>,
        demand: &RequirementQuery<'a>,
        at: AnyId,
        candidate: Candidate,
    ) -> bool {
        let Some(end) = end(candidate) else { return false };
        if !self.has_room(context, candidate, 1) {
            return true;
        }
        let made = Number::from(self.index.nodes[candidate.node].count.unwrap_or(1));
        let amounts = self.amounts(context, demand.assignment, at, candidate);
        amounts.into_iter().any(|Amount { name, wanted, capacity }| {
            let used = self.allocated.get(&(end, name.to_owned()));
            wanted.is_some_and(|wanted| wanted.is_positive())
                && capacity.zip(used).is_some_and(|(capacity, used)| *used >= capacity * made.clone())
        })
    }

    fn choose(
        &mut self,
        context: &mut Context<'a>,
        demand: &RequirementQuery<'a>,
        number: usize,
        candidate: Candidate,
        count: u64,
    ) {
        let at = self.index.nodes[demand.source].id.any();
        self.take(context, demand.assignment, at, candidate, count);
        self.chosen.entry(number).or_default().push((candidate, count));
        self.ends.entry((demand.source, demand.name)).or_default().push(candidate.node);
        let may_move = demand.allocates() || self.limit(context, candidate).is_some();
        if let Some(end) = end(candidate).filter(|_| may_move) {
            self.at.entry(end).or_default().push(number);
        }
    }

    /// Changes earlier choices to free capacity for one more relationship and adds that relationship. For a query that
    /// allocates nothing, any number of choices that allocate nothing may change. For a query that allocates
    /// something, only a single choice that also allocates something may change, because optimal packing of allocations
    /// would take unlimited time.
    fn make_room(
        &mut self,
        context: &mut Context<'a>,
        demands: &[RequirementQuery<'a>],
        shortlists: &[Option<Arc<Shortlist>>],
        number: usize,
    ) -> bool {
        if demands[number].allocates() {
            return self.move_allocation(context, demands, shortlists, number);
        }
        // For each reached target: the query that would move to it, and the present target of that query.
        let mut reached: FxHashMap<End, (usize, Option<Candidate>, Candidate)> = FxHashMap::default();
        let mut waiting: VecDeque<Candidate> = VecDeque::new();
        let mut looked = 0;
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut next = vec![(number, None::<Candidate>)];
        let mut free = 'search: loop {
            for (mover, from) in next.drain(..) {
                let Some(shortlist) = &shortlists[mover] else { continue };
                if !seen.insert(mover) {
                    continue;
                }
                let own: Vec<usize> = self.taken(mover).iter().map(|(node, _)| *node).collect();
                for candidate in &shortlist.nodes {
                    looked += 1;
                    if looked > CHANGES {
                        return false;
                    }
                    let Some(end) = end(*candidate) else { continue };
                    let is_own = candidate.node == demands[mover].source || own.contains(&candidate.node);
                    if is_own || reached.contains_key(&end) {
                        continue;
                    }
                    reached.insert(end, (mover, from, *candidate));
                    if self.has_room(context, *candidate, 1) {
                        break 'search Some(end);
                    }
                    waiting.push_back(*candidate);
                }
            }
            let Some(candidate) = waiting.pop_front() else { return false };
            let movers = end(candidate).and_then(|end| self.at.get(&end)).cloned().unwrap_or_default();
            let single =
                |mover: &usize| self.chosen.get(mover).is_some_and(|chosen| chosen.len() == 1 && chosen[0].1 == 1);
            next = movers
                .into_iter()
                .filter(|mover| single(mover) && !demands[*mover].allocates())
                .map(|mover| (mover, Some(candidate)))
                .collect();
        };
        // Follow the chain back: each query moves to the target that has just become free.
        while let Some((mover, from, to)) = free.and_then(|end| reached.get(&end)).copied() {
            if let Some(from) = from {
                self.leave(mover, from);
            }
            self.choose(context, &demands[mover], mover, to, 1);
            free = from.and_then(end);
        }
        true
    }

    /// Moves the allocation of another query to another node to free capacity for a query and chooses the freed node.
    fn move_allocation(
        &mut self,
        context: &mut Context<'a>,
        demands: &[RequirementQuery<'a>],
        shortlists: &[Option<Arc<Shortlist>>],
        number: usize,
    ) -> bool {
        let Some(shortlist) = shortlists[number].clone() else { return false };
        let demand = &demands[number];
        let (own_at, taken) = (self.index.nodes[demand.source].id.any(), self.taken(number));
        for candidate in &shortlist.nodes {
            self.looked += 1;
            if self.looked > MOVES {
                return false;
            }
            let is_own = candidate.node == demand.source || taken.iter().any(|(node, _)| *node == candidate.node);
            let Some(end) = end(*candidate).filter(|_| !is_own) else { continue };
            for mover in self.at.get(&end).cloned().unwrap_or_default() {
                let is_single = self.chosen.get(&mover).is_some_and(|chosen| chosen.len() == 1 && chosen[0].1 == 1);
                let Some(places) = shortlists[mover].clone().filter(|_| is_single && demands[mover].allocates()) else {
                    continue;
                };
                let (moved, mover_at) = (&demands[mover], self.index.nodes[demands[mover].source].id.any());
                self.release(context, moved, mover, *candidate);
                self.looked += 1;
                if self.lacks(context, demand.assignment, own_at, *candidate, 1).is_none() {
                    for place in &places.nodes {
                        self.looked += 1;
                        let is_other = place.node != candidate.node && place.node != moved.source;
                        if is_other && self.lacks(context, moved.assignment, mover_at, *place, 1).is_none() {
                            self.choose(context, moved, mover, *place, 1);
                            self.choose(context, demand, number, *candidate, 1);
                            // There may be free capacity again.
                            self.spent.clear();
                            return true;
                        }
                        if self.looked > MOVES {
                            break;
                        }
                    }
                }
                self.choose(context, moved, mover, *candidate, 1);
            }
        }
        false
    }

    /// Reverts a choice, with its allocations.
    fn release(
        &mut self,
        context: &mut Context<'a>,
        demand: &RequirementQuery<'a>,
        number: usize,
        candidate: Candidate,
    ) {
        self.leave(number, candidate);
        if let Some(ends) = self.ends.get_mut(&(demand.source, demand.name)) {
            ends.retain(|node| *node != candidate.node);
        }
        let Some(end) = end(candidate) else { return };
        let at = self.index.nodes[demand.source].id.any();
        for Amount { name, wanted, .. } in self.amounts(context, demand.assignment, at, candidate) {
            if let (Some(wanted), Some(used)) = (wanted, self.allocated.get_mut(&(end, name.to_owned()))) {
                *used -= wanted;
            }
        }
    }

    fn leave(&mut self, number: usize, candidate: Candidate) {
        let Some(end) = end(candidate) else { return };
        if let Some(used) = self.used.get_mut(&end) {
            *used = used.saturating_sub(1);
        }
        if let Some(at) = self.at.get_mut(&end) {
            at.retain(|demand| *demand != number);
        }
        if let Some(chosen) = self.chosen.get_mut(&number) {
            chosen.retain(|(chosen, _)| chosen.node != candidate.node);
        }
    }

    /// Returns the maximum number of relationships to the capability of a node; `None` if there is no limit.
    fn limit(&mut self, context: &Context<'a>, candidate: Candidate) -> Option<u64> {
        let end = end(candidate)?;
        let index = self.index;
        *self.limits.entry(end).or_insert_with(|| {
            let definition = context.get(candidate.capability?)?;
            let here = capability_here(context, index, candidate);
            let assigned = here.assignment.and_then(|id| context.get(id)?.occurrences.as_ref());
            let of_assignment = assigned.and_then(|range| range.value.upper);
            let of_definition = definition.occurrences.as_ref().and_then(|range| range.value.upper);
            let limit = of_assignment.or(of_definition)?;
            Some(limit.saturating_mul(index.nodes[candidate.node].count?))
        })
    }

    fn has_room(&mut self, context: &Context<'a>, candidate: Candidate, count: u64) -> bool {
        let used = end(candidate).and_then(|end| self.used.get(&end)).copied().unwrap_or(0);
        self.limit(context, candidate).is_none_or(|limit| used.saturating_add(count) <= limit)
    }

    /// Returns the reason why a node has no capacity left for a query.
    pub(super) fn reason(
        &mut self,
        context: &mut Context<'a>,
        candidates: &mut Candidates<'_, 'a>,
        demand: &RequirementQuery<'a>,
        node: usize,
    ) -> Option<String> {
        let shortlist = candidates.of(context, demand);
        let capability = shortlist.capability(node);
        let at = self.index.nodes[demand.source].id.any();
        self.lacks(context, demand.assignment, at, Candidate { node, capability }, 1)
    }

    /// Describes what a node lacks for the given number of additional relationships.
    pub(super) fn lacks(
        &mut self,
        context: &mut Context<'a>,
        assignment: Option<&'a RequirementAssignment>,
        at: AnyId,
        candidate: Candidate,
        count: u64,
    ) -> Option<String> {
        let name = candidate.capability.map_or("", |id| context.program.name(id.any()));
        if !self.has_room(context, candidate, count) {
            let limit = self.limit(context, candidate).unwrap_or(0);
            let verb =
                if limit == 1 { "relationship, which it already has" } else { "relationships, which it already has" };
            return Some(format!("its capability `{name}` may have at most {limit} {verb}"));
        }
        let end = end(candidate)?;
        for Amount { name: property, wanted, capacity } in self.amounts(context, assignment, at, candidate) {
            let (Some(wanted), Some(capacity)) = (wanted, capacity) else { continue };
            let used = self.allocated.get(&(end, property.to_owned())).cloned().unwrap_or_default();
            let made = self.index.nodes[candidate.node].count.unwrap_or(1);
            if &used + wanted * Number::from(count) > &capacity * Number::from(made) {
                let left = (&capacity * Number::from(made) - &used).normalized();
                return Some(format!(
                    "`{property}` of its capability `{name}`: {} left",
                    if left.is_zero() || left.is_negative() { "nothing".to_owned() } else { format!("only {left}") }
                ));
            }
        }
        None
    }

    fn take(
        &mut self,
        context: &mut Context<'a>,
        assignment: Option<&'a RequirementAssignment>,
        at: AnyId,
        candidate: Candidate,
        count: u64,
    ) {
        let Some(end) = end(candidate) else { return };
        if self.limit(context, candidate).is_some() {
            *self.used.entry(end).or_default() += count;
        }
        for Amount { name, wanted, .. } in self.amounts(context, assignment, at, candidate) {
            if let Some(wanted) = wanted {
                *self.allocated.entry((end, name.to_owned())).or_default() += wanted * Number::from(count);
            }
        }
    }

    fn amounts(
        &self,
        context: &mut Context<'a>,
        assignment: Option<&'a RequirementAssignment>,
        at: AnyId,
        candidate: Candidate,
    ) -> Vec<Amount<'a>> {
        let Some(allocation) = allocation(context, assignment) else { return Vec::new() };
        let here = capability_here(context, self.index, candidate);
        amounts(&mut Evaluator::of_values(context, ValueContext::of(at)), allocation, here)
    }
}

fn allocation<'a>(context: &Context<'a>, assignment: Option<&RequirementAssignment>) -> Option<Node<'a>> {
    context.node(assignment?.allocation.position?)
}

fn end(candidate: Candidate) -> Option<End> {
    Some((candidate.node, candidate.capability?.any()))
}
