//! Completion items and their text edits.

use std::borrow::Cow;

use foldhash::HashSet;
use tosca_parse::entity::{CompletionProposal, ProposalKind};
use tosca_parse::source::Source;

use super::After;
use super::repair::Typed;
use super::snippet::{self, OpenValues, Slot};
use crate::place;
use crate::protocol::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, Documentation, InsertTextFormat,
    InsertTextMode, MarkupContent, MarkupKind, Range, TextEdit,
};
use crate::syntax::Syntax;

/// The maximum number of items. More would not help: typing more of the word narrows them down.
const MAX: usize = 200;

/// The rank of proposals that come after all others.
const LAST: u8 = 50;

/// Returns whether a word is not a string.
fn is_literal(word: &str) -> bool {
    matches!(word, "true" | "false" | "null") || word.parse::<f64>().is_ok()
}

/// Escapes a string for a snippet.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// The items that match the typed word.
pub(super) struct Items {
    typed: Typed,
    range: Range,
    list: Vec<(u8, CompletionItem)>,
    known: HashSet<String>,
    is_cut: bool,
    /// Whether the editor supports snippets.
    has_snippets: bool,
    syntax: Syntax,
}

/// Returns how well a name matches the typed word, best first: the name starts with it, its last segment does, or it
/// contains it. Returns `None` if the name does not match.
pub(super) fn closeness(word: &str, name: &str) -> Option<u8> {
    let starts = |name: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if starts(name) {
        return Some(0);
    }
    if name.rsplit(['.', ':']).next().is_some_and(starts) {
        return Some(1);
    }
    let is_in = || name.to_ascii_lowercase().contains(&word.to_ascii_lowercase());
    is_in().then_some(2)
}

impl Items {
    pub(super) fn new(source: &Source, typed: Typed, has_snippets: bool, syntax: Syntax) -> Self {
        let range = place::range(source, typed.place.start as u32, typed.place.end as u32);
        Self { typed, range, list: Vec::new(), known: HashSet::default(), is_cut: false, has_snippets, syntax }
    }

    /// Returns an empty list.
    pub(super) fn none() -> CompletionList {
        CompletionList { is_incomplete: false, item_defaults: None, apply_kind: None, items: Vec::new() }
    }

    /// Returns the word that was typed.
    pub(super) fn word_typed(&self) -> &str {
        &self.typed.word
    }

    /// Returns whether the typed word is an item of a list between brackets.
    pub(super) fn is_item(&self) -> bool {
        self.typed.is_item
    }

