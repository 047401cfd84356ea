"""URLs."""

from __future__ import annotations

import ipaddress
import socket
import urllib.error
import urllib.parse
import urllib.request

from ..common.exception import ExceptionCollector, URLException

REMOTE = ("http", "https", "ftp")


class UrlUtils:
    @staticmethod
    def validate_url(path: str) -> bool:
        """Returns whether a path is a URL."""
        try:
            parts = urllib.parse.urlparse(path)
        except ValueError:
            return False
        return bool(parts.scheme and (parts.netloc or parts.scheme == "file"))

    @staticmethod
    def join_url(url: str, relative_path: str) -> str | None:
        """Returns the URL of a path relative to a URL."""
        if not UrlUtils.validate_url(url):
            ExceptionCollector.appendException(ValueError(f'"{url}" is not a valid URL.'))
            return None
        return urllib.parse.urljoin(url, relative_path)

    @staticmethod
    def url_accessible(url: str) -> bool:
        """Returns whether a URL can be read."""
        try:
            with urllib.request.urlopen(url) as answer:
                return bool(answer.status == 200)
        except urllib.error.URLError as error:
            ExceptionCollector.appendException(URLException(what=f'Failed to reach server "{url}". Reason is: {error}.'))
            return False


def check_origin(url: str, origin: str | None) -> None:
    """Raises a `URLError` if a document from the network refers to a local file or a private address."""
    parts, source = urllib.parse.urlsplit(url), urllib.parse.urlsplit(origin or "")
    if source.scheme not in REMOTE:
        return
    if parts.scheme in REMOTE and parts.hostname == source.hostname:
        return
    if parts.scheme not in REMOTE:
        raise urllib.error.URLError("documents from the network can't refer to local files")
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port)
    except OSError:
        return  # A proxy may know the name.
    if not all(ipaddress.ip_address(address[0]).is_global for *_, address in found):
        raise urllib.error.URLError("documents from the network can't refer to private addresses")
