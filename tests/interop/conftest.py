"""Where the command is, and the packages of npm; what tests share."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

ROOT = Path(__file__).parents[2]
COMMAND = Path(os.environ.get("TOSCA_PARSE", ROOT / "target/debug/tosca-parse")).absolute()

# The requests of the server to request something again.
REFRESHES = [
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
]
NODE_MODULES = Path(os.environ.get("NODE_MODULES", Path(__file__).parent / "node_modules")).absolute()


class Folder:
    """A folder of files in which the command is run."""

    def __init__(self, path: Path):
        self.path = path

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *arguments: str) -> str:
        """Runs the command, and returns its standard output."""
        # Ignore the configuration of the user who runs the tests.
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.path)}
        run = subprocess.run([COMMAND, *arguments], cwd=self.path, env=environment, capture_output=True, text=True)
        assert run.returncode in (0, 1), run.stderr
        return run.stdout

    def problems(self, *files: str) -> list[dict]:
        """Returns the problems of files as JSON."""
        return json.loads(self.run(*files, "--format", "json"))["diagnostics"]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def at(text: str, word: str) -> types.Position:
    """The beginning of the first occurrence of a word."""
    before = text[: text.index(word)]
    return types.Position(line=before.count("\n"), character=len(before) - before.rfind("\n") - 1)


async def problems_of(client: LanguageClient, uri: str, version: int) -> None:
    """Waits until a server has told the problems of a version of a text."""
    told = None
    while told is None or told.uri != uri or told.version not in (None, version):
        told = await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
