//! Parts of values: keys, items, slices.

use crate::error::{Category, Error, Result};
use crate::graph::{Graph, ListId, ThunkId, ViewId};
use crate::name::Name;
use crate::source::Span;
use crate::value::{Kind, MASK, SECRET, SHAPE, Text, Value, derived};

use super::convert::{number, to_int, to_text, wrong};

/// The memory for a string of one character, in bytes.
pub(super) const CHARACTER: usize = 24;

impl Graph<'_> {
    pub(super) fn attribute(&mut self, value: &Value, name: Name, at: Span, user: Span) -> Result<Value> {
        match &value.kind {
            Kind::Map(view) => self.key(*view, name, value, (at, 0)),
            Kind::List(_) => {
                let message = format!("a list has no key `{}`; its items have numbers", self.loaded.names.text(name));
                Err(Error::new(Category::Type, value_place(self, value), message).used(user))
            }
            _ => Err(wrong(value, "a mapping", user)),
        }
    }

    /// Returns the value of a key. `labels` are those of the key itself.
    fn key(&mut self, view: ViewId, key: Name, value: &Value, (at, labels): (Span, u64)) -> Result<Value> {
        let Some(thunk) = self.member(view, key)? else { return Err(self.no_key(view, (key, labels), value, at)) };
        let found = self.force(thunk)?;
        let of_key = if self.is_secret_key(view, key)? { SECRET } else { labels };
        Ok(found.labeled(self.labels_at(at.source) | value.shape() | derived(of_key)))
    }

    pub(crate) fn no_key(&mut self, view: ViewId, (key, labels): (Name, u64), value: &Value, at: Span) -> Error {
        const MAX: usize = 1_000;
        let text = self.text_of(key);
        let is_secret = labels & SECRET != 0;
        let message = format!("there is no key `{}` in this mapping", if is_secret { MASK } else { &text });
        let error = Error::new(Category::NoMatching, at, message).used(value.at).labeled(labels);
        if is_secret {
            return error;
        }
        let of_keys = if self.loaded.has_secrets { self.key_labels(value, view).unwrap_or(0) & SHAPE } else { 0 };
        if of_keys != 0 {
            return error.labeled(SECRET | SHAPE);
        }
        if self.loaded.suggestions.is_spent() {
            return error;
        }
        let Ok(keys) = self.keys(view) else { return error };
        let names: Vec<_> = keys.iter().take(MAX).map(|key| self.text_of(*key)).collect();
        self.loaded.suggestions.add(error, &text, names.iter().map(|name| &**name))
    }

    pub(super) fn index(&mut self, value: &Value, index: &Value, at: Span) -> Result<Value> {
        let labels = value.labels | index.labels;
        let shown = |n: i64| if index.is_secret() { MASK.to_owned() } else { n.to_string() };
        match &value.kind {
            Kind::Map(view) => {
                let text = to_text(index, at)?;
                let key = self.key_name(&text, at)?;
                self.key(*view, key, value, (at, derived(index.labels)))
            }
            Kind::List(list) => {
                let n = whole_number(index, at)?;
                let found = self.nth(*list, n)?;
                let labels = derived(index.labels) | value.shape();
                let message = || format!("the list has no item {}", shown(n));
                match found {
                    Some(item) => Ok(self.force(item)?.labeled(labels)),
                    None => Err(Error::new(Category::NoMatching, at, message())
                        .used(value.at)
                        .labeled(labels | self.list_labels(*list))),
                }
            }
            Kind::Text(text) => {
                let n = whole_number(index, at)?;
                self.look_through(text.plain.len(), at)?;
                let length = signed(text.plain.chars().count());
                let found =
                    usize::try_from(if n < 0 { n + length } else { n }).ok().and_then(|n| text.plain.chars().nth(n));
                let found = found.ok_or_else(|| {
                    let message = format!("the text has no character {}", shown(n));
                    Error::new(Category::NoMatching, at, message).labeled(derived(labels))
                })?;
                self.make_text(CHARACTER, at)?;
                Ok(Value::text(found.encode_utf8(&mut [0; 4]), at, labels))
            }
            _ => Err(wrong(value, "a list, a mapping or text", at)),
        }
    }

    /// Returns an item of a list; negative numbers count from the end.
    pub(crate) fn nth(&mut self, list: ListId, n: i64) -> Result<Option<ThunkId>> {
        let place = if n < 0 { n.saturating_add(signed(self.items(list)?.len())) } else { n };
        match usize::try_from(place) {
            Ok(place) => self.item(list, place),
            Err(_) => Ok(None),
        }
    }

    pub(super) fn slice(&mut self, value: &Value, bounds: &[Option<Value>; 3], at: Span) -> Result<Value> {
        let mut numbers = [None, None, None];
        for (bound, place) in bounds.iter().zip(&mut numbers) {
            if let Some(bound) = bound.as_ref().filter(|bound| !matches!(bound.kind, Kind::Null)) {
                *place = Some(to_int(bound, at)?);
            }
        }
        let labels = bounds.iter().flatten().fold(value.labels, |labels, bound| labels | derived(bound.labels));
        if numbers[2] == Some(0) {
            let wrong = bounds[2].as_ref().map_or(at, |step| step.at);
            return Err(Error::new(Category::Type, wrong, "the step of a slice can't be zero").used(at));
        }
        match &value.kind {
            Kind::List(list) => {
                let items = self.slice_items(*list, numbers)?;
                self.look_through(items.len(), at)?;
                let labels = labels | self.list_labels(*list);
                let list = self.known_list(at, items);
                Ok(Value::new(Kind::List(list), at, labels))
            }
            Kind::Text(text) => {
                // While the string is cut, a character takes as much as four bytes, and its position as much as eight.
                self.check_room(text.plain.len(), 12, at)?;
                self.look_through(text.plain.len(), at)?;
                let characters: Vec<char> = text.plain.chars().collect();
                let part: String =
                    places(numbers, characters.len()).into_iter().map(|place| characters[place]).collect();
                self.make_text(part.len(), at)?;
                Ok(Value::new(Kind::Text(Text::from(&*part)), at, labels))
            }
            _ => Err(wrong(value, "a list or text", at)),
        }
    }

    /// Returns the items of a slice. Items after its end are not searched for, unless indexes are counted from the end.
    fn slice_items(&mut self, list: ListId, numbers: [Option<i64>; 3]) -> Result<Vec<ThunkId>> {
        let forwards = numbers[2].unwrap_or(1) > 0;
        if let (true, Ok(start), Some(Ok(end))) =
            (forwards, usize::try_from(numbers[0].unwrap_or(0)), numbers[1].map(usize::try_from))
        {
            let mut items = Vec::new();
            let mut place = start;
            while place < end {
                let Some(item) = self.item(list, place)? else { break };
                items.push(item);
                place = place.saturating_add(usize::try_from(numbers[2].unwrap_or(1)).unwrap_or(usize::MAX));
            }
            return Ok(items);
        }
        let items = self.items(list)?;
        Ok(places(numbers, items.len()).into_iter().map(|place| items[place]).collect())
    }
}

/// Returns the indexes that a slice selects, as in Python.
fn places(numbers: [Option<i64>; 3], length: usize) -> Vec<usize> {
    let length = signed(length);
    let step = numbers[2].unwrap_or(1);
    let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let clamp = |bound: i64| if bound < 0 { bound.saturating_add(length).max(least) } else { bound.min(most) };
    let start = numbers[0].map_or(if step > 0 { 0 } else { length - 1 }, clamp);
    let end = numbers[1].map_or(if step > 0 { length } else { -1 }, clamp);
    let mut places = Vec::new();
    let mut place = start;
    while if step > 0 { place < end } else { place > end } {
        places.extend(usize::try_from(place));
        place = place.saturating_add(step);
    }
    places
}

/// Returns a length as a number that can be negative.
pub(crate) fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// Returns the position of a value. The position of a list is that of its first item.
fn value_place(graph: &Graph, value: &Value) -> Span {
    match value.kind {
        Kind::List(list) => graph.list_span(list),
        _ => value.at,
    }
}

fn whole_number(index: &Value, at: Span) -> Result<i64> {
    match number(index) {
        Some(_) => to_int(index, at),
        None => Err(wrong(index, "the number of an item", at)),
    }
}
