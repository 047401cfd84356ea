//! Functions, evaluated with the defaults of inputs and properties, as far as that is possible without a deployment.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{AnyId, Id};
use tosca_parse::phase::Context;

use super::value::{Type, type_of};
use super::{find, get, value_of};
use crate::function::{Call, call};
use crate::grammar::{INPUTS, Input, NODE_TEMPLATES, NodeTemplate, NodeType};

/// The maximum number of calls that are evaluated for one value.
const MAX_CALLS: usize = 1_000;

/// The maximum depth of values that need other values.
const MAX_DEPTH: usize = 50;

/// The maximum length of all strings that are computed for one value, in bytes.
const MAX_TEXT: usize = 100_000;

/// The meaning of `SELF`, `SOURCE` and `TARGET` at a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Here {
    pub(super) itself: Option<AnyId>,
    pub(super) source: Option<AnyId>,
    pub(super) target: Option<AnyId>,
}

/// A written value that overrides defaults.
#[derive(Clone, Debug)]
pub(super) struct WrittenValue<'a> {
    /// The written value; `None` if there are only defaults.
    pub(super) value: Option<Node<'a>>,
    layers: Vec<Node<'a>>,
    ty: Option<Id<crate::grammar::DataType>>,
    pub(super) here: Here,
}

/// A computed value.
#[derive(Clone, Debug)]
pub(super) enum Data<'a> {
    /// Only known in a deployment.
    Unknown,
    Written(WrittenValue<'a>),
    Text(String),
    Integer(i128),
    /// A list of strings.
    List,
    /// A map that `merge` returns.
    Map,
}

/// The reason why a call fails.
pub(super) struct Fault(pub(super) String);

/// A step of a path.
enum Key {
    Name(String),
    Index(i128),
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Index(index) => index.fmt(f),
        }
    }
}

impl<'a> Data<'a> {
    fn literal(node: Node<'a>, here: Here) -> Self {
        Self::Written(WrittenValue { value: Some(node), layers: Vec::new(), ty: None, here })
    }

    /// Returns the written value.
    pub(super) fn node(&self) -> Option<Node<'a>> {
        match self {
            Self::Written(written) => written.value,
            _ => None,
        }
    }

    /// Returns the value if it is a string.
    fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Written(WrittenValue { value: Some(node), .. }) if node.kind() == Kind::String => {
                Some(node.text().to_owned())
            }
            _ => None,
        }
    }

    /// Returns the length of the value in bytes; 0 if it is not a string.
    fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Written(WrittenValue { value: Some(node), .. }) if node.kind() == Kind::String => node.text().len(),
            _ => 0,
        }
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown | Self::Written(WrittenValue { value: None, .. }))
    }

    fn integer(&self) -> Option<i128> {
        match self {
            Self::Integer(integer) => Some(*integer),
            Self::Written(WrittenValue { value: Some(node), .. }) => node.as_integer(),
            _ => None,
        }
    }

    fn key(&self) -> Option<Key> {
        self.text().map(Key::Name).or_else(|| self.integer().map(Key::Index))
    }

    /// Returns the kind of the value with an article, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Unknown => "an unknown value",
            Self::Written(written) => written.value.map_or("a map", super::kind),
            Self::Text(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::List => "a list",
            Self::Map => "a map",
        }
    }

    /// Returns whether the value has a primitive type.
    pub(super) fn fits(&self, primitive: &str) -> bool {
        match (self, primitive) {
            (Self::Unknown, _) | (_, "string" | "textarea") => true,
            (Self::Written(written), _) => written.value.is_none_or(|node| super::value::fits(primitive, node)),
            (Self::Text(_), "integer" | "float" | "boolean" | "list" | "dict") => false,
            (Self::Integer(_), "boolean" | "list" | "dict" | "regex") => false,
            (Self::List, _) => primitive == "list",
            (Self::Map, _) => primitive == "dict",
            _ => true,
        }
    }
}

/// An evaluator for calls.
pub(super) struct Evaluator<'c, 'a> {
    context: &'c Context<'a>,
    calls: usize,
    depth: usize,
    /// The length that computed strings can still have.
    text: usize,
}

