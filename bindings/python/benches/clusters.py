"""Validates many small templates with each of the examples for clusters, on the cores of this machine.

    pip install 'tosca-parse[arrow]' pyspark pandas distributed 'ray[data]'
    python benches/clusters.py [COUNT [ENGINE …]]

All templates are different, and every twentieth has a mistake. The engine `none` is a loop in one process.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

EXAMPLES = Path(__file__).parent.parent / "examples"
FILES = 16

TEMPLATE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
description: Shop {number}
topology_template:
  inputs:
    port_{number}: {{ type: integer, default: {port} }}
  node_templates:
    server_{number}:
      type: tosca.nodes.Compute
      capabilities:
        host: {{ properties: {{ num_cpus: {cpus}, mem_size: 4 GB, disk_size: 10 GB }} }}
    database_{number}:
      type: tosca.nodes.DBMS
      properties: {{ root_password: secret, {key}: {{ get_input: port_{number} }} }}
      requirements:
      - host: server_{number}
  outputs:
    address: {{ value: {{ get_attribute: [ server_{number}, private_address ] }} }}
"""


def templates(count: int, part: int) -> Iterator[pa.RecordBatch]:
    """Returns the templates of a file, in batches."""
    numbers = range(part, count, FILES)
    for start in range(0, len(numbers), 1000):
        some = numbers[start : start + 1000]
        texts = [TEMPLATE.format(number=number, port=1024 + number % 60_000, cpus=1 + number % 64,
                                 key="prot" if number % 20 == 0 else "port") for number in some]
        yield pa.RecordBatch.from_pydict({"uri": [f"s3://catalog/{number}.yaml" for number in some], "text": texts})


NONE = """
import sys
from pathlib import Path
import pyarrow.parquet as pq
from tosca_parse import arrow

with pq.ParquetWriter(sys.argv[2] + ".parquet", arrow.SCHEMA) as out:
    for file in sorted(Path(sys.argv[1]).iterdir()):
        batches = pq.ParquetFile(file).iter_batches(batch_size=1024)
        for found in arrow.validate_iter(batches, offline=True, sandbox=True):
            out.write_batch(found)
"""


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    engines = sys.argv[2:] or ["none", "spark", "dask", "ray"]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "templates")
        source.mkdir()
        for part in range(FILES):
            batches = list(templates(count, part))
            pq.write_table(pa.Table.from_batches(batches), source / f"{part:02}.parquet")
        print("| Engine | Elapsed | CPU time | Templates per second | Peak memory of a process |", flush=True)
        print("|---|---|---|---|---|", flush=True)
        for engine in engines:
            program = ["-c", NONE] if engine == "none" else [str(EXAMPLES / f"validate_{engine}.py")]
            start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *program, source, Path(folder, engine)], check=True,
                           env=os.environ | {"PYSPARK_PYTHON": sys.executable}, stderr=subprocess.DEVNULL)
            elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"| {engine} | {elapsed:.0f} s | {cpu:.0f} s | {count / elapsed:.0f} | {after.ru_maxrss / 1024:.0f} MiB |",
                  flush=True)


if __name__ == "__main__":
    main()
