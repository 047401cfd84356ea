//! Translates Python regular expressions to the syntax of the engine that runs them.

use super::syntax::{ASCII_WORD, Category, Class, Group, Item, Manner, Part, Repetition, Tree, WORD};

/// The kind of a program, which depends on the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Variant {
    /// Whether it has the meaning of Python in all texts. Exact programs are slower, because they have look-around.
    pub(super) is_exact: bool,
    /// Whether it is only for texts of ASCII. Such programs are much smaller.
    pub(super) is_ascii: bool,
    /// Whether it counts repetitions as it searches, rather than contains a copy for each. Such programs are small and
    /// slow.
    pub(super) is_counted: bool,
    /// Whether it finds no empty matches.
    pub(super) not_empty: bool,
}

impl Variant {
    pub(super) const COUNT: usize = 16;

    pub(super) fn index(self) -> usize {
        let flags = [self.is_exact, self.is_ascii, self.is_counted, self.not_empty];
        flags.into_iter().fold(0, |index, flag| index << 1 | usize::from(flag))
    }
}

/// What `$` looks for, which is also before a newline at the end.
const END: &str = r"\n?\z";

/// Returns the pattern for an engine without look-around, and the number of the group that is the whole match.
///
/// A condition on the text after the match is written as its continuation. The result is invalid if the pattern has other
/// look-around.
pub(super) fn without_look(tree: &Tree, variant: Variant) -> (String, usize) {
    let mut root = &tree.root;
    while let Part::Group(Group::Plain(None), body) = root {
        root = body;
    }
    let parts = if let Part::Sequence(parts) = root { parts } else { std::slice::from_ref(root) };
    let mut writer = Writer { out: String::new(), variant, is_relaxed: false };
    writer.out.push_str(if tree.ignore_case { "(?i)(" } else { "(" });
    match parts.split_last() {
        Some((Part::End { multi_line: false }, before)) if variant.is_exact && !variant.not_empty => {
            before.iter().for_each(|part| writer.part(part));
            writer.out.extend([")(?:", END, ")"]);
        }
        Some((Part::Group(Group::Look { is_behind: false, is_negated: false }, after), before))
            if !variant.not_empty =>
        {
            before.iter().for_each(|part| writer.part(part));
            writer.out.push_str(")(?:");
            writer.part(after);
            writer.out.push(')');
        }
        _ => return (translate(tree, variant), 0),
    }
    (writer.out, 1)
}

/// Returns the pattern for the engine.
pub(super) fn translate(tree: &Tree, variant: Variant) -> String {
    let pattern = whole(tree, variant, false);
    // The end of the match isn't the start of the search.
    if variant.not_empty { format!(r"(?:{pattern})(?!\G)") } else { pattern }
}

/// Returns a pattern without look-around, back-references and the like. It matches at all positions at which the pattern
/// matches, and perhaps at others.
pub(super) fn relaxed(tree: &Tree, variant: Variant) -> String {
    whole(tree, variant, true)
}

fn whole(tree: &Tree, variant: Variant, is_relaxed: bool) -> String {
    let mut writer = Writer { out: String::new(), variant, is_relaxed };
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
    /// The empty text, in which `\B` doesn't match.
    empty: bool,
}

impl Difference {
    pub(super) fn of(tree: &Tree) -> Self {
        Self {
            before_newline: tree.root.has(&|part| matches!(part, Part::End { multi_line: false })),
            not_ascii: tree.root.has(&|part| matches!(part, Part::Boundary { is_ascii: false, .. })),
            empty: tree.root.has(&|part| matches!(part, Part::Boundary { is_negated: true, .. })),
        }
    }

    pub(super) fn applies_to(self, text: &str) -> bool {
        self.before_newline && text.ends_with('\n')
            || self.not_ascii && !text.is_ascii()
            || self.empty && text.is_empty()
    }
}

struct Writer {
    out: String,
    variant: Variant,
    is_relaxed: bool,
}

impl Writer {
    fn part(&mut self, part: &Part) {
        if self.is_relaxed {
            return self.write_relaxed(part);
        }
        // The engine counts what it can't delegate to another one, such as an atomic group.
        let is_counted = self.variant.is_counted && part.is_character();
        self.out.push_str(if is_counted { "(?>" } else { "" });
        self.write(part);
        self.out.push_str(if is_counted { ")" } else { "" });
    }

