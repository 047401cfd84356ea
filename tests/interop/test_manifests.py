"""Validates configurations of other tools with their own validators: files of the project, and examples in `docs/ci.md`."""

import hashlib
import importlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import COMMAND, NODE_MODULES, ROOT, Folder


def told(*command: str | Path) -> str:
    """What a program says that must have nothing to complain of."""
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def program(name: str) -> Path:
    return Path(sys.executable).parent / name


def snippet(heading: str) -> str:
    """The first block of YAML in a section of the page."""
    _, section = (ROOT / "docs/ci.md").read_text().split(f"\n## {heading}\n")
    return section.split("```yaml\n")[1].split("```")[0]


def test_action():
    action = ROOT / "action.yml"
    told(program("check-jsonschema"), "--builtin-schema", "vendor.github-actions", action)
    told(program("zizmor"), "--offline", "--quiet", action)


@pytest.mark.parametrize("workflow", ["ci.yml", "release.yml"])
def test_workflows(workflow: str):
    told(program("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", ROOT / ".github/workflows" / workflow)


def test_hooks():
    told(program("pre-commit"), "validate-manifest", ROOT / ".pre-commit-hooks.yaml")


def test_containerfile(folder: Folder):
    script = Path(__file__).with_name("containerfile.mjs")
    assert told("node", script, NODE_MODULES, ROOT / "Containerfile") == ""
    assert "FORM" in told("node", script, NODE_MODULES, folder.write("Containerfile", "FORM scratch\n"))


SERVERS = {
    "GitHub": "vendor.github-workflows",
    "GitLab": "vendor.gitlab-ci",
    "Azure Pipelines": "vendor.azure-pipelines",
    "reviewdog": "vendor.github-workflows",
}


@pytest.mark.parametrize("heading", SERVERS)
def test_examples_for_servers(folder: Folder, heading: str):
    example = folder.write("example.yml", snippet(heading))
    told(program("check-jsonschema"), "--builtin-schema", SERVERS[heading], example)


def test_example_for_jenkins():
    _, section = (ROOT / "docs/ci.md").read_text().split("\n## Jenkins\n")
    script = section.split("```groovy\n")[1].split("```")[0]
    assert script.count("{") == script.count("}") and script.startswith("pipeline {")


def test_helix():
    tomllib = pytest.importorskip("tomllib")
    languages = tomllib.loads((ROOT / "editors/helix/languages.toml").read_text())
    [yaml] = languages["language"]
    servers = languages["language-server"]
    assert yaml["name"] == "yaml" and set(servers) <= set(yaml["language-servers"])
    assert servers["tosca-parse"] == {"command": "tosca-parse", "args": ["server"]}


def test_example_for_hooks(folder: Folder):
    _, section = (ROOT / "docs/ci.md").read_text().split("\n## pre-commit\n")
    for number, text in enumerate(section.split("```yaml\n")[1:]):
        path = folder.write(f"{number}/.pre-commit-config.yaml", text.split("```")[0])
        told(program("pre-commit"), "validate-config", path)


def test_release(tmp_path: Path):
    """The manifests of package managers have the checksums of the files that they name."""
    script = ROOT / ".ci/release.py"
    targets = {
        "x86_64-unknown-linux-gnu.tar.gz", "aarch64-unknown-linux-gnu.tar.gz", "x86_64-apple-darwin.tar.gz",
        "aarch64-apple-darwin.tar.gz", "x86_64-pc-windows-msvc.zip",
    }
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    for target in targets:
        (tmp_path / f"tosca-parse-v{version}-{target}").write_text(target)
    for kind in ("sums", "homebrew", "winget"):
        told(sys.executable, script, kind, tmp_path)
    formula = (tmp_path / "tosca-parse.rb").read_text()
    found = re.findall(r'url "(.*)"\n +sha256 "(.*)"', formula)
    with zipfile.ZipFile(tmp_path / "tosca-parse.winget.zip") as archive:
        manifests = [archive.read(name).decode() for name in archive.namelist()]
    assert len(manifests) == 3
    found += [(url, sum.lower()) for text in manifests for url, sum in re.findall(r"InstallerUrl: (.*)\n.*Sha256: (.*)\n", text)]
    assert len(found) == len(targets)
    for url, sum in found:
        assert hashlib.sha256((tmp_path / url.rpartition("/")[2]).read_bytes()).hexdigest() == sum
        assert f"/releases/download/v{version}/" in url


#: The keys that manifests of winget 1.6 must have, and the patterns of their values.
WINGET = {
    "PackageIdentifier": r"[^.\s\\/:*?\"<>|]{1,32}(\.[^.\s\\/:*?\"<>|]{1,32}){1,7}",
    "PackageVersion": r"[^\\/:*?\"<>|]{1,128}",
    "ManifestVersion": r"1\.6\.0",
}
WINGET_KINDS = {
    "version": {"DefaultLocale": r"[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*"},
    "defaultLocale": {
        "PackageLocale": r"[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*",
        "Publisher": r".{2,256}",
        "PackageName": r".{2,256}",
        "License": r".{3,512}",
        "ShortDescription": r".{3,256}",
    },
    "installer": {"InstallerType": "zip", "NestedInstallerType": "portable", "ReleaseDate": r"\d{4}-\d\d-\d\d"},
}
WINGET_INSTALLER = {"Architecture": "x64", "InstallerUrl": r"https://.{1,2000}", "InstallerSha256": r"[A-Fa-f0-9]{64}"}


def misfits(manifest: dict, patterns: dict[str, str]) -> list[str]:
    """The keys whose value is missing or has another pattern."""
    return [key for key, pattern in patterns.items() if not re.fullmatch(pattern, str(manifest.get(key, "")))]


def test_manifests_of_winget(tmp_path: Path):
    yaml = importlib.import_module("ruamel.yaml").YAML(typ="safe")
    script = ROOT / ".ci/release.py"
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    (tmp_path / f"tosca-parse-v{version}-x86_64-pc-windows-msvc.zip").write_text("zip")
    for kind in ("sums", "winget"):
        told(sys.executable, script, kind, tmp_path)
    with zipfile.ZipFile(tmp_path / "tosca-parse.winget.zip") as archive:
        manifests = [yaml.load(archive.read(name)) for name in archive.namelist()]
    assert {manifest["ManifestType"] for manifest in manifests} == set(WINGET_KINDS)
    for manifest in manifests:
        assert misfits(manifest, WINGET | WINGET_KINDS[manifest["ManifestType"]]) == []
    [installer] = [manifest for manifest in manifests if "Installers" in manifest]
    assert [misfits(one, WINGET_INSTALLER) for one in installer["Installers"]] == [[]]
    [file] = installer["NestedInstallerFiles"]
    assert 0 < len(file["PortableCommandAlias"]) <= 40 and 0 < len(file["RelativeFilePath"]) <= 512
    assert misfits({"PackageIdentifier": "no-publisher"}, WINGET) == list(WINGET)


def test_bill_of_materials(tmp_path: Path):
    """The bill of materials of the command is valid, and contains the crates of the project but no test tools."""
    validation = pytest.importorskip("cyclonedx.validation.json")
    schema = pytest.importorskip("cyclonedx.schema")
    path = tmp_path / "bom.json"
    told(sys.executable, ROOT / ".ci/release.py", "sbom", path)
    assert validation.JsonStrictValidator(schema.SchemaVersion.V1_5).validate_str(path.read_text()) is None
    names = {component["name"] for component in json.loads(path.read_text())["components"]}
    assert {"tosca-parse", "tosca-parse-engine", "clap"} <= names and "insta" not in names


def test_verdicts_of_suites_are_compared(folder: Folder):
    """A clone with one right and one wrong verdict."""
    suite = folder.path / "clone/tests/tosca_2_0/types"
    for name, code in (("right", 0), ("wrong", 1)):
        folder.write(str(suite / f"{name}.yaml"), "tosca_definitions_version: tosca_2_0\n")
        folder.write(str(suite / f"{name}_test.py"), f"self.assertEqual(result.returncode, {code},\n")
    told_of = told(sys.executable, ROOT / ".ci/conformance.py", "oasis", folder.path / "clone", "--program", COMMAND)
    assert told_of.splitlines() == [
        "types/wrong.yaml: the suite says invalid, tosca-parse says valid", "1 of 2 verdicts are those of the suite",
    ]


def test_broken_links_of_the_site_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "site")
    links = importlib.import_module("links")
    (tmp_path / "a.html").write_text('<h1 id="x">A</h1><a href="b.html#y">B</a><a href="https://example.org">C</a>')
    (tmp_path / "b.html").write_text('<h1 id="y">B</h1><a href="a.html#x">A</a>')
    assert links.check(tmp_path) == ([], 2, 2)
    (tmp_path / "b.html").write_text('<h1 id="z">B</h1><a href="c.html">C</a><img src="d.svg">')
    problems, *_ = links.check(tmp_path)
    assert problems == [
        "a.html: `b.html#y` leads nowhere", "b.html: `c.html` leads nowhere", "b.html: `d.svg` leads nowhere",
    ]
