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
#[derive(Clone, Copy)]
pub(crate) enum Found<T> {
    Is(T),
    Missing,
    /// There are only this many items.
    Only(u64),
    /// The result is unknown.
    Unknown,
}

impl<T> Found<T> {
    /// Converts the item. The result is unknown if that is not possible.
    pub(crate) fn and_then<U>(self, convert: impl FnOnce(T) -> Option<U>) -> Found<U> {
        match self {
            Self::Is(item) => convert(item).map_or(Found::Unknown, Found::Is),
            Self::Missing => Found::Missing,
            Self::Only(count) => Found::Only(count),
            Self::Unknown => Found::Unknown,
        }
    }
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

    /// Returns the host of a node and the name of the requirement for it. Thousands of paths may lead through one node, so
    /// `find` is called only once for each.
    fn host(
        &self,
        node: Self::Node,
        find: impl FnOnce() -> Found<(&'t str, Self::Node)>,
    ) -> Found<(&'t str, Self::Node)>;

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

/// Items that each stand for a number of entities. Unlike in [`pick`], the search takes logarithmic time.
pub(crate) struct Numbered<T> {
    /// Each item, the number of entities before it, and the number that it stands for. The list ends at the first item
    /// whose number is unknown.
    items: Vec<(T, u64, Option<u64>)>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T: Copy> Numbered<T> {
    pub(crate) fn push(&mut self, item: T, count: Option<u64>) {
        let before = match self.items.last() {
            Some((_, before, Some(count))) => before.saturating_add(*count),
            Some((_, _, None)) => return,
            None => 0,
        };
        self.items.push((item, before, count));
    }

    /// Finds the item at the given index.
    pub(crate) fn pick(&self, index: usize) -> Found<T> {
        let index = index as u64;
        let end = |before: u64, count: Option<u64>| count.map(|count| before.saturating_add(count));
        let at = self.items.partition_point(|(_, before, count)| end(*before, *count).is_some_and(|end| end <= index));
        match self.items.get(at) {
            // At least one entity is assumed.
            Some((item, before, None)) if index == *before => Found::Is(*item),
            Some((_, _, None)) => Found::Unknown,
            Some((item, ..)) => Found::Is(*item),
            None => Found::Only(self.items.last().and_then(|(_, before, count)| end(*before, *count)).unwrap_or(0)),
        }
    }
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
    fn numbered_items_are_picked_as_in_a_list() {
        let counts = [Some(0), Some(1), Some(3), None, Some(u64::MAX)];
        let lists = (0..4 * counts.len().pow(3)).map(|number| {
            let digits = [0, 1, 2].map(|digit| counts[number / counts.len().pow(digit) % counts.len()]);
            digits.into_iter().take(number % 4).enumerate()
        });
        for list in lists {
            let mut numbered = Numbered::default();
            list.clone().for_each(|(item, count)| numbered.push(item, count));
            for index in [0, 1, 2, 3, 4, 5, 6, 7, usize::MAX] {
                let shown = |found| match found {
                    Found::Is(item) => format!("item {item}"),
                    Found::Only(count) => format!("only {count}"),
                    Found::Missing | Found::Unknown => "unknown".to_owned(),
                };
                assert_eq!(shown(numbered.pick(index)), shown(pick(list.clone(), index)), "{list:?} at {index}");
            }
        }
    }

    #[test]
    fn large_counts_do_not_overflow() {
        let huge = [('a', Some(u64::MAX)), ('b', Some(u64::MAX)), ('c', None)];
        assert!(matches!(pick(huge, usize::MAX), Found::Is('c')));
        assert!(matches!(pick(huge, 0), Found::Is('a')));
    }
}
