"""Contexts of values that ordinary requests have, each beside an attack that looks like it."""

from __future__ import annotations

import json

import pytest
from web_requests import stops

from signoff.actions.action import Json
from signoff.assess.contexts.sql_grammar import is_whole_query
from signoff.assess.contexts.style_sheet import read_sheet
from signoff.errors import BadPayload
from signoff.frontends.payloads import parse_payload

S3 = "xmlns='http://s3.example/doc/'"


def stops_query(**query: Json) -> bool:
    return stops(query=query)


def stops_json(path: str = "/x", **members: Json) -> bool:
    return stops(path, body=json.dumps(members))


def stops_xml(body: str) -> bool:
    return stops(body=body, headers={"Content-Type": "text/xml"})


def stops_upload(name: str, kind: str, content: str) -> bool:
    head = f'Content-Disposition: form-data; name="f"; filename="{name}"\r\nContent-Type: {kind}'
    body = f"--b\r\n{head}\r\n\r\n{content}\r\n--b--\r\n"
    return stops(body=body, headers={"Content-Type": "multipart/form-data; boundary=b"})


def test_names_of_columns_are_no_commands() -> None:
    """`id` names a column; behind a parameter of commands it is run."""
    assert (False, True, True) == (
        stops_query(_to_field="id"),
        stops_query(cmd="id"),
        stops_query(field="whoami"),
    )


def test_a_list_of_words_is_no_statement() -> None:
    """Words of SQL in a row are tags; with what they select they are a statement."""
    assert (False, True) == (
        stops_query(tags="select, union, table"),
        stops_query(tags="x' union select 1, name from users"),
    )


def test_json_in_a_parameter_is_read_by_its_members() -> None:
    """Quotes and brackets of JSON are not those of an attack; its values are still read."""
    rules = json.dumps({"op": "AND", "rules": [{"field": "name", "data": "mc'"}]})
    attack = json.dumps({"rules": [{"data": "x' or 'a'='a"}]})
    assert (False, True) == (stops_query(filters=rules), stops_query(filters=attack))


def test_elements_of_other_vocabularies_do_nothing() -> None:
    """`Object` of S3 and a document in a document are data; handlers and includes are not."""
    include = "xmlns:i='http://www.w3.org/2001/XInclude'"
    assert (False, False, False, True, True) == (
        stops_xml(f"<Delete {S3}><Object><Key>a&amp;b</Key></Object></Delete>"),
        stops_xml(f"<a {S3}><![CDATA[<order id='7'><line sku='A&amp;B'/></order>]]></a>"),
        stops_xml("<e:E xmlns:e='urn:e'><i:Import xmlns:i='urn:i'>x</i:Import></e:E>"),
        stops_xml(f"<a {S3}><![CDATA[<img src=x onerror=alert(1)>]]></a>"),
        stops_xml(f"<a {include}><i:include href='file:///etc/hosts' parse='text'/></a>"),
    )


def test_a_whole_query_breaks_out_of_nothing() -> None:
    """A body may hold a query for a service that takes queries; one that does more is found."""
    assert (False, True, True) == (
        stops_json(query="SELECT count(*) FROM orders WHERE created_at > now()"),
        stops_json(query="SELECT name FROM users UNION SELECT password FROM admins"),
        stops_json(query="SELECT 1 FROM a; DROP TABLE b"),
    )
    assert not is_whole_query("x' union select a from b")


def test_sql_of_a_quoted_code_block_is_shown() -> None:
    """Markdown shows its code to readers; what closes a string outside of it is found."""
    code = "You want a join here:\n\n```sql\nSELECT a.id FROM a\n```\n\nNot `WHERE id = NULL`."
    assert (False, True) == (
        stops_json(text=code),
        stops_json(text="You want a join here:\n\nfriend' union select name, pw from users --"),
    )


def test_code_in_backticks_of_a_sentence_is_spoken_of() -> None:
    """A sentence may quote a command; a command beside the quoted one is none of it."""
    asked = "How do I list files in bash, and what does `ls -la | less` do?"
    assert (False, True) == (stops_json(content=asked), stops_json(content="x `ls -la | less`"))


@pytest.mark.parametrize(
    ("sheet", "is_sheet"),
    [
        ("a > b:hover { color: #c00; background: url('/b.png') }", True),
        ("@media (min-width: 9px) { .x::before { content: 'a' } }", True),
        ("@font-face{src:url(data:font/woff2;base64,d09G)}", True),
        ("a { width: expression(alert(1)) }", False),
        ("@import '//e.example'; a { b: c }", False),
        ("a { b: c } </style><script>x()</script>", False),
        ("a { b: url(javascript:x()) }", False),
        ("function x() { alert(1) }", False),
        ("{{7*7}}", False),
        ("@import url('https://fonts.googleapis.com/css2?family=A'); a { color: red }", True),
        (":root { --gap: 2px } input[type=text]:not(.x) { margin: 0 auto !important }", True),
        ("x { a: ' or 1=1 -- }", False),
        ("x { name: value }", False),
        ("x { color: red or 1 }", False),
        ("x { color: red; id: cat /etc/passwd }", False),
        ("a|id { color: red }", False),
    ],
)
def test_style_sheets_are_known_by_their_grammar(sheet: str, *, is_sheet: bool) -> None:
    """Rules that only style are set aside; what loads, runs or ends the sheet is none."""
    assert is_sheet == (read_sheet(sheet) is not None)


