"""The examples for clusters, each with an engine on this machine."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
ENGINES = {"spark": "pyspark", "dask": "distributed", "ray": "ray"}
RIGHT = "tosca_definitions_version: tosca_2_0\nnode_types: {{ Server{0}: {{}} }}\n"
WRONG = "tosca_definitions_version: tosca_2_0\nnode_types: {{ Server{0}: {{ derived_from: Sever }}, B: {{ x: 1 }} }}\n"

pytestmark = pytest.mark.skipif("TOSCA_PARSE_CLUSTERS" not in os.environ,
                                reason="the engines are large; install them and set TOSCA_PARSE_CLUSTERS")


def read(folder: Path) -> list[dict[str, Any]]:
    """Returns the rows of all files of a folder, sorted."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = pa.concat_tables(pq.read_table(file) for file in folder.rglob("*.parquet")).to_pylist()
    return sorted(rows, key=lambda row: (row["uri"], row["start_offset"] or 0))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_example_validates_all_templates(engine: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    if importlib.util.find_spec(ENGINES[engine]) is None:
        pytest.skip(f"there is no {ENGINES[engine]}")
    if engine == "spark" and not shutil.which("java"):
        pytest.skip("there is no Java")
    import pyarrow.parquet as pq

    from tosca_parse import arrow

    templates, problems = tmp_path / "templates", tmp_path / "problems"
    templates.mkdir()
    rows = [{"uri": f"s3://catalog/{number:02}.yaml", "text": (RIGHT if number % 4 else WRONG).format(number)}
            for number in range(60)]
    for part in range(3):
        pq.write_table(pa.Table.from_pylist(rows[part::3]), templates / f"{part}.parquet")
    environment = os.environ | {
        "PYSPARK_PYTHON": sys.executable, "PYSPARK_SUBMIT_ARGS": "--master local[2] pyspark-shell",
        "SPARK_LOCAL_IP": "127.0.0.1", "RAY_USAGE_STATS_ENABLED": "0",
        # The workers would wait for everything else on a busy machine.
        "RAY_worker_niceness": "0",
    }
    run = subprocess.run([sys.executable, EXAMPLES / f"validate_{engine}.py", templates, problems], env=environment,
                         cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == "15 of 60 templates are invalid"
    expected = arrow.validate(pa.RecordBatch.from_pylist(rows)).to_pylist()
    assert read(problems) == sorted(expected, key=lambda row: (row["uri"], row["start_offset"] or 0))
