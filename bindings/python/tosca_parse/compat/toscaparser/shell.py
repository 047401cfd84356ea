"""The command of `toscaparser`."""

from __future__ import annotations

import argparse
import os
import sys

from .tosca_template import ToscaTemplate
from .utils.urlutils import UrlUtils


class ParserShell:
    def get_parser(self, argv: list[str]) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog="tosca-parser")
        parser.add_argument("--template-file", metavar="<filename>", required=True, help="YAML template or CSAR file")
        parser.add_argument("-nrpv", dest="no_required_params_validation", action="store_true", default=False,
                            help="Ignore missing values of required inputs")
        parser.add_argument("--debug", dest="debug_mode", action="store_true", default=False, help="Raise all errors")
        return parser

    def main(self, argv: list[str]) -> None:
        args, _ = self.get_parser(argv).parse_known_args(argv)
        path = args.template_file
        if os.path.isfile(path):
            self.parse(path)
        elif UrlUtils.validate_url(path):
            self.parse(path, False)
        else:
            raise ValueError(f'"{path}" is not a valid file.')

    def parse(self, path: str, a_file: bool = True) -> None:
        """Prints the main parts of a template."""
        tosca = ToscaTemplate(path, None, a_file)
        print(f"\nversion: {tosca.version}")
        if tosca.description:
            print(f"\ndescription: {tosca.description}")
        for title, entries in (("inputs", tosca.inputs), ("nodetemplates", tosca.nodetemplates),
                               ("outputs", tosca.outputs)):
            if entries:
                print(f"\n{title}:")
                for entry in entries:
                    print(f"\t{entry.name}")


def main(args: list[str] | None = None) -> None:
    ParserShell().main(sys.argv[1:] if args is None else args)
