"""Carriers that run later or in another session: at, systemd-run, screen, nodemon.

echo 'rm x' | at now       ->  the text `rm x`
screen -dm rm x            ->  the words `rm x`, in the background
"""

from __future__ import annotations

from signoff.actions.shell.command import Stream, Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.options import OptionTable
from signoff.actions.vocabulary import words

_SYSTEMD = OptionTable.of(
    "HMptuEr",
    "unit property description slice service-type uid gid nice working-directory setenv host "
    "machine on-active on-boot on-startup on-unit-active on-calendar timer-property path-property",
)
_STARTING = frozenset({"exec", "exec_always", "execr", "spawn"})
_ANSWERS = words(
    "y yes n no ok okay allow approve approved accept confirm always deny go proceed continue "
    "0 1 2 3 4 5 6 7 8 9 up down left right tab btab space escape bspace"
) | {""}
_SCREEN = OptionTable.of("cehpsStT")
TERMINALS = words(
    "xterm uxterm lxterm urxvt rxvt st konsole alacritty kitty foot lxterminal xfce4-terminal "
    "mate-terminal gnome-terminal tilix terminator qterminal wezterm kgx ptyxis "
    "x-terminal-emulator"
)
_PLAIN_TERMINALS = frozenset({"kitty", "foot", "st"})
_BEHIND = frozenset({"-e", "-x", "--", "--command", "--execute"})
_NODEMON = OptionTable.of("xewids", "exec ext watch ignore delay signal")
_WATCHEXEC = OptionTable.of("weifdsrE", "watch exts ignore filter debounce signal")


def unfold_at(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what `at` and `batch` run: text from standard input."""
    if call.stdin is None or call.stdin.text is None:
        return ()
    text = Word(text=call.stdin.text, sources=call.stdin.sources, is_decoded=call.stdin.is_decoded)
    # The text was its input, so what it starts has none left to read.
    return (Inner(carrier=call.name, text=text, is_background=True, stdin=Stream(text="")),)


def unfold_systemd_run(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what `systemd-run` runs: the words after its options."""
    options = _SYSTEMD.read(call.words, 1)
    words = call.words[options.start :]
    if not words:
        return ()
    folder = options.value("working-directory")
    return (
        Inner(
            carrier="systemd-run",
            words=words,
            is_background=True,
            folder=None if folder is None else folder.text,
        ),
    )


def unfold_window_manager(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the program that `i3-msg exec LINE` and the like start."""
    for at, word in enumerate(call.words[1:], 1):
        if word.text in _STARTING:
            words = tuple(w for w in call.words[at + 1 :] if w.text != "--no-startup-id")
            return session(f"{call.name} exec", words)
        verb, _, line = word.text.partition(" ")
        if verb in _STARTING and word.is_known:
            line = line.removeprefix("--no-startup-id ")
            return (Inner(carrier=f"{call.name} exec", text=Word(text=line), is_background=True),)
    return ()


def is_answer(typed: tuple[Word, ...]) -> bool:
    """Return whether typed words answer a question there and start no program."""
    texts = [word.text.strip().removesuffix("\\n").removesuffix("\\r") for word in typed]
    return all(text.lower() in _ANSWERS or _is_code(text) for text in texts)


def _is_code(text: str) -> bool:
    """Whether it looks like a code to confirm with: eight capitals and digits, in halves or not."""
    plain = text.replace("-", "")
    return len(plain) == 8 and plain.isalnum() and plain.isupper()


def session(carrier: str, words: tuple[Word, ...]) -> tuple[Inner, ...]:
    """Return what a terminal session runs: one word is a shell line, several are a program."""
    if not words:
        return ()
    if len(words) == 1 or carrier.endswith("keys"):
        return (Inner(carrier=carrier, text=joined(words), is_background=True),)
    return (Inner(carrier=carrier, words=words, is_background=True),)


def unfold_screen(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `screen -dmS name words`; `-X stuff text` types a line."""
    options = _SCREEN.read(call.words, 1)
    words = call.words[options.start :]
    if "X" in options.flags:
        if len(words) > 1 and words[0].text == "stuff" and is_answer(words[1:]):
            return ()
        if len(words) > 1 and words[0].text in ("stuff", "exec"):
            return (Inner(carrier="screen -X", text=joined(words[1:]), is_background=True),)
        return ()
    return (Inner(carrier="screen", words=words, is_background=True),) if words else ()


def unfold_terminal(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the program that `xterm -e WORDS` and other terminals start."""
    start = next((n + 1 for n, word in enumerate(call.words) if word.text in _BEHIND), 0)
    if not start and call.name in _PLAIN_TERMINALS:
        # These three take the program without any option before it.
        start = next((n for n, word in enumerate(call.words) if n and word.text[:1] != "-"), 0)
    words = call.words[start:] if start else ()
    # `kitty @ ls` speaks to a running kitty and starts no program.
    return () if words[:1] and words[0].text == "@" else session(call.name, words)


def unfold_nodemon(call: WrapperCall) -> tuple[Inner, ...]:
    """Return commands run by `nodemon --exec text`."""
    text = _NODEMON.read(call.words, 1).value("x", "exec")
    return (Inner(carrier="nodemon --exec", text=text),) if text is not None else ()


def unfold_watchexec(call: WrapperCall) -> tuple[Inner, ...]:
    """Return commands run by `watchexec -e rs -- words`: joined and read by a shell."""
    words = call.words[_WATCHEXEC.read(call.words, 1).start :]
    return (Inner(carrier="watchexec", text=joined(words)),) if words else ()
