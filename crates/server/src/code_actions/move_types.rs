//! The code action that moves a type to a new file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use tosca_parse::ard::{Entry, Kind, Layout, Node, Style, write_scalar};
use tosca_parse::diagnostic::Edit;
use tosca_parse::entity::{AnyId, Section, Shape};
use tosca_parse::phase::Unit;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::position_context::{self, field_of_key};
use tosca_parse::source::Address;

use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Range, Uri};

/// The maximum number of names that are tried for the file.
const MAX_NAMES: usize = 100;

/// A named entity of the root to move.
struct Member<'d> {
    /// The entry of the root that contains it.
    section: Entry<'d>,
    /// The start and the end of its lines, with the comments above.
    lines: (u32, u32),
}

/// Returns the action that moves the type whose name is at the start of a range, and the types of the file that it
/// needs, to a new file that is imported. `is_free` checks whether a file can be created; `document` is the document
/// with its version.
pub(super) fn action(
    parsed: &Parsed,
    unit: &Unit,
    range: Range,
    is_free: &dyn Fn(&Path) -> bool,
    document: (&Uri, Option<i32>),
) -> Option<Value> {
    let program = &parsed.outcome.program;
    let offset = place::offset(&unit.source, range.start);
    let is_here = |id: &AnyId| {
        let span = program.name_span(*id);
        span.is_some_and(|span| span.source == unit.id && span.start <= offset && offset <= span.end)
    };
    let first = unit.types().find(is_here)?;
    let root = unit.document.root().filter(|_| unit.document.is_complete())?;
    // Lines that end with a carriage return alone are too rare to be moved.
    let is_divided = !unit.source.text().replace("\r\n", "\n").contains('\r');
    let layout = Layout::around(root).filter(|_| root.style() != Style::Flow && is_divided)?;
    let needed = closure(parsed, unit, first)?;
    let bound = Bound::of(parsed, unit);
    let members = members(unit, root, &needed, &bound)?;
    let folder = parsed.address(unit.id)?.to_path()?.parent()?.to_owned();
    let (path, name) = file_name(&folder, program.name(first), is_free)?;
    let text = new_text(unit, root, &name, &members, &bound)?;
    let item = write_scalar(&name, unit.language.yaml);
    let import = position_context::import(&unit.document, unit.description()?, unit.version, &item)?;
    let mut edits = removals(layout, unit, &members);
    edits.push(import);
    let uri = place::uri(&Address::from_path(&path, &folder))?;
    let edit = |edit: &Edit| {
        let range = place::range(&unit.source, edit.span.start, edit.span.end);
        json!({ "range": range, "newText": edit.text })
    };
    let line_break = layout.line_break(0);
    let text = if line_break == "\n" { text } else { text.lines().collect::<Vec<_>>().join(line_break) + line_break };
    let start = json!({ "range": Range::default(), "newText": text });
    let others = match needed.len() - 1 {
        0 => String::new(),
        1 => " with 1 other type".to_owned(),
        count => format!(" with {count} other types"),
    };
    Some(json!({
        "title": format!("Move `{}`{others} to `{name}`", program.name(first)),
        "kind": "refactor.extract",
        "edit": { "documentChanges": [
            { "kind": "create", "uri": uri, "options": { "overwrite": false, "ignoreIfExists": false } },
            { "textDocument": { "uri": uri, "version": null }, "edits": [start] },
            {
                "textDocument": { "uri": document.0, "version": document.1 },
                "edits": edits.iter().map(edit).collect::<Vec<_>>(),
            },
        ] },
    }))
}

/// Returns a type and the types of the same file that it needs, also indirectly. `None` if it needs anything else of
/// the file.
fn closure(parsed: &Parsed, unit: &Unit, first: AnyId) -> Option<Vec<AnyId>> {
    let program = &parsed.outcome.program;
    let member = |id: AnyId| {
        let chain = std::iter::once(id).chain(program.owners(id));
        chain.take_while(|id| Some(*id) != unit.root).last()
    };
    let mut needs: FxHashMap<AnyId, Vec<AnyId>> = FxHashMap::default();
    for (reference, .., owner) in unit.references() {
        let target = program.target(reference).filter(|target| target.unit == unit.id);
        if let Some((owner, target)) = member(owner).zip(target.and_then(member)) {
            needs.entry(owner).or_default().push(target);
        }
    }
    let mut known = FxHashSet::from_iter([first]);
    let mut all = vec![first];
    let mut next = 0;
    while let Some(id) = all.get(next).copied() {
        program.lineage(id)?;
        all.extend(needs.get(&id).into_iter().flatten().filter(|id| known.insert(**id)));
        next += 1;
    }
    Some(all)
}

