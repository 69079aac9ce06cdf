"""The `command` pattern: a program with its arguments as parsed, not as text.

    git push            every `git` whose words start with `push`
    git push --force    the same, with that option anywhere: `--force`, `-f` in a cluster, shortened
    npm run * **        `*` is one word, `**` any number of words; at the end it may be left out
    git push ** main    that word anywhere behind `push`
    git status $        a last `$`: nothing more than this

Rules kept here. Loose (deny, escalate): options between the words may or may not take a value, so
both readings count; options count in any position, clustered, shortened, or by their other name.
Strict (allow): nothing is guessed. Every word must be known, the program called by its bare name
or from a system folder, no variable set for it that could change it, and only global options that
change nothing are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from signoff.actions.shell.command import Command, RedirectKind, Word
from signoff.actions.vocabulary import words
from signoff.assess.rules.options import has_option, is_cluster, is_option, options_of
from signoff.assess.rules.pattern import (
    PATTERN_LIMIT,
    BadPattern,
    CompiledPattern,
    as_bytes,
    compile_glob,
)

WORD_LIMIT = 64
GAP = "**"
SHELL_MARKS = frozenset(";|&<>()`\n")
SYSTEM_FOLDERS = frozenset(
    ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin")
)
# Left out: what leads a program to other code or files, as PATH, LD_PRELOAD, PAGER, GIT_DIR.
HARMLESS_VARIABLES = frozenset(("CI", "FORCE_COLOR", "LANG", "LC_ALL", "NO_COLOR", "TERM", "TZ"))
HARMLESS_TARGETS = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"))
# Left out: `-c`, `-C` and `--git-dir`, which run a program or lead elsewhere.
HARMLESS_OPTIONS = frozenset(
    (("git", "--no-pager"), ("git", "-P"), ("git", "--no-optional-locks"), ("git", "--no-advice"))
)
# Run code from standard input: what is piped into them is not what a rule for them has seen.
READS_CODE = words(
    "ash at bash batch bun crontab csh dash deno docker ed ex fish gdb irb ksh kubectl lua make "
    "mariadb mysql node nodejs osascript perl php podman powershell psql pwsh python rscript ruby "
    "sh sqlcmd sqlite ssh tclsh tcsh zsh"
)


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """The `command:` of a rule: a program name and some of its arguments.

    Raises:
        BadPattern: it is empty, too long, names more than one command, or a quote is open.
    """

    text: str
    program: str = field(init=False, compare=False)
    operands: tuple[str, ...] = field(init=False, compare=False)
    options: tuple[str, ...] = field(init=False, compare=False)
    is_closed: bool = field(init=False, compare=False)
    globs: dict[str, CompiledPattern] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.text) > PATTERN_LIMIT:
            raise BadPattern(f"{len(self.text)} characters are too many (at most {PATTERN_LIMIT})")
        words = split_words(self.text)
        is_closed = words[-1] == "$"
        if words[-1] in ("$", "**"):
            words = words[:-1]
        if not words:
            raise BadPattern("a command pattern starts with a program, e.g. `git push`")
        if words[0].startswith("-"):
            raise BadPattern(f"`{words[0]}` is an option; start with the program it belongs to")
        if words[0] == "**" or "$" in words or "--" in words:
            raise BadPattern("`**` cannot start it, `$` can only end it, and `--` is not needed")
        found = {
            "program": words[0],
            "operands": tuple(word for word in words[1:] if not is_option(word)),
            "options": tuple(word for word in words[1:] if is_option(word)),
            "is_closed": is_closed,
            "globs": {w: compile_glob(_across(w)) for w in words if is_glob(w)},
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @property
    def index_key(self) -> str:
        """The program in lower case, for lookup; "" if it is a glob or a path."""
        is_plain = self.program not in self.globs and "/" not in self.program
        return self.program.lower() if is_plain else ""

    @property
    def needed_word(self) -> str:
        """A word that every matching command contains, "" if there is none."""
        plain = (word for word in self.operands if word != GAP and word not in self.globs)
        return next(plain, "")

    def matches(self, command: Command) -> bool:
        """Return whether a command may match; the loose test, for deny and escalate."""
        if not command.words or not self._is_program(command, strict=False):
            return False
        words = [word.text for word in command.words[1:]]
        if not self._is_reached(words):
            return False
        given = options_of(words) if self.options else []
        program = self.program.lower()
        return all(has_option(given, option, program=program) for option in self.options)

    def covers(self, command: Command) -> bool:
        """Return whether a command certainly matches; the strict test, for allow."""
        if not command.words or not all(word.is_known for word in command.words):
            return False
        return (
            is_plain_call(command)
            and self._is_program(command, strict=True)
            and self.covers_words(command.words)
        )

    def covers_words(self, words: tuple[Word, ...]) -> bool:
        """Tell whether the words after the program match strictly and in order."""
        program = words[0].text.rsplit("/", 1)[-1]
        texts = [word.text for word in words[1:]]
        given = options_of(texts)
        if not all(has_option(given, option) for option in self.options):
            return False
        if self.is_closed and not all(self._names(option) for option in given):
            return False
        end = texts.index("--") if "--" in texts else len(texts)
        operands = [
            word
            for at, word in enumerate(words[1:])
            if at > end or (at < end and not is_option(word.text))
        ]
        if not self._starts(operands):
            return False
        # Options in front may be the program's own: `git -c core.pager=x push` is no plain push.
        before = self._options_before_last(texts[:end])
        return all(self._passes_over(program, option) for option in before)

    def _starts(self, operands: list[Word]) -> bool:
        """Tell whether the operands start with the pattern's, or are just them if it is closed."""
        reached = self._opened({0})
        for word in operands:
            if len(self.operands) in reached and not self.is_closed:
                return True
            # What a glob becomes is only known as it runs.
            if word.has_glob or not reached:
                return False
            reached = self._opened(self._advanced(reached, word.text))
        return len(self.operands) in reached

    def _options_before_last(self, texts: list[str]) -> list[str]:
        """The options that stand before the last word the pattern asks for."""
        places = [at for at, text in enumerate(texts) if not is_option(text)]
        wanted = len(self.operands)
        if not wanted:
            return []
        if GAP in self.operands:
            # Behind a gap any word may be the last, so no option is surely behind it.
            return [text for text in texts if is_option(text)]
        last = places[wanted - 1] if len(places) >= wanted else len(texts)
        return [text for text in texts[:last] if is_option(text)]

    def describe(self) -> str:
        """Return the pattern in words for people."""
        return f"command `{self.text}`"

    def _is_program(self, command: Command, *, strict: bool) -> bool:
        called = command.words[0].text
        folder, _, name = called.rpartition("/")
        if "/" in self.program:
            # A pattern with a folder means that very file.
            return self._is_word(self.program, called)
        if not strict:
            # In any case: on macOS and Windows `GIT` starts git.
            return command.words[0].is_known and self._is_word(self.program, name, any_case=True)
        is_trusted = "/" not in called or folder in SYSTEM_FOLDERS
        return is_trusted and self._is_word(self.program, name)

    def _is_word(self, wanted: str, given: str, *, any_case: bool = False) -> bool:
        matcher = self.globs.get(wanted)
        if matcher is not None:
            return matcher.search(as_bytes(given)) is not None
        return wanted == given or (any_case and wanted.lower() == given.lower())

    def _is_reached(self, words: list[str]) -> bool:
        """Walk the words with every reading at once: a word after an option may be its value."""
        last = len(self.operands)
        reached = self._opened({0})
        follows_option = False
        is_option_part = True
        for text in words:
            if last in reached and not self.is_closed:
                return True
            if is_option_part and is_option(text):
                is_option_part = text != "--"
                # After `--name=value` the next word is no value.
                follows_option = is_option_part and "=" not in text
                continue
            after = self._advanced(reached, text)
            reached = self._opened(after | reached if follows_option else after)
            follows_option = False
            if not reached:
                return False
        return last in reached

    def _advanced(self, reached: set[int], text: str) -> set[int]:
        """Return the pattern indexes reached after one more word."""
        after: set[int] = set()
        for at in reached:
            if at == len(self.operands):
                continue
            if self.operands[at] == GAP:
                after.add(at)
            elif self._is_word(self.operands[at], text):
                after.add(at + 1)
        return after

    def _opened(self, reached: set[int]) -> set[int]:
        """Add the indexes after a gap, which may hold no word at all."""
        for at, wanted in enumerate(self.operands) if GAP in self.operands else ():
            if wanted == GAP and at in reached:
                reached.add(at + 1)
        return reached

    def _passes_over(self, program: str, option: str) -> bool:
        return (program, option) in HARMLESS_OPTIONS or self._names(option)

    def _names(self, option: str) -> bool:
        """Tell whether the pattern itself asks for this option of a command."""
        if option in self.options or option.split("=", 1)[0] in self.options:
            return True
        letters = {c for wanted in self.options if is_cluster(wanted) for c in wanted[1:]}
        return is_cluster(option) and letters.issuperset(option[1:])


