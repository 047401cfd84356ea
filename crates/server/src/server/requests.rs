//! Requests: which handler answers each of them and which results it must wait for.

use std::collections::{BTreeMap, BTreeSet};

use lsp_server::{ErrorCode, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tosca_parse::source::Address;

use super::{COMMANDS, DIAGRAM, PLAN, Pending, Server, USES};
use crate::calls;
use crate::code_lens;
use crate::completion;
use crate::document_symbols;
use crate::format::{self, Part};
use crate::handlers::{self, Answer};
use crate::hierarchy;
use crate::index::{self, Declared};
use crate::place;
use crate::protocol::{
    DocumentDiagnosticParams, ExecuteCommandParams, Position, TextDocumentPositionParams, Uri, WorkspaceSymbolParams,
};
use crate::signature;

impl Server<'_> {
    pub(super) fn request(&mut self, request: Request) {
        let Request { id, method, mut params } = request;
        self.untitled.to_files(&mut params);
        match method.as_str() {
            "textDocument/diagnostic" => self.wait(
                id,
                params,
                false,
                json!({ "kind": "full", "items": [] }),
                |params: &DocumentDiagnosticParams| (params.text_document.uri.clone(), handlers::of(report)),
            ),
            "workspace/diagnostic" => self.report_all(id, &params),
            "textDocument/completion" => self.at_once(id, params, completion),
            "completionItem/resolve" => {
                let item = self.notes.borrow().resolved(params);
                self.respond(Response::new_ok(id, item));
            }
            "textDocument/signatureHelp" => self.at_once(id, params, signature),
            "textDocument/hover" => self.fresh(id, params, handlers::hover),
            "textDocument/definition" => self.fresh(id, params, handlers::definition),
            "textDocument/declaration" => self.fresh(id, params, handlers::declaration),
            "textDocument/typeDefinition" => self.fresh(id, params, handlers::type_definition),
            "textDocument/implementation" => self.all(id, params, handlers::implementation),
            "textDocument/prepareTypeHierarchy" => self.fresh(id, params, hierarchy::prepare),
            "typeHierarchy/supertypes" => self.fresh(id, params, hierarchy::supertypes),
            "typeHierarchy/subtypes" => self.all(id, params, hierarchy::subtypes),
            "textDocument/prepareCallHierarchy" => self.fresh(id, params, calls::prepare),
            "callHierarchy/incomingCalls" => self.all(id, params, calls::incoming_calls),
            "callHierarchy/outgoingCalls" => self.fresh(id, params, calls::outgoing_calls),
            "textDocument/linkedEditingRange" => self.fresh(id, params, handlers::linked_editing),
            "textDocument/references" => self.all(id, params, handlers::references),
            "textDocument/documentHighlight" => self.fresh(id, params, handlers::highlight),
            "textDocument/documentSymbol" => self.fresh(id, params, handlers::symbols),
            "textDocument/codeAction" => self.fresh(id, params, handlers::actions),
            "textDocument/prepareRename" => self.fresh(id, params, handlers::prepare_rename),
            "textDocument/rename" => {
                self.look_for_changes();
                let version = self.version(&params);
                self.all(id, params, |params| handlers::rename(params, version));
            }
            "textDocument/documentLink" => self.fresh(id, params, handlers::links),
            "textDocument/foldingRange" => self.fresh(id, params, handlers::folding),
            "textDocument/selectionRange" => self.fresh(id, params, handlers::selection),
            "textDocument/semanticTokens/full" => self.fresh(id, params, handlers::tokens),
            "textDocument/semanticTokens/full/delta" => self.fresh(id, params, handlers::changed_tokens),
            "textDocument/semanticTokens/range" => self.fresh(id, params, handlers::tokens_in_range),
            "textDocument/inlayHint" => self.fresh(id, params, handlers::hints),
            "textDocument/formatting" | "textDocument/rangeFormatting" | "textDocument/onTypeFormatting" => {
                self.format(id, &method, &params);
            }
            "textDocument/codeLens" => self.fresh(id, params, code_lens::lenses),
            "codeLens/resolve" => self.all(id, params, code_lens::resolve),
            "workspace/symbol" => self.find_symbols(id, params),
            "workspace/willRenameFiles" => {
                self.look_for_changes();
                self.of_all(id, Value::Null, handlers::will_move(&params));
            }
            "workspace/executeCommand" => self.execute(id, params),
            _ => self.refuse(id, ErrorCode::MethodNotFound, &format!("unknown method `{method}`")),
        }
    }

    /// Answers a request about a file as soon as the program of its current text is available.
    fn fresh<P: DeserializeOwned>(&mut self, id: RequestId, params: Value, ask: impl FnOnce(&P) -> (Uri, Answer)) {
        self.wait(id, params, false, Value::Null, ask);
    }

    /// Answers a request as soon as the results for all files are available.
    fn all<P: DeserializeOwned>(&mut self, id: RequestId, params: Value, ask: impl FnOnce(&P) -> (Uri, Answer)) {
        self.wait(id, params, true, Value::Null, ask);
    }

    fn wait<P: DeserializeOwned>(
        &mut self,
        id: RequestId,
        params: Value,
        needs_all: bool,
        default: Value,
        ask: impl FnOnce(&P) -> (Uri, Answer),
    ) {
        let (uri, answer) = match serde_json::from_value::<P>(params) {
            Ok(params) => ask(&params),
            Err(error) => return self.refuse(id, ErrorCode::InvalidParams, &error.to_string()),
        };
        let file = place::address(&uri).map(|address| address.to_string()).unwrap_or_default();
        self.pending.push(Pending { id, file, needs_all, default, answer });
        self.answer_pending();
    }

    /// Answers a request about unfinished text immediately, from the latest program. If there is none, or if the whole
    /// text has been replaced since, the request waits for the next program.
    fn at_once(
        &mut self,
        id: RequestId,
        params: Value,
        answer: impl Fn(&Server<'_>, &Address, Position) -> Option<Value> + 'static,
    ) {
        let at = match serde_json::from_value::<TextDocumentPositionParams>(params) {
            Ok(at) => at,
            Err(error) => return self.refuse(id, ErrorCode::InvalidParams, &error.to_string()),
        };
        let file = place::address(&at.text_document.uri);
        let is_replaced = |file: &Address| self.documents.get(file).is_some_and(|document| document.is_replaced);
        let now = file.as_ref().filter(|file| !is_replaced(file) && self.parsed(file).is_some());
        if let Some(file) = now.filter(|file| self.documents.get(file).is_some()) {
            return self.respond(Response::new_ok(id, answer(self, file, at.position)));
        }
        let file = file.map(|file| file.to_string()).unwrap_or_default();
        let answer = handlers::of(move |server, file| json!(answer(server, file, at.position)));
        self.pending.push(Pending { id, file, needs_all: false, default: Value::Null, answer });
        self.answer_pending();
    }

    /// Returns the version of the open document that a request is about.
    fn version(&self, params: &Value) -> Option<i32> {
        let uri = Uri(params.pointer("/textDocument/uri")?.as_str()?.to_owned());
        Some(self.documents.get(&place::address(&uri)?)?.version)
    }

    /// Returns the names that the files of the workspace declare.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &Declared> {
        self.files.iter().filter_map(|(_, file)| file.record.as_ref()).flat_map(|record| &record.declared)
    }

    /// Returns the names that files can import.
    pub(crate) fn importable(&self) -> Vec<&Declared> {
        self.declared().filter(|declared| !self.untitled.contains(&declared.address)).collect()
    }

    /// Formats the current text of an open document or a part of it.
    fn format(&mut self, id: RequestId, method: &str, params: &Value) {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).map(|uri| Uri(uri.to_owned()));
        let Some((uri, part)) = uri.zip(Part::of(method, params)) else {
            return self.refuse(id, ErrorCode::InvalidParams, "the parameters of the formatting request are invalid");
        };
        let file = place::address(&uri).filter(|file| self.documents.get(file).is_some());
        let style = file.as_ref().map(|file| self.host.style(file)).unwrap_or_default();
        let open = file.as_ref().and_then(|file| self.documents.get(file));
        let edits = open.zip(file.as_ref()).map_or(Value::Null, |(open, file)| {
            let language = self.host.language(file, open.source.text());
            format::edits(&open.source, &part, language, &style)
        });
        self.respond(Response::new_ok(id, edits));
    }

    /// Answers a request for the problems of all files as soon as they are available. Files whose problems the editor
    /// has already received are left out.
    fn report_all(&mut self, id: RequestId, params: &Value) {
        let previous = params.get("previousResultIds").and_then(Value::as_array);
        let known = previous.into_iter().flatten().filter_map(|known| {
            let address = place::address(&Uri(known.get("uri")?.as_str()?.to_owned()))?;
            Some((address.to_string(), known.get("value")?.as_str()?.to_owned()))
        });
        let known: BTreeMap<String, String> = known.collect();
        let nothing = json!({ "items": [] });
        self.of_all(id, nothing, handlers::of(move |server, _| workspace_report(server, &known)));
    }

    fn find_symbols(&mut self, id: RequestId, params: Value) {
        let query = serde_json::from_value::<WorkspaceSymbolParams>(params).map(|params| params.query);
        let query = query.unwrap_or_default();
        let answer = handlers::of(move |server, _| json!(document_symbols::find(server.declared(), &query)));
        self.of_all(id, Value::Null, answer);
    }

    /// Answers a request that is not about a particular file, as soon as the results for all files are available.
    fn of_all(&mut self, id: RequestId, default: Value, answer: Answer) {
        // Any file will do. The program of an open document is kept anyway.
        let is_entry = |name: &&str| self.files.contains(name);
        let open = self.documents.names().find(is_entry).map(str::to_owned);
        let file = open.or_else(|| self.files.first().map(ToString::to_string)).unwrap_or_default();
        self.pending.push(Pending { id, file, needs_all: true, default, answer });
        self.answer_pending();
    }

    fn execute(&mut self, id: RequestId, params: Value) {
        let params = serde_json::from_value::<ExecuteCommandParams>(params).ok();
        let Some(params) = params.filter(|params| COMMANDS.contains(&&*params.command)) else {
            let message = format!("the commands are `{}`", COMMANDS.join("`, `"));
            return self.refuse(id, ErrorCode::InvalidParams, &message);
        };
        let mut arguments = params.arguments.unwrap_or_default().into_iter();
        let uri = arguments.next().and_then(|uri| Some(Uri(uri.as_str()?.to_owned())));
        let at = arguments.next().and_then(|at| serde_json::from_value::<Position>(at).ok());
        let answer: Answer = match (&*params.command, at) {
            (DIAGRAM, _) => handlers::of(|server, file| {
                let diagram = server.parsed(file).map(|parsed| server.host.diagram(&parsed.outcome));
                output("svg", diagram)
            }),
            (PLAN, _) => handlers::of(|server, file| {
                output("text", server.parsed(file).map(|parsed| server.host.plan(&parsed.outcome)))
            }),
            (USES, Some(at)) => handlers::uses(at),
            _ => return self.refuse(id, ErrorCode::InvalidParams, "the second argument must be a position"),
        };
        let Some(file) = uri.as_ref().and_then(place::address) else {
            return self.refuse(id, ErrorCode::InvalidParams, "the first argument must be the URI of a file");
        };
        let needs_all = params.command == USES;
        self.pending.push(Pending { id, file: file.to_string(), needs_all, default: Value::Null, answer });
        self.answer_pending();
    }

    pub(super) fn cancel(&mut self, params: &Value) {
        let id = match params.get("id") {
            Some(Value::Number(number)) => number.as_i64().and_then(|id| i32::try_from(id).ok()).map(RequestId::from),
            Some(Value::String(id)) => Some(RequestId::from(id.clone())),
            _ => None,
        };
        let Some(id) = id else { return };
        let waiting = self.pending.iter().position(|pending| pending.id == id);
        let pending = waiting.map(|place| self.pending.remove(place)).or_else(|| self.stop_search(&id));
        if let Some(pending) = pending {
            self.refuse(pending.id, ErrorCode::RequestCanceled, "the request has been canceled");
        }
    }
}

