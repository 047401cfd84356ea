"""Validates templates with Spark: `python validate_spark.py TEMPLATES PROBLEMS`.

TEMPLATES is a Parquet file or folder with the columns `uri` and `text`. PROBLEMS is a folder for the result.
"""

import sys
from functools import partial

from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from tosca_parse import arrow


def validate(spark: SparkSession, templates: str, problems: str) -> tuple[int, int]:
    """Writes the problems, and returns the number of templates and of invalid ones."""
    # Spark runs a process on each core. Templates must not read files of the workers.
    check = partial(arrow.validate_iter, threads=1, offline=True, sandbox=True)
    found = spark.read.parquet(templates).select("uri", "text").mapInArrow(check, from_arrow_schema(arrow.SCHEMA))
    found.write.mode("overwrite").parquet(problems)
    spark.read.parquet(problems).createOrReplaceTempView("problems")
    (row,) = spark.sql("""
        SELECT count(*) AS templates, count_if(NOT valid) AS invalid
        FROM (SELECT uri, first(valid) AS valid FROM problems GROUP BY uri)
    """).collect()
    return row.templates, row.invalid


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    number, invalid = validate(session, *sys.argv[1:])
    print(f"{invalid} of {number} templates are invalid")
    session.stop()
