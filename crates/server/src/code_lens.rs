//! Code lenses: the number of uses of each type, and the commands for a service.
//!
//! Records count the uses of types in each file, so a lens needs no search.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use serde_json::{Value, json};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{Kind, Language, Role};
use tosca_parse::phase::Unit;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::reference_docs::plural;
use tosca_parse::source::Address;

use crate::handlers::{FileHandler, of};
use crate::index::Words;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{CodeLens, CodeLensParams, Range, Uri};
use crate::server::{DIAGRAM, PLAN, Server, USES};

/// The maximum number of types of a file with a lens.
const MAX_TYPES: usize = 2000;

/// The maximum number of kinds of entities in a title.
const MAX_KINDS: usize = 3;

/// The number of references to a type in a file, from entities of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TypeUse {
    /// The hash of the type.
    of_type: u64,
    /// Whether the entities are derived from the type.
    is_derived: bool,
    kind: Kind,
    count: u32,
}

/// Returns the uses of types in the entry of a program, sorted by type.
pub(crate) fn uses(parsed: &Parsed) -> Box<[TypeUse]> {
    let program = &parsed.outcome.program;
    let Some(unit) = parsed.unit() else { return Box::default() };
    let mut files: FxHashMap<SourceId, Option<String>> = FxHashMap::default();
    let mut counts: BTreeMap<(u64, bool, Kind), u32> = BTreeMap::new();
    for (reference, _, field, owner) in unit.references() {
        let Some(id) = program.target(reference).filter(|id| program.lineage(*id).is_some()) else { continue };
        let is_derived = field.role == Role::Parent;
        let file = files.entry(id.unit).or_insert_with(|| {
            let address = parsed.address(id.unit).filter(|address| address.to_path().is_some());
            address.map(ToString::to_string)
        });
        if let Some(file) = file {
            *counts.entry((hash(file, id.kind, program.name(id)), is_derived, owner.kind)).or_default() += 1;
        }
    }
    let of_count = |((of_type, is_derived, kind), count)| TypeUse { of_type, is_derived, kind, count };
    counts.into_iter().map(of_count).collect()
}

/// Returns the hash of a type: of the file that defines it, its kind and its name.
fn hash(file: &str, kind: Kind, name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (file, kind.0, name).hash(&mut hasher);
    hasher.finish()
}

pub(crate) fn lenses(params: &CodeLensParams) -> FileHandler {
    let uri = params.text_document.uri.clone();
    let of_file = uri.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some((parsed, unit)) = server.parsed(file).and_then(|parsed| Some((parsed, parsed.unit()?))) else {
            return Value::Null;
        };
        let program = &parsed.outcome.program;
        let mut lenses = Vec::new();
        if let Some(range) = service(parsed, unit) {
            let command =
                |title: &str, command: &str| json!({ "title": title, "command": command, "arguments": [of_file] });
            lenses.push(json!({ "range": range, "command": command("Show diagram", DIAGRAM) }));
            lenses.push(json!({ "range": range, "command": command("Show plan", PLAN) }));
        }
        let types = unit.types().filter_map(|id| {
            let span = program.name_span(id).filter(|span| span.source == unit.id)?;
            // The hash rather than the name, which may be a secret.
            let of_type = hash(&file.to_string(), id.kind, program.name(id));
            let data = json!({ "uri": of_file, "type": format!("{of_type:x}") });
            Some(json!({ "range": place::range(&unit.source, span.start, span.end), "data": data }))
        });
        lenses.extend(types.take(MAX_TYPES));
        json!(lenses)
    };
    (uri, of(answer))
}

/// Returns the range of the keyname of the service in the entry.
fn service(parsed: &Parsed, unit: &Unit) -> Option<Range> {
    let root = unit.document.root()?;
    let language = unit.language;
    let named = language.services.iter().find_map(|keyname| root.find(keyname));
    let draws = || language.services.is_empty() && (language.topology)(&parsed.outcome.program).is_some();
    let entry = named.or_else(|| root.entries().next().filter(|_| draws()))?;
    let span = entry.key.span();
    (span.source == unit.id).then(|| place::range(&unit.source, span.start, span.end))
}

pub(crate) fn resolve(lens: &CodeLens) -> FileHandler {
    let lens = json!(lens);
    let text = |key: &str| lens["data"][key].as_str().unwrap_or_default().to_owned();
    let uri = Uri(text("uri"));
    let of_type = u64::from_str_radix(&text("type"), 16).ok();
    let of_file = uri.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let language = server.parsed(file).and_then(Parsed::unit).map(|unit| unit.language);
        let Some((of_type, language)) = of_type.zip(language) else { return lens.clone() };
        let counts = Counts::of(server, of_type);
        let mut lens = lens.clone();
        lens["command"] = json!({
            "title": counts.title(language),
            "command": USES,
            "arguments": [of_file, lens["range"]["start"]],
        });
        lens
    };
    (uri, of(answer))
}

/// The uses of a type in all files.
struct Counts {
    /// The numbers of derived types and of other entities, by kind.
    list: BTreeMap<(bool, Kind), u32>,
    /// Whether there are files of which not all uses are known.
    is_partial: bool,
}

impl Counts {
    fn of(server: &Server<'_>, of_type: u64) -> Self {
        let mut counts = Self { list: BTreeMap::new(), is_partial: false };
        for (_, file) in server.files.iter() {
            let Some(record) = &file.record else {
                counts.is_partial = true;
                continue;
            };
            counts.is_partial |= matches!(record.words, Words::Unknown);
            let start = record.uses.partition_point(|one| one.of_type < of_type);
            for one in record.uses[start..].iter().take_while(|one| one.of_type == of_type) {
                *counts.list.entry((one.is_derived, one.kind)).or_default() += one.count;
            }
        }
        counts
    }

    fn title(&self, language: &Language) -> String {
        let mut list: Vec<(u32, String)> = self
            .list
            .iter()
            .filter_map(|((is_derived, kind), count)| {
                let title = language.kinds.get(usize::from(kind.0))?.description().title;
                let title = if *count == 1 { title.to_owned() } else { plural(title) };
                let derived = if *is_derived { "derived " } else { "" };
                Some((*count, format!("{count} {derived}{title}")))
            })
            .collect();
        list.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let at_least = if self.is_partial { "at least " } else { "" };
        let verb = if let [(1, _)] = list[..] { "uses" } else { "use" };
        let more = if list.len() > MAX_KINDS { ", …" } else { "" };
        let names: Vec<String> = list.into_iter().take(MAX_KINDS).map(|(_, name)| name).collect();
        match (names.is_empty(), self.is_partial) {
            (true, true) => "no known use of this type".to_owned(),
            (true, false) => "nothing uses this type".to_owned(),
            (false, _) => format!("{at_least}{}{more} {verb} this type", names.join(", ")),
        }
    }
}