/// Returns the answer to a completion request; `None` if there is no program.
fn completion(server: &Server<'_>, file: &Address, at: Position) -> Option<Value> {
    let (parsed, open) = (server.parsed(file)?, server.documents.get(file)?);
    let mut list = completion::complete(parsed, &server.importable(), file, &open.source, at, server.client);
    if server.client.resolves_notes {
        server.notes.borrow_mut().keep(&mut list);
    }
    Some(json!(list))
}

/// Returns the answer to a request for signature help; `None` outside calls.
fn signature(server: &Server<'_>, file: &Address, at: Position) -> Option<Value> {
    let (parsed, open) = (server.parsed(file)?, server.documents.get(file)?);
    let argument = completion::argument(parsed, file, &open.source, at)?;
    Some(signature::help(&argument, server.client))
}

/// Returns the output of a command, or the reason why there is none.
fn output(key: &str, output: Option<Result<String, String>>) -> Value {
    match output {
        Some(Ok(output)) => json!({ key: output }),
        Some(Err(message)) => json!({ "message": message }),
        None => Value::Null,
    }
}

/// Returns the problems of all files that differ from those that the editor knows, by file.
fn workspace_report(server: &Server<'_>, known: &BTreeMap<String, String>) -> Value {
    let files: BTreeSet<&str> = server.files.reported().chain(known.keys().map(String::as_str)).collect();
    let item = |name: &str| {
        let address = Address::parse(name).ok()?;
        let problems = server.files.problems(name);
        let result = index::word(&json!(problems).to_string()).to_string();
        let document = server.documents.get(&address);
        let uri = document.map(|document| document.uri.clone()).or_else(|| place::uri(&address))?;
        let is_new = known.get(name) != Some(&result);
        is_new.then(|| {
            let version = document.map(|document| document.version);
            json!({ "kind": "full", "uri": uri, "version": version, "resultId": result, "items": problems })
        })
    };
    json!({ "items": files.into_iter().filter_map(item).collect::<Vec<_>>() })
}

/// Returns the problems of a file, for an editor that pulls them.
fn report(server: &Server<'_>, file: &Address) -> Value {
    let name = file.to_string();
    let mut report = json!({ "kind": "full", "items": server.files.problems(&name) });
    let is_open = |file: &str| Address::parse(file).is_ok_and(|file| server.documents.get(&file).is_some());
    let is_elsewhere = |other: &&String| **other != name && !is_open(other);
    let record = server.files.get(&name).and_then(|file| file.record.as_ref());
    if let Some(record) = record.filter(|_| server.client.related_documents) {
        let others = record.problems.keys().filter(is_elsewhere).filter_map(|other| {
            let uri = place::uri(&Address::parse(other).ok()?)?;
            Some((uri.0, json!({ "kind": "full", "items": server.files.problems(other) })))
        });
        let others: serde_json::Map<String, Value> = others.collect();
        if !others.is_empty() {
            report["relatedDocuments"] = others.into();
        }
    }
    report
}
