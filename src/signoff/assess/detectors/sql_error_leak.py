"""Database errors on their way out.

Finds:
    Error messages of the usual databases and their drivers in a response or result.

Why it matters:
    They tell an attacker that a value reached the database, which one it is, and often the query.

Example:
    You have an error in your SQL syntax near ...

Does not find:
    Errors an application words itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.leaking import in_result, result
from signoff.assess.finding import Finding, Severity

ID = "sql-error-leak"
LINES = {
    "leak.mysql": "an error of MySQL or MariaDB",
    "leak.postgres": "an error of PostgreSQL",
    "leak.sqlserver": "an error of SQL Server",
    "leak.oracle": "an error of Oracle",
    "leak.other-sql": "an error of a database",
}


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding if an output contains a database's error message."""
    return in_result(evidence, ID, LINES, Severity.HIGH)


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Database errors on their way out",
    families=("leak",),
    cwe=("CWE-209",),
    asi=("ASI02",),
    fires=(
        result("<p>You have an error in your SQL syntax; check the manual</p>"),
        result('psycopg2.errors.SyntaxError: syntax error at or near "x"'),
        result("ORA-01756: quoted string not properly terminated"),
    ),
    passes=(
        result("The order could not be found."),
        result("MySQL and PostgreSQL are databases."),
        result("Syntax highlighting for SQL"),
    ),
)
