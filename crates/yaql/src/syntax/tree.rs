//! Syntax trees.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::integer::Integer;

/// A node of an expression and its position, in bytes of the expression.
#[derive(Debug)]
pub struct Node {
    /// The kind of node.
    pub kind: Kind,
    /// The position, without enclosing parentheses.
    pub span: Range<u32>,
}

/// A part of an expression, shared by later evaluations.
pub type Expr = Arc<Node>;

/// The kinds of nodes.
#[derive(Debug)]
pub enum Kind {
    /// `null`, `true`, a number, a quoted string.
    Constant(Constant),
    /// A bare word, which is a string constant, and the right side of `.` and `:`.
    Word(Arc<str>),
    /// `$name`. `$` is the first position.
    Variable(Name),
    /// `f(…)`
    Call {
        /// The name of the function.
        name: Arc<str>,
        /// The arguments.
        arguments: Vec<Argument>,
    },
    /// `receiver.f(…)`
    Method {
        /// The expression left of the dot.
        receiver: Expr,
        /// The name of the method.
        name: Arc<str>,
        /// The position of the name.
        name_span: Range<u32>,
        /// The arguments.
        arguments: Vec<Argument>,
        /// Whether `?.` is written instead of `.`: the result is null if the receiver is null.
        optional: bool,
    },
    /// `receiver.word`
    Attribute {
        /// The expression left of the dot.
        receiver: Expr,
        /// The word.
        name: Arc<str>,
        /// The position of the word.
        name_span: Range<u32>,
        /// Whether `?.` is written instead of `.`: the result is null if the receiver is null.
        optional: bool,
    },
    /// `collection[…]`
    Index {
        /// The expression left of the bracket.
        collection: Expr,
        /// The arguments in the brackets.
        arguments: Vec<Argument>,
    },
    /// `[…]`
    List(Vec<Argument>),
    /// `{…}`
    Map(Vec<Argument>),
    /// An operator in front of an operand.
    Unary(Operator, Expr),
    /// An operator between two operands.
    Binary(Operator, Expr, Expr),
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number without a point.
    Integer(Integer),
    /// A number with a point.
    Float(f64),
    /// A quoted string.
    String(Arc<str>),
}

/// An argument between the commas of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// No argument: the parameter gets its default.
    Omitted,
    /// A value.
    Positional(Expr),
    /// `key => value`
    Mapping(Expr, Expr),
}

/// The name of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// `$1`, `$2`, and so on. `$` is `$1`.
    Position(u32),
    /// `$name`
    Named(Arc<str>),
}

impl Name {
    /// Creates a name from its text without the `$`.
    pub fn new(name: &str) -> Self {
        match name {
            "" => Self::Position(1),
            _ if name.starts_with('0') => Self::Named(name.into()),
            _ => name.parse().map_or_else(|_| Self::Named(name.into()), Self::Position),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(1) => f.write_str("$"),
            Self::Position(number) => write!(f, "${number}"),
            Self::Named(name) => write!(f, "${name}"),
        }
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// Operators by their symbols.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operator {
            $($(#[$doc])* $name,)+
        }

        impl Operator {
            /// Returns the operator as written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// Returns the operator with the given spelling.
            pub fn named(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$name),)+
                    _ => None,
                }
            }
        }
    };
}

operators! {
    /// `:` of `MuranoPL`, between a prefix and the name of a type, or in front of the name.
    Colon = ":",
    /// `.` with something to its right that is neither a word nor a call.
    Dot = ".",
    /// `?.` with something to its right that is neither a word nor a call.
    OptionalDot = "?.",
    /// `+`
    Plus = "+",
    /// `-`
    Minus = "-",
    /// `=~`
    Matches = "=~",
    /// `!~`
    MatchesNot = "!~",
    /// `*`
    Times = "*",
    /// `/`
    Over = "/",
    /// `mod`
    Modulo = "mod",
    /// `>`
    Greater = ">",
    /// `<`
    Less = "<",
    /// `>=`
    GreaterOrEqual = ">=",
    /// `<=`
    LessOrEqual = "<=",
    /// `!=`
    NotEqual = "!=",
    /// `=`
    Equal = "=",
    /// `in`
    In = "in",
    /// `is` of `MuranoPL`.
    Is = "is",
    /// `not`
    Not = "not",
    /// `and`
    And = "and",
    /// `or`
    Or = "or",
    /// `->`
    Arrow = "->",
}

impl Argument {
    /// Returns the expressions of the argument, in source order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = match self {
            Self::Omitted => (None, None),
            Self::Positional(value) => (Some(value), None),
            Self::Mapping(key, value) => (Some(key), Some(value)),
        };
        first.into_iter().chain(second)
    }
}

impl Node {
    /// Returns the parts of the node, in source order.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Constant(_) | Kind::Word(_) | Kind::Variable(_) => Vec::new(),
            Kind::Call { arguments, .. } | Kind::List(arguments) | Kind::Map(arguments) => parts(arguments).collect(),
            Kind::Method { receiver: first, arguments, .. } | Kind::Index { collection: first, arguments } => {
                std::iter::once(first).chain(parts(arguments)).collect()
            }
            Kind::Attribute { receiver: only, .. } | Kind::Unary(_, only) => vec![only],
            Kind::Binary(_, left, right) => vec![left, right],
        }
    }

    /// Returns the string, if the node is a word or a quoted string.
    pub fn as_text(&self) -> Option<&Arc<str>> {
        match &self.kind {
            Kind::Word(text) | Kind::Constant(Constant::String(text)) => Some(text),
            _ => None,
        }
    }
}

fn parts(arguments: &[Argument]) -> impl Iterator<Item = &Expr> {
    arguments.iter().flat_map(Argument::parts)
}
