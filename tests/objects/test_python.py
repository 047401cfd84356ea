"""The Python package reads templates from emulated object stores through s3fs, gcsfs and adlfs."""

import asyncio
import os

import pytest

from conftest import AZURE_ACCOUNT, AZURE_KEY, Store
from test_command import TYPES, shop

# Otherwise, gcsfs asks a server of Google for the kind of each bucket, and the emulator has no such server.
os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"

pytest.importorskip("tosca_parse._native", reason="the Python package is not built")
pytest.importorskip("fsspec")
from tosca_parse import Parser  # noqa: E402
from tosca_parse.fsspec import Loader  # noqa: E402

MODULES = {"s3": "s3fs", "gs": "gcsfs", "az": "adlfs"}


def options(store: Store, **more: object) -> dict[str, object]:
    variables = store.variables
    match store.scheme:
        case "s3":
            keys = {"key": variables["AWS_ACCESS_KEY_ID"], "secret": variables["AWS_SECRET_ACCESS_KEY"]}
            return {"endpoint_url": variables["AWS_ENDPOINT_URL"], **keys, **more}
        case "gs":
            return {"endpoint_url": variables["STORAGE_EMULATOR_HOST"], "token": "anon", **more}
    endpoint = variables["AZURE_STORAGE_ENDPOINT"]
    connection = f"AccountName={AZURE_ACCOUNT};AccountKey={AZURE_KEY};BlobEndpoint={endpoint}"
    return {"connection_string": f"DefaultEndpointsProtocol=http;{connection}", **more}


def test_imports_are_read_through_fsspec(store: Store) -> None:
    pytest.importorskip(MODULES[store.scheme])
    bucket = store.bucket()
    bucket.put(shop("a/"))
    parser = Parser(loader=Loader(options={store.scheme: options(store)}))
    outcome = parser.parse(bucket.url("a/service.yaml"))
    outcome.raise_for_errors()
    assert len(outcome.model()["nodes"]) == TYPES
    again = asyncio.run(parser.aparse(bucket.url("a/service.yaml")))
    assert again.is_valid
    missing = parser.parse(bucket.url("a/missing.yaml"))
    assert "it does not exist" in missing.diagnostics[0].message
    bucket.put({"empty.yaml": ""})
    empty = parser.parse(bucket.url("empty.yaml"))
    assert not any("failed" in problem.message for problem in empty.diagnostics), empty.diagnostics


def test_asynchronous_file_systems(store: Store) -> None:
    module = pytest.importorskip(MODULES[store.scheme])
    bucket = store.bucket()
    bucket.put(shop())
    kind = {"s3": "S3FileSystem", "gs": "GCSFileSystem", "az": "AzureBlobFileSystem"}[store.scheme]

    async def parse() -> bool:
        system = getattr(module, kind)(**options(store, asynchronous=True, skip_instance_cache=True))
        if store.scheme == "s3":
            await system.set_session()
        loader = Loader(filesystems={store.scheme: system}, loop=asyncio.get_running_loop())
        outcome = await Parser(loader=loader).aparse(bucket.url("service.yaml"))
        outcome.raise_for_errors()
        return outcome.is_valid

    assert asyncio.run(parse())


def test_refusals_have_no_signature(az: Store) -> None:
    pytest.importorskip("adlfs")
    if "TOSCA_PARSE_OBJECTS" not in os.environ:
        pytest.skip("moto accepts any credentials")
    bucket = az.bucket()
    bucket.put({"a.yaml": "tosca_definitions_version: tosca_2_0\n"})
    connection = str(options(az)["connection_string"]).replace(AZURE_KEY, "V1JPTkc=")
    outcome = Parser(loader=Loader(options={"az": {"connection_string": connection}})).parse(bucket.url("a.yaml"))
    message = outcome.diagnostics[0].message
    assert "`az` failed with" in message and "V1JPTkc" not in message and "ignature" not in message, message
