//! The format of configuration files.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use super::super::args::{FailOn, Format, RuleSelector, quirks_of, version_word, which};
use super::super::data::{Data, Fault};
use super::super::languages::languages;
use super::super::limits::Limit;
use super::custom_rules::{Declaration, DeclaredRule};
use tosca_parse::diagnostic::Override;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::entity::{LanguageOption, Quirk};
use tosca_parse::grammar::version;
use tosca_parse_fmt::{Keynames, Lists, Quotes};

/// A configuration of `tosca-parse`: the user's `config.yaml` or a project's `tosca-parse.yaml`.
///
/// Paths are relative to the folder of the file or begin with `~`.
#[derive(Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Configuration")]
pub(crate) struct File {
    /// Whether deviations from the standard are errors instead of warnings.
    strict: Option<bool>,
    /// The levels of rules, by code or name; `warnings` and `lints` mean all warnings and all lints.
    rules: Option<Rules>,
    /// Settings for certain files only. The last entry that matches a file wins.
    overrides: Option<Vec<Special>>,
    /// Accepted deviations from the standard, by the names that `tosca-parse quirks` lists.
    quirks: Option<Quirks>,
    /// Declared versions, such as those of vendors, and the versions that they are read as.
    versions: Option<Versions>,
    /// Functions that may be called although they are not defined.
    functions: Option<Vec<String>>,
    /// Folders, files and archives that are searched for profiles.
    profile_paths: Option<Vec<PathBuf>>,
    /// Folders that are searched for imported files by name.
    import_paths: Option<Vec<PathBuf>>,
    /// URL prefixes and the folders to read instead.
    map_url: Option<Mappings>,
    /// Limits, by the names that `tosca-parse limits` lists.
    limits: Option<Limits>,
    /// Input values for all templates.
    inputs: Option<Inputs>,
    /// Values of language options: paths or URLs, by name. An option that can be given several times has a list.
    options: Option<Options>,
    /// Patterns for paths that are not searched for templates.
    exclude: Option<Vec<String>>,
    /// The baseline: a file with known problems that are not reported again.
    baseline: Option<PathBuf>,
    /// The style of `tosca-parse fmt`.
    format: Option<Formatting>,
    /// The format of problems, if neither `--format` nor `TOSCA_PARSE_FORMAT` is given.
    problem_format: Option<Format>,
    /// The lowest severity for which the exit code is 1, if neither `--fail-on` nor `TOSCA_PARSE_FAIL_ON` is given.
    fail_on: Option<FailOn>,
    /// The number of threads, if neither `--jobs` nor `TOSCA_PARSE_JOBS` is given.
    jobs: Option<NonZero<u16>>,
    /// The folder in which results are kept, if neither `--cache-results` nor `TOSCA_PARSE_CACHE_RESULTS` is given. A
    /// project can only name a folder inside its own.
    cache_results: Option<PathBuf>,
    /// Custom rules, by name.
    custom_rules: Option<BTreeMap<String, Declaration>>,
    #[serde(skip)]
    #[schemars(skip)]
    own: Vec<DeclaredRule>,
}

/// The style of `tosca-parse fmt`.
#[derive(Clone, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Formatting {
    /// The indentation of maps in spaces, from 2 to 9; the default is 2.
    indent: Option<Indent>,
    /// The quotes around quoted strings.
    quotes: Option<Quotes>,
    /// The indentation of lists in maps.
    lists: Option<Lists>,
    /// Whether there are spaces inside brackets, as in `[ a ]`; true by default.
    bracket_spacing: Option<bool>,
    /// The order of keynames.
    keynames: Option<Keynames>,
}

/// A number of spaces.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(try_from = "u64")]
struct Indent(u8);

impl schemars::JsonSchema for Indent {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Indent".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 2, "maximum": 9 })
    }
}

impl TryFrom<u64> for Indent {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        let number = u8::try_from(number).ok().filter(|number| (2..=9).contains(number));
        number.map(Self).ok_or("it must be from 2 to 9")
    }
}

