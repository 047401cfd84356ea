"""The threads on which loaders run. They don't keep the program from exiting."""

from __future__ import annotations

import asyncio
import os
from _thread import allocate_lock
from _thread import start_new_thread as start
from collections.abc import Awaitable
from queue import SimpleQueue
from typing import Any

__all__ = ["SimpleQueue", "start", "work"]

_lock = allocate_lock()
_loop: tuple[int, asyncio.AbstractEventLoop] | None = None


def work(queue: SimpleQueue[Any]) -> None:
    """Runs the jobs of a queue: a function, its arguments, and the receiver of the result or the exception."""
    while True:
        function, arguments, done = queue.get()
        result, error = None, None
        try:
            result = function(*arguments)
            if isinstance(result, Awaitable):
                result = asyncio.run_coroutine_threadsafe(_wait(result), _event_loop()).result()
        except BaseException as raised:
            error = raised
        done(result, error)
        del function, arguments, done, result, error


async def _wait(result: Awaitable[Any]) -> Any:
    return await result


def _event_loop() -> asyncio.AbstractEventLoop:
    """Returns the event loop of asynchronous loaders, which has its own thread. A forked process needs a new one."""
    global _loop
    with _lock:
        if _loop is None or _loop[0] != os.getpid():
            _loop = (os.getpid(), asyncio.new_event_loop())
            start(_loop[1].run_forever, ())
        return _loop[1]
