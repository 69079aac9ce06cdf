"""Attacks in other encodings, behind other words and in files, each with what must still pass."""

from __future__ import annotations

import base64
import json

import pytest
from web_requests import stops, stops_json

from signoff.actions.action import Json


def packed(text: str) -> str:
    return base64.b64encode(text.encode("latin-1")).decode()


@pytest.mark.parametrize(
    ("start", "is_found"),
    [
        ("\xac\xed\x00\x05sr\x00\x11java.util.HashMap", True),
        ("\ufffd\ufffd\x00\x05ur\x00\x02[Lx", True),
        ("\xac\xed\x01\x05abc\x00\x00\x00\x00", False),
        ("PK\x03\x04\x00\x00\xac\xed\x00\x05", False),
    ],
)
@pytest.mark.parametrize(
    "kind", ["application/x-java-serialized-object", "application/octet-stream"]
)
def test_a_stream_of_java(start: str, kind: str, *, is_found: bool) -> None:
    assert is_found is stops("/remote", headers={"content-type": kind}, body=start)


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        (packed('O:12:"Queue\\Runner":1:{s:3:"\0*\0";s:2:"id";}'), True),
        (packed('O:5:"Shell":1:{s:1:"c";s:2:"id";}'), True),
        (packed('a:1:{s:1:"x";O:5:"Shell":1:{s:4:"\0*\0c";s:2:"id";}}'), True),
        (packed('a:2:{s:4:"lang";s:2:"de";s:4:"page";i:3;}'), False),
        (packed("cposix\nsystem\n(S'id'\ntR."), True),
        (packed("csubprocess\ncheck_output\n(S'id'\ntR."), True),
        (packed("cost of the new roof: 300 (estimate)"), False),
        (packed("our guests: 8"), False),
    ],
)
def test_packed_objects(value: str, *, is_found: bool) -> None:
    """In a cookie, and in a value of a body wherever its own letters say what it is."""
    assert is_found is stops("/a", headers={"cookie": f"keep={value}"})


def test_packed_objects_in_a_body() -> None:
    assert stops_json({"job": {"state": packed("cos\nsystem\n(S'id'\ntR.")}})
    assert stops_json({"job": {"state": packed('O:5:"Shell":1:{s:1:"c";s:2:"id";}')}})
    assert not stops_json({"job": {"state": packed("cosmetics and systems: 12 (S)")}})


@pytest.mark.parametrize(
    ("document", "is_found"),
    [
        (
            '<?xml version="1.0"?><!DOCTYPE n [<!ENTITY k SYSTEM "file:///srv/key">]><n>&k;</n>',
            True,
        ),
        ('<!DOCTYPE n SYSTEM "http://203.0.113.5/a.dtd"><n/>', True),
        (
            '\xef\xbb\xbf<n xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="/x"/></n>',
            True,
        ),
        ('<?xml version="1.0"?><note><to>Kim</to><text>a; cat b</text></note>', False),
        ("<!DOCTYPE html><html><body><p>Good day</p></body></html>", False),
    ],
)
def test_packed_documents(document: str, *, is_found: bool) -> None:
    assert is_found is stops_json({"file": {"data": packed(document)}})


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ({"filter": {"$expr": {"$function": {"body": "function(a){return a}", "args": []}}}}, True),
        ({"where": {"score": {"$accumulator": {"init": "function(){}"}}}}, True),
        ({"filter": {"$expr": {"$gt": ["$spent", "$budget"]}}}, False),
        ({"criteria": [{"name": "town", "is": {"$gt": ""}}]}, True),
        ({"filter": {"owner": {"$gte": ""}}}, True),
        ({"filter": {"price": {"$gte": 5, "$lt": 9}}}, False),
        ({"selector": {"_id": {"$gt": None}}}, False),
    ],
)
def test_operators_in_filters(body: Json, *, is_found: bool) -> None:
    """Functions of a caller, and comparisons that everything passes."""
    assert is_found is stops_json(body)
    as_text = {"filter": json.dumps(body.get("filter", body))} if isinstance(body, dict) else {}
    assert is_found is stops(method="GET", query=as_text)


