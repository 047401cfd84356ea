//! The functions that every document can use. None has side effects, and the budget limits the time of each.

use std::convert::Infallible;
use std::rc::Rc;

use regex::Regex;
use tosca_parse_engine::budget::pattern::{Cost, Matches, Search};

use super::arithmetic::too_large;
use super::convert::{Number, number, to_int, to_number, to_text, wrong};
use super::numeric::{absolute, integer, modular_power, round};
use super::subscript::{CHARACTER, signed};
use crate::error::{Category, Error, Result};
use crate::graph::{Graph, ListId, Thunk, ThunkId};
use crate::source::Span;
use crate::syntax::Binary;
use crate::value::{Kind, MASK, Text, Value, derived};

macro_rules! functions {
    ($($name:literal => $variant:ident $least:literal ..= $most:expr),+ $(,)?) => {
        /// A function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function {
            $($variant),+
        }

        impl Function {
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),+];

            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Function::$variant),)+
                    _ => None,
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $(Function::$variant => $name),+
                }
            }

            /// Returns the minimum and maximum number of arguments.
            fn arity(self) -> (usize, usize) {
                match self {
                    $(Function::$variant => ($least, $most)),+
                }
            }
        }
    };
}

functions! {
    "range" => Range 1..=3,
    "replace" => Replace 3..=3,
    "sub" => Sub 3..=3,
    "sum" => Sum 1..=2,
    "len" => Len 1..=1,
    "min" => Min 1..=usize::MAX,
    "max" => Max 1..=usize::MAX,
    "abs" => Abs 1..=1,
    "round" => Round 1..=2,
    "sorted" => Sorted 1..=1,
    "reversed" => Reversed 1..=1,
    "int" => Int 0..=2,
    "float" => Float 0..=1,
    "str" => Str 0..=1,
    "bool" => Bool 0..=1,
    "list" => List 0..=1,
    "any" => Any 1..=1,
    "all" => All 1..=1,
    "join" => Join 2..=2,
    "split" => Split 1..=3,
    "lower" => Lower 1..=1,
    "upper" => Upper 1..=1,
    "bin" => Bin 1..=1,
    "chr" => Chr 1..=1,
    "divmod" => Divmod 2..=2,
    "enumerate" => Enumerate 1..=2,
    "hex" => Hex 1..=1,
    "oct" => Oct 1..=1,
    "ord" => Ord 1..=1,
    "pow" => Pow 2..=3,
    "repr" => Repr 1..=1,
    "tuple" => Tuple 0..=1,
    "zip" => Zip 0..=usize::MAX,
}

pub(super) type Argument = (Value, Span);

/// A compiled pattern.
pub(crate) struct Pattern {
    regex: Regex,
    cost: Cost,
}

