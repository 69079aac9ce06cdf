"""Text tools that write or run something: sort, split, sed, awk, ed, ex, patch, xargs' kin.

What is written is in an option, a last operand, or in the text of a script; scripts are
taken apart in their own language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.program import Handler
from signoff.actions.programs.scripts import macro_lines, run_unread
from signoff.actions.programs.system.archives import COMPRESSORS, unpack
from signoff.actions.programs.system.operands import files_given
from signoff.actions.programs.vcs.patches import patched
from signoff.actions.shell.command import Word
from signoff.values import replace

# Typed lines that are read; what stands behind them is asked about.
MOST_LINES = 500
ESCAPE = re.compile(r"!(?![<>=])(.*)")
STDIN_WORDS = frozenset({"-", "/dev/stdin"})


def read_files(call: ProgramCall) -> Iterator[Effect]:
    """Yield reads of every operand that is a file."""
    given = files_given(call)
    for word in given:
        if word.text not in STDIN_WORDS:
            yield call.on_file(Verb.READ, word)
    if not given:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def macros(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `m4`: a text on standard input may call the shell by `syscmd`."""
    yield from read_files(call)
    stdin = call.command.stdin
    if stdin is not None and stdin.text is not None:
        # `esyscmd(` ends alike.
        yield from macro_lines(call, stdin.text, "syscmd(", ")")


def script_of(call: ProgramCall, word: Word, language: str) -> Iterator[Effect]:
    """Yield the effects of a script in a file: its text if known, else unknown."""
    # Files are looked at before the judgement; here nothing is opened.
    fact = call.place.files.get(locate(word.text, call.place).path) if word.is_known else None
    if fact is not None and fact.text is not None:
        yield Nested(text=fact.text, language=language, carrier=call.name)
    elif word.text in STDIN_WORDS and _stdin(call) is not None:
        yield Nested(text=_stdin(call) or "", language=language, carrier=call.name)
    elif language == "sed" and locate(word.text, call.place).reach is Reach.PROJECT:
        # sed scripts of the project go by their names as other scripts do; awk's are opaque.
        yield run_unread(call, word)
    else:
        yield call.opaque(f"what is in `{word.text}` is not known")


def _stdin(call: ProgramCall) -> str | None:
    stream = call.command.stdin
    return stream.text if stream is not None else None


# sed(1): addresses, and the commands that print lines, count them or stop.
_LINES = re.compile(
    "[\\d$\ufffd]+(?:,[+~]?[\\d$\ufffd]+)?(?:[p=]|[dq](?!\\w))(?:;\\s*[\\d\ufffd]+q)?"
)


def _programs(call: ProgramCall, texts: Iterable[Word], language: str) -> Iterator[Nested]:
    for text in texts:
        if language != "sed" or text.is_known:
            known = text.is_known
            yield Nested(text=text.text, language=language, carrier=call.name, is_known=known)
        elif call.has("--sandbox") or _SAFE.issuperset(_unsafe_parts(text)):
            # None of the unknown parts can end the expression it stands in.
            plain = text.text.replace("\ufffd", "x")
            yield Nested(text=plain, language=language, carrier=call.name)
        elif not _selects_lines(text.text):
            yield Nested(text=text.text, language=language, carrier=call.name, is_known=False)


# What prints one word without a slash, a backslash, a blank or an end of line.
_PRINTED = re.compile(
    r"\$\((?:basename (?:-- )?[\"']?\$\{?\w+\}?[\"']?|basename [\"']?\$\{?\w+\}?[\"']? \.\w+"
    r"|git rev-parse (?:--short(?:=\d+)? )?HEAD|nproc|id -[ug]|uname -[smr]|hostname(?: -s)?"
    r"|date \+?[%\w:.-]+|wc -[lcw] ?< ?[\w.-]+|date \+[\"'][%\w:. -]+[\"'])\)"
    r"|\$\(\([\w+*/%$ -]+\)\)|\$[#?$!]|\$\{#\w+\}|\$(?:RANDOM|LINENO|UID|EUID|SECONDS|PPID)\b"
)
_SAFE = frozenset({""})


def _unsafe_parts(text: Word) -> set[str]:
    """The parts of a script in which a value may end the expression; "" where there is none."""
    raw = _PRINTED.sub("x", text.raw.strip("\"'"))
    is_slashed = re.fullmatch(r"(?:[^/\\$`]*s/[^/$`]*/[^/$`]*/[gpiIm\d]*;?)+", raw) is not None
    return {""} if is_slashed else {raw}


def _selects_lines(text: str) -> bool:
    """Tell `"${a},$((b+9))p"`: only the numbers of the lines that are shown are unknown."""
    return _LINES.fullmatch(text.strip()) is not None


def program_text(language: str, *text_options: str) -> Handler:
    """Return the handler of `sed` and `awk`: the first operand is code unless an option gives it.

    Args:
        text_options: options that take code.
    """

    def run(call: ProgramCall) -> Iterator[Effect]:
        texts = call.values(*text_options)
        files = call.values("-f", "--file")
        operands = call.operands
        # POSIX: without `-e` or `-f` the first operand is the program.
        if not texts and not files and operands:
            texts, operands = (operands[0],), operands[1:]
        yield from _programs(call, texts, language)
        for word in files:
            yield from script_of(call, word, language)
        in_place = any(o.name.startswith(("-i", "--in-place")) for o in call.options)
        # gawk's `-i` names a library; only `-i inplace` writes the files back.
        if language == "awk":
            in_place = any(w.text.startswith("inplace") for w in call.values("-i", "--include"))
        for word in operands:
            # awk takes `NAME=value` among its files.
            if ("=" in word.text and language == "awk") or (not word.text and word.is_known):
                continue  # `sed -i ''` of BSD: an empty ending for copies
            yield call.on_file(Verb.WRITE if in_place else Verb.READ, word)

    return run


