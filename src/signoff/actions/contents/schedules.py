"""Schedules as crontab writes them: the lines that run, without their times.

scheduled_lines("*/5 * * * * make\\n@reboot root /opt/x\\n")  ("make", "/opt/x")
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re

LINES_LIMIT = 50
UNKNOWN = "\ufffd"
# Files in /etc/cron.d name who runs the line.
USERS = frozenset({"root", "nobody", "daemon", "www-data", "nginx", "postgres", "ubuntu", "admin"})
# Five fields of time or one such as `@reboot` (crontab(5)), then the line.
_JOB = lazy_re(r"^\s*(?:@\w+|(?:[-*/,\w]+\s+){4}[-*/,\w]+)\s+(\S.*)$")


def scheduled_lines(text: str) -> tuple[str, ...]:
    """Return the command of each job in a crontab, up to a limit."""
    found: list[str] = []
    for line in text.splitlines():
        job = _JOB.match(line) if not line.lstrip().startswith("#") else None
        if job is None or UNKNOWN in job.group(1):
            continue
        # Whether a file names a user cannot be told from its text: only well-known users are
        # taken off.
        user, _, rest = job.group(1).partition(" ")
        found.append(rest.strip() if user in USERS and rest.strip() else job.group(1).strip())
        if len(found) == LINES_LIMIT:
            break
    return tuple(found)
