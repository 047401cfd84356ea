"""MuranoPL: packages, object models, schemas, and calls of methods.

    from tosca_parse import murano

    classes = murano.Classes(murano.Package("com.example.shop"))
    model = classes.load({"?": {"type": "com.example.shop.Shop", "id": "shop"}, "name": "Shop"})
    model.call("shop", "deploy")
"""

from ._native import Classes, Model, Package
from .errors import MuranoError

__all__ = ["Classes", "Model", "MuranoError", "Package"]
