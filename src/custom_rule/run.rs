//! Checks the items that custom rules select.

use foldhash::HashSet;

use super::condition::{Effort, Exceeded, Item, evaluate};
use super::rule::{CustomRule, Places};
use crate::TOSCA;
use crate::ard::{Kind, Node};
use crate::data::Datum;
use crate::diagnostic::Span;
use crate::entity::{self, AnyId, Section};
use crate::phase::namespace::ReferenceResolver as _;
use crate::phase::{Context, DiagnosticExt, Unit};
use crate::rules;

/// The effort that any file may take, in steps.
const STEPS: u64 = 5_000;

/// The further steps for each node of a file.
const STEPS_OF_NODE: u64 = 150;

/// The further steps for each node of an imported file.
const STEPS_OF_IMPORTED_NODE: u64 = 40;

/// Checks the entry of a program and the imported files whose names are selected.
pub(super) fn look(list: &[CustomRule], is_meant: impl Fn(&str) -> bool, context: &mut Context<'_>) {
    let program = context.program;
    let is_entry = |unit: &Unit| program.index(unit.id) == Some(0);
    let units: Vec<&Unit> = program
        .list
        .iter()
        .map(|unit| &**unit)
        .filter(|unit| unit.language.name == TOSCA.name && unit.implicit.is_none())
        .filter(|unit| is_entry(unit) || is_meant(unit.source.name()))
        .collect();
    let steps = |unit: &&Unit| {
        let of_node = if is_entry(unit) { STEPS_OF_NODE } else { STEPS_OF_IMPORTED_NODE };
        of_node * unit.document.len() as u64
    };
    let effort = Effort::new(STEPS + units.iter().map(steps).sum::<u64>());
    let start = units.first().map(|unit| Span { source: unit.id, start: 0, end: 0 });
    let mut run = Run { context, effort };
    let exceeded = units.iter().try_for_each(|unit| list.iter().try_for_each(|rule| run.check(rule, unit))).is_err();
    if exceeded {
        let message = "the custom rules take too long for this file, so they are not completely checked".to_owned();
        run.context
            .problem(&rules::UNCHECKED_USES, start, message)
            .help("declare fewer rules, or rules with simpler conditions");
    }
}

struct Run<'c, 'a> {
    context: &'c mut Context<'a>,
    effort: Effort,
}

impl<'a> Run<'_, 'a> {
    fn check(&mut self, rule: &CustomRule, unit: &'a Unit) -> Result<(), Exceeded> {
        match (rule.kind, &rule.places) {
            (Some(kind), places) => {
                let places = places.as_ref().map(|places| self.selected(places, unit)).transpose()?;
                self.entities(rule, kind, places.as_ref(), unit)
            }
            (None, Some(places)) => {
                let mut found = Vec::new();
                self.walk(places, unit, |place| {
                    if place.is_selected {
                        found.push((place.at, place.name, place.node));
                    }
                })?;
                found.into_iter().try_for_each(|(at, name, node)| {
                    let item = Item { name, node, keyname: Some("value"), version: unit.version };
                    self.item(rule, at, &item)
                })
            }
            (None, None) => Ok(()),
        }
    }

    /// Checks the entities of a kind.
    fn entities(
        &mut self,
        rule: &CustomRule,
        kind: entity::Kind,
        places: Option<&HashSet<u32>>,
        unit: &'a Unit,
    ) -> Result<(), Exceeded> {
        let program = self.context.program;
        for (local, _) in unit.arenas.of_kind(kind) {
            self.effort.spend(2)?;
            let id = local.of(unit.id);
            if let Some(name) = &rule.of_type {
                self.effort.spend(20)?;
                if !is_of_type(self.context, unit, id, name) {
                    continue;
                }
            }
            let (Some(header), Some(at)) = (unit.arenas.header(local), program.name_span(id)) else { continue };
            if places.is_some_and(|selected| !selected.contains(&at.start)) {
                continue;
            }
            let node = unit.document.node(header.node);
            let keyname = short_keyname(self.context, unit, id, node);
            let item = Item { name: program.name(id), node, keyname, version: unit.version };
            self.item(rule, at, &item)?;
        }
        Ok(())
    }

    /// Checks an item.
    fn item(&mut self, rule: &CustomRule, at: Span, item: &Item<'_>) -> Result<(), Exceeded> {
        let Some(condition) = rule.condition.root() else { return Ok(()) };
        if evaluate(condition, item, &mut self.effort)? == Datum::Boolean(false) {
            // Problems take much more memory than other values.
            let names = rule.message.matches("{name}").count() * item.name.len();
            let length = rule.message.len() + names + rule.help.as_ref().map_or(0, String::len);
            self.effort.spend(400 + length / 2)?;
            let message = rule.message.replace("{name}", item.name);
            self.context.problem(rule.rule, Some(at), message).help_if(rule.help.clone());
        }
        Ok(())
    }

    /// Returns the offsets of the selected places.
    fn selected(&mut self, places: &Places, unit: &'a Unit) -> Result<HashSet<u32>, Exceeded> {
        let mut selected = HashSet::default();
        self.walk(places, unit, |place| {
            // An item of a list may start where its first key starts. The innermost place counts.
            if place.is_selected {
                selected.insert(place.at.start);
            } else {
                selected.remove(&place.at.start);
            }
        })?;
        Ok(selected)
    }

    /// Visits all entries of maps and items of lists in the order of the document, except those of aliases, which are
    /// visited where they are written.
    fn walk(&mut self, places: &Places, unit: &'a Unit, mut visit: impl FnMut(Place<'a>)) -> Result<(), Exceeded> {
        let Some(root) = unit.document.root() else { return Ok(()) };
        let mut path = String::new();
        let mut waiting = Vec::new();
        push(&mut waiting, root, 0);
        while let Some(Waiting { step, node, above }) = waiting.pop() {
            path.truncate(above);
            if above > 0 {
                path.push('/');
            }
            let (at, name) = match step {
                Step::Key(key) => {
                    path.push_str(&key.label());
                    (key.span(), key.text())
                }
                Step::Index(index) => {
                    path.push_str(&index.to_string());
                    (node.span(), "")
                }
            };
            self.effort.spend(3 + path.len() / 64)?;
            let is_selected = places(&path);
            if is_selected {
                self.effort.spend(4)?;
            }
            visit(Place { at, name, node, is_selected });
            push(&mut waiting, node, path.len());
        }
        Ok(())
    }
}