impl Graph<'_> {
    pub(super) fn apply_function(&mut self, function: Function, arguments: &[Argument], at: Span) -> Result<Value> {
        let (least, most) = function.arity();
        if !(least..=most).contains(&arguments.len()) {
            let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let noun = if most == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` takes {count} {noun}, not {}", function.name(), arguments.len());
            return Err(Error::new(Category::Type, at, message));
        }
        let mut labels = self.labels_at(at.source);
        for (value, _) in arguments {
            labels |= derived(value.labels);
        }
        if arguments.is_empty() && function != Function::Zip {
            return Ok(self.empty(function, at).labeled(labels));
        }
        let value = match function {
            Function::Range => self.range(arguments, at)?,
            Function::Replace
            | Function::Sub
            | Function::Join
            | Function::Split
            | Function::Lower
            | Function::Upper => self.text_function(function, arguments, at)?,
            Function::Len => {
                Value::new(Kind::Int(i64::try_from(self.length(&arguments[0])?).unwrap_or(i64::MAX), None), at, labels)
            }
            Function::Abs => absolute(&arguments[0], at)?,
            Function::Round => round(arguments, at)?,
            Function::Int => {
                if let Kind::Text(text) = &arguments[0].0.kind {
                    self.look_through(text.plain.len(), at)?;
                }
                Value::new(Kind::Int(integer(arguments)?, None), at, labels)
            }
            Function::Float => {
                Value::new(Kind::Float(to_number(&arguments[0].0, arguments[0].1)?.float(), None), at, labels)
            }
            Function::Str | Function::Repr => {
                let mut inside = 0;
                let text = match function {
                    Function::Str => self.as_string(&arguments[0].0, &mut inside, at)?,
                    _ => self.representation(&arguments[0].0, &mut inside, at)?,
                };
                self.make_text(text.len(), at)?;
                Value::text(&text, at, inside)
            }
            Function::Bin | Function::Hex | Function::Oct => {
                let number = to_int(&arguments[0].0, arguments[0].1)?;
                let sign = if number < 0 { "-" } else { "" };
                let size = number.unsigned_abs();
                let text = match function {
                    Function::Bin => format!("{sign}{size:#b}"),
                    Function::Hex => format!("{sign}{size:#x}"),
                    _ => format!("{sign}{size:#o}"),
                };
                Value::text(&text, at, 0)
            }
            Function::Chr => {
                let code = to_int(&arguments[0].0, arguments[0].1)?;
                let Some(character) = u32::try_from(code).ok().and_then(char::from_u32) else {
                    return Err(wrong(&arguments[0].0, "the number of a character", arguments[0].1));
                };
                Value::text(character.encode_utf8(&mut [0; 4]), at, 0)
            }
            Function::Ord => {
                let text = to_text(&arguments[0].0, arguments[0].1)?;
                let mut characters = text.chars();
                let (Some(character), None) = (characters.next(), characters.next()) else {
                    return Err(wrong(&arguments[0].0, "one character", arguments[0].1));
                };
                Value::new(Kind::Int(i64::from(u32::from(character)), None), at, 0)
            }
            Function::Pow if arguments.len() == 3 => Value::new(Kind::Int(modular_power(arguments)?, None), at, labels),
            Function::Pow => {
                let operand = |n: usize| (&arguments[n].0, arguments[n].1);
                self.binary(Binary::Power, operand(0), operand(1), at)?
            }
            Function::Divmod => {
                let operand = |n: usize| (&arguments[n].0, arguments[n].1);
                let mut items = Vec::new();
                for operator in [Binary::FloorDivide, Binary::Modulo] {
                    for (value, user) in arguments {
                        to_number(value, *user)?;
                    }
                    let value = self.binary(operator, operand(0), operand(1), at)?;
                    items.push(self.known_thunk(value));
                }
                self.made_list(items, at)
            }
            Function::Bool => Value::new(Kind::Bool(self.is_true(&arguments[0].0)?, None), at, labels),
            _ => self.list_function(function, arguments, at)?,
        };
        // The values that determined the items are known only after the items have been read.
        for (value, _) in arguments {
            labels |= derived(self.all_labels(value)?);
        }
        Ok(value.labeled(labels))
    }

    /// Returns the result of a function without arguments: the empty value of its type.
    fn empty(&mut self, function: Function, at: Span) -> Value {
        match function {
            Function::Int => Value::new(Kind::Int(0, None), at, 0),
            Function::Float => Value::new(Kind::Float(0.0, None), at, 0),
            Function::Bool => Value::new(Kind::Bool(false, None), at, 0),
            Function::Str => Value::text("", at, 0),
            _ => self.made_list(Vec::new(), at),
        }
    }

    fn range(&mut self, arguments: &[Argument], at: Span) -> Result<Value> {
        let mut numbers = Vec::new();
        for (value, user) in arguments {
            numbers.push(to_int(value, *user)?);
        }
        let (start, end, step) = match numbers[..] {
            [end] => (0, end, 1),
            [start, end] => (start, end, 1),
            _ => (numbers[0], numbers[1], numbers[2]),
        };
        if step == 0 {
            return Err(Error::new(Category::Type, arguments[2].0.at, "the step of `range` can't be zero").used(at));
        }
        let distance = if step > 0 { i128::from(end) - i128::from(start) } else { i128::from(start) - i128::from(end) };
        let count = (distance + i128::from(step).abs() - 1).div_euclid(i128::from(step).abs()).max(0);
        self.check_count(count, at)?;
        let items =
            (0..count as i64).map(|n| self.known_thunk(Value::new(Kind::Int(start + n * step, None), at, 0))).collect();
        Ok(self.made_list(items, at))
    }

    /// Checks whether a list with the given number of values may be created at once.
    pub(super) fn check_count(&self, count: i128, at: Span) -> Result<()> {
        if count <= self.limits.list as i128 {
            let count = usize::try_from(count).unwrap_or(0);
            self.look_through(count, at)?;
            return self.check_room(count, size_of::<Thunk>() + size_of::<ThunkId>(), at);
        }
        let message = format!("a list can't have more than {} items", self.limits.list);
        Err(Error::new(Category::Limit, at, message))
    }

    fn made_list(&mut self, items: Vec<ThunkId>, at: Span) -> Value {
        let list = self.known_list(at, items);
        Value::new(Kind::List(list), at, 0)
    }

    fn length(&mut self, (value, user): &Argument) -> Result<usize> {
        match &value.kind {
            Kind::List(list) => Ok(self.items(*list)?.len()),
            Kind::Map(view) => Ok(self.keys(*view)?.len()),
            Kind::Text(text) => {
                self.look_through(text.plain.len() / 8, *user)?;
                Ok(text.plain.chars().count())
            }
            _ => Err(wrong(value, "a list, a mapping or text", *user)),
        }
    }

    fn argument_list(&mut self, (value, user): &Argument) -> Result<ListId> {
        self.iterable(value, *user)
    }

    /// Returns the characters of a string.
    pub(crate) fn characters(&mut self, value: &Value, text: &Text, user: Span) -> Result<ListId> {
        let count = text.plain.chars().count();
        self.check_count(count as i128, user)?;
        self.make_text(count.saturating_mul(CHARACTER), user)?;
        let character = |c: char| self.known_thunk(Value::text(c.encode_utf8(&mut [0; 4]), value.at, value.labels));
        let items = text.plain.chars().map(character).collect();
        let list = self.known_list(value.at, items);
        self.label_list(list, derived(value.labels));
        Ok(list)
    }

    fn values(&mut self, argument: &Argument) -> Result<Vec<Value>> {
        let list = self.argument_list(argument)?;
        let items = self.items(list)?;
        self.look_through(4 * items.len(), argument.1)?;
        self.check_room(items.len(), size_of::<Value>(), argument.1)?;
        items.into_iter().map(|item| self.force(item)).collect()
    }

    fn list_function(&mut self, function: Function, arguments: &[Argument], at: Span) -> Result<Value> {
        match function {
            Function::Enumerate => {
                let start = arguments.get(1).map_or(Ok(0), |(value, user)| to_int(value, *user))?;
                let list = self.argument_list(&arguments[0])?;
                let items = self.items(list)?;
                self.check_count(2 * items.len() as i128, at)?;
                let mut pairs = Vec::new();
                for (n, item) in items.into_iter().enumerate() {
                    let n = start.checked_add(signed(n)).ok_or_else(|| too_large(at))?;
                    let number = self.known_thunk(Value::new(Kind::Int(n, None), at, 0));
                    let pair = self.made_list(vec![number, item], at);
                    pairs.push(self.known_thunk(pair));
                }
                Ok(self.made_list(pairs, at))
            }
            Function::Zip => self.zip(arguments, at),
            Function::List | Function::Tuple => {
                let list = self.argument_list(&arguments[0])?;
                let items = self.items(list)?;
                Ok(self.made_list(items, at))
            }
            Function::Reversed => {
                let list = self.argument_list(&arguments[0])?;
                let mut items = self.items(list)?;
                items.reverse();
                Ok(self.made_list(items, at))
            }
            Function::Any | Function::All => {
                let any = function == Function::Any;
                let list = self.argument_list(&arguments[0])?;
                let (mut n, mut labels) = (0, 0);
                while let Some(item) = self.item(list, n)? {
                    self.step(at)?;
                    let value = self.force(item)?;
                    let (is_true, of_item) = self.truth(&value)?;
                    labels |= of_item;
                    if is_true == any {
                        return Ok(Value::new(Kind::Bool(any, None), at, labels));
                    }
                    n += 1;
                }
                Ok(Value::new(Kind::Bool(!any, None), at, labels))
            }
            Function::Sum => self.sum(arguments, at),
            Function::Sorted => {
                let sorted = self.sorted(&arguments[0])?;
                // The position of each item depends on the others.
                let mut labels = 0;
                for value in &sorted {
                    labels |= self.deep_labels(value, 0)?;
                }
                let items = sorted.into_iter().map(|value| self.known_thunk(value)).collect();
                Ok(self.made_list(items, at).labeled(derived(labels)))
            }
            _ => self.extreme(function, arguments, at),
        }
    }

    /// Returns lists of the first items, the second ones, and so on.
    fn zip(&mut self, arguments: &[Argument], at: Span) -> Result<Value> {
        let mut lists = Vec::new();
        for argument in arguments {
            let list = self.argument_list(argument)?;
            lists.push(self.items(list)?);
        }
        let count = lists.iter().map(Vec::len).min().unwrap_or(0);
        self.check_count(count as i128 * lists.len() as i128, at)?;
        let mut rows = Vec::new();
        for n in 0..count {
            let row = self.made_list(lists.iter().map(|list| list[n]).collect(), at);
            rows.push(self.known_thunk(row));
        }
        Ok(self.made_list(rows, at))
    }

    /// Returns the labels of a value and of everything in it.
    fn deep_labels(&mut self, value: &Value, depth: usize) -> Result<u64> {
        const DEEPEST: usize = 100;
        let mut labels = value.labels;
        if let Kind::List(list) = value.kind
            && self.loaded.has_secrets
            && depth < DEEPEST
        {
            for item in self.items(list)? {
                let item = self.force(item)?;
                labels |= self.deep_labels(&item, depth + 1)?;
            }
            labels |= self.list_labels(list);
        }
        Ok(labels)
    }

    fn sum(&mut self, arguments: &[Argument], at: Span) -> Result<Value> {
        let mut total = match arguments.get(1) {
            Some((start, _)) => start.clone(),
            None => Value::new(Kind::Int(0, None), at, 0),
        };
        let user = arguments[0].1;
        let values = self.values(&arguments[0])?;
        let is_list = |value: &Value| matches!(value.kind, Kind::List(_));
        if is_list(&total) && values.iter().all(is_list) {
            let lists: Vec<&Value> = std::iter::once(&total).chain(&values).collect();
            return Ok(self.chained(&lists, at));
        }
        for value in values {
            to_number(&total, at)?;
            to_number(&value, user)?;
            total = self.binary(Binary::Add, (&total, at), (&value, user), at)?;
        }
        Ok(total)
    }

    fn sorted(&mut self, argument: &Argument) -> Result<Vec<Value>> {
        let mut values = self.values(argument)?;
        let texts = values.iter().all(|value| matches!(value.kind, Kind::Text(_)));
        if !values.is_empty() && values.iter().all(|value| matches!(value.kind, Kind::List(_))) {
            return self.merge_sorted(values, argument.1);
        }
        if !texts {
            for value in &values {
                to_number(value, argument.1)?;
            }
        }
        let text = |value: &Value| if let Kind::Text(text) = &value.kind { text.plain.len() } else { 0 };
        // Sorting compares each value about log₂(n) times.
        let times = values.len().max(1).ilog2() as usize;
        let length = values.iter().map(text).fold(values.len(), usize::saturating_add);
        self.look_through(length.saturating_mul(times), argument.1)?;
        values.sort_by(|a, b| match (&a.kind, &b.kind) {
            (Kind::Text(a), Kind::Text(b)) if texts => a.plain.cmp(&b.plain),
            _ => {
                let float = |value: &Value| number(value).map_or(0.0, Number::float);
                float(a).total_cmp(&float(b))
            }
        });
        Ok(values)
    }

    /// Sorts values whose order must be computed.
    fn merge_sorted(&mut self, mut values: Vec<Value>, at: Span) -> Result<Vec<Value>> {
        if values.len() < 2 {
            return Ok(values);
        }
        let right = values.split_off(values.len() / 2);
        let (left, right) = (self.merge_sorted(values, at)?, self.merge_sorted(right, at)?);
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            self.step(at)?;
            let is_later = self.order((b, at), (a, at), &mut 0)?.is_some_and(std::cmp::Ordering::is_lt);
            merged.extend(if is_later { right.next() } else { left.next() });
        }
        merged.extend(left);
        merged.extend(right);
        Ok(merged)
    }

    /// Returns the minimum or maximum of a list or of several arguments.
    fn extreme(&mut self, function: Function, arguments: &[Argument], at: Span) -> Result<Value> {
        let values = match arguments {
            [only] => self.values(only)?,
            _ => arguments.iter().map(|(value, _)| value.clone()).collect(),
        };
        let mut best: Option<Value> = None;
        let mut labels = values.iter().fold(0, |labels, value| labels | value.labels);
        for value in values {
            let better = match &best {
                None => true,
                Some(best) => {
                    let order = self.order((&value, at), (best, at), &mut labels)?;
                    order.is_some_and(|order| if function == Function::Min { order.is_lt() } else { order.is_gt() })
                }
            };
            if better {
                best = Some(value);
            }
        }
        let empty = || {
            Error::new(Category::Type, arguments[0].0.at, format!("`{}` needs at least one value", function.name()))
                .used(at)
        };
        best.map(|best| best.labeled(derived(labels))).ok_or_else(empty)
    }

    fn text_function(&mut self, function: Function, arguments: &[Argument], at: Span) -> Result<Value> {
        for (value, _) in arguments {
            if let Kind::Text(text) = &value.kind {
                self.look_through(text.plain.len(), at)?;
            }
        }
        let text = |n: usize| to_text(&arguments[n].0, arguments[n].1);
        let made: Rc<str> = match function {
            Function::Lower | Function::Upper => {
                let whole = text(0)?;
                self.check_length(whole.len(), at)?;
                if function == Function::Lower { whole.to_lowercase() } else { whole.to_uppercase() }.into()
            }
            Function::Replace => {
                let (whole, old, new) = (text(0)?, text(1)?, text(2)?);
                self.check_length(replaced_length(&whole, &old, &new), at)?;
                whole.replace(&*old, &new).into()
            }
            Function::Sub => self.substituted(&text(0)?, &text(1)?, &text(2)?, &arguments[0], at)?,
            Function::Split => return self.split(arguments, at),
            _ => return self.join(arguments, at),
        };
        self.make_text(made.len(), at)?;
        Ok(Value::text(&made, at, 0))
    }

    /// Substitutes matches in linear time; `\1` stands for the first group.
    fn substituted(
        &mut self,
        pattern: &Rc<str>,
        new: &str,
        text: &str,
        argument: &Argument,
        at: Span,
    ) -> Result<Rc<str>> {
        let compiled = self.pattern(pattern, at)?;
        let compiled = compiled.map_err(|reason| {
            let reason = if argument.0.is_secret() { MASK.into() } else { reason };
            Error::new(Category::Type, argument.0.at, format!("invalid regular expression: {reason}")).used(at)
        })?;
        self.search(compiled.cost, text.len(), at)?;
        let regex = &compiled.regex;
        let new = replacement(new);
        let mut made = String::new();
        let mut end = 0;
        let mut matches = Matches::new(text);
        let find = |search| match search {
            Search::From(from) => regex.captures_at(text, from).and_then(|found| {
                let range = found.get(0)?.range();
                Some((found, range))
            }),
            // The engine has no such search.
            Search::NotEmptyAt(_) => None,
        };
        while let Ok(Some(found)) = matches.next(|search| Ok::<_, Infallible>(find(search))) {
            let Some(whole) = found.get(0) else { continue };
            made.push_str(&text[end..whole.start()]);
            end = whole.end();
            found.expand(&new, &mut made);
            self.search(compiled.cost, text.len() - end, at)?;
            self.check_length(made.len(), at)?;
        }
        made.push_str(&text[end..]);
        Ok(made.into())
    }

    /// Returns a compiled pattern or the reason why it can't be compiled. Each pattern is compiled once.
    fn pattern(&mut self, text: &Rc<str>, at: Span) -> Result<std::result::Result<Rc<Pattern>, String>> {
        const SIZE: usize = 1 << 20;
        const CACHE: usize = 256 << 10;
        if let Some(known) = self.loaded.patterns.get(text) {
            return Ok(known.clone());
        }
        let cost = Cost::of_text(text);
        let exceeded = |exceeded| Error::exceeded(&exceeded, at);
        self.budget.steps(cost.steps().saturating_add(text.len() as u64)).map_err(exceeded)?;
        self.budget.bytes(cost.bytes().min(2 * SIZE as u64)).map_err(exceeded)?;
        let built = regex::RegexBuilder::new(text).size_limit(SIZE).dfa_size_limit(CACHE).build();
        let built = built.map(|regex| Rc::new(Pattern { regex, cost })).map_err(|error| {
            let reason = error.to_string();
            reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
        });
        self.loaded.patterns.insert(text.clone(), built.clone());
        Ok(built)
    }

    /// Charges the steps of a search.
    fn search(&self, cost: Cost, bytes: usize, at: Span) -> Result<()> {
        self.budget.steps(cost.search_steps(bytes)).map_err(|exceeded| Error::exceeded(&exceeded, at))
    }

    /// Evaluates `join(separator, list)`, or `join(list, separator)`.
    fn join(&mut self, arguments: &[Argument], at: Span) -> Result<Value> {
        let list_first = matches!(arguments[0].0.kind, Kind::List(_) | Kind::Map(_));
        let (separator, list) =
            if list_first { (&arguments[1], &arguments[0]) } else { (&arguments[0], &arguments[1]) };
        let separator = to_text(&separator.0, separator.1)?;
        let list_id = self.iterable(&list.0, list.1)?;
        let mut made = String::new();
        let mut labels = 0;
        for (n, item) in self.items(list_id)?.into_iter().enumerate() {
            let value = self.force(item)?;
            labels |= value.labels;
            if n > 0 {
                made.push_str(&separator);
            }
            made.push_str(&to_text(&value, list.1)?);
            self.check_length(made.len(), at)?;
        }
        self.make_text(made.len(), at)?;
        Ok(Value::text(&made, at, labels))
    }

    /// Splits text at separators or at spaces.
    fn split(&mut self, arguments: &[Argument], at: Span) -> Result<Value> {
        let text = to_text(&arguments[0].0, arguments[0].1)?;
        self.look_through(text.len(), at)?;
        let most = match arguments.get(2) {
            Some((most, user)) => usize::try_from(to_int(most, *user)?).unwrap_or(usize::MAX),
            None => usize::MAX,
        };
        let pieces: Vec<&str> = match arguments.get(1).filter(|(value, _)| !matches!(value.kind, Kind::Null)) {
            None => {
                self.check_count(text.split_whitespace().count() as i128, at)?;
                words(&text, most)
            }
            Some((separator, user)) => {
                let separator_text = to_text(separator, *user)?;
                if separator_text.is_empty() {
                    return Err(wrong(separator, "a separator that is not empty", *user));
                }
                self.check_count(text.matches(&*separator_text).count() as i128 + 1, at)?;
                text.splitn(most.saturating_add(1), &*separator_text).collect()
            }
        };
        self.make_text(text.len().saturating_add(pieces.len().saturating_mul(CHARACTER)), at)?;
        let labels = arguments[0].0.labels;
        let items = pieces.iter().map(|piece| self.known_thunk(Value::text(piece, at, labels))).collect();
        Ok(self.made_list(items, at))
    }
}

/// Splits text at spaces, at most the given number of times.
fn words(text: &str, most: usize) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() && words.len() < most {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words.extend((!rest.is_empty()).then_some(rest));
    words
}

fn replaced_length(whole: &str, old: &str, new: &str) -> usize {
    let count = if old.is_empty() { whole.chars().count() + 1 } else { whole.matches(old).count() };
    (whole.len() + count.saturating_mul(new.len())).saturating_sub(count * old.len())
}

/// Converts a replacement string from Python's notation to that of the `regex` crate: `\1` and `\g<name>` become `${1}`
/// and `${name}`. `\0` and `\101` are octal numbers of characters.
fn replacement(new: &str) -> String {
    let mut made = String::new();
    let mut rest = new;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '$' => made.push_str("$$"),
            '\\' => {
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let digits = digits.min(2);
                let octals = rest.bytes().take(3).take_while(|c| matches!(c, b'0'..=b'7')).count();
                let is_octal = rest.starts_with('0') || octals == 3;
                let octal = u32::from_str_radix(&rest[..octals], 8).ok().filter(|_| is_octal).and_then(char::from_u32);
                let named = rest.strip_prefix("g<").and_then(|rest| rest.split_once('>'));
                if let Some(octal) = octal {
                    made.push(octal);
                    rest = &rest[octals..];
                } else if digits > 0 {
                    made.extend(["${", &rest[..digits], "}"]);
                    rest = &rest[digits..];
                } else if let Some((name, after)) = named {
                    made.extend(["${", name, "}"]);
                    rest = after;
                } else if let Some(next) = rest.chars().next() {
                    rest = &rest[next.len_utf8()..];
                    match next {
                        'n' => made.push('\n'),
                        't' => made.push('\t'),
                        '\\' => made.push('\\'),
                        _ => made.extend(['\\', next]),
                    }
                } else {
                    made.push('\\');
                }
            }
            _ => made.push(c),
        }
    }
    made
}
