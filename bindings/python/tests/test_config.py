"""Parsers read the configurations of projects, as the command does."""

import pickle
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from tosca_parse import ConfigError, ConfigWarning, Parser

MISSPELLED = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server: { derived_from: Sever }
"""

SERVICE = """\
tosca_definitions_version: tosca_2_0
service_template:
  inputs: { port: { type: integer } }
  node_templates: {}
  outputs: { at: { value: { $get_input: port } } }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/wrong.yaml").write_text(MISSPELLED)
    (tmp_path / "shop/service.yaml").write_text(SERVICE)
    return tmp_path


def configure(project: Path, text: str) -> None:
    (project / "tosca-parse.yaml").write_text(text)


def test_projects_set_levels(project: Path) -> None:
    configure(project, "rules: { unknown-name: warn }\n")
    path = project / "shop/wrong.yaml"
    assert [problem.severity for problem in Parser().parse(path).diagnostics] == ["warning"]
    assert Parser().parse(path).is_valid
    for parser in [Parser(config=False), Parser(deny=["unknown-name"]), Parser(sandbox=True),
                   Parser(loader=lambda url: None)]:
        assert not parser.parse(path).is_valid
    assert Parser(sandbox=True, config=True).parse(path).is_valid
    assert Parser(loader=lambda url: None, config=True).parse(path).is_valid
    assert Parser(config=None).parse(path).is_valid


def test_texts_are_checked_as_if_they_were_files(project: Path) -> None:
    configure(project, "rules: { unknown-name: warn }\n")
    assert Parser(directory=project).parse_text(MISSPELLED).is_valid
    assert Parser(directory=project).parse_text(MISSPELLED, "http://localhost/a.yaml").is_valid
    assert not Parser(directory=project.parent).parse_text(MISSPELLED).is_valid
    assert Parser().parse_text(MISSPELLED, str(project / "new/a.yaml")).is_valid


def test_the_nearest_configuration_applies_and_is_read_again(project: Path) -> None:
    configure(project, "rules: { unknown-name: allow }\n")
    parser, path = Parser(), project / "shop/wrong.yaml"
    assert parser.parse(path).diagnostics == []
    nearer = project / "shop/.tosca-parse.yaml"
    nearer.write_text("rules: { unknown-name: warn }\n")
    assert [problem.severity for problem in parser.parse(path).diagnostics] == ["warning"]
    nearer.write_text("rules: { unknown-name: deny }\n")
    assert not parser.parse(path).is_valid
    nearer.unlink()
    assert parser.parse(path).diagnostics == []


