"""Pages of the interfaces of Python and JavaScript, from their type declarations."""

import ast
import re
from pathlib import Path

#: The modules of the Python package that have a section.
MODULES = ["__init__", "evaluation", "types", "arrow", "yay", "yaql", "murano", "errors"]


def pages(root: Path) -> dict[str, str]:
    """Returns the pages by name."""
    return {"python-api.md": python(root / "bindings/python/tosca_parse"), "javascript-api.md": javascript(root / "bindings/web")}


def python(package: Path) -> str:
    native = definitions(package / "_native.pyi")
    out = ["# Python interface", "", "See the [guide](bindings/python/README.md) for examples. All items are typed.", ""]
    for module in MODULES:
        path = package / f"{module}.py"
        tree = ast.parse(path.read_text())
        name = "tosca_parse" if module == "__init__" else f"tosca_parse.{module}"
        out += [f"## {name}", "", markdown(ast.get_docstring(tree, clean=False) or ""), ""]
        own = definitions(path)
        # Exceptions are in the section of their module.
        for item in exported(tree) or list(own):
            node = own.get(item) or native.get(item)
            if isinstance(node, ast.ClassDef):
                out += of_class(node)
            elif isinstance(node, ast.FunctionDef):
                out += of_function(node, "###")
    return "\n".join(out)


def definitions(path: Path) -> dict[str, ast.stmt]:
    tree = ast.parse(path.read_text())
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}


def exported(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return ast.literal_eval(node.value)
    return []


def of_class(node: ast.ClassDef) -> list[str]:
    if node.name.startswith("_"):
        return []
    methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
    made = next((f"({parameters(item)})" for item in methods if item.name == "__init__"), "")
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    head = f"class {node.name}{f'({bases})' if bases else ''}"
    out = [f"### {node.name}", "", "```python", head, *([f"{node.name}{made}"] if made else []), "```", ""]
    out += [markdown(ast.get_docstring(node) or ""), ""]
    out += values(node)
    seen = set()
    for item in methods:
        variants = [other for other in methods if other.name == item.name]
        if not item.name.startswith("_") and item.name not in seen and "property" not in decorators(item):
            out += of_function(next((one for one in variants if ast.get_docstring(one)), item), "####", f"{node.name}.")
        seen.add(item.name)
    return out


def values(node: ast.ClassDef) -> list[str]:
    """Returns a table of the attributes and properties of a class."""
    rows = []
    for item, after in zip(node.body, [*node.body[1:], None]):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            rows.append((item.target.id, item.annotation, str(after.value.value) if is_text else ""))
        elif isinstance(item, ast.FunctionDef) and "property" in decorators(item):
            rows.append((item.name, item.returns, ast.get_docstring(item) or ""))
    lines = [
        f"| `{name}` | `{ast.unparse(kind).replace('|', chr(92) + '|') if kind else ''}` | {' '.join(text.split())} |"
        for name, kind, text in rows
        if not name.startswith("_")
    ]
    return ["| Name | Type | Meaning |", "|---|---|---|", *lines, ""] if lines else []


def of_function(node: ast.FunctionDef, level: str, owner: str = "") -> list[str]:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    call = f"{owner}{node.name}({parameters(node)}){returns}"
    return [f"{level} {owner}{node.name}", "", "```python", call, "```", "", markdown(ast.get_docstring(node) or ""), ""]


def decorators(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}


def parameters(node: ast.FunctionDef) -> str:
    text = ast.unparse(node.args)
    return re.sub(r"^(self|cls)(, )?", "", text)


def markdown(docstring: str) -> str:
    """Returns a docstring with indented examples as code blocks."""
    out, code = [], []
    for line in [*docstring.splitlines(), ""]:
        if line.startswith("    ") or (code and not line):
            code.append(line[4:])
            continue
        if code:
            out += ["```python", *"\n".join(code).rstrip().splitlines(), "```", ""]
            code = []
        out.append(line)
    if code:
        out += ["```python", *"\n".join(code).rstrip().splitlines(), "```"]
    return "\n".join(out).rstrip()


#: Declarations with a comment. A class or an interface ends at the first line that is a brace, the others at a semicolon.
EXPORT = re.compile(
    r"^/\*\*(?P<doc>(?:(?!\*/).)*)\*/\nexport (?:default )?"
    r"(?P<code>(?P<head>(?:class|interface) \w+).*?^\}|(?P<name>(?:function|type) \w+).*?;)$",
    re.MULTILINE | re.DOTALL,
)


def javascript(web: Path) -> str:
    built = [web / "dist/tosca_parse.d.ts", web / "dist/murano.d.ts"]
    is_built = all(path.is_file() for path in built)
    paths = built if is_built else [web / f"src/{name}.d.ts" for name in ("types", "templates", "murano")]
    out = ["# JavaScript interface", "", "See the [guide](bindings/web/README.md) for examples. The declarations are TypeScript.", ""]
    if not is_built:
        out += ["The classes are missing here, because the package was not built when this site was.", ""]
    seen = set()
    for match in (match for path in paths for match in EXPORT.finditer(path.read_text())):
        title = match["head"] or match["name"]
        # Both modules have the parser and the language server.
        if re.search("[Ii]nit|__wbg", title) or title in seen:
            continue
        seen.add(title)
        doc = re.sub(r"^ ?\* ?", "", match["doc"], flags=re.MULTILINE).strip()
        code = re.sub(r"^ +(private constructor\(\)|\[Symbol\.dispose\]\(\): void);\n", "", match["code"], flags=re.MULTILINE)
        out += [f"## {title}", "", doc, "", "```typescript", *code.splitlines(), "```", ""]
    return "\n".join(out)
