//! Completion at the cursor.
//!
//! The text is unfinished, so the line of the cursor is repaired and the text is read as raw data, guided by the
//! descriptions. The members of types and the known names come from the latest program. No phase runs, so a completion
//! takes less time than a keystroke.

mod files;
mod item;
pub(crate) mod names;
mod repair;
pub(crate) mod snippet;
pub(crate) mod unimported;

use foldhash::HashSet;
use serde_json::{Value, json};
use tosca_parse::ard::{self, Document, Kind, Node, Style};
use tosca_parse::diagnostic::{Secrets, SourceId};
use tosca_parse::entity::{
    AnyKind, CallArgument, EntityDescription, FieldDescription, Form, Language, LanguageVersion, Parameter,
    ProposalKind, Recognition, Related, Role, Shape,
};
use tosca_parse::position_context::{EnclosingValue, PositionContext, PositionPart};
use tosca_parse::reference_docs;
use tosca_parse::symbol::Interner;

use crate::enclosing::{self, EnclosingEntities};
use crate::index::Declared;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Client, CompletionItem, CompletionItemKind, CompletionList, Documentation, Position};
use crate::rename;
use crate::syntax::Syntax;
use item::Items;
use repair::Reading;
use snippet::{Slot, SlotValue};
use tosca_parse::source::{Address, Source};
use unimported::Importer;

/// The maximum number of proposed templates.
const MAX_TEMPLATES: usize = 50;

/// The maximum number of types to choose from.
const MAX_TYPES: usize = 50;

/// Returns the completion items for the given position in a text.
pub(crate) fn complete(
    parsed: &Parsed,
    others: &[&Declared],
    file: &Address,
    source: &Source,
    at: Position,
    client: Client,
) -> CompletionList {
    let offset = place::offset(source, at) as usize;
    let Some((typed, readings)) = repair::repair(source.text(), offset) else { return Items::none() };
    // A document in a syntax other than YAML computes its values, so its text says little about them, and nothing is
    // proposed.
    let Some(unit) = parsed.unit().filter(|_| parsed.parser.is_yaml(file, source.text())) else { return Items::none() };
    if is_in_lines_with_quotes(source, offset, unit.language) {
        return Items::none();
    }
    let mut items =
        Items::new(source, typed, client.snippets, Syntax::of(Some(file), source.text(), unit.language.yaml));
    for reading in readings {
        let completion = Completion { parsed, others, file, source, language: unit.language, unit: unit.id };
        completion.read(&reading, &mut items);
    }
    let mut list = items.list();
    let secrets = parsed.outcome.program.secrets();
    if !secrets.is_empty() {
        // A name that contains a secret can't be proposed without showing it.
        list.items.retain(|item| secrets.masked(&item.label) == item.label);
        list.items.iter_mut().for_each(|item| mask(item, &secrets));
    }
    list
}

/// Masks secrets in the description of a completion item.
fn mask(item: &mut CompletionItem, secrets: &Secrets<'_>) {
    let note = match &mut item.documentation {
        Some(Documentation::String(note)) => Some(note),
        Some(Documentation::MarkupContent(note)) => Some(&mut note.value),
        None => None,
    };
    for text in note.into_iter().chain(&mut item.detail) {
        *text = secrets.masked(text);
    }
}

/// Returns whether an offset is in a scalar of several lines with quotes. If there is a syntax error in an earlier line,
/// that is unknown, and in the same line, the scalar may not be closed yet.
fn is_in_lines_with_quotes(source: &Source, offset: usize, language: &Language) -> bool {
    let text = source.text();
    let start = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let end = text[offset..].find(['\n', '\r']).map_or(text.len(), |at| offset + at);
    // Few scalars have several lines.
    if !text[start..end].contains(['"', '\'']) {
        return false;
    }
    let options = ard::Options { dialect: language.yaml, stops_at_error: true, ..ard::Options::default() };
    let (document, problems) = ard::read(SourceId(0), text.clone(), &Interner::new(), &options);
    let is_around = |node: Node<'_>| {
        let span = node.span();
        let (first, last) = (span.start as usize, span.end as usize);
        let is_here = first < offset && offset < last;
        is_here && (first < start || end < last && problems.is_empty())
    };
    let mut quoted = document.nodes().filter(|node| matches!(node.style(), Style::SingleQuoted | Style::DoubleQuoted));
    quoted.any(is_around)
}

