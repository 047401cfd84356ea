//! Type hierarchies.

use serde_json::{Value, json};
use tosca_parse::entity::{AnyId, Kind, Role};
use tosca_parse::phase::hierarchy::Lineage;
use tosca_parse::source::Address;

use crate::handlers::{FileHandler, Reply, location_of, of, targets, uri};
use crate::parsed::Parsed;
use crate::protocol::{
    SymbolKind, TypeHierarchyItem, TypeHierarchyPrepareParams, TypeHierarchySubtypesParams,
    TypeHierarchySupertypesParams, Uri,
};
use crate::references::{self, EntityItem, Found, Goal, Search};
use crate::server::Server;

pub(crate) fn prepare(params: &TypeHierarchyPrepareParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some((parsed, entry)) = server.parsed(file).zip(uri(server, &file.to_string())) else { return Value::Null };
        let types = targets(parsed, at);
        let first = types.iter().find(|id| parsed.outcome.program.lineage(**id).is_some());
        json!(first.and_then(|id| type_item(server, parsed, &entry, *id)).map(|item| vec![item]))
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

pub(crate) fn supertypes(params: &TypeHierarchySupertypesParams) -> FileHandler {
    let Some((entry, of_type)) = item_of(&params.item) else { return nothing() };
    let of_entry = entry.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some(parsed) = server.parsed(file) else { return Value::Null };
        let parents = of_type.find(parsed).and_then(|id| parsed.outcome.program.lineage(id)).map(Lineage::parents);
        let item = |id: &AnyId| type_item(server, parsed, &of_entry, *id);
        json!(parents.unwrap_or_default().iter().filter_map(item).collect::<Vec<_>>())
    };
    (entry, of(answer))
}

pub(crate) fn subtypes(params: &TypeHierarchySubtypesParams) -> FileHandler {
    let Some((entry, of_type)) = item_of(&params.item) else { return nothing() };
    let finish = |server: &Server<'_>, found: Vec<Found>| {
        let items = found.iter().filter_map(|found| Some((uri(server, &found.file)?, &found.referrers)));
        let items = items.flat_map(|(uri, items)| items.iter().map(move |item| hierarchy_item(item, &uri, &uri)));
        Reply::Answer(json!(items.collect::<Vec<_>>()))
    };
    let answer = move |server: &Server<'_>, file: &Address| {
        let parsed = server.parsed(file);
        let subject = parsed.and_then(|parsed| references::subject_of(parsed, of_type.find(parsed)?));
        match subject {
            Some(subject) => {
                Reply::Search(Search { subject, goal: Goal::Referrers(&[Role::Parent]) }, Box::new(finish))
            }
            None => Reply::Answer(Value::Null),
        }
    };
    (entry, Box::new(answer))
}

/// Returns a handler whose answer is empty.
fn nothing() -> FileHandler {
    (Uri(String::new()), of(|_, _| Value::Null))
}

/// Returns the item for a type in the program of an entry.
fn type_item(server: &Server<'_>, parsed: &Parsed, entry: &Uri, id: AnyId) -> Option<Value> {
    let unit = parsed.outcome.program.unit(id.unit)?;
    let item = references::item(parsed, unit, id)?;
    Some(hierarchy_item(&item, entry, &location_of(server, parsed, id)?.uri))
}

fn hierarchy_item(item: &EntityItem, entry: &Uri, uri: &Uri) -> Value {
    let (source, _, kind) = &item.identity;
    json!({
        "name": item.name,
        "kind": SymbolKind::Class,
        "detail": item.title,
        "uri": uri,
        "range": item.range,
        "selectionRange": item.selection,
        "data": { "entry": entry, "source": source, "kind": kind.0 },
    })
}

/// The type that an item in a type hierarchy stands for. It is identified by name, because the text may have changed
/// since the item was created.
struct ItemType {
    source: String,
    kind: Kind,
    name: String,
}

impl ItemType {
    fn find(&self, parsed: &Parsed) -> Option<AnyId> {
        references::type_named(parsed, &self.source, self.kind, &self.name)
    }
}

/// Returns the entry and the type for an item in a type hierarchy.
fn item_of(item: &TypeHierarchyItem) -> Option<(Uri, ItemType)> {
    let data = item.data.as_ref()?;
    let text = |key: &str| data.get(key).and_then(Value::as_str).map(str::to_owned);
    let kind = Kind(u8::try_from(data.get("kind")?.as_u64()?).ok()?);
    Some((Uri(text("entry")?), ItemType { source: text("source")?, kind, name: item.name.clone() }))
}
