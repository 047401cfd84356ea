//! Conventions: custom rules whose conditions for entities are written in TOSCA itself.
//!
//! A convention is a [`Lint`] for `ParserBuilder::lint`. Its condition is a function call (2.0, 9.10) about `$value`,
//! the checked item: a map with the keynames of an entity as they are written, and its `name`. A missing value has no
//! entries, has the length 0 and is not equal to anything. If the result of a condition is unknown because it depends
//! on the results of functions, nothing is reported.
//!
//! ```
//! use tosca_parse::diagnostic::{Level, Rule};
//! use tosca_parse::custom_rule::CustomRule;
//! use tosca_parse::{Entry, Parser, TOSCA};
//!
//! static OWNED: Rule =
//!     Rule { code: "node-has-owner", name: "node-has-owner", level: Level::Warning, summary: "a node has no owner" };
//!
//! let convention = CustomRule::new(&OWNED, "{ $has_key: [ { $value: [ metadata ] }, owner ] }")?
//!     .kind("node template")?
//!     .message("`{name}` has no owner");
//! let parser = Parser::builder(&TOSCA).lint(convention).build()?;
//! let text = "\
//! tosca_definitions_version: tosca_2_0
//! node_types: { A: {} }
//! service_template:
//!   node_templates: { a: { type: A }, b: { type: A, metadata: { owner: me } } }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("a.yaml")?, text));
//! let messages: Vec<&str> = outcome.diagnostics.iter().map(|problem| &*problem.message).collect();
//! assert_eq!(messages, ["`a` has no owner"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::ard;
use crate::ard::{Document, Kind, Node, Options};
use crate::data::{Call, CallShape, Computed, Datum, FUNCTIONS, compute, key, plain};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Rule, SourceId, Span};
use crate::entity::{AnyId, Section};
use crate::grammar::version::V2_0;
use crate::phase::namespace::ReferenceResolver as _;
use crate::phase::{Context, DiagnosticExt, Lint, Unit};
use crate::symbol::Interner;
use crate::{TOSCA, entity};

/// A function that returns whether a path is selected.
type Places = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// A function that returns whether an imported source is checked, given its display name.
type Imports = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// A custom rule.
pub struct CustomRule {
    rule: &'static Rule,
    condition: Document,
    kind: Option<entity::Kind>,
    of_type: Option<String>,
    places: Option<Places>,
    imports: Option<Imports>,
    message: String,
    help: Option<String>,
}

impl fmt::Debug for CustomRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomRule").field("rule", &self.rule.name).finish_non_exhaustive()
    }
}

/// An item to check.
struct Found {
    at: Span,
    name: String,
    value: Datum,
}

impl CustomRule {
    /// Creates a convention with a condition, in YAML: a function call, or `false` for entities that must not exist.
    ///
    /// # Errors
    ///
    /// Returns a one-line error message if the condition is invalid.
    pub fn new(rule: &'static Rule, condition: &str) -> Result<Self, String> {
        let (document, problems) =
            ard::read(SourceId(u32::MAX), condition.into(), &Interner::new(), &Options::default());
        if let Some(problem) = problems.first() {
            return Err(format!("the condition can't be read: {}", problem.message));
        }
        let root = document.root().ok_or("there is no condition")?;
        match Call::shape(root, V2_0) {
            CallShape::Call(_) => check(root)?,
            _ if root.kind() == Kind::Boolean => {}
            _ => {
                return Err("a condition is a function call, such as `{ $has_key: [ $value, owner ] }`".to_owned());
            }
        }
        let message = "`{name}` violates a rule of the project".to_owned();
        Ok(Self {
            rule,
            condition: document,
            kind: None,
            of_type: None,
            places: None,
            imports: None,
            message,
            help: None,
        })
    }

    /// Checks entities of one kind, given by its title: `node template`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such kind.
    pub fn kind(mut self, title: &str) -> Result<Self, String> {
        let found = TOSCA.kinds.iter().position(|kind| kind.description().title == title);
        let Some(found) = found else {
            let help = nearest(title, kinds()).map(|near| format!("; did you mean `{near}`?"));
            return Err(format!("no kind of entity is called `{title}`{}", help.unwrap_or_default()));
        };
        self.kind = u8::try_from(found).ok().map(entity::Kind);
        Ok(self)
    }

