#!/usr/bin/env python3
"""Makes the files of a release that are not packages, and tries everything that needs no account.

    .ci/release.py sbom FILE           # bill of materials (CycloneDX 1.5) of the command
    .ci/release.py sums FOLDER         # FOLDER/SHA256SUMS
    .ci/release.py homebrew FOLDER     # FOLDER/tosca-parse.rb, from the checksums
    .ci/release.py winget FOLDER       # FOLDER/tosca-parse.winget.zip, from the checksums
    .ci/release.py dry-run [PROGRAM]   # all of this, and the packages of crates.io and npm, in a temporary folder
"""

import datetime
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DESCRIPTION = "Validates TOSCA service templates and writes their complete models"
#: The systems of Homebrew, and the targets that they stand for.
SYSTEMS = {
    ("macos", "arm"): "aarch64-apple-darwin",
    ("macos", "intel"): "x86_64-apple-darwin",
    ("linux", "arm"): "aarch64-unknown-linux-gnu",
    ("linux", "intel"): "x86_64-unknown-linux-gnu",
}
WINDOWS = "x86_64-pc-windows-msvc"


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def manifest(key: str) -> str:
    found = re.search(rf'^{key} = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert found, key
    return found[1]


def archive(target: str, extension: str = "tar.gz") -> str:
    return f"tosca-parse-v{manifest('version')}-{target}.{extension}"


def url(file: str) -> str:
    return f"{manifest('repository')}/releases/download/v{manifest('version')}/{file}"


def sbom(path: Path) -> None:
    """Writes the crates that the command contains; those of build scripts and tests are not part of it."""
    metadata = json.loads(run("cargo", "metadata", "--locked", "--format-version=1"))
    packages = {package["id"]: package for package in metadata["packages"]}
    uses = {
        node["id"]: sorted(
            dependency["pkg"]
            for dependency in node["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        )
        for node in metadata["resolve"]["nodes"]
    }
    [command] = [id for id, package in packages.items() if package["name"] == "tosca-parse-cli"]
    seen, rest = {command}, [command]
    while rest:
        rest += (new := [id for id in uses[rest.pop()] if id not in seen])
        seen.update(new)

    def purl(id: str) -> str:
        return f"pkg:cargo/{packages[id]['name']}@{packages[id]['version']}"

    def component(id: str) -> dict:
        package = packages[id]
        made = {"type": "library", "bom-ref": purl(id), "name": package["name"], "version": package["version"]}
        if package["license"]:
            made["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        return made | {"purl": purl(id)}

    path.write_text(json.dumps({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(command) | {"type": "application"}},
        "components": [component(id) for id in sorted(seen - {command}, key=purl)],
        "dependencies": [
            {"ref": purl(id), "dependsOn": sorted(purl(other) for other in uses[id])} for id in sorted(seen, key=purl)
        ],
    }, indent=1) + "\n")


def sums(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines))


def checksum(folder: Path, file: str) -> str:
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        value, name = line.split("  ", 1)
        if name == file:
            return value
    raise SystemExit(f"error: SHA256SUMS has no {file}")


def homebrew(folder: Path) -> None:
    def source(system: str, processor: str) -> str:
        file = archive(SYSTEMS[system, processor])
        return f'    on_{processor} do\n      url "{url(file)}"\n      sha256 "{checksum(folder, file)}"\n    end\n'

    systems = "\n".join(
        f"  on_{system} do\n{source(system, 'arm')}{source(system, 'intel')}  end\n" for system in ("macos", "linux")
    )
    (folder / "tosca-parse.rb").write_text(f'''class ToscaParse < Formula
  desc "{DESCRIPTION}"
  homepage "{manifest('repository')}"
  version "{manifest('version')}"
  license "{manifest('license')}"

{systems}
  def install
    bin.install "tosca-parse"
    man1.install "tosca-parse.1"
    bash_completion.install "completions/tosca-parse.bash" => "tosca-parse"
    fish_completion.install "completions/tosca-parse.fish"
    zsh_completion.install "completions/tosca-parse.zsh" => "_tosca-parse"
  end

  test do
    (testpath/"service.yaml").write "tosca_definitions_version: tosca_2_0\\n"
    system bin/"tosca-parse", "service.yaml"
  end
end
''')


def winget(folder: Path) -> None:
    """Writes the three manifests of a portable program in an archive."""
    name, version = "tosca-parse.tosca-parse", manifest("version")
    file = archive(WINDOWS, "zip")
    folder_in_archive = file.removesuffix(".zip")
    common = f"PackageIdentifier: {name}\nPackageVersion: {version}\n"
    date = datetime.datetime.now(datetime.timezone.utc).date()
    texts = {
        "version": f"{common}DefaultLocale: en-US\n",
        "defaultLocale": f"{common}PackageLocale: en-US\nPublisher: tosca-parse\nPackageName: tosca-parse\n"
        f"PackageUrl: {manifest('repository')}\nLicense: {manifest('license')}\nShortDescription: {DESCRIPTION}\n",
        "installer": f"{common}InstallerType: zip\nNestedInstallerType: portable\nNestedInstallerFiles:\n"
        f"- RelativeFilePath: {folder_in_archive}\\tosca-parse.exe\n  PortableCommandAlias: tosca-parse\n"
        f"ReleaseDate: {date}\nInstallers:\n- Architecture: x64\n  InstallerUrl: {url(file)}\n"
        f"  InstallerSha256: {checksum(folder, file).upper()}\n",
    }
    endings = {"version": "", "defaultLocale": ".locale.en-US", "installer": ".installer"}
    with zipfile.ZipFile(folder / "tosca-parse.winget.zip", "w") as made:
        for kind, text in texts.items():
            schema = f"# yaml-language-server: $schema=https://aka.ms/winget-manifest.{kind}.1.6.0.schema.json\n"
            made.writestr(f"{name}{endings[kind]}.yaml", f"{schema}{text}ManifestType: {kind}\nManifestVersion: 1.6.0\n")


def dry_run(program: Path | None) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        crates(folder)
        npm(folder, program)
        for target in [*SYSTEMS.values(), WINDOWS]:
            (folder / archive(target)).write_bytes(target.encode())
        (folder / archive(WINDOWS, "zip")).write_bytes(b"zip")
        sbom(folder / "tosca-parse.cdx.json")
        sums(folder)
        homebrew(folder)
        winget(folder)
        if shutil.which("ruby"):
            run("ruby", "-c", folder / "tosca-parse.rb")
        else:
            print("skipped: there is no ruby, which checks the syntax of the formula")
        print(f"{len(json.loads((folder / 'tosca-parse.cdx.json').read_text())['components'])} components in the SBOM")
        print("formula and manifests: written from the checksums")


def crates(folder: Path) -> None:
    """Packs all crates that are published; Cargo checks their order. They are compiled when they are published."""
    metadata = json.loads(run("cargo", "metadata", "--locked", "--no-deps", "--format-version=1"))
    private = [package["name"] for package in metadata["packages"] if package["publish"] == []]
    exclude = [word for name in private for word in ("--exclude", name)]
    pack = ["cargo", "package", "--workspace", "--locked", "--no-verify", "--allow-dirty", "--quiet"]
    run(*pack, *exclude, "--target-dir", folder / "crates")
    packed = sorted((folder / "crates/package").glob("*.crate"))
    for path in packed:
        with tarfile.open(path) as opened:
            names = [name.split("/", 1)[1] for name in opened.getnames()]
        assert any(name.startswith("src/") for name in names), f"{path.name} has no source"
    print(f"{len(packed)} crates, {sum(path.stat().st_size for path in packed) / 1e6:.1f} MB")


def npm(folder: Path, program: Path | None) -> None:
    """Packs the command for npm and runs it from a fresh folder."""
    if not shutil.which("npm") or not program:
        print("skipped: the packages of the command for npm, which need npm and a program")
        return
    run("node", "bindings/web/command/build.mjs", program, "linux-x64", folder / "npm")
    files = [run("npm", "pack", "--silent", folder / "npm" / name, cwd=folder).strip() for name in
             ("tosca-parse-command-linux-x64", "tosca-parse-command")]
    fresh = folder / "fresh"
    fresh.mkdir()
    run("npm", "init", "--yes", cwd=fresh)
    run("npm", "install", "--silent", "--omit=optional", "--no-audit", "--no-fund", *(folder / file for file in files), cwd=fresh)
    # npm names the program after the file.
    [installed] = (fresh / "node_modules/tosca-parse-command-linux-x64").glob(program.name)
    installed.rename(installed.with_name("tosca-parse"))
    print(run("npx", "--no-install", "tosca-parse", "--version", cwd=fresh).strip())


def main() -> None:
    match sys.argv[1:]:
        case ["sbom", path]:
            sbom(Path(path))
        case ["sums", folder]:
            sums(Path(folder))
        case ["homebrew", folder]:
            homebrew(Path(folder))
        case ["winget", folder]:
            winget(Path(folder))
        case ["dry-run", *program]:
            dry_run(Path(program[0]).resolve() if program else None)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