impl Formatting {
    /// Overrides options with those of the configuration.
    pub(super) fn set(&self, options: &mut tosca_parse_fmt::Options) {
        options.indent = self.indent.map_or(options.indent, |indent| indent.0);
        options.quotes = self.quotes.unwrap_or(options.quotes);
        options.lists = self.lists.unwrap_or(options.lists);
        options.bracket_spacing = self.bracket_spacing.unwrap_or(options.bracket_spacing);
        options.keynames = self.keynames.unwrap_or(options.keynames);
    }

    /// Returns the settings, in the notation of the file.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let indent = self.indent.map(|indent| format!("  indent: {}", indent.0));
        let word = |debug: String| debug.to_lowercase();
        let quotes = self.quotes.map(|quotes| format!("  quotes: {}", word(format!("{quotes:?}"))));
        let lists = self.lists.map(|lists| format!("  lists: {}", word(format!("{lists:?}"))));
        let spacing = self.bracket_spacing.map(|spacing| format!("  bracket_spacing: {spacing}"));
        let keynames = self.keynames.map(|keynames| format!("  keynames: {}", word(format!("{keynames:?}"))));
        [indent, quotes, lists, spacing, keynames].into_iter().flatten()
    }
}

/// Settings for certain files only.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Special {
    /// Path patterns. A pattern without a slash matches file names in any folder.
    files: Vec<String>,
    /// The levels of rules in these files.
    #[serde(default)]
    rules: Option<Rules>,
    /// Accepted deviations from the standard in these templates and their imports.
    #[serde(default)]
    quirks: Option<Quirks>,
    /// Input values for these templates.
    #[serde(default)]
    inputs: Option<Inputs>,
    /// Values of language options for these templates.
    #[serde(default)]
    options: Option<Options>,
}

type Inputs = serde_json::Map<String, serde_json::Value>;

/// The levels of rules.
#[derive(Debug)]
pub(crate) struct Rules(Vec<(RuleSelector, Override)>);

/// Accepted deviations from the standard.
#[derive(Debug)]
struct Quirks(Vec<Quirk>);

