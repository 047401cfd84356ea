//! What paths lead through: nodes, their capabilities, and the relationships between them.

use super::place::Here;

/// A step of a path, as it is written.
#[derive(Clone, Copy)]
pub(crate) enum Step<'t> {
    /// A name or a keyword.
    Name(&'t str),
    /// An index; nothing for a number that is not one.
    Index(Option<usize>),
    /// A call, which gives the step.
    Call,
    /// Anything else.
    Other,
}

/// The result of a lookup.
pub(crate) enum Found<T> {
    Is(T),
    Missing,
    /// There are only this many.
    Only(u64),
    /// It can't be known.
    Unknown,
}

/// Why a step of a path leads nowhere.
#[derive(Clone, Copy)]
pub(crate) enum Fault<N> {
    /// A number is not an index.
    NotAnIndex,
    /// A name is needed here.
    NotAName,
    /// There is neither a node nor a relationship here.
    NotHere,
    /// Since 2.0, no path starts with this keyword.
    NotFirst,
    /// There is a node here rather than a relationship.
    NotInRelationship,
    /// No template has this name.
    NoTemplate,
    /// The node has no requirement for a host.
    NoHost(N),
    NoRequirement(N),
    NoCapability(N),
    /// The keyword does not apply to this.
    Astray(&'static str),
    /// There are fewer of these than the index says.
    Only(u64, &'static str),
}

/// A place in a graph.
pub(crate) type HereIn<'t, G> =
    Here<<G as Graph<'t>>::Node, <G as Graph<'t>>::Relationship, <G as Graph<'t>>::Capability>;

/// The graph that a path is followed through, seen from the value that holds the path.
pub(crate) trait Graph<'t> {
    type Step: Copy;
    type Node: Copy;
    type Relationship: Copy;
    type Capability: Copy;
    type Lost;

    fn read(&self, step: Self::Step) -> Step<'t>;

    /// Whether a path that starts with this step is written as before 2.0.
    fn is_simple(&self, head: Self::Step) -> bool;

    /// Whether a call gives an index, if that is known.
    fn is_index(&mut self, call: Self::Step) -> Option<bool>;

    fn lost(&self, step: Self::Step, fault: Fault<Self::Node>) -> Self::Lost;

    /// What `SELF` is.
    fn here(&self) -> HereIn<'t, Self>;

    /// The node or relationship of a template.
    fn template(&self, name: &str) -> Found<HereIn<'t, Self>>;

    /// How many nodes are made from the template of a node.
    fn count(&self, node: Self::Node) -> Option<u64>;

    /// Whether this is one particular node, rather than any of a type.
    fn is_particular(&self, node: Self::Node) -> bool;

    fn capability(&self, node: Self::Node, name: &str) -> Found<Self::Capability>;

    /// The relationship with an index among those of a requirement; without an index, what is known of all of them.
    fn relationship(&self, node: Self::Node, name: &str, index: Option<usize>) -> Found<Self::Relationship>;

    /// A relationship for each requirement of a node, with the name of the requirement.
    fn relationships(&self, node: Self::Node) -> Found<Vec<(&'t str, Self::Relationship)>>;

    /// Whether the source of a relationship runs on its target, if that is known.
    fn is_hosting(&self, relationship: Self::Relationship) -> Option<bool>;

    /// Whether neither the requirement nor its definition names a type of the relationship, which has no members then.
    fn is_untyped(&self, _: Self::Relationship) -> bool {
        false
    }

    fn source(&self, relationship: Self::Relationship) -> Option<Self::Node>;

    fn target(&self, relationship: Self::Relationship) -> Option<Self::Node>;

    fn target_capability(&self, relationship: Self::Relationship) -> Option<Self::Capability>;

    /// Any relationship that ends at a node, at a certain capability of it. Which there are is known when the service is
    /// deployed.
    fn incoming(&self, target: Self::Node, capability: Option<Self::Capability>) -> Option<Self::Relationship>;
}

/// The place that a path starts at. Nothing if it can't be known.
pub(crate) fn start<'t, G: Graph<'t>>(graph: &G, head: G::Step) -> Result<Option<HereIn<'t, G>>, G::Lost> {
    let Step::Name(word) = graph.read(head) else { return Ok(None) };
    let is_simple = graph.is_simple(head);
    match word {
        "SELF" => match graph.here() {
            Here::Nowhere => Err(graph.lost(head, Fault::NotHere)),
            here => Ok(Some(here)),
        },
        "SOURCE" | "TARGET" | "HOST" if !is_simple => Err(graph.lost(head, Fault::NotFirst)),
        // Which of the hosts below each other is meant depends on which has the property.
        "SOURCE" | "TARGET" | "HOST" => match graph.here() {
            Here::Nowhere => Err(graph.lost(head, Fault::NotHere)),
            Here::Relationship(relationship) if word == "SOURCE" => Ok(graph.source(relationship).map(Here::Node)),
            Here::Relationship(relationship) if word == "TARGET" => Ok(graph.target(relationship).map(Here::Node)),
            Here::Node(_) if word != "HOST" => Err(graph.lost(head, Fault::NotInRelationship)),
            _ => Ok(None),
        },
        "ORCHESTRATOR" if is_simple => Ok(None),
        name => match graph.template(name) {
            Found::Is(here) => Ok(Some(here)),
            Found::Missing => Err(graph.lost(head, Fault::NoTemplate)),
            Found::Only(_) | Found::Unknown => Ok(None),
        },
    }
}

/// Finds the item that an index leads to, if each item stands for a number of things.
pub(crate) fn pick<T>(items: impl IntoIterator<Item = (T, Option<u64>)>, index: usize) -> Found<T> {
    let mut total = 0;
    let index = index as u64;
    for (item, count) in items {
        match count {
            // As far as is known, there is at least one.
            None if index == total => return Found::Is(item),
            None => return Found::Unknown,
            Some(count) if index < total.saturating_add(count) => return Found::Is(item),
            Some(count) => total = total.saturating_add(count),
        }
    }
    Found::Only(total)
}

/// Whether a relationship type of this name is that of hosting, in whatever profile (decision A 62).
pub(crate) fn is_hosting_name(name: &str) -> bool {
    name.strip_suffix("HostedOn").is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_count_things_rather_than_items() {
        let of = |index| match pick([('a', Some(2)), ('b', Some(0)), ('c', Some(1))], index) {
            Found::Is(item) => Ok(item),
            Found::Only(count) => Err(count),
            Found::Missing | Found::Unknown => unreachable!("all counts are known"),
        };
        assert_eq!([of(0), of(1), of(2), of(3)], [Ok('a'), Ok('a'), Ok('c'), Err(3)]);
    }

    #[test]
    fn counts_may_be_as_large_as_numbers_are() {
        let huge = [('a', Some(u64::MAX)), ('b', Some(u64::MAX)), ('c', None)];
        assert!(matches!(pick(huge, usize::MAX), Found::Is('c')));
        assert!(matches!(pick(huge, 0), Found::Is('a')));
    }
}
