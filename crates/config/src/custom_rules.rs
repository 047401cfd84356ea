//! Custom rules, as declared in a configuration.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

use globset::GlobSet;

use crate::{languages, path_patterns};
use tosca_parse::custom_rule::CustomRule;
#[cfg(feature = "schema")]
use tosca_parse::custom_rule::kinds;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::diagnostic::{Level, Override, Rule, RuleDocs};

/// The valid names of custom rules, as a regular expression.
pub(super) const NAME: &str = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";

/// A custom rule: the entities that it selects, the condition that they must fulfill, and the message for those that
/// violate it.
#[derive(Clone, Debug, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "OwnRule"))]
pub(crate) struct Declaration {
    /// The title of an entity kind; only entities of this kind are checked.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<KindName>"))]
    kind: Option<String>,
    /// A type: only entities of this type or of a derived type are checked. If `kind` is a kind of type, only this type
    /// and the types derived from it are checked.
    #[serde(default)]
    r#type: Option<String>,
    /// A pattern for paths from the top of a file, such as `**/properties/password`; only values at these paths are
    /// checked. Without `kind`, entities of any kind are checked.
    #[serde(default)]
    path: Option<String>,
    /// The condition that must hold: `false`, or a function call on `$value`. For an entity, `$value` is a map of its
    /// keynames and its `name`.
    condition: serde_json::Value,
    /// The message for violations; `{name}` is replaced by the name.
    message: String,
    /// The help for violations.
    #[serde(default)]
    help: Option<String>,
    /// The level: `deny` (error), `warn` (warning, the default) or `allow` (off).
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<LevelName>"))]
    level: Option<String>,
}

/// The titles of entity kinds, for the schema.
#[cfg(feature = "schema")]
struct KindName;

/// The words for levels, for the schema.
#[cfg(feature = "schema")]
struct LevelName;

#[cfg(feature = "schema")]
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

#[cfg(feature = "schema")]
enum_schema!(KindName, "KindOfEntity", kinds());
#[cfg(feature = "schema")]
enum_schema!(LevelName, "Level", ["allow", "warn", "deny"].into_iter());

/// Checks the total length of the path patterns of custom rules.
pub(super) fn check_paths<'d>(declarations: impl Iterator<Item = &'d Declaration>) -> Result<(), String> {
    path_patterns::check_length(declarations.filter_map(|declaration| declaration.path.as_deref()))
        .map_err(|reason| format!("`custom_rules`: {reason}"))
}

/// A declared rule and its explanation.
#[derive(Debug)]
pub struct DeclaredRule {
    /// The rule, and its explanation.
    pub explained: RuleDocs,
    declaration: Declaration,
    /// The compiled `path`.
    paths: Option<GlobSet>,
}

impl DeclaredRule {
    /// Returns whether a name is valid for a custom rule.
    pub fn is_name(name: &str) -> bool {
        static PATTERN: LazyLock<Option<regex::Regex>> = LazyLock::new(|| regex::Regex::new(NAME).ok());
        PATTERN.as_ref().is_some_and(|pattern| pattern.is_match(name))
    }

    /// Creates a rule from its declaration.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if the declaration is invalid.
    pub(super) fn new(name: &str, declaration: &Declaration) -> Result<Self, String> {
        if !Self::is_name(name) {
            return Err(format!("`{name}` is not a rule name: write lowercase words separated by hyphens"));
        }
        if matches!(name, "warnings" | "lints") {
            return Err(format!("`{name}` means a set of rules, so it can't be the name of a rule"));
        }
        if let Some(known) = languages().find_rule(name) {
            return Err(format!("there is already a rule `{name}` ({})", known.rule.code));
        }
        let wanted = declaration.level.as_deref().map_or(Ok(Override::Warn), crate::file::wanted)?;
        let paths = declaration.path.as_deref().map(|path| {
            path_patterns::compile([path]).map_err(|reason| format!("`{path}` is not a path pattern: {reason}"))
        });
        let explained = explained(name, declaration, wanted);
        let own = Self { explained, declaration: declaration.clone(), paths: paths.transpose()? };
        own.check()?;
        Ok(own)
    }

    /// Returns the check of the rule.
    pub(super) fn check(&self) -> Result<CustomRule, String> {
        let Declaration { kind, r#type, condition, message, help, .. } = &self.declaration;
        if kind.is_none() && self.paths.is_none() {
            return Err("it needs a `kind` or a `path`".to_owned());
        }
        let mut check = CustomRule::new(self.explained.rule, &condition.to_string())?.message(message);
        if let Some(kind) = kind {
            check = check.kind(kind)?;
        }
        match r#type {
            Some(_) if kind.is_none() => return Err("`type` needs a `kind`".to_owned()),
            Some(name) => check = check.of_type(name),
            None => {}
        }
        if let Some(paths) = self.paths.clone() {
            check = check.places(move |place| paths.is_match(place));
        }
        if let Some(help) = help {
            check = check.help(help);
        }
        Ok(check)
    }

    /// Returns the selection and the condition, in one line.
    pub fn line(&self) -> String {
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

/// Returns a rule with its explanation. Rules are never freed, but equal declarations share one rule.
fn explained(name: &str, declaration: &Declaration, wanted: Override) -> RuleDocs {
    static KNOWN: LazyLock<Mutex<BTreeMap<(String, String), &'static Rule>>> = LazyLock::new(Mutex::default);
    let Declaration { kind, r#type, path, condition, message, help, .. } = declaration;
    // Explanations are shown in terminals.
    let lines = |text: &str| text.lines().map(|line| sanitize(line).into_owned() + "\n").collect::<String>();
    let (r#type, path) = (r#type.as_deref().map(sanitize), path.as_deref().map(sanitize));
    let condition = lines(&serde_yaml::to_string(condition).unwrap_or_default());
    let about = match (kind, r#type, &path) {
        (Some(kind), Some(of_type), _) => format!("every {kind} of type `{of_type}`"),
        (Some(kind), None, _) => format!("every {kind}"),
        (None, _, path) => format!("the value at `{}`", path.as_deref().unwrap_or_default()),
    };
    let place = path.as_ref().filter(|_| kind.is_some()).map(|path| format!(" at `{path}`")).unwrap_or_default();
    let help = help.as_ref().map(|help| format!("\n{}", lines(help))).unwrap_or_default();
    let text = format!(
        "This is a custom rule of the project. The condition must hold for {about}{place}, where `$value` is the checked value:\n\n\
         ```yaml\n{condition}```\n{help}"
    );
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (format!("{name} {wanted:?} {message}"), text.clone());
    let rule = known.entry(key).or_insert_with(|| {
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let summary = Box::leak(sanitize(&message.replace("`{name}`", "something")).into_owned().into_boxed_str());
        let level = match wanted {
            Override::Deny => Level::Error,
            Override::Warn => Level::Warning,
            Override::Allow => Level::Optional,
        };
        Box::leak(Box::new(Rule { code: name, name, level, summary }))
    });
    RuleDocs { rule, text: text.into() }
}