/// Values of language options.
#[derive(Debug)]
struct Options(Vec<(&'static LanguageOption, String)>);

#[derive(Debug)]
struct Mappings(IndexMap<String, PathBuf>);

#[derive(Debug)]
struct Versions(IndexMap<String, String>);

#[derive(Debug)]
struct Limits(Vec<Limit>);

impl File {
    /// Reads a file, which may refer to custom rules from configurations farther away; `None` if it contains only
    /// comments.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if it is invalid.
    pub(super) fn read(name: &str, text: &str, further: &[&DeclaredRule]) -> Result<Self, String> {
        let data = Data::read(name, text, Data::ALIASES_OF_CONFIGURATION)?;
        let file: Result<Option<Self>, Fault> = data.get();
        let mut file = file.map_err(|fault| complaint(name, &data, fault))?.unwrap_or_default();
        for (rule, declaration) in file.custom_rules.iter().flatten() {
            let own = DeclaredRule::new(rule, declaration);
            file.own.push(own.map_err(|message| format!("{name}: custom_rules: {rule}: {message}"))?);
        }
        let special = file.overrides().iter().flat_map(Special::rules);
        for (which, _) in file.rules().iter().chain(special) {
            let RuleSelector::Custom(rule) = which else { continue };
            if let Err(unknown) = super::find(rule, file.own.iter().chain(further.iter().copied())) {
                return Err(format!("{}: {unknown}", data.place_of(name, "rules", rule)));
            }
        }
        Ok(file)
    }

    pub(super) fn strict(&self) -> bool {
        self.strict == Some(true)
    }

    pub(super) fn said_strict(&self) -> Option<bool> {
        self.strict
    }

    pub(super) fn rules(&self) -> &[(RuleSelector, Override)] {
        self.rules.as_ref().map_or(&[], |rules| &rules.0)
    }

    pub(super) fn overrides(&self) -> &[Special] {
        self.overrides.as_deref().unwrap_or_default()
    }

    pub(super) fn quirks(&self) -> &[Quirk] {
        self.quirks.as_ref().map_or(&[], |quirks| &quirks.0)
    }

    pub(super) fn versions(&self) -> impl Iterator<Item = (&String, &String)> {
        self.versions.iter().flat_map(|map| &map.0)
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().flatten().map(|name| name.strip_prefix('$').unwrap_or(name))
    }

    pub(super) fn profile_paths(&self) -> impl Iterator<Item = &Path> {
        self.profile_paths.iter().flatten().map(PathBuf::as_path)
    }

    pub(super) fn import_paths(&self) -> impl Iterator<Item = &Path> {
        self.import_paths.iter().flatten().map(PathBuf::as_path)
    }

    pub(super) fn map_url(&self) -> impl Iterator<Item = (&String, &PathBuf)> {
        self.map_url.iter().flat_map(|map| &map.0)
    }

    pub(super) fn limits(&self) -> &[Limit] {
        self.limits.as_ref().map_or(&[], |limits| &limits.0)
    }

    pub(super) fn inputs(&self) -> Option<serde_json::Value> {
        self.inputs.clone().map(serde_json::Value::Object)
    }

    pub(super) fn options(&self) -> &[(&'static LanguageOption, String)] {
        self.options.as_ref().map_or(&[], |options| &options.0)
    }

    pub(super) fn baseline(&self) -> Option<&Path> {
        self.baseline.as_deref()
    }

    pub(super) fn custom_rules(&self) -> &[DeclaredRule] {
        &self.own
    }

    pub(super) fn format(&self) -> Option<&Formatting> {
        self.format.as_ref()
    }

    pub(super) fn problem_format(&self) -> Option<Format> {
        self.problem_format
    }

    pub(super) fn fail_on(&self) -> Option<FailOn> {
        self.fail_on
    }

    pub(super) fn jobs(&self) -> Option<NonZero<u16>> {
        self.jobs
    }

    pub(super) fn cache_results(&self) -> Option<&Path> {
        self.cache_results.as_deref()
    }

    pub(super) fn exclude(&self) -> &[String] {
        self.exclude.as_deref().unwrap_or_default()
    }
}

impl Special {
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    pub(super) fn rules(&self) -> &[(RuleSelector, Override)] {
        self.rules.as_ref().map_or(&[], |rules| &rules.0)
    }

    pub(super) fn quirks(&self) -> &[Quirk] {
        self.quirks.as_ref().map_or(&[], |quirks| &quirks.0)
    }

    pub(super) fn inputs(&self) -> Option<serde_json::Value> {
        self.inputs.clone().map(serde_json::Value::Object)
    }

    pub(super) fn options(&self) -> &[(&'static LanguageOption, String)] {
        self.options.as_ref().map_or(&[], |options| &options.0)
    }
}

/// Returns the JSON Schema of a configuration.
pub(crate) fn json_schema() -> serde_json::Value {
    tosca_parse::json_schema::of_input::<File>()
}

/// Returns the message for an error in the file, with its position.
fn complaint(name: &str, data: &Data, fault: Fault) -> String {
    let fault = fault.with_message(|message| {
        let message = message.replace("unknown field", "unknown key");
        let Some((unknown, known)) = message.split_once(", expected one of ") else { return message };
        let mut names = known.split('`').skip(1).step_by(2);
        let unknown = unknown.rsplit('`').nth(1).unwrap_or_default();
        match nearest(unknown, names.by_ref()) {
            Some(near) => format!("{message}; did you mean `{near}`?"),
            None => message,
        }
    });
    data.complaint(name, &fault)
}

/// A value that may be written with or without quotes.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Word {
    Number(u64),
    Text(String),
}

/// Parses a level.
pub(super) fn wanted(word: &str) -> Result<Override, String> {
    match word {
        "allow" | "off" => Ok(Override::Allow),
        "warn" | "warning" => Ok(Override::Warn),
        "deny" | "error" => Ok(Override::Deny),
        word => Err(match nearest(word, ["allow", "warn", "deny"]) {
            Some(near) => format!("`{word}` is not a level; did you mean `{near}`?"),
            None => format!("`{word}` is not a level; there are `allow`, `warn` and `deny`"),
        }),
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |rule: &str, word: &str| Ok((which(rule).map_err(|error| error.to_string())?, wanted(word)?));
        let pairs = Pairs { what: "a map of rules to `allow`, `warn` or `deny`", read };
        deserializer.deserialize_map(pairs).map(Self)
    }
}

impl<'de> Deserialize<'de> for Versions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |word: &str, version: &str| Ok((word.to_owned(), version_word(version)?));
        let list = deserializer.deserialize_map(Pairs { what: "a map of words to versions", read })?;
        Ok(Self(list.into_iter().collect()))
    }
}

impl<'de> Deserialize<'de> for Quirks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut quirks = Vec::new();
        for name in Vec::<String>::deserialize(deserializer)? {
            quirks.extend(quirks_of(&name).map_err(de::Error::custom)?);
        }
        Ok(Self(quirks))
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Paths {
            One(String),
            Several(Vec<String>),
        }
        let mut values = Vec::new();
        for (name, paths) in IndexMap::<String, Paths>::deserialize(deserializer)? {
            let names = || languages().options().map(|option| option.name);
            let option = languages().options().find(|option| option.name == name).ok_or_else(|| {
                de::Error::custom(match nearest(&name, names()) {
                    Some(near) => format!("no language has an option `{name}`; did you mean `{near}`?"),
                    None => format!("no language has an option `{name}`"),
                })
            })?;
            match paths {
                Paths::One(path) => values.push((option, path)),
                Paths::Several(paths) => values.extend(paths.into_iter().map(|path| (option, path))),
            }
        }
        Ok(Self(values))
    }
}

