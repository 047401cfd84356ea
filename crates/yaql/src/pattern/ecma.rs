//! Translates Python regular expressions to the syntax of ECMA-262 with the flag `u`, which JSON Schemas use.

use super::syntax::{ASCII_WORD, Category, Class, Group, Item, Manner, Part, WORD};
use super::{Flags, native, parse};

/// Returns the pattern that finds a match in the same texts; `None` if ECMA-262 can't express it, or if the given one is
/// invalid.
pub fn translate(pattern: &str) -> Option<String> {
    let tree = parse::parse(pattern, Flags::default()).ok()?;
    if tree.ignore_case {
        return None;
    }
    let mut certain = Vec::new();
    certain_groups(&tree.root, &mut certain);
    let mut writer = Writer { out: String::new(), certain };
    writer.part(&tree.root, true)?;
    Some(writer.out)
}

/// Returns a pattern that matches a text itself.
pub fn literal(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|character| push(&mut out, character, false));
    out
}

/// Gathers the groups that take part in each match. References to others match nothing in Python, but the empty text in
/// ECMA-262.
fn certain_groups(part: &Part, certain: &mut Vec<usize>) {
    match part {
        Part::Group(Group::Look { is_negated: true, .. }, _) | Part::Alternation(_) | Part::Conditional { .. } => {}
        Part::Repeat(repetition, _) if repetition.least == 0 => {}
        _ => {
            if let Part::Group(Group::Capture(number), _) = part {
                certain.push(*number);
            }
            part.children().into_iter().for_each(|child| certain_groups(child, certain));
        }
    }
}

struct Writer {
    out: String,
    certain: Vec<usize>,
}

/// The whitespace of Python.
const SPACE: &[(char, char)] = &[
    ('\t', '\r'),
    ('\x1c', ' '),
    ('\u{85}', '\u{85}'),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
];
const ASCII_SPACE: &[(char, char)] = &[('\t', '\r'), (' ', ' ')];
const ASCII_DIGIT: &[(char, char)] = &[('0', '9')];
const ASCII_WORD_RANGES: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];

/// Any character.
const EVERYTHING: &str = r"[\s\S]";

fn push(out: &mut String, character: char, in_class: bool) {
    match character {
        '\n' => out.push_str(r"\n"),
        '\r' => out.push_str(r"\r"),
        '\t' => out.push_str(r"\t"),
        '\0'..' ' | '\x7f'..='\u{a0}' | '\u{2000}'..='\u{206f}' | '\u{1680}' | '\u{3000}' | '\u{feff}' => {
            out.extend([r"\u", &format!("{:04x}", u32::from(character))]);
        }
        _ => {
            if r"^$\.*+?()[]{}|/".contains(character) || in_class && character == '-' {
                out.push('\\');
            }
            out.push(character);
        }
    }
}

fn push_range(out: &mut String, first: char, last: char) {
    push(out, first, true);
    if first != last {
        out.push('-');
        push(out, last, true);
    }
}

/// Pushes the characters that are in none of the ranges.
fn push_others(out: &mut String, ranges: &[(char, char)]) {
    let mut next = '\0';
    for &(first, last) in ranges {
        if next < first {
            push_range(out, next, char::from_u32(u32::from(first) - 1).unwrap_or(next));
        }
        next = char::from_u32(u32::from(last) + 1).unwrap_or(char::MAX);
    }
    push(out, next, true);
    out.push_str(r"-\u{10ffff}");
}

