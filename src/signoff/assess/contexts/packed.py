"""Unpacks values that applications unpack before they use them: Base64, and messages of SAML.

A cookie and a parameter often carry text in Base64, and what is in it is used like any other
value. Bodies carry whole files in it, which are kept; there only messages of SAML are unpacked.

    unpacked("MScgb3IgMT0xIC0tIGZvbw")  ->  "1' or 1=1 -- foo"
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib

LEAST_PACKED = 16  # characters
PACKED_LIMIT = 8 << 10
MESSAGE_LIMIT = 256 << 10
SAML = frozenset({"SAMLResponse", "SAMLRequest", "wresult"})
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
# A token is letters only; text that does something has a blank or a sign.
_SIGN = re.compile(r"[\s'\"<>(){}\[\];|&$`]")
_PHP = re.compile(r"[aOC]:\d{1,6}:")
_DEFINES = re.compile(r"<!\s*(?:entity|doctype)|xi:include|/xinclude", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def unpacked(value: str) -> str | None:
    """Return the text encoded in a Base64 value, None if it is no Base64 text."""
    if not LEAST_PACKED <= len(value) <= PACKED_LIMIT or _BASE64.fullmatch(value) is None:
        return None
    data = _decoded(value)
    try:
        text = "" if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if _PHP.match(text):
        text = text.replace("\0", "")  # PHP marks hidden members with it
    return text if _SIGN.search(text) and not _CONTROL.search(text) else None


def packed_document(value: str) -> str | None:
    """Return the XML encoded in a Base64 value if it defines or includes anything, else None."""
    if not begins_as_document(value) or len(value) > MESSAGE_LIMIT:
        return None
    data = _decoded("".join(value.split()))
    text = "" if data is None else data.decode("utf-8", "replace").lstrip("\ufeff")
    return text if _DEFINES.search(text) else None


def begins_as_document(value: str) -> bool:
    """Return whether a value may be Base64 of XML: of `<`, behind a mark of UTF-8 or not."""
    return value[:4] == "77u/" or (
        value[:1] == "P" and value[1:2] in ("C", "D", "E", "F", "G", "H")
    )


def saml_message(value: str) -> str | None:
    """Return the XML of a SAML message, deflated or not; None for other values."""
    if len(value) > MESSAGE_LIMIT:
        return None
    data = _decoded("".join(value.split()))
    if data is None:
        return None
    if not data.lstrip().startswith(b"<"):
        data = _inflated(data)
    text = data.decode("utf-8", "replace").strip()
    return text if text.startswith("<") else None


def _decoded(value: str) -> bytes | None:
    plain = value.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (ValueError, binascii.Error):
        return None


def _inflated(data: bytes) -> bytes:
    """Unpack what a browser carries in an address (SAML bindings, 3.4.4.1); b"" if it is none."""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MESSAGE_LIMIT)
    except zlib.error:
        return b""
