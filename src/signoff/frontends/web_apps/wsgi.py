"""WSGI middleware: judges what reaches an application and what leaves it.

    application = WsgiMiddleware(get_wsgi_application(), routes=(RouteRule("/admin/*", strict()),))

A body is read up to the rule's limit, judged, and handed on as it came. A response that declares
its length is held until it is judged; one that is streamed leaves as it comes.
`environ["signoff"]` holds the `PipelineDecision`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeAlias, Unpack

from signoff.actions.action import Action
from signoff.frontends.web_apps.problem import TOO_LARGE, Problem
from signoff.frontends.web_apps.protection import Judged, Protection
from signoff.frontends.web_apps.reading import HttpRequest, is_textual, number
from signoff.frontends.web_apps.routes import Larger, RouteRule
from signoff.frontends.web_apps.settings import ProtectionSettings

Environ: TypeAlias = dict[str, Any]
StartResponse: TypeAlias = Callable[..., Callable[[bytes], object]]
WsgiApp: TypeAlias = Callable[[Environ, StartResponse], Iterable[bytes]]


class _Input(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class WsgiMiddleware:
    """Middleware that protects a WSGI application; takes the arguments of `Protection`."""

    def __init__(self, app: WsgiApp, **settings: Unpack[ProtectionSettings]) -> None:
        self._app = app
        self._protection = Protection(**settings)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Serve one request."""
        request = _request_of(environ)
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        # PEP 3333: below a prefix the path comes in two parts, and both may be empty.
        rule = self._protection.table.rule_for(path or "/", request.method)
        if rule.pipeline is None:
            return self._app(environ, start_response)
        problem, body = _read_body(environ, rule)
        judged = Judged(problem=problem) if problem else self._protection.judge(rule, request, body)
        if judged.problem is not None:
            self._protection.tell_blocked(judged)
            return _answer(start_response, judged.problem)
        environ["signoff"] = judged.decision
        response = _Response(self._protection, judged.action, start_response)
        try:
            return response.of(self._app, environ)
        except Exception:
            # The server answers with 500, which counts as every other answer.
            self._protection.tell(judged.action, 500)
            raise


class _Response:
    """Holds a response of declared length until it is judged; lets any other through."""

    def __init__(
        self, protection: Protection, action: Action | None, start_response: StartResponse
    ) -> None:
        self._protection, self._action, self._begin = protection, action, start_response
        self._started: tuple[Any, ...] = ()
        self._is_held = self._is_read = self._is_open = False
        self._status = 500
        self._written: list[bytes] = []

    def of(self, app: WsgiApp, environ: Environ) -> Iterable[bytes]:
        """Give the pieces of the application's response, or those of the answer in its place."""
        pieces = app(environ, self._start)
        if not self._started:  # an application may start its response with its first piece
            try:
                first = next(iterator := iter(pieces), b"")
            except BaseException:
                _close(pieces)  # PEP 3333: also where the application fails
                raise
            return self._rest(pieces, first, iterator)
        self._decide_for(pieces)
        return self._held(pieces) if self._is_held else self._streamed(pieces, iter(pieces))

    def _rest(
        self, pieces: Iterable[bytes], first: bytes, iterator: Iterator[bytes]
    ) -> Iterable[bytes]:
        self._decide_for(iterator)

        def again() -> Iterator[bytes]:
            yield first
            yield from iterator

        return self._held(pieces, again()) if self._is_held else self._streamed(pieces, again())

    def _start(
        self, status: str, headers: list[tuple[str, str]], exc_info: object = None
    ) -> Callable[[bytes], object]:
        named = {name.lower(): value for name, value in headers}
        self._status = number(status[:3]) or 500
        content_type = named.get("content-type", "")
        has_judge = self._protection.responses is not None and self._action is not None
        is_plain = "content-encoding" not in named
        self._is_read = has_judge and is_plain and is_textual(content_type)
        length = number(named.get("content-length", ""))
        limit = self._protection.response_limit
        self._is_held = self._is_read and length is not None and length <= limit
        self._started = (status, headers, *((exc_info,) if exc_info else ()))
        self._is_open = self._is_read and length is None
        if self._is_held or self._is_open:
            # PEP 3333: an application may write its body here, too; it is held like the rest.
            return self._written.append
        return self._begin(*self._started)

    def _decide_for(self, pieces: Iterable[bytes]) -> None:
        """Hold a response without a length if it is whole already; else begin it."""
        if not self._is_open:
            return
        # Django's responses say by `streaming` whether they are whole.
        is_whole = isinstance(pieces, (list, tuple)) or getattr(pieces, "streaming", True) is False
        if is_whole and not self._written:
            self._is_held = True
            return
        write = self._begin(*self._started)
        for piece in self._written:
            write(piece)

    def _held(
        self, pieces: Iterable[bytes], iterator: Iterable[bytes] | None = None
    ) -> Iterable[bytes]:
        try:
            body = b"".join((*self._written, *(pieces if iterator is None else iterator)))
        finally:
            _close(pieces)
        problem = None
        if self._action is not None:
            problem = self._protection.judge_response(
                self._action, body[: self._protection.response_limit]
            )
        if problem is not None:
            self._protection.tell(self._action, int(problem.status))
            return _answer(self._begin, problem)
        self._protection.tell(self._action, self._status)
        self._begin(*self._started)
        return [body]

    def _streamed(self, pieces: Iterable[bytes], iterator: Iterator[bytes]) -> Iterator[bytes]:
        kept = bytearray()
        limit = self._protection.response_limit if self._is_read else 0
        try:
            for piece in iterator:
                kept += piece[: max(0, limit - len(kept))]
                yield piece
        except Exception:
            # What it began with no longer holds: an answer that broke off counts as a failure.
            self._status = 500
            raise
        finally:
            _close(pieces)
            self._protection.tell(self._action, self._status)
            if kept and self._action is not None:
                self._protection.watch_response(self._action, bytes(kept))


