//! The format of configuration files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use crate::custom_rules::{Declaration, DeclaredRule, check_paths};
use crate::data::{Data, Fault};
use crate::rule_selector::{RuleSelector, which};
use crate::settings::{find, limited};
use crate::words::{FailOn, Format, quirks_of, version_word};
use crate::{Error, Limit, languages};
use tosca_parse::ard::Node;
use tosca_parse::diagnostic::Override;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::entity::{LanguageOption, Quirk};
use tosca_parse_fmt::{Keynames, Lists, Quotes};

/// A configuration of `tosca-parse`: the user's `config.yaml` or a project's `tosca-parse.yaml`.
///
/// Paths are relative to the folder of the file or begin with `~`.
#[derive(Debug, Default, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", schemars(rename = "Configuration"))]
pub struct File {
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
    #[serde(deserialize_with = "jobs")]
    jobs: Option<NonZero<u16>>,
    /// The folder in which results are kept, if neither `--cache-results` nor `TOSCA_PARSE_CACHE_RESULTS` is given. A
    /// project can only name a folder inside its own.
    cache_results: Option<PathBuf>,
    /// Custom rules, by name.
    custom_rules: Option<BTreeMap<String, Declaration>>,
    /// The offset of the input values in the text.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    start_of_inputs: Option<u32>,
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    own: Vec<DeclaredRule>,
}

/// The style of `tosca-parse fmt`.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Formatting {
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
pub(crate) struct Indent(u8);

impl TryFrom<u64> for Indent {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        let number = u8::try_from(number).ok().filter(|number| (2..=9).contains(number));
        number.map(Self).ok_or("it must be from 2 to 9")
    }
}

impl Formatting {
    /// Overrides options with those of the configuration.
    pub fn set(&self, options: &mut tosca_parse_fmt::Options) {
        options.indent = self.indent.map_or(options.indent, |indent| indent.0);
        options.quotes = self.quotes.unwrap_or(options.quotes);
        options.lists = self.lists.unwrap_or(options.lists);
        options.bracket_spacing = self.bracket_spacing.unwrap_or(options.bracket_spacing);
        options.keynames = self.keynames.unwrap_or(options.keynames);
    }