    fn write_relaxed(&mut self, part: &Part) {
        match part {
            Part::End { multi_line: false } | Part::Boundary { .. } | Part::Group(Group::Look { .. }, _) => {}
            Part::Repeat(_, body) if body.has_no_width() => {}
            Part::Backreference(_) => self.out.push_str("(?s:.)*"),
            Part::Group(Group::Atomic, body) => {
                self.out.push_str("(?:");
                self.part(body);
                self.out.push(')');
            }
            Part::Conditional { yes, no, .. } => {
                self.out.push_str("(?:");
                self.part(yes);
                self.out.push('|');
                self.part(no);
                self.out.push(')');
            }
            Part::Repeat(repetition, body) if repetition.manner == Manner::Possessive => {
                let repetition = Repetition { manner: Manner::Greedy, ..*repetition };
                self.repeat(repetition, body);
            }
            part => self.write(part),
        }
    }

    fn write(&mut self, part: &Part) {
        match part {
            Part::Literal(character) => self.literal(*character),
            Part::Any { dot_all } => self.out.push_str(match (dot_all, self.variant.is_ascii) {
                (true, false) => "(?s:.)",
                (false, false) => ".",
                (true, true) => r"[\x00-\x7f]",
                (false, true) => r"[\x00-\x09\x0b-\x7f]",
            }),
            Part::Class(class) => self.class(class),
            Part::Start { multi_line } => self.out.push_str(if *multi_line { "(?m:^)" } else { r"\A" }),
            Part::End { multi_line: true } => self.out.push_str("(?m:$)"),
            Part::End { multi_line: false } => {
                let (before, end, after) = if self.variant.is_exact { ("(?=", END, ")") } else { ("", r"\z", "") };
                self.out.extend([before, end, after]);
            }
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
            Part::Repeat(repetition, body) if body.has_no_width() => self.repeat_no_width(*repetition, body),
            Part::Repeat(repetition, body) => self.repeat(*repetition, body),
            Part::Sequence(parts) => parts.iter().for_each(|part| self.part(part)),
            Part::Alternation(branches) => {
                for (index, branch) in branches.iter().enumerate() {
                    self.out.push_str(if index > 0 { "|" } else { "" });
                    self.part(branch);
                }
            }
        }
    }

    fn repeat(&mut self, repetition: Repetition, body: &Part) {
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

    /// Writes a part that is repeated without effect, except that its groups may match.
    fn repeat_no_width(&mut self, repetition: Repetition, body: &Part) {
        if repetition.least > 0 {
            self.part(body);
        } else if body.captures() {
            self.out.push_str(match repetition.manner {
                Manner::Greedy => "(?:",
                Manner::Lazy => "(?:|",
                Manner::Possessive => "(?>",
            });
            self.part(body);
            self.out.push_str(if repetition.manner == Manner::Lazy { ")" } else { "|)" });
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
        // The engine tries other ways to match a look-around if what follows does not match. Python does not.
        let is_final = matches!(group, Group::Look { is_negated: false, .. }) && body.captures();
        self.out.push_str(if is_final { "(?>" } else { "" });
        self.part(body);
        self.out.push_str(if is_final { "))" } else { ")" });
    }

    fn boundary(&mut self, is_negated: bool, is_ascii: bool) {
        if !self.variant.is_exact && !is_ascii {
            self.out.push_str(if is_negated { r"\B" } else { r"\b" });
            return;
        }
        // Before Python 3.14, `\B` doesn't match in the empty text.
        self.out.push_str(if is_negated { r"(?!\A\z)" } else { "" });
        self.out.push_str(&boundary(is_negated, is_ascii));
    }

    fn class(&mut self, class: &Class) {
        let is_beyond = |item: &Item| match *item {
            Item::Range(_, last) => !last.is_ascii(),
            Item::Category { is_negated, .. } => is_negated,
        };
        // The part beyond ASCII makes a program large.
        let is_limited = self.variant.is_ascii && (class.is_negated || class.items.iter().any(is_beyond));
        self.out.push_str(if is_limited { r"[\x00-\x7f&&" } else { "" });
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
                        (Category::Digit, false) if !self.variant.is_ascii => r"\p{Nd}",
                        (Category::Digit, _) => "0-9",
                        (Category::Word, false) if !self.variant.is_ascii => WORD,
                        (Category::Word, _) => ASCII_WORD,
                        (Category::Space, false) if !self.variant.is_ascii => r"\s\x1c-\x1f",
                        (Category::Space, false) => r"\t-\r\x1c-\x20",
                        (Category::Space, true) => r"\t-\r\x20",
                    };
                    self.out.push_str(if is_negated { "[^" } else { "" });
                    self.out.push_str(members);
                    self.out.push_str(if is_negated { "]" } else { "" });
                }
            }
        }
        self.out.push_str(if is_limited { "]]" } else { "]" });
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
