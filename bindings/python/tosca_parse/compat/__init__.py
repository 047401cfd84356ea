"""A drop-in replacement for OpenStack's `tosca-parser` 2.15: `install()` puts it in the place of `toscaparser`.

PyYAML is needed: `pip install tosca-parse[compat]`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

__all__ = ["install"]


def install() -> None:
    """Makes `import toscaparser` import the replacement. Raises `ImportError` if the original is imported already."""
    shim = importlib.import_module(f"{__name__}.toscaparser")
    if sys.modules.get("toscaparser", shim) is not shim:
        raise ImportError("toscaparser is imported already: call tosca_parse.compat.install() first")
    sys.modules["toscaparser"] = shim
    for module in pkgutil.walk_packages(shim.__path__, f"{shim.__name__}."):
        sys.modules[module.name.removeprefix(f"{__name__}.")] = importlib.import_module(module.name)
