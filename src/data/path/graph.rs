//! The graph of paths: nodes, their capabilities, and the relationships between them.

use super::place::PathContext;

/// A step of a path.
#[derive(Clone, Copy)]
pub(crate) enum Step<'t> {
    /// A name or a keyword.
    Name(&'t str),
    /// An index; `None` for a number that is not one.
    Index(Option<usize>),
    /// A call that returns the step.
    Call,
    /// Anything else.
    Other,
}

/// The result of a lookup.
pub(crate) enum Found<T> {
    Is(T),
    Missing,
    /// There are only this many items.
    Only(u64),
    /// The result is unknown.
    Unknown,
}

/// The reason why a step of a path leads nowhere.
#[derive(Clone, Copy)]
pub(crate) enum Fault<N> {
    /// The number is not an index.
    NotAnIndex,
    /// A name is expected here.
    NotAName,
    /// There is neither a node nor a relationship here.
    NotHere,
    /// Since 2.0, no path starts with this keyword.
    NotFirst,
    /// The keyword requires a relationship, but there is a node here.
    NotInRelationship,
    /// No template has this name.
    NoTemplate,
    /// The node has no requirement for a host.
    NoHost(N),
    NoRequirement(N),
    NoCapability(N),
    /// The keyword does not apply to this kind of place.
    Astray(&'static str),
    /// There are only this many items of this kind, so the index is too large.
    Only(u64, &'static str),
}

/// A place in a graph.
pub(crate) type HereIn<'t, G> =
    PathContext<<G as Graph<'t>>::Node, <G as Graph<'t>>::Relationship, <G as Graph<'t>>::Capability>;

/// The graph in which a path is followed, from the position of the value that contains the path.
pub(crate) trait Graph<'t> {
    type Step: Copy;
    type Node: Copy;
    type Relationship: Copy;
    type Capability: Copy;
    type Error;

    fn read(&self, step: Self::Step) -> Step<'t>;

    /// Returns whether a path that starts with this step is written in a version before 2.0.
    fn is_simple(&self, head: Self::Step) -> bool;

    /// Returns whether a call returns an index, if that is known.
    fn is_index(&mut self, call: Self::Step) -> Option<bool>;

    fn lost(&self, step: Self::Step, fault: Fault<Self::Node>) -> Self::Error;

    /// Returns the meaning of `SELF`.
    fn here(&self) -> HereIn<'t, Self>;

    /// Returns the node or relationship of a template.
    fn template(&self, name: &str) -> Found<HereIn<'t, Self>>;

    /// Returns the number of nodes that the template of a node creates.
    fn count(&self, node: Self::Node) -> Option<u64>;

    /// Returns whether this is one particular node, rather than any node of a type.
    fn is_particular(&self, node: Self::Node) -> bool;

    fn capability(&self, node: Self::Node, name: &str) -> Found<Self::Capability>;

    /// Returns the relationship at the given index among the relationships of a requirement; without an index, a
    /// relationship with everything that they have in common.
    fn relationship(&self, node: Self::Node, name: &str, index: Option<usize>) -> Found<Self::Relationship>;

    /// Returns a relationship for each requirement of a node, with the name of the requirement.
    fn relationships(&self, node: Self::Node) -> Found<Vec<(&'t str, Self::Relationship)>>;

    /// Returns whether the source of a relationship runs on its target, if that is known.
    fn is_hosting(&self, relationship: Self::Relationship) -> Option<bool>;

    /// Returns whether neither the requirement nor its definition names a type for the relationship, so that it has no
    /// members.
    fn is_untyped(&self, _: Self::Relationship) -> bool {
        false
    }

    fn source(&self, relationship: Self::Relationship) -> Option<Self::Node>;

    fn target(&self, relationship: Self::Relationship) -> Option<Self::Node>;

    fn target_capability(&self, relationship: Self::Relationship) -> Option<Self::Capability>;

    /// Returns the relationship at the given index among those that target a node at the given capability; without an
    /// index, a relationship with what all of them have in common.
    fn incoming(
        &self,
        target: Self::Node,
        capability: Option<Self::Capability>,
        index: Option<usize>,
    ) -> Found<Self::Relationship>;
}

/// Returns the place where a path starts; `None` if it is unknown.
pub(crate) fn start<'t, G: Graph<'t>>(graph: &G, head: G::Step) -> Result<Option<HereIn<'t, G>>, G::Error> {
    let Step::Name(word) = graph.read(head) else { return Ok(None) };
    let is_simple = graph.is_simple(head);
    match word {
        "SELF" => match graph.here() {
            PathContext::Nowhere => Err(graph.lost(head, Fault::NotHere)),
            here => Ok(Some(here)),
        },
        "SOURCE" | "TARGET" | "HOST" if !is_simple => Err(graph.lost(head, Fault::NotFirst)),
        // If hosts are nested, the path refers to the host that has the property.
        "SOURCE" | "TARGET" | "HOST" => match graph.here() {
            PathContext::Nowhere => Err(graph.lost(head, Fault::NotHere)),
            PathContext::Relationship(relationship) if word == "SOURCE" => {
                Ok(graph.source(relationship).map(PathContext::Node))
            }
            PathContext::Relationship(relationship) if word == "TARGET" => {
                Ok(graph.target(relationship).map(PathContext::Node))
            }
            PathContext::Node(_) if word != "HOST" => Err(graph.lost(head, Fault::NotInRelationship)),
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

/// Finds the item at the given index, where each item stands for a number of entities.
pub(crate) fn pick<T>(items: impl IntoIterator<Item = (T, Option<u64>)>, index: usize) -> Found<T> {
    let mut total = 0;
    let index = index as u64;
    for (item, count) in items {
        match count {
            // At least one entity is assumed.
            None if index == total => return Found::Is(item),
            None => return Found::Unknown,
            Some(count) if index < total.saturating_add(count) => return Found::Is(item),
            Some(count) => total = total.saturating_add(count),
        }
    }
    Found::Only(total)
}

/// Returns whether a relationship type with this name means hosting, in any profile (decision A 62).
pub(crate) fn is_hosting_name(name: &str) -> bool {
    name.strip_suffix("HostedOn").is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_count_entities_rather_than_items() {
        let of = |index| match pick([('a', Some(2)), ('b', Some(0)), ('c', Some(1))], index) {
            Found::Is(item) => Ok(item),
            Found::Only(count) => Err(count),
            Found::Missing | Found::Unknown => unreachable!("all counts are known"),
        };
        assert_eq!([of(0), of(1), of(2), of(3)], [Ok('a'), Ok('a'), Ok('c'), Err(3)]);
    }

    #[test]
    fn large_counts_do_not_overflow() {
        let huge = [('a', Some(u64::MAX)), ('b', Some(u64::MAX)), ('c', None)];
        assert!(matches!(pick(huge, usize::MAX), Found::Is('c')));
        assert!(matches!(pick(huge, 0), Found::Is('a')));
    }
}
