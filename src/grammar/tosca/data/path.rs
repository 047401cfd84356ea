//! Paths: from a node or relationship to others, and to their properties (2.0, 10.3).

use super::super::section::{NODE_TEMPLATES, RELATIONSHIP_TEMPLATES};
use super::super::template::{NodeTemplate, RelationshipTemplate};
use super::call::{Call, Shape};
use super::expression::Known;
use super::judge::Judge;
use super::place::{CapabilityHere, Here, NodeHere, RelationshipHere};
use super::{DataKind, Schema, Typed};
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Members};
use crate::phase::{Context, Explain};
use crate::rules;

/// What stands at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    /// A property.
    Property,
    /// An attribute, or the property that it reflects.
    Attribute,
    /// A property of a capability that can be allocated.
    Allocation,
}

/// Why a path can't be followed: the step, and what is wrong with it.
struct Lost<'a> {
    step: Node<'a>,
    message: String,
    help: Option<String>,
}

/// Where a path has led, and how many steps that took.
struct Walk<'s, 'a> {
    here: Here,
    steps: usize,
    /// Whether the path leads to several things, so that the result is a list.
    is_all: bool,
    arguments: &'s [Node<'a>],
}

/// Follows a path to a property or attribute, and says what is known of its value.
pub(super) fn check<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    arguments: &[Node<'a>],
    sought: Sought,
) -> Known<'a> {
    let walk = match walk(judge, arguments) {
        Ok(Some(walk)) => walk,
        Ok(None) => return Known::Nothing,
        Err(lost) => {
            report(judge, lost);
            return Known::Nothing;
        }
    };
    let Some(name) = arguments.get(walk.steps).copied() else {
        let what = if sought == Sought::Attribute { "an attribute" } else { "a property" };
        judge.problem(
            &rules::ARGUMENT_COUNT,
            call.node,
            format!("the path of `${}` does not end with the name of {what}", call.name),
        );
        return Known::Nothing;
    };
    if matches!(walk.here, Here::Unknown) || !is_literal_name(judge, name) {
        return Known::Nothing;
    }
    if sought == Sought::Allocation && !matches!(walk.here, Here::Capability(_)) {
        let message = "the path must lead to a capability".to_owned();
        report(
            judge,
            Lost {
                step: name,
                message,
                help: Some("write `CAPABILITY` and the name of a capability before it".to_owned()),
            },
        );
        return Known::Nothing;
    }
    match property(judge.context, &walk.here, name.text(), sought) {
        Member::Found(schema) if walk.is_all => {
            nested(judge, schema, &arguments[walk.steps + 1..]);
            Known::Kind(DataKind::List)
        }
        Member::Found(schema) => nested(judge, schema, &arguments[walk.steps + 1..]),
        Member::Unknowable => Known::Nothing,
        Member::Missing { owner, names } => {
            let what = if sought == Sought::Attribute { "attribute" } else { "property" };
            let message = format!("{owner} has no {what} `{}`", name.text());
            let help = judge.context.did_you_mean(name.text(), &names, "it has");
            report(judge, Lost { step: name, message, help });
            Known::Nothing
        }
    }
}

/// Follows a path to an artifact.
pub(super) fn check_artifact<'a>(judge: &mut Judge<'_, 'a>, _: Call<'a>, arguments: &[Node<'a>]) {
    let walk = match walk(judge, arguments) {
        Ok(Some(walk)) => walk,
        Ok(None) => return,
        Err(lost) => return report(judge, lost),
    };
    let (Some(name), Here::Node(node)) = (arguments.get(walk.steps).copied(), walk.here) else { return };
    if !is_literal_name(judge, name) {
        return;
    }
    let context = &judge.context;
    let of_template = node.template.and_then(|template| context.get(template)).map(|template| &template.artifacts);
    let Some(of_type) =
        node.node_type.and_then(|node_type| context.get(node_type)).map(|node_type| &node_type.artifacts)
    else {
        return;
    };
    let all: Vec<&str> =
        of_template.into_iter().chain([of_type]).flat_map(Members::iter).map(|(name, _)| context.text(name)).collect();
    if !all.contains(&name.text()) {
        let message = format!("there is no artifact `{}`", name.text());
        let help = context.did_you_mean(name.text(), &all, "the artifacts are");
        report(judge, Lost { step: name, message, help });
    }
}

