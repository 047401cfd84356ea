"""A day's work in an editor: a file is typed, a mistake is repaired, a type is renamed in 2,000 files, a file is moved,
and a file is formatted. In the end, the command finds all files valid."""

import subprocess
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest_lsp
from conftest import COMMAND, REFRESHES, Folder, at
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SERVICES = 2000

TYPES = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    description: A machine that runs programs.
    properties:
      port: { type: integer }
      memory: { type: integer, required: false }
"""

SERVICE = """\
tosca_definitions_version: tosca_2_0
imports: [ ../types.yaml ]
service_template:
  node_templates:
    web: { type: Server, properties: { port: 80 } }
"""

START = """\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
"""


def path_of(uri: str) -> Path:
    return Path(unquote(urlparse(uri).path))


def with_edits(text: str, edits: list[types.TextEdit]) -> str:
    """Returns a text with the edits of a server. All characters are ASCII."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(position: types.Position) -> int:
        return min(starts[min(position.line, len(starts) - 1)] + position.character, len(text))

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def by_file(change: types.WorkspaceEdit | None) -> dict[str, list[types.TextEdit]]:
    """Returns the edits of a change, for each file."""
    assert change
    files = {uri: list(edits) for uri, edits in (change.changes or {}).items()}
    for document in change.document_changes or []:
        assert isinstance(document, types.TextDocumentEdit)
        files.setdefault(document.text_document.uri, []).extend(document.edits)
    return files


class Day:
    """An editor with one open file."""

    def __init__(self, client: LanguageClient, folder: Folder):
        self.client = client
        self.folder = folder
        self.uri = folder.write("new.yaml", START).as_uri()
        self.text = START
        self.version = 1

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri=self.uri)

    @property
    def end(self) -> types.Position:
        return types.Position(self.text.count("\n"), len(self.text) - self.text.rfind("\n") - 1)

    def open(self) -> None:
        item = types.TextDocumentItem(uri=self.uri, language_id="yaml", version=1, text=self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    async def problems(self) -> list[types.Diagnostic]:
        parameters = types.DocumentDiagnosticParams(text_document=self.document)
        report = await self.client.text_document_diagnostic_async(parameters)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)

    async def codes(self) -> list[str | int | None]:
        return [problem.code for problem in await self.problems()]

    def edit(self, *edits: types.TextEdit) -> None:
        """Applies edits one after another, as editors do."""
        ordered = sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True)
        self.text = with_edits(self.text, list(edits))
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        changes = [types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text) for edit in ordered]
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=document, content_changes=changes)
        )

    def type(self, text: str) -> None:
        self.edit(types.TextEdit(range=types.Range(self.end, self.end), new_text=text))

    async def complete(self, label: str) -> None:
        """Completes the name at the end of the text with a proposal."""
        parameters = types.CompletionParams(text_document=self.document, position=self.end)
        answer = await self.client.text_document_completion_async(parameters)
        items = answer.items if isinstance(answer, types.CompletionList) else answer or []
        [item] = [item for item in items if item.label == label]
        edit = item.text_edit
        assert isinstance(edit, types.TextEdit) and not item.additional_text_edits
        self.edit(edit)

    def save(self) -> None:
        path_of(self.uri).write_text(self.text)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=self.document))

    def apply(self, change: types.WorkspaceEdit | None) -> int:
        """Writes a change to the files, like an editor that saves all of them, and returns their number."""
        files = by_file(change)
        number = len(files)
        own = files.pop(self.uri, [])
        for uri, edits in files.items():
            path = path_of(uri)
            path.write_text(with_edits(path.read_text(), edits))
        events = [types.FileEvent(uri=uri, type=types.FileChangeType.Changed) for uri in files]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=events))
        self.edit(*own)
        self.save()
        return number

    def assert_valid(self, path: str) -> None:
        """Asserts that the command finds no problem in a file or folder."""
        run = subprocess.run([COMMAND, "--no-config", path], cwd=self.folder.path, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[str(COMMAND), "server", "--no-config"]))
async def client(lsp_client: LanguageClient, tmp_path: Path):
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def _(_: types.RegistrationParams) -> None:
        pass

    for refresh in REFRESHES:
        lsp_client.feature(refresh)(lambda _: None)

    folder = Folder(tmp_path)
    folder.write("types.yaml", TYPES)
    for number in range(SERVICES):
        folder.write(f"services/{number}.yaml", SERVICE)
    capabilities = client_capabilities("visual-studio-code")
    folders = [types.WorkspaceFolder(uri=tmp_path.as_uri(), name="work")]
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities, workspace_folders=folders))
    yield
    await lsp_client.shutdown_session()
    assert lsp_client.error is None


async def test_a_day(client: LanguageClient, folder: Folder):
    day = Day(client, folder)
    day.open()
    assert await day.codes() == []

    day.type("service_te")
    await day.complete("service_template")
    assert day.text == START + "service_template:\n  "
    day.type("node_templates:\n    web:\n      type: Ser")
    await day.complete("Server")
    assert await day.codes() == ["T5106"], "the property `port` is missing"
    day.type("\n      properties:\n        po")
    await day.complete("port")
    assert day.text.endswith("        port: ")
    day.type("80\n        memry: 1\n")
    assert await day.codes() == ["T5001"]

    here = at(day.text, "memry")
    context = types.CodeActionContext(diagnostics=await day.problems())
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=day.document, range=types.Range(here, here), context=context)
    )
    repair = (actions or [])[0]
    assert isinstance(repair, types.CodeAction) and repair.title == "Replace `memry` with `memory`"
    day.apply(repair.edit)
    assert await day.codes() == []
    assert "        memory: 1\n" in day.text

    server = at(day.text, "Server")
    hover = await client.text_document_hover_async(types.HoverParams(text_document=day.document, position=server))
    assert hover and isinstance(hover.contents, types.MarkupContent)
    assert "A machine that runs programs." in hover.contents.value

    renamed = await client.text_document_rename_async(
        types.RenameParams(text_document=day.document, position=server, new_name="Machine")
    )
    assert day.apply(renamed) == SERVICES + 2
    assert "type: Machine" in day.text
    assert await day.codes() == []

    old, new = folder.path / "types.yaml", folder.path / "lib" / "types.yaml"
    file = types.FileRename(old_uri=old.as_uri(), new_uri=new.as_uri())
    moved = await client.workspace_will_rename_files_async(types.RenameFilesParams(files=[file]))
    new.parent.mkdir()
    old.rename(new)
    events = [
        types.FileEvent(uri=old.as_uri(), type=types.FileChangeType.Deleted),
        types.FileEvent(uri=new.as_uri(), type=types.FileChangeType.Created),
    ]
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=events))
    assert day.apply(moved) == SERVICES + 1
    assert "imports: [ lib/types.yaml ]" in day.text
    assert await day.codes() == []
    day.assert_valid(".")

    day.edit(types.TextEdit(range=types.Range(at(day.text, " 80"), at(day.text, "80")), new_text="     "))
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(text_document=day.document, options=options)
    )
    day.edit(*(edits or []))
    day.save()
    assert "port: 80\n" in day.text
    subprocess.run([COMMAND, "fmt", "--no-config", "--check", "new.yaml"], cwd=folder.path, check=True)
    day.assert_valid("new.yaml")
