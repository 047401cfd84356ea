"""Parser and validator for TOSCA service templates that returns complete models."""

from ._native import Diagnostic, Outcome, Parser, Point, Related, ToscaError

__all__ = ["Diagnostic", "Outcome", "Parser", "Point", "Related", "ToscaError"]
