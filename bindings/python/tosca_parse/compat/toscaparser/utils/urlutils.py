"""URLs."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request

from ..common.exception import ExceptionCollector, URLException


class UrlUtils:
    @staticmethod
    def validate_url(path: str) -> bool:
        """Returns whether a path is a URL."""
        parts = urllib.parse.urlparse(path)
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
