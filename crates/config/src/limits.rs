//! Read limits, by name.
//!
//! The library spreads them over several structs, next to the code that they concern. Users need one list.

use std::fmt;
use std::time::Duration;

use tosca_parse::ImportLimits;
use tosca_parse::ard;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::entity::ModelLimits;
use tosca_parse::source::ArchiveLimits;
use tosca_parse::source::HttpOptions;

/// All limits.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)] // `KnownLimit` describes them.
pub struct Bounds {
    pub sources: ard::Limits,
    pub imports: ImportLimits,
    pub archives: ArchiveLimits,
    pub http: HttpOptions,
    pub stores: StoreLimits,
    pub models: ModelLimits,
    pub documentation: tosca_parse_doc::Limits,
    pub index: IndexLimits,
    pub run: RunLimits,
}

/// A limit that the user has set.
#[derive(Clone, Copy)]
pub struct Limit {
    known: &'static KnownLimit,
    value: u64,
}

/// The unit of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitUnit {
    /// Bytes, which may be written with a unit such as `M`.
    Bytes,
    /// Seconds.
    Seconds,
    /// A count.
    Times,
}

/// The description of a limit.
#[derive(Debug)]
pub struct KnownLimit {
    /// The name.
    pub name: &'static str,
    /// The limited amount, as a noun phrase.
    pub summary: &'static str,
    /// The unit.
    pub unit: LimitUnit,
    /// The minimum value.
    pub least: u64,
    /// The maximum value.
    pub most: u64,
    get: fn(&Bounds) -> u64,
    set: fn(&mut Bounds, u64),
}

/// Defines a limit that is stored in a field as a duration, or as a number of the given type.
macro_rules! known {
    ($name:literal, $summary:literal, Seconds, $($field:ident).+) => {
        KnownLimit {
            name: $name,
            summary: $summary,
            unit: LimitUnit::Seconds,
            least: 1,
            most: DAY,
            get: |bounds| bounds.$($field).+.as_secs(),
            set: |bounds, value| bounds.$($field).+ = Duration::from_secs(value),
        }
    };
    ($name:literal, $summary:literal, $unit:ident, $least:expr, $most:expr, $($field:ident).+ as $number:ty) => {
        KnownLimit {
            name: $name,
            summary: $summary,
            unit: LimitUnit::$unit,
            least: $least,
            most: $most,
            get: |bounds| bounds.$($field).+ as u64,
            set: |bounds, value| bounds.$($field).+ = <$number>::try_from(value).unwrap_or(<$number>::MAX),
        }
    };
}

/// A day in seconds: the longest configurable waiting time.
const DAY: u64 = 24 * 60 * 60;

#[allow(clippy::cast_lossless)] // The fields have different types.
static ALL: &[KnownLimit] = &[
    known!("source-size", "the size of a file", Bytes, 1, ard::Limits::MAX_BYTES, sources.bytes as u64),
    known!(
        "source-depth",
        "the nesting depth of maps and lists",
        Times,
        1,
        ard::Limits::MAX_DEPTH as u64,
        sources.depth as u32
    ),
    known!("source-aliases", "the nodes that aliases add to a file", Times, 0, u64::MAX, sources.expansion as u64),
    known!("source-problems", "the YAML problems in a file", Times, 1, u64::MAX, sources.problems as usize),
    known!("import-sources", "the sources that a template imports", Times, 1, u64::MAX, imports.sources as usize),
    known!("import-remote", "the remote sources that a template imports", Times, 1, u64::MAX, imports.remote as usize),
    known!(
        "import-size",
        "the total size of the sources that a template imports",
        Bytes,
        1,
        u64::MAX,
        imports.bytes as u64
    ),
    known!("import-time", "the time that a template waits for its imports", Seconds, imports.time),
    known!(
        "import-total",
        "the sources that all files of a run import, without one for each 16 bytes of a file",
        Times,
        0,
        u64::MAX,
        run.imports as u64
    ),
    known!("archive-size", "the size of a downloaded archive", Bytes, 1, u64::MAX, archives.bytes as u64),
    known!(
        "archive-total",
        "the total size of the unpacked files in an archive",
        Bytes,
        1,
        u64::MAX,
        archives.total as u64
    ),
    known!(
        "archive-ratio",
        "the ratio of a large file's unpacked size to its packed size",
        Times,
        1,
        u64::MAX,
        archives.ratio as u64
    ),
    known!("archive-entries", "the entries in an archive", Times, 1, u64::MAX, archives.entries as usize),
    known!("archive-depth", "the nesting depth of folders in an archive", Times, 1, u64::MAX, archives.depth as usize),
    known!("http-redirects", "the redirects per request", Times, 0, 1000, http.redirects as usize),
    known!("http-retries", "the retries per request", Times, 0, 1000, http.retries as u32),
    known!("http-time", "the time for one request, including redirects and retries", Seconds, http.timeout),
    known!(
        "store-objects",
        "the objects below a named folder of an object store",
        Times,
        1,
        u64::MAX,
        stores.objects as usize
    ),
    known!("eval-steps", "the steps to evaluate expressions", Times, 1, u64::MAX, models.evaluation.steps as u64),
    known!(
        "eval-bytes",
        "the total size of the values that expressions create",
        Bytes,
        1,
        u64::MAX,
        models.evaluation.bytes as u64
    ),
    known!("eval-stack", "the stack size for nested expressions", Bytes, 1, 1 << 30, models.evaluation.stack as u64),
    known!("model-values", "the values that a model takes from types", Times, 1, u64::MAX, models.values as usize),
    known!("doc-pages", "the pages of documentation", Times, 1, u64::MAX, documentation.pages as usize),
    known!("doc-size", "the total size of documented strings", Bytes, 1, u64::MAX, documentation.bytes as usize),
    #[cfg(feature = "tables")]
    known!("index-rows", "the rows of an index", Times, 1, u64::MAX, index.rows as u64),
    #[cfg(feature = "tables")]
    known!(
        "index-strings",
        "the total size of a template's strings in an index",
        Bytes,
        1,
        u64::MAX,
        index.strings as usize
    ),
    known!("cache-size", "the total size of cached remote files", Bytes, 0, u64::MAX, http.cache_bytes as u64),
];

