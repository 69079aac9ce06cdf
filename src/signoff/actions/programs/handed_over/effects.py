"""What the words of a call hand to a program to run.

A program nobody described is opaque when it is handed code, a shell, a script in a temporary folder
or a host; what it is handed is judged beside that. Of a program that runs things the code in its
options is judged, and a command line behind its own words. Text for a program that only reads,
writes or prints is data.

    osh -c 'rm -rf ~'       ->  opaque, and the line `rm -rf ~`
    srun -n 2 rm -rf ~      ->  the line `rm -rf ~`
    make -f /tmp/x.mk       ->  opaque: the file was not read
    git commit -m 'rm -rf'  ->  nothing
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from signoff.actions.known.shell_lines import starts_as_line
from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.handed_over.files import (
    is_line,
    language_of,
    loaded_files,
    written_texts,
)
from signoff.actions.programs.handed_over.filters import is_filter
from signoff.actions.programs.handed_over.opened import (
    NAMED_LINES,
    OPENERS,
    named_lines,
)
from signoff.actions.programs.handed_over.tables import (
    ANY_OPTIONS,
    CODE_ENDINGS,
    CODE_OPTIONS,
    CODE_STARTS,
    COMPILERS,
    DESCRIBED_CODE_OPTIONS,
    FILE_OPTIONS,
    INLINE_LANGUAGES,
    LINE_OPTIONS,
    SSH_KIN,
    TYPED_LINES,
    takes_code,
)
from signoff.actions.programs.handed_over.targets import SHELLS, handed_target
from signoff.actions.programs.option_values import ssh_line
from signoff.actions.programs.registry import find
from signoff.actions.shell.command import Command, Word
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# Characters of standard input that are read; the rest counts as unknown, never as harmless.
MAX_TYPED = 20_000
# So many texts of one command are read; another one is said to be unknown and asked about. Words
# are not counted: a limit on them would let what stands behind padding run unread.
MAX_HANDED = 40
MANY_WORDS = 64
RUN_THINGS = frozenset(
    {
        ResourceType.CODE,
        ResourceType.PROCESS,
        ResourceType.MACHINE,
        ResourceType.CONTAINER,
        ResourceType.CLOUD,
        ResourceType.CLUSTER,
    }
)
STARTING = frozenset({Verb.EXECUTE, Verb.CONTROL})

NOTHING: tuple[Effect, ...] = ()
_READ = frozenset({"python", "javascript"})
# Only programs whose command line does great harm: any word may be the name of some program.
_TAIL_NAMES = SHELLS | words(
    "rm dd shred wipefs chmod chown find mkfs mkfs.ext4 mkfs.ext3 mkfs.xfs mkfs.btrfs mkfs.vfat"
)
# With an option that makes it serious: `srun rm -rf x`, but not `git rm x` or `apt show dd`.
_TAIL = lazy_re(
    r"(?:/[\w/]*/)?(?:rm (?:-- )?-\w*[rRf]|dd (?:if|of)=|(?:ba|z|da|k)?sh -\w*c |mkfs|shred -|"
    r"wipefs -|(?:chmod|chown) -R|find \S+ .*-delete)"
)
# fzf(1): `--bind 'ctrl-r:reload(LINE)'`; the line stands in brackets or behind a second colon.
_BINDING = lazy_re(
    r"(?:execute|execute-silent|reload|become|transform)[\w-]*"
    r"(?:\(([^)]*)\)?|\{([^}]*)\}|\[([^\]]*)\]|:(.*))",
    re.DOTALL,
)
# Behind these words stands text for people: `tool note 'rm -rf / is bad'` runs nothing.
_SPEAKING = words(
    "search grep find query note ask explain say echo log message tell print chat prompt comment "
    "commit describe title send post lookup history -m --message -k -t -n --grep --filter --title "
    "--body --name --description --query --pattern --text --note --reason --label"
)


def hands_over(command: Command) -> bool:
    """Return, quickly, whether a word of a command may be something that its program runs."""
    # Called for every command: the cheap tests come first, and most commands end here.
    program = command.program
    if program in COMPILERS or (command.stdin is not None and program in TYPED_LINES):
        return True
    if program in OPENERS:
        return True
    texts: Collection[str] = [word.text for word in command.words[1:]]
    if len(texts) > MANY_WORDS:  # of so many, most are there more than once
        texts = set(texts)
    for text in texts:
        first = text[:1]
        if first == "-":
            if text in ANY_OPTIONS or "/" in text or "=" in text or _is_odd_option(text):
                return True
        elif (
            " " in text
            or first in "/~"
            or text[text.rfind("/") + 1 :] in _TAIL_NAMES
            or ("." in text and (first.isdigit() or "@" in text))
        ):
            return True
    return False


def _is_odd_option(text: str) -> bool:
    # None of them is a short one: `-la` ends here.
    return text == "--" or (
        len(text) > 3 and (text.startswith(CODE_STARTS) or text.endswith(CODE_ENDINGS))
    )


def handed_over(
    command: Command, place: Place, found: Sequence[Operation], *, unfolded: bool
) -> Iterable[Effect]:
    """Yield the effects of what a command's words give its program to run.

    Args:
        found: the command's known operations.
        unfolded: the words after the program were analysed as a command.
    """
    name = command.program
    return _bounded(name, _handed(command, place, found, unfolded=unfolded)) if name else NOTHING


def _bounded(name: str, effects: Iterable[Effect]) -> Iterator[Effect]:
    for count, effect in enumerate(effects):
        if count == MAX_HANDED:
            yield _unread(name)
            return
        yield effect


def _unread(name: str) -> Nested:
    """Build the Operation for a text that is too long to analyse."""
    return Nested(text="", language="shell", carrier=name, is_known=False)


def _handed(
    command: Command, place: Place, found: Sequence[Operation], *, unfolded: bool
) -> Iterable[Effect]:
    if lines := [*_well_known(command)]:
        return lines
    name = command.program
    # The line was judged once already; a second time would ask twice.
    if unfolded:
        return NOTHING
    # A path is a local file, which is judged by its text.
    if find(name) is None and find(name.lower()) is None and "/" not in command.words[0].text:
        written = written_texts(_call(command, place))
        return chain(_piped(command), written, _to_unknown(command, place))
    own = FILE_OPTIONS.get(name)
    # Of programs that run nothing (`grep -e 'rm -rf'`) such words are data.
    runs = any([op.verb in STARTING and op.thing in RUN_THINGS for op in found])
    if runs or own:
        return _to_described(command, place, own, runs=runs)
    return _to_quiet(name, command.words)


def _well_known(command: Command) -> Iterator[Effect]:
    """Lines in places that are well known, so they are read even where the rest was unfolded."""
    name = command.program
    if typed := _typed(command):
        yield from typed
    elif name in LINE_OPTIONS and (lines := [*_lines(name, command.words)]):
        yield from lines
    elif name in SSH_KIN:
        yield from _settings(name, command.words)
    elif name in NAMED_LINES:
        yield from named_lines(name, command.words)


def _typed(command: Command) -> list[Effect]:
    """The lines on standard input that a program hands to the shell."""
    starts = TYPED_LINES.get(command.program)
    text = command.stdin.text if starts is not None and command.stdin is not None else None
    if not text or starts is None:
        return []
    lines = [line.strip() for line in text[:MAX_TYPED].splitlines()]
    typed: list[Effect] = [
        Nested(text=line[len(start) :], language="shell", carrier=command.program)
        for line in lines
        for start in starts
        if line[: len(start)].lower() == start
    ]
    return [*typed, _unread(command.program)] if len(text) > MAX_TYPED else typed


def _to_described(
    command: Command, place: Place, own: frozenset[str] | None, *, runs: bool
) -> Iterator[Effect]:
    """What a program that runs things, or loads files, is handed."""
    if runs:
        yield from _piped(command)
        yield from written_texts(_call(command, place))
        yield from _to_known(command.program, command.words)
        yield from _tail(command.program, command.words)
    yield from loaded_files(_call(command, place), own)


def _piped(command: Command) -> Iterator[Effect]:
    """What stands behind a bar in one word: `sox "|curl URL" out.wav` reads what it prints."""
    for word in command.words[1:]:
        line = word.text[1:].strip()
        if word.is_quoted and word.text[:1] == "|" and line[:1].isalpha():
            known = word.is_known
            yield Nested(text=line, language="shell", carrier=command.program, is_known=known)


def _call(command: Command, place: Place) -> ProgramCall:
    return ProgramCall(
        name=command.program,
        operands=command.words[1:],
        command=command,
        place=place,
    )


def _values(given: Sequence[Word]) -> Iterator[tuple[int, str, Word]]:
    """Every option with what may be its value: joined by `=`, else the word behind it."""
    for at, word in enumerate(given[1:], 1):
        if word.text == "--":
            return
        if word.text[:1] == "-":
            name, equals, value = word.text.partition("=")
            if equals:
                # In one word with the option, so no glob in it is expanded.
                yield at, name, Word(text=value, is_known=word.is_known, is_quoted=True)
            elif at + 1 < len(given):
                yield at, name, given[at + 1]


# -- programs that are described


def _to_known(name: str, given: tuple[Word, ...]) -> Iterator[Effect]:
    """What a program that runs things is handed beside its own work."""
    inline = INLINE_LANGUAGES.get(name, "")
    for _, option, value in _values(given):
        text = value.text
        # A described program has its own handler for what is unknown.
        if not takes_code(option, DESCRIBED_CODE_OPTIONS) or not value.is_known:
            continue
        language = language_of(text) if _has_parts(text) else ""
        # The language is fixed by the program, whatever the text looks like.
        if inline and _has_parts(text) and option in CODE_OPTIONS:
            yield Nested(text=text, language=inline, carrier=f"{name} {option}")
        elif language in _READ or (language == "shell" and is_line(text, option)):
            yield Nested(text=text, language=language, carrier=f"{name} {option}")
        elif language:
            yield Nested(text=text, language="literals", carrier=f"{name} {option}")


def _to_quiet(name: str, given: tuple[Word, ...]) -> Iterator[Effect]:
    """Lines of a program that runs nothing itself: its option is named for a line that is run."""
    # `--password-command 'pass show x'` is how secrets are handed over; only what does harm counts.
    for _, option, value in _values(given):
        if option[:2] == "--" and option.endswith(CODE_ENDINGS) and starts_as_line(value.text):
            yield Nested(
                text=value.text,
                language="shell",
                carrier=f"{name} {option}",
                is_known=value.is_known,
            )


def _tail(name: str, given: tuple[Word, ...]) -> Iterator[Effect]:
    """A command line that stands behind the words of a program, from a word that names one."""
    for at in range(1, len(given) - 1):
        word = given[at]
        name_at = word.text.rfind("/") + 1
        # A quoted word is text for the program: `tool say "rm" -rf`.
        if word.text[name_at:] not in _TAIL_NAMES or word.is_quoted:
            continue
        # Four words hold the name and its first options, which is all that is matched.
        if _TAIL.match(" ".join([one.text for one in given[at : at + 4]])):
            line = rejoin(given[at:])
            yield Nested(text=line, language="shell", carrier=name)
            return


# -- programs nobody described


def _to_unknown(command: Command, place: Place) -> Iterator[Effect]:
    """Yield the effects of what an undescribed program is given."""
    name, given = command.program, command.words
    call = _call(command, place)
    coded = False
    for _, option, value in _values(given):
        if takes_code(option, CODE_OPTIONS) and value.is_known:
            is_code = _has_parts(value.text) and not is_filter(value.text)
            language = language_of(value.text) if is_code else ""
            # Once code was found, the words are its arguments and not another line.
            coded |= bool(language)
            yield from _code(call, language, value.text, f"{name} {option}")
    if coded:
        return
    for at, word in enumerate(given[1:], 1):
        before = given[at - 1].text if at > 1 else ""
        if word.text == "--":
            yield from _behind_dashes(name, given[at + 1 :])
            break
        if " " in word.text and before not in _SPEAKING and starts_as_line(word.text):
            yield from _code(call, "shell", word.text, name)
    yield from _tail(name, given)
    yield from handed_target(call)


def _has_parts(text: str) -> bool:
    return any([mark in text for mark in " ([{"])


def _code(call: ProgramCall, language: str, text: str, carrier: str) -> Iterator[Effect]:
    if not language:
        return
    yield call.opaque(f"signoff does not know `{call.name}`, which gets code to run", Trait.INLINE)
    # In no language that can be read, commands inside its texts are still found.
    inner = "literals" if language == "code" else language
    yield Nested(text=text, language=inner, carrier=carrier)


def _behind_dashes(name: str, rest: tuple[Word, ...]) -> Iterator[Effect]:
    """Behind `--` stands a command line, if it starts with a program that is known."""
    # One word behind `--` is an operand; a known name alone makes it no command line.
    if rest and rest[0].text[:1] != "-" and len(rest) > 1 and find(rest[0].text) is not None:
        yield Nested(text=rejoin(rest), language="shell", carrier=f"{name} --")


# -- options whose value is a shell line


def _lines(name: str, given: tuple[Word, ...]) -> Iterator[Effect]:
    """The lines that options of well-known programs run."""
    for line in _option_lines(LINE_OPTIONS[name], given):
        if line.text.strip():
            yield Nested(
                text=line.text, language="shell", carrier=f"{name} option", is_known=line.is_known
            )


def _settings(name: str, given: tuple[Word, ...]) -> Iterator[Nested]:
    """The lines that settings of ssh run: `-o ProxyCommand=x`, `-oProxyCommand=x`."""
    for at, word in enumerate(given[1:], 1):
        if word.text == "-o" and at + 1 < len(given):
            line = ssh_line(given[at + 1])
        else:
            line = ssh_line(replace(word, text=word.text[2:])) if word.text[:2] == "-o" else None
        if line is not None:
            yield Nested(
                text=line.text, language="shell", carrier=f"{name} -o", is_known=line.is_known
            )


def _option_lines(starts: tuple[str, ...], given: tuple[Word, ...]) -> Iterator[Word]:
    for at, word in enumerate(given[1:], 1):
        text = word.text
        behind = given[at + 1].text if at + 1 < len(given) else ""
        for start in starts:
            # strace takes `-o '|line'` and `-o'|line'`.
            if start[:2] == "-o" and text == "-o" and behind.startswith(start[2:]):
                yield Word(text=behind[len(start) - 2 :], is_known=given[at + 1].is_known)
            elif text == start and behind:
                yield from _bound(start, given[at + 1])
            elif text.startswith(start) and text != start:
                rest = text[len(start) :]
                # aria2: `--on-download-complete=LINE`, an event in the middle of the name.
                rest = rest.partition("=")[2] if start == "--on-" else rest.removeprefix("=")
                yield from _bound(start, Word(text=rest, is_known=word.is_known))


def _bound(option: str, value: Word) -> Iterator[Word]:
    """A key binding names what it runs; any other value is the line."""
    if option != "--bind":
        yield value
        return
    for match in _BINDING.finditer(value.text):
        yield Word(text=next(filter(None, match.groups()), ""), is_known=value.is_known)
