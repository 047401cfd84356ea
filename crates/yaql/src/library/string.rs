//! Text.

use super::{Table, count_or};
use crate::error::{Result, value_error};
use crate::function::Call;
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("±len(string: String)", |call| Ok(Value::integer(call.text(0).chars().count()))),
    ("str(value: any)", |call| Ok(call.value(0).finalize(call.context)?.to_text().into())),
    ("concat(*args: String)", |call| concatenated(call)),
    (".toLower(string: String)", |call| Ok(call.text(0).to_lowercase().into())),
    (".toUpper(string: String)", |call| Ok(call.text(0).to_uppercase().into())),
    (".trim(string: String, chars: String?=null)", |call| Ok(trim(call, true, true))),
    (".trimLeft(string: String, chars: String?=null)", |call| Ok(trim(call, true, false))),
    (".trimRight(string: String, chars: String?=null)", |call| Ok(trim(call, false, true))),
    ("±norm(string: String?, chars: String?=null)", |call| {
        let trimmed = trim(call, true, true);
        Ok(if trimmed.is_truthy() { trimmed } else { Value::Null })
    }),
    ("±isEmpty(string: String?, trim: bool=true, chars: String?=null)", |call| {
        let text = call.text(0);
        let text = if call.flag(1) { trimmed(&text, call.optional_text(2).as_deref(), true, true) } else { &text };
        Ok(text.is_empty().into())
    }),
    (".startsWith(string: String, *prefixes: String)", |call| Ok(affix(call, |text, prefix| text.starts_with(prefix)))),
    (".endsWith(string: String, *suffixes: String)", |call| Ok(affix(call, |text, suffix| text.ends_with(suffix)))),
    (".toCharArray(string: String)", |call| {
        let text = call.text(0);
        call.context.meter().check_parts(text.chars().count())?;
        Ok(characters(&text))
    }),
    (".substring(string: String, start: int, length: int=-1)", |call| {
        let text: Vec<char> = call.text(0).chars().collect();
        let (start, length) = (call.number(1), call.number(2));
        let start = if start < 0 { start.saturating_add(length_of(text.len())).max(0) } else { start };
        let rest = text.into_iter().skip(count_or(start, 0));
        Ok(rest.take(count_or(length, usize::MAX)).collect::<String>().into())
    }),
    (".split(string: String, separator: String?=null, maxSplits: int=-1)", |call| split(call, false)),
    (".rightSplit(string: String, separator: String?=null, maxSplits: int=-1)", |call| split(call, true)),
    (".join(sequence: Iterable, separator: String)", |call| join(call, 0, 1)),
    (".join(separator: String, sequence: Iterable)", |call| join(call, 1, 0)),
    (".replace(string: String, old: String, new: String, count: int=-1)", |call| {
        replace(call, &call.text(0), &call.text(1), &call.text(2), call.number(3)).map(Value::from)
    }),
    (".replace(string: String, replacements: dict, count: int=-1)", |call| {
        let mut text = call.text(0).as_ref().to_owned();
        for (old, new) in call.dict(1).iter() {
            text = replace(call, &text, &old.to_text(), &new.to_text(), call.number(2))?;
        }
        Ok(text.into())
    }),
    (".indexOf(string: String, sub: String, start: int=0)", |call| {
        Ok(find(call, i64::MAX, |text, part| text.find(part)))
    }),
    (".indexOf(string: String, sub: String, start: int, length: int)", |call| {
        Ok(find(call, call.number(3), |text, part| text.find(part)))
    }),
    (".lastIndexOf(string: String, sub: String, start: int=0)", |call| {
        Ok(find(call, i64::MAX, |text, part| text.rfind(part)))
    }),
    (".lastIndexOf(string: String, sub: String, start: int, length: int)", |call| {
        Ok(find(call, call.number(3), |text, part| text.rfind(part)))
    }),
    (
        "characters(digits: bool?=false, hexdigits: bool?=false, asciiLowercase: bool?=false, asciiUppercase: bool?=false, asciiLetters: bool?=false, letters: bool?=false, octdigits: bool?=false, punctuation: bool?=false, printable: bool?=false, lowercase: bool?=false, uppercase: bool?=false, whitespace: bool?=false)",
        |call| {
            const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
            const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
            const DIGITS: &str = "0123456789";
            const MARKS: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
            const BLANKS: &str = " \t\n\r\x0b\x0c";
            let classes: [&[&str]; 12] = [
                &[DIGITS],
                &[DIGITS, "abcdefABCDEF"],
                &[LOWER],
                &[UPPER],
                &[LOWER, UPPER],
                &[LOWER, UPPER],
                &["01234567"],
                &[MARKS],
                &[DIGITS, LOWER, UPPER, MARKS, BLANKS],
                &[LOWER],
                &[UPPER],
                &[BLANKS],
            ];
            let chosen =
                classes.iter().enumerate().filter(|(index, _)| call.flag(*index)).flat_map(|(_, class)| *class);
            let set: crate::value::Set =
                chosen.flat_map(|class| class.chars()).map(|c| Value::from(c.to_string())).collect();
            Ok(Value::list(set.into_iter().collect()))
        },
    ),
];

