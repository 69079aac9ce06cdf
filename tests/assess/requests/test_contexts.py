"""What a value is decides what is looked for in it; disguises do not make it harmless."""

from __future__ import annotations

import base64
import json
import time

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.contexts.graphql import strings_of
from signoff.assess.contexts.markup import read_markup
from signoff.assess.contexts.sql_grammar import reads_as_sql
from signoff.assess.contexts.syntax import Syntax, is_counted, syntax_of
from signoff.assess.detectors.content import WEB_DETECTORS
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.open_redirect import open_redirect
from signoff.assess.detectors.request import fields_of
from signoff.assess.detectors.runner import run_detectors
from signoff.assess.detectors.texts import with_texts
from signoff.assess.threat.score import finding_to_score

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(64))).decode()
PHP = base64.b64encode(b"\x89PNG\r\n<?php system($_GET['c']);").decode()


def stops(body: str, content_type: str = JSON, **headers: str) -> bool:
    arguments: dict[str, Json] = {
        "method": "POST",
        "path": "/x",
        "headers": {"Host": "a.example", "Content-Type": content_type, **headers},
        "body": body,
    }
    return stopped(Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments))


def stopped(action: Action) -> bool:
    findings = run_detectors(WEB_DETECTORS, with_texts(Evidence(action=action)))
    return any(finding_to_score(one) >= 40 for one in findings)


def value(text: str) -> str:
    return json.dumps({"v": text})


@pytest.mark.parametrize(
    "body",
    [
        "<p>Hi <b>you</b>, <a href='https://a.example/?a=1&amp;b=2'>here</a></p>",
        '<figure><img src="/a.png" alt="5 &lt; 6"></figure><!-- wp:image {"id":7} -->',
        f"data:image/png;base64,{PICTURE}",
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E",
        "Append a volume to the /etc/fstab file to mount it",
        "A note.\n\nFirst find the file, then:\n\n```\ncat /etc/hosts | sort\n```\n",
    ],
)
def test_contents_pass_where_contents_belong(body: str) -> None:
    """Markup, pictures and notes in a body are no attacks."""
    assert not stops(value(body))


@pytest.mark.parametrize(
    "body",
    [
        "<p>Hi</p><img src=x onerror=go()>",
        '<p>Hi</p><a href="java&#9;script:go()">x</a>',
        "<p>Hi</p><scr\tipt>go()</script>",
        '<p style="x:expression(go())">Hi</p>',
        '<p>Hi</p><iframe srcdoc="&lt;script&gt;go()&lt;/script&gt;"></iframe>',
        "<b>x</b>; cat /etc/passwd",
        "<b>x</b>' or '1'='1",
        """<p title="x' or '1'='1">Hi</p>""",
        "<p>Hi</p>" + "<img src='/a.png'>" * 60 + "<img src='http://169.254.169.254/x'>",
        f"data:image/png;base64,{PHP}",
        "data:image/svg+xml,%3Csvg onload='go()'/%3E",
        "Hello dear friend of the house' union select name, pass from users -- ",
        "Hello dear friend of the house; cat /etc/passwd",
        "Hello dear friend of the house/../../etc/passwd",
        "Some lines\nof a text that is long\nenough <script>go()</script>",
    ],
)
def test_contents_do_not_hide_an_attack(body: str) -> None:
    """Neither harmless tags, nor a picture, nor words around it make an attack pass."""
    assert stops(value(body))


@pytest.mark.parametrize("outer", ["%s", '{"a": %s}', "[%s]", '%s\n{"b": 1}'])
def test_every_value_of_a_name_is_read(outer: str) -> None:
    """Of a name given twice, one reader takes the first value and another the last."""
    attack = "1' UNION SELECT password FROM users -- "

    assert stops(outer % f'{{"q": "{attack}", "q": "tea"}}')
    assert stops(outer % f'{{"q": "tea", "q": "{attack}"}}')
    assert not stops(outer % '{"q": "tea", "q": "milk"}')


def test_one_word_in_a_header_is_no_script() -> None:
    """`XMLHttpRequest` is what every library sends; the same name with a call is not."""
    assert (False, True) == (
        stops("{}", **{"X-Requested-With": "XMLHttpRequest"}),
        stops("{}", **{"X-Requested-With": "<script>new XMLHttpRequest()</script>"}),
    )


def upload(filename: str, kind: str, content: str) -> bool:
    head = f'Content-Disposition: form-data; name="f"; filename="{filename}"'
    body = f"--b\r\n{head}\r\nContent-Type: {kind}\r\n\r\n{content}\r\n--b--\r\n"
    return stops(body, "multipart/form-data; boundary=b")


@pytest.mark.parametrize(
    ("filename", "kind", "content", "is_stopped"),
    [
        ("me & you (1).jpg", "image/jpeg", "\ufffd\ufffdJFIF\x01;`|&<%s>", False),
        ("notes.csv", "text/csv", 'id,note\n1,"select all of it, or 1 = 1"\n', False),
        ("a.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>", False),
        ("a.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", True),
        ("a.jpg", "image/jpeg", "\ufffd\ufffdJFIF<?php system('id');", True),
        ("../../a.jsp", "image/jpeg", "x", True),
        ('"><img src=x onerror=x()>.png', "image/png", "x", True),
    ],
)
def test_upload_is_read_by_its_type(
    filename: str, kind: str, content: str, *, is_stopped: bool
) -> None:
    """A file's name is a value, its content is what its type says, code in it is found."""
    assert is_stopped == upload(filename, kind, content)