impl<'c, 'a> Evaluator<'c, 'a> {
    pub(super) fn new(context: &'c Context<'a>) -> Self {
        Self { context, calls: MAX_CALLS, depth: 0, text: MAX_TEXT }
    }

    /// Evaluates a call.
    pub(super) fn call(&mut self, call: Call<'a>, here: Here) -> Result<Data<'a>, Fault> {
        let Some(calls) = self.calls.checked_sub(1).filter(|_| self.depth < MAX_DEPTH) else {
            return Ok(Data::Unknown);
        };
        self.calls = calls;
        self.depth += 1;
        let result = self.function(call, here);
        self.depth -= 1;
        let result = result?;
        if let Data::Text(text) = &result {
            self.takes_text(text.len());
        }
        if let Some(ty) = call.r#type.filter(|_| call.function.name == "get_input")
            && !result.fits(ty.text())
        {
            return Err(Fault(format!("the value must have type `{}`, not {}", ty.text(), result.kind())));
        }
        Ok(result)
    }

    /// Counts the length of a computed string. Returns whether the limit allows it.
    fn takes_text(&mut self, length: usize) -> bool {
        self.text = self.text.saturating_sub(length);
        self.text > 0
    }

    fn function(&mut self, call: Call<'a>, here: Here) -> Result<Data<'a>, Fault> {
        let arguments = self.arguments(call.argument, here)?;
        if !self.takes_text(arguments.iter().map(Data::length).sum()) {
            return Ok(Data::Unknown);
        }
        let unit = call.node.document().source();
        match call.function.name {
            "get_input" => {
                let Some(name) = arguments.first().and_then(Data::text) else { return Ok(Data::Unknown) };
                let Some(written) = self.input(unit, &name) else { return Ok(Data::Unknown) };
                self.walk(written, &arguments[1..])
            }
            "get_property" => {
                let node = arguments.first().and_then(Data::text);
                let Some(node) = node.and_then(|name| self.template(unit, &name, here)) else {
                    return Ok(Data::Unknown);
                };
                let Some(Key::Name(name)) = arguments.get(1).and_then(Data::key) else { return Ok(Data::Unknown) };
                match self.property(node, &name)? {
                    Some(written) => self.walk(written, arguments.get(2..).unwrap_or_default()),
                    None => Ok(Data::Unknown),
                }
            }
            "get_label" => match arguments.first().filter(|_| super::is_call(call.argument)) {
                Some(key) if !key.is_unknown() && key.text().is_none() => {
                    Err(Fault(format!("the key of a label must be a string, not {}", key.kind())))
                }
                _ => Ok(Data::Unknown),
            },
            "concat" => Ok(concat(&arguments)),
            "merge" => merge(&arguments),
            name if name.starts_with("string_") => strings(name, &arguments),
            _ => Ok(Data::Unknown),
        }
    }

    /// Returns the evaluated arguments. Errors in calls within an argument are reported at those calls.
    fn arguments(&mut self, node: Node<'a>, here: Here) -> Result<Vec<Data<'a>>, Fault> {
        let mut arguments = Vec::new();
        if node.kind() == Kind::List {
            for item in node.items() {
                arguments.push(self.argument(item, here)?);
            }
        } else {
            arguments.push(self.argument(node, here)?);
        }
        Ok(arguments)
    }

    fn argument(&mut self, node: Node<'a>, here: Here) -> Result<Data<'a>, Fault> {
        match call(node) {
            Some(call) => self.call(call, here),
            None => Ok(Data::literal(node, here)),
        }
    }

    /// Returns the default of an input.
    pub(super) fn input(&self, unit: SourceId, name: &str) -> Option<WrittenValue<'a>> {
        let symbol = self.context.program.interner.get(name)?;
        let id = self.context.program.resolve(unit, INPUTS, symbol).id()?;
        let input = get::<Input>(self.context, id)?;
        let value = value_of(self.context, input.default).filter(|node| node.kind() != Kind::Null)?;
        let ty = match type_of(self.context, input.r#type) {
            Type::Data(ty) => Some(ty),
            _ => None,
        };
        Some(WrittenValue { value: Some(value), layers: Vec::new(), ty, here: Here::default() })
    }

    /// Returns the node template that a name or a word stands for.
    pub(super) fn template(&self, unit: SourceId, name: &str, here: Here) -> Option<AnyId> {
        match name {
            "SELF" => here.itself,
            "SOURCE" => here.source,
            "TARGET" => here.target,
            _ => {
                let symbol = self.context.program.interner.get(name)?;
                self.context.program.resolve(unit, NODE_TEMPLATES, symbol).id()
            }
        }
    }

    /// Returns a property of a node template. `None` if that is unknown; an error if there is none.
    pub(super) fn property(&self, id: AnyId, name: &str) -> Result<Option<WrittenValue<'a>>, Fault> {
        let Some(template) = get::<NodeTemplate>(self.context, id) else { return Ok(None) };
        let Some(of_type) = self.context.target_of(template.r#type) else { return Ok(None) };
        let Some(of_type) = self.context.get::<NodeType>(of_type) else { return Ok(None) };
        let assigned = template.properties.position.and_then(|position| self.context.node(position));
        let assigned = assigned.and_then(|map| find(self.context, map, name));
        let definition = self.context.program.interner.get(name).and_then(|name| of_type.properties.get(name));
        let definition = definition.and_then(|id| self.context.get(id));
        let here = Here { itself: Some(id), ..Here::default() };
        let Some(definition) = definition else {
            return match assigned {
                Some(_) => Ok(None),
                None => {
                    Err(Fault(format!("node template `{}` has no property `{name}`", self.context.program.name(id))))
                }
            };
        };
        let default = value_of(self.context, definition.default);
        let ty = match type_of(self.context, definition.r#type) {
            Type::Data(ty) => Some(ty),
            _ => None,
        };
        let (value, layers) = match (assigned, default) {
            (Some(value), default) => (Some(value), default.into_iter().collect()),
            (None, default) => (default, Vec::new()),
        };
        Ok((value.is_some() || ty.is_some()).then_some(WrittenValue { value, layers, ty, here }))
    }

    /// Returns the value at the end of a path.
    fn walk(&mut self, mut written: WrittenValue<'a>, keys: &[Data<'a>]) -> Result<Data<'a>, Fault> {
        let mut keys = keys.iter();
        loop {
            let data = match written.value.and_then(call) {
                // Errors in the inner call are reported at that call.
                Some(inner) => self.call(inner, written.here).unwrap_or(Data::Unknown),
                None => Data::Written(written),
            };
            let Some(key) = keys.next() else { return Ok(data) };
            let Some(key) = key.key() else { return Ok(Data::Unknown) };
            written = match data {
                Data::Written(found) => match self.step(&found, &key)? {
                    Some(next) => next,
                    None => return Ok(Data::Unknown),
                },
                Data::Text(_) | Data::Integer(_) => return Err(Fault(format!("there is no `{key}`"))),
                Data::Unknown | Data::List | Data::Map => return Ok(Data::Unknown),
            };
        }
    }

    /// Returns a step of a path. `None` if that is unknown.
    fn step(&self, written: &WrittenValue<'a>, key: &Key) -> Result<Option<WrittenValue<'a>>, Fault> {
        let here = written.here;
        let missing = || Fault(format!("there is no `{key}`"));
        match written.value.map(Node::kind) {
            Some(Kind::List) => {
                let Key::Index(index) = key else {
                    return Err(Fault(format!("the index of a list must be an integer, not `{key}`")));
                };
                let count = written.value.map_or(0, Node::len) as i128;
                let index = if *index < 0 { index + count } else { *index };
                let item = usize::try_from(index).ok().and_then(|index| written.value?.items().nth(index));
                let item = item.ok_or_else(|| Fault(format!("the list has no item {key}")))?;
                Ok(Some(WrittenValue { value: Some(item), layers: Vec::new(), ty: None, here }))
            }
            Some(Kind::Map) | None => {
                let name = key.to_string();
                let field = written.ty.and_then(|ty| {
                    let ty = self.context.get(ty)?;
                    self.context.get(ty.properties.get(self.context.program.interner.get(&name)?)?)
                });
                let own = written.value.and_then(|map| find(self.context, map, &name));
                let layers = written.layers.iter().filter_map(|layer| find(self.context, *layer, &name));
                let default = field.and_then(|field| value_of(self.context, field.default));
                let mut layers: Vec<_> = own.into_iter().chain(layers).chain(default).collect();
                if layers.is_empty() {
                    return if field.is_some() || written.value.is_none() { Ok(None) } else { Err(missing()) };
                }
                let value = Some(layers.remove(0));
                let ty = field.and_then(|field| match type_of(self.context, field.r#type) {
                    Type::Data(ty) => Some(ty),
                    _ => None,
                });
                if written.ty.is_none() {
                    layers.clear();
                }
                Ok(Some(WrittenValue { value, layers, ty, here }))
            }
            _ => Err(missing()),
        }
    }
}

/// Merges maps. The values in the result are not evaluated.
fn merge<'a>(arguments: &[Data<'a>]) -> Result<Data<'a>, Fault> {
    for argument in arguments {
        let is_map = match argument {
            Data::Written(written) => written.value.is_none_or(|node| node.kind() == Kind::Map),
            Data::Unknown | Data::Map => true,
            _ => false,
        };
        if !is_map {
            return Err(Fault(format!("`merge` takes maps, not {}", argument.kind())));
        }
    }
    let is_unknown = arguments.iter().any(Data::is_unknown);
    Ok(if is_unknown { Data::Unknown } else { Data::Map })
}

