"""The exceptions, and the collector that keeps those of a template."""

from __future__ import annotations

import threading
import traceback
from typing import Any, ClassVar

from ....errors import ToscaError


class TOSCAException(ToscaError):
    """The base of the exceptions. `msg_fmt` is formatted with the arguments."""

    _FATAL_EXCEPTION_FORMAT_ERRORS = False
    msg_fmt: ClassVar[str] = "An unknown exception occurred."
    message = "An unknown exception occurred."

    def __init__(self, **kwargs: Any) -> None:
        try:
            self.message = self.msg_fmt % kwargs
        except KeyError:
            if TOSCAException._FATAL_EXCEPTION_FORMAT_ERRORS:
                raise
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message

    @staticmethod
    def set_fatal_format_exception(flag: bool) -> None:
        if isinstance(flag, bool):
            TOSCAException._FATAL_EXCEPTION_FORMAT_ERRORS = flag


class UnsupportedTypeError(TOSCAException):
    msg_fmt = 'Type "%(what)s" is valid TOSCA type but not supported at this time.'


class MissingRequiredFieldError(TOSCAException):
    msg_fmt = '%(what)s is missing required field "%(required)s".'


class UnknownFieldError(TOSCAException):
    msg_fmt = '%(what)s contains unknown field "%(field)s". Refer to the definition to verify valid values.'


class TypeMismatchError(TOSCAException):
    msg_fmt = '%(what)s must be of type "%(type)s".'


class InvalidNodeTypeError(TOSCAException):
    msg_fmt = 'Node type "%(what)s" is not a valid type.'


class InvalidTypeError(TOSCAException):
    msg_fmt = 'Type "%(what)s" is not a valid type.'


class InvalidTypeAdditionalRequirementsError(TOSCAException):
    msg_fmt = 'Additional requirements for type "%(type)s" not met.'


class RangeValueError(TOSCAException):
    msg_fmt = 'The value "%(pvalue)s" of property "%(pname)s" is out of range "(min:%(vmin)s, max:%(vmax)s)".'


class InvalidSchemaError(TOSCAException):
    msg_fmt = "%(message)s"


class ValidationError(TOSCAException):
    msg_fmt = "%(message)s"


class UnknownInputError(TOSCAException):
    msg_fmt = 'Unknown input "%(input_name)s".'


class UnknownOutputError(TOSCAException):
    msg_fmt = 'Unknown output "%(output_name)s" in %(where)s.'


class MissingRequiredInputError(TOSCAException):
    msg_fmt = '%(what)s is missing required input definition of input "%(input_name)s".'


class MissingRequiredParameterError(TOSCAException):
    msg_fmt = '%(what)s is missing required parameter for input "%(input_name)s".'


class MissingDefaultValueError(TOSCAException):
    msg_fmt = '%(what)s is missing required default value of input "%(input_name)s".'


class MissingRequiredOutputError(TOSCAException):
    msg_fmt = '%(what)s is missing required output definition of output "%(output_name)s".'


class InvalidPropertyValueError(TOSCAException):
    msg_fmt = 'Value of property "%(what)s" is invalid.'


class InvalidTemplateVersion(TOSCAException):
    msg_fmt = 'The template version "%(what)s" is invalid. Valid versions are "%(valid_versions)s".'


class InvalidTOSCAVersionPropertyException(TOSCAException):
    msg_fmt = 'Value of TOSCA version property "%(what)s" is invalid.'


class URLException(TOSCAException):
    msg_fmt = "%(what)s"


class ToscaExtImportError(TOSCAException):
    msg_fmt = ('Unable to import extension "%(ext_name)s". Check to see that it exists and has no '
               'language definition errors.')


class ToscaExtAttributeError(TOSCAException):
    msg_fmt = ('Missing attribute in extension "%(ext_name)s". Check to see that it has required '
               'attributes "%(attrs)s" defined.')


class InvalidGroupTargetException(TOSCAException):
    msg_fmt = '"%(message)s"'


class _State(threading.local):
    def __init__(self) -> None:
        self.exceptions: list[Exception] = []
        self.collecting = False


_state = _State()


class _PerThread(type):
    @property
    def exceptions(cls) -> list[Exception]:
        """The exceptions of this thread."""
        return _state.exceptions

    @property
    def collecting(cls) -> bool:
        """Whether this thread collects exceptions."""
        return _state.collecting

    @collecting.setter
    def collecting(cls, value: bool) -> None:
        _state.collecting = value


class ExceptionCollector(metaclass=_PerThread):
    """Collects exceptions between `start` and `stop`, for each thread; otherwise they are raised at once."""

    @staticmethod
    def clear() -> None:
        ExceptionCollector.exceptions.clear()

    @staticmethod
    def start() -> None:
        ExceptionCollector.clear()
        ExceptionCollector.collecting = True

    @staticmethod
    def stop() -> None:
        ExceptionCollector.collecting = False

    @staticmethod
    def contains(exception: Exception) -> bool:
        return any(type(one) is type(exception) and str(one) == str(exception) for one in ExceptionCollector.exceptions)

    @staticmethod
    def appendException(exception: Exception) -> None:  # noqa: N802
        if not ExceptionCollector.collecting:
            raise exception
        if not ExceptionCollector.contains(exception):
            ExceptionCollector.exceptions.append(exception)

    @staticmethod
    def exceptionsCaught() -> bool:  # noqa: N802
        return bool(ExceptionCollector.exceptions)

    @staticmethod
    def getExceptionReportEntry(exception: Exception, full: bool = True) -> str:  # noqa: N802
        entry = f"{type(exception).__name__}: {exception}"
        return entry + "".join(traceback.format_tb(exception.__traceback__)) if full else entry

    @staticmethod
    def getExceptions() -> list[Exception]:  # noqa: N802
        return ExceptionCollector.exceptions

    @staticmethod
    def getExceptionsReport(full: bool = True) -> list[str]:  # noqa: N802
        return [ExceptionCollector.getExceptionReportEntry(one, full) for one in ExceptionCollector.exceptions]

    @staticmethod
    def assertExceptionMessage(exception: type[Exception], message: str) -> None:  # noqa: N802
        """Raises an `AssertionError` unless an exception of the class with the message was collected."""
        found = [str(one) for one in ExceptionCollector.exceptions if type(one) is exception]
        if message not in found:
            raise AssertionError(f"there is no {exception.__name__} with the message {message!r} among {found!r}")
