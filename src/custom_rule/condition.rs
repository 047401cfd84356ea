//! The conditions of custom rules.

use crate::ard::{Kind, Node};
use crate::data::{
    Call, CallShape, Computed, Datum, FUNCTIONS, comparisons, compute, effort, effort_of_compiling, key, plain,
};
use crate::diagnostic::suggest::nearest;
use crate::entity::LanguageVersion;
use crate::grammar::version::V2_0;

/// An item to check.
pub(super) struct Item<'a> {
    pub(super) name: &'a str,
    /// The content as written.
    pub(super) node: Node<'a>,
    /// The keyname that a content other than a map stands for; `None` if it stands for none.
    pub(super) keyname: Option<&'a str>,
    pub(super) version: LanguageVersion,
}

/// The remaining effort, in steps.
pub(super) struct Effort(u64);

/// The limit on the effort is exceeded.
pub(super) struct Exceeded;

impl Effort {
    pub(super) fn new(steps: u64) -> Self {
        Self(steps)
    }

    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Exceeded> {
        self.0 = self.0.checked_sub(steps as u64).ok_or(Exceeded)?;
        Ok(())
    }

    /// Spends the effort of creating a value.
    fn create(&mut self, value: Datum) -> Result<Datum, Exceeded> {
        self.spend(steps(&value)).map(|()| value)
    }
}

/// Returns the effort of creating or reading a value. Long strings take memory, too.
fn steps(value: &Datum) -> usize {
    const LONG: usize = 4 << 10;
    let of_string = |text: &str| if text.len() < LONG { 1 + text.len() / 64 } else { text.len() / 2 };
    match value {
        Datum::String(text) => of_string(text),
        Datum::List(items) => 1 + items.iter().map(steps).sum::<usize>(),
        Datum::Map(entries) => 1 + entries.iter().map(|(key, value)| of_string(key) + steps(value)).sum::<usize>(),
        _ => 1,
    }
}

/// Checks that all functions in a condition can be computed from the source alone. The error is a message for the user.
pub(super) fn check(node: Node<'_>) -> Result<(), String> {
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

/// Returns the effort of compiling the regular expressions that are written in a condition.
pub(super) fn effort_of_patterns(node: Node<'_>) -> u64 {
    let below = match Call::shape(node, V2_0) {
        CallShape::Call(call) if call.name == "matches" => {
            call.arguments().get(1).map_or(0, |pattern| effort_of_compiling(&plain(*pattern, V2_0)))
        }
        _ => 0,
    };
    let items = node.items().map(effort_of_patterns).fold(below, u64::saturating_add);
    node.entries().map(|entry| effort_of_patterns(entry.value)).fold(items, u64::saturating_add)
}

/// Evaluates an expression about an item.
pub(super) fn evaluate(node: Node<'_>, item: &Item<'_>, effort_left: &mut Effort) -> Result<Datum, Exceeded> {
    effort_left.spend(1)?;
    let call = match Call::shape(node, V2_0) {
        CallShape::Call(call) => call,
        CallShape::Malformed(_) => return Ok(Datum::Unknown),
        CallShape::Literal => {
            return match node.kind() {
                Kind::List => {
                    let items = node.items().map(|part| evaluate(part, item, effort_left));
                    Ok(Datum::List(items.collect::<Result<_, _>>()?))
                }
                _ => effort_left.create(plain(node, V2_0)),
            };
        }
    };
    let written = call.arguments();
    let arguments = written.iter().map(|argument| evaluate(*argument, item, effort_left));
    let arguments: Vec<Datum> = arguments.collect::<Result<_, _>>()?;
    match (call.name, &arguments[..]) {
        ("value", steps) => within(item, steps, effort_left),
        // A missing value has no entries and the length 0.
        ("length", [Datum::Nil]) => Ok(Datum::Integer(0)),
        (name, [Datum::Nil, ..]) if name.starts_with("has_") || matches!(name, "matches" | "contains") => {
            Ok(Datum::Boolean(false))
        }
        (name, arguments) => {
            effort_left.spend(arguments.iter().map(steps).sum::<usize>() + comparisons(name, arguments))?;
            if let ("matches", [text, pattern]) = (name, arguments) {
                effort_left.spend(effort(pattern, text))?;
                // Those that are written in conditions are compiled once.
                if !matches!(Call::shape(written[1], V2_0), CallShape::Literal) {
                    effort_left.spend(usize::try_from(effort_of_compiling(pattern)).unwrap_or(usize::MAX))?;
                }
            }
            match compute(name, arguments, |_, _| String::new()) {
                Computed::Value(value) => effort_left.create(value),
                Computed::Overflow | Computed::DivisionByZero => Ok(Datum::Unknown),
            }
        }
    }
}

/// Returns the part of an item that steps lead to; null if it does not exist.
fn within(item: &Item<'_>, steps: &[Datum], effort_left: &mut Effort) -> Result<Datum, Exceeded> {
    let (first, rest) = match steps {
        [] => return whole(item, effort_left),
        [Datum::Unknown, ..] => return Ok(Datum::Unknown),
        [Datum::String(first), rest @ ..] => (first, rest),
        _ => return Ok(Datum::Nil),
    };
    let value = match entry(item, first, effort_left)? {
        Some(node) => effort_left.create(value_of(node, item.version))?,
        None if first == "name" => Datum::String(item.name.to_owned()),
        None => return Ok(Datum::Nil),
    };
    let mut value = &value;
    for step in rest {
        let found = match (value, step) {
            (Datum::Unknown, _) | (_, Datum::Unknown) => return Ok(Datum::Unknown),
            (Datum::Map(entries), Datum::String(name)) => {
                entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
            }
            (Datum::List(items), Datum::Integer(index)) => {
                usize::try_from(*index).ok().and_then(|index| items.get(index))
            }
            _ => None,
        };
        let Some(found) = found else { return Ok(Datum::Nil) };
        value = found;
    }
    Ok(value.clone())
}

/// Returns the content of an item at a keyname. If there are several, the last one counts.
fn entry<'a>(item: &Item<'a>, keyname: &str, effort_left: &mut Effort) -> Result<Option<Node<'a>>, Exceeded> {
    if item.node.kind() != Kind::Map {
        return Ok(item.keyname.filter(|own| *own == keyname).map(|_| item.node));
    }
    let mut found = None;
    for entry in item.node.entries() {
        effort_left.spend(1)?;
        if key(entry.key, item.version).is_some_and(|key| key == keyname) {
            found = Some(entry.value);
        }
    }
    Ok(found)
}

/// Returns an item as a map, with its name.
fn whole(item: &Item<'_>, effort_left: &mut Effort) -> Result<Datum, Exceeded> {
    let mut entries = indexmap::IndexMap::from([("name".to_owned(), Datum::String(item.name.to_owned()))]);
    if item.node.kind() == Kind::Map {
        for entry in item.node.entries() {
            let Some(key) = key(entry.key, item.version) else { continue };
            let value = effort_left.create(value_of(entry.value, item.version))?;
            effort_left.spend(2 + key.len() / 64)?;
            entries.insert(key, value);
        }
    } else if let Some(keyname) = item.keyname {
        entries.insert(keyname.to_owned(), effort_left.create(plain(item.node, item.version))?);
    }
    Ok(Datum::Map(entries.into_iter().collect()))
}

/// Returns a written value; calls are unknown.
fn value_of(node: Node<'_>, version: LanguageVersion) -> Datum {
    match Call::shape(node, version) {
        CallShape::Literal => plain(node, version),
        _ => Datum::Unknown,
    }
}
