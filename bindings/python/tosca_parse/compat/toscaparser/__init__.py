"""The interface of `toscaparser`."""

__version__ = "2.15.0"
