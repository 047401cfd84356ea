//! The protocol types. Only this module names the crate that defines them.

pub(crate) use lsp_types::{
    BaseSymbolInformation, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCallsParams,
    CallHierarchyPrepareParams, Code, CodeActionParams, CodeDescription, CodeLens, CodeLensParams, CompletionItem,
    CompletionItemKind, CompletionItemTextEdit, CompletionList, Contents, DeclarationParams, DefinitionParams,
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentDiagnosticParams, DocumentHighlightParams, DocumentLink, DocumentLinkParams,
    DocumentSymbol, DocumentSymbolParams, Documentation, ExecuteCommandParams, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Hover, HoverParams, ImplementationParams, InlayHintParams, InsertTextFormat, InsertTextMode,
    LinkedEditingRangeParams, Location, MarkupContent, MarkupKind, Message as Text, Position, PrepareRenameParams,
    PublishDiagnosticsParams, Range, ReferenceParams, RenameParams, SelectionRangeParams, SemanticTokensDeltaParams,
    SemanticTokensParams, SemanticTokensRangeParams, SymbolInformation, SymbolKind, TextDocumentContentChangeEvent,
    TextDocumentPositionParams, TextEdit, TypeDefinitionParams, TypeHierarchyItem, TypeHierarchyPrepareParams,
    TypeHierarchySubtypesParams, TypeHierarchySupertypesParams, Uri, WorkspaceSymbolParams,
};

use serde_json::{Value, json};

/// The client capabilities that the server uses. They are looked up in the message rather than deserialized as a whole,
/// because editors, or the types, may get other capabilities wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    /// Pull diagnostics.
    pub(crate) pulls: bool,
    /// Requests to pull diagnostics again.
    pub(crate) refreshes: bool,
    /// Diagnostics of related documents in the answer to a pull.
    pub(crate) related_documents: bool,
    /// Requests for code lenses again.
    pub(crate) refreshes_lenses: bool,
    /// Requests for semantic tokens again.
    pub(crate) refreshes_tokens: bool,
    /// Requests for inlay hints again.
    pub(crate) refreshes_hints: bool,
    /// Related locations of a diagnostic.
    pub(crate) related: bool,
    /// Documentation of completions on request.
    pub(crate) resolves_notes: bool,
    /// Hierarchical document symbols.
    pub(crate) trees: bool,
    /// Snippets in completions, with lines that the editor does not indent.
    pub(crate) snippets: bool,
    /// Versioned document edits.
    pub(crate) versioned_edits: bool,
    /// Versioned document edits that create files.
    pub(crate) creates_files: bool,
    /// Dynamic registration of file watchers.
    pub(crate) watches: bool,
    /// Progress reports that the server begins.
    pub(crate) shows_progress: bool,
    /// Parameters of signatures as ranges of the label.
    pub(crate) offset_labels: bool,
}

impl Client {
    pub(crate) fn of(initialize: &Value) -> Self {
        let is =
            |path: &str| initialize.pointer(&format!("/capabilities/{path}")).and_then(Value::as_bool) == Some(true);
        let has = |path: &str| initialize.pointer(&format!("/capabilities/{path}")).is_some_and(Value::is_object);
        let modes = initialize
            .pointer("/capabilities/textDocument/completion/completionItem/insertTextModeSupport/valueSet")
            .and_then(Value::as_array);
        let keeps_lines = modes.is_some_and(|modes| modes.contains(&json!(InsertTextMode::AsIs)));
        let operations = initialize.pointer("/capabilities/workspace/workspaceEdit/resourceOperations");
        let creates_files =
            operations.and_then(Value::as_array).is_some_and(|operations| operations.contains(&json!("create")));
        Self {
            pulls: has("textDocument/diagnostic"),
            refreshes: is("workspace/diagnostics/refreshSupport"),
            refreshes_lenses: is("workspace/codeLens/refreshSupport"),
            refreshes_tokens: is("workspace/semanticTokens/refreshSupport"),
            refreshes_hints: is("workspace/inlayHint/refreshSupport"),
            related_documents: is("textDocument/diagnostic/relatedDocumentSupport"),
            related: is("textDocument/publishDiagnostics/relatedInformation"),
            resolves_notes: initialize
                .pointer("/capabilities/textDocument/completion/completionItem/resolveSupport/properties")
                .and_then(Value::as_array)
                .is_some_and(|properties| properties.contains(&json!("documentation"))),
            trees: is("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            snippets: is("textDocument/completion/completionItem/snippetSupport") && keeps_lines,
            versioned_edits: is("workspace/workspaceEdit/documentChanges"),
            creates_files: is("workspace/workspaceEdit/documentChanges") && creates_files,
            watches: is("workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_progress: is("window/workDoneProgress"),
            offset_labels: is(
                "textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
            ),
        }
    }
}