    /// Restricts the checks to entities of the given type or of types derived from it; for kinds of types, to the type
    /// itself and its derived types.
    #[must_use]
    pub fn of_type(mut self, name: impl Into<String>) -> Self {
        self.of_type = Some(name.into());
        self
    }

    /// Restricts the checks to certain positions: paths of keys and indexes from the top of the file, separated by
    /// slashes. Without a kind, everything at these positions is checked.
    #[must_use]
    pub fn places(mut self, are_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.places = Some(Box::new(are_meant));
        self
    }

    /// Extends the checks to files that are directly or indirectly imported, if their display names are selected.
    #[must_use]
    pub fn imports(mut self, are_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.imports = Some(Box::new(are_meant));
        self
    }

    /// Sets the message for items that do not fulfill the condition; `{name}` is replaced with the name.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns whether an imported file is checked.
    fn is_meant(&self, unit: &Unit) -> bool {
        self.imports.as_ref().is_some_and(|are_meant| are_meant(unit.source.name()))
    }

    /// Returns the entities of the kind, with their written content.
    fn entities(&self, kind: entity::Kind, context: &Context<'_>, unit: &Unit) -> Vec<Found> {
        let ids = unit.arenas.of_kind(kind).map(|(local, _)| local.of(unit.id));
        let is_wanted = |id: &AnyId| self.of_type.as_ref().is_none_or(|name| is_of_type(context, unit, *id, name));
        let found = ids.filter(is_wanted).filter_map(|id| {
            let header = unit.arenas.header(id.local())?;
            let (at, name) = (context.program.name_span(id)?, context.program.name(id).to_owned());
            let path = || unit.document.path_to(at.start).join("/");
            self.places.as_ref().is_none_or(|are_meant| are_meant(&path())).then_some(())?;
            let node = unit.document.node(header.node);
            let value = match node.kind() {
                Kind::Map => node,
                _ => return Some(Found { at, value: short(context, unit, id, node, &name), name }),
            };
            Some(Found { at, value: entries(value, &name, unit), name })
        });
        found.collect()
    }

    /// Returns everything at the selected positions.
    fn anything(&self, unit: &Unit) -> Vec<Found> {
        let (Some(are_meant), Some(root)) = (&self.places, unit.document.root()) else { return Vec::new() };
        let mut found = Vec::new();
        let mut waiting: Vec<(String, Node<'_>)> = vec![(String::new(), root)];
        while let Some((path, node)) = waiting.pop() {
            let below = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}/{step}") };
            // The target of an alias is visited where it is written.
            if node.is_alias() {
                continue;
            }
            let mut meet = |path: String, at: Span, name: &str, node| {
                if are_meant(&path) {
                    found.push(Found { at, name: name.to_owned(), value: entries(node, name, unit) });
                }
                waiting.push((path, node));
            };
            for entry in node.entries().filter(|entry| !entry.merged) {
                meet(below(&entry.key.label()), entry.key.span(), entry.key.text(), entry.value);
            }
            for (index, item) in node.items().enumerate() {
                meet(below(&index.to_string()), item.span(), "", item);
            }
        }
        found.sort_by_key(|found| found.at.start);
        found
    }
}

impl Lint for CustomRule {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![self.rule]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some(condition) = self.condition.root() else { return };
        let program = context.program;
        let ours = program.list.iter().filter(|unit| unit.language.name == TOSCA.name && unit.implicit.is_none());
        for unit in ours.filter(|unit| program.index(unit.id) == Some(0) || self.is_meant(unit)) {
            let found = match self.kind {
                Some(kind) => self.entities(kind, context, unit),
                None => self.anything(unit),
            };
            for Found { at, name, value } in found {
                if evaluate(condition, &value) == Datum::Boolean(false) {
                    let message = self.message.replace("{name}", &name);
                    context.problem(self.rule, Some(at), message).help_if(self.help.clone());
                }
            }
        }
    }
}

/// Returns the titles of the kinds of entities.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    TOSCA.kinds.iter().map(|kind| kind.description().title)
}