@pytest.mark.parametrize(
    ("sheet", "is_found"),
    [
        ("a { content: \"it's here\"; background: url(../img/a.png) } /* don't */", False),
        ('a { content: "\' union select password from users --" }', True),
        ("a { color: red } /* ' or 1=1 -- */", True),
        ("a { background: url(../../../../../../etc/passwd) }", True),
        ("a { background: url('javascript:x()') }", True),
        ("a { background: url(http://169.254.169.254/latest/) }", True),
        ("a { quotes: '; cat /etc/passwd #' }", True),
    ],
)
def test_what_a_style_sheet_holds_is_read(sheet: str, *, is_found: bool) -> None:
    """Its strings, addresses and comments are values: the form of a sheet hides nothing."""
    assert is_found == stops_json(css=sheet)


def test_a_link_to_the_own_site_is_harmless() -> None:
    """A page may name its style sheet; one of another host changes the page."""
    page = (
        "<!DOCTYPE html><html><head><link rel='stylesheet' href='{}'></head><body>a</body></html>"
    )
    assert (False, True) == (
        stops_upload("a.html", "text/html", page.format("style.css")),
        stops_upload("a.html", "text/html", page.format("//e.example/x.css")),
    )


def test_an_uploaded_text_is_kept_not_pasted() -> None:
    """A dump and a notebook are files; script, PHP and a climbing name are still found."""
    cells = json.dumps({"cells": [{"source": ["pd.read_sql('SELECT * FROM sales', con)\n"]}]})
    assert (False, False, True, True, True) == (
        stops_upload("dump.sql", "application/sql", "DROP TABLE a; INSERT INTO b VALUES ('x');\n"),
        stops_upload("a.ipynb", "application/json", cells),
        stops_upload("a.txt", "text/plain", "<script>fetch('//e.example')</script>"),
        stops_upload("a.txt", "text/plain", "<?php system($_GET['c']);"),
        stops_upload("../dump.sql", "application/sql", "SELECT 1"),
    )


def test_telemetry_and_editors_report_places() -> None:
    """OpenTelemetry and language servers name places; elsewhere the same address is fetched."""
    span: Json = {"key": "http.url", "value": {"stringValue": "http://10.0.3.4:8080/a"}}
    place: Json = {"textDocument": {"uri": "file:///home/ann/a.ts"}}
    assert (False, True, False, True) == (
        stops_json("/v1/traces", resourceSpans=[span]),
        stops_json("/api/fetch", resourceSpans=[span]),
        stops_json(jsonrpc="2.0", method="textDocument/didOpen", params=place),
        stops_json(jsonrpc="2.0", method="fetch", params=place),
    )


def test_the_form_of_a_protocol_hides_no_other_value() -> None:
    """A caller chooses path and method, so what else a document has is read as ever."""
    text: dict[str, Json] = {"text": "x'; drop table users --"}
    assert (True, True, True) == (
        stops_json("/v1/traces", resourceSpans=[], uri="http://10.0.3.4:8080/a"),
        stops_json(method="textDocument/didOpen", params=text),
        stops_json(jsonrpc="2.0", method="textDocument/didOpen", params={}, text=text["text"]),
    )


def test_callbacks_of_registered_clients_are_compared_elsewhere() -> None:
    """A client registers its callback; anybody else naming this machine is found."""
    here = ["http://127.0.0.1:8765/callback"]
    assert (False, True) == (
        stops_json(client_name="a", redirect_uris=here),
        stops_json(redirect_uris=here),
    )


def test_a_folder_of_the_system_may_be_named() -> None:
    """A monitor names a mount point; a log and a climb are read."""
    assert (False, True, True) == (
        stops_json(mountpoint="/var/lib/docker"),
        stops_json(file="/var/log/nginx/access.log"),
        stops_json(file="../../var/lib/mysql"),
    )


def test_clients_of_graphql_ask_for_the_schema() -> None:
    """The first question of every GraphQL tool is no probe; pasted elsewhere it is."""
    query = "query IntrospectionQuery { __schema { queryType { name } } }"
    assert (False, True) == (stops_json(query=query), stops_query(q=query))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("repo", "ext::sh -c 'touch /tmp/p'"),
        ("url", "http://127.0.0.1.nip.example/"),
        ("url", "http://10-0-0-1.dns.example/"),
        ("next", "ht%09tps://e.example"),
    ],
)
def test_other_spellings_of_a_target_are_found(name: str, value: str) -> None:
    """Transports that run programs, names made of addresses, blanks inside a scheme."""
    assert stops_query(**{name: value})


def test_a_request_may_hold_bytes_a_call_may_not() -> None:
    """An upload has NUL bytes; a tool's call with one is refused as before."""
    request = {"hook_event_name": "HttpRequest", "method": "PUT", "path": "/a", "body": "a\0b"}
    assert "a\0b" == parse_payload(json.dumps(request)).action.arguments["body"]
    with pytest.raises(BadPayload, match="NUL"):
        parse_payload(json.dumps({"tool_name": "Bash", "tool_input": {"command": "a\0b"}}))
