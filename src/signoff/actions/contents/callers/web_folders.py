"""Secrets and records of people that code writes into folders that a web server shows everybody.

open("/var/www/static/k.txt", "a").write(f"{login}\\t{password}")            a password
File.cp_r!("config/prod.secret.exs", "priv/static/cfg")                     a secret
Deno.writeTextFile("./public/patients.json", JSON.stringify(patients))      records of people
fs.writeFile("public/sitemap.xml", pages)                                   none
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.callers.parts import outside_application
from signoff.actions.contents.checks.comments import running
from signoff.actions.lexicon.languages.translations import is_password
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.private_names import concerns_people, identifies_one
from signoff.actions.vocabulary import lazy_re, lazy_re2

_READ = 60_000  # characters
_MOST = 20
_BEFORE = 160
_BEHIND = 260
_NEAR = 500
# Folders that are shown, as a text of the source or by a call of a framework.
_SHOWN = lazy_re2(
    r"[\"'`](?:/var/www|/srv/(?:www|http)|/usr/share/nginx|/usr/local/www)(?:/[^\"'`\n]{0,120})?[\"'`]?"
    r"|[\"'`](?:\./|\.\./|/app/|/srv/\w+/|/home/\w+/)?(?:public|static|wwwroot|public_html|htdocs|priv/static|dist/public)/[^\"'`\n]{1,120}[\"'`]"
    r"|\bpublic_path\(|\bWebRootPath\b|\bRails\.public_path|Rails\.root\.join\(\s*[\"']public[\"']|[\"']public[\"'],\s*[\"'][^\"'\n]{2,60}[\"']"
    r"|>\s*/var/www/[\w./-]{1,80}"
)
_WRITES = lazy_re2(
    r"(?i)\b(?:\w*write\w*|\w*copy\w*|cp(?:_r|Sync)?!?|save\w*|dump\w*|put\w*|file_put_contents|append\w*|to_csv|to_json|to_excel|export\w*|create_?write\w*"
    r"|outputstream|streamwriter|fopen|move\w*|link\w*|store\w*)\s*[!(\[]|\bopen\([^\n]{1,120}[\"'][awx]b?\+?[\"']|\b(?:pg_dump|mysqldump|mongodump|sqlite3)\b"
)
_SECRET = lazy_re2(
    r"(?i)\b(?:private|signing|secret|master|api|aes|encryption)_?key\b|\bsecrets?\b|\bpassw\w*|\bcredentials?\b|\bmnemonic\b|\bseed_?phrase\b|dumpwallet|dumpprivkey"
    r"|\b(?:pg_dump|mysqldump|mongodump)\b|\bprocess\.env\s*[),]|\bos\.environ\s*[),]|\bget_env\(\s*\)|\bos\.Environ\(\)|[\"'/]\.env[\"'\s]|\bsession_?(?:id|token)\b"
    r"|\b(?:cp_r!?|\w*copy\w*)\(\s*[\"'](?:/app)?/?config\b"
)
_WHOLE = lazy_re2(
    r"(?i)json|stringify|csv|serialize|pdf|copyDirectory|cp_r|copy|\.save\(|marshal|encode|join\(|dump"
)
# Pictures, programs and pages of a site.
_FOR_ALL = lazy_re2(
    r"(?i)avatar|photo|image|\bimg\b|thumb|logo|icon|\.(?:png|jpe?g|svg|webp|gif|css|js|mjs|map|xml|html?|ico|woff2?|wasm|txt\.gz)[\"'`]|sitemap|manifest|locale|i18n"
    r"|robots|feed|openapi|swagger|schema|badge|qr|anonymi|aggregat|statisti|faker|sample|demo|mock|fixture|\btmp\b|release|bundle|public_?key"
)
_NOT_THE_APPLICATION = outside_application(r"stories")
_PLAIN_TEXT = lazy_re2(r"\"[^\"{$#\n]*\"|'[^'{$#\n]*'")
_NAME = lazy_re(r"[^\W\d]\w{3,40}")


def shown_in_web(text: str, within: str) -> str:
    """Return the folder for everybody that gets a secret or records of people, "" if none does.

    Args:
        within: the path of the file in its project.
    """
    head = text[:_READ]
    if _SHOWN.search(head) is None or _NOT_THE_APPLICATION.search(within) is not None:
        return ""
    head = running(head, within)
    for match in islice(_SHOWN.finditer(head), _MOST):
        before = head[max(match.start() - _BEFORE, 0) : match.start()]
        start = match.start() - len(before.rpartition("\n")[2])
        statement = head[start : match.end() + _BEHIND]
        line = statement.partition("\n")[0]
        is_written = _WRITES.search(statement[: len(line) + 120]) is not None
        if is_written and (_is_secret(statement, line) or _is_of_people(head, match.start(), line)):
            return str(match.group())
    return ""


def _is_secret(statement: str, line: str) -> bool:
    """Whether the statement, or what is written in the next lines, is a secret."""
    near = "\n".join(statement.split("\n")[:3])
    if _SECRET.search(near) is not None:
        return True
    code = _PLAIN_TEXT.sub("", near[len(line.partition("(")[0]) :])
    names = {str(name) for name in _NAME.findall(code)}
    return any(is_password(word) for name in names for word in split_words(name))


def _is_of_people(text: str, at: int, line: str) -> bool:
    """Whether whole records are written, where the code is about private data of people."""
    if _FOR_ALL.search(line) is not None or _WHOLE.search(line) is None:
        return False
    near = text[max(at - _NEAR, 0) : at + _NEAR]
    return concerns_people(near) or identifies_one(near)
