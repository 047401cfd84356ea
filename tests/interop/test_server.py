"""The server as a process, seen by a client that knows what real editors can do, and holds answers against that."""

from pathlib import Path

import pytest
import pytest_asyncio
import pytest_lsp
from conftest import COMMAND, REFRESHES, Folder, at, problems_of
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

TYPES = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    description: What runs.
    properties:
      port: { type: integer }
      memory: { type: integer, required: false }
"""

SERVICE = """\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    web:
      type: Server
      proprties:
        port: 80
"""

MENDED = SERVICE.replace("proprties", "properties")


class Editor:
    """A client with both files; the service is open."""

    def __init__(self, client: LanguageClient, folder: Folder):
        self.client = client
        self.types = folder.write("types.yaml", TYPES).as_uri()
        self.service = folder.write("service.yaml", SERVICE).as_uri()
        self.version = 0

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri=self.service)

    async def show(self, text: str) -> None:
        """Opens the service or replaces its text, and waits until its problems are published."""
        self.version += 1
        if self.version == 1:
            item = types.TextDocumentItem(uri=self.service, language_id="yaml", version=1, text=text)
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        else:
            document = types.VersionedTextDocumentIdentifier(uri=self.service, version=self.version)
            whole = types.TextDocumentContentChangeWholeDocument(text=text)
            change = types.DidChangeTextDocumentParams(text_document=document, content_changes=[whole])
            self.client.text_document_did_change(change)
        await problems_of(self.client, self.service, self.version)

    @property
    def problems(self) -> list[tuple]:
        problems = self.client.diagnostics[self.service]
        return [(problem.code, problem.range.start.line, problem.range.start.character) for problem in problems]


# The oldest editor that can be used, a newer one, and the one that most people have.
@pytest_lsp.fixture(
    params=["neovim@v0.7.0", "neovim@v0.11.0", "visual-studio-code"],
    config=ClientServerConfig(server_command=[str(COMMAND), "server", "--no-config"]),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path):
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def _(parameters: types.RegistrationParams) -> None:
        assert [one.method for one in parameters.registrations] == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]

    for refresh in REFRESHES:
        lsp_client.feature(refresh)(lambda _: None)

    capabilities = client_capabilities(request.param)
    # Clients that request diagnostics don't get them published; this client does not request them.
    assert capabilities.text_document
    capabilities.text_document.diagnostic = None
    folders = [types.WorkspaceFolder(uri=tmp_path.as_uri(), name="work")]
    parameters = types.InitializeParams(capabilities=capabilities, workspace_folders=folders)
    initialized = await lsp_client.initialize_session(parameters)
    assert initialized.server_info and initialized.server_info.name == "tosca-parse"
    yield
    # This waits for the end of the process, too.
    await lsp_client.shutdown_session()
    assert lsp_client.error is None


@pytest_asyncio.fixture
async def editor(client: LanguageClient, folder: Folder) -> Editor:
    editor = Editor(client, folder)
    await editor.show(SERVICE)
    return editor


async def test_problems_are_those_of_the_latest_text(editor: Editor):
    assert ("T1201", 6, 6) in editor.problems
    await editor.show(MENDED)
    assert editor.problems == []
    await editor.show(MENDED.replace("80", "eighty"))
    assert editor.problems == [("T5101", 7, 14)]


async def test_completion(editor: Editor):
    text = MENDED + "        m"
    await editor.show(text)
    end = types.Position(line=8, character=9)
    answer = await editor.client.text_document_completion_async(
        types.CompletionParams(text_document=editor.document, position=end)
    )
    items = answer.items if isinstance(answer, types.CompletionList) else answer or []
    assert [item.label for item in items] == ["memory"]


async def test_hover(editor: Editor):
    place = types.HoverParams(text_document=editor.document, position=at(SERVICE, "Server"))
    answer = await editor.client.text_document_hover_async(place)
    assert answer and isinstance(answer.contents, types.MarkupContent)
    assert "What runs." in answer.contents.value


async def test_definition(editor: Editor):
    place = types.DefinitionParams(text_document=editor.document, position=at(SERVICE, "Server"))
    answer = await editor.client.text_document_definition_async(place)
    assert isinstance(answer, list)
    assert [(found.uri, found.range.start.line) for found in answer] == [(editor.types, 2)]


async def test_rename_in_all_files(editor: Editor):
    place = types.RenameParams(text_document=editor.document, position=at(SERVICE, "Server"), new_name="Machine")
    answer = await editor.client.text_document_rename_async(place)
    assert answer
    changed = dict(answer.changes or {})
    for change in answer.document_changes or []:
        assert isinstance(change, types.TextDocumentEdit)
        changed[change.text_document.uri] = list(change.edits)
    assert {uri: [edit.new_text for edit in edits] for uri, edits in changed.items()} == {
        editor.types: ["Machine"],
        editor.service: ["Machine"],
    }


async def test_code_action(editor: Editor):
    here = at(SERVICE, "proprties")
    context = types.CodeActionContext(diagnostics=list(editor.client.diagnostics[editor.service]))
    answer = await editor.client.text_document_code_action_async(
        types.CodeActionParams(text_document=editor.document, range=types.Range(here, here), context=context)
    )
    first = (answer or [])[0]
    assert isinstance(first, types.CodeAction) and first.is_preferred
    assert first.title == "Replace `proprties` with `properties`"
    assert first.edit
    # Editors that support it are told the version of the document.
    if first.edit.document_changes:
        [change] = first.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert (change.text_document.uri, change.text_document.version) == (editor.service, 1)
        [edit] = change.edits
    else:
        [edit] = (first.edit.changes or {})[editor.service]
    assert isinstance(edit, types.TextEdit) and (edit.range.start, edit.new_text) == (here, "properties")


async def test_yaml_of_others_is_left_alone(editor: Editor, folder: Folder):
    text = "services: { web: { imge: nginx } }\n"
    other = folder.write("compose.yaml", text).as_uri()
    item = types.TextDocumentItem(uri=other, language_id="yaml", version=1, text=text)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    await editor.show(MENDED)
    assert not editor.client.diagnostics.get(other)


async def test_lenses_count_uses(editor: Editor):
    item = types.TextDocumentItem(uri=editor.types, language_id="yaml", version=1, text=TYPES)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    document = types.TextDocumentIdentifier(uri=editor.types)
    lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    assert lenses and len(lenses) == 1
    resolved = await editor.client.code_lens_resolve_async(lenses[0])
    assert resolved.command and resolved.command.title == "1 node template uses this type"


async def test_semantic_tokens_change(editor: Editor):
    full = await editor.client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(text_document=editor.document)
    )
    assert full and full.result_id
    await editor.show(MENDED)
    parameters = types.SemanticTokensDeltaParams(text_document=editor.document, previous_result_id=full.result_id)
    delta = await editor.client.text_document_semantic_tokens_full_delta_async(parameters)
    assert isinstance(delta, types.SemanticTokensDelta) and len(delta.edits) == 1


async def test_linked_editing(editor: Editor):
    text = MENDED + "  outputs: { port: { value: { $get_property: [ web, port ] } } }\n"
    await editor.show(text)
    # Whether other files use the name is known when all have been read.
    await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query=""))
    place = types.LinkedEditingRangeParams(text_document=editor.document, position=at(text, "web"))
    answer = await editor.client.text_document_linked_editing_range_async(place)
    assert answer and [found.start.line for found in answer.ranges] == [4, 8]


async def test_calls_of_workflows(editor: Editor):
    text = MENDED + "  workflows:\n    up: { steps: { one: { target: web, activities: [ inline: down ] } } }\n    down: {}\n"
    await editor.show(text)
    place = types.CallHierarchyPrepareParams(text_document=editor.document, position=at(text, "up:"))
    [up] = await editor.client.text_document_prepare_call_hierarchy_async(place) or []
    calls = await editor.client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(item=up))
    assert [call.to.name for call in calls or []] == ["down"]
    down = (calls or [])[0].to
    calls = await editor.client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item=down))
    assert [call.from_.name for call in calls or []] == ["up"]


async def test_refactorings(editor: Editor):
    await editor.show(MENDED)
    here = at(MENDED, "80")
    context = types.CodeActionContext(diagnostics=[], only=[types.CodeActionKind.RefactorExtract])
    answer = await editor.client.text_document_code_action_async(
        types.CodeActionParams(text_document=editor.document, range=types.Range(here, here), context=context)
    )
    [action] = answer or []
    assert action.title == "Extract to input `port`"