/// The nodes of a file that have a different meaning, or none, in other files.
struct Bound {
    /// The start of each alias, in order.
    aliases: Vec<u32>,
    /// The start of each call to a function that the file declares, in order.
    calls: Vec<u32>,
}

impl Bound {
    fn of(parsed: &Parsed, unit: &Unit) -> Self {
        let program = &parsed.outcome.program;
        let prefix = (unit.language.functions)(unit.version).map_or("", |functions| functions.prefix);
        let is_declared_here = |name: &str| {
            let symbol = program.interner.get(name).filter(|_| !prefix.is_empty());
            let sections = (0..unit.language.sections.len() as u8).map(Section);
            let targets = sections.filter_map(|section| program.resolve(unit.id, section, symbol?).id());
            targets.into_iter().any(|id| id.unit == unit.id && program.lineage(id).is_none())
        };
        let mut bound = Self { aliases: Vec::new(), calls: Vec::new() };
        for node in unit.document.nodes() {
            let start = node.span().start;
            if node.is_alias() {
                bound.aliases.push(start);
            } else if node.kind() == Kind::String && node.text().strip_prefix(prefix).is_some_and(is_declared_here) {
                bound.calls.push(start);
            }
        }
        bound.aliases.sort_unstable();
        bound.calls.sort_unstable();
        bound
    }
}

/// Returns whether a sorted list contains an offset in a range.
fn contains(sorted: &[u32], range: std::ops::Range<u32>) -> bool {
    sorted.get(sorted.partition_point(|offset| *offset < range.start)).is_some_and(|offset| *offset < range.end)
}

/// Returns the members of the root that are the given entities, in the order of the text. `None` if one of them has no
/// lines of its own, has anchors, or depends on the file.
fn members<'d>(unit: &'d Unit, root: Node<'d>, ids: &[AnyId], bound: &Bound) -> Option<Vec<Member<'d>>> {
    let description = unit.description()?;
    let layout = Layout::around(root)?;
    let mut keys = FxHashSet::default();
    for id in ids {
        keys.insert(unit.arenas.header(id.local())?.key);
    }
    let mut members = Vec::with_capacity(ids.len());
    for section in root.entries().filter(|section| !section.merged) {
        let is_block = section.value.style() == Style::Block && !section.value.is_alias();
        let is_named = || {
            let field = field_of_key(description, unit.version, section.key.text());
            field.is_some_and(|(field, _)| matches!(field.shape, Shape::Named(_)))
        };
        if !is_block || !layout.before(section.key.span().start).trim().is_empty() || !is_named() {
            continue;
        }
        let mut above = section.key.span().end;
        for entry in section.value.entries().filter(|entry| !entry.merged) {
            if keys.contains(&entry.key.id()) {
                members.push(Member { section, lines: lines(unit, layout, (above, entry), bound)? });
            }
            above = entry.value.span().end.max(entry.key.span().end);
        }
    }
    members.sort_by_key(|member| member.lines.0);
    (members.len() == ids.len()).then_some(members)
}

/// Returns the start and the end of the lines of a member, with the comments between it and the end of the node above.
/// `None` if they contain anything else or can't be moved.
fn lines(unit: &Unit, layout: Layout<'_>, (above, entry): (u32, Entry<'_>), bound: &Bound) -> Option<(u32, u32)> {
    let key = entry.key.span();
    let text = unit.source.text();
    let end = entry.value.span().end.max(key.end);
    let end = text.get(..end as usize)?.trim_end().len();
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let mut start = key.start as usize - layout.before(key.start).len();
    while let Some(line) = text[..start].strip_suffix('\n').map(|before| before.rsplit('\n').next().unwrap_or(before)) {
        let before = start - line.len() - 1;
        if before < above as usize || !line.trim_start().starts_with('#') {
            break;
        }
        start = before;
    }
    let lines = (start as u32, end as u32);
    let has_anchor = text.get(start..end)?.split_whitespace().any(|word| word.starts_with(['&', '*']));
    let is_bound = [&bound.aliases, &bound.calls].into_iter().any(|list| contains(list, lines.0..lines.1));
    let is_free = layout.before(key.start).trim().is_empty() && !has_anchor && !is_bound;
    is_free.then_some(lines)
}