/// Goes into a value by names, keys and indexes.
pub(super) fn nested<'a>(judge: &mut Judge<'_, 'a>, schema: Schema<'a>, steps: &[Node<'a>]) -> Known<'a> {
    let mut schema = schema;
    for step in steps {
        let Some(kind) = schema.kind(judge.context) else { return Known::Nothing };
        let is_literal = matches!(judge.shape(*step), Shape::Literal);
        let next = match kind {
            DataKind::List => {
                if is_literal && step.as_integer().is_none_or(|index| index < 0) {
                    let message = format!("`{}` is not an index of a list", step.text());
                    report(
                        judge,
                        Lost { step: *step, message, help: Some("an index is a non-negative integer".to_owned()) },
                    );
                    return Known::Nothing;
                }
                schema.entries(judge.context)
            }
            DataKind::Map => schema.entries(judge.context),
            DataKind::Complex if !is_literal => return Known::Nothing,
            DataKind::Complex => match schema.member(judge.context, step.text()) {
                Some(member) => Some(member),
                None => {
                    if schema.data_type.is_some_and(|data_type| !judge.context.is_complete(data_type.any())) {
                        return Known::Nothing;
                    }
                    let name = schema.type_name(judge.context);
                    let members = schema
                        .data_type
                        .and_then(|data_type| judge.context.get(data_type))
                        .map(|data_type| &data_type.properties);
                    let names: Vec<&str> =
                        members.into_iter().flat_map(Members::iter).map(|(name, _)| judge.context.text(name)).collect();
                    let help = judge.context.did_you_mean(step.text(), &names, "it has");
                    let message = format!("data type `{name}` has no property `{}`", step.text());
                    report(judge, Lost { step: *step, message, help });
                    return Known::Nothing;
                }
            },
            _ => {
                let message = format!("there is nothing within {}", kind.with_article());
                report(judge, Lost { step: *step, message, help: None });
                return Known::Nothing;
            }
        };
        match next {
            Some(next) => schema = next,
            None => return Known::Nothing,
        }
    }
    Known::Schema(schema)
}

fn report(judge: &mut Judge<'_, '_>, lost: Lost<'_>) {
    // Of nodes that are looked for little is known (decision A 39).
    let rule = if judge.place.is_filter { &rules::UNRESOLVED_FILTER_PATH } else { &rules::UNRESOLVED_PATH };
    judge.problem(rule, lost.step, lost.message).help_if(lost.help);
}

fn is_literal_name<'a>(judge: &Judge<'_, 'a>, node: Node<'a>) -> bool {
    node.kind() == Kind::String && matches!(judge.shape(node), Shape::Literal)
}

