//! The syntax tree of Python regular expressions.

/// A parsed regular expression.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) root: Part,
    pub(super) ignore_case: bool,
    /// The names of groups and their numbers.
    pub(super) names: Vec<(String, usize)>,
}

/// A part of a regular expression. The flags that apply to a part are resolved by the parser, except for the case.
#[derive(Debug)]
pub(super) enum Part {
    Literal(char),
    /// `.`
    Any {
        dot_all: bool,
    },
    Class(Class),
    /// `^` or `\A`
    Start {
        multi_line: bool,
    },
    /// `$`
    End {
        multi_line: bool,
    },
    /// `\Z`
    VeryEnd,
    Boundary {
        is_negated: bool,
        is_ascii: bool,
    },
    Group(Group, Box<Part>),
    Backreference(usize),
    Conditional {
        group: usize,
        yes: Box<Part>,
        no: Box<Part>,
    },
    Repeat(Repetition, Box<Part>),
    Sequence(Vec<Part>),
    Alternation(Vec<Part>),
}

#[derive(Debug)]
pub(super) enum Group {
    Capture(usize),
    /// A group that isn't captured, with its own `ignore_case` if it sets the flag.
    Plain(Option<bool>),
    Atomic,
    Look {
        is_behind: bool,
        is_negated: bool,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Repetition {
    pub(super) least: u32,
    /// The maximum; `None` if there is none.
    pub(super) most: Option<u32>,
    pub(super) manner: Manner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Greedy,
    Lazy,
    Possessive,
}

/// A set of characters.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) is_negated: bool,
    pub(super) items: Vec<Item>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Range(char, char),
    Category { category: Category, is_negated: bool, is_ascii: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Category {
    /// `\d`
    Digit,
    /// `\w`
    Word,
    /// `\s`
    Space,
}

/// The properties of word characters, which are not quite those of other dialects.
pub(super) const WORD: &str = r"\p{L}\p{N}_";
pub(super) const ASCII_WORD: &str = "0-9A-Z_a-z";

impl Repetition {
    /// Returns the quantifier, without its manner.
    pub(super) fn quantifier(self) -> String {
        match (self.least, self.most) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (least, None) => format!("{{{least},}}"),
            (least, Some(most)) if least == most => format!("{{{least}}}"),
            (least, Some(most)) => format!("{{{least},{most}}}"),
        }
    }
}

impl Part {
    /// Returns whether the part contains a capturing group.
    pub(super) fn captures(&self) -> bool {
        self.has(&|part| matches!(part, Self::Group(Group::Capture(_), _)))
    }

    /// Returns whether the part matches exactly one character.
    pub(super) fn is_character(&self) -> bool {
        matches!(self, Self::Literal(_) | Self::Any { .. } | Self::Class(_))
    }

    /// Returns whether the part is look-around, which other engines refuse to repeat.
    pub(super) fn is_look(&self) -> bool {
        matches!(self, Self::Group(Group::Look { .. }, _))
    }

    /// Returns whether the part matches no characters. Engines refuse to repeat some such parts.
    pub(super) fn has_no_width(&self) -> bool {
        match self {
            Self::Literal(_) | Self::Any { .. } | Self::Class(_) | Self::Backreference(_) => false,
            Self::Repeat(Repetition { most: Some(0), .. }, _) | Self::Group(Group::Look { .. }, _) => true,
            part => part.children().into_iter().all(Self::has_no_width),
        }
    }

    /// Returns whether a quantifier can follow the part directly.
    pub(super) fn is_atom(&self) -> bool {
        matches!(
            self,
            Self::Literal(_) | Self::Any { .. } | Self::Class(_) | Self::Group(Group::Capture(_) | Group::Plain(_), _)
        )
    }

    /// Returns the parts of which this one consists.
    pub(super) fn children(&self) -> Vec<&Self> {
        match self {
            Self::Group(_, body) | Self::Repeat(_, body) => vec![body],
            Self::Conditional { yes, no, .. } => vec![yes, no],
            Self::Sequence(parts) | Self::Alternation(parts) => parts.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns whether the part or one in it has a property.
    pub(super) fn has(&self, property: &dyn Fn(&Self) -> bool) -> bool {
        property(self) || self.children().into_iter().any(|child| child.has(property))
    }
}
