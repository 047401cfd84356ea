"""Validates templates with Dask: `python validate_dask.py TEMPLATES PROBLEMS [SCHEDULER]`.

TEMPLATES is a folder of Parquet files with the columns `uri` and `text`. PROBLEMS is a folder for the result, with a
file for each of them. SCHEDULER is the address of a cluster; without it, the processes run on this machine.
"""

import sys
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
from distributed import Client

from tosca_parse import arrow


def validate_file(templates: Path, problems: Path) -> tuple[int, int]:
    """Writes the problems of a file, and returns the number of templates and of invalid ones."""
    batches = pq.ParquetFile(templates).iter_batches(batch_size=1024, columns=["uri", "text"])
    uris: set[str | None] = set()
    invalid: set[str | None] = set()
    with pq.ParquetWriter(problems, arrow.SCHEMA) as out:
        # Dask runs a task on each core. Templates must not read files of the workers.
        for found in arrow.validate_iter(batches, threads=1, offline=True, sandbox=True):
            out.write_batch(found)
            uris.update(found.column("uri").unique().to_pylist())
            invalid.update(found.filter(pc.invert(found.column("valid"))).column("uri").unique().to_pylist())
    return len(uris), len(invalid)


def validate(client: Client, templates: Path, problems: Path) -> tuple[int, int]:
    """Writes the problems of all files, and returns the number of templates and of invalid ones."""
    problems.mkdir(parents=True, exist_ok=True)
    files = sorted(templates.glob("*.parquet"))
    counts = client.gather(client.map(validate_file, files, [problems / file.name for file in files]))
    return sum(number for number, _ in counts), sum(invalid for _, invalid in counts)


if __name__ == "__main__":
    source, target, *scheduler = sys.argv[1:]
    with Client(*scheduler, **({} if scheduler else {"threads_per_worker": 1})) as cluster:
        number, invalid = validate(cluster, Path(source), Path(target))
    print(f"{invalid} of {number} templates are invalid")
