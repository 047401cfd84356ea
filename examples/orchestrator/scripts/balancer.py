"""The load balancer: it forwards each request to the next web application."""

from itertools import cycle

from server import INPUTS, get, serve

backends = cycle(INPUTS["backends"])
serve(lambda path: get(next(backends) + path))
