//! Request handlers that answer from the up-to-date program of a file.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{Value, json};
use tosca_parse::diagnostic::Span;
use tosca_parse::source::Address;
use tosca_parse::source::replace::Draft;

use crate::parsed::Parsed;
use crate::protocol::{
    CodeActionParams, DefinitionParams, DocumentLinkParams, DocumentSymbolParams, FoldingRangeParams, HoverParams,
    InlayHintParams, Location, PrepareRenameParams, ReferenceParams, RenameParams, SemanticTokensParams, TextEdit, Uri,
};
use crate::references;
use crate::server::Server;
use crate::thing::Thing;
use crate::{actions, diagnostics, hover as hovering, links as imports, outline, place, tokens as words};

/// Answers a request, once the program of its file is up to date.
pub(crate) type Answer = Box<dyn FnOnce(&Server<'_>, &Address) -> Value>;

/// The file of a request, and its handler.
type Asked = (Uri, Answer);

pub(crate) fn hover(params: &HoverParams) -> Asked {
    let at = params.text_document_position_params.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        json!(server.parsed(file).and_then(|parsed| hovering::hover(parsed, at.position)))
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

pub(crate) fn definition(params: &DefinitionParams) -> Asked {
    let at = params.text_document_position_params.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let places = server.parsed(file).map(|parsed| {
            let Some(unit) = parsed.unit() else { return Vec::new() };
            let offset = place::offset(&unit.source, at.position);
            let import = imports::links(parsed, |span| Some(location(server, parsed, span)?.uri));
            if let Some(link) =
                import.into_iter().find(|link| link.range.start <= at.position && at.position <= link.range.end)
            {
                let start = place::range(&unit.source, 0, 0);
                return link.target.map(|uri| Location { uri, range: start }).into_iter().collect();
            }
            let program = &parsed.outcome.program;
            let thing = Thing::at(program, unit, offset);
            let target = thing.as_ref().and_then(|thing| thing.targets().first().copied());
            let span = target.and_then(|id| program.name_span(id));
            span.and_then(|span| location(server, parsed, span)).into_iter().collect::<Vec<Location>>()
        });
        json!(places)
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

pub(crate) fn references(params: &ReferenceParams) -> Asked {
    let at = params.text_document_position_params.clone();
    let with_declaration = params.context.include_declaration;
    let answer = move |server: &Server<'_>, file: &Address| {
        let subject = server.parsed(file).and_then(|parsed| references::subject(parsed, at.position));
        let Some(subject) = subject else { return Value::Null };
        let mentions = references::mentions(server.programs(), &subject);
        let wanted = mentions.iter().filter(|mention| with_declaration || !mention.is_declaration);
        let places: Vec<Location> =
            wanted.filter_map(|mention| references::location(server.programs(), mention)).collect();
        json!(places)
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

pub(crate) fn prepare_rename(params: &PrepareRenameParams) -> Asked {
    let at = params.text_document_position_params.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let subject = server.parsed(file).and_then(|parsed| references::subject(parsed, at.position));
        let subject = subject.filter(|subject| subject.is_ours);
        json!(subject.map(|subject| json!({ "range": subject.range, "placeholder": subject.name })))
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

pub(crate) fn rename(params: &RenameParams) -> Asked {
    let at = params.text_document_position_params.clone();
    let name = params.new_name.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let subject = server.parsed(file).and_then(|parsed| references::subject(parsed, at.position));
        let Some(subject) = subject.filter(|subject| subject.is_ours && is_name(&name)) else { return Value::Null };
        let mut files: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        for mention in references::mentions(server.programs(), &subject) {
            if let Some(place) = references::location(server.programs(), &mention) {
                files.entry(mention.file.clone()).or_default().push(references::edit(&place, &name));
            }
        }
        edit(server, files)
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

/// Returns whether a string can be written as a name without quotes.
fn is_name(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') && text.chars().all(is_plain)
}

/// Returns a workspace edit of several files. Each has the version that the editor knows.
fn edit(server: &Server<'_>, files: BTreeMap<String, Vec<TextEdit>>) -> Value {
    let files = files.into_iter().filter_map(|(file, edits)| Some((Address::parse(&file).ok()?, edits)));
    let of_file = |address: &Address| {
        let document = server.documents.get(address);
        let uri = document.map(|document| document.uri.clone()).or_else(|| place::uri(address))?;
        Some((uri, document.map(|document| document.version)))
    };
    if server.client.versioned_edits {
        let changes = files.filter_map(|(address, edits)| {
            let (uri, version) = of_file(&address)?;
            Some(json!({ "textDocument": { "uri": uri, "version": version }, "edits": edits }))
        });
        return json!({ "documentChanges": changes.collect::<Vec<_>>() });
    }
    let changes = files.filter_map(|(address, edits)| Some((of_file(&address)?.0.0, json!(edits))));
    json!({ "changes": changes.collect::<serde_json::Map<String, Value>>() })
}

pub(crate) fn symbols(params: &DocumentSymbolParams) -> Asked {
    (
        params.text_document.uri.clone(),
        Box::new(|server, file| {
            let Some(parsed) = server.parsed(file) else { return Value::Null };
            if server.client.trees {
                return json!(outline::symbols(parsed));
            }
            json!(
                outline::find(std::iter::once(parsed), "")
                    .into_iter()
                    .filter(|symbol| { place::address(&symbol.location.uri).as_ref() == Some(file) })
                    .collect::<Vec<_>>()
            )
        }),
    )
}

pub(crate) fn actions(params: &CodeActionParams) -> Asked {
    let range = params.range;
    let answer = move |server: &Server<'_>, file: &Address| {
        let name = server.host.name();
        json!(server.parsed(file).map(|parsed| actions::actions(parsed, range, server.client, name)))
    };
    (params.text_document.uri.clone(), Box::new(answer))
}

pub(crate) fn links(params: &DocumentLinkParams) -> Asked {
    (
        params.text_document.uri.clone(),
        Box::new(|server, file| {
            let parsed = server.parsed(file);
            json!(parsed.map(|parsed| imports::links(parsed, |span| Some(location(server, parsed, span)?.uri))))
        }),
    )
}

pub(crate) fn folding(params: &FoldingRangeParams) -> Asked {
    (params.text_document.uri.clone(), Box::new(|server, file| json!(server.parsed(file).map(outline::folding))))
}

pub(crate) fn tokens(params: &SemanticTokensParams) -> Asked {
    (
        params.text_document.uri.clone(),
        Box::new(|server, file| json!(server.parsed(file).map(|parsed| json!({ "data": words::tokens(parsed) })))),
    )
}

pub(crate) fn hints(params: &InlayHintParams) -> Asked {
    let range = params.range;
    let answer =
        move |server: &Server<'_>, file: &Address| json!(server.parsed(file).map(|parsed| words::hints(parsed, range)));
    (params.text_document.uri.clone(), Box::new(answer))
}

/// Returns the location of a span. A source that is not a file of its own is copied to one.
fn location(server: &Server<'_>, parsed: &Parsed, span: Span) -> Option<Location> {
    diagnostics::location(parsed, span).or_else(|| {
        let source = parsed.outcome.sources.get(span.source)?;
        let folder = server.host.copies()?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
        let name: String = source.name().chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        let path = folder.join(name);
        let is_there = std::fs::read(&path).is_ok_and(|bytes| bytes == source.text().as_bytes());
        if !is_there {
            std::fs::create_dir_all(&folder).ok()?;
            let mut draft = Draft::in_place_of_link(&path).ok()?;
            draft.write_all(source.text().as_bytes()).and_then(|()| draft.replace()).ok()?;
        }
        let uri = place::uri(&Address::from_path(&path, &folder))?;
        Some(Location { uri, range: place::range(source, span.start, span.end) })
    })
}