impl<'de> Deserialize<'de> for Mappings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |url: &str, folder: &str| {
            if !url.contains("://") {
                return Err(format!("`{url}` is not the beginning of a URL"));
            }
            Ok((url.to_owned(), PathBuf::from(folder)))
        };
        let list = deserializer.deserialize_map(Pairs { what: "a map of URLs to folders", read })?;
        Ok(Self(list.into_iter().collect()))
    }
}

impl<'de> Deserialize<'de> for Limits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs = Pairs { what: "a map of limits to values", read: Limit::of };
        deserializer.deserialize_map(pairs).map(Self)
    }
}

/// A visitor that reads the entries of a map one by one, so that an error has the position of its entry.
struct Pairs<F> {
    what: &'static str,
    read: F,
}

impl<'de, T, F: FnMut(&str, &str) -> Result<T, String>> Visitor<'de> for Pairs<F> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Word>()? {
            let value = match value {
                Word::Number(number) => number.to_string(),
                Word::Text(text) => text,
            };
            list.push((self.read)(&name, &value).map_err(de::Error::custom)?);
        }
        Ok(list)
    }
}

/// Implements the schema of a map whose keys come from a list and whose values have one type.
macro_rules! map_schema {
    ($type:ty, $name:literal, $keys:expr, $value:expr) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let keys: Option<serde_json::Value> = $keys;
                let mut schema = schemars::json_schema!({ "type": "object" });
                schema.insert("additionalProperties".to_owned(), $value);
                if let Some(keys) = keys {
                    schema.insert("propertyNames".to_owned(), keys);
                }
                schema
            }
        }
    };
}

/// Returns the codes and names of all rules.
fn rule_names() -> Vec<String> {
    let rules = languages().rules().iter().flat_map(|explained| [explained.rule.code, explained.rule.name]);
    rules.chain(["warnings", "lints"]).map(str::to_owned).collect()
}

map_schema!(
    Rules,
    "Rules",
    Some(serde_json::json!({ "anyOf": [{ "enum": rule_names() }, { "pattern": super::custom_rules::NAME }] })),
    serde_json::json!({ "enum": ["allow", "warn", "deny"] })
);
map_schema!(Versions, "Versions", None, serde_json::json!({ "enum": version::words().collect::<Vec<_>>() }));
map_schema!(Mappings, "Mappings", None, serde_json::json!({ "type": "string" }));
map_schema!(
    Limits,
    "Limits",
    Some(serde_json::json!({ "enum": super::super::limits::names() })),
    serde_json::json!({ "type": ["integer", "string"] })
);

impl schemars::JsonSchema for Options {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Options".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let properties: serde_json::Map<_, _> = languages()
            .options()
            .map(|option| {
                let path = serde_json::json!({ "type": "string" });
                let list = serde_json::json!({ "type": "array", "items": path });
                let value = if option.repeated { serde_json::json!({ "anyOf": [path, list] }) } else { path };
                (option.name.to_owned(), value)
            })
            .collect();
        schemars::json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
    }
}

impl schemars::JsonSchema for Quirks {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Quirks".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = languages().quirk_names().collect();
        schemars::json_schema!({ "type": "array", "items": { "enum": names } })
    }
}
