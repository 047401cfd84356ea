"""The part that all servers of the shop have in common."""

import json
import os
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.request import ProxyHandler, build_opener

#: The inputs of the operation.
INPUTS: dict[str, Any] = json.load(sys.stdin)


def get(url: str) -> str:
    """Returns the answer of a server of this computer, which a proxy could not reach."""
    with build_opener(ProxyHandler({})).open(url) as answer:
        return str(answer.read(), "utf-8")


def serve(answer: Callable[[str], str]) -> None:
    """Writes the outputs of the operation, and then answers requests for paths until the process is stopped."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = answer(self.path).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Logs nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    address, port = "127.0.0.1", server.server_port
    outputs = {"address": address, "port": port, "pid": os.getpid(), "url": f"http://{address}:{port}"}
    print(json.dumps(outputs), flush=True)
    server.serve_forever()