class _BodyAndRest(io.RawIOBase):
    """A body whose beginning was read: gives that first, then the rest.

    Args:
        left: bytes of the rest; None = the server itself knows where it ends.
    """

    def __init__(self, beginning: bytes, rest: _Input, left: int | None) -> None:
        super().__init__()
        self._beginning, self._rest, self._left = io.BytesIO(beginning), rest, left

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # no name for any buffer before 3.12
        """Read into a buffer; return how many bytes were read, 0 at the end."""
        view = memoryview(buffer)
        piece = self._beginning.read(len(view))
        if not piece:
            # A server waits for bytes that never come if it is asked for more than there are.
            size = len(view) if self._left is None else min(len(view), self._left)
            piece = self._rest.read(size) if size else b""
            self._left = None if self._left is None else self._left - len(piece)
        view[: len(piece)] = piece
        return len(piece)


def _read_body(environ: Environ, rule: RouteRule) -> tuple[Problem | None, bytes]:
    """Read a body up to the limit and put it back; the answer if it is longer than is accepted."""
    # PEP 3333 allows an empty one.
    length = number(environ.get("CONTENT_LENGTH") or "0")
    is_chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
    # A length that is no number: this and the next reader could end the body elsewhere (CWE-444).
    if length is None and not is_chunked:
        return TOO_LARGE, b""
    # A watched request is served whatever is found.
    refuses = rule.larger is Larger.REFUSE and not rule.is_watched
    if refuses and length is not None and length > rule.body_limit:
        return TOO_LARGE, b""
    source: _Input = environ["wsgi.input"]
    # One byte over the limit shows that a chunked body is longer; another body has said its
    # length.
    wanted = rule.body_limit + 1 if is_chunked else min(length or 0, rule.body_limit)
    body = _read(source, wanted)
    if is_chunked and refuses and len(body) > rule.body_limit:
        return TOO_LARGE, b""
    is_whole = len(body) < wanted if is_chunked else len(body) == (length or 0)
    left = None if is_chunked else (length or 0) - len(body)
    environ["wsgi.input"] = (
        io.BytesIO(body) if is_whole else io.BufferedReader(_BodyAndRest(body, source, left))
    )
    return None, body[: rule.body_limit]


def _read(source: _Input, size: int) -> bytes:
    pieces: list[bytes] = []
    while size > 0 and (piece := source.read(min(size, 64 << 10))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _answer(start_response: StartResponse, problem: Problem) -> Iterable[bytes]:
    status = problem.status
    start_response(f"{int(status)} {status.phrase}", list(problem.headers))
    return [problem.body]


def _close(pieces: Iterable[bytes]) -> None:
    # PEP 3333: the server calls it, but these pieces do not reach the server.
    close = getattr(pieces, "close", None)
    if close is not None:
        close()


def _request_of(environ: Environ) -> HttpRequest:
    headers = [
        (name[5:].replace("_", "-").lower(), str(value))
        for name, value in environ.items()
        if name.startswith("HTTP_")
    ]
    # The two headers that WSGI names without `HTTP_`.
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            headers.append((name.replace("_", "-").lower(), str(environ[name])))
    # The path as it was sent: RAW_URI of gunicorn, REQUEST_URI of uWSGI. WSGI has the decoded one
    # only.
    path = environ.get("RAW_URI") or environ.get("REQUEST_URI") or ""
    if not path:
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    return HttpRequest(
        method=str(environ.get("REQUEST_METHOD", "GET")),
        path=path.partition("?")[0],
        query=str(environ.get("QUERY_STRING", "")),
        headers=tuple(headers),
        client=str(environ.get("REMOTE_ADDR", "")),
    )