/// A place in a document.
struct Place<'a> {
    at: Span,
    name: &'a str,
    node: Node<'a>,
    is_selected: bool,
}

/// A place that is still to be visited.
struct Waiting<'a> {
    step: Step<'a>,
    node: Node<'a>,
    /// The length of the path of the map or list.
    above: usize,
}

enum Step<'a> {
    Key(Node<'a>),
    Index(usize),
}

/// Adds the places in a node, in reverse order.
fn push<'a>(waiting: &mut Vec<Waiting<'a>>, node: Node<'a>, above: usize) {
    if node.is_alias() {
        return;
    }
    let first = waiting.len();
    let entries = node.entries().filter(|entry| !entry.merged);
    waiting.extend(entries.map(|entry| Waiting { step: Step::Key(entry.key), node: entry.value, above }));
    let items = node.items().enumerate();
    waiting.extend(items.map(|(index, node)| Waiting { step: Step::Index(index), node, above }));
    waiting[first..].reverse();
}

/// Returns whether an entity or its type is, or is derived from, a type with the given name.
fn is_of_type(context: &Context<'_>, unit: &Unit, id: AnyId, name: &str) -> bool {
    let program = context.program;
    let own = match program.lineage(id) {
        Some(_) => Some(id),
        None => program.entity(id).and_then(|entity| {
            let (index, _) = entity.description().field("type")?;
            let mut target = None;
            entity.field(index).visit_references(&mut |reference| target = target.or(program.target(reference)));
            target
        }),
    };
    let Some(own) = own else { return false };
    let symbol = context.intern(name);
    let sections = (0..TOSCA.sections.len()).filter_map(|number| u8::try_from(number).ok().map(Section));
    let mut named = sections.filter_map(|section| program.resolve(unit.id, section, symbol).id());
    named.any(|wanted| wanted.kind == own.kind && program.is_a(own, wanted))
}

/// Returns the keyname that an entity in a short form stands for.
fn short_keyname<'a>(context: &Context<'a>, unit: &Unit, id: AnyId, node: Node<'_>) -> Option<&'a str> {
    let is_short = |field: &entity::FieldDescription| match node.kind() {
        Kind::List => field.short.list,
        _ => field.short.scalar,
    };
    if matches!(node.kind(), Kind::Map | Kind::Null) {
        return None;
    }
    let description = context.program.entity(id).map(entity::Described::description)?;
    let (_, field) = description.find(|field| is_short(field) && field.exists_in(unit.version))?;
    Some(field.keyname(unit.version))
}
