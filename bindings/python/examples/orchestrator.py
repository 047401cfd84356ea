"""An orchestrator in sixty lines: it validates a template, plans its deployment, and calls operations stage by stage.

    python examples/orchestrator.py [service.yaml [name=value …]]
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tosca_parse import Outcome, Parser, ToscaError
from tosca_parse.plan import Step


class Orchestrator:
    """Deploys services. Operations are only printed here."""

    def __init__(self) -> None:
        self.parser = Parser(sandbox=True)
        self.deployed: dict[str, Outcome] = {}

    def deploy(self, path: Path, inputs: dict[str, Any]) -> None:
        outcome = self.parser.parse(path, inputs=inputs)
        for problem in outcome.diagnostics:
            print(problem, file=sys.stderr)
        outcome.raise_for_errors()
        # A deployed service is changed instead of deployed again.
        plan = outcome.plan(self.deployed.get(str(path)))
        for stage in [*plan.get("removal", []), *plan["deployment"]]:
            self.run(stage["steps"])
        self.deployed[str(path)] = outcome

    def run(self, steps: list[Step]) -> None:
        """Runs the steps of a stage, which do not depend on each other."""
        with ThreadPoolExecutor() as pool:
            for lines in pool.map(self.take, steps):
                print("\n".join(lines))

    def take(self, step: Step) -> list[str]:
        lines = [f"{step['node']}:"]
        for called in step.get("operations", []):
            inputs = ", ".join(f"{name}={value!r}" for name, value in called.get("inputs", {}).items())
            lines.append(f"  {called['interface']}.{called['operation']}({inputs})")
        return lines


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "shop.yaml"
    inputs = dict(argument.split("=", 1) for argument in sys.argv[2:])
    try:
        Orchestrator().deploy(path, inputs)
    except ToscaError as error:
        sys.exit(f"not deployed: {len(error.diagnostics)} problems")


if __name__ == "__main__":
    main()