def is_plain_call(command: Command) -> bool:
    """Return whether nothing around a command could change what it does."""
    if command.input_words:
        return False
    if any(name not in HARMLESS_VARIABLES for name, _ in command.assignments):
        return False
    return command.stdin is None or not reads_code(command.program)


def reads_code(program: str) -> bool:
    """Return whether a program, in any version, runs code from standard input."""
    return program.lower().rstrip("0123456789.-") in READS_CODE


def writes_file(command: Command) -> bool:
    """Return whether a redirection of the command writes to a real file."""
    return any(
        redirect.kind is not RedirectKind.READ
        and not (redirect.target.is_known and redirect.target.text in HARMLESS_TARGETS)
        for redirect in command.redirects
    )


def is_glob(word: str) -> bool:
    """Return whether a word of a pattern contains glob characters."""
    return word != GAP and ("*" in word or "?" in word)


def _across(word: str) -> str:
    """Let a star in a word of a command stand for anything, slashes too."""
    return word if "**" in word else word.replace("*", "**")


def split_words(text: str) -> tuple[str, ...]:
    """Split a pattern at blanks; quotes hold words together.

    Raises:
        BadPattern: it has no or too many words, names more than one command, or a quote is open.
    """
    words: list[str] = []
    word: str | None = None
    quote = ""
    for char in text:
        if quote:
            word, quote = (word, "") if char == quote else (f"{word or ''}{char}", quote)
        elif char in "'\"":
            word, quote = word or "", char
        elif char in SHELL_MARKS:
            raise BadPattern(f"`{text}` holds a `{char}`: name one command a pattern, or quote it")
        elif not char.isspace():
            word = f"{word or ''}{char}"
        else:
            words.extend(_finished(word))
            word = None
    words.extend(_finished(word))
    if quote or not words or len(words) > WORD_LIMIT:
        if quote:
            raise BadPattern(f"`{text}` has a quote that is not closed")
        raise BadPattern(f"a command pattern has 1 to {WORD_LIMIT} words, e.g. `git push`")
    return tuple(words)


def _finished(word: str | None) -> list[str]:
    return [] if word is None else [word]
