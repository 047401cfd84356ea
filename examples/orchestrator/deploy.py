"""Deploys a service to processes of this computer, prints its outputs, and undeploys it when standard input ends.

    python deploy.py [service.yaml ['{"input": "value"}']]
"""

import json
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Timer
from typing import Any
from urllib.request import ProxyHandler, build_opener

from tosca_parse import Outcome, Parser
from tosca_parse.model import Interface, Property, Service
from tosca_parse.plan import PlannedCall, Step

#: The maximum time until an operation writes its outputs, and until a node answers, in seconds.
TIMEOUT = 10.0


class OperationError(Exception):
    """A failed operation."""


class Deployment:
    """A service, with the attributes and the processes of its nodes."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.plan = outcome.plan()
        self.attributes: dict[str, dict[str, Any]] = {}
        self.processes: dict[str, list[Popen[str]]] = {}

    def deploy(self) -> None:
        """Takes the steps of all stages. Those of the same stage could also be taken at the same time."""
        for step in [step for stage in self.plan["deployment"] for step in stage["steps"]]:
            self.processes[step["node"]] = []
            self.take(step)
            self.wait(step["node"])

    def undeploy(self) -> None:
        """Removes all nodes of the deployment, which may be incomplete, in the reverse order."""
        for step in [step for stage in self.plan["undeployment"] for step in stage["steps"]]:
            if step["node"] in self.processes:
                try:
                    self.take(step)
                except Exception as error:  # the other processes must be stopped nevertheless
                    print(f"error: {error!r}", file=sys.stderr)
                self.stop(step["node"])

    def service(self) -> Service:
        """Returns the model with the values that can be computed from known attributes."""
        evaluation = self.outcome.evaluate(attributes=self.attributes)
        for problem in evaluation["problems"]:
            raise OperationError(problem["message"])
        return evaluation["service"]

    def take(self, step: Step) -> None:
        """Calls the operations of a step, and stores their outputs in attributes."""
        for call in step.get("operations", []):
            interface = interface_of(self.service(), call)
            operation = interface["operations"][call["operation"]]
            inputs = known(interface.get("inputs", {}) | operation.get("inputs", {}))
            print(f"{call['node']}: {call['interface']}.{call['operation']}({json.dumps(inputs)})", file=sys.stderr)
            program = call["implementation"]["primary"]
            outputs = self.run(call["node"], Path(program["base"]).parent / program["file"], inputs)
            for name, output in operation.get("outputs", {}).items():
                match output.get("mapping"):
                    case ["SELF", str(attribute)] if name in outputs:
                        self.attributes.setdefault(call["node"], {})[attribute] = outputs[name]

    def run(self, node: str, program: Path, inputs: dict[str, Any]) -> dict[str, Any]:
        """Runs a program until it has written its outputs, or has exited."""
        process = Popen([sys.executable, program], stdin=PIPE, stdout=PIPE, text=True, start_new_session=True)
        self.processes[node].append(process)
        assert process.stdin and process.stdout
        timer = Timer(TIMEOUT, process.kill)
        timer.start()
        try:
            with process.stdin as stdin:
                json.dump(inputs, stdin)
            outputs: dict[str, Any] = json.loads(process.stdout.readline() or "{}")
            if not outputs and process.wait() != 0:
                raise OperationError(f"`{node}`: {program.name} failed with exit code {process.returncode}")
            return outputs
        except (OSError, ValueError) as error:
            raise OperationError(f"`{node}`: {program.name}: {error}") from error
        finally:
            timer.cancel()

    def wait(self, node: str) -> None:
        """Waits until a node answers at its attribute `url`, if it has one."""
        if url := self.attributes.get(node, {}).get("url"):
            try:
                build_opener(ProxyHandler({})).open(url, timeout=TIMEOUT).close()
            except OSError as error:
                raise OperationError(f"`{node}` does not answer: {error}") from error

    def stop(self, node: str) -> None:
        for process in reversed(self.processes.pop(node)):
            process.terminate()
            try:
                process.wait(TIMEOUT)
            except TimeoutExpired:
                process.kill()
            print(f"{node}: process {process.pid} ended with exit code {process.wait()}", file=sys.stderr)


def interface_of(service: Service, call: PlannedCall) -> Interface:
    """Returns the interface of a called operation: one of the node or of the relationship."""
    if not (related := call.get("relationship")):
        return service["nodes"][call["node"]]["interfaces"][call["interface"]]
    for requirement in service["nodes"][related["source"]]["requirements"]:
        target = requirement.get("target", {}).get("node")
        if (requirement["name"], target) == (related["requirement"], related["target"]):
            return requirement["relationship"]["interfaces"][call["interface"]]
    raise OperationError(f"there is no relationship {related}")


def known(properties: dict[str, Property]) -> dict[str, Any]:
    """Returns the values of properties, which must not be calls of functions whose results are unknown."""
    values = {name: it["value"] for name, it in properties.items() if "value" in it}
    if '{"$call": ' in (text := json.dumps(values)):
        raise OperationError(f"there are unknown values in {text}")
    return values


def main(path: str = str(Path(__file__).with_name("shop.yaml")), inputs: str = "{}") -> int | str:
    outcome = Parser(sandbox=True).parse(path, inputs=json.loads(inputs))
    if not outcome.is_valid:
        return outcome.render()
    deployment = Deployment(outcome)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        deployment.deploy()
        print(json.dumps(known(deployment.service().get("outputs", {}))), flush=True)
        sys.stdin.read()
        return 0
    except OperationError as error:
        return f"error: {error}"
    except KeyboardInterrupt:
        return 130
    finally:
        deployment.undeploy()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