impl Writer {
    /// Writes a part. The last one may match a newline that follows instead of looking at it.
    fn part(&mut self, part: &Part, is_last: bool) -> Option<()> {
        match part {
            Part::Literal(character) => push(&mut self.out, *character, false),
            Part::Any { dot_all } => self.out.push_str(if *dot_all { EVERYTHING } else { r"[^\n]" }),
            Part::Class(class) => self.class(class),
            Part::Start { multi_line } => self.out.push_str(if *multi_line { r"(?<![^\n])" } else { "^" }),
            Part::End { multi_line: true } => self.out.push_str(r"(?![^\n])"),
            Part::End { multi_line: false } => self.out.push_str(if is_last { r"\n?$" } else { r"(?=\n?$)" }),
            Part::VeryEnd => self.out.push('$'),
            Part::Boundary { is_negated, is_ascii: true } => {
                self.out.push_str(if *is_negated { r"(?!^$)\B" } else { r"\b" });
            }
            Part::Boundary { is_negated, is_ascii: false } => {
                self.out.push_str(if *is_negated { "(?!^$)" } else { "" });
                self.out.push_str(&native::boundary(*is_negated, false));
            }
            Part::Group(group, body) => self.group(group, body, is_last)?,
            Part::Backreference(number) => {
                if !self.certain.contains(number) {
                    return None;
                }
                self.out.extend([r"(?:\", &number.to_string(), ")"]);
            }
            Part::Conditional { .. } => return None,
            Part::Repeat(repetition, body) if body.is_look() => {
                if repetition.least > 0 {
                    self.part(body, false)?;
                }
            }
            Part::Repeat(repetition, body) => {
                let suffix = match repetition.manner {
                    Manner::Greedy => "",
                    Manner::Lazy => "?",
                    Manner::Possessive => return None,
                };
                let in_group = !body.is_atom();
                self.out.push_str(if in_group { "(?:" } else { "" });
                self.part(body, false)?;
                self.out.push_str(if in_group { ")" } else { "" });
                self.out.push_str(&repetition.quantifier());
                self.out.push_str(suffix);
            }
            Part::Sequence(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    self.part(part, is_last && index + 1 == parts.len())?;
                }
            }
            Part::Alternation(branches) => {
                for (index, branch) in branches.iter().enumerate() {
                    self.out.push_str(if index > 0 { "|" } else { "" });
                    self.part(branch, is_last)?;
                }
            }
        }
        Some(())
    }

    fn group(&mut self, group: &Group, body: &Part, is_last: bool) -> Option<()> {
        let is_plain = matches!(group, Group::Capture(_) | Group::Plain(_));
        self.out.push_str(match group {
            Group::Capture(_) => "(",
            Group::Plain(None) => "(?:",
            Group::Plain(Some(_)) | Group::Atomic => return None,
            Group::Look { is_behind: false, is_negated: false } => "(?=",
            Group::Look { is_behind: false, is_negated: true } => "(?!",
            Group::Look { is_behind: true, is_negated: false } => "(?<=",
            Group::Look { is_behind: true, is_negated: true } => "(?<!",
        });
        self.part(body, is_last && is_plain)?;
        self.out.push(')');
        Some(())
    }

    fn class(&mut self, class: &Class) {
        let other = |item: &Item| match *item {
            Item::Category { category, is_negated, is_ascii } => {
                class.items.contains(&Item::Category { category, is_negated: !is_negated, is_ascii })
            }
            Item::Range(..) => false,
        };
        if class.items.iter().any(other) {
            self.out.push_str(if class.is_negated { r"[^\s\S]" } else { EVERYTHING });
            return;
        }
        // Only a class of its own can have the characters that don't have any of several properties.
        let is_no_word = |item: &&Item| {
            matches!(item, Item::Category { category: Category::Word, is_negated: true, is_ascii: false })
        };
        let has_no_word = class.items.iter().any(|item| is_no_word(&item));
        let mut members = String::new();
        for item in class.items.iter().filter(|item| !is_no_word(item)) {
            push_item(&mut members, *item);
        }
        let is_digit = members == r"\p{Nd}" || members == r"\P{Nd}";
        let text = match (has_no_word, members.is_empty(), class.is_negated) {
            (false, _, false) if is_digit => members,
            (false, _, false) => format!("[{members}]"),
            (false, _, true) => format!("[^{members}]"),
            (true, true, false) => format!("[^{WORD}]"),
            (true, true, true) => format!("[{WORD}]"),
            (true, false, false) => format!("(?:[{members}]|[^{WORD}])"),
            (true, false, true) => format!("(?:(?![{members}])[{WORD}])"),
        };
        self.out.push_str(&text);
    }
}

fn push_item(out: &mut String, item: Item) {
    let (category, is_negated, is_ascii) = match item {
        Item::Range(first, last) => return push_range(out, first, last),
        Item::Category { category, is_negated, is_ascii } => (category, is_negated, is_ascii),
    };
    let ranges = match (category, is_ascii) {
        (Category::Digit, false) => return out.push_str(if is_negated { r"\P{Nd}" } else { r"\p{Nd}" }),
        (Category::Word, false) => return out.push_str(WORD),
        (Category::Word, true) if !is_negated => return out.push_str(ASCII_WORD),
        (Category::Word, true) => ASCII_WORD_RANGES,
        (Category::Digit, true) => ASCII_DIGIT,
        (Category::Space, false) => SPACE,
        (Category::Space, true) => ASCII_SPACE,
    };
    if is_negated {
        push_others(out, ranges);
    } else {
        ranges.iter().for_each(|&(first, last)| push_range(out, first, last));
    }
}