@pytest.mark.parametrize(
    ("text", "is_sql"),
    [
        ("1 union select name from users", True),
        ("7 or 7=7", True),
        ("Hello there friend' or 1=1 -- and so on", True),
        ("x'); drop table photos;--", True),
        ("1 union select a from b order by c nulls first", True),
        ("union select committee report 2019", False),
        ("select * from menu: what does the star mean", False),
        ('how to "select all" from a table; drop cap styles', False),
        ("Fix ' OR 1=1 -- no longer passes\n\n* drop table users in tests", False),
        ("d'or", False),
    ],
)
def test_grammar_tells_sql_from_sentences(text: str, *, is_sql: bool) -> None:
    """What no grammar of SQL takes, in any place a value may land, is a sentence."""
    assert is_sql == reads_as_sql(text)


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ('{ user(name: "o\'r") { id } }', ("o'r",)),
        ("query Q($a: Int = 1) @x { ...F a(w: {b: [1, 2]}) { c } }", ()),
        ("{{7*7}}", None),
        ('{"$ne": 1}', None),
        ("1; cat /etc/passwd", None),
        ("{ a { b }", None),
    ],
)
def test_graphql_is_read_by_its_grammar(text: str, strings: tuple[str, ...] | None) -> None:
    """Only the strings of a whole document are values; what is none is read as any value."""
    assert strings == strings_of(text)


def test_xml_gives_its_texts_one_by_one() -> None:
    """Each text of a document is a value with its entities undone."""
    body = "<?xml version='1.0'?><a:x xmlns:a='urn:a'><n>bob&apos; or 1=1</n><m>2</m></a:x>"
    fields = fields_of({"body": body, "headers": {"Content-Type": "text/xml"}})
    assert ["bob' or 1=1", "2"] == [one.raw for one in fields if one.syntax == Syntax.VALUE][-2:]


@pytest.mark.parametrize("place", ["<u n='{}'/>", "<u>{}</u>", "<u><![CDATA[{}]]></u>"])
def test_attack_is_found_wherever_xml_holds_it(place: str) -> None:
    """Attributes, texts and character data of XML are values."""
    attack = place.format(
        "bob&quot; or 1=1 -- ".replace("&quot;", '"' if "[" in place else "&quot;")
    )
    assert stops(f"<?xml version='1.0'?><a>{attack}</a>", "text/xml")


def test_large_picture_passes_and_code_at_its_end_does_not() -> None:
    """A picture is read to its end, and is not asked about for its length alone."""
    picture = "\ufffd\x01;`|&" * 20_000
    found = [
        one.place for one in fields_of({"body": picture, "headers": {"Content-Type": "image/png"}})
    ]
    assert ("rest" in found, stops(f"{picture}<?php system('id');", "image/png")) == (False, True)


def test_harmless_tags_are_set_aside() -> None:
    """What is on the list goes, what is not stays as it was written."""
    rest = read_markup("<p>Hi</p><p onclick=x()>you</p><!-- a --><!--#exec cmd='x'-->").rest
    assert " Hi <p onclick=x()>you  <!--#exec cmd='x'-->" == rest


def test_nested_names_of_forms_are_names() -> None:
    """`a[0][b]` is how forms write lists; an operator between the brackets is more than a name."""
    fields = fields_of({"body": "a[0][b]=1&c[$ne]=2", "headers": {"Content-Type": FORM}})
    assert ["a[0][b]", "c[$ne]", ""] == [one.name for one in fields if one.place == "body"]


def test_operator_without_a_value_is_found() -> None:
    """`{"$ne": null}` says everything in its name, also as a text in another document."""
    body = '{"user": {"$ne": null}}'
    assert (True, True) == (stops(body), stops(json.dumps({"snapshot": body})))


@pytest.mark.parametrize(
    ("target", "allowed", "is_found"),
    [
        ("https://a.example/x", (), False),
        ("https://www.a.example/x", (), False),
        ("https://nice.example/x", (), True),
        ("https://partner.example/x", ("partner.example",), False),
        ("https://partner.example.other.example/x", ("partner.example",), True),
        ("/x", (), False),
    ],
)
def test_redirect_goes_by_the_host(
    target: str, allowed: tuple[str, ...], *, is_found: bool
) -> None:
    """Own and allowed hosts pass, every other host is found, whatever it is called."""
    arguments: dict[str, Json] = {
        "path": "/login",
        "query": {"next": target},
        "headers": {"Host": "a.example"},
    }
    action = Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments)
    findings = list(open_redirect(allowed).run(with_texts(Evidence(action=action))))
    assert is_found == bool(findings)


def test_every_syntax_has_its_patterns() -> None:
    """A value is looked at with every pattern, a word of a header with those of scanners only."""
    counted = [is_counted(one, "xss.dom") for one in (Syntax.VALUE, Syntax.TOKEN, Syntax.BYTES)]
    assert ([True, False, False], Syntax.PROSE) == (counted, syntax_of("a few plain words"))


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<?xml version='1.0'?><a>" + "<![CDATA[" * 6000, "text/xml"),
        ("<?xml version='1.0'?><a>" + "<b>x</b>" * 7000, "text/xml"),
        (value("<b>x</b><a" + " b" * 30_000 + ">"), JSON),
        (value("<!-- " * 12_000), JSON),
        (json.dumps({"query": '{ a(b: """' + '"" ' * 15_000}), JSON),
        (value("' or a " * 9000), JSON),
        (value("```\n" * 15_000), JSON),
    ],
    ids=["cdata", "tags", "attributes", "comments", "graphql", "quotes", "fences"],
)
def test_odd_bodies_take_no_time(body: str, content_type: str) -> None:
    """A body made to be slow is read in time that grows with its length only."""
    stops("{}")
    start = time.thread_time()
    stops(body, content_type)
    assert time.thread_time() - start < 0.5