/// Checks that all functions in a condition can be computed from the source alone. The error is a message for the user.
fn check(node: Node<'_>) -> Result<(), String> {
    match Call::shape(node, V2_0) {
        CallShape::Call(call) => {
            let is_known = |name: &str| FUNCTIONS.iter().any(|known| known.name == name && !known.is_about_the_graph());
            if call.name != "value" && !is_known(call.name) {
                let names = FUNCTIONS.iter().filter(|known| !known.is_about_the_graph()).map(|known| known.name);
                let help = nearest(call.name, names.chain(["value"])).map(|near| format!("; did you mean `${near}`?"));
                return Err(format!("a condition can't call `${}`{}", call.name, help.unwrap_or_default()));
            }
            call.arguments().into_iter().try_for_each(check)
        }
        CallShape::Malformed(key) => {
            Err(format!("`{}` is not the only key of its map, so it can't be a function call", key.text()))
        }
        CallShape::Literal => {
            node.items().try_for_each(check)?;
            node.entries().try_for_each(|entry| check(entry.value))
        }
    }
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

/// Returns an item as a value, with its name.
fn entries(node: Node<'_>, name: &str, unit: &Unit) -> Datum {
    let mut entries = vec![("name".to_owned(), Datum::String(name.to_owned()))];
    match node.kind() {
        Kind::Map => {
            for entry in node.entries() {
                let Some(key) = key(entry.key, unit.version) else { continue };
                let is_call = !matches!(Call::shape(entry.value, unit.version), CallShape::Literal);
                let value = if is_call { Datum::Unknown } else { plain(entry.value, unit.version) };
                entries.retain(|(known, _)| *known != key);
                entries.push((key, value));
            }
        }
        _ => entries.push(("value".to_owned(), plain(node, unit.version))),
    }
    Datum::Map(entries)
}

/// Returns an entity in a short form as if it were written with its keyname.
fn short(context: &Context<'_>, unit: &Unit, id: AnyId, node: Node<'_>, name: &str) -> Datum {
    let mut entries = vec![("name".to_owned(), Datum::String(name.to_owned()))];
    let description = context.program.entity(id).map(entity::Described::description);
    let is_short = |field: &entity::FieldDescription| match node.kind() {
        Kind::List => field.short.list,
        _ => field.short.scalar,
    };
    let field = description.and_then(|it| it.find(|field| is_short(field) && field.exists_in(unit.version)));
    if let Some((_, field)) = field.filter(|_| node.kind() != Kind::Null) {
        entries.push((field.keyname(unit.version).to_owned(), plain(node, unit.version)));
    }
    Datum::Map(entries)
}

/// Evaluates an expression about a value.
fn evaluate(node: Node<'_>, value: &Datum) -> Datum {
    let call = match Call::shape(node, V2_0) {
        CallShape::Call(call) => call,
        CallShape::Malformed(_) => return Datum::Unknown,
        CallShape::Literal => {
            return match node.kind() {
                Kind::List => Datum::List(node.items().map(|item| evaluate(item, value)).collect()),
                _ => plain(node, V2_0),
            };
        }
    };
    let arguments: Vec<Datum> = call.arguments().into_iter().map(|argument| evaluate(argument, value)).collect();
    match (call.name, &arguments[..]) {
        ("value", steps) => within(value, steps),
        // A missing value has no entries and the length 0.
        ("length", [Datum::Nil]) => Datum::Integer(0),
        (name, [Datum::Nil, ..]) if name.starts_with("has_") || matches!(name, "matches" | "contains") => {
            Datum::Boolean(false)
        }
        (name, arguments) => match compute(name, arguments, |_, _| String::new()) {
            Computed::Value(value) => value,
            Computed::Overflow | Computed::DivisionByZero => Datum::Unknown,
        },
    }
}

/// Returns the part of a value that steps lead to; null if it does not exist.
fn within(value: &Datum, steps: &[Datum]) -> Datum {
    let mut value = value;
    for step in steps {
        let found = match (value, step) {
            (Datum::Unknown, _) | (_, Datum::Unknown) => return Datum::Unknown,
            (Datum::Map(entries), Datum::String(name)) => {
                entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
            }
            (Datum::List(items), Datum::Integer(index)) => {
                usize::try_from(*index).ok().and_then(|index| items.get(index))
            }
            _ => None,
        };
        let Some(found) = found else { return Datum::Nil };
        value = found;
    }
    value.clone()
}
