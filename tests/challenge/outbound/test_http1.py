"""One request and its answer: the next address where one is silent, certificates checked."""

from __future__ import annotations

import asyncio
import gc
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.challenge.outbound import http1
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import HttpAnswer, post

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def answered(
    raw: bytes, *, context: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> HttpAnswer:
    """Post to a server that answers this."""

    async def talk() -> HttpAnswer:
        async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(raw)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(reply, "127.0.0.1", 0, ssl=context)
        async with server:
            port = server.sockets[0].getsockname()[1]
            endpoint = OutboundEndpoint(host=host, port=port, is_https=context is not None)
            return await post(endpoint, "/x", headers={}, body=b"")

    return asyncio.run(talk())


@pytest.mark.parametrize(
    "raw",
    [
        OK,
        b"HTTP/1.0 200 OK\r\n\r\nok",
        b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
        b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1;x=y\r\nk\r\n0\r\n\r\n",
    ],
)
def test_an_answer_is_read_however_it_is_told(raw: bytes) -> None:
    """By length, by pieces, by its end."""
    answer = answered(raw)

    assert (200, b"ok") == (answer.status, answer.body)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n",
        b"HTTP/2 200 OK\r\n\r\n",
        b"HTTP/1.1 2x0 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nok\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\nok",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 20_000 + b"\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * ((1 << 20) + 1),
        b"HTTP/1.1 100 Continue\r\n\r\n" * 6,
    ],
)
def test_an_answer_that_is_not_whole_is_a_failure(raw: bytes) -> None:
    """Never a shorter answer."""
    with pytest.raises(CallFailed):
        answered(raw)


def test_the_next_address_is_called_where_one_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name may stand for addresses nobody is at."""

    async def two(endpoint: OutboundEndpoint) -> tuple[str, ...]:
        return ("127.0.0.77", "127.0.0.1")

    monkeypatch.setattr(http1, "resolve", two)

    assert 200 == answered(OK).status


@pytest.fixture
def certificate(tmp_path: Path) -> Iterator[ssl.SSLContext]:
    """Make a certificate nobody vouches for."""
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(key), "-out", str(cert), "-days", "1"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    yield context


def test_a_certificate_nobody_vouches_for_is_refused(certificate: ssl.SSLContext) -> None:
    """Whoever answers there is not who was meant."""
    with pytest.raises(CallFailed, match="certificate"):
        answered(OK, context=certificate, host="localhost")


def test_a_certificate_for_the_name_is_taken(
    certificate: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system's store vouches for it; for another name it is not."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))

    assert 200 == answered(OK, context=certificate, host="localhost").status
    with pytest.raises(CallFailed, match="certificate"):
        answered(OK, context=certificate, host="127.0.0.1")


def test_nobody_takes_the_call() -> None:
    """A failure, with nothing left open: a socket that is would be a warning, and so an error."""
    endpoint = OutboundEndpoint(host="127.0.0.1", port=9, is_https=False)
    with pytest.raises(CallFailed, match="the connection failed"):
        asyncio.run(post(endpoint, "/", headers={}, body=b""))
    gc.collect()