/// The documentation of the latest completions, which the editor requests for single items.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The number of the list.
    number: u64,
    list: Vec<Option<Documentation>>,
}

impl Notes {
    /// Takes the documentation out of the items of a list.
    pub(crate) fn keep(&mut self, list: &mut CompletionList) {
        self.number += 1;
        let number = self.number;
        let notes = list.items.iter_mut().enumerate().map(|(index, item)| {
            item.data = item.documentation.is_some().then(|| json!([number, index]));
            item.documentation.take()
        });
        self.list = notes.collect();
    }

    /// Adds the documentation to an item, if it is one of the latest.
    pub(crate) fn resolved(&self, mut item: Value) -> Value {
        let part = |index: usize| item.get("data")?.get(index)?.as_u64();
        let index = part(1).filter(|_| part(0) == Some(self.number)).and_then(|index| usize::try_from(index).ok());
        if let Some(note) = index.and_then(|index| self.list.get(index)?.as_ref()) {
            item["documentation"] = json!(note);
        }
        item
    }
}

struct Completion<'a> {
    parsed: &'a Parsed,
    /// The names that other files declare.
    others: &'a [&'a Declared],
    file: &'a Address,
    source: &'a Source,
    language: &'static Language,
    unit: SourceId,
}

/// Returns the call around the given position in a text and the index of the argument there.
pub(crate) fn argument(parsed: &Parsed, file: &Address, source: &Source, at: Position) -> Option<CallArgument> {
    let offset = place::offset(source, at) as usize;
    let (_, readings) = repair::repair(source.text(), offset)?;
    let unit = parsed.unit().filter(|_| parsed.parser.is_yaml(file, source.text()))?;
    readings.iter().rev().find_map(|reading| {
        let read = ReadText::new(parsed, unit.language, &reading.text);
        let position = PositionContext::at(&read.document, read.root, read.version, reading.offset)?;
        let PositionPart::Value { field, path, .. } = &position.part else { return None };
        (unit.language.functions)(read.version)?.argument_at(path, field.argument, read.version)
    })
}

/// A text that is read without a program.
struct ReadText {
    document: Document,
    root: &'static EntityDescription,
    version: LanguageVersion,
}

impl ReadText {
    fn new(parsed: &Parsed, language: &'static Language, text: &str) -> Self {
        let options = ard::Options { dialect: language.yaml, ..ard::Options::default() };
        let (document, _) = ard::read(SourceId(0), text.into(), &Interner::new(), &options);
        let program = &parsed.outcome.program;
        let (importer, option) = (None, None);
        let recognition = Recognition { quirks: program.quirks, importer, option, words: &program.words };
        let detected = (language.detect)(&document, recognition);
        let root = language.kinds[usize::from(detected.root.0)].description();
        Self { document, root, version: detected.version }
    }
}

