//! Values of the wrong type, and guesses at the intended value.

use super::core::Judge;
use crate::ard::{Kind, Node, Style};
use crate::data::call::{function, text};
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::diagnostic::Help;
use crate::entity::{Entity as _, Id, Quirk};
use crate::grammar::definition::{ParameterDefinition, PropertyDefinition};
use crate::grammar::types::DataType;
use crate::phase::DiagnosticExt;
use crate::rules;
use crate::value::parse_number;

impl<'a> Judge<'_, 'a> {
    /// Reports that a value does not have the expected type.
    pub(crate) fn wrong_type(&mut self, node: Node<'_>, data_type: Id<DataType>, kind: DataKind) {
        self.wrong_type_of(node, data_type, kind, &Schema::of_type(Some(data_type)));
    }

    pub(super) fn wrong_type_of(
        &mut self,
        node: Node<'_>,
        data_type: Id<DataType>,
        kind: DataKind,
        schema: &Schema<'a>,
    ) {
        let name = self.context.program.name(data_type.any());
        let what = schema.title(self.context);
        let expected = kind.with_article();
        let of_type =
            if expected.ends_with(name) || kind == DataKind::Boolean { String::new() } else { format!(" (`{name}`)") };
        let found = match node.kind() {
            Kind::Boolean if kind == DataKind::Boolean => format!("`{}`", node.text()),
            _ => crate::phase::read::with_article(node).to_owned(),
        };
        let message = format!("{what} must be {expected}{of_type}, not {found}");
        let is_scalar = !matches!(node.kind(), Kind::Map | Kind::List | Kind::Null);
        let likely = function::likely(node, self.version(node));
        let meant = text::meant(node, self.version(node));
        let help = match kind {
            _ if meant.is_some() => meant.map(Help::write),
            _ if node.kind() == Kind::Null => Some("write a value, or remove the key".into()),
            DataKind::Integer if node.kind() == Kind::Float => {
                let whole = node.as_float().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
                Some(whole.map_or("write a whole number".into(), |number| Help::write(format!("{number:.0}"))))
            }
            DataKind::Version if node.kind() == Kind::Integer => Some(Help::write(format!("'{}.0'", node.text()))),
            DataKind::String | DataKind::Version | DataKind::Timestamp if is_scalar => Some(Help::quote(node.text())),
            DataKind::Boolean if node.kind() == Kind::Boolean => Some(Help::write(node.text().to_ascii_lowercase())),
            DataKind::Integer | DataKind::Float | DataKind::Boolean
                if node.kind() == Kind::String && is_quoted(node, kind) =>
            {
                Some(Help::unquote())
            }
            _ if likely.is_none() => of_definition(node).or_else(|| of_collection(node, kind)),
            _ => likely.as_ref().map(|name| format!("did you mean the function `{name}`?").into()),
        };
        let edit = likely.as_ref().filter(|name| help.as_ref().is_some_and(|help| help.text().contains(name.as_str())));
        let edit = edit.and_then(|name| {
            let key = node.entries().next().filter(|entry| !entry.merged)?.key;
            key.reworded(name)
        });
        let defined = schema.definition.and_then(|definition| self.context.program.name_span(definition));
        let is_default = matches!(self.place.at.kind, PropertyDefinition::KIND | ParameterDefinition::KIND);
        let quirk = (kind == DataKind::String && is_scalar).then(|| Quirk::NUMBERS_AS_STRINGS.help());
        let quirk = quirk.or_else(|| (is_default && node.kind() == Kind::Null).then(|| Quirk::NULL_DEFAULTS.help()));
        self.problem(&rules::WRONG_TYPE, node, message)
            .help_if(help)
            .help_if(quirk)
            .edit_if(edit)
            .related(defined, "defined here");
    }
}

/// Returns whether a string would be a value of the kind without its quotes.
fn is_quoted(node: Node<'_>, kind: DataKind) -> bool {
    let would_be = match kind {
        DataKind::Integer => node.text().parse::<i64>().is_ok(),
        DataKind::Float => parse_number(node.text()).is_some(),
        _ => matches!(node.text(), "true" | "false"),
    };
    would_be && node.style() != Style::Plain
}

/// Returns the help for a value that is wrapped in keynames of a definition.
fn of_definition(node: Node<'_>) -> Option<Help> {
    const KEYNAMES: [&str; 6] = ["value", "type", "default", "validation", "constraints", "required"];
    let keys: Vec<&str> = node.entries().map(|entry| entry.key.text()).collect();
    let first = keys.first().filter(|_| keys.iter().all(|key| KEYNAMES.contains(key)))?;
    match node.find("value").map(|value| value.value) {
        Some(value) if value.written().is_some_and(|text| text.len() <= 60 && !text.contains(['\n', '`'])) => {
            Some(Help::write(value.written()?))
        }
        _ => Some(format!("write the value alone; `{first}` belongs to the definition in the type").into()),
    }
}

/// Returns the help for a map in place of a list, or vice versa.
fn of_collection(node: Node<'_>, kind: DataKind) -> Option<Help> {
    /// The maximum number of pairs to show.
    const SHOWN: usize = 4;
    let is_pairs = || node.items().all(|item| item.kind() == Kind::Map && item.len() == 1);
    let text = match (kind, node.kind()) {
        (DataKind::List, Kind::Map) if node.is_empty() => Help::write("[]"),
        (DataKind::List, Kind::Map) => "write the entries as a list: `- name: …`".into(),
        (DataKind::Map | DataKind::Complex, Kind::List) if node.is_empty() => Help::write("{}"),
        (DataKind::Map | DataKind::Complex, Kind::List) if is_pairs() => {
            let pairs = node.items().flat_map(Node::entries).map(|entry| match entry.value.kind() {
                Kind::Map | Kind::List => format!("{}: …", entry.key.text()),
                _ => format!("{}: {}", entry.key.text(), entry.value.text()),
            });
            let (pairs, more): (Vec<String>, &str) =
                (pairs.take(SHOWN).collect(), if node.len() > SHOWN { ", …" } else { "" });
            format!("write the map without dashes and brackets: `{{ {}{more} }}`", pairs.join(", ")).into()
        }
        (DataKind::List, _) if node.written().is_some_and(|text| !text.contains('\n')) => {
            Help::write(format!("[ {} ]", node.written().unwrap_or_default()))
        }
        (DataKind::Map | DataKind::Complex, Kind::List) => "write the entries with their names: `{ name: … }`".into(),
        _ => return None,
    };
    Some(text)
}
