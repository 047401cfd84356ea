//! Words in configurations that arguments share.

use crate::languages;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::entity::Quirk;
use tosca_parse::grammar::version;

/// The format of problems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// With source lines
    #[default]
    Full,
    /// One line per problem
    Concise,
    /// One JSON document
    Json,
    /// One JSON document per problem, each on its own line
    Jsonl,
    /// SARIF 2.1.0
    Sarif,
    /// GitHub workflow commands, shown as annotations
    Github,
    /// GitLab code quality report
    Gitlab,
    /// `JUnit` XML, shown by most build servers
    Junit,
    /// Checkstyle XML
    Checkstyle,
    /// Azure Pipelines commands, shown as issues
    Azure,
    /// JSON for reviewdog
    Rdjson,
    /// Generic issues for `SonarQube` 10.3 and later
    Sonarqube,
    /// A Parquet table in a file, with a row for each problem
    #[cfg(feature = "tables")]
    Parquet,
}

impl Format {
    /// Returns whether the format is a table, which is not text.
    pub fn is_table(self) -> bool {
        match self {
            #[cfg(feature = "tables")]
            Self::Parquet => true,
            _ => false,
        }
    }
}

/// The lowest severity for which the exit code is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Errors
    #[default]
    Error,
    /// Errors and warnings
    Warning,
}

/// Returns the version word that differs from an unknown word only in its number, and least in that.
fn closest_version(word: &str) -> Option<&'static str> {
    let split = |word: &str| -> Option<(usize, u32)> {
        let start = word.trim_end_matches(|char: char| char.is_ascii_digit() || matches!(char, '_' | '.')).len();
        let mut numbers = word[start..].split(['_', '.']).filter(|number| !number.is_empty());
        let major: u8 = numbers.next()?.parse().ok()?;
        let minor: u8 = numbers.next().unwrap_or("0").parse().ok()?;
        Some((start, u32::from(major) * 256 + u32::from(minor)))
    };
    let (start, number) = split(word)?;
    let of_same_name = version::words()
        .filter_map(|known| Some((known, split(known)?)))
        .filter(|(known, (end, _))| known[..*end] == word[..start]);
    of_same_name.min_by_key(|(_, (_, known))| known.abs_diff(number)).map(|(known, _)| known)
}

/// Parses a word that declares a version of TOSCA.
///
/// # Errors
///
/// Returns an error, as one line for the user, if there is none.
pub fn version_word(word: &str) -> Result<String, String> {
    if version::of_word(word).is_some() {
        return Ok(word.to_owned());
    }
    match closest_version(word).or_else(|| nearest(word, version::words())) {
        Some(near) => Err(format!("`{word}` is not a version; did you mean `{near}`?")),
        None => {
            Err(format!("`{word}` is not a version; there are {}", version::words().collect::<Vec<_>>().join(", ")))
        }
    }
}

/// Returns the quirk with the given name or the quirks of a set.
///
/// # Errors
///
/// Returns an error, as one line for the user, if there is none.
pub fn quirks_of(name: &str) -> Result<Vec<Quirk>, String> {
    languages().quirks_of(name).ok_or_else(|| {
        let names = || languages().quirk_names();
        match nearest(name, names()) {
            Some(near) => format!("there is no such quirk; did you mean `{near}`?"),
            None => format!("there is no such quirk; there are {}", names().collect::<Vec<_>>().join(", ")),
        }
    })
}
