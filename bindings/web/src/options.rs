//! The options of a parser.

use std::collections::BTreeMap;

use serde::Deserialize;
use tosca_parse_engine::diagnostic::{Levels, Override};
use tosca_parse_engine::{ParserBuilder, ard, rules};
use wasm_bindgen::{JsError, JsValue};

use crate::convert::to_json;
use crate::languages::{RULES, quirks_of};

/// The options, as `types.d.ts` describes them.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Options {
    allow: Vec<String>,
    warn: Vec<String>,
    deny: Vec<String>,
    strict: bool,
    quirks: Vec<String>,
    functions: Vec<String>,
    /// The options of the languages, by name.
    #[serde(rename = "options")]
    pub(crate) of_languages: BTreeMap<String, Vec<String>>,
    limits: Limits,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Limits {
    bytes: Option<u64>,
    depth: Option<u32>,
    expansion: Option<u64>,
    problems: Option<usize>,
}

pub(crate) fn read(options: &JsValue) -> Result<Options, JsError> {
    Ok(match to_json(options)? {
        Some(text) => serde_json::from_str(&text)?,
        None => Options::default(),
    })
}

impl Options {
    pub(crate) fn apply(self, mut builder: ParserBuilder) -> Result<ParserBuilder, JsError> {
        for name in &self.quirks {
            let quirks = quirks_of(name).ok_or_else(|| JsError::new(&format!("there is no quirk `{name}`")))?;
            builder = quirks.into_iter().fold(builder, ParserBuilder::quirk);
        }
        builder = self.functions.iter().fold(builder, |builder, name| builder.function(name.clone()));
        Ok(builder.levels(self.levels()?).limits(self.limits.over(&ard::Limits::default())))
    }

    fn levels(&self) -> Result<Levels, JsError> {
        let mut levels = Levels::new().strict(self.strict);
        let wanted = [(&self.allow, Override::Allow), (&self.warn, Override::Warn), (&self.deny, Override::Deny)];
        for (name, level) in wanted.into_iter().flat_map(|(names, level)| names.iter().map(move |name| (name, level))) {
            if name == "warnings" {
                levels.set_warnings(level);
            } else {
                levels.set(rules::parse(&RULES, name)?.rule, level);
            }
        }
        Ok(levels)
    }
}

impl Limits {
    fn over(&self, limits: &ard::Limits) -> ard::Limits {
        ard::Limits {
            bytes: self.bytes.unwrap_or(limits.bytes),
            depth: self.depth.unwrap_or(limits.depth),
            expansion: self.expansion.unwrap_or(limits.expansion),
            problems: self.problems.unwrap_or(limits.problems),
            repairs: limits.repairs,
        }
    }
}
