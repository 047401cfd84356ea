"""Repositories."""

from __future__ import annotations

from typing import Any

from .common.exception import ExceptionCollector, MissingRequiredFieldError, UnknownFieldError, URLException
from .utils.urlutils import UrlUtils

SECTIONS = (DESCRIPTION, URL, CREDENTIAL) = ("description", "url", "credential")


class Repository:
    def __init__(self, repositories: str, values: Any) -> None:
        self.name = repositories
        self.reposit = values
        self.url: Any = values.get(URL) if isinstance(values, dict) else values
        if isinstance(values, dict):
            self.load_and_validate(self.name, values)

    def load_and_validate(self, val: str, reposit_def: Any) -> None:
        """Reports unknown keys and a missing or invalid URL."""
        for key in reposit_def:
            if key not in SECTIONS:
                ExceptionCollector.appendException(UnknownFieldError(what=f'repositories "{val}"', field=key))
        if not self.url:
            ExceptionCollector.appendException(MissingRequiredFieldError(what=f'Repository "{val}"', required=URL))
        elif not UrlUtils.validate_url(self.url):
            ExceptionCollector.appendException(URLException(what=f'repsositories "{val}" Invalid Url'))
