"""Makes an `Action` of a request or a response as a server hands it over.

Bodies are read as the application would read them: by their charset, and unpacked if they are
packed. A body that cannot be read like that is refused, so that no encoding hides one.

    request_action(HttpRequest(method="GET", path="/a", query="q=1", headers=(), client="::1"), b"")
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping

from msgspec import Struct

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.detectors.client import ADDRESS
from signoff.frontends.web_apps.aws_chunks import without_chunks
from signoff.ids import new_id
from signoff.values import replace

TEXTUAL = ("text/", "application/json", "application/xml", "application/xhtml", "application/javas")
# Those in which the letters of ASCII are the same bytes, so that nothing is hidden.
_CHARSETS = (
    *("utf-8", "utf-8-sig", "ascii", "us-ascii", "latin1", "koi8-r", "koi8-u", "gb2312", "gbk"),
    *("gb18030", "big5", "shift_jis", "sjis", "cp932", "euc-jp", "euc-kr", "mac-roman", "tis-620"),
    *(f"iso-8859-{number}" for number in (*range(1, 12), *range(13, 17))),
    *(f"{kind}125{number}" for kind in ("cp", "windows-") for number in range(9)),
)
AWS_CHUNKED = "aws-chunked"
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS  # zlib finds out by the header which of the two it is


class UnreadableBody(Exception):
    """A request body that cannot be decoded; the response has status 415."""


class HttpRequest(Struct, frozen=True, kw_only=True):
    """The line and headers of a request.

    Args:
        path: as sent, still encoded where the server keeps it so.
        query: as sent, without `?`.
        headers: names in lower case and values, in the order they came.
        client: address of the client, "" if unknown; or the name it is counted by.
        address: address of the client where `client` is a name.
    """

    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    client: str
    address: str = ""

    def header(self, name: str) -> str:
        """Return the first header of this name, "" if there is none."""
        return next((value for one, value in self.headers if one == name), "")

    def single(self, name: str) -> str:
        """Return the header of this name, "" if there is none.

        Raises:
            UnreadableBody: it came more than once, and applications take one or the other.
        """
        found = [value for one, value in self.headers if one == name]
        if len(found) > 1:
            raise UnreadableBody(f"header `{name}` was given more than once")
        return found[0] if found else ""


def web_request(
    path: str = "/",
    *,
    method: str = "GET",
    query: Json = "",
    headers: Mapping[str, Json] | None = None,
    body: Json = "",
    client: str = "",
) -> Action:
    """Build the Action of a web request by hand, for a pipeline.

    Args:
        query: as sent, or the parameters by name.
        body: as sent, or decoded JSON.
        client: who is counted: an address, or a name such as `user:7`.
    """
    arguments: dict[str, Json] = {"method": method, "path": path, "query": query}
    arguments |= {"headers": headers or {}, "body": body, "client_ip": client}
    return Action(
        tool="http",
        kind=ActionKind.HTTP_REQUEST,
        arguments=arguments,
        request_id=new_id(),
        source="http",
    )


def request_action(request: HttpRequest, body: str) -> Action:
    """Build the Action of a request; its id appears in logs and in the response."""
    action = web_request(
        request.path,
        method=request.method,
        query=request.query,
        headers=merged(request.headers),
        body=body,
        client=request.client,
    )
    if not request.address:
        return action
    return replace(action, arguments={**action.arguments, ADDRESS: request.address})


def response_action(asked: Action, output: str) -> Action:
    """Build the Action of a response.

    Args:
        asked: the request's Action.
        output: the response's text.
    """
    arguments: dict[str, Json] = {
        "output": output,
        "request": asked.arguments,
        "client_ip": asked.text("client_ip"),
    }
    return Action(
        tool="http",
        kind=ActionKind.RESULT,
        arguments=arguments,
        request_id=asked.request_id,
        source="http",
    )


def body_text(
    body: bytes, content_type: str, encoding: str, limit: int, *, is_beginning: bool = False
) -> str:
    """Decode a body as the application would.

    Args:
        encoding: the Content-Encoding.
        limit: bytes after decompression.
        is_beginning: the beginning of a longer body is enough.

    Raises:
        UnreadableBody: its encoding is unknown or not valid.
    """
    codings = [one.strip().lower() for one in encoding.split(",")]
    if AWS_CHUNKED in codings:
        codings.remove(AWS_CHUNKED)
        try:
            body = without_chunks(body, is_beginning=is_beginning)
        except ValueError as error:
            raise UnreadableBody(f"body is not in chunks of AWS: {error}") from error
    packed = ",".join(codings)
    if packed not in ("", "identity"):
        body = _unpacked(body, packed, limit, is_beginning=is_beginning)
    charset = _charset(content_type)
    codec = _CODECS.get(_letters(charset)) if charset else "utf-8"
    if codec is None:
        raise UnreadableBody(f"charset `{charset[:40]}` is not supported")
    # A broken byte becomes U+FFFD, and the text around it is judged all the same.
    return body.decode(codec, "replace")


def is_textual(content_type: str) -> bool:
    """Return whether a response of this content type is text that may leak something."""
    kind = content_type.strip().lower()
    is_text = kind.startswith(TEXTUAL) or "+json" in kind or "+xml" in kind
    # A stream of events has no end: held until it is whole, it would never arrive.
    return is_text and not kind.startswith("text/event-stream")


def number(text: str) -> int | None:
    """Parse a Content-Length; None if it is not a plain number."""
    # `int` also takes signs, spaces, `_` and digits of other scripts, which servers do not
    # (CWE-444).
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def merged(headers: Iterable[tuple[str, str]]) -> Mapping[str, Json]:
    """Return headers by name; a header sent several times has a list as its value."""
    found: dict[str, Json] = {}
    for name, value in headers:
        before = found.get(name)
        if before is None:
            found[name] = value
        else:
            found[name] = [*before, value] if isinstance(before, list) else [before, value]
    return found


def _unpacked(body: bytes, encoding: str, limit: int, *, is_beginning: bool) -> bytes:
    # Two encodings in one header are no known one: a second layer could hide a body.
    if encoding not in ("gzip", "deflate"):
        raise UnreadableBody(f"content encoding `{encoding[:40]}` is not supported")
    unpack = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        # No more than this comes out, however much is packed in (CWE-409).
        plain = unpack.decompress(body, limit)
    except zlib.error as error:
        raise UnreadableBody(f"body is no {encoding}") from error
    # Applications unpack what follows the first member, or leave it.
    if unpack.unused_data:
        raise UnreadableBody(f"body goes on behind its {encoding}")
    if unpack.unconsumed_tail and not is_beginning:
        raise UnreadableBody(f"body unpacks to more than {limit} bytes")
    return plain


def _charset(content_type: str) -> str:
    parts = [part.partition("=") for part in content_type.lower().split(";")[1:]]
    # `charset*=` is the same name in the form of RFC 2231.
    given = [value for name, _, value in parts if name.strip().rstrip("*") == "charset"]
    if len(given) > 1:
        raise UnreadableBody("charset was given more than once")
    return given[0].strip().strip("\"'") if given else ""


def _letters(charset: str) -> str:
    # Signs between letters and digits do not count: `ISO_8859-1`.
    return re.sub(r"[^a-z0-9]", "", charset)


_CODECS = {_letters(name): name for name in _CHARSETS} | {
    "windows31j": "cp932",
    "macintosh": "mac-roman",
}
