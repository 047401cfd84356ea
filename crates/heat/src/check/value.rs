//! Values with functions in them.

use std::cell::{Cell, RefCell};

use foldhash::HashMap;
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use tosca_parse::ard::{Kind, Node, NodeId};
use tosca_parse::diagnostic::{Help, Rule, Span};
use tosca_parse::entity::{Id, LanguageVersion};
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse_yaql::{Dialect, Engine, Expression, Limits, Syntax, Value};

use super::constraint::{boolean, misfit};
use super::registry::Registry;
use crate::function::{Function, call, of_conditions};
use crate::grammar::{Parameter, ParameterType, Resource, Template};
use crate::rules;
use crate::shape::Shapes;
use crate::types::ResourceType;

/// The parameters that every template has.
pub(crate) const PSEUDO_PARAMETERS: [&str; 3] = ["OS::stack_name", "OS::stack_id", "OS::project_id"];

/// The maximum length of a chain of conditions that is followed.
const MAX_CONDITIONS: usize = 64;

/// The maximum size of a constant: its nodes and the bytes of its scalars.
const MAX_CONSTANT: usize = 100_000;

/// The maximum size of all constants of a template, and the maximum number of steps that expressions on them may take.
pub(super) const MAX_CONSTANTS: usize = 5_000_000;

/// The definition of a resource.
#[derive(Clone, Copy)]
pub(crate) enum Made<'a> {
    /// The type is unknown or depends on values.
    Unknown,
    /// A resource type.
    Type(&'a ResourceType),
    /// A nested template.
    Nested(Id<Template>, &'a Template),
}

/// A parameter of the template.
pub(crate) struct Declared<'a> {
    pub(crate) id: Id<Parameter>,
    pub(crate) parameter: &'a Parameter,
    /// The value, as far as it is known: from an environment or from the default.
    pub(crate) value: Option<Node<'a>>,
}

/// A resource of the template.
pub(crate) struct Known<'a> {
    pub(crate) name: &'a str,
    pub(crate) id: Id<Resource>,
    pub(crate) resource: &'a Resource,
    pub(crate) made: Made<'a>,
    /// For a group with members: their definition.
    pub(crate) member: Option<Made<'a>>,
    pub(crate) condition: Option<Node<'a>>,
}

/// The names of a template.
pub(crate) struct Scope<'a> {
    pub(crate) version: LanguageVersion,
    pub(crate) parameters: HashMap<&'a str, Declared<'a>>,
    pub(crate) conditions: HashMap<&'a str, Node<'a>>,
    pub(crate) resources: Vec<Known<'a>>,
    pub(crate) by_name: HashMap<&'a str, usize>,
    /// Whether no other template uses this one.
    pub(crate) is_entry: bool,
    pub(crate) registry: Registry<'a>,
}

/// The place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Condition,
    Resource(usize),
    UpdatePolicy(usize),
    Output,
}

/// A checker for values.
pub(crate) struct Checker<'c, 'a> {
    pub(crate) context: &'c mut Context<'a>,
    pub(crate) scope: &'c Scope<'a>,
    pub(crate) place: Place,
    /// Whether the value is only used under a condition.
    pub(crate) is_conditional: bool,
    /// The resources that each resource depends on, with the position that causes the dependency.
    pub(crate) edges: Vec<Vec<(usize, Span)>>,
    /// The results of conditions, by node.
    pub(crate) results: RefCell<FxHashMap<NodeId, Option<bool>>>,
    /// The size that further constants can have.
    pub(crate) room: Cell<usize>,
}

impl Checker<'_, '_> {
    /// Reports a problem.
    pub(crate) fn report(&mut self, rule: &'static Rule, node: Node<'_>, message: String, help: impl Into<Help>) {
        self.context.problem(rule, Some(node.span()), message).help(help);
    }

