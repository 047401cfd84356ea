"""Yay, YAQL and MuranoPL."""

import io
import json
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

from tosca_parse import murano, yaql, yay
from tosca_parse.errors import MuranoError, YaqlError

DOCUMENT = """\
name: web
port: 8000
next: {{ port + 1 }}
broken: {{ nothing }}
ratio: 1.9
servers:
  - host: a.example.com
    port: 80
  - host: b.example.com
empty: []
"""


@pytest.fixture
def config() -> yay.Config:
    config = yay.Config()
    config.loads(DOCUMENT, "web.yay")
    return config


def test_values_are_lazy(config: yay.Config) -> None:
    # Nothing fails until a value is converted.
    broken = config.broken.deeply["nested"][3]
    with pytest.raises(yay.NoMatchingError, match="nothing"):
        broken.as_int()
    assert config.next.as_int() == 8001
    config.add({"port": 9000})
    assert config.next.as_int() == 9001 and int(config.port) == 9000


def test_defaults_replace_missing_values_only(config: yay.Config) -> None:
    assert config.timeout.as_int(default=5) == 5 and config.timeout.as_int(5) == 5
    assert config.servers[1].port.as_int(default=443) == 443
    assert config.servers[7].port.as_int(default=None) is None
    assert config.servers[0].port.as_int(default=443) == 80
    with pytest.raises(yay.YayTypeError) as caught:
        config.name.as_int(default=1)
    assert isinstance(caught.value, TypeError) and caught.value.kind == "TypeError"
    with pytest.raises(LookupError):
        config.timeout.as_int()


def test_values_are_converted(config: yay.Config) -> None:
    assert config.ratio.as_int() == 1 and config.ratio.as_float() == float(config.ratio) == 1.9
    assert config.ratio.as_number() == 1.9 and config.port.as_number() == 8000
    assert config.name.as_string() == str(config.name) == "web" and config.name.as_bool() is True
    assert config.servers[0].as_dict() == {"host": "a.example.com", "port": 80}
    assert config.servers.as_list()[1] == {"host": "b.example.com"} and config.empty.as_list() == []
    assert [server.host.as_string() for server in config.servers] == ["a.example.com", "b.example.com"]
    assert config.servers[0].keys() == list(config.servers[0]) == ["host", "port"]
    assert len(config.servers) == 2 and config.servers and not config.empty
    assert "port" in config.servers[0] and "port" not in config.servers[1]
    assert config.get_key("name").resolve() == "web" and repr(config.servers[0].host) == "<Node servers[0].host>"
    assert config.parse_expression("len(servers) + 1").as_int() == 3
    with pytest.raises(yay.YayError, match="nothing"):
        config.resolve()


def test_values_have_anchors(config: yay.Config) -> None:
    anchor = config.servers[1].host.anchor
    assert (anchor.source, anchor.lineno, anchor.column) == ("web.yay", 9, 11)
    assert anchor.long_description() == "'web.yay' at line 9, column 11"
    assert pickle.loads(pickle.dumps(anchor)) == anchor
    with pytest.raises(yay.NoMatchingError) as caught:
        config.broken.as_string()
    assert caught.value.places[0][:2] == ("web.yay", 4)


def test_secrets_are_masked() -> None:
    config = yay.Config()
    config.loads("token: swordfish\nurl: https://{{ token }}@host\n", labels=["secret"])
    assert config.token.as_string() == "swordfish" and config.token.as_safe_string() == "*****"
    assert config.token.labels == ["secret"] and "swordfish" not in str(config.resolve(safe=True))


def test_documents_are_found(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "base.yay").write_text("size: 3\n")
    (tmp_path / "main.yay").write_text('include "base.yay"\ndouble: {{ size * 2 }}\n')
    config = yay.Config([str(tmp_path / "lib")])
    config.load_uri(str(tmp_path / "main.yay"))
    assert config.double.as_int() == 6
    other = yay.Config()
    other.load(io.StringIO("a: 1\n"))
    other.load(io.BytesIO(b"b: {{ a + 1 }}\n"), "b.yay")
    assert other.resolve() == {"a": 1, "b": 2}
    other.load_uri(str(tmp_path / "missing.yay"))
    with pytest.raises(yay.YayError, match="missing.yay"):
        other.resolve()


