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
from enum import Enum

from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.vocabulary import Vocabulary, lazy_re, words
from signoff.assess.contexts.objects.code_blocks import are_files, is_own_block
from signoff.assess.contexts.objects.tool_calls import is_tool_call

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


class Around(Enum):
    """The kind of JSON object that a member is in."""

    NOTHING = 0
    LIST = 1
    CODE_BLOCK = 2  # of a rich document
    CELL = 3  # of a notebook
    MESSAGE = 4  # of a talk with a model
    SOURCE = 5  # a file of a commit
    CONTAINER = 6  # what Docker is to start
    FRAME = 7  # of a stack trace, or a remark on a line of source
    MANIFEST = 8  # of a version of a package
    SCRIPTS = 9  # what a package runs where it is built
    PROGRAM = 10  # handed in beside the name of its language, to be run or judged
    FILES = 11  # of a paste, each by its name
    TOOL_CALL = 12  # of a model, as the talk with it holds one
    OWN_BLOCK = 13  # of a rich document whose type is the name of the member with its content


# What a member holds, by what it is in: it is shown, kept, or run where it should be run.
SHOWN: Mapping[tuple[Around, str], Syntax] = {
    (Around.CODE_BLOCK, "text"): Syntax.SAMPLE,
    (Around.CODE_BLOCK, "code"): Syntax.SAMPLE,
    (Around.CODE_BLOCK, "content"): Syntax.SAMPLE,
    (Around.CELL, "source"): Syntax.SAMPLE,
    (Around.MESSAGE, "content"): Syntax.TEXT,
    (Around.MESSAGE, "text"): Syntax.TEXT,
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


class _DocumentBlock(Struct, frozen=True):
    """An object of a document: the list it stands in, all the members it may have, one of each.

    The name of the list is the application's, so that a caller cannot make its own object of
    another list a block by a member more.
    """

    around: Around
    lists: frozenset[str]
    members: frozenset[str]
    needs: tuple[frozenset[str], ...] = ()
    named: str = ""  # the member that says what it is, and what it may say
    names: frozenset[str] = frozenset()


_OF_CONTAINERS = words(
    "name image command args env envFrom ports resources volumeMounts workingDir imagePullPolicy"
    " livenessProbe readinessProbe startupProbe lifecycle securityContext stdin tty restartPolicy"
    " terminationMessagePath terminationMessagePolicy volumeDevices"
)
_OF_PROGRAMS = words(
    "lang language compiler source code source_code typed_code problem problem_id question_id task"
    " task_id contest contest_id exercise exercise_id stdin input data_input test_input file_name"
    " version judge_type"
)
_LANGUAGE = lazy_re(
    r"(?:c|c\+\+|cpp|csharp|c#|java|kotlin|python|pypy|py|ruby|rust|go|golang|haskell|scala|swift|perl"
    r"|bash|sh|shell|lua|julia|ocaml|fortran|pascal|dart|elixir|erlang|typescript|javascript|node|php"
    r"|r|sql|mysql|postgresql)[\d. _-]{0,8}"
)
_LASTING = frozenset({Around.CODE_BLOCK, Around.MESSAGE, Around.TOOL_CALL})
_LISTS_OF_TEXT = frozenset({"content", "children"})
_SEPARATORS = lazy_re(r"[_-]")
_BLOCKS = (
    _DocumentBlock(
        Around.CODE_BLOCK,
        words("content children blocks nodes body document value"),
        words(
            "type attrs content text code children language lang marks id key version data format"
            " direction indent props"
        ),
        named="type",
        names=words("codeblock"),
    ),
    _DocumentBlock(
        Around.CELL,
        words("cells"),
        words("cell_type source outputs metadata execution_count id attachments"),
        named="cell_type",
        names=words("code markdown raw"),
    ),
    _DocumentBlock(
        Around.MESSAGE,
        words("messages input"),
        words("role content name tool_calls tool_call_id refusal cache_control type"),
        named="role",
        names=words("system developer user assistant tool"),
    ),
    _DocumentBlock(
        Around.FRAME,
        words("stack frames stacktrace trace annotations"),
        words(
            "file filename path abs_path line lineno column colno code context_line function module"
            " method class_name start_line end_line annotation_level message raw_details title"
            " in_app"
        ),
        (words("line lineno start_line raw_details"), words("file filename path abs_path")),
    ),
    _DocumentBlock(
        Around.SOURCE,
        words("actions files tree changes"),
        words(
            "action file_path path previous_path content encoding mode type sha filename language"
            " last_commit_id execute_filemode"
        ),
        (words("file_path path filename"),),
    ),
)


# Each look at a member of an enumeration costs on Python 3.11.
_NOTHING = Around.NOTHING


def around_members(node: Mapping[str, Json], name: str, around: Around) -> Around:
    """Return the kind of surroundings that the members of an object have.

    Args:
        name: name of the list or member that holds the object.
        around: surroundings of the object itself.
    """
    if (inherited := _inherited(node, name, around)) is not None:
        return inherited
    if around is Around.MANIFEST and name == "scripts":
        return Around.SCRIPTS
    if isinstance(node.get("dist"), Mapping) and "scripts" in node:
        return Around.MANIFEST
    return _by_members(node, name, around)


def _inherited(node: Mapping[str, Json], name: str, around: Around) -> Around | None:
    """Return what an object is because of what it stands in, None for one that says it itself."""
    if around is Around.MESSAGE and is_tool_call(node):
        return Around.TOOL_CALL
    if around in _LASTING:
        return around
    if around is Around.OWN_BLOCK and name == "code":
        return Around.CODE_BLOCK
    return Around.SOURCE if around is Around.FILES else None


def _by_members(node: Mapping[str, Json], name: str, around: Around) -> Around:
    """Return what an object is by its members."""
    if name == "files" and are_files(node):
        return Around.FILES
    if (isinstance(node.get("Image"), str) and "Cmd" in node) or _is_container(node, name):
        return Around.CONTAINER
    if around is _NOTHING and _is_program(node):
        return Around.PROGRAM
    return _of_list(node, name) if around is Around.LIST else _NOTHING


def _of_list(node: Mapping[str, Json], name: str) -> Around:
    if name in _LISTS_OF_TEXT and _is_marked_code(node):
        return Around.CODE_BLOCK
    if name in _LISTS_OF_TEXT and is_own_block(node):
        return Around.OWN_BLOCK
    return next((one.around for one in _BLOCKS if _is_block(one, node, name)), Around.NOTHING)


def _is_container(node: Mapping[str, Json], name: str) -> bool:
    """Return whether an object is a container of Kubernetes, or the probe of one."""
    lists = [node[one] for one in ("command", "args") if one in node]
    if not lists or not all(isinstance(one, (list, tuple)) for one in lists):
        return False
    if name == "exec":
        return node.keys() == {"command"}
    is_named = name == "container" or isinstance(node.get("name"), str)
    return is_named and isinstance(node.get("image"), str) and node.keys() <= _OF_CONTAINERS


def _is_program(node: Mapping[str, Json]) -> bool:
    """Return whether an object is a program with the name of its language, and no more."""
    languages = [node[one] for one in ("lang", "language", "compiler") if one in node]
    said = languages[0] if len(languages) == 1 else None
    is_known = isinstance(said, str) and _LANGUAGE.fullmatch(said.lower()) is not None
    return is_known and node.keys() <= _OF_PROGRAMS


def _is_marked_code(node: Mapping[str, Json]) -> bool:
    """Return whether a piece of text of a rich document is marked as code, and is no more."""
    marks = node.get("marks")
    if isinstance(marks, (list, tuple)):
        is_code = any(isinstance(one, Mapping) and one.get("type") == "code" for one in marks)
        return is_code and node.keys() <= {"type", "text", "marks"}
    return node.get("code") is True and node.keys() <= {"text", "code", "bold", "italic"}


def shown_as(around: Around, name: str) -> Syntax | None:
    """Return a member's syntax by its surroundings, None if they say nothing about it."""
    is_code = around is Around.SCRIPTS or around is Around.TOOL_CALL
    return Syntax.SAMPLE if is_code else SHOWN.get((around, name))


def _is_block(block: _DocumentBlock, node: Mapping[str, Json], name: str) -> bool:
    if name not in block.lists or not node.keys() <= block.members:
        return False
    said = node.get(block.named)
    plain = _SEPARATORS.sub("", said).lower() if isinstance(said, str) else ""
    is_named = not block.named or plain in block.names
    return is_named and not any(one.isdisjoint(node) for one in block.needs)
