"""Archives."""

from pathlib import Path

import pytest

from tosca_parse import ConfigError, Parser, csar

SERVICE = """\
tosca_definitions_version: tosca_2_0
imports: [ types/server.yaml ]
service_template: { node_templates: { web: { type: Server } } }
"""
TYPES = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n"


def test_archives_from_memory(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"service.yaml": SERVICE, "types/server.yaml": TYPES.encode(), "image": b"\x00"}
    data = csar.create(files, created_by="Ada")
    assert data == csar.create(dict(reversed(files.items())), created_by="Ada")
    path = tmp_path / "shop.csar"
    path.write_bytes(data)
    outcome = Parser(offline=True).parse(path)
    outcome.raise_for_errors()
    assert list(outcome.model()["nodes"]) == ["web"]
    # Archives can stay in memory.
    archives = {"shop.csar": data, "missing.csar": csar.create({"service.yaml": SERVICE})}
    parser = Parser(offline=True, loader=lambda url: archives.get(url.rpartition("/")[2]))
    assert parser.parse("shop.csar").is_valid
    assert [problem.code for problem in parser.parse("missing.csar").diagnostics] == ["T1001"]


def test_archives_from_folders(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    (folder / "types").mkdir(parents=True)
    (folder / "service.yaml").write_text(SERVICE)
    (folder / "types/server.yaml").write_text(TYPES)
    for name in ["a.csar", "a.tgz"]:
        csar.create_file(folder, tmp_path / name)
        assert Parser(offline=True).parse(tmp_path / name).is_valid
    with pytest.raises(ConfigError, match="no known extension"):
        csar.create_file(folder, tmp_path / "a.rar")
    with pytest.raises(ConfigError, match="there is no file `b.yaml`"):
        csar.create_file(folder, tmp_path / "a.csar", entry="b.yaml")
    with pytest.raises(OSError, match="nothing"):
        csar.create_file(tmp_path / "nothing", tmp_path / "a.csar")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no YAML file"),
        ({"a.yaml": TYPES, "b.yaml": TYPES}, "name it with `entry`: a.yaml, b.yaml"),
        ({"../a.yaml": TYPES}, "`../a.yaml` is not a path in an archive"),
        ({"/a.yaml": TYPES}, "not a path in an archive"),
        ({"": TYPES}, "not a path in an archive"),
        ({"c:\\a.yaml": TYPES}, "not a path in an archive"),
        ({".hidden/a.yaml": TYPES}, "is hidden"),
        ({"a.yaml": TYPES, "a.yaml/b": ""}, "`a.yaml/b` can't be a file in the archive"),
    ],
)
def test_archives_without_a_template_are_refused(files: dict[str, str | bytes], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace(".", r"\.")):
        csar.create(files)
