"""Reads reports with the tools that display them; all must contain the same problems as `--format json`."""

import json
import os
import subprocess
from collections import Counter

import jsonschema
import pytest
from conftest import NODE_MODULES, Folder
from junitparser import Error, Failure, JUnitXml

# Names that formats might misinterpret.
FILES = {
    "types.yaml": "tosca_definitions_version: tosca_2_0\nnode_types: { Server: { properties: { port: { type: integer } } } }\n",
    "a, b=c.yaml": """\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    web: { type: "Se::rver%0A,<&>" }
    db: { type: Server, properties: { prot: 5432, port: "80" } }
""",
    "100%25/ünï.yaml": """\
tosca_definitions_version: tosca_2_0
node_types:
  "\U0001f680 a\\nb": { derived_from: No, properties: { a: { type: boolean, default: True } } }
""",
    "broken.yaml": "tosca_definitions_version: tosca_2_0\nnode_types: {\n",
}


@pytest.fixture
def files(folder: Folder) -> list[str]:
    for name, text in FILES.items():
        folder.write(name, text)
    return list(FILES)


def test_sarif_is_valid(folder: Folder, files: list[str]):
    (folder.path / "report.sarif").write_text(folder.run(*files, "--format", "sarif"))
    # It exits with 0 whatever it finds, but writes what that is.
    validator = NODE_MODULES / "@microsoft/sarif-multitool-linux/Sarif.Multitool"
    environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}

    def validated(name: str) -> set[str]:
        command = [validator, "validate", name, "--log", "ForceOverwrite", "--output", "found.json"]
        subprocess.run(command, cwd=folder.path, env=environment, check=True, capture_output=True)
        found = json.loads((folder.path / "found.json").read_text())
        return {f"{result['ruleId']} {result['locations']}" for result in found["runs"][0]["results"]}

    assert validated("report.sarif") == set()
    log = json.loads((folder.path / "report.sarif").read_text())
    assert len(log["runs"][0]["results"]) == len(folder.problems(*files))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    (folder.path / "wrong.sarif").write_text(json.dumps(log))
    assert any(found.startswith("JSON1008 ") for found in validated("wrong.sarif"))


def test_junit_is_read(folder: Folder, files: list[str]):
    path = folder.write("report.xml", folder.run(*files, "--format", "junit"))
    suites = list(JUnitXml.fromfile(str(path)))
    wrong = Counter()
    for suite in suites:
        results = [result for case in suite for result in case.result]
        assert suite.tests == len(list(suite)) and suite.failures + suite.errors == len(results)
        assert all(isinstance(result, (Error, Failure)) and result.message for result in results)
        wrong[suite.name] += len(results)
    errors = [problem for problem in folder.problems(*files) if problem["severity"] == "error"]
    assert +wrong == Counter(problem["file"] for problem in errors)


# What GitLab needs of an entry (https://docs.gitlab.com/ci/testing/code_quality/), which has no schema of it.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path"],
                "oneOf": [{"required": ["lines"]}, {"required": ["positions"]}],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/.]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                    "positions": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {
                            "begin": {
                                "type": "object",
                                "required": ["line"],
                                "properties": {"line": {"type": "integer", "minimum": 1}},
                            }
                        },
                    },
                },
            },
        },
    },
}


def test_gitlab_has_what_it_needs(folder: Folder, files: list[str]):
    report = json.loads(folder.run(*files, "--format", "gitlab"))
    jsonschema.validate(report, GITLAB)
    assert len({entry["fingerprint"] for entry in report}) == len(report) == len(folder.problems(*files))
    assert all((folder.path / entry["location"]["path"]).is_file() for entry in report)


def github(line: str) -> tuple[str, dict[str, str], str]:
    """Parses a command like the GitHub runner: its name, properties and text."""
    assert line.startswith("::")
    head, text = line[2:].split("::", 1)
    command, _, rest = head.partition(" ")
    pairs = (pair.split("=", 1) for pair in rest.split(","))
    signs = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]

    def plain(text: str, signs: list[tuple[str, str]]) -> str:
        for written, meant in signs:
            text = text.replace(written, meant)
        return text

    properties = {key.strip(): plain(value, signs) for key, value in pairs}
    return command, properties, plain(text, signs[:2] + signs[4:])


def test_github_shows_all_at_their_places(folder: Folder, files: list[str]):
    lines = folder.run(*files, "--format", "github").splitlines()
    problems = folder.problems(*files)
    assert len(lines) == len(problems)
    for line, problem in zip(lines, problems, strict=True):
        command, properties, text = github(line)
        assert command == problem["severity"]
        assert properties["file"] == problem["file"] and (folder.path / properties["file"]).is_file()
        start, end = problem["start"], problem["end"]
        assert (properties["line"], properties["endLine"]) == (str(start["line"]), str(end["line"]))
        # Columns are taken of one line only.
        if properties["line"] == properties["endLine"]:
            assert properties["col"] == str(start["column"])
        assert properties["title"].startswith(problem["code"])
        assert text.startswith(problem["message"])