def test_a_named_configuration_replaces_those_of_projects(project: Path) -> None:
    configure(project, "rules: { unknown-name: warn }\n")
    named = project / "named.yaml"
    named.write_text("rules: { unknown-name: allow }\nlimits: { source-size: 1G }\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser = Parser(config=named)
        assert parser.parse(project / "shop/wrong.yaml").diagnostics == []
    assert pickle.loads(pickle.dumps(parser)).parse(project / "shop/wrong.yaml").diagnostics == []
    with pytest.raises(ConfigError, match="can't read the configuration `absent.yaml`"):
        Parser(config="absent.yaml")
    with pytest.raises(ConfigError, match="`config` must be a path or a boolean, not a value of type `int`"):
        Parser(config=3)  # type: ignore[arg-type]


def test_inputs_of_projects_are_overridden(project: Path) -> None:
    configure(project, "inputs: { port: 80 }\noverrides: [{ files: [x.yaml], inputs: { port: 1 } }]\n")
    path = project / "shop/service.yaml"
    outputs = [parser.parse(path, inputs=inputs).evaluate()["service"]["outputs"]["at"]["value"]
               for parser, inputs in [(Parser(), None), (Parser(), {"port": 90})]]
    assert outputs == [80, 90]
    (project / "shop/x.yaml").write_text(SERVICE)
    assert Parser().parse(project / "shop/x.yaml").evaluate()["service"]["outputs"]["at"]["value"] == 1
    configure(project, "inputs: { port: many }\n")
    # A wrong value is reported even if it is overridden.
    for outcome in Parser().parse_many([path, path], inputs=[None, {"port": 90}]):
        [problem] = outcome.diagnostics
        assert (problem.code, problem.file) == ("T5101", str(project / "tosca-parse.yaml"))


def test_projects_only_lower_limits(project: Path) -> None:
    configure(project, "limits: { archive-ratio: 100000 }\n")
    with pytest.warns(ConfigWarning, match="archive-ratio: ignored, because a project can't raise it above"):
        parser = Parser()
        assert parser.parse(project / "shop/service.yaml").is_valid
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser.parse(project / "shop/service.yaml")  # Reported only once.
    configure(project, "limits: { source-size: 10 }\n")
    [problem] = parser.parse(project / "shop/service.yaml").diagnostics
    assert problem.code == "T1004"
    assert Parser(limits={"bytes": 1000}).parse(project / "shop/service.yaml").is_valid


def test_sandboxes_ignore_paths_outside_of_the_project(project: Path) -> None:
    (project / "library").mkdir()
    (project / "shop/tosca-parse.yaml").write_text("import_paths: [ ../library ]\n")
    parser = Parser(sandbox=True, config=True)
    with pytest.warns(ConfigWarning, match="import_paths: `../library` is ignored"):
        parser.parse(project / "shop/service.yaml")


def test_mistakes_have_positions(project: Path) -> None:
    configure(project, "strict: true\nrulez: {}\n")
    parser, path = Parser(), project / "shop/service.yaml"
    calls: list[Callable[[], object]] = [
        lambda: parser.parse(path), lambda: parser.parse_many([path]), lambda: list(parser.parse_iter([path])),
        lambda: parser.resolve(path), lambda: parser.fix_text(SERVICE, str(path)),
    ]
    for call in calls:
        with pytest.raises(ConfigError, match=r"tosca-parse.yaml:2:1: unknown key `rulez`") as caught:
            call()
        [problem] = caught.value.diagnostics
        assert (problem.start.line, problem.start.column, problem.start.offset) == (2, 1, 13)
        assert problem.file == str(project / "tosca-parse.yaml") and problem.is_error
        assert problem.message.startswith("can't read the configuration: unknown key `rulez`")
    assert parser.parse_text(SERVICE, str(project.parent / "a.yaml")).is_valid


def test_rows_of_invalid_configurations(project: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from tosca_parse import arrow

    (project / "shop/tosca-parse.yaml").write_text("rulez: {}\n")
    (project / "good.yaml").write_text(SERVICE)
    batch = pa.RecordBatch.from_pydict({"uri": [str(project / "shop/service.yaml"), str(project / "good.yaml")]})
    rows = arrow.validate(batch).to_pylist()
    assert [(row["valid"], row["code"], row["start_line"]) for row in rows] == [(False, "T1002", 1), (True, None, None)]
    assert rows[0]["file"] == str(project / "shop/tosca-parse.yaml")
    assert all(row["valid"] for row in arrow.validate(batch, config=False).to_pylist())


def test_custom_rules(project: Path) -> None:
    configure(project, """\
custom_rules:
  no-input: { kind: parameter definition, path: service_template/inputs/*, condition: false, message: "no `{name}`" }
""")
    path = project / "shop/service.yaml"
    [problem] = Parser().parse(path).diagnostics
    assert (problem.code, problem.message) == ("no-input", "no `port`")
    assert Parser(directory=project, allow=["no-input"]).parse(path).diagnostics == []
    with pytest.raises(ConfigError, match="no-output"):
        Parser(directory=project, allow=["no-output"])
    with pytest.raises(ConfigError, match="no-input"):
        Parser(directory=project, allow=["no-input"], config=False)


def test_many_projects_are_bounded(project: Path) -> None:
    paths = []
    for number in range(100):
        folder = project / f"p{number}"
        folder.mkdir()
        (folder / "tosca-parse.yaml").write_text(f"rules: {{ unknown-name: {'warn' if number % 2 else 'allow'} }}\n")
        (folder / "a.yaml").write_text(MISSPELLED)
        paths.append(folder / "a.yaml")
    parser = Parser(threads=2)
    for _ in range(2):
        outcomes = parser.parse_many(paths)
        assert [len(outcome.diagnostics) for outcome in outcomes] == [number % 2 for number in range(100)]
