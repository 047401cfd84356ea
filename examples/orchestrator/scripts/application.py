"""The web application: a page with the products from the database."""

import json

from server import INPUTS, get, serve


def page(path: str) -> str:
    products = json.loads(get(INPUTS["products"]))
    return f"{INPUTS['title']}: {', '.join(products)}\n"


serve(page)
