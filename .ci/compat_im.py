"""Translates the templates of a folder with the TOSCA module of the Infrastructure Manager, and prints the results as JSON.

    python .ci/compat_im.py FOLDER TYPES [replacement]

Imports of the custom types of INDIGO are replaced by the file TYPES, and downloads by a constant text.
"""

import contextlib
import json
import logging
import re
import sys
import uuid
from pathlib import Path
from types import SimpleNamespace

CUSTOM_TYPES = re.compile(r"https://raw\.githubusercontent\.com/indigo-dc/tosca-types/\w+/custom_types\.yaml")


class Session:
    """Answers all requests, in place of the network."""

    def __init__(self, *args, **options):
        pass

    def get(self, url, **options):
        text = "---\n- tasks: []\n"
        return SimpleNamespace(status_code=200, reason="OK", text=text, content=text.encode())


def result(module, text):
    try:
        service = module.Tosca(text)
    except Exception as error:
        # The reasons differ: both parsers report several, in their own words.
        return {"rejected": str(error)}
    try:
        return {"radl": str(service.to_radl()[1])}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    folder, types, *replacement = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    if replacement:
        from tosca_parse import compat

        compat.install()
    from IM.tosca import Tosca as module

    module.requests_cache.CachedSession = Session
    module.uuid1 = lambda: uuid.UUID(int=7)
    module.choice = lambda values: values[0]
    results = {}
    for path in sorted(path for path in Path(folder).rglob("*") if path.match("[!.]*.y*ml")):
        with contextlib.redirect_stdout(sys.stderr):
            results[str(path.relative_to(folder))] = result(module, CUSTOM_TYPES.sub(types, path.read_text()))
    print(json.dumps(results))


if __name__ == "__main__":
    main()