    /// Returns the settings, in the notation of the file.
    pub fn lines(&self) -> impl Iterator<Item = String> {
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
#[derive(Debug, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Special {
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
    /// The offset of the input values in the text.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    start_of_inputs: Option<u32>,
}

type Inputs = serde_json::Map<String, serde_json::Value>;

/// The levels of rules.
#[derive(Debug)]
pub(crate) struct Rules(Vec<(RuleSelector, Override)>);

/// Accepted deviations from the standard.
#[derive(Debug)]
pub(crate) struct Quirks(Vec<Quirk>);

/// Values of language options.
#[derive(Debug)]
pub(crate) struct Options(Vec<(&'static LanguageOption, String)>);

#[derive(Debug)]
pub(crate) struct Mappings(IndexMap<String, PathBuf>);

#[derive(Debug)]
pub(crate) struct Versions(IndexMap<String, String>);

#[derive(Debug)]
pub(crate) struct Limits(Vec<Limit>);

#[expect(missing_docs, reason = "each method returns the setting of its name, which its field describes")]
impl File {
    /// Reads a file, which may refer to custom rules from configurations farther away; `None` if it contains only
    /// comments.
    ///
    /// # Errors
    ///
    /// Returns an error if it is invalid.
    pub(crate) fn read(name: &str, text: &str, further: &[&DeclaredRule]) -> Result<Self, Error> {
        let data = Data::read(name, text, Data::ALIASES_OF_CONFIGURATION)?;
        let file: Result<Option<Self>, Fault> = data.get();
        let mut file = file.map_err(|fault| complaint(name, &data, fault))?.unwrap_or_default();
        file.find_inputs(&data);
        let declarations = || file.custom_rules.iter().flatten().map(|(_, declaration)| declaration);
        limited("custom_rules", "rules", declarations().count())
            .and_then(|()| check_paths(declarations()))
            .map_err(|message| Error::Invalid { file: name.to_owned(), position: None, message })?;
        for (rule, declaration) in file.custom_rules.iter().flatten() {
            let own = DeclaredRule::new(rule, declaration);
            file.own.push(own.map_err(|message| Error::Invalid {
                file: name.to_owned(),
                position: data.position_of("custom_rules", rule),
                message: format!("custom_rules: {rule}: {message}"),
            })?);
        }
        let known = || file.own.iter().chain(further.iter().copied());
        let names: BTreeSet<&str> = known().map(|own| own.explained.rule.name).collect();
        let special = file.overrides().iter().flat_map(Special::rules);
        for (which, _) in file.rules().iter().chain(special) {
            let RuleSelector::Custom(rule) = which else { continue };
            if names.contains(&**rule) {
                continue;
            }
            if let Err(unknown) = find(rule, known()) {
                let position = data.position_of("rules", rule);
                return Err(Error::Invalid { file: name.to_owned(), position, message: unknown.to_string() });
            }
        }
        Ok(file)
    }

    /// Sets the offsets of the input values.
    fn find_inputs(&mut self, data: &Data) {
        let Some(root) = data.root() else { return };
        let start = |map: Node<'_>| Some(map.find("inputs")?.value.span().start);
        self.start_of_inputs = start(root);
        let Some(overrides) = root.find("overrides") else { return };
        for (special, node) in self.overrides.iter_mut().flatten().zip(overrides.value.items()) {
            special.start_of_inputs = start(node);
        }
    }

    /// Returns the offset of the input values in the text.
    pub fn start_of_inputs(&self) -> Option<u32> {
        self.start_of_inputs.filter(|_| self.inputs.is_some())
    }

    pub fn strict(&self) -> bool {
        self.strict == Some(true)
    }

    pub fn said_strict(&self) -> Option<bool> {
        self.strict
    }

    pub fn rules(&self) -> &[(RuleSelector, Override)] {
        self.rules.as_ref().map_or(&[], |rules| &rules.0)
    }

    pub fn overrides(&self) -> &[Special] {
        self.overrides.as_deref().unwrap_or_default()
    }

    pub fn quirks(&self) -> &[Quirk] {
        self.quirks.as_ref().map_or(&[], |quirks| &quirks.0)
    }

    pub fn versions(&self) -> impl Iterator<Item = (&String, &String)> {
        self.versions.iter().flat_map(|map| &map.0)
    }

    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().flatten().map(|name| name.strip_prefix('$').unwrap_or(name))
    }

    pub fn profile_paths(&self) -> impl Iterator<Item = &Path> {
        self.profile_paths.iter().flatten().map(PathBuf::as_path)
    }

    pub fn import_paths(&self) -> impl Iterator<Item = &Path> {
        self.import_paths.iter().flatten().map(PathBuf::as_path)
    }

    pub fn map_url(&self) -> impl Iterator<Item = (&String, &PathBuf)> {
        self.map_url.iter().flat_map(|map| &map.0)
    }

    pub fn limits(&self) -> &[Limit] {
        self.limits.as_ref().map_or(&[], |limits| &limits.0)
    }

    pub fn inputs(&self) -> Option<serde_json::Value> {
        self.inputs.clone().map(serde_json::Value::Object)
    }

    pub fn options(&self) -> &[(&'static LanguageOption, String)] {
        self.options.as_ref().map_or(&[], |options| &options.0)
    }

    pub fn baseline(&self) -> Option<&Path> {
        self.baseline.as_deref()
    }

    pub fn custom_rules(&self) -> &[DeclaredRule] {
        &self.own
    }

    pub fn format(&self) -> Option<&Formatting> {
        self.format.as_ref()
    }

    pub fn problem_format(&self) -> Option<Format> {
        self.problem_format
    }

    pub fn fail_on(&self) -> Option<FailOn> {
        self.fail_on
    }

    pub fn jobs(&self) -> Option<NonZero<u16>> {
        self.jobs
    }

    pub fn cache_results(&self) -> Option<&Path> {
        self.cache_results.as_deref()
    }

    pub fn exclude(&self) -> &[String] {
        self.exclude.as_deref().unwrap_or_default()
    }
}

#[expect(missing_docs, reason = "each method returns the setting of its name, which its field describes")]
impl Special {
    /// Returns the offset of the input values in the text of the configuration.
    pub fn start_of_inputs(&self) -> Option<u32> {
        self.start_of_inputs.filter(|_| self.inputs.is_some())
    }

    pub fn files(&self) -> &[String] {
        &self.files
    }

    pub fn rules(&self) -> &[(RuleSelector, Override)] {
        self.rules.as_ref().map_or(&[], |rules| &rules.0)
    }

    pub fn quirks(&self) -> &[Quirk] {
        self.quirks.as_ref().map_or(&[], |quirks| &quirks.0)
    }

    pub fn inputs(&self) -> Option<serde_json::Value> {
        self.inputs.clone().map(serde_json::Value::Object)
    }

    pub fn options(&self) -> &[(&'static LanguageOption, String)] {
        self.options.as_ref().map_or(&[], |options| &options.0)
    }
}

/// Returns an error in the file, with its position.
fn complaint(name: &str, data: &Data, fault: Fault) -> Error {
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
pub(crate) fn wanted(word: &str) -> Result<Override, String> {
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

/// Reads a number of threads.
fn jobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZero<u16>>, D::Error> {
    struct Jobs;

    impl Visitor<'_> for Jobs {
        type Value = Option<NonZero<u16>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a number of threads from 1 to {}", u16::MAX)
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
            let jobs = u16::try_from(number).ok().and_then(NonZero::new);
            jobs.map(Some).ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
            match u64::try_from(number) {
                Ok(number) => self.visit_u64(number),
                Err(_) => Err(E::invalid_value(de::Unexpected::Signed(number), &self)),
            }
        }
    }

    deserializer.deserialize_any(Jobs)
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
