//! The parser for Python regular expressions.

use super::Flags;
use super::syntax::{Category, Class, Group, Item, Manner, Part, Repetition, Tree};

/// The maximum depth of groups.
const DEPTH: usize = 250;

type Result<T> = std::result::Result<T, String>;

/// Parses a regular expression.
///
/// # Errors
///
/// Returns an error for anything that Python refuses.
pub(super) fn parse(text: &str, flags: Flags) -> Result<Tree> {
    let mut parser = Parser {
        rest: text,
        groups: vec![None],
        names: Vec::new(),
        depth: 0,
        at_start: true,
        global: flags,
        highest: 0,
    };
    let root = parser.alternation(None)?;
    if !parser.rest.is_empty() {
        return Err("a `)` has no `(`".to_owned());
    }
    if parser.highest >= parser.groups.len() {
        return Err(format!("there is no group `{}`", parser.highest));
    }
    Ok(Tree { root, ignore_case: folds(parser.global), names: parser.names })
}

struct Parser<'p> {
    rest: &'p str,
    /// The minimum and maximum width of each group; `None` for groups that are still open.
    groups: Vec<Option<Width>>,
    names: Vec<(String, usize)>,
    depth: usize,
    /// Whether no part has been read yet, so that flags for the whole may follow.
    at_start: bool,
    global: Flags,
    /// The highest number of a group in a condition.
    highest: usize,
}

type Width = (u64, u64);

