//! Rules of one's own, as a configuration declares them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::super::languages::languages;
use tosca_parse::convention::{Convention, kinds};
use tosca_parse::diagnostic::render::shown;
use tosca_parse::diagnostic::{Explained, Level, Override, Rule};

/// What a rule can be called, as a regular expression.
pub(super) const NAME: &str = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";

/// A rule of one's own: which entities it is about, what must be true of them, and what is said if it is not.
#[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OwnRule")]
pub(crate) struct Declaration {
    /// The kind of entities that are looked at, by its title.
    #[serde(default)]
    #[schemars(with = "Option<KindName>")]
    kind: Option<String>,
    /// A type: entities of it, and of types that are derived from it, are looked at; of types, it and these.
    #[serde(default)]
    r#type: Option<String>,
    /// A pattern of paths from the top of a file, such as `**/properties/password`: only what stands there is looked at.
    /// Without a kind, it may be anything.
    #[serde(default)]
    path: Option<String>,
    /// What must be true: a call of functions about `$value`, which is a map of the keynames and the `name`; or `false`.
    condition: serde_json::Value,
    /// What is said where it is not true; `{name}` stands for the name.
    message: String,
    /// What can be done.
    #[serde(default)]
    help: Option<String>,
    /// Whether it is an error (`deny`), a warning (`warn`, which it is by default) or nothing (`allow`).
    #[serde(default)]
    #[schemars(with = "Option<LevelName>")]
    level: Option<String>,
}

/// The titles of kinds of entities, for the schema.
struct KindName;

/// The words for levels, for the schema.
struct LevelName;

macro_rules! enum_schema {
    ($type:ty, $name:literal, $words:expr) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let words: Vec<&str> = $words.collect();
                schemars::json_schema!({ "enum": words })
            }
        }
    };
}

enum_schema!(KindName, "KindOfEntity", kinds());
enum_schema!(LevelName, "Level", ["allow", "warn", "deny"].into_iter());

/// A declared rule that can be looked for.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) explained: Explained,
    declaration: Declaration,
}

impl Own {
    /// Whether a rule can be called so.
    pub(crate) fn is_name(name: &str) -> bool {
        static PATTERN: LazyLock<Option<regex::Regex>> = LazyLock::new(|| regex::Regex::new(NAME).ok());
        PATTERN.as_ref().is_some_and(|pattern| pattern.is_match(name))
    }

    /// A rule by its declaration.
    ///
    /// # Errors
    ///
    /// The declaration is not as it must be: one line for the user.
    pub(super) fn new(name: &str, declaration: &Declaration) -> Result<Self, String> {
        if !Self::is_name(name) {
            return Err(format!("`{name}` is no name of a rule: write words in small letters with hyphens between"));
        }
        if matches!(name, "warnings" | "lints") {
            return Err(format!("`{name}` stands for many rules, and can't be one"));
        }
        if let Some(known) = languages().find_rule(name) {
            return Err(format!("there is a rule `{name}` ({}) already", known.rule.code));
        }
        let wanted = declaration.level.as_deref().map_or(Ok(Override::Warn), super::file::wanted)?;
        let own = Self { explained: explained(name, declaration, wanted), declaration: declaration.clone() };
        own.convention()?;
        Ok(own)
    }

    /// What looks for it.
    pub(super) fn convention(&self) -> Result<Convention, String> {
        let Declaration { kind, r#type, path, condition, message, help, .. } = &self.declaration;
        if kind.is_none() && path.is_none() {
            return Err("it says neither by `kind` nor by `path` what is looked at".to_owned());
        }
        let mut convention = Convention::new(self.explained.rule, &condition.to_string())?.message(message);
        if let Some(kind) = kind {
            convention = convention.kind(kind)?;
        }
        match r#type {
            Some(_) if kind.is_none() => return Err("`type` needs a `kind`".to_owned()),
            Some(name) => convention = convention.of_type(name),
            None => {}
        }
        if let Some(path) = path {
            let glob = globset::GlobBuilder::new(path).literal_separator(true).build();
            let matcher =
                glob.map_err(|error| format!("`{path}` is no pattern of paths: {}", error.kind()))?.compile_matcher();
            convention = convention.places(move |place| matcher.is_match(place));
        }
        if let Some(help) = help {
            convention = convention.help(help);
        }
        Ok(convention)
    }

    /// What it is about, in one line.
    pub(super) fn line(&self) -> String {
        let Declaration { kind, r#type, path, condition, level, .. } = &self.declaration;
        let texts = [("kind", kind), ("type", r#type), ("path", path), ("level", level)];
        let mut line = String::from("{ ");
        for (keyname, text) in texts {
            if let Some(text) = text {
                let _ = write!(line, "{keyname}: {}, ", serde_json::Value::from(text.as_str()));
            }
        }
        format!("{line}condition: {condition} }}")
    }
}

/// A rule with its explanation. The rule is never freed: the same declaration, read again, gives the same rule.
fn explained(name: &str, declaration: &Declaration, wanted: Override) -> Explained {
    static KNOWN: LazyLock<Mutex<BTreeMap<(String, String), &'static Rule>>> = LazyLock::new(Mutex::default);
    let Declaration { kind, r#type, path, condition, message, help, .. } = declaration;
    // Rules are listed and explained as text.
    let lines = |text: &str| text.lines().map(|line| shown(line).into_owned() + "\n").collect::<String>();
    let (r#type, path) = (r#type.as_deref().map(shown), path.as_deref().map(shown));
    let condition = lines(&serde_yaml::to_string(condition).unwrap_or_default());
    let about = match (kind, r#type, &path) {
        (Some(kind), Some(of_type), _) => format!("every {kind} of type `{of_type}`"),
        (Some(kind), None, _) => format!("every {kind}"),
        (None, _, path) => format!("what stands at `{}`", path.as_deref().unwrap_or_default()),
    };
    let place = path.as_ref().filter(|_| kind.is_some()).map(|path| format!(" at `{path}`")).unwrap_or_default();
    let help = help.as_ref().map(|help| format!("\n{}", lines(help))).unwrap_or_default();
    let text = format!(
        "This is a rule of the project. Of {about}{place} it must be true, where `$value` is what is written there:\n\n\
         ```yaml\n{condition}```\n{help}"
    );
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (format!("{name} {wanted:?} {message}"), text.clone());
    let rule = known.entry(key).or_insert_with(|| {
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let summary = Box::leak(shown(&message.replace("`{name}`", "something")).into_owned().into_boxed_str());
        let level = match wanted {
            Override::Deny => Level::Error,
            Override::Warn => Level::Warning,
            Override::Allow => Level::Optional,
        };
        Box::leak(Box::new(Rule { code: name, name, level, summary }))
    });
    Explained { rule, text: text.into() }
}