/// Returns the path of a new file for a type, and its name.
fn file_name(folder: &Path, of_type: &str, is_free: &dyn Fn(&Path) -> bool) -> Option<(PathBuf, String)> {
    let last = of_type.rsplit(['.', ':']).next()?;
    let stem: String = last.chars().filter(|letter| letter.is_alphanumeric() || "_-".contains(*letter)).collect();
    let stem = if stem.is_empty() { "types".to_owned() } else { stem.to_lowercase() };
    let names = (1..MAX_NAMES).map(|number| match number {
        1 => format!("{stem}.yaml"),
        _ => format!("{stem}_{number}.yaml"),
    });
    let mut files = names.map(|name| (folder.join(&name), name));
    files.find(|(path, _)| is_free(path))
}

/// Returns the text of the new file: the scalars that such a file must have, among them those by which the language
/// recognizes it, the imports, and the types. `None` if they can't be copied.
fn new_text(unit: &Unit, root: Node<'_>, name: &str, members: &[Member<'_>], bound: &Bound) -> Option<String> {
    let text = unit.source.text();
    let description = unit.description()?;
    let imports = position_context::imports(description);
    let mut new = String::new();
    for entry in root.entries().filter(|entry| !entry.merged) {
        let Some((field, _)) = field_of_key(description, unit.version, entry.key.text()) else { continue };
        let (start, end) = (entry.key.span().start as usize, entry.value.span().end as usize);
        let written = text.get(start..end)?.trim_end();
        let is_scalar = !matches!(entry.value.kind(), Kind::Map | Kind::List | Kind::Null);
        let is_import = imports.is_some_and(|imports| std::ptr::eq(imports, field)) && entry.value.kind() != Kind::Null;
        let is_head = || field.is_mandatory(unit.version) || (unit.language.claims)(name, written);
        if is_import || is_scalar && is_head() {
            let is_simple = text.get(entry.key.span().end as usize..)?.trim_start_matches(' ').starts_with(':');
            if !is_simple || contains(&bound.aliases, start as u32..end as u32) {
                return None;
            }
            new.push_str(written);
            new.push('\n');
        }
    }
    let mut sections: BTreeMap<u32, (&str, Vec<&Member<'_>>)> = BTreeMap::new();
    for member in members {
        let key = member.section.key;
        sections.entry(key.span().start).or_insert_with(|| (key.text(), Vec::new())).1.push(member);
    }
    for (keyname, members) in sections.into_values() {
        new.extend(["\n", keyname, ":\n"]);
        for member in members {
            new.push_str(text.get(member.lines.0 as usize..member.lines.1 as usize)?.trim_end());
            new.push('\n');
        }
    }
    Some(new)
}

/// Returns the edits that remove members, and sections that become empty.
fn removals(layout: Layout<'_>, unit: &Unit, members: &[Member<'_>]) -> Vec<Edit> {
    let mut moved: FxHashMap<u32, usize> = FxHashMap::default();
    for member in members {
        *moved.entry(member.section.key.span().start).or_default() += 1;
    }
    let text = unit.source.text();
    let mut edits = Vec::with_capacity(members.len());
    let mut emptied = FxHashSet::default();
    for member in members {
        let key = member.section.key.span();
        let is_whole = moved.get(&key.start) == Some(&member.section.value.len());
        if !is_whole {
            edits.push(layout.replace(member.lines.0, member.lines.1, ""));
        } else if emptied.insert(key.start) {
            let end = text.get(..member.section.value.span().end as usize).map_or(0, |before| before.trim_end().len());
            let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
            let start = key.start - layout.before(key.start).len() as u32;
            edits.push(layout.replace(start, end as u32, ""));
        }
    }
    edits
}