def test_paths_in_a_text_are_relative_to_its_name(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "a.yay").write_text("a: 1\n")
    (tmp_path / "base.yay").write_text("b: 2\n")
    text = 'include "base.yay"\ninclude "conf.d/*.yay"\n'
    config = yay.Config()
    config.loads(text, str(tmp_path / "main.yay"))
    assert config.resolve() == {"a": 1, "b": 2}
    (tmp_path / "main.yay").write_text(text)
    opened = yay.Config()
    with open(tmp_path / "main.yay") as file:
        opened.load(file)
    assert opened.resolve() == {"a": 1, "b": 2}


def test_configurations_are_checked_as_the_command_does() -> None:
    for case in json.loads((Path(__file__).parents[2] / "yay-checks.json").read_text()):
        config = yay.Config()
        config.loads(case["text"], "a.yay")
        found = [f"{problem.severity} {problem.code} {problem.start.line}" for problem in config.check()]
        assert found == case["problems"], case


def test_configurations_are_folded(config: yay.Config) -> None:
    folded = yay.Config()
    folded.loads("a: 1\nb: {{ a + 1 }}\nc: {{ unknown }}\n")
    assert folded.fold() == "a: 1\nb: 2\nc: {{ unknown }}\n"
    broken = yay.Config()
    broken.loads("a: {{ 1 / 0 }}\n")
    with pytest.raises(yay.YayError) as caught:
        broken.fold()
    assert caught.value.kind == "ZeroDivisionError"


def test_environment_variables_are_read_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAY_TEST", "swordfish")
    config = yay.Config(environment=True)
    config.loads("a: {{ env.YAY_TEST }}\n")
    assert config.a.as_string() == "swordfish" and config.a.as_safe_string() == "*****"
    refused = yay.Config()
    refused.loads("a: {{ env.YAY_TEST }}\n")
    with pytest.raises(yay.YayError) as caught:
        refused.a.as_string()
    assert caught.value.kind == "Denied"


def test_integers_keep_their_digits(classes: murano.Classes) -> None:
    huge = 7**20_000
    assert yaql.evaluate("$", [huge, -huge, 2**64, 1]) == [huge, -huge, 2**64, 1]
    assert yaql.evaluate("$ + 1", 2**70) == 2**70 + 1 and yaql.evaluate("$ mod 10", huge) == huge % 10
    with pytest.raises(YaqlError) as caught:
        yaql.evaluate("$", 10**30_000)
    assert caught.value.kind == "invalid value"
    assert classes.call("t.Counter", "double", 2**80) == 2**81
    model = classes.load({"?": {"type": "t.Counter", "id": "c"}, "count": 2**90})
    assert model.call("c", "add", by=2**90) == 2**91 == model.save()["Objects"]["count"]
    assert model.evaluate("c", "$this.count - $", 2**90) == 2**90
    config = yay.Config()
    config.add({"large": 2**62})
    assert config.parse_expression("large + 1").as_int() == 2**62 + 1
    with pytest.raises(yay.YayError) as limited:
        config.add({"larger": 2**64})
    assert limited.value.kind == "LimitError"


def test_deep_data_is_an_error(classes: murano.Classes) -> None:
    def nested(levels: int) -> Any:
        data: Any = 1
        for _ in range(levels):
            data = [data]
        return data

    assert yaql.evaluate("$.flatten()", nested(400)) == [1]
    assert classes.call("t.Counter", "double", number=4) == 8
    for call in (lambda: yaql.evaluate("$", nested(5000)), lambda: yay.Config().add({"a": nested(5000)})):
        with pytest.raises(ValueError, match="nested more than 500 levels deep"):
            call()


def test_threads_share_a_configuration(config: yay.Config) -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(config.next.as_int())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [8001] * 8


def test_yaql_is_evaluated() -> None:
    assert yaql.evaluate("$.where($ > 2).select($ * 2)", [1, 2, 3, 4]) == [6, 8]
    assert yaql.evaluate("$.a.b + 1", {"a": {"b": 41}}) == 42
    assert yaql.evaluate("10000000000 * 10000000000") == 10**20
    assert yaql.evaluate("null") is None and yaql.evaluate("dict(a => [1])") == {"a": [1]}
    for expression in ("1 +", "$.none.more", "1 + a.b(", "[1].first().x"):
        with pytest.raises(YaqlError) as caught:
            yaql.evaluate(expression)
        assert caught.value.kind and str(caught.value)
    with pytest.raises(YaqlError):
        yaql.evaluate("range(0, 100000000000).select($ * 2).sum()")


