"""Shell lines in files of formats that nobody reads here: settings, macros, rules, manifests.

A format that is no programming language holds a shell line only so that something runs it. It
stands there as a line by itself, behind a key that says that it is run, or as a literal.

    after_script:\\n  - env | curl -d @- https://...      behind a key that runs it
    override_configure:\\n\\t-@wget -O x URL && sh x       a line by itself
    description: curl ... | sh                           is only said
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from signoff.actions.contents.pattern_parts import FETCH, FETCH_AND_RUN
from signoff.actions.operation import FileKind, Reach
from signoff.actions.paths import Located
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

MOST = 12
MOST_LITERALS = 60
LONGEST = 2_000
# Their own readers take the lines of these apart, or nobody runs them.
_FORMATS = frozenset(
    {
        *(FileKind.OTHER, FileKind.DATA, FileKind.INFRA, FileKind.TOOL_CONFIG, FileKind.CI),
        *(FileKind.SYSTEM_CONFIG, FileKind.MANIFEST, FileKind.BUILD, FileKind.EDITOR_CONFIG),
    }
)
# What a pipeline, a machine or a build is described by: nearly all of it is run.
_RUN_ALL = frozenset({FileKind.INFRA, FileKind.CI, FileKind.BUILD, FileKind.MANIFEST})
_RECORDS = words(
    "jsonl ndjson csv tsv svg html htm ipynb log geojson po pot srt vtt lock sum patch diff"
)
# Runs nothing where it is written: what installs it is judged by its text.
INSTALLED = words("service timer socket mount path target desktop plist crontab")
_SCRIPTS = (".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd")
_TELLING = lazy_re2(
    rf"(?i){FETCH_AND_RUN}|\b(?:printenv|env|set|export\s+-p|declare\s+-x)\b[^\n]*\|[^\n]*\b{FETCH}"
    rf"|{FETCH}[^\n]*(?:\$\((?:printenv|env|cat|base64|tar)\b|@-|(?:\.ssh|\.aws|\.netrc|\.npmrc"
    rf"|\.docker|\.kube|\.gnupg)/?)"
    r"|\b(?:tar|cat|base64|gzip|zip)\b[^\n|]*(?:\.ssh|\.aws|\.netrc|\.npmrc|\.docker|\.kube"
    r"|\.gnupg)\b[^\n]*\|[^\n]*\b(?:curl|wget|nc|ncat|socat)\b"
    r"|\bsocat\b[^\n]*\bexec:|\bn(?:c|cat)\b[^\n]*\s-\w*[ec]\b|\bbash\s+-i\b"
    r"|powershell[^\n]*\s-e(?:nc\w*)?\s+[a-z0-9+/=]{20}|/dev/tcp/|\bpty\.spawn\b|\bsocket\b[^\n]*\bdup2\b|\b(?:xz|gzip|bzip2|openssl"
    r"|base64)\s[^\n]*\|\s*(?:/\w+)*/?(?:ba|z|da)?sh\b"
)
# A key whose value some tool runs, in any format: `run =`, `after_script:`, `Command="..."`.
_RUN_KEY = (
    r"[\w.-]*(?:run|script|command|cmd|exec|shell|program|hook|action|recipe|entrypoint|argument"
    r"|args|invoke|install|build|prepare|configure|compile|start|setup|before|after|pre|post"
    r"|launch|spawn|bash|user_?data|trigger|\bon_?\w+)[\w.-]*"
)
_SAID_KEY = lazy_re(
    r"(?i)[\w.-]*(?:desc|help|message|note|title|usage|hint|text|summary|example|doc|label|echo"
    r"|print|error|warn"
    r"|comment|pattern|regex|match|rule|payload|sample|input|expect|prompt|question|answer"
    r"|content|body|name|say|contains|starts_?with|ends_?with|signature|keyword|detect|select)[\w.-]*"
)
_KEYED = lazy_re(rf"(?i)^[\s\-{{<>\"'(\[]*[\"']?({_RUN_KEY})[\"']?\s*(?:[:=]+>?|\{{|\(|\s)\s*(.*)$")
# Its values are lines, by whatever names they have.
_LINES_KEY = lazy_re2(
    r"(?i)(?:\w+[._-])?(?:shell|shell_?commands?|commands?|cmds?|exec|scripts?|hooks|run_?cmd|boot_?cmd|run)"
    r"(?:[._-]run)?$"
)
# An item of a list that is a command by itself: `[bash, -c, "..."]`.
_STARTS_SHELL = lazy_re2(r"\[\s*[\"']?(?:/\S*/)?(?:ba|z|da)?sh[\"']?\s*,\s*[\"']?-\w*c[\"']?\s*,")
# The language of a command before the command: `action bash nohup ...`.
_LANGUAGE = lazy_re(r"(?i)^(?:bash|shell|exec|cmd)\s+(?=[a-z][\w.]*\s)")
_SAID_BY_PLACE = words("name text value body content payload input data")
_ANY_KEY = lazy_re(r"^(\s*)(?:-\s+)?[\"']?([\w.-]+)[\"']?\s*[:=]")
_LEAD = lazy_re(r"^\s*(?:-\s+|[@+-]+\s*|!+|\|\s*)*[\"'`(\[{]*")
_COMMAND = lazy_re2(
    r"(?i)^[\s(\"'`@{-]*(?:(?:sudo|env|nohup|time|setsid|exec|ionice|nice|timeout\s+\w+|sleep\s+\w+\s*[;&]+)\s+|[A-Z_]+=\S*\s+|if\s+|then\s+|do\s+"
    r"|test\s[^;&|]*[;&|]+\s*|\[\s[^\]]*\]\s*[;&|]+\s*|command\s[^;&|]*[;&|]+\s*)*"
    r"(?:/\S*/)?(?:curl|wget|fetch|aria2c|sh|bash|zsh|dash|eval|source|printenv|env|set|cat|tar"
    r"|base64|gzip|zip|xz|openssl|powershell(?:\.exe)?|pwsh|cmd(?:\.exe)?|python[\d.]*|perl"
    r"|ruby|node|nc|ncat|socat|iex|iwr|irm|echo|printf|mkdir|cd|export|rm|exec|umask|\$\()\b"
)
_LITERAL = lazy_re(
    r"\"((?:[^\"\\\n]|\\.){12,2000})\"|'((?:[^'\\\n]|\\.){12,2000})'|`([^`\n]{12,2000})`"
)
# The key of a text, `init => "..."`, `"code": "..."`.
_BEFORE_TEXT = lazy_re(r"([\w.-]+)[\"']?\s*(?:=>|[:=])\s*$")
# Of a macro, an element or a list, where no text in quotes is found.
_ENCLOSED = lazy_re(
    r">([^<>\n]{12,2000})<|\[([^\[\]\n]{12,2000})\]|\{([^{}\n]{12,2000})\}"
    r"|\(([^()\n]{12,2000})\)"
)
_HANDED = lazy_re2(r"[\"'({\[`]")
_ESCAPED = lazy_re(r"\\([\"'\\/$`])")
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&gt;", ">"), ("&lt;", "<"), ("&apos;", "'"))
_COMMENT = lazy_re(r"(?i)^\s*(?:#|//|;|--\s|dnl\b|<!--|%\s|/?\*\s|rem\s|\*>)")
_UP = 60  # lines up to the key of a list


class FormatLine(NamedTuple):
    """A shell line of a format; a recipe is run as a build file's is."""

    line: str
    is_recipe: bool


