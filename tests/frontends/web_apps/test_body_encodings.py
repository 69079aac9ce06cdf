"""Bodies are read as the application reads them, or not at all."""

from __future__ import annotations

import gzip

import pytest

from signoff.frontends.web_apps.reading import UnreadableBody, body_text

SIGNED = ";chunk-signature=" + "0a" * 32
LIMIT = 1 << 20


def chunks(*pieces: str, signed: str = SIGNED, trailers: str = "") -> bytes:
    """Write pieces as SDKs of AWS send them."""
    listed = "".join(f"{len(one):x}{signed}\r\n{one}\r\n" for one in pieces)
    return f"{listed}0{signed}\r\n{trailers}\r\n".encode()


@pytest.mark.parametrize("signed", ["", SIGNED])
@pytest.mark.parametrize(
    "trailers", ["", "x-amz-checksum-crc32:NhCmhg==\r\n", "x-amz-checksum-crc64nvme:b2/+=\n\r\n"]
)
def test_uploads_of_aws_are_read(signed: str, trailers: str) -> None:
    """An attack that lies in two pieces is read in one."""
    body = chunks("<scr", "ipt>", signed=signed, trailers=trailers)
    assert "<script>" == body_text(body, "text/html", "aws-chunked", LIMIT)


def test_uploads_of_aws_may_be_packed() -> None:
    """The pieces are of what was packed before."""
    packed = gzip.compress(b"hello")
    body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed)
    assert "hello" == body_text(body, "text/plain", "gzip, aws-chunked", LIMIT)


@pytest.mark.parametrize(
    "body",
    [
        b"<script>fetch(1)</script>",
        b"5;x=<script>\r\nhello\r\n0\r\n\r\n",
        b"5\r\nhello<script>\r\n0\r\n\r\n",
        b"5\r\nhello\r\n0\r\nx-amz-a:<script>\r\n\r\n",
        b"5\r\nhello\r\n0\r\n\r\n<script>",
        b"5\r\nhello\r\n",
        b"ffffffff\r\nhello",
        b"1\r\nx\r\n" * 5000 + b"0\r\n\r\n",
    ],
)
def test_nothing_lies_between_the_pieces(body: bytes) -> None:
    """An application that does not know the form would read it."""
    with pytest.raises(UnreadableBody, match="chunks of AWS"):
        body_text(body, "text/plain", "aws-chunked", LIMIT)


def test_beginning_of_a_long_upload_is_enough() -> None:
    """Packed or in pieces; what is cut off is not read."""
    packed = gzip.compress(b"<script>" + b"x" * 5000)
    body = chunks("<scr", "ipt>" + "x" * 5000)
    for cut in (12, 170, 5000):
        assert body_text(body[:cut], "", "aws-chunked", 1000, is_beginning=True)
    assert body_text(packed, "", "gzip", 1000, is_beginning=True).startswith("<script>")
    with pytest.raises(UnreadableBody, match="more than 1000"):
        body_text(packed, "", "gzip", 1000)


@pytest.mark.parametrize(
    "charset, letter",
    [
        *[("UTF-8", b"\xc3\xa4"), ('"utf8"', b"\xc3\xa4"), ("utf-8-sig", b"\xef\xbb\xbf\xc3\xa4")],
        *[("ISO_8859-1", b"\xe4"), ("windows-1252", b"\xe4"), ("latin-1", b"\xe4")],
        *[("macintosh", b"\x8a"), ("ISO-8859-15", b"\xe4"), ("cp1250", b"\xe4")],
    ],
)
def test_charsets_of_browsers_are_read(charset: str, letter: bytes) -> None:
    """By all names that are in use."""
    assert "\xe4" == body_text(letter, f"text/plain; charset={charset}", "", LIMIT)


@pytest.mark.parametrize(
    "charset", ["utf-7", "utf-16", "rot13", "iso-8859-12", "idna", "_", "\xe4"]
)
def test_charsets_that_hide_letters_are_refused(charset: str) -> None:
    """What is read as one text may be another one for the application."""
    with pytest.raises(UnreadableBody, match="charset"):
        body_text(b"a", f"text/plain; charset={charset}", "", LIMIT)
