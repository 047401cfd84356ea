"""Generates tosca_parse/model.py, the types of the normal model, from its JSON Schema.

    python make_model.py [FILE]
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent
SCHEMA = ROOT.parents[1] / "docs" / "model.schema.json"
HEAD = '"""The normal model, as `Outcome.model` gives it. Made by make_model.py; do not edit it."""\n'


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tosca_parse" / "model.py"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "model.py"
        subprocess.run(
            [
                *(sys.executable, "-m", "datamodel_code_generator", "--input", SCHEMA, "--output", made),
                *("--input-file-type", "jsonschema", "--output-model-type", "typing.TypedDict"),
                *("--target-python-version", "3.10", "--use-schema-description", "--use-field-description"),
                *("--formatters", "builtin", "--disable-timestamp"),
            ],
            check=True,
        )
        text = made.read_text()
    target.write_text(HEAD + text[text.index("\nfrom __future__"):])


if __name__ == "__main__":
    main()
