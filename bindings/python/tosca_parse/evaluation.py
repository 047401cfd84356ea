"""Evaluations, as `Outcome.evaluate` returns them."""

from __future__ import annotations

from typing import Literal, TypedDict

from . import model


class Problem(TypedDict):
    """A value that can't be computed, or that violates a validation clause."""

    kind: Literal["not-computable", "validation-failed"]
    at: str
    """The position of the value in the model: a JSON pointer (RFC 6901)."""
    source: model.Source | None
    message: str
    help: str


class Evaluation(TypedDict):
    """A service with computed values."""

    service: model.Service
    problems: list[Problem]