/// Follows the steps of a path. Nothing if it can't be known where they lead.
fn walk<'s, 'a>(judge: &Judge<'_, 'a>, arguments: &'s [Node<'a>]) -> Result<Option<Walk<'s, 'a>>, Lost<'a>> {
    let Some(head) = arguments.first().copied() else { return Ok(None) };
    if !is_literal_name(judge, head) {
        return Ok(None);
    }
    let mut walk = Walk { here: Here::Unknown, steps: 1, is_all: false, arguments };
    walk.here = match head.text() {
        "SELF" => judge.place.here(judge.context),
        "SOURCE" | "TARGET" | "HOST" => {
            let message = format!("`{}` can't be the first step of a path in TOSCA 2.0", head.text());
            let help = match head.text() {
                "HOST" => "write `SELF, RELATIONSHIP, host, TARGET` with the name of the requirement".to_owned(),
                end => format!("write `SELF, {end}`"),
            };
            return Err(Lost { step: head, message, help: Some(help) });
        }
        name => match template(judge, name) {
            Some(Template::Node(id)) => {
                walk.index();
                Here::Node(NodeHere::of_template(judge.context, id))
            }
            Some(Template::Relationship(id)) => {
                let of_template = judge.context.get(id).and_then(|template| judge.context.target_of(template.r#type));
                Here::Relationship(RelationshipHere { relationship_type: of_template, ..RelationshipHere::default() })
            }
            None => return unknown_head(judge, head),
        },
    };
    while let Some(step) = walk.keyword() {
        walk.step(judge, step)?;
    }
    Ok(Some(walk))
}

enum Template {
    Node(crate::entity::Id<NodeTemplate>),
    Relationship(crate::entity::Id<RelationshipTemplate>),
}

fn template(judge: &Judge<'_, '_>, name: &str) -> Option<Template> {
    let context = &judge.context;
    let symbol = context.program.interner.get(name)?;
    let at = judge.place.at;
    let node = context.resolve(at, NODE_TEMPLATES, symbol).id().and_then(AnyId::cast);
    let relationship = || context.resolve(at, RELATIONSHIP_TEMPLATES, symbol).id().and_then(AnyId::cast);
    node.map(Template::Node).or_else(|| relationship().map(Template::Relationship))
}

fn unknown_head<'s, 'a>(judge: &Judge<'_, 'a>, head: Node<'a>) -> Result<Option<Walk<'s, 'a>>, Lost<'a>> {
    let context = &judge.context;
    if !judge.place.is_in_service(context) {
        // A type can't know the templates of the services that use it.
        let message = format!("`{}` is not a step that a path in a type can start with", head.text());
        return Err(Lost { step: head, message, help: Some("a path in a type starts with `SELF`".to_owned()) });
    }
    let mut names: Vec<&str> = vec!["SELF"];
    for section in [NODE_TEMPLATES, RELATIONSHIP_TEMPLATES] {
        names.extend(context.program.visible(judge.place.at.unit, section).into_iter().map(|(name, _)| name));
    }
    let message = format!("there is no node template or relationship template `{}`", head.text());
    Err(Lost { step: head, message, help: context.did_you_mean(head.text(), &names, "a path can start with") })
}

impl<'a> Walk<'_, 'a> {
    /// The next step, if it is a keyword of paths.
    fn keyword(&self) -> Option<Node<'a>> {
        let step = self.arguments.get(self.steps).copied()?;
        // The last argument is what is sought, whatever it is called.
        let is_keyword = matches!(step.text(), "RELATIONSHIP" | "CAPABILITY" | "SOURCE" | "TARGET");
        (is_keyword && step.kind() == Kind::String && self.steps + 1 < self.arguments.len()).then_some(step)
    }

    /// Takes an index, if one is given.
    fn index(&mut self) {
        if let Some(step) = self.arguments.get(self.steps) {
            let is_all = step.kind() == Kind::String && step.text() == "ALL";
            if is_all || step.kind() == Kind::Integer {
                self.steps += 1;
                self.is_all |= is_all;
            }
        }
    }

    fn step(&mut self, judge: &Judge<'_, 'a>, step: Node<'a>) -> Result<(), Lost<'a>> {
        self.steps += 1;
        self.here = match (self.here, step.text()) {
            (Here::Node(node), "RELATIONSHIP") => self.relationship(judge, node)?,
            (Here::Node(node), "CAPABILITY") => self.capability(judge, node)?,
            (Here::Relationship(relationship), "SOURCE") => Here::Node(relationship.source),
            (Here::Relationship(relationship), "TARGET") => Here::Node(relationship.target),
            (Here::Relationship(relationship), "CAPABILITY") => self.target_capability(relationship),
            (Here::Unknown, "RELATIONSHIP" | "CAPABILITY") => {
                // Whether a name follows depends on what is here.
                if self.steps + 1 < self.arguments.len() {
                    self.steps += 1;
                }
                self.index();
                Here::Unknown
            }
            (Here::Unknown, _) => Here::Unknown,
            (here, keyword) => {
                let here = match here {
                    Here::Node(_) => "a node",
                    Here::Relationship(_) => "a relationship",
                    Here::Capability(_) => "a capability",
                    Here::Unknown => "here",
                };
                let message = format!("`{keyword}` leads nowhere from {here}");
                return Err(Lost { step, message, help: None });
            }
        };
        Ok(())
    }

    fn name(&mut self) -> Option<Node<'a>> {
        let name = self.arguments.get(self.steps).copied()?;
        self.steps += 1;
        Some(name)
    }

    fn relationship(&mut self, judge: &Judge<'_, 'a>, node: NodeHere) -> Result<Here, Lost<'a>> {
        let Some(name) = self.name() else { return Ok(Here::Unknown) };
        let before = self.steps;
        self.index();
        let index = self
            .arguments
            .get(before)
            .filter(|_| self.steps > before)
            .and_then(|index| index.as_integer())
            .unwrap_or(0);
        let context = &judge.context;
        let Some(node_type) = node.node_type.and_then(|node_type| context.get(node_type)) else {
            return Ok(Here::Unknown);
        };
        let symbol = context.program.interner.get(name.text());
        let Some(definition) = symbol.and_then(|symbol| node_type.requirements.get(symbol)) else {
            if node.node_type.is_some_and(|id| !context.is_complete(id.any())) {
                return Ok(Here::Unknown);
            }
            let names: Vec<&str> = node_type.requirements.iter().map(|(name, _)| context.text(name)).collect();
            let of = node.node_type.map_or("", |id| context.program.name(id.any()));
            let message = format!("node type `{of}` has no requirement `{}`", name.text());
            return Err(Lost { step: name, message, help: context.did_you_mean(name.text(), &names, "it has") });
        };
        let template = node.template.and_then(|template| context.get(template));
        let assigned = template.and_then(|template| {
            let of_name = template.requirements.items.iter().filter(|(name, _)| Some(*name) == symbol);
            of_name.map(|(_, id)| *id).nth(usize::try_from(index).ok()?)
        });
        Ok(Here::Relationship(match assigned {
            Some(assignment) => RelationshipHere::of_assignment(context, assignment, node),
            None => RelationshipHere::of_definition(context, definition, node),
        }))
    }

    fn capability(&mut self, judge: &Judge<'_, 'a>, node: NodeHere) -> Result<Here, Lost<'a>> {
        let Some(name) = self.name() else { return Ok(Here::Unknown) };
        let context = &judge.context;
        let Some(node_type) = node.node_type.and_then(|node_type| context.get(node_type)) else {
            self.skip_incoming();
            return Ok(Here::Unknown);
        };
        let symbol = context.program.interner.get(name.text());
        let Some(definition) = symbol.and_then(|symbol| node_type.capabilities.get(symbol)) else {
            if node.node_type.is_some_and(|id| !context.is_complete(id.any())) {
                return Ok(Here::Unknown);
            }
            let names: Vec<&str> = node_type.capabilities.iter().map(|(name, _)| context.text(name)).collect();
            let of = node.node_type.map_or("", |id| context.program.name(id.any()));
            let message = format!("node type `{of}` has no capability `{}`", name.text());
            return Err(Lost { step: name, message, help: context.did_you_mean(name.text(), &names, "it has") });
        };
        if self.skip_incoming() {
            // Which relationships end here is known when the service is deployed.
            return Ok(Here::Relationship(RelationshipHere { target: node, ..RelationshipHere::default() }));
        }
        let template = node.template.and_then(|template| context.get(template));
        let assignment = template.and_then(|template| template.capabilities.get(symbol?));
        Ok(Here::Capability(CapabilityHere { definition: Some(definition), assignment }))
    }

    fn target_capability(&mut self, relationship: RelationshipHere) -> Here {
        if self.skip_incoming() {
            return Here::Relationship(RelationshipHere { target: relationship.target, ..RelationshipHere::default() });
        }
        match relationship.capability {
            Some(definition) => Here::Capability(CapabilityHere { definition: Some(definition), assignment: None }),
            None => Here::Unknown,
        }
    }

    /// Takes `RELATIONSHIP` and an index after a capability: the relationships that end at it.
    fn skip_incoming(&mut self) -> bool {
        let is_next = self.keyword().is_some_and(|step| step.text() == "RELATIONSHIP");
        if is_next {
            self.steps += 1;
            self.index();
        }
        is_next
    }
}

