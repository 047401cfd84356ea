//! Translates Python regular expressions to the syntax of the engine that runs them.

use super::syntax::{ASCII_WORD, Category, Class, Group, Item, Manner, Part, Tree, WORD};

/// Returns the pattern for the engine. An `exact` one is slower, because it has look-around. Others match the same only
/// in some texts; see [`differs`].
pub(super) fn translate(tree: &Tree, exact: bool) -> String {
    let mut writer = Writer { out: String::new(), exact };
    if tree.ignore_case {
        writer.out.push_str("(?i)");
    }
    writer.part(&tree.root);
    writer.out
}

/// The texts in which only an exact pattern matches as in Python.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Difference {
    /// Texts that end with a newline, before which `$` matches.
    before_newline: bool,
    /// Texts with other characters than those of ASCII, some of which are word characters only in Python.
    not_ascii: bool,
}

impl Difference {
    pub(super) fn of(tree: &Tree) -> Self {
        Self {
            before_newline: tree.root.has(&|part| matches!(part, Part::End { multi_line: false })),
            not_ascii: tree.root.has(&|part| matches!(part, Part::Boundary { is_ascii: false, .. })),
        }
    }

    pub(super) fn applies_to(self, text: &str) -> bool {
        self.before_newline && text.ends_with('\n') || self.not_ascii && !text.is_ascii()
    }
}

struct Writer {
    out: String,
    exact: bool,
}

impl Writer {
    fn part(&mut self, part: &Part) {
        match part {
            Part::Literal(character) => self.literal(*character),
            Part::Any { dot_all } => self.out.push_str(if *dot_all { "(?s:.)" } else { "." }),
            Part::Class(class) => self.class(class),
            Part::Start { multi_line } => self.out.push_str(if *multi_line { "(?m:^)" } else { r"\A" }),
            Part::End { multi_line: true } => self.out.push_str("(?m:$)"),
            Part::End { multi_line: false } => self.out.push_str(if self.exact { r"(?=\n?\z)" } else { r"\z" }),
            Part::VeryEnd => self.out.push_str(r"\z"),
            Part::Boundary { is_negated, is_ascii } => self.boundary(*is_negated, *is_ascii),
            Part::Group(group, body) => self.group(group, body),
            Part::Backreference(number) => self.out.extend([r"(?:\", &number.to_string(), ")"]),
            Part::Conditional { group, yes, no } => {
                self.out.extend(["(?(", &group.to_string(), ")"]);
                self.part(yes);
                self.out.push('|');
                self.part(no);
                self.out.push(')');
            }
            Part::Repeat(repetition, body) if body.is_look() => {
                if repetition.least > 0 {
                    self.part(body);
                }
            }
            Part::Repeat(repetition, body) => {
                let is_possessive = repetition.manner == Manner::Possessive;
                self.out.push_str(if is_possessive { "(?>" } else { "" });
                self.out.push_str(if body.is_atom() { "" } else { "(?:" });
                self.part(body);
                self.out.push_str(if body.is_atom() { "" } else { ")" });
                self.out.push_str(&repetition.quantifier());
                self.out.push_str(match repetition.manner {
                    Manner::Greedy => "",
                    Manner::Lazy => "?",
                    Manner::Possessive => ")",
                });
            }
            Part::Sequence(parts) => parts.iter().for_each(|part| self.part(part)),
            Part::Alternation(branches) => {
                for (index, branch) in branches.iter().enumerate() {
                    self.out.push_str(if index > 0 { "|" } else { "" });
                    self.part(branch);
                }
            }
        }
    }

    fn literal(&mut self, character: char) {
        if regex_syntax::is_meta_character(character) {
            self.out.push('\\');
        }
        self.out.push(character);
    }

    fn group(&mut self, group: &Group, body: &Part) {
        self.out.push_str(match group {
            Group::Capture(_) => "(",
            Group::Plain(None) => "(?:",
            Group::Plain(Some(true)) => "(?i:",
            Group::Plain(Some(false)) => "(?-i:",
            Group::Atomic => "(?>",
            Group::Look { is_behind: false, is_negated: false } => "(?=",
            Group::Look { is_behind: false, is_negated: true } => "(?!",
            Group::Look { is_behind: true, is_negated: false } => "(?<=",
            Group::Look { is_behind: true, is_negated: true } => "(?<!",
        });
        self.part(body);
        self.out.push(')');
    }

    fn boundary(&mut self, is_negated: bool, is_ascii: bool) {
        if !self.exact && !is_ascii {
            self.out.push_str(if is_negated { r"\B" } else { r"\b" });
            return;
        }
        self.out.push_str(&boundary(is_negated, is_ascii));
    }

    fn class(&mut self, class: &Class) {
        self.out.push_str(if class.is_negated { "[^" } else { "[" });
        for item in &class.items {
            match *item {
                Item::Range(first, last) if first == last => self.literal(first),
                Item::Range(first, last) => {
                    self.literal(first);
                    self.out.push('-');
                    self.literal(last);
                }
                Item::Category { category, is_negated, is_ascii } => {
                    let members = match (category, is_ascii) {
                        (Category::Digit, false) => r"\p{Nd}",
                        (Category::Digit, true) => "0-9",
                        (Category::Word, false) => WORD,
                        (Category::Word, true) => ASCII_WORD,
                        (Category::Space, false) => r"\s\x1c-\x1f",
                        (Category::Space, true) => r"\t-\r\x20",
                    };
                    self.out.push_str(if is_negated { "[^" } else { "" });
                    self.out.push_str(members);
                    self.out.push_str(if is_negated { "]" } else { "" });
                }
            }
        }
        self.out.push(']');
    }
}

/// Returns the look-around for the boundary of a word.
pub(super) fn boundary(is_negated: bool, is_ascii: bool) -> String {
    let word = if is_ascii { ASCII_WORD } else { WORD };
    if is_negated {
        format!("(?:(?<=[{word}])(?=[{word}])|(?<![{word}])(?![{word}]))")
    } else {
        format!("(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))")
    }
}