def upload(name: str, kind: str, content: str) -> bool:
    body = (
        f'--b\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n'
        f"Content-Type: {kind}\r\n\r\n{content}\r\n--b--\r\n"
    )
    return stops("/files", headers={"content-type": "multipart/form-data; boundary=b"}, body=body)


@pytest.mark.parametrize(
    ("kind", "content", "is_found"),
    [
        ("image/jpeg", "\xff\xd8\xff\xe0JFIF<?=`$_GET[0]`?>\xff\xd9", True),
        ("image/gif", "GIF89a\x01\x00;<?= `{$_POST[chr(99)]}` ?>", True),
        ("image/png", "\x89PNG\r\n\x1a\n\x00\x00<?=`\x01\x02\x00", False),
        ("application/pdf", '%PDF-1.5\n<%@ page import="java.util.*" %>\n%%EOF', True),
        ("application/pdf", '%PDF-1.5\n<% new ProcessBuilder(request.getParameter("a")) %>', True),
        ("image/gif", 'GIF89a<%eval request("a")%>', True),
        ("application/pdf", "%PDF-1.5\n<< /Length 8 >> stream <%\x01 >> endstream\n%%EOF", False),
    ],
)
def test_code_in_uploads(kind: str, content: str, *, is_found: bool) -> None:
    assert is_found is upload("a.bin", kind, content)


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("email", "kim@a.example\r\nBcc: all@b.example\r\n\r\n<h1>Win</h1>", True),
        (
            "email",
            "kim@a.example\nSubject: Win\n\nDear friends, buy our very good watches\nnow",
            True,
        ),
        ("subject", "Hello\r\nBcc: x@b.example\r\n\r\nDear friends, buy our watches\r\nnow", True),
        ("email", "kim@a.example", False),
        ("text", "From: Kim\nTo: Ann\nBcc: bo@b.example\n\nDear friends, see you there", False),
        ("text", "Write to kim@a.example\nor to: the office\nuntil Monday, dear friends", False),
        ("text", "<p>kim@a.example</p>\n<p>Subject: lunch</p>", False),
    ],
)
def test_lines_of_a_mail(name: str, text: str, *, is_found: bool) -> None:
    """A tag or a sentence behind the lines hides nothing."""
    assert is_found is stops_json({name: text})


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ("(SELECT GROUP_CONCAT(pin SEPARATOR 0x0a) FROM members) AS total", True),
        ("(select string_agg(pin, ',') from members) as total", True),
        ("total of select members as of Monday", False),
    ],
)
def test_a_query_for_a_column(value: str, *, is_found: bool) -> None:
    assert is_found is stops_json({"columns": ["day", value]})


HOST = "mail.shopping.example.org"


@pytest.mark.parametrize(
    ("name", "value", "is_found"),
    [
        ("weiter", "https://elsewhere.example/login", True),
        ("volver", "//elsewhere.example/", True),
        ("retour", "https://elsewhere.example/a", True),
        ("weiter", f"https://{HOST}/konto", False),
        ("weiter", "/konto", False),
        ("weiter", "ja", False),
        ("farbe", "https://elsewhere.example/a", False),
    ],
)
def test_names_of_redirects(name: str, value: str, *, is_found: bool) -> None:
    assert is_found is stops(method="GET", headers={"host": HOST}, query={name: value})


@pytest.mark.parametrize(
    ("url", "is_found"),
    [
        ("https://mail-shopping.top/login", True),
        ("https://mail-shopping-secure.example.net/login", True),
        ("https://mail.shopping.example.net/login", False),
        ("https://mailshopping.example.net/login", False),
    ],
)
def test_look_alike_hosts(url: str, *, is_found: bool) -> None:
    """A dash where the own host has its dot, on a page that is there to lead away."""
    assert is_found is stops("/out", method="GET", headers={"host": HOST}, query={"to": url})
