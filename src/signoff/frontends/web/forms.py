"""What a form sent, read once: bounded in size, time and number, every field once.

form = await read_form(request)
form.text("words", limit=2_000)
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl

from msgspec import Struct
from starlette.requests import ClientDisconnect, Request

from signoff.errors import BadPayload

FORM = "application/x-www-form-urlencoded"
SIZE_LIMIT = 600_000  # bytes; an argument of 100 kB is up to six times that when encoded
FIELDS_LIMIT = 40
WITHIN_S = 10.0


class FormData(Struct, frozen=True):
    """The fields of a form or query, as text."""

    fields: Mapping[str, str]

    def text(self, name: str, *, limit: int = 200) -> str:
        """Return a field's text, "" if it is missing.

        Raises:
            BadPayload: it is longer than `limit` characters.
        """
        # Browsers send the line ends of a text field as CRLF (HTML, form submission).
        value = self.fields.get(name, "").replace("\r\n", "\n").strip()
        if len(value) > limit:
            raise BadPayload(f"`{name}` has {len(value)} characters, at most {limit} are taken")
        return value

    def number(self, name: str, *, low: int, high: int, default: int) -> int:
        """Return a field as an integer from `low` to `high`; `default` if it is missing.

        Raises:
            BadPayload: it is not an integer, or out of range.
        """
        text = self.text(name, limit=20)
        if not text:
            return default
        # `int` also takes signs, `_` and digits of other scripts.
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise BadPayload(f"`{name}` must be a whole number from {low} to {high}")
        return int(text)


def read_query(request: Request) -> FormData:
    """Read the query of a request.

    Raises:
        BadPayload: a name is there twice, or there are too many.
    """
    return _form(str(request.url.query))


async def read_form(request: Request) -> FormData:
    """Read the form in a request's body.

    Raises:
        BadPayload: it is none, too large, too slow, or names a field twice.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM:
        raise BadPayload(f"expected a form, `{FORM}`")
    body = b""
    try:
        async with asyncio.timeout(WITHIN_S):
            async for piece in request.stream():
                body += piece
                if len(body) > SIZE_LIMIT:
                    raise BadPayload(f"the form is over the limit of {SIZE_LIMIT} bytes")
    except (TimeoutError, ClientDisconnect):
        raise BadPayload("the form did not arrive in time") from None
    try:
        return _form(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadPayload("the form is not UTF-8") from error


def _form(text: str) -> FormData:
    try:
        pairs = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=FIELDS_LIMIT
        )
    except ValueError as error:
        raise BadPayload(f"the form cannot be read: {error}") from error
    fields = dict(pairs)
    # Which of two would count depends on who reads (CWE-235).
    if len(fields) < len(pairs):
        raise BadPayload("a field stands in the form twice")
    return FormData(fields)