impl Completion<'_> {
    fn read(&self, reading: &Reading, items: &mut Items) {
        let ReadText { document, root, version } = &ReadText::new(self.parsed, self.language, &reading.text);
        let (root, version) = (*root, *version);
        let Some(position) = PositionContext::at(document, root, version, reading.offset) else { return };
        // A word within a scalar is not a value of its own.
        let is_within = |node: Node<'_>| {
            let (span, is_scalar) = (node.span(), !matches!(node.kind(), Kind::Map | Kind::List | Kind::Null));
            is_scalar && span.start + 1 < reading.offset && reading.offset <= span.end
        };
        if position.node().is_some_and(is_within) {
            return;
        }
        let enclosing = EnclosingEntities::new(&self.parsed.outcome.program, self.unit, version, &position.entities);
        let (file, parsed, source, text) = (self.file, self.parsed, self.source, &*reading.text);
        let importer = Importer { file, parsed, document, text, source, root, version };
        let place = Cursor { position: &position, enclosing: &enclosing, version, importer };
        match &position.part {
            PositionPart::Keyname { .. } if reading.is_key => self.keynames(&place, items),
            PositionPart::Keyname { .. } => self.short_form(&place, items),
            PositionPart::Name { field, .. } if reading.is_key => self.names(&place, field, items),
            PositionPart::Name { .. } => {}
            // A map with one entry is rarely meant where a value is expected.
            PositionPart::Value { .. } if reading.is_key && items.is_item() => {}
            PositionPart::Value { field, path, key, .. } if key.is_some() == reading.is_key => {
                self.value(&place, field, path, items);
            }
            PositionPart::Value { .. } => {}
        }
    }

    fn keynames(&self, place: &Cursor<'_>, items: &mut Items) {
        let (enclosing, version) = (place.position.innermost(), place.version);
        let own = place.position.node().map(Node::id);
        let given: HashSet<&str> = enclosing
            .node
            .entries()
            .map(|entry| entry.key)
            .filter(|key| Some(key.id()) != own)
            .map(Node::text)
            .collect();
        let is_given = |field: &FieldDescription| field.keynames.iter().any(|keyname| given.contains(keyname.name));
        for (index, field) in enclosing.entity.fields.iter().enumerate() {
            let related = enclosing.entity.relation_of(index, version, is_given);
            if related == Some(Related::Excluded) {
                continue;
            }
            let there = || field.keynames.iter().filter(|keyname| keyname.versions.contains(version));
            if there().any(|keyname| given.contains(keyname.name)) {
                continue;
            }
            for keyname in there() {
                if keyname.name == tosca_parse::entity::Keyname::ANY {
                    self.names(place, field, items);
                    continue;
                }
                let is_wanted = field.is_mandatory(version) || related == Some(Related::Needed);
                let note = || reference_docs::keyname_hover(self.language, version, enclosing.entity, field);
                self.required(place, (keyname.name, field), items);
                let kind = CompletionItemKind::Property;
                items.key(keyname.name, after(field), kind, u8::from(!is_wanted), String::new(), note);
            }
        }
    }

    /// Proposes a keyname with all required members.
    fn required(&self, place: &Cursor<'_>, (keyname, field): (&str, &FieldDescription), items: &mut Items) {
        let program = &self.parsed.outcome.program;
        let missing = place.enclosing.missing(program, field, None);
        if let Some(definition) = place.enclosing.definition().filter(|_| !missing.is_empty()) {
            let members = snippet::members(program, definition, field, &missing);
            let detail = format!("required: {}", missing.join(", "));
            items.block(&Slot::of_field(keyname, field, members), 1, detail);
        }
    }

    /// Proposes new entries of a map of templates: one for each type, with its required members, and one with the typed
    /// name and a choice of types.
    fn templates(
        &self,
        place: &Cursor<'_>,
        field: &'static FieldDescription,
        given: &HashSet<&str>,
        items: &mut Items,
    ) {
        let program = &self.parsed.outcome.program;
        let of_type = |field: &&FieldDescription| field.role == Role::Definition && field.exists_in(place.version);
        let found = field.entity(place.version).and_then(|entity| Some((entity, entity.fields.iter().find(of_type)?)));
        let Some((entity, of_type)) = found.filter(|_| items.takes_snippets()) else { return };
        let sections = of_type.lookup.map_or(&[][..], |lookup| lookup.sections);
        let word = items.word_typed().to_owned();
        let found = names::best_of(program, self.unit, sections, &word);
        if found.len() > MAX_TEMPLATES {
            items.cut();
        }
        for (name, id) in found.into_iter().take(MAX_TEMPLATES) {
            let (slots, required) = snippet::template(program, entity, place.version, (id, &name));
            let detail = match &required[..] {
                [] => format!("new {}", entity.title),
                names => format!("new {}, required: {}", entity.title, names.join(", ")),
            };
            items.entry(&format!("{name} …"), Some(&new_name(&name, given)), &slots, detail);
        }
        let types = names::best_of(program, self.unit, sections, "").into_iter().map(|(name, _)| name);
        let types: Vec<String> = types.take(MAX_TYPES).collect();
        if !word.is_empty() && !types.is_empty() {
            let key = of_type.keyname(place.version).to_owned();
            let slot = Slot { key, value: SlotValue::Choice(types) };
            items.entry(&format!("{word} …"), None, &[slot], format!("new {}", entity.title));
            // The name is still being typed.
            items.cut();
        }
    }

    /// Proposes values that can be written in place of an entity.
    fn short_form(&self, place: &Cursor<'_>, items: &mut Items) {
        let entity = place.position.innermost().entity;
        let field = entity.find(|field| field.short.scalar && field.exists_in(place.version));
        if let Some((_, field)) = field {
            self.value(place, field, &[], items);
        }
    }

    /// Proposes the names that the entity's definition declares.
    fn names(&self, place: &Cursor<'_>, field: &'static FieldDescription, items: &mut Items) {
        let program = &self.parsed.outcome.program;
        let map = match &place.position.part {
            PositionPart::Name { map, .. } => *map,
            PositionPart::Value { path, .. } => match path.last() {
                Some(step) => step.node,
                None => return,
            },
            PositionPart::Keyname { .. } => place.position.innermost().node,
        };
        let own = place.position.node().map(Node::id);
        let others = map.entries().map(|entry| entry.key).filter(|key| Some(key.id()) != own);
        let given: HashSet<&str> = others.map(Node::text).collect();
        let is_value = matches!(field.shape, Shape::Values);
        for (name, id) in place.enclosing.members(program, field) {
            // A requirement may be assigned several times.
            if given.contains(name) && !field.sequenced {
                continue;
            }
            let after = match field.shape {
                Shape::Named(entity) | Shape::Sequence(entity) => after_entity(entity()),
                _ => After::Space,
            };
            let member = enclosing::note(program, id);
            let rank = u8::from(!member.is_required());
            items.key(name, after, CompletionItemKind::Field, rank, member.to_string(), || names::note(program, id));
            if is_value && let SlotValue::Map(slots) = snippet::value(program, id) {
                let names: Vec<&str> = slots.iter().map(|slot| &*slot.key).collect();
                let detail = format!("{member}; its required fields: {}", names.join(", "));
                items.block(&Slot { key: name.to_owned(), value: SlotValue::Map(slots) }, rank, detail);
            }
        }
        if let PositionPart::Name { .. } = &place.position.part {
            let response = place.enclosing.complete_value(program, (self.unit, place.version), place.position);
            for proposal in response.proposals.into_iter().filter(|proposal| !given.contains(&*proposal.label)) {
                let note = || proposal.docs;
                items.key(&proposal.label, After::Space, CompletionItemKind::Field, 1, proposal.detail, note);
            }
            self.templates(place, field, &given, items);
        }
    }

    fn value(
        &self,
        place: &Cursor<'_>,
        field: &'static FieldDescription,
        path: &[EnclosingValue<'_>],
        items: &mut Items,
    ) {
        let program = &self.parsed.outcome.program;
        let is_map_of_names = matches!(field.shape, Shape::Values) && path.len() == 1;
        let is_key = matches!(place.position.part, PositionPart::Value { key: Some(_), .. });
        if is_map_of_names && is_key {
            self.names(place, field, items);
        }
        let response = place.enclosing.complete_value(program, (self.unit, place.version), place.position);
        let (is_completed, is_exclusive) = (!response.proposals.is_empty(), response.is_exclusive);
        for proposal in response.proposals {
            let kind = match proposal.kind {
                ProposalKind::Value => CompletionItemKind::Value,
                ProposalKind::Function => CompletionItemKind::Function,
                ProposalKind::Name => CompletionItemKind::Reference,
            };
            items.proposal(proposal, kind);
        }
        if names_file(field, place.version) && !is_exclusive {
            let entity = place.position.innermost().entity;
            let is_kind = |kind: &&&dyn AnyKind| std::ptr::eq(kind.description(), entity);
            let is_import = self.language.kinds.iter().find(is_kind).is_some_and(|kind| kind.is_import());
            files::propose(self.file, is_import, items);
        } else if response.files {
            files::propose(self.file, true, items);
        }
        if response.profiles {
            for (name, _) in self.parsed.parser.profiles().0 {
                items.word(&name, CompletionItemKind::Module, 0, String::new);
            }
        }
        match field.shape {
            Shape::Reference | Shape::References => {
                let sections = field.lookup.map_or(&[][..], |lookup| lookup.sections);
                names::propose(program, self.unit, sections, response.fits.as_deref(), items);
                unimported::propose(&place.importer, self.others.iter().copied(), field, items);
            }
            Shape::Scalar(_, form) => {
                for word in reference_docs::enum_values(field, place.version) {
                    items.word(word.name, CompletionItemKind::EnumMember, 0, || word.docs.to_owned());
                }
                for word in fixed(form) {
                    items.word(word, CompletionItemKind::Keyword, 0, String::new);
                }
            }
            // The map of values is not a value itself.
            Shape::Values if path.len() < 2 => {}
            _ if is_exclusive => {}
            _ if field.value.is_some_and(|versions| versions.contains(place.version)) => {
                self.calls(place, (path, is_key, field.argument), is_completed, items);
            }
            _ => {}
        }
    }

    /// Proposes functions and names in their arguments.
    fn calls(
        &self,
        place: &Cursor<'_>,
        (path, is_key, whole): (&[EnclosingValue<'_>], bool, Option<Parameter>),
        is_completed: bool,
        items: &mut Items,
    ) {
        let Some(functions) = (self.language.functions)(place.version) else { return };
        let (parameter, functions) = functions.parameter_at(path, whole, place.version);
        let lookup = match parameter {
            Some(Parameter::Name(lookup)) => Some(lookup),
            Some(Parameter::Other { name, .. }) => name,
            Some(Parameter::File) => {
                files::propose(self.file, false, items);
                None
            }
            Some(Parameter::Value) | None => None,
        };
        if let Some(lookup) = lookup {
            names::propose(&self.parsed.outcome.program, self.unit, lookup.sections, None, items);
            // The language proposes words that depend on the place.
            for known in lookup.known.iter().filter(|_| !lookup.optional) {
                items.word(known, CompletionItemKind::Constant, 0, String::new);
            }
        }
        match parameter {
            Some(Parameter::Name(_) | Parameter::File) => {}
            // The language has already proposed more specific arguments.
            Some(Parameter::Value) if is_completed => {}
            Some(Parameter::Value | Parameter::Other { .. }) | None => {
                for function in functions.list {
                    items.proposal(functions.proposal(function, !is_key), CompletionItemKind::Function);
                }
            }
        }
    }
}

/// A position in the current text.
struct Cursor<'a> {
    position: &'a PositionContext<'a>,
    enclosing: &'a EnclosingEntities,
    version: LanguageVersion,
    importer: Importer<'a>,
}

/// Returns whether a scalar in a field is the address of a file, perhaps as the short form of an entity.
fn names_file(field: &FieldDescription, version: LanguageVersion) -> bool {
    let short = |field: &&FieldDescription| field.short.scalar && field.exists_in(version);
    let inner = |field: &&FieldDescription| match field.shape {
        Shape::One(entity) => entity().fields.iter().find(short),
        _ => None,
    };
    std::iter::successors(Some(field), inner).any(|field| field.file)
}

/// Returns the words that a form allows, except for enum values, which have documentation.
fn fixed(form: Form) -> Vec<&'static str> {
    match form {
        Form::Boolean => vec!["true", "false"],
        Form::Constant(word) => vec![word],
        Form::Either(forms) => forms.iter().flat_map(|form| fixed(*form)).collect(),
        _ => Vec::new(),
    }
}

/// Returns a name for a new entity with the given type: the last part of the type's name, with a number if the name is
/// taken.
fn new_name(type_name: &str, given: &HashSet<&str>) -> String {
    let last = type_name.rsplit(['.', ':']).next().filter(|last| rename::is_plain(last));
    let name = last.unwrap_or(type_name).to_lowercase();
    let free = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}{number}")));
    free.into_iter().find(|name| !given.contains(&**name)).unwrap_or(name)
}

/// The text after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// A value on the same line.
    Space,
    /// A map on the next line.
    Line,
    /// A list on the next line.
    Dash,
}

fn after(field: &FieldDescription) -> After {
    match field.shape {
        Shape::One(entity) => after_entity(entity()),
        Shape::Values => After::Line,
        Shape::List(_) => After::Dash,
        Shape::Named(_) | Shape::Sequence(_) if field.sequenced => After::Dash,
        Shape::Named(_) | Shape::Sequence(_) => After::Line,
        Shape::Scalar(..) | Shape::Value | Shape::Reference | Shape::References => After::Space,
    }
}

fn after_entity(entity: &tosca_parse::entity::EntityDescription) -> After {
    if entity.fields.iter().any(|field| field.short.scalar) { After::Space } else { After::Line }
}
