//! Request handlers that answer from the up-to-date program of a file.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, Role};
use tosca_parse::source::replace::Draft;
use tosca_parse::source::{Address, regular};

use crate::moves::Moves;
use crate::parsed::Parsed;
use crate::protocol::{
    CodeActionParams, DeclarationParams, DefinitionParams, DocumentHighlightParams, DocumentLinkParams,
    DocumentSymbolParams, FoldingRangeParams, HoverParams, ImplementationParams, InlayHintParams,
    LinkedEditingRangeParams, Location, Position, PrepareRenameParams, Range, ReferenceParams, RenameParams,
    SelectionRangeParams, SemanticTokensDeltaParams, SemanticTokensParams, SemanticTokensRangeParams, TextEdit,
    TypeDefinitionParams, Uri,
};
use crate::references::{self, Found, Goal, Search, Subject};
use crate::rename;
use crate::server::Server;
use crate::symbol_at::SymbolAt;
use crate::trial::Trial;
use crate::{
    code_actions, diagnostics, document_links, document_symbols, enclosing, hover as hovering, place, selection,
    semantic_tokens,
};

/// The function that answers a request once the program of its file is up to date. If the search for a request starts
/// again, the function is called again.
pub(crate) type Answer = Box<dyn Fn(&Server<'_>, &Address) -> Reply>;

/// The function that turns the results of a search into a reply.
pub(crate) type Finish = Box<dyn Fn(&Server<'_>, Vec<Found>) -> Reply>;

/// The reply to a request.
pub(crate) enum Reply {
    Answer(Value),
    /// The request can't be served, for a reason that the user should know.
    Refusal(String),
    /// The document has changed, so its positions have another meaning.
    Outdated,
    /// All files must be searched first.
    Search(Search, Finish),
    /// The answer, unless it would cause problems.
    Trial(Trial, Value),
}

/// Wraps a function whose reply is always a value, never a refusal or a search.
pub(crate) fn of(answer: impl Fn(&Server<'_>, &Address) -> Value + 'static) -> Answer {
    Box::new(move |server, file| Reply::Answer(answer(server, file)))
}

/// The file of a request and its handler.
pub(crate) type FileHandler = (Uri, Answer);

pub(crate) fn hover(params: &HoverParams) -> FileHandler {
    let at = params.text_document_position_params.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let of_parsed = |parsed: &Parsed| hovering::hover(parsed, at.position, &|span| location(server, parsed, span));
        json!(server.parsed(file).and_then(of_parsed))
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

pub(crate) fn definition(params: &DefinitionParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some(parsed) = server.parsed(file) else { return Value::Null };
        let import = document_links::links(parsed, |span| Some(location(server, parsed, span)?.uri));
        if let Some(link) = import.into_iter().find(|link| link.range.start <= at && at <= link.range.end) {
            let start = |uri| Location { uri, range: Range::default() };
            return json!(link.target.map(start).into_iter().collect::<Vec<_>>());
        }
        places(server, parsed, targets(parsed, at).first())
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

/// Returns the handler that finds the declaration of a name: the definition that all others refine.
pub(crate) fn declaration(params: &DeclarationParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some(parsed) = server.parsed(file) else { return Value::Null };
        places(server, parsed, targets(parsed, at).last())
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

pub(crate) fn type_definition(params: &TypeDefinitionParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some(parsed) = server.parsed(file) else { return Value::Null };
        let program = &parsed.outcome.program;
        let of_type = targets(parsed, at).iter().find_map(|id| match program.lineage(*id) {
            Some(_) => Some(*id),
            None => program.definition(*id).or_else(|| enclosing::note(program, *id).of_type),
        });
        places(server, parsed, of_type.as_ref())
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

/// Returns the handler that finds the implementations of a type: the entities that have this type.
pub(crate) fn implementation(params: &ImplementationParams) -> FileHandler {
    let at = &params.text_document_position_params;
    (at.text_document.uri.clone(), referrers(at.position, &[Role::Definition]))
}

/// The uses of a type are all entities that refer to it.
pub(crate) fn uses(at: Position) -> Answer {
    referrers(at, &[Role::None, Role::Definition, Role::Parent])
}

fn referrers(at: Position, roles: &'static [Role]) -> Answer {
    let finish = |server: &Server<'_>, found: Vec<Found>| {
        let items = found.iter().filter_map(|found| Some((uri(server, &found.file)?, &found.referrers)));
        let places = items.flat_map(|(uri, items)| {
            items.iter().map(move |item| Location { uri: uri.clone(), range: item.selection })
        });
        Reply::Answer(json!(places.collect::<Vec<_>>()))
    };
    Box::new(move |server, file| {
        let subject = server.parsed(file).and_then(|parsed| type_at(parsed, at));
        match subject {
            Some(subject) => Reply::Search(Search { subject, goal: Goal::Referrers(roles) }, Box::new(finish)),
            None => Reply::Answer(Value::Null),
        }
    })
}

/// Returns the entities that the name at the given position refers to.
pub(crate) fn targets(parsed: &Parsed, at: Position) -> Vec<AnyId> {
    let program = &parsed.outcome.program;
    let symbol = parsed.unit().and_then(|unit| SymbolAt::at(program, unit, place::offset(&unit.source, at)));
    symbol.map(|symbol| symbol.targets(program)).unwrap_or_default()
}

/// Returns the type at the given position.
fn type_at(parsed: &Parsed, at: Position) -> Option<references::Subject> {
    let first = targets(parsed, at).into_iter().next()?;
    parsed.outcome.program.lineage(first)?;
    references::subject_of(parsed, first)
}

/// Returns the answer with the location of an entity's name.
fn places(server: &Server<'_>, parsed: &Parsed, id: Option<&AnyId>) -> Value {
    json!(id.and_then(|id| location_of(server, parsed, *id)).into_iter().collect::<Vec<_>>())
}

/// Returns the location of the name of an entity.
pub(crate) fn location_of(server: &Server<'_>, parsed: &Parsed, id: AnyId) -> Option<Location> {
    location(server, parsed, parsed.outcome.program.name_span(id)?)
}

pub(crate) fn references(params: &ReferenceParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let with_declaration = params.context.include_declaration;
    let answer = move |server: &Server<'_>, file: &Address| {
        let subject = server.parsed(file).and_then(|parsed| references::subject(parsed, at));
        let Some(subject) = subject else { return Reply::Answer(Value::Null) };
        let finish = move |server: &Server<'_>, found: Vec<Found>| {
            let mut places: Vec<Location> = Vec::new();
            for Found { file, occurrences, .. } in found {
                let Some(uri) = uri(server, &file) else { continue };
                let wanted = occurrences.iter().filter(|occurrence| with_declaration || !occurrence.is_declaration);
                places.extend(wanted.map(|occurrence| Location { uri: uri.clone(), range: occurrence.range }));
            }
            Reply::Answer(json!(places))
        };
        Reply::Search(Search { subject, goal: Goal::Mentions }, Box::new(finish))
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

pub(crate) fn highlight(params: &DocumentHighlightParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let found = server.parsed(file).and_then(|parsed| {
            let subject = references::subject(parsed, at)?;
            Search { subject, goal: Goal::Mentions }.of_entry(parsed)
        });
        let highlight = |occurrence: &references::Occurrence| {
            // A declaration counts as a write; other occurrences count as reads.
            json!({ "range": occurrence.range, "kind": if occurrence.is_declaration { 3 } else { 2 } })
        };
        json!(found.map(|found| found.occurrences.iter().map(highlight).collect::<Vec<_>>()))
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

/// The pattern of names that can be typed in all ranges at once.
const WORD: &str = "[A-Za-z_\\u0080-\\uffff][A-Za-z0-9_.\\u0080-\\uffff-]*";

pub(crate) fn linked_editing(params: &LinkedEditingRangeParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let ranges = server.parsed(file).and_then(|parsed| rename::linked(server, file, parsed, at));
        json!(ranges.map(|ranges| json!({ "ranges": ranges, "wordPattern": WORD })))
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

pub(crate) fn prepare_rename(params: &PrepareRenameParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let subject = server.parsed(file).and_then(|parsed| references::subject(parsed, at));
        let Some(subject) = subject else {
            let reason = server.parsed(file).and_then(|parsed| rename::in_expression(parsed, at));
            return reason.map_or(Reply::Answer(Value::Null), Reply::Refusal);
        };
        match rename::fixed(server, &subject) {
            Some(reason) => Reply::Refusal(reason),
            None => Reply::Answer(json!({ "range": subject.range, "placeholder": subject.written })),
        }
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

/// Returns the handler of a rename. `version` is the version of the document at the time of the request.
pub(crate) fn rename(params: &RenameParams, version: Option<i32>) -> FileHandler {
    let at = params.text_document_position_params.position;
    let new_name = params.new_name.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        if server.documents.get(file).map(|document| document.version) != version {
            return Reply::Outdated;
        }
        let parsed = server.parsed(file);
        let Some((parsed, subject)) = parsed.and_then(|parsed| Some((parsed, references::subject(parsed, at)?))) else {
            let reason = server.parsed(file).and_then(|parsed| rename::in_expression(parsed, at));
            return Reply::Refusal(reason.unwrap_or_else(|| "there is no name to rename here".to_owned()));
        };
        if let Some(reason) = rename::fixed(server, &subject).or_else(|| rename::invalid(parsed, &subject, &new_name)) {
            return Reply::Refusal(reason);
        }
        let goal = rename::goal(&subject, &new_name);
        let refusal = format!("`{}` can't be renamed to `{new_name}`: ", subject.written);
        let (text, file) = (goal.replacement().to_owned(), file.clone());
        let finish = move |server: &Server<'_>, mut found: Vec<Found>| {
            if let Some(obstacle) = found.iter().find_map(|found| found.obstacle.as_ref()) {
                return Reply::Refusal(format!("{refusal}{obstacle}"));
            }
            let edited = found.iter_mut().filter(|found| !found.occurrences.is_empty());
            let texts = edited.map(|found| (found.file.clone(), found.renamed.take())).collect();
            let files = found.into_iter().filter(|found| !found.occurrences.is_empty()).map(|found| {
                let edit =
                    |occurrence: &references::Occurrence| TextEdit { range: occurrence.range, new_text: text.clone() };
                (found.file, found.occurrences.iter().map(edit).collect())
            });
            let answer = edit(server, files.collect());
            Reply::Trial(Trial { file: file.to_string(), texts, refusal: refusal.clone() }, answer)
        };
        Reply::Search(Search { subject, goal }, Box::new(finish))
    };
    (params.text_document_position_params.text_document.uri.clone(), Box::new(answer))
}

/// Returns the answer for moved files: the edits to their own imports, to the imports of files that import them, and to
/// paths in configurations.
pub(crate) fn will_move(params: &Value) -> Answer {
    let moves = Moves::of(params);
    Box::new(move |_, _| {
        let search = Search { subject: Subject::default(), goal: Goal::Moves(moves.clone()) };
        let moves = moves.clone();
        let finish = move |server: &Server<'_>, found: Vec<Found>| {
            let found = found.into_iter().map(|found| (found.file, found.edits));
            let configurations = server.folders.iter().flat_map(|folder| server.host.configurations(folder));
            let configured = configurations.map(|file| {
                let address = Address::from_path(&file.path, &file.path);
                (address.to_string(), moves.configuration_edits(&file))
            });
            let files: BTreeMap<_, _> = found.chain(configured).filter(|(_, edits)| !edits.is_empty()).collect();
            Reply::Answer(edit(server, files))
        };
        Reply::Search(search, Box::new(finish))
    })
}

/// Returns the URI of a file, as the editor knows it.
pub(crate) fn uri(server: &Server<'_>, file: &str) -> Option<Uri> {
    let address = Address::parse(file).ok()?;
    let document = server.documents.get(&address);
    document.map(|document| document.uri.clone()).or_else(|| place::uri(&address))
}

/// Returns a workspace edit for several files, each with the version that the editor knows.
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

pub(crate) fn symbols(params: &DocumentSymbolParams) -> FileHandler {
    (
        params.text_document.uri.clone(),
        of(|server, file| {
            let Some(parsed) = server.parsed(file) else { return Value::Null };
            if server.client.trees {
                return json!(document_symbols::symbols(parsed));
            }
            json!(document_symbols::flat(parsed))
        }),
    )
}

pub(crate) fn actions(params: &CodeActionParams) -> FileHandler {
    let range = params.range;
    let only: Option<Vec<Value>> =
        params.context.only.as_ref().map(|only| only.iter().map(|kind| json!(kind)).collect());
    let wants = move |kind: &str| {
        let is_part = |wanted: &Value| {
            let rest = wanted.as_str().and_then(|wanted| kind.strip_prefix(wanted));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        only.as_ref().is_none_or(|only| only.iter().any(is_part))
    };
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some(parsed) = server.parsed(file) else { return Value::Null };
        let mut actions = Vec::new();
        if wants("quickfix") {
            actions = code_actions::fixes(parsed, range, server.client, server.host.name(), &server.importable());
        }
        if wants("refactor.extract") {
            actions.extend(code_actions::extractions(parsed, range));
            let is_open = |path: &Path| server.documents.get(&Address::from_path(path, path)).is_some();
            let is_free = |path: &Path| !path.exists() && !is_open(path);
            let document = server.documents.get(file).filter(|_| server.client.creates_files);
            actions.extend(document.and_then(|document| {
                code_actions::move_type(parsed, range, &is_free, (&document.uri, Some(document.version)))
            }));
        }
        if wants("refactor.rewrite") {
            actions.extend(code_actions::rewrites(parsed, range));
        }
        actions.extend(code_actions::fix_all(parsed).filter(|_| wants("source.fixAll")));
        json!(actions.into_iter().filter_map(|action| possible(server, action)).collect::<Vec<_>>())
    };
    (params.text_document.uri.clone(), of(answer))
}

/// Returns an action with the URIs that the editor knows; `None` if it changes nothing, or a file that can't be edited.
fn possible(server: &Server<'_>, mut action: Value) -> Option<Value> {
    let Some(changes) = action.pointer_mut("/edit/changes").and_then(Value::as_object_mut) else { return Some(action) };
    let files = std::mem::take(changes);
    let is_empty = files.is_empty();
    for (file, edits) in files {
        let address = place::address(&Uri(file)).filter(|address| rename::is_editable(server, address))?;
        changes.insert(uri(server, &address.to_string())?.0, edits);
    }
    if server.client.versioned_edits {
        let version = |uri: &str| {
            let file = place::address(&Uri(uri.to_owned()));
            file.and_then(|file| server.documents.get(&file)).map(|document| document.version)
        };
        // The editor refuses edits of a text that has changed since.
        let changes = changes
            .iter()
            .map(|(uri, edits)| json!({ "textDocument": { "uri": uri, "version": version(uri) }, "edits": edits }));
        let changes: Vec<Value> = changes.collect();
        action["edit"] = json!({ "documentChanges": changes });
    }
    (!is_empty).then_some(action)
}

pub(crate) fn links(params: &DocumentLinkParams) -> FileHandler {
    (
        params.text_document.uri.clone(),
        of(|server, file| {
            let parsed = server.parsed(file);
            json!(parsed.map(|parsed| document_links::links(parsed, |span| Some(location(server, parsed, span)?.uri))))
        }),
    )
}

pub(crate) fn folding(params: &FoldingRangeParams) -> FileHandler {
    (params.text_document.uri.clone(), of(|server, file| json!(server.parsed(file).map(document_symbols::folding))))
}

pub(crate) fn selection(params: &SelectionRangeParams) -> FileHandler {
    let positions = params.positions.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        server.parsed(file).map_or(Value::Null, |parsed| selection::ranges(parsed, &positions))
    };
    (params.text_document.uri.clone(), of(answer))
}

pub(crate) fn tokens(params: &SemanticTokensParams) -> FileHandler {
    (params.text_document.uri.clone(), all_tokens(None))
}

pub(crate) fn changed_tokens(params: &SemanticTokensDeltaParams) -> FileHandler {
    (params.text_document.uri.clone(), all_tokens(Some(params.previous_result_id.clone())))
}

pub(crate) fn tokens_in_range(params: &SemanticTokensRangeParams) -> FileHandler {
    let range = params.range;
    let answer = move |server: &Server<'_>, file: &Address| {
        let data = server.parsed(file).map(|parsed| semantic_tokens::tokens(parsed, Some(range)));
        json!(data.map(|data| json!({ "data": data })))
    };
    (params.text_document.uri.clone(), of(answer))
}

/// Returns the answer with the tokens of a document, as a difference to a previous result if there is one.
fn all_tokens(previous: Option<String>) -> Answer {
    of(move |server, file| {
        let Some(data) = server.parsed(file).map(|parsed| semantic_tokens::tokens(parsed, None)) else {
            return Value::Null;
        };
        if server.documents.get(file).is_none() {
            return json!({ "data": data });
        }
        let mut sent = server.tokens.borrow_mut();
        match &previous {
            Some(previous) => sent.delta(file.to_string(), previous, data),
            None => sent.full(file.to_string(), data),
        }
    })
}

pub(crate) fn hints(params: &InlayHintParams) -> FileHandler {
    let range = params.range;
    let answer = move |server: &Server<'_>, file: &Address| {
        json!(server.parsed(file).map(|parsed| semantic_tokens::hints(parsed, range)))
    };
    (params.text_document.uri.clone(), of(answer))
}

/// Returns the location of a span. A source that is not a file is copied to a file.
fn location(server: &Server<'_>, parsed: &Parsed, span: Span) -> Option<Location> {
    diagnostics::location(parsed, span).or_else(|| {
        let source = parsed.outcome.sources.get(span.source)?;
        let folder = server.host.copies()?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
        let name: String = source.name().chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        let path = folder.join(name);
        let is_there = regular::read(&path, u64::MAX).is_ok_and(|bytes| bytes == source.text().as_bytes());
        if !is_there {
            std::fs::create_dir_all(&folder).ok()?;
            let mut draft = Draft::in_place_of_link(&path).ok()?;
            draft.write_all(source.text().as_bytes()).and_then(|()| draft.replace()).ok()?;
        }
        let uri = place::uri(&Address::from_path(&path, &folder))?;
        Some(Location { uri, range: place::range(source, span.start, span.end) })
    })
}
