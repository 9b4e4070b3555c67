"""Calls of the public functions: check arguments, name parameters in errors, run coroutines."""

import asyncio
import inspect
import os
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import cache, wraps
from numbers import Integral, Real
from pathlib import Path
from reprlib import Repr
from threading import Event, Thread, main_thread
from types import NoneType, UnionType
from typing import Any, Final, Literal, ParamSpec, TypeVar, Union, cast, get_args, get_origin

from karat.core.errors import KaratError, UsageError
from karat.core.options import Options, PathLike

Given = ParamSpec("Given")
Result = TypeVar("Result")
_NAMES: Final[dict[object, str]] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    NoneType: "None",
    PathLike: "a path",
    os.PathLike: "a path",
    Sequence: "a list",
    list: "a list",
    Mapping: "a mapping",
    Iterable: "a list or another iterable",
}
_LEAST: Final = {"passing": 0, "limit": 1}
_MOST: Final = {"passing": 5}
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def public(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Wrap a function to refuse arguments of the wrong type and to name parameters, not options, in errors."""

    def check(*values: Any, **named: Any) -> None:  # noqa: ANN401 - any argument
        for name, value in inspect.signature(function).bind(*values, **named).arguments.items():
            _check(name, value, _read_kinds(function).get(name, Any))

    @wraps(function)
    def call(*values: Given.args, **named: Given.kwargs) -> Result:
        with _library_words():
            check(*values, **named)
            return function(*values, **named)

    @wraps(function)
    async def wait(*values: Given.args, **named: Given.kwargs) -> Any:  # noqa: ANN401 - the function's result
        with _library_words():
            check(*values, **named)
            return await cast("Any", function(*values, **named))

    return cast("Callable[Given, Result]", wait) if inspect.iscoroutinefunction(function) else call


@contextmanager
def _library_words() -> Generator[None]:
    """Make errors raised inside name `items_per_prompt`, not `--items-per-prompt`."""
    try:
        yield
    except KaratError as error:
        error.use_library_words()
        raise


def refuse_at_exit() -> None:
    """Refuse work that needs threads after the program has ended, as in `atexit` functions."""
    if not main_thread().is_alive():
        raise UsageError(
            "Python is shutting down and starts no new threads; call karat before the program ends, not in an atexit function"
        )


def wait_for(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end; inside a running event loop (a notebook), in a separate thread."""
    return _wait_in_thread(work) if _is_loop_running() else asyncio.run(work)


def _wait_in_thread(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a thread; an interrupt cancels it and waits until it has stopped."""
    begun: Future[Callable[[], object]] = Future()
    ended: Future[Result] = Future()
    interrupted = Event()

    async def begin() -> Result:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        begun.set_result(lambda: loop.call_soon_threadsafe(task.cancel))
        if interrupted.is_set():
            task.cancel()
        return await task

    def run() -> None:
        try:
            ended.set_result(asyncio.run(begin()))
        except BaseException as error:  # noqa: BLE001 - handed on to the caller's thread below
            ended.set_exception(error)

    thread = Thread(target=run, name="karat")
    try:
        thread.start()
        return ended.result()
    finally:
        interrupted.set()
        with suppress(RuntimeError):  # the loop is closed: the work is over or never began
            if begun.done():
                begun.result()()
            thread.join()


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@cache
def _read_kinds(function: Callable[..., object]) -> dict[str, Any]:
    """Return the types of a function's parameters; types of an extra that is not installed accept anything."""
    kinds = dict[str, Any]()
    for name, one in inspect.signature(function).parameters.items():
        known = Any if isinstance(one.annotation, str) else one.annotation
        kinds[name] = Sequence[known] if one.kind is one.VAR_POSITIONAL else known
        if one.kind is one.VAR_KEYWORD:
            kinds[name] = Options
    return kinds


def _check(name: str, value: object, kind: Any) -> None:  # noqa: ANN401 - a type of any form
    if kind is Options:
        kinds = Options.__annotations__
        for option, given in cast("dict[str, object]", value).items():
            _check(
                option, given, kinds.get(option, Any)
            )  # an unknown option is refused later, with the list of known ones
        return
    if not _fits(value, kind):
        raise UsageError(f"{name} must be {_describe(kind)}, not {_SHORT.repr(value)}")
    if isinstance(value, str) and not value.strip() and _fits(Path(), kind):
        raise UsageError(f"{name} is empty; name a file, or leave it out")
    if isinstance(value, str) and "\0" in value:
        raise UsageError(f"{name} contains a NUL character, which is not allowed in names and paths")
    if isinstance(value, Real) and name in _LEAST and not float(value) >= _LEAST[name]:
        raise UsageError(f"{name} must be at least {_LEAST[name]}, not {value}")
    if isinstance(value, Real) and name in _MOST and not float(value) <= _MOST[name]:
        raise UsageError(f"{name} must be at most {_MOST[name]}, not {value}")


def _fits(value: object, kind: Any) -> bool:  # noqa: ANN401, PLR0911 - a type of any form, one case per line
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if kind is Any:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is Literal:
        return any(type(value) is type(part) and value == part for part in parts)
    if origin in (int, float):
        return not isinstance(value, bool) and isinstance(value, Integral if origin is int else Real)
    if origin in (PathLike, os.PathLike):
        return isinstance(value, os.PathLike)
    if origin in (list, Sequence):
        several = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
        return several and all(_fits(one, *parts) for one in cast("Sequence[object]", value))
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            _fits(one, part)
            for pair in cast("Mapping[object, object]", value).items()
            for one, part in zip(pair, parts, strict=True)
        )
    return isinstance(value, origin)


def _describe(kind: Any) -> str:  # noqa: ANN401 - a type of any form
    """Describe in words which values a parameter accepts."""
    *first, last = dict.fromkeys(_list_words(kind))
    return f"{', '.join(first)} or {last}" if first else last


def _list_words(kind: Any) -> Iterator[str]:  # noqa: ANN401 - a type of any form
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        for part in parts:
            yield from _list_words(part)
    elif origin is Literal or origin is bool:
        yield from map(repr, parts or (True, False))
    else:
        inner = f" of {_describe(parts[-1])}" if parts and origin in (list, Sequence, Mapping) else ""
        yield _NAMES.get(origin, getattr(origin, "__name__", str(origin))) + inner
