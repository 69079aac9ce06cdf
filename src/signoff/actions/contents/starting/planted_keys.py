"""Code of any language that writes a way in: its own key, or what it fetches, to such a file.

    open("/root/.ssh/authorized_keys", "a").write("ssh-ed25519 AAAA...")        the line
    File.write("/etc/sudoers.d/app", "app ALL=(ALL) NOPASSWD: ALL")             the line
    for key in team.keys: out.write(key)  # to authorized_keys                  ""

Keys that a person or a database gives are the work of programs that keep accounts.
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.checks.comments import running
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 12
_AROUND = 400  # characters from the name of the file to the call that writes it
_PLACE = lazy_re2(r"authorized_keys\d?\b|/etc/sudoers(?:\.d/[\w.-]*)?|/etc/cron\.d/[\w.-]+")
_WRITES = lazy_re2(
    r"(?i)[\"'](?:a|w|at|wt|ab|wb|a\+|w\+|>>?|append)[\"']|\b(?:append|write|put)_?\w*\s*[(!]|\bO_(?:APPEND|WRONLY|RDWR)\b|FILE_APPEND|StandardOpenOption\.\w+"
    r"|FileMode\.\w+|\.append\(true\)|fmAppend|fmWrite|:append\b|ios::app|ofstream|\bspit\s|appendFile\s|writeFile\s|\bappend\s*=\s*TRUE|WriteAllText|AppendAllText"
    r"|\bfile\(\s*(?:APPEND|WRITE)|\)\s*<<\s|store_(?:line|string)\(|appendText|writeText"
)
_KEY = lazy_re2(
    r"(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\w+|sk-(?:ssh|ecdsa)-[\w@.-]+)\s+AAAA|NOPASSWD:"
    r"|(?:[*\d/,-]+ ){5}root\s"
)
_FETCHED = lazy_re2(
    r"(?i)\b(?:requests\.get|urlopen|http\.get|axios\.get|fetch|file_get_contents|Net::HTTP\.get|curl|wget|reqwest::(?:blocking::)?get|HttpClient|readURL|slurp)\b"
    r"[^\n]{0,60}https?://"
)
_OF_TRIALS = lazy_re2(r"(?i)tmp_path|tempfile|mkdtemp|tmpdir|fixture|\bassert|\bmock|example\.pub")


def planted_key(text: str) -> str:
    """Return the line that names a file which lets people in and is written so, "" if none."""
    head = text[:_READ]
    if _PLACE.search(head) is None:
        return ""
    code = running(head, "")
    for match in islice(_PLACE.finditer(code), _MOST):
        begin = code.rfind("\n", 0, match.start()) + 1
        around = code[max(0, begin - _AROUND) : match.end() + _AROUND]
        brings = _KEY.search(around) is not None or _FETCHED.search(around) is not None
        is_written = brings and _WRITES.search(code[begin : match.end() + _AROUND]) is not None
        if is_written and _OF_TRIALS.search(around) is None:
            end = code.find("\n", match.end())
            return code[begin : end if end >= 0 else len(code)].strip()
    return ""