/// Returns the joined text of scalars.
fn concat<'a>(arguments: &[Data<'a>]) -> Data<'a> {
    let mut joined = String::new();
    for argument in arguments {
        match argument {
            Data::Text(text) => joined.push_str(text),
            Data::Integer(integer) => joined.push_str(&integer.to_string()),
            Data::Written(WrittenValue { value: Some(node), .. }) if !matches!(node.kind(), Kind::List | Kind::Map) => {
                joined.push_str(node.text());
            }
            _ => return Data::Unknown,
        }
    }
    Data::Text(joined)
}

/// Evaluates a string function.
fn strings<'a>(name: &str, arguments: &[Data<'a>]) -> Result<Data<'a>, Fault> {
    let count = if name == "string_replace" { 3 } else { 2 };
    let mut texts = Vec::new();
    for argument in arguments.iter().take(count) {
        if argument.is_unknown() {
            return Ok(Data::Unknown);
        }
        match argument.text() {
            Some(text) => texts.push(text),
            None => return Err(Fault(format!("`{name}` takes strings, not {}", argument.kind()))),
        }
    }
    let number = match arguments.get(count) {
        Some(argument) if argument.is_unknown() => return Ok(Data::Unknown),
        Some(argument) => match argument.integer() {
            Some(number) => Some(number),
            None => return Err(Fault(format!("`{name}` takes an integer at the end, not {}", argument.kind()))),
        },
        None => None,
    };
    Ok(match (name, &texts[..]) {
        ("string_lower", [text]) => Data::Text(text.to_lowercase()),
        ("string_upper", [text]) => Data::Text(text.to_uppercase()),
        ("string_find", [text, part]) => {
            Data::Integer(text.find(part.as_str()).map_or(-1, |index| text[..index].chars().count() as i128))
        }
        ("string_replace", [text, old, new]) if new.len() <= 100 => {
            let count = number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX);
            Data::Text(text.replacen(old.as_str(), new, count.min(MAX_CALLS)))
        }
        ("string_split", [_, separator]) if separator.is_empty() => {
            return Err(Fault("the separator of `string_split` must not be empty".to_owned()));
        }
        ("string_split", [text, separator]) => {
            let mut parts: Vec<Data<'a>> =
                text.split(separator.as_str()).map(|part| Data::Text(part.to_owned())).collect();
            let Some(number) = number else { return Ok(Data::List) };
            let index = if number < 0 { number + parts.len() as i128 } else { number };
            match usize::try_from(index).ok().filter(|index| *index < parts.len()) {
                Some(index) => parts.swap_remove(index),
                None => return Err(Fault(format!("the string has no part {number}"))),
            }
        }
        _ => Data::Unknown,
    })
}
