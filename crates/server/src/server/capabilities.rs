//! The capabilities that the server and the editor exchange during initialization.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::COMMANDS;
use crate::protocol::{Client, Uri};
use crate::{place, semantic_tokens};

const KINDS: [&str; 4] = ["quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll"];

/// Returns the server capabilities.
pub(super) fn capabilities(client: Client) -> Value {
    let legend = json!({ "tokenTypes": semantic_tokens::KINDS, "tokenModifiers": semantic_tokens::MODIFIERS });
    let mut capabilities = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": false },
        "completionProvider": {
            "triggerCharacters": [":", " ", "[", "{", ",", "-", "/", ".", "$"],
            "resolveProvider": true,
        },
        "signatureHelpProvider": { "triggerCharacters": ["[", ","], "retriggerCharacters": [" "] },
        "hoverProvider": true,
        "definitionProvider": true,
        "declarationProvider": true,
        "typeDefinitionProvider": true,
        "implementationProvider": true,
        "typeHierarchyProvider": true,
        "callHierarchyProvider": true,
        "linkedEditingRangeProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": KINDS },
        "renameProvider": { "prepareProvider": true },
        "documentLinkProvider": { "resolveProvider": false },
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "\n" },
        "semanticTokensProvider": { "legend": legend, "full": { "delta": true }, "range": true },
        "inlayHintProvider": true,
        "codeLensProvider": { "resolveProvider": true },
        "executeCommandProvider": { "commands": COMMANDS },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
            "fileOperations": { "willRename": { "filters": [
                // Templates name files of all kinds.
                { "scheme": "file", "pattern": { "glob": "**" } },
            ] } },
        },
    });
    if client.pulls {
        capabilities["diagnosticProvider"] = json!({ "interFileDependencies": true, "workspaceDiagnostics": true });
    }
    capabilities
}

/// Returns the workspace folders.
pub(super) fn folders(initialize: &Value) -> Vec<PathBuf> {
    let path = |uri: Option<&Value>| {
        let uri = Uri(uri?.as_str()?.to_owned());
        place::address(&uri)?.to_path()
    };
    match initialize.get("workspaceFolders").and_then(Value::as_array) {
        Some(folders) => folders.iter().filter_map(|folder| path(folder.get("uri"))).collect(),
        None => path(initialize.get("rootUri")).into_iter().collect(),
    }
}
