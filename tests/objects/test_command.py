"""The command reads templates and their imports from emulated object stores."""

import io
import json
import os
import pathlib
import subprocess
import urllib.request
import zipfile

import pytest

from conftest import ALL, Bucket, Store

HEADER = "tosca_definitions_version: tosca_2_0\n"
TYPES = 60


def shop(folder: str = "") -> dict[str, str]:
    """A template in a folder, and the many files that it imports."""
    types = {f"{folder}types/t{number}.yaml": f"{HEADER}node_types: {{ T{number}: {{}} }}\n" for number in range(TYPES)}
    imports = "".join(f"- types/t{number}.yaml\n" for number in range(1, TYPES))
    nodes = "".join(f"    n{number}: {{ type: T{number} }}\n" for number in range(TYPES))
    # Names with characters that mean something in URLs.
    base = f"{folder}types/base #1 100%.yaml"
    types[base] = f"{HEADER}imports: [ 't0.yaml' ]\n"
    service = f"{HEADER}imports:\n{imports}- 'types/base #1 100%.yaml'\nservice_template:\n  node_templates:\n{nodes}"
    return {**types, f"{folder}service.yaml": service}


def archive(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as writer:
        for name, content in files.items():
            writer.writestr(name, content)
    return packed.getvalue()


@pytest.fixture
def bucket(store: Store) -> Bucket:
    return store.bucket()


def test_template_and_imports_are_read(bucket: Bucket, run) -> None:
    bucket.put(shop("a/"))
    done = run(bucket.store.variables, bucket.url("a/service.yaml"), "--emit", "json")
    assert done.code == 0, done.all
    assert len(json.loads(done.out)["nodes"]) == TYPES


def test_problems_have_the_address_of_the_object(bucket: Bucket, run) -> None:
    bucket.put({"a.yaml": f"{HEADER}service_template: {{ node_templates: {{ n: {{ type: Missing }} }} }}\n"})
    done = run(bucket.store.variables, bucket.url("a.yaml"), "--format", "concise")
    assert done.code == 1
    assert f"{bucket.url('a.yaml')}:2:" in done.out, done.all


def test_archives_are_read(bucket: Bucket, run) -> None:
    # The template of an archive must be in its root.
    bucket.put({"a/shop.csar": archive({**shop(), "extra.txt": "x"})})
    done = run(bucket.store.variables, bucket.url("a/shop.csar"), "--emit", "json")
    assert done.code == 0, done.all
    assert len(json.loads(done.out)["nodes"]) == TYPES
    listed = run(bucket.store.variables, "csar", "list", bucket.url("a/shop.csar"))
    assert listed.code == 0 and "extra.txt" in listed.out, listed.all


FOLDER = {
    "a/one.yaml": HEADER,
    "a/b/two.yml": HEADER + "nod_types: {}\n",
    "a/b/shop.csar": archive({"service.yaml": HEADER}),
    "a/.hidden/three.yaml": HEADER,
    "a/values.yaml": "port: 1\n",
    "a/text.txt": HEADER,
    "ab/four.yaml": "nod_types: {}\n",
}


def check_folder(variables: dict[str, str], url: str, run) -> None:
    """Validates the folder with the files above, at the root of a bucket."""
    done = run(variables, f"{url}a/", "--format", "json")
    assert done.code == 1, done.all
    assert "two.yml" in done.out and "four.yaml" not in done.out, done.all
    full = run(variables, f"{url}a/")
    assert "2 of 3 files are valid" in full.out, full.all
    limited = run(variables, url, "--limit", "store-objects=3")
    assert limited.code == 2 and "more than 3 objects; list a smaller folder" in limited.err, limited.all
    empty = run(variables, f"{url}nothing/")
    assert empty.code == 2 and "there is no TOSCA file" in empty.err, empty.all


def test_folders_are_listed(bucket: Bucket, run) -> None:
    if bucket.store.scheme == "gs":
        pytest.skip("the emulator has no listing in XML; see the next test")
    bucket.put(FOLDER)
    check_folder(bucket.store.variables, bucket.url(), run)


def test_folders_of_google_cloud_storage_are_listed(run, listing) -> None:
    url, files = listing
    files.update({key: content if isinstance(content, bytes) else content.encode() for key, content in FOLDER.items()})
    check_folder({"STORAGE_EMULATOR_HOST": url}, "gs://box/", run)


@pytest.mark.parametrize("scheme", ["s3", "gs"])
def test_endless_listings_end(scheme: str, run, listing) -> None:
    url, files = listing
    files["endless/"] = b""
    done = run({"AWS_ENDPOINT_URL": url, "STORAGE_EMULATOR_HOST": url}, f"{scheme}://box/endless/")
    assert done.code == 2 and "sent more than 100 pages without a new object" in done.err, done.all


def test_missing_objects_and_buckets_are_reported(bucket: Bucket, run) -> None:
    bucket.put({"a.yaml": f"{HEADER}imports: [ b.yaml ]\n"})
    missing = run(bucket.store.variables, bucket.url("a.yaml"))
    assert missing.code == 3 and "it does not exist" in missing.all, missing.all
    other = run(bucket.store.variables, f"{bucket.store.scheme}://nosuchbucket/a.yaml")
    assert other.code == 3 and ("404" in other.all or "does not exist" in other.all), other.all


def test_other_buckets_must_be_named(bucket: Bucket, run) -> None:
    other = bucket.store.bucket()
    other.put({"types.yaml": HEADER})
    bucket.put({"a.yaml": f"{HEADER}imports: [ '{other.url('types.yaml')}' ]\n"})
    variables, url, whole = bucket.store.variables, bucket.url("a.yaml"), other.url().rstrip("/")
    refused = run(variables, url)
    assert refused.code == 1 and "a bucket that you have not named" in refused.all, refused.all
    assert f"refer to `{whole}`" in refused.all and "--allow-bucket" in refused.all, refused.all
    assert run(variables, url, "--allow-bucket", whole).code == 0
    assert run(variables, url, other.url("types.yaml")).code == 0
    misused = run(variables, url, "--allow-bucket", other.url("types.yaml"))
    assert misused.code == 2 and "it must be" in misused.err, misused.all


def test_local_templates_import_objects_outside_a_sandbox(bucket: Bucket, run, tmp_path: pathlib.Path) -> None:
    bucket.put({"types.yaml": HEADER})
    (tmp_path / "local.yaml").write_text(f"{HEADER}imports: [ '{bucket.url('types.yaml')}' ]\n")
    assert run(bucket.store.variables, "local.yaml").code == 0
    refused = run(bucket.store.variables, "local.yaml", "--sandbox")
    assert refused.code == 1 and "outside the folders" in refused.all, refused.all
    offline = run(bucket.store.variables, "local.yaml", "--offline")
    assert offline.code == 3 and f"addresses that begin with `{bucket.store.scheme}:`" in offline.all, offline.all
    offline = run(bucket.store.variables, bucket.url(), "--offline")
    assert offline.code == 2 and f"addresses that begin with `{bucket.store.scheme}:`" in offline.all, offline.all


def test_objects_do_not_import_local_files(bucket: Bucket, run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "local.yaml").write_text(HEADER)
    bucket.put({"a.yaml": f"{HEADER}imports: [ '{(tmp_path / 'local.yaml').as_uri()}' ]\n"})
    refused = run(bucket.store.variables, bucket.url("a.yaml"))
    assert refused.code == 1 and "a remote file" in refused.all, refused.all


def test_limits_apply(bucket: Bucket, run) -> None:
    bucket.put(shop())
    url = bucket.url("service.yaml")
    for limit, expected in [("import-remote=5", "imports exceed a limit"), ("source-size=100", "larger than the limit")]:
        limited = run(bucket.store.variables, url, "--limit", limit)
        assert limited.code == 1 and expected in limited.all, limited.all


def test_web_documents_refer_to_private_stores_only_if_allowed(bucket: Bucket, run, web) -> None:
    base, files = web
    bucket.put({"types.yaml": HEADER})
    files["/a.yaml"] = f"{HEADER}imports: [ '{bucket.url('types.yaml')}' ]\n"
    variables, url = bucket.store.variables, f"{base}/a.yaml"
    named = ["--allow-bucket", bucket.url().rstrip("/")]
    assert "a bucket that you have not named" in run(variables, url, "--allow-private-network").all
    private = run(variables, url, *named)
    assert private.code == 1 and "private address" in private.all, private.all
    allowed = run(variables, url, *named, "--allow-private-network")
    assert allowed.code == 0, allowed.all


def test_clients_of_the_service_do_not_read_objects(bucket: Bucket, command: pathlib.Path) -> None:
    bucket.put({"types.yaml": HEADER})
    service = subprocess.Popen(
        [command, "serve", "--online", "--allow-private-network", "--listen", "127.0.0.1:0"],
        env=os.environ | bucket.store.variables,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        base = service.stderr.readline().split()[-1]
        body = f"{HEADER}imports: [ '{bucket.url('types.yaml')}' ]\n".encode()
        request = urllib.request.Request(f"{base}/validate", body, {"Content-Type": "application/yaml"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as response:
            assert "outside the folders" in response.read().decode()
    finally:
        service.terminate()
        service.wait()


SECRETS = {
    "AWS_ACCESS_KEY_ID": "HIDDENid00",
    "AWS_SECRET_ACCESS_KEY": "HIDDEN/secret+01",
    "AWS_SESSION_TOKEN": "HIDDENtoken02",
    "GOOGLE_SERVICE_ACCOUNT_KEY": '{"private_key": "HIDDEN03", "private_key_id": "HIDDEN04", "client_email": "HIDDEN05"}',
    "AZURE_STORAGE_ACCOUNT_NAME": "account",
    "AZURE_STORAGE_ACCOUNT_KEY": "HIDDENkey06",
    "AZURE_STORAGE_SAS_TOKEN": "sv=2020&sig=HIDDEN07",
    "AZURE_CLIENT_SECRET": "HIDDEN08",
    "AZURE_STORAGE_CONNECTION_STRING": "AccountName=account;AccountKey=HIDDEN09",
    "AZURE_STORAGE_TOKEN": "HIDDEN10",
}


@pytest.mark.parametrize("scheme", ["s3", "gs", "az"])
def test_no_output_has_credentials(scheme: str, run, web, tmp_path: pathlib.Path) -> None:
    base, _ = web
    # The endpoint of each service is a server that knows no object, a port without a server, and no URL.
    for endpoint in [base, "http://127.0.0.1:1", "HIDDEN11"]:
        endpoints = {name: endpoint for name in ["AWS_ENDPOINT_URL", "GOOGLE_BASE_URL", "AZURE_STORAGE_ENDPOINT"]}
        variables = SECRETS | endpoints
        (tmp_path / "local.yaml").write_text(f"{HEADER}imports: [ '{scheme}://bucket/a.yaml' ]\n")
        for arguments in [
            [f"{scheme}://bucket/a.yaml"],
            [f"{scheme}://bucket/"],
            [f"{scheme}://bucket/a.csar"],
            ["local.yaml", "--format", "json"],
            ["local.yaml", "--format", "sarif"],
            ["local.yaml", "--timings"],
            ["csar", "list", f"{scheme}://bucket/a.csar"],
            ["yay", "get", "x", f"{scheme}://bucket/a.yay"],
        ]:
            done = run(variables, *arguments, *([] if arguments[0] in ("csar", "yay") else ["--limit", "http-retries=0"]))
            assert done.code != 0, (arguments, done.all)
            for text in [done.out, done.err]:
                assert "HIDDEN" not in text and "SERERE" not in text, (arguments, text)
                assert "X-Amz" not in text and "Signature" not in text, (arguments, text)


@pytest.mark.skipif(not ALL, reason="moto accepts any credentials")
def test_wrong_credentials_are_reported(az: Store, run) -> None:
    bucket = az.bucket()
    bucket.put({"a.yaml": HEADER})
    wrong = az.variables | {"AZURE_STORAGE_ACCOUNT_KEY": "V1JPTkc="}
    done = run(wrong, bucket.url("a.yaml"))
    assert done.code == 3 and "Azure Blob Storage responded with 403 (AuthorizationFailure)" in done.all, done.all
    assert "V1JPTkc" not in done.all
    connection = {
        "AZURE_STORAGE_CONNECTION_STRING": ";".join(
            [
                f"AccountName={az.variables['AZURE_STORAGE_ACCOUNT_NAME']}",
                f"AccountKey={az.variables['AZURE_STORAGE_ACCOUNT_KEY']}",
                f"BlobEndpoint={az.variables['AZURE_STORAGE_ENDPOINT']}",
            ]
        )
    }
    assert run(connection, bucket.url("a.yaml")).code == 0