impl<'p> Parser<'p> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let after = self.rest.strip_prefix(text);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Reads the longest prefix of characters that fulfill a condition, at most `most`.
    fn take(&mut self, most: usize, is_wanted: impl Fn(char) -> bool) -> &'p str {
        let length = self.rest.chars().take(most).take_while(|next| is_wanted(*next)).map(char::len_utf8).sum();
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Reads the text before a delimiter, and the delimiter.
    fn until(&mut self, end: char) -> Result<&'p str> {
        let (text, rest) = self.rest.split_once(end).ok_or_else(|| format!("a `{end}` is missing"))?;
        self.rest = rest;
        Ok(text)
    }

    /// Reads alternatives. Without `flags`, these are those of the whole expression.
    fn alternation(&mut self, flags: Option<Flags>) -> Result<Part> {
        if self.depth == DEPTH {
            return Err("its groups are nested too deeply".to_owned());
        }
        self.depth += 1;
        let mut branches = vec![self.sequence(flags)?];
        while self.eat("|") {
            self.at_start = false;
            branches.push(self.sequence(flags)?);
        }
        self.depth -= 1;
        Ok(if branches.len() == 1 { branches.remove(0) } else { Part::Alternation(branches) })
    }

    fn sequence(&mut self, flags: Option<Flags>) -> Result<Part> {
        let mut parts = Vec::new();
        while let Some(next) = self.peek().filter(|next| !"|)".contains(*next)) {
            let flags = flags.unwrap_or(self.global);
            if flags.verbose && (next.is_ascii_whitespace() || next == '\x0b') {
                self.next();
                continue;
            }
            if flags.verbose && next == '#' {
                self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
                continue;
            }
            self.next();
            if let Some(part) = self.part(next, flags, &mut parts)? {
                self.at_start = false;
                parts.push(part);
            }
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Part::Sequence(parts) })
    }

    /// Reads a part; `None` if it is a comment, sets flags, or replaces the previous part.
    fn part(&mut self, next: char, flags: Flags, before: &mut Vec<Part>) -> Result<Option<Part>> {
        Ok(Some(match next {
            '\\' => self.escape(flags)?,
            '[' => self.class(flags)?,
            '.' => Part::Any { dot_all: flags.dot_all },
            '^' => Part::Start { multi_line: flags.multi_line },
            '$' => Part::End { multi_line: flags.multi_line },
            '(' => {
                let is_start = self.at_start;
                self.at_start = false;
                let group = self.group(flags, is_start)?;
                self.at_start = is_start && group.is_none();
                return Ok(group);
            }
            '*' | '+' | '?' | '{' => match self.repetition(next)? {
                Some(repetition) => {
                    let repeated = repeat(repetition, before.pop())?;
                    before.push(repeated);
                    return Ok(None);
                }
                None => literal(next, flags),
            },
            next => literal(next, flags),
        }))
    }

    /// Reads the rest of a quantifier; `None` if it is a literal brace.
    fn repetition(&mut self, first: char) -> Result<Option<Repetition>> {
        let (least, most) = match first {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => match self.bounds()? {
                Some(bounds) => bounds,
                None => return Ok(None),
            },
        };
        let manner = match () {
            () if self.eat("?") => Manner::Lazy,
            () if self.eat("+") => Manner::Possessive,
            () => Manner::Greedy,
        };
        Ok(Some(Repetition { least, most, manner }))
    }

    /// Reads `2}`, `2,}`, `,5}`, `,}` or `2,5}`.
    fn bounds(&mut self) -> Result<Option<(u32, Option<u32>)>> {
        let start = self.rest;
        let digit = |next: char| next.is_ascii_digit();
        let least = self.take(usize::MAX, digit);
        let most = if self.eat(",") { Some(self.take(usize::MAX, digit)) } else { None };
        if !self.eat("}") || (least.is_empty() && most.is_none()) {
            self.rest = start;
            return Ok(None);
        }
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| format!("the number {digits} is too large"));
        let least = if least.is_empty() { 0 } else { number(least)? };
        let most = match most {
            None => Some(least),
            Some("") => None,
            Some(most) => Some(number(most)?),
        };
        if most.is_some_and(|most| most < least) {
            return Err("the minimum of a repetition is greater than its maximum".to_owned());
        }
        Ok(Some((least, most)))
    }

    fn hexadecimal(&mut self, letter: char, length: usize) -> Result<char> {
        let digits = self.take(length, |next| next.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == length);
        match number {
            None => Err(format!("`\\{letter}` needs {length} hexadecimal digits")),
            Some(number) => {
                char::from_u32(number).ok_or_else(|| format!("there is no character with the number {digits}"))
            }
        }
    }

    /// Reads up to three octal digits, the first of which is known.
    fn octal(&mut self, first: char) -> Result<char> {
        let rest = self.take(2, |next| matches!(next, '0'..='7'));
        let digits = format!("{first}{rest}");
        let number = u32::from_str_radix(&digits, 8).ok().filter(|number| *number <= 0o377);
        number.and_then(char::from_u32).ok_or_else(|| format!("the octal number `\\{digits}` is greater than `\\377`"))
    }

    /// Reads an escape that has the same meaning inside and outside of a class.
    fn common_escape(&mut self, next: char, flags: Flags) -> Result<Item> {
        let category = |category, next: char| Item::Category {
            category,
            is_negated: next.is_ascii_uppercase(),
            is_ascii: flags.ascii,
        };
        let character = match next {
            'd' | 'D' => return Ok(category(Category::Digit, next)),
            'w' | 'W' => return Ok(category(Category::Word, next)),
            's' | 'S' => return Ok(category(Category::Space, next)),
            'a' => '\x07',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            'x' => self.hexadecimal('x', 2)?,
            'u' => self.hexadecimal('u', 4)?,
            'U' => self.hexadecimal('U', 8)?,
            _ if next.is_ascii_alphanumeric() => return Err(unknown_escape(next)),
            _ => next,
        };
        Ok(Item::Range(character, character))
    }

    fn escape(&mut self, flags: Flags) -> Result<Part> {
        let Some(next) = self.next() else { return Err("it ends with a `\\`".to_owned()) };
        Ok(match next {
            'A' => Part::Start { multi_line: false },
            'Z' => Part::VeryEnd,
            'b' | 'B' => Part::Boundary { is_negated: next == 'B', is_ascii: flags.ascii },
            '0' => literal(self.octal('0')?, flags),
            '1'..='9' => {
                let is_octal = |digit: u8| matches!(digit, b'0'..=b'7');
                match self.rest.as_bytes() {
                    [second, third, ..] if next < '8' && is_octal(*second) && is_octal(*third) => {
                        return self.octal(next).map(|character| literal(character, flags));
                    }
                    _ => {}
                }
                let number = format!("{next}{}", self.take(1, |next| next.is_ascii_digit()));
                Part::Backreference(self.group_number(&number)?)
            }
            _ => match self.common_escape(next, flags)? {
                Item::Range(character, _) => literal(character, flags),
                category @ Item::Category { .. } => Part::Class(Class { is_negated: false, items: vec![category] }),
            },
        })
    }

    /// Returns the number of a group that is named or numbered and complete.
    fn group_number(&self, text: &str) -> Result<usize> {
        let number = match text.parse::<usize>() {
            Ok(number) => number,
            Err(_) => self
                .names
                .iter()
                .find(|(name, _)| name == text)
                .map(|(_, number)| *number)
                .ok_or_else(|| format!("there is no group `{text}`"))?,
        };
        match self.groups.get(number) {
            Some(Some(_)) => Ok(number),
            Some(None) if number > 0 => Err(format!("group `{text}` is not complete where it is referred to")),
            _ => Err(format!("there is no group `{text}`")),
        }
    }

    fn class(&mut self, flags: Flags) -> Result<Part> {
        let is_negated = self.eat("^");
        let mut items = Vec::new();
        while items.is_empty() || !self.eat("]") {
            let first = self.class_item(flags)?;
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.eat("-");
                let last = self.class_item(flags)?;
                let (Item::Range(first, _), Item::Range(last, _)) = (first, last) else {
                    return Err("a range of characters can't begin or end with a set such as `\\w`".to_owned());
                };
                if first > last {
                    return Err(format!("the range `{first}-{last}` is in the wrong order"));
                }
                items.push(Item::Range(first, last));
            } else {
                items.push(first);
            }
        }
        let variants: Vec<_> = items.iter().flat_map(|item| case_variants(*item, flags)).collect();
        items.extend(variants);
        Ok(Part::Class(Class { is_negated, items }))
    }

    fn class_item(&mut self, flags: Flags) -> Result<Item> {
        let unfinished = || "a `]` is missing".to_owned();
        let next = self.next().ok_or_else(unfinished)?;
        let character = match next {
            '\\' => match self.next().ok_or_else(unfinished)? {
                'b' => '\x08',
                first @ '0'..='7' => self.octal(first)?,
                next => return self.common_escape(next, flags),
            },
            next => next,
        };
        Ok(Item::Range(character, character))
    }

    /// Reads a group; `None` if it is a comment or sets flags.
    fn group(&mut self, flags: Flags, is_start: bool) -> Result<Option<Part>> {
        if !self.eat("?") {
            return self.capture(flags, None).map(Some);
        }
        let look = |is_behind, is_negated| Group::Look { is_behind, is_negated };
        let group = match self.next().ok_or("a `)` is missing")? {
            ':' => Group::Plain(None),
            '>' => Group::Atomic,
            '=' => look(false, false),
            '!' => look(false, true),
            '<' if self.eat("=") => look(true, false),
            '<' if self.eat("!") => look(true, true),
            '<' => {
                let name = self.take(usize::MAX, |next| next.is_alphanumeric() || next == '_');
                return Err(format!("unknown group `(?<`; write `(?P<{name}>` for a named group"));
            }
            'P' if self.eat("<") => {
                let name = self.until('>')?;
                return self.capture(flags, Some(name)).map(Some);
            }
            'P' if self.eat("=") => {
                let name = self.until(')')?;
                return self.group_number(name).map(|number| Some(Part::Backreference(number)));
            }
            '#' => return self.until(')').map(|_| None),
            '(' => return self.conditional(flags).map(Some),
            next => {
                let Some(inner) = self.flags(next, flags, is_start)? else { return Ok(None) };
                let case = (folds(inner) != folds(flags)).then_some(folds(inner));
                return self.body(Group::Plain(case), inner).map(Some);
            }
        };
        self.body(group, flags).map(Some)
    }

    fn capture(&mut self, flags: Flags, name: Option<&str>) -> Result<Part> {
        let number = self.groups.len();
        if let Some(name) = name {
            let is_start = |first: char| first.is_alphabetic() || first == '_';
            if !name.starts_with(is_start) || !name.chars().all(|next| next.is_alphanumeric() || next == '_') {
                return Err(format!("`{name}` can't be the name of a group"));
            }
            if self.names.iter().any(|(other, _)| other == name) {
                return Err(format!("two groups have the name `{name}`"));
            }
            self.names.push((name.to_owned(), number));
        }
        self.groups.push(None);
        let part = self.body(Group::Capture(number), flags)?;
        self.groups[number] = Some(self.width(&part));
        Ok(part)
    }

    fn body(&mut self, group: Group, flags: Flags) -> Result<Part> {
        let body = self.alternation(Some(flags))?;
        if !self.eat(")") {
            return Err("a `)` is missing".to_owned());
        }
        if matches!(group, Group::Look { is_behind: true, .. }) {
            let (least, most) = self.width(&body);
            if least != most {
                return Err("look-behind needs a pattern of fixed width".to_owned());
            }
        }
        Ok(Part::Group(group, Box::new(body)))
    }

    fn conditional(&mut self, flags: Flags) -> Result<Part> {
        let name = self.until(')')?;
        let group = match name.parse::<usize>() {
            Ok(number) if self.groups.get(number).is_some_and(Option::is_none) && number > 0 => {
                return Err(format!("a condition on group {number} in the group itself is not supported"));
            }
            // The group may follow.
            Ok(number) if number > 0 => {
                self.highest = self.highest.max(number);
                number
            }
            _ => self.group_number(name)?,
        };
        let yes = self.sequence(Some(flags))?;
        let no = if self.eat("|") { self.sequence(Some(flags))? } else { Part::Sequence(Vec::new()) };
        match self.next() {
            Some(')') => Ok(Part::Conditional { group, yes: Box::new(yes), no: Box::new(no) }),
            Some(_) => Err("a condition can have two branches only".to_owned()),
            None => Err("a `)` is missing".to_owned()),
        }
    }

    /// Reads flags. Returns those of the group; `None` if they are those of the whole expression.
    fn flags(&mut self, first: char, flags: Flags, is_start: bool) -> Result<Option<Flags>> {
        let unknown = |next: char| match next {
            'L' => "the flag `L` is for bytes only".to_owned(),
            next => format!("unknown group `(?{next}`"),
        };
        let mut inner = flags;
        let mut next = first;
        let mut is_set = true;
        loop {
            match next {
                'i' => inner.ignore_case = is_set,
                'm' => inner.multi_line = is_set,
                's' => inner.dot_all = is_set,
                'x' => inner.verbose = is_set,
                'a' if is_set => inner.ascii = true,
                'u' if is_set => inner.ascii = false,
                '-' if is_set => is_set = false,
                _ => return Err(unknown(next)),
            }
            next = self.next().ok_or("a `)` is missing")?;
            match next {
                ':' => return Ok(Some(inner)),
                ')' if is_set && is_start => {
                    self.global = inner;
                    return Ok(None);
                }
                ')' if is_set => {
                    return Err("flags for the whole expression must be at its start".to_owned());
                }
                _ => {}
            }
        }
    }

    /// Returns the minimum and maximum number of characters that a part matches.
    fn width(&self, part: &Part) -> Width {
        match part {
            Part::Literal(_) | Part::Any { .. } | Part::Class(_) => (1, 1),
            Part::Start { .. } | Part::End { .. } | Part::VeryEnd | Part::Boundary { .. } => (0, 0),
            Part::Group(Group::Look { .. }, _) => (0, 0),
            Part::Group(_, body) => self.width(body),
            Part::Backreference(number) => self.groups.get(*number).copied().flatten().unwrap_or_default(),
            Part::Conditional { yes, no, .. } => either(self.width(yes), self.width(no)),
            Part::Repeat(repetition, body) => {
                let (least, most) = self.width(body);
                let times = repetition.most.map_or(u64::MAX, u64::from);
                (least.saturating_mul(repetition.least.into()), most.saturating_mul(times))
            }
            Part::Sequence(parts) => parts
                .iter()
                .map(|part| self.width(part))
                .fold((0, 0), |sum, width| (u64::saturating_add(sum.0, width.0), u64::saturating_add(sum.1, width.1))),
            Part::Alternation(branches) => {
                branches.iter().map(|branch| self.width(branch)).reduce(either).unwrap_or_default()
            }
        }
    }
}

