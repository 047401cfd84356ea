//! Translates Python regular expressions to the syntax of ECMA-262 with the flag `u`.

use std::iter::Peekable;
use std::str::Chars;

/// Returns the pattern for JSON Schema; `None` if it has a part that ECMA-262 can't express.
pub(super) fn translate(pattern: &str) -> Option<String> {
    let mut reader = Reader { rest: pattern.chars().peekable(), out: String::new(), depth: 0 };
    while let Some(next) = reader.rest.next() {
        match next {
            '\\' => reader.escape(false)?,
            '[' => reader.class()?,
            '(' => reader.group()?,
            ')' => {
                reader.depth = reader.depth.checked_sub(1)?;
                reader.out.push(')');
            }
            '{' => reader.repetition()?,
            '}' | ']' => reader.literal(next),
            '*' | '+' | '?' => {
                reader.out.push(next);
                reader.quantified()?;
            }
            _ => reader.out.push(next),
        }
    }
    (reader.depth == 0).then_some(reader.out)
}

/// Returns a pattern that matches a text itself.
pub(super) fn literal(text: &str) -> String {
    let mut reader = Reader { rest: "".chars().peekable(), out: String::new(), depth: 0 };
    text.chars().for_each(|character| reader.literal(character));
    reader.out
}

struct Reader<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
    /// The number of open groups.
    depth: usize,
}

/// The characters that an escape makes literal.
const SYNTAX: &str = "^$\\.*+?()[]{}|/";

impl Reader<'_> {
    fn literal(&mut self, character: char) {
        if SYNTAX.contains(character) {
            self.out.push('\\');
        }
        self.out.push(character);
    }

    /// Reads the character after a quantifier: possessive quantifiers have no counterpart.
    fn quantified(&mut self) -> Option<()> {
        if self.rest.peek() == Some(&'?') {
            self.rest.next();
            self.out.push('?');
        }
        (self.rest.peek() != Some(&'+')).then_some(())
    }

    fn escape(&mut self, in_class: bool) -> Option<()> {
        let next = self.rest.next()?;
        match next {
            'A' if !in_class => self.out.push('^'),
            'Z' if !in_class => self.out.push('$'),
            'b' | 'B' if !in_class => self.out.extend(['\\', next]),
            'b' => self.out.push_str("\\b"),
            'a' => self.out.push_str("\\x07"),
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 'r' | 't' | 'f' | 'v' => self.out.extend(['\\', next]),
            'x' | 'u' => {
                let digits: String = (0..if next == 'x' { 2 } else { 4 }).filter_map(|_| self.rest.next()).collect();
                let number = u32::from_str_radix(&digits, 16).ok()?;
                self.literal(char::from_u32(number)?);
            }
            '1'..='9' if !in_class => {
                self.out.extend(['\\', next]);
                // Three digits are an octal number.
                let is_octal = self.rest.peek().is_some_and(char::is_ascii_digit);
                return (!is_octal).then_some(());
            }
            '-' if in_class => self.out.push_str("\\-"),
            next if next.is_ascii_alphanumeric() => return None,
            next => self.literal(next),
        }
        Some(())
    }

    fn class(&mut self) -> Option<()> {
        self.out.push('[');
        if self.rest.peek() == Some(&'^') {
            self.rest.next();
            self.out.push('^');
        }
        let mut is_first = true;
        loop {
            match self.rest.next()? {
                ']' if !is_first => break,
                '\\' => self.escape(true)?,
                '-' => self.out.push('-'),
                next if "[]".contains(next) => self.literal(next),
                next => self.out.push(next),
            }
            is_first = false;
        }
        self.out.push(']');
        Some(())
    }

    fn group(&mut self) -> Option<()> {
        self.depth += 1;
        self.out.push('(');
        if self.rest.peek() != Some(&'?') {
            return Some(());
        }
        self.rest.next();
        match self.rest.next()? {
            kind @ (':' | '=' | '!') => self.out.extend(['?', kind]),
            '<' => self.out.push_str("?<"),
            '#' => {
                self.rest.find(|character| *character == ')')?;
                self.out.pop();
                self.depth -= 1;
            }
            'P' => match self.rest.next()? {
                '<' => self.out.push_str("?<"),
                '=' => {
                    let name: String = std::iter::from_fn(|| self.rest.next_if(|next| *next != ')')).collect();
                    self.rest.next()?;
                    self.out.pop();
                    self.depth -= 1;
                    self.out.extend(["\\k<", &name, ">"]);
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    /// Reads `{2}`, `{2,}`, `{,5}` or `{2,5}`; anything else is literal.
    fn repetition(&mut self) -> Option<()> {
        let mut ahead = self.rest.clone();
        let bounds: String =
            std::iter::from_fn(|| ahead.next_if(|next| next.is_ascii_digit() || *next == ',')).collect();
        let (least, most) = bounds.split_once(',').unwrap_or((&bounds, &bounds));
        if ahead.next() != Some('}') || bounds.is_empty() || bounds == "," || most.contains(',') {
            self.literal('{');
            return Some(());
        }
        self.rest = ahead;
        let least = if least.is_empty() { "0" } else { least };
        self.out.extend(if bounds.contains(',') { ["{", least, ",", most, "}"] } else { ["{", least, "", "", "}"] });
        self.quantified()
    }
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn patterns_get_the_syntax_of_ecma_262() {
        for (python, ecma) in [
            ("^[a-z]+$", "^[a-z]+$"),
            (r"\A(?P<year>\d{4})-(?P=year)\Z", r"^(?<year>\d{4})-\k<year>$"),
            (r"a\-b\_c\@", "a-b_c@"),
            (r"[]\-[a]", r"[\]\-\[a]"),
            ("x{,5}y{z}", r"x{0,5}y\{z\}"),
            ("a(?#note)b(?:c|d)(?=e)", "ab(?:c|d)(?=e)"),
            ("a}]", r"a\}\]"),
        ] {
            assert_eq!(translate(python).as_deref(), Some(ecma), "{python}");
        }
        for python in ["(?i)a", "(?i:a)", "(?>a)", "a++", "(a)?(?(1)b|c)", r"\N{DASH}", "(", "a)", "[a"] {
            assert_eq!(translate(python), None, "{python}");
        }
    }
}
