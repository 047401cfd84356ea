//! Following the steps of paths: from a node or relationship to others (2.0, 10.3).

use super::super::super::section::{NODE_TEMPLATES, RELATIONSHIP_TEMPLATES};
use super::super::super::template::{NodeTemplate, RelationshipTemplate};
use super::super::call::{Shape, is_literal_name, shape};
use super::super::typed::kind::DataKind;
use super::input::kept_elsewhere;
use super::place::{CapabilityHere, Here, NodeHere, RelationshipHere};
use super::{Follower, Lost};
use crate::ard::{Kind, Node};
use crate::diagnostic::SourceId;
use crate::entity::{AnyId, Id, Value};
use crate::phase::Context;
use crate::phase::namespace::Resolved;

/// Where a path has led, and how many steps that took.
pub(crate) struct Walk<'s, 'a> {
    pub(crate) here: Here,
    pub(crate) steps: usize,
    /// Whether the path leads to several things, so that the result is a list.
    pub(crate) is_all: bool,
    arguments: &'s [Node<'a>],
}

/// Checks that something is a name, or a call that may give one.
fn expect_name<'a>(follower: &impl Follower<'a>, node: Node<'a>) -> Result<(), Lost<'a>> {
    if node.kind() == Kind::String || !matches!(shape(follower.context(), node), Shape::Literal) || node.is_substitute()
    {
        return Ok(());
    }
    let message = format!("a step of a path must be a name, not {}", crate::phase::read::with_article(node));
    Err(Lost::at(node, message, Some("write for example `SELF`, or the name of a node template".to_owned())))
}

/// Follows the steps of a path. Nothing if it can't be known where they lead.
pub(crate) fn walk<'s, 'a>(
    follower: &mut impl Follower<'a>,
    arguments: &'s [Node<'a>],
) -> Result<Option<Walk<'s, 'a>>, Lost<'a>> {
    let Some(head) = arguments.first().copied() else { return Ok(None) };
    if !is_literal_name(follower.context(), head) {
        return expect_name(follower, head).map(|()| None);
    }
    let mut walk = Walk { here: Here::Unknown, steps: 1, is_all: false, arguments };
    walk.here = match head.text() {
        "SELF" => match follower.place().here(follower.context()) {
            Here::Nowhere => {
                let message = "`SELF` means nothing here, where there is neither a node nor a relationship".to_owned();
                return Err(Lost::at(head, message, None));
            }
            here => here,
        },
        "SOURCE" | "TARGET" | "HOST" => {
            let message = format!("`{}` can't be the first step of a path in TOSCA 2.0", head.text());
            let help = match head.text() {
                "HOST" => "write `SELF, RELATIONSHIP, host, TARGET` with the name of the requirement".to_owned(),
                end => format!("write `SELF, {end}`"),
            };
            return Err(Lost::at(head, message, Some(help)));
        }
        name => match template(follower, name) {
            Some(Template::Node(id)) => {
                match walk.index(follower)? {
                    None => return Ok(None),
                    Some(Index::Number(number)) => {
                        let count = follower.context().get(id).and_then(|template| number_of(follower, template.count));
                        walk.check_number(number, count, "node")?;
                    }
                    Some(Index::First | Index::Unknown) => {}
                }
                Here::Node(NodeHere::of_template(follower.context(), id))
            }
            Some(Template::Relationship(id)) => {
                Here::Relationship(RelationshipHere::of_template(follower.context(), id))
            }
            None if may_be_lost(follower, name) => return Ok(None),
            None => return Err(unknown_head(follower, head)),
        },
    };
    while let Some(step) = walk.keyword() {
        if walk.step(follower, step)?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(walk))
}

enum Template {
    Node(Id<NodeTemplate>),
    Relationship(Id<RelationshipTemplate>),
}

fn template<'a>(follower: &impl Follower<'a>, name: &str) -> Option<Template> {
    let context = follower.context();
    let symbol = context.program.interner.get(name)?;
    let at = follower.place().at;
    let node = context.resolve(at, NODE_TEMPLATES, symbol).id().and_then(AnyId::cast);
    let relationship = || context.resolve(at, RELATIONSHIP_TEMPLATES, symbol).id().and_then(AnyId::cast);
    node.map(Template::Node).or_else(|| relationship().map(Template::Relationship))
}

/// Whether a template may be in what could not be read.
fn may_be_lost<'a>(follower: &impl Follower<'a>, name: &str) -> bool {
    let symbol = follower.context().intern(name);
    let is_lost = |section| follower.context().resolve(follower.place().at, section, symbol) == Resolved::Unreadable;
    is_lost(NODE_TEMPLATES) || is_lost(RELATIONSHIP_TEMPLATES)
}

fn unknown_head<'a>(follower: &impl Follower<'a>, head: Node<'a>) -> Lost<'a> {
    let context = follower.context();
    if !follower.place().is_in_service(context) {
        // A type can't know the templates of the services that use it.
        let message = format!("`{}` is not a step that a path in a type can start with", head.text());
        return Lost::at(head, message, Some("a path in a type starts with `SELF`".to_owned()));
    }
    let help = known_heads(context, follower.place().at.unit, head.text(), "a path can start with");
    Lost::at(head, format!("there is no node template or relationship template `{}`", head.text()), help)
}