pub(super) fn characters(text: &str) -> Value {
    Value::list(text.chars().map(|character| Value::from(character.to_string())).collect())
}

fn concatenated(call: &Call<'_>) -> Result<Value> {
    let texts = call.rest_values();
    call.context.meter().check_memory(texts.iter().filter_map(Value::as_str).map(str::len).sum::<usize>() as u64)?;
    Ok(texts.iter().filter_map(Value::as_str).collect::<String>().into())
}

fn affix(call: &Call<'_>, has: fn(&str, &str) -> bool) -> Value {
    let text = call.text(0);
    call.rest_values().iter().filter_map(Value::as_str).any(|affix| has(&text, affix)).into()
}

fn trim(call: &Call<'_>, left: bool, right: bool) -> Value {
    trimmed(&call.text(0), call.optional_text(1).as_deref(), left, right).into()
}

fn trimmed<'t>(text: &'t str, characters: Option<&str>, left: bool, right: bool) -> &'t str {
    let unwanted = |character: char| characters.map_or(character.is_whitespace(), |set| set.contains(character));
    let text = if left { text.trim_start_matches(unwanted) } else { text };
    if right { text.trim_end_matches(unwanted) } else { text }
}

fn split(call: &Call<'_>, from_right: bool) -> Result<Value> {
    let (text, limit) = (call.text(0), count_or(call.number(2), usize::MAX));
    let mut parts = match call.optional_text(1) {
        Some(separator) if separator.is_empty() => return Err(value_error("empty separator")),
        Some(separator) => {
            let count = text.matches(&*separator).take(limit).count();
            call.context.meter().check_parts(count + 1)?;
            if from_right {
                let mut parts: Vec<_> = text.rsplitn(limit.saturating_add(1), &*separator).collect();
                parts.reverse();
                parts
            } else {
                text.splitn(limit.saturating_add(1), &*separator).collect()
            }
        }
        None => {
            call.context.meter().check_parts(text.split_whitespace().take(limit).count() + 1)?;
            words(&text, limit, from_right)
        }
    };
    Ok(Value::list(parts.drain(..).map(Value::from).collect()))
}

/// Returns the words of a string. After the maximum number of splits, the rest of the string is the last word.
fn words(text: &str, limit: usize, from_right: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let cut = if parts.len() >= limit {
            None
        } else if from_right {
            rest.rsplit_once(char::is_whitespace).map(|(rest, word)| (word, rest.trim_end()))
        } else {
            rest.split_once(char::is_whitespace).map(|(word, rest)| (word, rest.trim_start()))
        };
        let (word, remaining) = cut.unwrap_or((rest, ""));
        parts.push(word);
        rest = remaining;
    }
    if from_right {
        parts.reverse();
    }
    parts
}

pub(super) fn join(call: &Call<'_>, items: usize, separator: usize) -> Result<Value> {
    let (separator, items) = (call.text(separator), call.items(items));
    let mut text = String::new();
    let mut first = true;
    while let Some(item) = items.next()? {
        let before = text.len();
        if !std::mem::take(&mut first) {
            text.push_str(&separator);
        }
        match &item {
            Value::String(part) => text.push_str(part),
            _ => {
                let item = item.finalize(call.context)?;
                call.context.meter().look_through(item.weight())?;
                text.push_str(&item.to_text());
            }
        }
        call.context.meter().spend((text.len() - before) as u64 / 128)?;
        call.context.meter().fits(text.len() as u64)?;
    }
    Ok(text.into())
}

/// The number of replacements per step.
const PLACES: usize = 16;

fn replace(call: &Call<'_>, text: &str, old: &str, new: &str, count: i64) -> Result<String> {
    let count = count_or(count, usize::MAX);
    let places = if old.is_empty() { text.len() + 1 } else { text.len() / old.len() }.min(count);
    call.context.meter().check_memory((text.len() + places.saturating_mul(new.len())) as u64)?;
    call.context.meter().spend((places / PLACES) as u64)?;
    Ok(text.replacen(old, new, count))
}

/// Returns the position of a substring, in characters, within a number of characters (all if negative) from `start`; -1
/// if there is none.
fn find(call: &Call<'_>, length: i64, search: fn(&str, &str) -> Option<usize>) -> Value {
    let text = call.text(0);
    let count = length_of(text.chars().count());
    let start = call.number(2);
    let start = if start < 0 { start.saturating_add(count).max(0) } else { start };
    if start > count {
        return Value::from(-1_i64);
    }
    let rest: String = text.chars().skip(count_or(start, 0)).take(count_or(length, usize::MAX)).collect();
    let found = search(&rest, &call.text(1)).map(|byte| length_of(rest[..byte].chars().count()) + start);
    Value::from(found.unwrap_or(-1))
}

fn length_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
