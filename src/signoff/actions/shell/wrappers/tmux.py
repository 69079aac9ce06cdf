"""tmux: commands that start programs, several in one call, and commands inside of commands.

tmux new -d 'rm x' ';' run 'rm y'      ->  the texts `rm x` and `rm y`
tmux bind-key x run-shell 'rm x'       ->  the text `rm x`
"""

from __future__ import annotations

from shlex import shlex

from signoff.actions.shell.command import Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall
from signoff.actions.shell.wrappers.later import is_answer, session
from signoff.actions.shell.wrappers.options import OptionTable
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

_TMUX = OptionTable.of("cfLST")
_TMUX_RUN = OptionTable.of("ceFlnstxyhwST")
_ALIASES = words("new neww splitw respawnp respawnw run popup if pipep")
_RUNNERS = words(
    "new-session new-window split-window respawn-pane respawn-window run-shell display-popup "
    "if-shell pipe-pane send-keys"
)
_BINDERS = words("bind bind-key set-hook")  # a key or an event, then a command of tmux
_ASKERS = words("confirm confirm-before command-prompt")
_FORMAT_LINE = lazy_re(r"#\(([^()]*(?:\([^()]*\)[^()]*)*)\)")  # tmux(1), FORMATS
_BRACES = frozenset({"{", "}"})
MAX_NESTED = 4
MAX_CHARS = 4_000


def unfold_tmux(call: WrapperCall) -> tuple[Inner, ...]:
    """Commands that open a pane take words or a line; `send-keys` types a line."""
    return tuple(_all(call.words[_TMUX.read(call.words, 1).start :], 0))


def _all(given: tuple[Word, ...], depth: int) -> list[Inner]:
    """What the commands of a call run: a word that ends with `;` ends a command (tmux(1))."""
    made: list[Inner] = []
    at = 0
    for n, word in enumerate(given):
        if word.text.endswith(";") and not word.text.endswith("\\;"):
            last = () if word.text == ";" else (replace(word, text=word.text[:-1]),)
            made += _command((*given[at:n], *last), depth)
            at = n + 1
    return made + _command(given[at:], depth)


def _command(given: tuple[Word, ...], depth: int) -> list[Inner]:
    if not given:
        return []
    made = [
        Inner(carrier="tmux #()", text=replace(word, text=line), is_background=True)
        for word in given
        if "#(" in word.text
        for line in _FORMAT_LINE.findall(word.text[:MAX_CHARS])
    ]
    verb = _full(given[0].text)
    rest = given[_TMUX_RUN.read(given, 1).start :]
    if verb in _BINDERS:
        return made + _inside(rest[1:], depth)
    if verb in _ASKERS:
        return made + _inside(rest[-1:], depth)
    if verb in ("if", "if-shell"):  # what follows the test are commands of tmux
        made += [Inner(carrier="tmux if-shell", text=word) for word in rest[:1]]
        return made + [inner for word in rest[1:3] for inner in _inside((word,), depth)]
    if verb in ("send", "send-keys"):
        # tmux types these as keys, not as letters (tmux manual, KEYS).
        typed = tuple(w for w in rest if w.text not in ("Enter", "C-m", "KPEnter"))
        # An agent that types into its own prompt approves itself (T-43): that is judged
        # elsewhere.
        return made + ([] if is_answer(typed) else [*session("tmux send-keys", typed)])
    is_runner = verb in _RUNNERS or verb in _ALIASES
    return [*made, *session(f"tmux {verb}", rest)] if is_runner else made


def _full(verb: str) -> str:
    """The command that a name may be short for."""
    if len(verb) < 3 or verb in _ALIASES or verb in _RUNNERS:
        return verb
    return next((one for one in sorted(_RUNNERS) if one.startswith(verb)), verb)


def _inside(given: tuple[Word, ...], depth: int) -> list[Inner]:
    """What commands run that are given as words, or as one text."""
    unread = [Inner(carrier="tmux", why="a command of tmux inside another is not told")]
    if depth >= MAX_NESTED:
        return unread
    if len(given) != 1:
        return _all(given, depth + 1)
    text = given[0].text
    if not given[0].is_known or len(text) > MAX_CHARS:
        return unread
    lexer = shlex(text, posix=True, punctuation_chars=";")
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        inner = tuple([Word(text=token) for token in lexer if token not in _BRACES])
    except ValueError:
        return unread
    return _all(inner, depth + 1)
