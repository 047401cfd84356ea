//! Checks of arguments that are not part of a path.

use crate::ard::{Kind, Node};
use crate::data::call::Shape;
use crate::data::call::result_type::StaticResult;
use crate::data::judge::Judge;
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::phase::DiagnosticExt;
use crate::rules;

/// The expected argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// A scalar, which is converted to a string.
    Text,
    List,
    Index,
    Boolean,
}

/// Checks the arguments of `concat`, `join` and `token`, and the last two of `get_artifact`.
pub(crate) fn check_texts<'a>(judge: &mut Judge<'_, 'a>, name: &str, arguments: &[Node<'a>]) {
    for (index, argument) in arguments.iter().enumerate() {
        let wanted = match (name, index) {
            ("join", 0) => Wanted::List,
            ("token", 2) => Wanted::Index,
            ("get_artifact", 0 | 1) => continue,
            ("get_artifact", 3) => Wanted::Boolean,
            _ => Wanted::Text,
        };
        check(judge, name, *argument, wanted);
    }
}

fn check<'a>(judge: &mut Judge<'_, 'a>, name: &str, argument: Node<'a>, wanted: Wanted) {
    if let Shape::Call(call) = judge.shape(argument) {
        let known = judge.check_call(call);
        let is_wrong = |known: &StaticResult<'a>, wanted: Wanted| {
            known.kind(judge.context).is_some_and(|found| !wanted.accepts(found))
        };
        let entries = known.entries(judge.context).filter(|_| wanted == Wanted::List);
        if is_wrong(&known, wanted) || entries.is_some_and(|entries| is_wrong(&entries, Wanted::Text)) {
            report(judge, name, argument, wanted, &known);
        }
        return;
    }
    if wanted == Wanted::List && argument.kind() == Kind::List {
        argument.items().for_each(|item| check(judge, name, item, Wanted::Text));
        return;
    }
    judge.check(argument, &Schema::of_type(None));
    let fits = match wanted {
        Wanted::Text => !matches!(argument.kind(), Kind::List | Kind::Map | Kind::Null),
        Wanted::List => false,
        Wanted::Index => argument.as_integer().is_some_and(|index| index >= 0),
        Wanted::Boolean => argument.kind() == Kind::Boolean,
    };
    if !fits && !argument.is_placeholder() {
        let found = match argument.kind() {
            Kind::Integer => format!("`{}`", argument.text()),
            _ => crate::phase::read::with_article(argument).to_owned(),
        };
        let message = format!("`{name}` takes {} here, not {found}", wanted.what());
        judge.problem(&rules::ARGUMENT_TYPE, argument, message).help(wanted.remedy());
    }
}

/// Reports a call whose result has an unsuitable type.
fn report<'a>(judge: &mut Judge<'_, 'a>, name: &str, argument: Node<'a>, wanted: Wanted, known: &StaticResult<'a>) {
    let found = known.phrase(judge.context).unwrap_or_default();
    let message = format!("`{name}` takes {} here, not {found}", wanted.what());
    let source = match known {
        StaticResult::Schema(Schema { definition: Some(definition), .. }) => {
            judge.context.program.name_span(*definition)
        }
        _ => None,
    };
    // A number may be given as a string.
    let is_convertible =
        wanted == Wanted::Index && known.kind(judge.context).is_some_and(|kind| Wanted::Text.accepts(kind));
    let rule = if is_convertible { &rules::ODD_ARGUMENTS } else { &rules::ARGUMENT_TYPE };
    judge.problem(rule, argument, message).related(source, "given value").help(format!("pass {}", wanted.what()));
}

impl Wanted {
    fn accepts(self, kind: DataKind) -> bool {
        let is_collection = matches!(kind, DataKind::List | DataKind::Map | DataKind::Complex | DataKind::Range);
        match self {
            Self::Text => !is_collection,
            Self::List => kind == DataKind::List,
            Self::Index => kind == DataKind::Integer,
            Self::Boolean => kind == DataKind::Boolean,
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::List => "a list of strings",
            Self::Index => "a non-negative integer",
            Self::Boolean => "a boolean",
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            Self::Text => "write a string, or a function that returns one",
            Self::List => "put the strings in brackets: `[ [ a, b ], \",\" ]`",
            Self::Index => "write `0` for the first part, `1` for the second, and so on",
            Self::Boolean => "write `true` to remove the artifact from the location at the end, or `false`",
        }
    }
}
