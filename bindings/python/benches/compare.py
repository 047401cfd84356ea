"""Validates the same small templates with this package and with `tosca-parser` from PyPI.

    pip install tosca-parser
    python benches/compare.py [COUNT]

Each template is a single source that both accept as valid, and each is parsed separately.
"""

import logging
import statistics
import sys
import time
from collections.abc import Callable

import yaml
from toscaparser.tosca_template import ToscaTemplate

from tosca_parse import Parser

TEMPLATE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    server_{number}:
      type: tosca.nodes.Compute
      capabilities:
        host: {{ properties: {{ num_cpus: 2, mem_size: 4 GB, disk_size: 10 GB }} }}
    database_{number}:
      type: tosca.nodes.DBMS
      properties: {{ root_password: secret, port: 3306 }}
      requirements:
      - host: server_{number}
"""


# The computer is not idle, so both are measured in turns.
TURNS = 20


def timed(what: Callable[[str], object], texts: list[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        what(text)
    return (time.perf_counter() - start) / len(texts)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    texts = [TEMPLATE.format(number=number) for number in range(count)]
    parser = Parser(offline=True)
    logging.disable()

    def ours(text: str) -> object:
        outcome = parser.parse_text(text)
        assert outcome.is_valid, outcome.render()
        return outcome

    def theirs(text: str) -> object:
        return ToscaTemplate(yaml_dict_tpl=yaml.safe_load(text))

    ours(texts[0]), theirs(texts[0])
    one, other = [], []
    share = -(-count // TURNS)
    for start in range(0, count, share):
        part = texts[start : start + share]
        one.append(timed(ours, part))
        # The other one is slow: some of the templates are enough.
        other.append(timed(theirs, part[: max(1, len(part) // 20)]))
    times = statistics.median(long / short for short, long in zip(one, other, strict=True))
    micros = [statistics.median(parsing) * 1e6 for parsing in (one, other)]
    print(f"tosca-parse {micros[0]:.0f} µs, tosca-parser {micros[1]:.0f} µs a template: {times:.0f} times")


if __name__ == "__main__":
    main()