fn either(first: Width, second: Width) -> Width {
    (first.0.min(second.0), first.1.max(second.1))
}

/// Returns whether the engine ignores the case. It can't do so only for letters of ASCII, see [`case_variants`].
fn folds(flags: Flags) -> bool {
    flags.ignore_case && !flags.ascii
}

fn literal(character: char, flags: Flags) -> Part {
    let item = Item::Range(character, character);
    let mut items = case_variants(item, flags);
    if items.is_empty() {
        return Part::Literal(character);
    }
    items.push(item);
    Part::Class(Class { is_negated: false, items })
}

/// Returns other characters that match if the case is ignored, apart from those that the engine knows.
fn case_variants(item: Item, flags: Flags) -> Vec<Item> {
    /// The letters that are all equal in Python.
    const I: [char; 4] = ['i', 'I', 'İ', 'ı'];
    let Item::Range(first, last) = item else { return Vec::new() };
    if !flags.ignore_case {
        return Vec::new();
    }
    if !flags.ascii {
        let has_one = I.iter().any(|letter| (first..=last).contains(letter));
        return I.into_iter().filter(|_| has_one).map(|letter| Item::Range(letter, letter)).collect();
    }
    let common = |start: char, end: char| (first.max(start), last.min(end));
    let lower = Some(common('a', 'z')).filter(|(first, last)| first <= last);
    let upper = Some(common('A', 'Z')).filter(|(first, last)| first <= last);
    let lower = lower.map(|(first, last)| Item::Range(first.to_ascii_uppercase(), last.to_ascii_uppercase()));
    let upper = upper.map(|(first, last)| Item::Range(first.to_ascii_lowercase(), last.to_ascii_lowercase()));
    lower.into_iter().chain(upper).collect()
}

fn repeat(repetition: Repetition, target: Option<Part>) -> Result<Part> {
    match target {
        None | Some(Part::Start { .. } | Part::End { .. } | Part::VeryEnd | Part::Boundary { .. }) => {
            Err("a quantifier has nothing to repeat".to_owned())
        }
        Some(Part::Repeat(..)) => Err("a quantifier follows another quantifier".to_owned()),
        Some(target) => Ok(Part::Repeat(repetition, Box::new(target))),
    }
}

fn unknown_escape(letter: char) -> String {
    let help = match letter {
        'z' => "write `\\Z` for the end of the text",
        'p' | 'P' => "Python's patterns have no Unicode properties; `[^\\W\\d_]` is any letter",
        'N' => "names of characters are not supported; write the character itself",
        'Q' | 'E' => "use `escapeRegex()`",
        'h' => "write `[ \\t]`",
        'R' => "write `\\r?\\n`",
        'k' => "write `(?P=name)`",
        _ => "remove the `\\`",
    };
    format!("unknown escape `\\{letter}`; {help}")
}