/// The limits of object stores.
#[derive(Clone, Copy, Debug)]
pub struct StoreLimits {
    /// The maximum number of objects below a folder that is listed.
    pub objects: usize,
}

impl Default for StoreLimits {
    fn default() -> Self {
        Self { objects: 100_000 }
    }
}

/// The limits of an index of templates.
#[derive(Clone, Copy, Debug)]
pub struct IndexLimits {
    /// The maximum number of rows in all tables.
    pub rows: u64,
    /// The maximum size of the strings of a template and its imports, in bytes.
    pub strings: usize,
}

impl Default for IndexLimits {
    fn default() -> Self {
        Self { rows: 100_000_000, strings: 256 << 20 }
    }
}

/// The limits of a run over several files.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// The maximum number of sources that all files together import, in addition to one for each 16 bytes of a file.
    /// Values for inputs count accordingly.
    pub imports: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { imports: 30_000 }
    }
}

impl KnownLimit {
    /// Returns the default value.
    pub fn default_value(&self) -> u64 {
        (self.get)(&Bounds::default())
    }
}

impl Limit {
    /// Creates a limit from a name and a value.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if there is no such limit or the value is out of range.
    pub fn of(name: &str, value: &str) -> Result<Self, String> {
        let Some(known) = ALL.iter().find(|known| known.name == name) else {
            return Err(match nearest(name, ALL.iter().map(|known| known.name)) {
                Some(near) => format!("there is no limit `{name}`; did you mean `{near}`?"),
                None => format!("there is no limit `{name}`; `tosca-parse limits` lists them"),
            });
        };
        let number = known.unit.parse(value).ok_or_else(|| format!("`{value}` is not {}", known.unit.what()))?;
        if number < known.least || number > known.most {
            let bound = if number < known.least { ("less", known.least) } else { ("more", known.most) };
            return Err(format!("`{name}` can't be {} than {}", bound.0, known.unit.show(bound.1)));
        }
        Ok(Self { known, value: number })
    }

    /// Reads `NAME=VALUE`.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if the argument is invalid.
    pub fn parse(argument: &str) -> Result<Self, String> {
        let Some((name, value)) = argument.split_once('=') else {
            return Err("it must be `NAME=VALUE`; `tosca-parse limits` lists the names".to_owned());
        };
        Self::of(name, value)
    }
}

/// The name and the exact value. They are part of the keys of cached results, so no address of a function is shown.
impl fmt::Debug for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.known.name, self.value)
    }
}

/// Formats the limit as in a configuration.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.known.name, self.known.unit.show(self.value))
    }
}

/// Returns the descriptions of all limits.
pub fn limits() -> &'static [KnownLimit] {
    ALL
}

impl Bounds {
    /// Returns the default limits, overridden by those that the user has set.
    pub fn of(limits: &[Limit]) -> Self {
        let mut bounds = Self::default();
        bounds.set(limits);
        bounds
    }

    /// Returns whether the limits already have the given value.
    pub fn has(&self, limit: &Limit) -> bool {
        (limit.known.get)(self) == limit.value
    }