def lines_in(text: str, where: Located) -> tuple[FormatLine, ...]:
    """Return the shell lines of a format that fetch and run code or send secrets."""
    if where.kind not in _FORMATS or where.reach is Reach.TEMP:
        return ()
    # A line in one literal ends with a sign that is no letter of the next.
    text = text.replace("\\n", "\\n ")
    path = where.path.lower()
    ending = path.rpartition("/")[2].rpartition(".")[2]
    if (
        _TELLING.search(text) is None
        or ending in _RECORDS | INSTALLED
        or path.endswith(_SCRIPTS)
        or text.startswith("#!")
    ):
        return ()
    return tuple(dict.fromkeys(islice(_lines(text, where), MOST)))


def _lines(text: str, where: Located) -> Iterator[FormatLine]:
    lines = text.replace("\\\n", " ").split("\n")
    for number, line in enumerate(lines):
        if len(line) > LONGEST or _TELLING.search(line) is None or _COMMENT.match(line):
            continue
        # A recipe, as make and its like have it.
        is_recipe = line.startswith("\t") and where.kind is FileKind.OTHER
        key, above = ("", "") if is_recipe else _keys_of(lines, number)
        is_line = _LINES_KEY.match(above) is not None
        # What only data calls by another name is data; an unknown format has no keys.
        is_said = bool(key) and _SAID_KEY.fullmatch(key) is not None
        if is_said and not (is_line and key.lower() in _SAID_BY_PLACE):
            continue
        is_line = is_line or _STARTS_SHELL.search(line) is not None
        is_run = is_line or (bool(key) and _KEYED.match(f"{key}: ") is not None)
        if not is_run and (key or where.kind is FileKind.DATA) and where.kind not in _RUN_ALL:
            continue
        found = [FormatLine(one, is_recipe) for one in _candidates(line)]
        # Notes have no ending, too: a line by itself counts there only as a recipe.
        if is_recipe or is_run or "." in where.path.rpartition("/")[2] or _HANDED.search(line):
            yield from found


