"""Reads TOSCA service templates, finds every problem in them, and returns a complete model."""

from ._native import Diagnostic, Outcome, Parser, Point, Related, ToscaError

__all__ = ["Diagnostic", "Outcome", "Parser", "Point", "Related", "ToscaError"]