    /// Lowers limits and returns a message for each one that would be raised.
    pub fn lower<'l>(&mut self, limits: impl IntoIterator<Item = &'l Limit>) -> Vec<String> {
        let mut raised = Vec::new();
        for limit in limits {
            let (known, bound) = (limit.known, (limit.known.get)(self));
            if limit.value <= bound {
                (known.set)(self, limit.value);
                continue;
            }
            let (name, bound, value) = (known.name, known.unit.show(bound), known.unit.show(limit.value));
            raised.push(format!(
                "limits: {name}: ignored, because a project can't raise it above {bound}; `--limit {name}={value}` can"
            ));
        }
        raised
    }

    /// Sets limits; if one is given several times, the last value wins.
    pub fn set<'l>(&mut self, limits: impl IntoIterator<Item = &'l Limit>) {
        limits.into_iter().for_each(|limit| (limit.known.set)(self, limit.value));
    }
}

impl LimitUnit {
    const BYTES: [(&'static str, u32); 3] = [("G", 30), ("M", 20), ("K", 10)];

    fn parse(self, text: &str) -> Option<u64> {
        let text = text.trim();
        if self == Self::Seconds {
            return text.strip_suffix('s').unwrap_or(text).parse().ok();
        }
        if self == Self::Times {
            return text.parse().ok();
        }
        let upper = text.to_ascii_uppercase();
        let number = upper.trim_end_matches(|char: char| char.is_ascii_alphabetic());
        let shift = match &upper[number.len()..] {
            "" | "B" => 0,
            unit => {
                Self::BYTES
                    .iter()
                    .find(|(name, _)| unit.strip_prefix(name).is_some_and(|rest| matches!(rest, "" | "B" | "IB")))?
                    .1
            }
        };
        number.trim_end().parse::<u64>().ok()?.checked_mul(1 << shift)
    }

    fn what(self) -> &'static str {
        match self {
            Self::Bytes => "a number of bytes, such as `64M` or `1G`",
            Self::Seconds => "a number of seconds",
            Self::Times => "a number",
        }
    }

    /// Formats a value.
    pub fn show(self, value: u64) -> String {
        match self {
            Self::Seconds => format!("{value}s"),
            Self::Times => value.to_string(),
            Self::Bytes => {
                let fitting = Self::BYTES.iter().find(|(_, shift)| value > 0 && value.trailing_zeros() >= *shift);
                fitting.map_or_else(|| value.to_string(), |(unit, shift)| format!("{}{unit}", value >> shift))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("5", 5), ("5B", 5), ("5k", 5 << 10), ("5 KiB", 5 << 10), ("64M", 64 << 20), ("1GB", 1 << 30), ("0", 0)]
        {
            assert_eq!(LimitUnit::Bytes.parse(text), Some(bytes), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "5T", "5KK", "99999999999G", "G5", "5 0"] {
            assert_eq!(LimitUnit::Bytes.parse(text), None, "{text}");
        }
        assert_eq!(LimitUnit::Seconds.parse("90s"), Some(90));
        assert_eq!(LimitUnit::Times.parse("5k"), None);
    }

    #[test]
    fn projects_only_lower_limits() {
        let limit = |name, value| Limit::of(name, value).unwrap();
        let mut bounds = Bounds::default();
        let raised = bounds.lower(&[limit("archive-ratio", "100000"), limit("archive-entries", "10")]);
        assert_eq!(raised.len(), 1, "{raised:?}");
        assert!(raised[0].contains("limits: archive-ratio: ignored"), "{raised:?}");
        assert_eq!((bounds.archives.ratio, bounds.archives.entries), (ArchiveLimits::default().ratio, 10));
        for known in ALL {
            let default = (known.get)(&Bounds::default());
            if default < known.most {
                let raised = Bounds::default().lower(&[Limit { known, value: known.most }]);
                assert_eq!(raised.len(), 1, "{}", known.name);
            }
        }
    }

    #[test]
    fn what_is_set_is_what_is_got() {
        let defaults = Bounds::default();
        for known in ALL {
            let default = (known.get)(&defaults);
            assert!((known.least..=known.most).contains(&default), "{}", known.name);
            let shown = known.unit.show(default);
            assert_eq!(known.unit.parse(&shown), Some(default), "{shown}");
            let mut bounds = Bounds::default();
            let value = default.max(2) - 1;
            bounds.set([&Limit::of(known.name, &value.to_string()).unwrap()]);
            assert_eq!((known.get)(&bounds), value, "{}", known.name);
            let changed = ALL.iter().filter(|other| (other.get)(&bounds) != (other.get)(&defaults));
            assert_eq!(changed.count(), 1, "{}", known.name);
        }
    }
}
