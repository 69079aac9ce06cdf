"""Spellings of attacks that a pattern once missed, each beside what only looks like one."""

from __future__ import annotations

import base64
import json

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
