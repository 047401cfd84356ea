"""YAQL, the expression language of OpenStack.

    from tosca_parse import yaql

    yaql.evaluate("$.where($ > 2)", [1, 2, 3, 4])
"""

from ._native import evaluate
from .errors import YaqlError

__all__ = ["YaqlError", "evaluate"]
