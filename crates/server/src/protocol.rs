//! The types of the protocol: the only place that names the crate which has them.

pub(crate) use lsp_types::{
    BaseSymbolInformation, Code, CodeActionParams, CodeDescription, CompletionItem, CompletionItemKind,
    CompletionItemTextEdit, CompletionList, CompletionParams, Contents, DefinitionParams, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentDiagnosticParams,
    DocumentLink, DocumentLinkParams, DocumentSymbol, DocumentSymbolParams, Documentation, ExecuteCommandParams,
    FoldingRange, FoldingRangeKind, FoldingRangeParams, Hover, HoverParams, InlayHintParams, Location, MarkupContent,
    MarkupKind, Message as Text, Position, PrepareRenameParams, PublishDiagnosticsParams, Range, ReferenceParams,
    RenameParams, SemanticTokensParams, SymbolInformation, SymbolKind, TextDocumentContentChangeEvent, TextEdit, Uri,
    WorkspaceSymbolParams,
};

use serde_json::Value;

/// What the editor can do, as far as that matters here. It is looked up in the message rather than read as a whole:
/// editors send capabilities that they, or the types, have wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    /// It asks for diagnostics.
    pub(crate) pulls: bool,
    /// It can be told to ask for them again.
    pub(crate) refreshes: bool,
    /// It takes diagnostics of other files with those it asks for.
    pub(crate) related_documents: bool,
    /// It shows other places with a diagnostic.
    pub(crate) related: bool,
    /// It takes outlines as trees.
    pub(crate) trees: bool,
    /// It takes changes of versions of texts.
    pub(crate) versioned_edits: bool,
    /// It can be asked to watch files.
    pub(crate) watches: bool,
}

impl Client {
    pub(crate) fn of(initialize: &Value) -> Self {
        let is =
            |path: &str| initialize.pointer(&format!("/capabilities/{path}")).and_then(Value::as_bool) == Some(true);
        let has = |path: &str| initialize.pointer(&format!("/capabilities/{path}")).is_some_and(Value::is_object);
        Self {
            pulls: has("textDocument/diagnostic"),
            refreshes: is("workspace/diagnostics/refreshSupport"),
            related_documents: is("textDocument/diagnostic/relatedDocumentSupport"),
            related: is("textDocument/publishDiagnostics/relatedInformation"),
            trees: is("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            versioned_edits: is("workspace/workspaceEdit/documentChanges"),
            watches: is("workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}