/// What to do about a name that a path starts with, and that no template of a unit has.
pub(super) fn known_heads(context: &Context<'_>, unit: SourceId, name: &str, there_are: &str) -> Option<String> {
    kept_elsewhere(context, name, |service| &service.node_templates).or_else(|| {
        let visible = |section| context.program.visible(unit, section).into_iter().map(|(name, _)| name);
        let names = [NODE_TEMPLATES, RELATIONSHIP_TEMPLATES].into_iter().flat_map(visible);
        context.did_you_mean(name, std::iter::once("SELF").chain(names), there_are)
    })
}

/// An index, as far as it is known.
#[derive(Clone, Copy)]
enum Index {
    /// None is given, which means the first.
    First,
    /// A number.
    Number(usize),
    /// It is computed, or all are meant.
    Unknown,
}

impl<'a> Walk<'_, 'a> {
    /// The next step, if it is a keyword of paths.
    fn keyword(&self) -> Option<Node<'a>> {
        let step = self.arguments.get(self.steps).copied()?;
        // The last argument is what is sought, whatever it is called.
        let is_keyword = matches!(step.text(), "RELATIONSHIP" | "CAPABILITY" | "SOURCE" | "TARGET");
        (is_keyword && step.kind() == Kind::String && self.steps + 1 < self.arguments.len()).then_some(step)
    }

    /// Takes an index, if one is given. Nothing if it can't be known whether one is.
    fn index(&mut self, follower: &mut impl Follower<'a>) -> Result<Option<Index>, Lost<'a>> {
        let Some(step) = self.arguments.get(self.steps).copied() else { return Ok(Some(Index::First)) };
        if let Shape::Call(call) = shape(follower.context(), step) {
            // The last argument is the name of what is sought, and may be computed too.
            if self.steps + 1 == self.arguments.len() {
                return Ok(Some(Index::First));
            }
            return Ok(match follower.kind_of(call) {
                None => None,
                Some(DataKind::Integer) => {
                    self.steps += 1;
                    Some(Index::Unknown)
                }
                Some(_) => Some(Index::First),
            });
        }
        let index = match step.kind() {
            Kind::String if step.text() == "ALL" => {
                self.is_all = true;
                Index::Unknown
            }
            Kind::Integer => match step.as_integer().and_then(|index| usize::try_from(index).ok()) {
                Some(index) => Index::Number(index),
                None => return Err(Lost::bad_index(step)),
            },
            _ => return Ok(Some(Index::First)),
        };
        self.steps += 1;
        Ok(Some(index))
    }

    /// Takes a step. Nothing if it can't be known where it leads.
    fn step(&mut self, follower: &mut impl Follower<'a>, step: Node<'a>) -> Result<Option<()>, Lost<'a>> {
        self.steps += 1;
        let here = match (self.here, step.text()) {
            (Here::Node(node), "RELATIONSHIP") => self.relationship(follower, node)?,
            (Here::Node(node), "CAPABILITY") => self.capability(follower, node)?,
            (Here::Relationship(relationship), "SOURCE") => Some(Here::Node(relationship.source)),
            (Here::Relationship(relationship), "TARGET") => Some(Here::Node(relationship.target)),
            (Here::Relationship(relationship), "CAPABILITY") => self.target_capability(follower, relationship)?,
            (Here::Unknown, "RELATIONSHIP" | "CAPABILITY") => {
                // Whether a name follows depends on what is here.
                if self.steps + 1 < self.arguments.len() {
                    self.steps += 1;
                }
                self.index(follower)?.map(|_| Here::Unknown)
            }
            (Here::Unknown | Here::Nowhere, _) => Some(Here::Unknown),
            (here, keyword) => {
                let here = match here {
                    Here::Node(_) => "a node",
                    Here::Relationship(_) => "a relationship",
                    Here::Capability(_) => "a capability",
                    Here::Unknown | Here::Nowhere => "here",
                };
                let message = format!("`{keyword}` leads nowhere from {here}");
                return Err(Lost::at(step, message, None));
            }
        };
        Ok(here.map(|here| self.here = here))
    }

    /// Checks that there are as many things as an index says that was just taken, if it is known how many there are.
    fn check_number(&self, number: usize, count: Option<u64>, what: &str) -> Result<(), Lost<'a>> {
        let (Some(count), Some(step)) = (count, self.arguments.get(self.steps - 1).copied()) else { return Ok(()) };
        if u64::try_from(number).is_ok_and(|number| number < count) {
            return Ok(());
        }
        let message = match count {
            0 => format!("there is no {what} with index {number}, since none is made"),
            1 => format!("there is no {what} with index {number}, since only one is made"),
            count => format!("there is no {what} with index {number}, since only {count} are made"),
        };
        let help = (count > 1).then(|| format!("the last one has index {}", count - 1));
        Err(Lost::at(step, message, help.or((count == 1).then(|| "leave the index out, or write `0`".to_owned()))))
    }

    /// Takes a name. Nothing if it is computed, or if there is none.
    fn name(&mut self, follower: &impl Follower<'a>) -> Result<Option<Node<'a>>, Lost<'a>> {
        let Some(name) = self.arguments.get(self.steps).copied() else { return Ok(None) };
        self.steps += 1;
        expect_name(follower, name)?;
        Ok(is_literal_name(follower.context(), name).then_some(name))
    }

    fn relationship(&mut self, follower: &mut impl Follower<'a>, node: NodeHere) -> Result<Option<Here>, Lost<'a>> {
        let Some(name) = self.name(follower)? else { return Ok(None) };
        let Some(index) = self.index(follower)? else { return Ok(None) };
        let context = follower.context();
        let Some(node_type) = node.node_type.and_then(|node_type| context.get(node_type)) else {
            return Ok(Some(Here::Unknown));
        };
        let symbol = context.program.interner.get(name.text());
        let Some(definition) = symbol.and_then(|symbol| node_type.requirements.get(symbol)) else {
            let names = node_type.requirements.iter().map(|(name, _)| context.text(name));
            let of = node.node_type.map_or("", |id| context.program.name(id.any()));
            let message = format!("node type `{of}` has no requirement `{}`", name.text());
            return Err(Lost::at(name, message, context.did_you_mean(name.text(), names, "it has")));
        };
        let template = node.template.and_then(|template| context.get(template));
        let number = match index {
            Index::First => Some(0),
            Index::Number(number) => Some(number),
            Index::Unknown => None,
        };
        let of_name = || {
            let all = template.map_or(&[][..], |template| &template.requirements.items);
            all.iter().filter(|(name, _)| Some(*name) == symbol).map(|(_, id)| *id)
        };
        if let (Index::Number(number), Some(_)) = (index, of_name().next()) {
            let counts = of_name().map(|id| number_of(follower, context.get(id)?.count));
            // More of them are made if the type demands more.
            let range = context.get(definition).and_then(|definition| definition.count_range);
            let least = range.map_or(0, |range| range.value.lower);
            self.check_number(number, counts.sum::<Option<u64>>().map(|count| count.max(least)), "relationship")?;
        }
        let assigned = number.and_then(|number| of_name().nth(number));
        Ok(Some(Here::Relationship(match assigned {
            Some(assignment) => RelationshipHere::of_assignment(context, assignment, node),
            None => RelationshipHere::of_definition(context, definition, node),
        })))
    }

    fn capability(&mut self, follower: &mut impl Follower<'a>, node: NodeHere) -> Result<Option<Here>, Lost<'a>> {
        let Some(name) = self.name(follower)? else { return Ok(None) };
        let Some(node_type) = node.node_type.and_then(|node_type| follower.context().get(node_type)) else {
            return Ok(self.incoming(follower)?.map(|_| Here::Unknown));
        };
        let symbol = follower.context().program.interner.get(name.text());
        let Some(definition) = symbol.and_then(|symbol| node_type.capabilities.get(symbol)) else {
            let context = follower.context();
            let names = node_type.capabilities.iter().map(|(name, _)| context.text(name));
            let of = node.node_type.map_or("", |id| context.program.name(id.any()));
            let message = format!("node type `{of}` has no capability `{}`", name.text());
            return Err(Lost::at(name, message, context.did_you_mean(name.text(), names, "it has")));
        };
        Ok(self.incoming(follower)?.map(|is_incoming| {
            // Which relationships end here is known when the service is deployed.
            if is_incoming {
                return Here::Relationship(RelationshipHere { target: node, ..RelationshipHere::default() });
            }
            Here::Capability(CapabilityHere::of_node(follower.context(), definition, node))
        }))
    }

    fn target_capability(
        &mut self,
        follower: &mut impl Follower<'a>,
        relationship: RelationshipHere,
    ) -> Result<Option<Here>, Lost<'a>> {
        Ok(self.incoming(follower)?.map(|is_incoming| match relationship.capability {
            _ if is_incoming => {
                Here::Relationship(RelationshipHere { target: relationship.target, ..RelationshipHere::default() })
            }
            CapabilityHere { capability_type: None, definition: None, .. } => Here::Unknown,
            capability => Here::Capability(capability),
        }))
    }

    /// Takes `RELATIONSHIP` and an index after a capability: the relationships that end at it. Nothing if it can't be
    /// known how far that goes.
    fn incoming(&mut self, follower: &mut impl Follower<'a>) -> Result<Option<bool>, Lost<'a>> {
        if self.keyword().is_none_or(|step| step.text() != "RELATIONSHIP") {
            return Ok(Some(false));
        }
        self.steps += 1;
        Ok(self.index(follower)?.map(|_| true))
    }
}

/// How many things a count says that there are: one, if there is none; nothing if it is computed.
fn number_of<'a>(follower: &impl Follower<'a>, count: Option<Value>) -> Option<u64> {
    let Some(count) = count else { return Some(1) };
    u64::try_from(follower.context().node(count.0)?.as_integer()?).ok()
}