def code_literals(text: str, where: Located) -> Iterator[str]:
    """Yield the texts in quotes of a format that may be code of a language, unescaped."""
    if where.kind not in _FORMATS or where.path.lower().rpartition(".")[2] in _RECORDS:
        return
    for match in islice(_LITERAL.finditer(text), MOST_LITERALS):
        inner = next(filter(None, match.groups()), "")
        key = _BEFORE_TEXT.search(text[max(match.start() - 60, 0) : match.start()])
        if key is not None and not _SAID_KEY.fullmatch(key.group(1)) and "(" in inner:
            yield _plain(inner.replace("\\n", "\n"))


def _candidates(line: str) -> Iterator[str]:
    for pattern in (_LITERAL, _ENCLOSED):
        inner = [next(filter(None, m.groups()), "") for m in pattern.finditer(line)]
        inner = [piece for one in inner for piece in one.split("\\n")]
        found = [one for one in inner if _TELLING.search(one) and _COMMAND.search(one)]
        yield from map(_plain, found)
        if found:
            return
    bare = _LEAD.sub("", line)
    keyed, named = _KEYED.match(line), _ANY_KEY.match(line)
    behind = line[named.end() :].strip() if named else ""
    value = _LANGUAGE.sub("", keyed.group(2)) if keyed else ""
    for one in (bare, value, behind):
        if one and one[0] not in "\"'[{<" and _COMMAND.search(one):
            yield _plain(one.strip())
            return


def _keys_of(lines: list[str], number: int) -> tuple[str, str]:
    """The key of a line, and the one that the block of that key stands in."""
    key = _key_of(lines, number)
    own = _ANY_KEY.match(lines[number])
    if own is None or own.group(2) != key:
        return key, ""
    for line in reversed(lines[max(number - _UP, 0) : number]):
        match = _ANY_KEY.match(line)
        if match is not None and len(match.group(1)) < own.start(2):
            return key, match.group(2)
    return key, ""


def _key_of(lines: list[str], number: int) -> str:
    """The key that a line has, or that of the list or block it stands in, "" if none."""
    own = _ANY_KEY.match(lines[number])
    if own is not None and not _COMMAND.search(own.group(2) + " "):
        return own.group(2)
    keyed = _KEYED.match(lines[number])
    if keyed is not None and keyed.group(2)[:1] in ('"', "'", "[", "("):
        return keyed.group(1)
    indent = len(lines[number]) - len(lines[number].lstrip())
    for line in reversed(lines[max(number - _UP, 0) : number]):
        match = _ANY_KEY.match(line)
        is_above = len(line) - len(line.lstrip()) < indent or not line.lstrip().startswith("-")
        if match is not None and is_above and len(match.group(1)) <= indent:
            return match.group(2)
    return ""


def _plain(text: str) -> str:
    for entity, sign in _ENTITIES:
        text = text.replace(entity, sign)
    return str(_ESCAPED.sub(r"\1", text))
