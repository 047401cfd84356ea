"""Yay: configurations that compute themselves.

    from tosca_parse import yay

    config = yay.Config()
    config.load_uri("cluster.yay")
    config.servers[0].port.as_int(default=80)
"""

from ._native import Anchor, Config, Node
from .errors import NoMatchingError, YayError, YayTypeError

__all__ = ["Anchor", "Config", "NoMatchingError", "Node", "YayError", "YayTypeError"]
