"""The example orchestrator, which deploys a shop to processes of this computer."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "orchestrator"
ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the example stops processes by signals")


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, EXAMPLE / "deploy.py", *arguments], env=ENVIRONMENT, text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def get(url: str) -> str:
    with build_opener(ProxyHandler({})).open(url) as answer:
        return str(answer.read(), "utf-8")


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def deployed(run: subprocess.Popen[str]) -> dict[str, Any]:
    """Returns the outputs of the service, or fails with the error of the orchestrator."""
    assert run.stdout
    line = run.stdout.readline()
    assert line, run.communicate()[1]
    outputs: dict[str, Any] = json.loads(line)
    return outputs


def test_the_shop_is_deployed() -> None:
    run = start(EXAMPLE / "shop.yaml", '{"title": "Fruit", "products": ["fig", "plum"]}')
    outputs = deployed(run)
    assert sorted(outputs["processes"]) == ["balancer", "database", "web_1", "web_2"]
    assert all(map(is_running, outputs["processes"].values()))
    assert len({outputs["url"], *outputs["backends"]}) == 3
    # The applications answer with the products of the database, and the load balancer with their answers.
    for url in [outputs["url"], *outputs["backends"]]:
        assert get(url) == "Fruit: fig, plum\n"
    _, errors = run.communicate()
    assert run.returncode == 0, errors
    assert f'balancer: standard.start({{"backends": {json.dumps(outputs["backends"])}}})' in errors
    ended = [line.split(":")[0] for line in errors.splitlines() if " ended " in line]
    assert ended == ["balancer", "web_1", "web_2", "database"]
    assert not any(map(is_running, outputs["processes"].values()))
    for url in [outputs["url"], *outputs["backends"]]:
        with pytest.raises(OSError, match="refused"):
            get(url)


def test_invalid_inputs_start_no_process() -> None:
    run = start(EXAMPLE / "shop.yaml", '{"title": 5}')
    output, errors = run.communicate()
    assert (run.returncode, output) == (1, "")
    assert "error[T5101]: parameter `title` must be a string, not an integer" in errors
    assert "standard.start" not in errors


@pytest.mark.parametrize(("application", "message"), [
    ("raise SystemExit(3)", "`web_1`: application.py failed with exit code 3"),
    ("""print('{"port": "http"}')""", "the value of attribute `port` of node template `web_1` has the wrong type"),
])
def test_failed_operations_leave_no_process(application: str, message: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "scripts" / "application.py").write_text(application)
    run = start(tmp_path / "shop.yaml")
    output, errors = run.communicate()
    assert (run.returncode, output) == (1, "")
    assert message in errors.splitlines()[-1], errors
    ended = [line.split() for line in errors.splitlines() if " ended " in line]
    assert [words[0] for words in ended] == ["web_1:", "database:"]
    assert not any(is_running(int(words[2])) for words in ended)


def test_an_interrupted_orchestrator_undeploys() -> None:
    run = start()
    outputs = deployed(run)
    run.terminate()
    _, errors = run.communicate()
    assert run.returncode == 130, errors
    assert not any(map(is_running, outputs["processes"].values()))