/// What became of the search for a property or attribute.
enum Member<'a> {
    Found(Schema<'a>),
    Missing { owner: String, names: Vec<&'a str> },
    Unknowable,
}

fn property<'a>(context: &Context<'a>, here: &Here, name: &str, sought: Sought) -> Member<'a> {
    let (owner, properties, attributes) = match here {
        Here::Node(node) => match node.node_type.and_then(|id| Some((id, context.get(id)?))) {
            Some((id, node_type)) => (id.any(), &node_type.properties, &node_type.attributes),
            None => return Member::Unknowable,
        },
        Here::Relationship(relationship) => {
            match relationship.relationship_type.and_then(|id| Some((id, context.get(id)?))) {
                Some((id, of_type)) => (id.any(), &of_type.properties, &of_type.attributes),
                None => return Member::Unknowable,
            }
        }
        Here::Capability(capability) => match capability.definition.and_then(|id| Some((id, context.get(id)?))) {
            Some((id, definition)) => (id.any(), &definition.properties, &definition.attributes),
            None => return Member::Unknowable,
        },
        Here::Unknown => return Member::Unknowable,
    };
    let symbol = context.program.interner.get(name);
    if sought == Sought::Attribute {
        let id = symbol.and_then(|symbol| attributes.get(symbol));
        if let Some((id, attribute)) = id.and_then(|id| Some((id, context.get(id)?))) {
            return Member::Found(attribute.schema(context, id));
        }
    }
    let id = symbol.and_then(|symbol| properties.get(symbol));
    if let Some((id, property)) = id.and_then(|id| Some((id, context.get(id)?))) {
        return Member::Found(property.schema(context, id));
    }
    if !context.is_complete(owner) {
        return Member::Unknowable;
    }
    let mut names: Vec<&str> = properties.iter().map(|(name, _)| context.text(name)).collect();
    if sought == Sought::Attribute {
        names.extend(attributes.iter().map(|(name, _)| context.text(name)));
    }
    Member::Missing { owner: context.describe(owner), names }
}

/// Checks that an output is mapped to an attribute that there is (2.0, 9.9).
pub(crate) fn check_mapping(context: &mut Context<'_>, at: AnyId, mapping: crate::entity::Position) {
    let Some(node) = context.node(mapping) else { return };
    if node.kind() != Kind::List {
        let message = format!(
            "a mapping must be a list of a path and an attribute, not {}",
            crate::phase::read::with_article(node)
        );
        context.problem(&rules::WRONG_KIND, Some(node.span()), message).help("write for example `[ SELF, address ]`");
        return;
    }
    let arguments: Vec<Node<'_>> = node.items().collect();
    let call = Call { name: "get_attribute", name_node: node, arguments: Some(node), node };
    let mut judge = Judge::new(context, super::Place::of(at));
    check(&mut judge, call, &arguments, Sought::Attribute);
}