    /// Returns whether the maximum number of items is reached.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= MAX
    }

    /// Marks the list as incomplete.
    pub(super) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Returns the text of a name: in the quotes that are already typed, or in quotes if necessary.
    fn written<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match self.typed.quote {
            None => self.syntax.string(name),
            Some('\'') if !self.is_json() && !name.contains(char::is_control) => {
                format!("'{}'", name.replace('\'', "''")).into()
            }
            Some(_) => serde_json::Value::from(name).to_string().into(),
        }
    }

    /// Adds a key, with the text that follows it.
    pub(super) fn key(
        &mut self,
        name: &str,
        after: After,
        kind: CompletionItemKind,
        rank: u8,
        detail: String,
        note: impl FnOnce() -> String,
    ) {
        let written = self.written(name);
        let text = match after {
            _ if self.typed.has_colon => written.into_owned(),
            // A list in JSON can't have keys.
            _ if self.typed.is_item && self.is_json() => format!("{{ {written}: \"\" }}"),
            _ if self.typed.in_flow => format!("{written}: "),
            After::Space => format!("{written}: "),
            After::Line => format!("{written}:\n{}", " ".repeat(self.typed.column + 2)),
            After::Dash => format!("{written}:\n{}- ", " ".repeat(self.typed.column + 2)),
        };
        self.add(name, &text, kind, rank, detail, note);
    }

    fn is_json(&self) -> bool {
        matches!(self.syntax, Syntax::Json)
    }

    /// Returns whether a snippet with a key and its value can be inserted.
    pub(super) fn takes_snippets(&self) -> bool {
        // The placeholders of values have no quotes.
        self.has_snippets && !self.typed.has_colon && self.typed.quote.is_none() && !self.is_json()
    }

    /// Adds a snippet: a key with a map (or a list with dashes) of slots.
    pub(super) fn block(&mut self, slot: &Slot, rank: u8, detail: String) {
        if self.takes_snippets() {
            let label = format!("{} …", slot.key);
            let written = |name: &str| escape(&self.written(name));
            let slot = std::slice::from_ref(slot);
            let text = if self.typed.in_flow {
                snippet::write_entries(slot, &mut OpenValues::Placeholders(1), &written)
            } else {
                snippet::write(slot, self.typed.column, "", &mut OpenValues::Placeholders(1), &written)
            };
            self.snippet(&label, text.trim_start(), rank, detail);
        }
    }

    /// Adds a snippet: a new entry whose name is a placeholder, or has been typed.
    pub(super) fn entry(&mut self, label: &str, name: Option<&str>, slots: &[Slot], detail: String) {
        let written = |name: &str| escape(&self.written(name));
        let (key, number) = match name {
            Some(name) => (format!("${{1:{}}}", written(name)), 2),
            None => (written(&self.typed.word), 1),
        };
        let mut open = OpenValues::Placeholders(number);
        let value = if self.typed.in_flow {
            format!(" {{ {} }}", snippet::write_entries(slots, &mut open, &written))
        } else {
            snippet::write(slots, self.typed.column + 2, "", &mut open, &written)
        };
        self.snippet(label, &format!("{key}:{value}"), LAST, detail);
    }

    fn snippet(&mut self, label: &str, text: &str, rank: u8, detail: String) {
        let before = self.list.len();
        self.add(label, text, CompletionItemKind::Snippet, rank, detail, String::new);
        if let Some((_, item)) = self.list.get_mut(before) {
            item.insert_text_format = Some(InsertTextFormat::Snippet);
        }
    }

    /// Adds a value.
    pub(super) fn word(&mut self, name: &str, kind: CompletionItemKind, rank: u8, note: impl FnOnce() -> String) {
        let is_quoted = self.typed.quote.is_some() || self.is_json() && !is_literal(name);
        let quoted = is_quoted.then(|| self.written(name).into_owned());
        self.add(name, quoted.as_deref().unwrap_or(name), kind, rank, String::new(), note);
    }

    /// Adds a name with a short detail.
    pub(super) fn name(
        &mut self,
        name: &str,
        kind: CompletionItemKind,
        rank: u8,
        detail: String,
        note: impl FnOnce() -> String,
    ) {
        self.add(name, &self.written(name), kind, rank, detail, note);
    }

    /// Adds a proposal from the language.
    pub(super) fn proposal(&mut self, proposal: CompletionProposal, kind: CompletionItemKind) {
        let CompletionProposal { label, text, detail, docs, kind: of, .. } = proposal;
        let text = match text {
            // The arguments are there already.
            _ if self.typed.has_colon => self.written(&label).into_owned(),
            Some(text) if of == ProposalKind::Function && self.is_json() => {
                text.replacen(&label, &self.written(&label), 1).replace(":  }", ": \"\" }")
            }
            Some(text) if self.typed.quote.is_none() || of == ProposalKind::Function => text,
            _ if of == ProposalKind::Function => label.clone(),
            _ if self.typed.quote.is_some() || of == ProposalKind::Name || self.is_json() && !is_literal(&label) => {
                self.written(&label).into_owned()
            }
            _ => label.clone(),
        };
        // Functions can be called nearly everywhere, so more specific proposals come first.
        let rank = if of == ProposalKind::Function { 2 } else { 1 };
        self.add(&label, &text, kind, rank, detail, || docs);
    }

    /// Adds a name that must be imported first.
    pub(super) fn imported(
        &mut self,
        name: &str,
        kind: CompletionItemKind,
        detail: String,
        edit: Option<TextEdit>,
        note: impl FnOnce() -> String,
    ) {
        let before = self.list.len();
        if edit.is_some() {
            self.add(name, &self.written(name), kind, 40, detail, note);
        }
        if let Some((_, item)) = self.list.get_mut(before) {
            item.additional_text_edits = edit.map(|edit| vec![edit]);
        }
    }

    fn add(
        &mut self,
        label: &str,
        text: &str,
        kind: CompletionItemKind,
        rank: u8,
        detail: String,
        note: impl FnOnce() -> String,
    ) {
        let Some(closeness) = closeness(&self.typed.word, label) else { return };
        if self.is_full() {
            self.is_cut = true;
            return;
        }
        if !self.known.insert(label.to_owned()) {
            return;
        }
        let space = if self.typed.needs_space { " " } else { "" };
        let quote = self.typed.quote.map(String::from).unwrap_or_default();
        let note = note();
        let docs = MarkupContent { kind: MarkupKind::Markdown, value: note };
        let item = CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: Some(detail).filter(|detail| !detail.is_empty()),
            documentation: (!docs.value.is_empty()).then_some(Documentation::MarkupContent(docs)),
            text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit {
                range: self.range,
                new_text: format!("{space}{text}"),
            })),
            // Further lines are indented already.
            insert_text_mode: text.contains('\n').then_some(InsertTextMode::AsIs),
            // Editors compare this with the text from the start of the range.
            filter_text: Some(format!("{space}{quote}{label}")).filter(|text| text != label),
            ..CompletionItem::default()
        };
        self.list.push((rank * 3 + closeness, item));
    }

    pub(super) fn list(self) -> CompletionList {
        let mut list = self.list;
        list.sort_by_key(|(rank, _)| *rank);
        let numbered = list.into_iter().enumerate().map(|(number, (_, mut item))| {
            item.sort_text = Some(format!("{number:03}"));
            item
        });
        CompletionList { is_incomplete: self.is_cut, item_defaults: None, apply_kind: None, items: numbered.collect() }
    }
}
