//! Naming conventions: types such as `WebServer`, everything else such as `web_server` or `web-server`. Also, keynames
//! in place of names.

use crate::diagnostic::Rule;
use crate::diagnostic::suggest::and_list;
use crate::entity::{AnyId, Kind};
use crate::phase::{Context, DiagnosticExt, Lint, Unit};
use crate::rules;

/// Names of types that do not start with an uppercase letter, and names of properties, templates and the like that
/// contain an uppercase letter.
pub(super) struct Naming;

/// Sections in which every name is a keyname of the entities, with a value in short notation: the name of a single
/// entity is probably missing.
pub(super) struct Keynames;

impl Lint for Keynames {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::KEYNAME_AS_NAME]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some(entry) = context.program.list.first() else { return };
        for id in entities(entry) {
            let Some(entity) = entry.arenas.entity(id.local()) else { continue };
            for (index, field) in entity.description().fields.iter().enumerate() {
                let (Some(description), Some(members)) =
                    (field.shape.entity(), entry.keynames_as_names(id.local(), index))
                else {
                    continue;
                };
                let members: Vec<AnyId> = members.into_iter().map(|member| member.of(entry.id)).collect();
                let names: Vec<&str> = members.iter().map(|id| context.program.name(*id)).collect();
                let (list, what) = (and_list(&names), description.with_article());
                let place = field.title(entry.version);
                let message = match names[..] {
                    [_] => format!("{list} is a keyname of {what}, but used as a name in {place}"),
                    _ => format!("{list} are keynames of {what}, but used as names in {place}"),
                };
                let help = format!("to define a single {}, write its name above its keynames", description.title);
                let at = context.program.name_span(members[0]);
                context.problem(&rules::KEYNAME_AS_NAME, at, message).help(help);
            }
        }
    }
}

/// Returns all entities of a unit, by kind.
fn entities(unit: &Unit) -> Vec<AnyId> {
    let kinds = (0..).take(unit.language.kinds.len()).map(Kind);
    kinds.flat_map(|kind| unit.arenas.of_kind(kind)).map(|(id, _)| id.of(unit.id)).collect()
}

impl Lint for Naming {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::TYPE_NAME, &rules::MEMBER_NAME]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some(entry) = context.program.list.first() else { return };
        for id in entities(entry) {
            let is_type = entry.language.types().any(|kind| kind == id.kind);
            let (Some(at), name) = (context.program.name_span(id), context.program.name(id).to_owned()) else {
                continue;
            };
            // A name may have a namespace: `org.example.Server`, `prefix:Server`.
            let last = name.rsplit(['.', ':']).next().unwrap_or_default();
            if is_type && last.starts_with(|first: char| first.is_lowercase()) {
                let message = format!("the name of the type `{name}` begins with a lowercase letter");
                let capital: String =
                    last.chars().take(1).flat_map(char::to_uppercase).chain(last.chars().skip(1)).collect();
                context.problem(&rules::TYPE_NAME, Some(at), message).help(format!("call it `{capital}`"));
            } else if !is_type && last.contains(char::is_uppercase) {
                let message = format!("the name `{name}` has capital letters, like the name of a type");
                context.problem(&rules::MEMBER_NAME, Some(at), message).help(format!("call it `{}`", snake(last)));
            }
        }
    }
}

/// Converts a name to lowercase, with `_` between words.
fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut before: Option<char> = None;
    for char in name.chars() {
        if char.is_uppercase() && before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit()) {
            text.push('_');
        }
        text.extend(char.to_lowercase());
        before = Some(char);
    }
    text
}