# ed(1): behind these, lines are text until one is a dot.
TEXT_BEGINS = re.compile(r"[\d,.$'+-]*[aic]")
FILE_COMMAND = re.compile(r"[\d,.$%'+-]*([eErwW]|edit|write|read|wq) +([^!\s].*)")


def line_editor(call: ProgramCall) -> Iterator[Effect]:
    """`ed FILE`, `ex FILE`: what is typed may write the file and run lines behind `!`."""
    for word in call.operands:
        # `ed '!ls'` edits what a command prints.
        if word.text.startswith("!"):
            yield Nested(text=word.text[1:], language="shell", carrier=call.name)
        else:
            yield call.on_file(Verb.WRITE, word)
    for command in call.values("-c", "--cmd"):
        _, bang, line = command.text.partition("!")
        if bang:
            yield Nested(text=line, language="shell", carrier=call.name, is_known=command.is_known)
        else:
            # ex is vim by another name.
            yield Nested(text=command.text, language="vim", carrier=f"{call.name} -c")
    yield from _typed(call)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _typed(call: ProgramCall) -> Iterator[Effect]:
    """Lines typed into the editor that run in the shell, or name files."""
    typed = (_stdin(call) or "").splitlines()
    if len(typed) > MOST_LINES:
        yield call.opaque("more lines are typed than are read")
    is_text = False
    for line in typed[:MOST_LINES]:
        # ex takes a colon before a command; ed has none.
        stripped = line.strip().lstrip(":")
        if is_text:
            is_text = stripped != "."
            continue
        is_text = TEXT_BEGINS.fullmatch(stripped) is not None
        if named := FILE_COMMAND.fullmatch(stripped):
            yield Nested(text=f"{named[1].lower()} {named[2]}", language="vim", carrier=call.name)
        if stripped.startswith(("!", "r !", "w !", "r!", "w!")):
            text = stripped.partition("!")[2]
            yield Nested(text=text, language="shell", carrier=call.name)


def calculator(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `bc` and `dc`: a line behind `!` runs in the shell, also one in `-e`."""
    texts = [w.text for w in call.values("-e", "--expression")]
    texts.append(_stdin(call) or "")
    for text in texts:
        lines = text.splitlines()
        if len(lines) > MOST_LINES:
            yield call.opaque("more lines are typed than are read")
        for line in lines[:MOST_LINES]:
            # dc(1): `!` runs the rest of its line, wherever it stands; `!<`, `!=`, `!>` compare.
            escape = ESCAPE.search(line)
            if escape and (call.name == "dc" or not line[: escape.start()].strip()):
                yield Nested(text=escape[1], language="shell", carrier=call.name)
    for word in (*call.operands, *call.values("-f", "--file")):
        yield call.on_file(Verb.READ, word)
    yield call.operation(Verb.INERT, ResourceType.NOTHING)


def patch(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `patch`: the file named, or whatever the patch names below the folder in force."""
    if call.has("--dry-run", "-C", "--check"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    folder = call.value("-d", "--directory")
    target = call.operands[0] if call.operands else folder or Word(text=".")
    # A patch names its files itself, so it is judged as an archive unpacked there.
    yield from unpack(call, target)
    yield from patched(call)
    for word in (*call.operands[1:2], *call.values("-i", "--input")):
        yield call.on_file(Verb.READ, word)
    for word in call.values("-o", "--output", "-r", "--reject-file"):
        yield call.on_file(Verb.WRITE, word)


def sort(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `sort`: `--compress-program` may run anything."""
    for word in call.values("--compress-program"):
        # By the whole word, so a path such as `/tmp/gzip` is no compressor.
        if word.text not in COMPRESSORS:
            yield call.opaque(f"runs `{word.text[:80]}` as its compressor")
    yield from read_files(call)


def uniq(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `uniq IN OUT`."""
    for word in call.operands[:1]:
        if word.text not in STDIN_WORDS:
            yield call.on_file(Verb.READ, word)
    for word in call.operands[1:2]:
        yield call.on_file(Verb.WRITE, word)
    yield call.operation(Verb.INERT, ResourceType.NOTHING)


def split(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `split FILE PREFIX`: pieces are written, or given to a program."""
    yield from read_files(_first(call))
    # With `--filter` a program takes the pieces and no file is written.
    if not call.has("--filter"):
        prefix = call.operands[1] if len(call.operands) > 1 else Word(text="x")
        is_named = prefix.is_known and prefix.text[-1:] not in {"", "/"}
        written = call.on_file(Verb.WRITE, prefix)
        # What the pieces are called is not told; their names begin so.
        yield replace(written, path=f"{written.path}*") if is_named and written.path else written


def _first(call: ProgramCall) -> ProgramCall:
    return ProgramCall(
        name=call.name,
        # Options are left out: split's `-n` and `-C` take sizes, no files.
        options=(),
        operands=call.operands[:1],
        traits=call.traits,
        command=call.command,
        place=call.place,
    )


def in_place(*options: str) -> Handler:
    """Return a handler: files are read; with one of these options they are also written."""

    def run(call: ProgramCall) -> Iterator[Effect]:
        back = call.has(*options)
        for word in call.operands:
            yield call.on_file(Verb.WRITE if back else Verb.READ, word)
        if not call.operands:
            yield call.operation(Verb.INERT, ResourceType.NOTHING)

    return run


def each_line(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `pee LINE...` gives its input to every line."""
    for word in call.operands:
        yield Nested(text=word.text, language="shell", carrier="pee", is_known=word.is_known)
