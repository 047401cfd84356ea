"""Validates templates with Ray Data: `python validate_ray.py TEMPLATES PROBLEMS`.

TEMPLATES is a Parquet file or folder with the columns `uri` and `text`. PROBLEMS is a folder for the result.
"""

import sys

import pyarrow as pa
import pyarrow.parquet as pq
import ray

from tosca_parse import arrow


def check(templates: pa.Table) -> pa.Table:
    # Ray runs a task on each core. Templates must not read files of the workers.
    found = arrow.validate_iter(templates.to_batches(), threads=1, offline=True, sandbox=True)
    return pa.Table.from_batches(found, arrow.SCHEMA)


def validate(templates: str, problems: str) -> tuple[int, int]:
    """Writes the problems, and returns the number of templates and of invalid ones."""
    found = ray.data.read_parquet(templates).select_columns(["uri", "text"]).map_batches(check, batch_format="pyarrow")
    found.write_parquet(problems, mode="overwrite")
    # Two columns of a million templates fit in memory. Grouping in Ray would start many more workers.
    rows = pq.read_table(problems, columns=["uri", "valid"])
    verdicts = rows.group_by("uri").aggregate([("valid", "min")]).column("valid_min").to_pylist()
    return len(verdicts), verdicts.count(False)


if __name__ == "__main__":
    number, invalid = validate(*sys.argv[1:])
    print(f"{invalid} of {number} templates are invalid")
