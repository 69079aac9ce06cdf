"""How a value of a request is written, and which patterns say anything about such a value.

A pattern is made for one short value that an application pastes into something. In a page, a
picture, a document or a header word the same signs mean nothing: an HTML body has tags, a picture
has every byte, a manual names `cat /etc/hosts`. So each value has a `Syntax`, and `is_counted`
says whether a pattern counts in it.

    is_counted(Syntax.VALUE, "xss.dom")   ->  True
    is_counted(Syntax.TOKEN, "xss.dom")   ->  False  # X-Requested-With: XMLHttpRequest
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.vocabulary import Vocabulary, lazy_re, words
from signoff.assess.contexts.objects.around import Around

WORDS_OF_PROSE = 3
LINES_OF_TEXT = 2
# A word of a sentence: letters only, with the sign that may stand behind it.
_WORD = lazy_re(r"(?<!\S)[(\"'*_]?[^\W\d_]{2,}(?:['-][^\W\d_]+)*[.,;:!?)\"'*_]*(?!\S)")
_UNSPACED = lazy_re(r"[\u0e01-\u0e4e\u3041-\u30fe\u3400-\u9fff]{4,}")
# Words that statements and commands are made of say nothing about a sentence.
_NO_WORD = frozenset(
    (
        *("select", "from", "where", "union", "all", "and", "or", "not", "null", "like", "insert"),
        *("into", "values", "update", "set", "delete", "drop", "table", "order", "by", "group"),
        *("having", "limit", "as", "on", "join", "in", "is", "between", "exec", "declare", "case"),
        *("when", "then", "else", "end", "if", "exists", "true", "false", "create", "user", "id"),
        *("waitfor", "delay", "password", "username", "database", "version", "current", "dual"),
        *("cat", "ls", "rm", "curl", "wget", "ping", "sleep", "echo", "whoami", "bash", "sh"),
    )
)


class Syntax(Vocabulary):
    """The syntax a request value is written in; decides which patterns count in it."""

    VALUE = "value"  # one value an application uses as it is
    PROSE = "prose"  # a sentence
    TEXT = "text"  # lines a person or a tool wrote: a message, a document, a program
    MARKUP = "markup"  # what is left of a page or of XML without its harmless tags
    LINES = "lines"  # a text again, as one line and without quoted code, for the other families
    SAMPLE = "sample"  # code that a page shows to its readers
    SHOWN = "shown"  # the same in a page, whose addresses nothing loads
    CONTENT = "content"  # the sentences of a page or a text, without tags and quoted code
    TOKEN = "token"  # noqa: S105 - one word with no sign in it
    BYTES = "bytes"  # a picture, an archive, anything that is no text
    QUERY = "query"  # a whole query of an interface that takes queries
    STATEMENT = "statement"  # whole SQL or a whole formula in a field that is made for it
    FILE = "file"  # a text file that is uploaded: it is kept, not pasted into anything
    REPORT = "report"  # what a program reports of itself by a protocol: traces, places in sources
    LOG = "log"  # lines a program recorded, among them what attackers sent
    SEARCH = "search"  # what a store of logs or measurements is asked for
    PROMPT = "prompt"  # what the interface of a model is sent: a model reads it
    STYLE = "style"  # a style sheet without anything that loads or runs
    PASSWORD = "password"  # noqa: S105 - a field of a form for passwords
    CALLBACK = "callback"  # the address an authorisation server compares with the registered one


# Patterns of script that is not in a tag: in a page or a sentence, code is spoken of.
_BARE_SCRIPT = words("xss.dom xss.call xss.style xss.event-name xss.custom-tag xss.policy")
_NO_DOCUMENT = words(
    "xss.alert xss.event xss.break-script xss.punctuation xss.constructor xss.tag-attribute"
    " xss.entity-call xss.client-template"
)
# Of the other families, what no document says by accident.
_IN_TEXT = frozenset(
    (
        *("command.reverse-shell", "command.shellshock", "command.jndi", "command.delegate"),
        *("template.dunder", "template.object", "template.java", "template.arithmetic"),
        *("nosql.operator-name", "nosql.operator-field", "header.new-request"),
        *("header.cache-order", "header.chunk-end", "scanner.call-back", "ssrf.metadata"),
        *("path.climb-far", "path.climb-coded", "rfi.wrapper", "header.mail-lines"),
    )
)
_IN_MARKUP = words(
    "command.jndi command.delegate scanner.call-back template.dunder rfi.wrapper header.mail-lines"
)
# What a statement or a formula fits by its own signs: `;`, `'a' OR 'b'`, `CONCATENATE(...)`.
_OF_STATEMENTS = frozenset(("xss.punctuation", "xss.call", "template.string", "template.config"))
_IN_BYTES = words(
    "xss.script-tag xss.tag-event command.jndi command.php-open command.page-code xml.entity"
    " object.java"
)
_IN_FILE = words(
    "command.php-open command.asp-tag command.page-code command.sheet-program template.sheet-send"
)
_IN_LOG = frozenset({"command.jndi", "command.php-open"})
_CHECKED_BY_SERVER = ("ssrf.loopback", "ssrf.internal-port", "redirect.absolute")
_QUERY_SIGNS = frozenset(
    (
        *("sql.timing", "sql.stacked", "sql.stacked-select", "sql.function", "sql.catalog"),
        *("sql.union-select", "sql.union-broken", "sql.variable", "sql.comment-end"),
    )
)


def syntax_of(text: str) -> Syntax:
    """Return the syntax of a plain value: a value, a sentence or lines of text."""
    if text.count("\n", 0, -1) >= LINES_OF_TEXT and is_prose(text):
        return Syntax.TEXT
    return Syntax.PROSE if is_prose(text) else Syntax.VALUE


def is_prose(text: str, least: int = WORDS_OF_PROSE) -> bool:
    """Tell whether a text contains at least `least` plain words, as written language does."""
    # Chinese, Japanese and Thai write no blanks: four letters are taken for a word.
    count = 0 if text.isascii() else sum(len(one) // 4 for one in _UNSPACED.findall(text))
    if count >= least:
        return True
    if len(text.split(None, least - count - 1)) < least - count:
        return False
    for match in _WORD.finditer(text):
        count += match.group().strip("(\"'*_.,;:!?)").lower() not in _NO_WORD
        if count >= least:
            return True
    return False


def is_counted(syntax: str, hit: str) -> bool:
    """Return whether a pattern counts in a value of this syntax.

    Args:
        hit: the pattern's id.
    """
    rule = _RULES.get(syntax)
    return rule is None or rule(hit, hit.partition(".")[0])


def _in_text(hit: str, family: str) -> bool:
    is_tag = family == "xss" and hit not in _BARE_SCRIPT | _NO_DOCUMENT
    return is_tag or hit in _IN_TEXT or family in ("xml", "sql")


def _in_statement(hit: str, family: str) -> bool:
    if family in ("sql", "command"):
        return hit in _IN_TEXT or hit in ("sql.timing", "sql.function")
    return family != "ldap" and hit not in _OF_STATEMENTS


def _in_file(hit: str, family: str) -> bool:
    return family != "sql" and (_in_text(hit, family) or hit in _IN_FILE)


def _in_markup(hit: str, family: str) -> bool:
    is_tag = family == "xss" and hit not in ("xss.dom", "xss.call")
    return is_tag or hit in _IN_MARKUP or family == "xml"


def _in_content(hit: str, family: str) -> bool:
    is_code = family in ("xss", "xml", "template") or hit == "command.asp-tag"
    return hit in _IN_TEXT or not is_code


# A value has no rule: every pattern counts.
_RULES: Mapping[str, Callable[[str, str], bool]] = {
    Syntax.PROSE: lambda hit, _: hit not in _BARE_SCRIPT and hit != "command.asp-tag",
    Syntax.TEXT: _in_text,
    Syntax.LINES: lambda hit, family: family != "sql" and _in_content(hit, family),
    Syntax.SAMPLE: lambda hit, _: hit in _IN_TEXT,
    Syntax.SHOWN: lambda hit, _: hit in _IN_TEXT and hit != "ssrf.metadata",
    Syntax.CONTENT: _in_content,
    Syntax.MARKUP: _in_markup,
    Syntax.QUERY: lambda hit, family: family != "sql" or hit in _QUERY_SIGNS,
    Syntax.STATEMENT: _in_statement,
    Syntax.FILE: _in_file,
    Syntax.REPORT: _in_file,
    Syntax.LOG: lambda hit, _: hit in _IN_LOG,
    Syntax.SEARCH: lambda hit, _: hit in _IN_LOG,
    Syntax.PROMPT: lambda hit, _: hit == "command.jndi",
    Syntax.STYLE: lambda _, family: family in ("ssrf", "scanner"),
    Syntax.CALLBACK: lambda hit, _: not hit.startswith(_CHECKED_BY_SERVER),
    Syntax.BYTES: lambda hit, _: hit in _IN_BYTES,
    Syntax.TOKEN: lambda _, family: family == "scanner",
}


# What a member holds, by what it is in: it is shown, kept, or run where it should be run.
SHOWN: Mapping[tuple[Around, str], Syntax] = {
    (Around.CODE_BLOCK, "text"): Syntax.SAMPLE,
    (Around.CODE_BLOCK, "code"): Syntax.SAMPLE,
    (Around.CODE_BLOCK, "content"): Syntax.SAMPLE,
    (Around.CELL, "source"): Syntax.SAMPLE,
    (Around.MESSAGE, "content"): Syntax.TEXT,
    (Around.MESSAGE, "text"): Syntax.TEXT,
    (Around.MESSAGE, "parts"): Syntax.TEXT,
    (Around.CHECKS, "exec"): Syntax.SAMPLE,
    (Around.SOURCE, "content"): Syntax.FILE,
    (Around.FRAME, "code"): Syntax.SAMPLE,
    (Around.FRAME, "context_line"): Syntax.SAMPLE,
    (Around.FRAME, "message"): Syntax.SAMPLE,
    (Around.FRAME, "raw_details"): Syntax.SAMPLE,
    (Around.CONTAINER, "Cmd"): Syntax.SAMPLE,
    (Around.CONTAINER, "Entrypoint"): Syntax.SAMPLE,
    (Around.CONTAINER, "command"): Syntax.SAMPLE,
    (Around.CONTAINER, "args"): Syntax.SAMPLE,
    (Around.PROGRAM, "source"): Syntax.FILE,
    (Around.PROGRAM, "code"): Syntax.FILE,
    (Around.PROGRAM, "source_code"): Syntax.FILE,
    (Around.PROGRAM, "typed_code"): Syntax.FILE,
}


def shown_as(around: Around, name: str) -> Syntax | None:
    """Return a member's syntax by its surroundings, None if they say nothing about it."""
    is_code = around is Around.SCRIPTS or around is Around.TOOL_CALL
    return Syntax.SAMPLE if is_code else SHOWN.get((around, name))