CLASSES = """\
Namespaces: {=: t, m: io.murano.metadata}
Name: Counter
Properties:
  count: {Contract: $.int().notNull().check($ >= 0), Usage: InOut, Default: 0}
Methods:
  add:
    Scope: Public
    Arguments:
      - by: {Contract: $.int().notNull(), Default: 1}
    Body:
      - $.count: $.count + $by
      - Return: $.count
  double:
    Usage: Static
    Arguments:
      - number: {Contract: $.int().notNull()}
    Body:
      - Return: $number * 2
"""


@pytest.fixture
def classes() -> murano.Classes:
    return murano.Classes(murano.Package.from_text("t", CLASSES))


def test_murano_models_are_run(classes: murano.Classes) -> None:
    model = classes.load({"?": {"type": "t.Counter", "id": "c"}, "count": 3})
    assert model.root == "c" and model.ids() == ["c"]
    assert model.call("c", "add") == 4 and model.call("c", "add", 10) == 14 and model.call("c", "add", by=1) == 15
    assert model.evaluate("c", "$this.count + $", 1) == 16
    assert model.save()["Objects"]["count"] == 15
    # Each model has its own state.
    assert classes.load({"?": {"type": "t.Counter", "id": "c"}}).call("c", "add") == 1
    assert classes.call("t.Counter", "double", 21) == classes.call("t.Counter", "double", number=21) == 42
    with pytest.raises(MuranoError) as caught:
        model.call("c", "add", "many")
    assert caught.value.kind
    with pytest.raises(MuranoError, match="nobody"):
        model.call("nobody", "add")
    with pytest.raises(MuranoError):
        classes.load({"?": {"type": "t.Counter", "id": "c"}, "count": -1})


def test_murano_classes_have_schemas_and_forms(classes: murano.Classes) -> None:
    assert classes.names() == ["t.Counter"] and classes.check() == []
    schema = classes.schemas("t.Counter", "")[""]
    assert schema["properties"]["count"]["default"] == 0
    with pytest.raises(MuranoError, match="`nothing`"):
        classes.schemas("t.Counter", "nothing")
    assert "<form" in classes.form("t.Counter") and "by" in classes.form("t.Counter", "add")
    broken = murano.Classes(murano.Package.from_text("u", "Name: u.A\nExtends: u.None\n"))
    assert [name for name, _ in broken.check()] == ["u.A"]


def test_murano_deployments_are_recorded(classes: murano.Classes) -> None:
    environment = {"?": {"type": "io.murano.Environment", "id": "e"}, "name": "env"}
    model = classes.load(environment, record=True)
    model.call("e", "deploy")
    assert all({"kind", "action", "target"} <= set(effect) for effect in model.effects())


def test_murano_packages_are_folders(tmp_path: Path) -> None:
    (tmp_path / "Classes").mkdir()
    (tmp_path / "manifest.yaml").write_text(
        "Format: MuranoPL/1.4\nType: Application\nFullName: t\nName: t\nClasses: {t.Counter: a.yaml}\n"
    )
    (tmp_path / "Classes" / "a.yaml").write_text(CLASSES)
    package = murano.Package(tmp_path)
    assert package.name == "t" and murano.Classes(package).names() == ["t.Counter"]
    with pytest.raises(MuranoError, match="manifest"):
        murano.Package(tmp_path / "Classes")


def test_murano_packages_are_in_memory() -> None:
    manifest = "Format: MuranoPL/1.4\nType: Application\nFullName: t\nName: t\nClasses: {t.Counter: a.yaml}\n"
    files = {"manifest.yaml": manifest, "Classes/a.yaml": CLASSES}
    assert murano.Classes(murano.Package.from_files(files)).names() == ["t.Counter"]
    with pytest.raises(MuranoError, match="no file `Classes/a.yaml`"):
        murano.Package.from_files({"manifest.yaml": manifest})