    /// Returns the function that a node calls.
    pub(crate) fn call<'n>(&self, node: Node<'n>) -> Option<(&'static Function, Node<'n>)> {
        call(node, self.scope.version, self.place == Place::Condition)
    }

    /// Checks the functions in a value.
    pub(crate) fn walk(&mut self, node: Node<'_>) {
        if let Some((function, arguments)) = self.call(node) {
            self.function(function, node, arguments);
            return;
        }
        self.keys(node);
        match node.kind() {
            Kind::Map => node.entries().for_each(|entry| self.walk(entry.value)),
            Kind::List => node.items().for_each(|item| self.walk(item)),
            _ => {}
        }
    }

    /// Checks the keys of a map.
    pub(crate) fn keys(&mut self, node: Node<'_>) {
        for key in node.entries().map(|entry| entry.key).filter(|key| matches!(key.kind(), Kind::Map | Kind::List)) {
            let message = format!("a key must be a scalar, not {}", Shapes::of(key).title());
            self.report(&rules::INVALID_FUNCTION, key, message, "write the key without a function");
        }
    }

    fn function(&mut self, function: &'static Function, node: Node<'_>, arguments: Node<'_>) {
        let name = function.name();
        if let Some((_, instead)) = function.removed.filter(|(removed, _)| *removed <= self.scope.version) {
            let message = format!("function `{name}` no longer exists in this version");
            self.report(&rules::REMOVED_FUNCTION, node, message, format!("use {instead}"));
            return;
        }
        if self.place == Place::Condition && function.condition_since.is_none_or(|since| since > self.scope.version) {
            let message = format!("function `{name}` can't be used in conditions");
            let help = "use `equals`, `not`, `and`, `or`, `get_param`, `yaql` or `contains`";
            self.report(&rules::INVALID_CONDITION, node, message, help);
            return;
        }
        (function.check)(self, function, arguments);
    }

    /// Checks a condition; `has_names` specifies whether it can be the name of one.
    pub(crate) fn condition(&mut self, node: Node<'_>, has_names: bool) {
        let place = std::mem::replace(&mut self.place, Place::Condition);
        self.condition_here(node, has_names);
        self.place = place;
    }

    fn condition_here(&mut self, node: Node<'_>, has_names: bool) {
        let allowed = if has_names { Shapes::BOOLEAN.or(Shapes::STRING) } else { Shapes::BOOLEAN };
        if let Some((function, arguments)) = self.call(node) {
            self.function(function, node, arguments);
            if function.condition_since.is_some() && !self.shapes(node).meets(allowed) {
                let message = format!("`{}` does not return a boolean here", function.name());
                let help = "compare the result: `{ equals: […, …] }`";
                self.report(&rules::INVALID_CONDITION, node, message, help);
            }
            return;
        }
        match node.kind() {
            Kind::Boolean => {}
            Kind::String if has_names => {}
            _ => {
                let message = format!("a condition must be a boolean or a function, not {}", Shapes::of(node).title());
                let known = of_conditions(self.scope.version).into_iter().flat_map(|functions| functions.list);
                let mut names = node.entries().map(|entry| entry.key.text());
                let near = match (names.next(), names.next()) {
                    (Some(name), None) => self.context.suggestions().nearest(name, known.map(|function| function.name)),
                    _ => None,
                };
                let usual = || "write `true`, `false` or a function such as `{ equals: […, …] }`".into();
                self.report(&rules::INVALID_CONDITION, node, message, near.map_or_else(usual, Help::did_you_mean));
            }
        }
    }

    /// Returns the shapes that a value can have.
    pub(crate) fn shapes(&self, node: Node<'_>) -> Shapes {
        let Some((function, arguments)) = self.call(node) else { return Shapes::of(node) };
        match function.name() {
            "get_param" if arguments.kind() == Kind::String => match self.scope.parameter_type(arguments.text()) {
                Some(ParameterType::String) => Shapes::STRING,
                Some(ParameterType::Number) => Shapes::NUMBER,
                Some(ParameterType::Boolean) => Shapes::BOOLEAN,
                Some(ParameterType::CommaDelimitedList) => Shapes::LIST,
                _ => Shapes::ANY,
            },
            "if" => {
                let branches: Vec<_> = arguments.items().skip(1).collect();
                match branches[..] {
                    [one, other] => self.shapes(one).or(self.shapes(other)),
                    _ => Shapes::ANY,
                }
            }
            "str_split" if arguments.len() == 2 => Shapes::LIST.or(Shapes::NULL),
            "yaql" => match self.yaql(arguments) {
                Some(Ok(Value::Null)) => Shapes::NULL,
                Some(Ok(Value::Boolean(_))) => Shapes::BOOLEAN,
                Some(Ok(Value::Integer(_))) => Shapes::INTEGER,
                Some(Ok(Value::Float(_))) => Shapes::FLOAT,
                Some(Ok(Value::String(_))) => Shapes::STRING,
                Some(Ok(Value::Dict(_))) => Shapes::MAP,
                Some(Ok(Value::List(_))) => Shapes::LIST,
                _ => Shapes::ANY,
            },
            _ => function.result,
        }
    }

    /// Evaluates an expression of YAQL if its data is constant.
    pub(crate) fn yaql(&self, arguments: Node<'_>) -> Option<Result<Value, String>> {
        let expression = arguments.find("expression")?.value;
        if expression.kind() != Kind::String {
            return None;
        }
        let data = arguments
            .find("data")
            .map_or(Some(Json::Object(serde_json::Map::new())), |data| self.constant(data.value))?;
        let parsed = match Expression::parse(expression.text(), Syntax::Standard) {
            Ok(parsed) => parsed,
            Err(fault) => return Some(Err(fault.to_string())),
        };
        let data = serde_json::json!({ "data": data });
        let limits = Limits { items: Some(200), memory: Some(10_000), ..Limits::default() };
        let room = self.room.get();
        let context = Engine::new(Dialect::Standard, limits.with_steps(room as u64)).context(Value::from(&data));
        let value = context.evaluate(parsed.root());
        let steps = context.meter().budget().steps_taken();
        self.room.set(room.saturating_sub(usize::try_from(steps).unwrap_or(usize::MAX)));
        (self.room.get() > 0).then(|| value.map_err(|fault| fault.to_string()))
    }

    /// Returns the value of a node that depends on nothing but defaults of parameters, if it is small.
    pub(crate) fn constant(&self, node: Node<'_>) -> Option<Json> {
        let most = MAX_CONSTANT.min(self.room.get());
        let mut room = most;
        let value = self.json(node, true, &mut room);
        self.room.set(self.room.get() - (most - room));
        value
    }

    /// Returns the value of a node, if its size is at most `room`. Defaults of parameters are data without function
    /// calls.
    fn json(&self, node: Node<'_>, has_calls: bool, room: &mut usize) -> Option<Json> {
        *room = room.checked_sub(1 + node.text().len())?;
        if let Some((function, arguments)) = self.call(node).filter(|_| has_calls) {
            if function.name() != "get_param" || arguments.kind() != Kind::String {
                return None;
            }
            let declared = self.scope.parameters.get(arguments.text())?;
            let default = declared.value?;
            return match declared.parameter.r#type?.value {
                ParameterType::String if Shapes::of(default) == Shapes::STRING => self.json(default, false, room),
                ParameterType::Number if Shapes::of(default).meets(Shapes::NUMBER) => self.json(default, false, room),
                ParameterType::Boolean => boolean(default).map(Json::Bool),
                ParameterType::Json if default.kind() == Kind::String => {
                    *room = room.checked_sub(default.text().len())?;
                    serde_json::from_str(default.text()).ok()
                }
                ParameterType::Json => self.json(default, false, room),
                _ => None,
            };
        }
        Some(match node.kind() {
            Kind::Null => Json::Null,
            Kind::Boolean => Json::Bool(node.as_bool()?),
            Kind::Integer => Json::from(i64::try_from(node.as_integer()?).ok()?),
            Kind::Float => Json::from(node.as_float()?),
            Kind::String => Json::from(node.text()),
            Kind::List => {
                let items = node.items().map(|item| self.json(item, has_calls, room));
                Json::Array(items.collect::<Option<_>>()?)
            }
            Kind::Map => {
                let mut map = serde_json::Map::new();
                for entry in node.entries() {
                    *room = room.checked_sub(entry.key.text().len())?;
                    map.insert(entry.key.text().to_owned(), self.json(entry.value, has_calls, room)?);
                }
                Json::Object(map)
            }
        })
    }

    /// Returns whether a node is a parameter whose constraints exclude a literal.
    fn excludes(&self, node: Node<'_>, literal: Node<'_>) -> bool {
        let called = self.call(node).filter(|(function, _)| function.name() == "get_param");
        let declared = called.and_then(|(_, name)| self.scope.parameters.get(name.text()));
        let is_literal = !matches!(literal.kind(), Kind::Map | Kind::List | Kind::Null);
        is_literal && declared.is_some_and(|declared| misfit(declared.parameter, literal, self.context).is_some())
    }

    /// Returns the result of a condition, if it depends on nothing but defaults of parameters.
    pub(crate) fn holds(&self, node: Node<'_>) -> Option<bool> {
        self.holds_within(node, 0)
    }

    /// Returns the result of a condition. Each is evaluated once, even if several others use it.
    fn holds_within(&self, node: Node<'_>, depth: usize) -> Option<bool> {
        if depth > MAX_CONDITIONS {
            return None;
        }
        if let Some(known) = self.results.borrow().get(&node.id()) {
            return *known;
        }
        // In a loop, the result is unknown.
        self.results.borrow_mut().insert(node.id(), None);
        let result = self.evaluate(node, depth);
        self.results.borrow_mut().insert(node.id(), result);
        result
    }

    fn evaluate(&self, node: Node<'_>, depth: usize) -> Option<bool> {
        match node.kind() {
            Kind::Boolean => return node.as_bool(),
            Kind::String => {
                let condition = *self.scope.conditions.get(node.text())?;
                return self.holds_within(condition, depth + 1);
            }
            _ => {}
        }
        let (function, arguments) = call(node, self.scope.version, true)?;
        match function.name() {
            "not" => self.holds_within(arguments, depth + 1).map(|holds| !holds),
            "and" | "or" => {
                let decides = function.name() == "or";
                let mut result = Some(!decides);
                for item in arguments.items() {
                    match self.holds_within(item, depth + 1) {
                        Some(holds) if holds == decides => return Some(decides),
                        Some(_) => {}
                        None => result = None,
                    }
                }
                result
            }
            "equals" => {
                let mut operands = arguments.items();
                let (one, other) = (operands.next()?, operands.next()?);
                if self.excludes(one, other) || self.excludes(other, one) {
                    return Some(false);
                }
                Some(self.constant(one)? == self.constant(other)?)
            }
            "get_param" => self.constant(node)?.as_bool(),
            _ => None,
        }
    }
}

impl Scope<'_> {
    /// Returns the type of a parameter.
    pub(crate) fn parameter_type(&self, name: &str) -> Option<ParameterType> {
        match self.parameters.get(name) {
            Some(declared) => Some(declared.parameter.r#type?.value),
            None => PSEUDO_PARAMETERS.contains(&name).then_some(ParameterType::String),
        }
    }
}
