"""The JSON Schemas of templates in yaml-language-server, chosen as `docs/editors.md` says: by a comment in the first line."""

import pytest
import pytest_lsp
from conftest import NODE_MODULES, ROOT, Folder, at, problems_of
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PAGE = (ROOT / "docs/editors.md").read_text()
COMMAND = ["node", str(NODE_MODULES / "yaml-language-server/bin/yaml-language-server"), "--stdio"]

TEMPLATES = {
    "1.3": """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    web:
      type: tosca.nodes.Root
      porperties: { port: 80 }
      
""",
    "2.0": """\
tosca_definitions_version: tosca_2_0
service_template:
  node_templates:
    web:
      type: Server
      porperties: { port: 80 }
      
""",
}

# Keynames of a node template that only the one version has, or both.
EXPECTED = {
    "1.3": ({"properties", "node_filter", "copy"}, {"count"}),
    "2.0": ({"properties", "node_filter", "copy", "count"}, set()),
}


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND))
async def client(lsp_client: LanguageClient):
    # Nothing is fetched.
    settings = {"schemaStore": {"enable": False}, "kubernetesCRDStore": {"enable": False}, "completion": True}
    lsp_client.set_configuration(settings, section="yaml")
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
    lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda _: None)
    capabilities = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.parametrize("version", TEMPLATES)
async def test_a_misspelt_keyname_and_completion(client: LanguageClient, folder: Folder, version: str):
    folder.write(f"tosca-{version}.schema.json", folder.run("schema", f"tosca-{version}"))
    comment = next(line for line in PAGE.splitlines() if line.startswith("# yaml-language-server: $schema="))
    text = f"{comment.replace('2.0', version)}\n{TEMPLATES[version]}"
    uri = folder.write("service.yaml", text).as_uri()
    document = types.TextDocumentItem(uri=uri, language_id="yaml", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    await problems_of(client, uri, 1)
    problems = [(problem.range.start, problem.message) for problem in client.diagnostics[uri]]
    assert problems == [(at(text, "porperties"), "Property porperties is not allowed.")]

    end = types.Position(line=text.count("\n") - 1, character=6)
    answer = await client.text_document_completion_async(
        types.CompletionParams(text_document=types.TextDocumentIdentifier(uri), position=end)
    )
    items = answer.items if isinstance(answer, types.CompletionList) else answer or []
    labels = {item.label for item in items}
    has, lacks = EXPECTED[version]
    assert has <= labels and not lacks & labels, labels
    assert all(item.documentation for item in items if item.label in has)
