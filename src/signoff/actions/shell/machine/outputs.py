"""What simple programs print, where their words and input are known.

Only programs whose output follows from the line alone are here; of all others nothing is known,
and the text stays None. An output that is known to be empty is "".

    output_of("printf", (printf, "%s-%s", a, b), None, scope)  ->  "a-b"
"""

from __future__ import annotations

import re
from collections.abc import Callable

from signoff.actions.shell.command import Stream, Word
from signoff.actions.shell.machine.decoders import (
    DECODERS,
    decode,
    hides_letters,
    is_decoder,
    pack,
    translate,
)
from signoff.actions.shell.machine.filters import FILTERS
from signoff.actions.shell.state import Output, ShellScope
from signoff.actions.shell.syntax.characters import is_digits
from signoff.actions.shell.words.escapes import decode_ansi
from signoff.actions.shell.words.made_names import date_text, project_folder, temporary_name
from signoff.actions.vocabulary import words

MAX_PRINTED = 100_000

_FORMAT = re.compile(r"%([%sbc])")
_PLAIN_SUBSTITUTION = re.compile(
    r"s(?P<end>[/|#,:@!])(?P<old>[\w ~=;%-]+)(?P=end)(?P<new>[\w ~=;/.%-]*)(?P=end)(?P<all>g?)"
)
_COUNT = re.compile(r"-n?\s*([0-9]{1,6})")
_SILENT = words("true : false sleep wait let test [ read mapfile readarray unset shift touch")
_SILENT_WITH_WORDS = words(
    "cd export declare typeset local readonly set shopt alias unalias mkdir chmod chown rm mv cp "
    "ln trap hash eval"
)
# Commands after which `&&` goes on for sure, so what follows needs no second way.
CERTAIN = frozenset(["echo", "printf", ":", "true", "export", "declare", "local", "readonly"])
# Folders that are never missing: the home folder and the root.
ALWAYS_THERE = frozenset(
    [("cd",), *[("cd", to) for to in ("~", "/", "~/", "$HOME", '"$HOME"', "${HOME}", '"${HOME}"')]]
)


def output_of(
    words: tuple[Word, ...], name: str, stream: Stream | None, scope: ShellScope
) -> Output:
    """Return what a command prints, as far as known; the caller sets `sources`."""
    if name in _SILENT or (name == "cd" and len(words) == 1):
        return Output("")
    if name in _SILENT_WITH_WORDS:
        has_options = any([word.text[:1] == "-" for word in words])
        # Without words these list (`export`, `trap`); with an option they may print what they do.
        return Output(None if has_options or len(words) < 2 else "")
    if name not in _FOLLOWED:
        return Output(None)
    for word in words:
        if not word.is_known or word.has_glob:
            return Output(None)
    return _followed(words, name, stream, scope)


def _followed(
    words: tuple[Word, ...], name: str, stream: Stream | None, scope: ShellScope
) -> Output:
    texts = tuple([word.text for word in words[1:]])
    # A program of that name elsewhere is not the tool; what it prints would be run by `eval`.
    if name in _SETTINGS and "/" in words[0].text and not words[0].text.startswith(_INSTALLED):
        return Output(None)
    if name in _PRINTERS:
        text = _PRINTERS[name](texts, scope)
        return Output(text, (), any([word.is_decoded for word in words]))
    if stream is None and scope.files:
        texts, stream = _read_files(texts, scope)
    if stream is None:
        return Output(None)
    if is_decoder(name, texts):
        known = None if stream.text is None else decode(name, texts, stream.text)
        return Output(known, (), is_decoded=True)
    if stream.text is None or name not in _FILTERS:
        # Its text is not followed, but that it came out of a decoder is.
        return Output(None, (), stream.is_decoded)
    is_decoded = stream.is_decoded or (name == "tr" and hides_letters(texts))
    return Output(_FILTERS[name](texts, stream.text), (), is_decoded)


def _read_files(texts: tuple[str, ...], scope: ShellScope) -> tuple[tuple[str, ...], Stream | None]:
    """Return the words before the files at the end, and the text of these where it is known."""
    found: list[str] = []
    is_decoded = False
    while len(texts) > len(found):
        written = scope.files.get(scope.absolute(texts[-1 - len(found)]))
        if written is None or written.text is None:
            break
        found.insert(0, written.text)
        is_decoded = is_decoded or written.is_decoded
    if not found:
        return texts, None
    return texts[: -len(found)], Stream(text="".join(found), is_decoded=is_decoded)


def _echo(texts: tuple[str, ...], _: ShellScope) -> str | None:
    end, escapes, is_plain = "\n", False, True
    while texts and len(texts[0]) > 1 and texts[0][0] == "-" and set(texts[0][1:]) <= set("neE"):
        end = "" if "n" in texts[0] else end
        escapes = "e" in texts[0]
        is_plain = False
        texts = texts[1:]
    text = " ".join(texts)
    if is_plain and "\\" in text and decode_ansi(text) != text:
        return None  # bash prints it as it is, sh writes the escapes out
    return (decode_ansi(text) if escapes else text) + end


def _printf(texts: tuple[str, ...], _: ShellScope) -> str | None:
    has_options = texts[:1] != ("--",) and bool(texts) and texts[0][:1] == "-"
    if texts[:1] == ("--",):
        texts = texts[1:]
    # Widths, numbers and `%q` are not followed: the text counts as unknown.
    if not texts or has_options or "%" in _FORMAT.sub("", texts[0]):
        return None
    values = list(texts[1:])
    form = decode_ansi(texts[0])
    has_slots = any(match[1] != "%" for match in _FORMAT.finditer(form))
    made: list[str] = []
    while True:
        made.append(_FORMAT.sub(lambda match: _formatted(match, values), form))
        # printf repeats its format until the values are used up (POSIX).
        if not values or not has_slots or len(made) * len(form) > MAX_PRINTED:
            return "".join(made)


def _formatted(match: re.Match[str], values: list[str]) -> str:
    if match[1] == "%":
        return "%"
    value = values.pop(0) if values else ""
    if match[1] == "b":
        return decode_ansi(value)
    return value[:1] if match[1] == "c" else value


def _pwd(texts: tuple[str, ...], scope: ShellScope) -> str | None:
    return scope.folder + "\n" if scope.folder and not texts else None


def _whoami(_: tuple[str, ...], scope: ShellScope) -> str | None:
    user = scope.variables.get("USER")
    return user.text + "\n" if user is not None and user.is_known else None


def _basename(texts: tuple[str, ...], _: ShellScope) -> str | None:
    if len(texts) not in (1, 2) or texts[0][:1] == "-":
        return None
    name = texts[0].rstrip("/").rsplit("/", 1)[-1]
    # A name that equals its suffix is kept whole (POSIX basename).
    if not name or (len(texts) == 2 and name == texts[1]):
        return None
    return name.removesuffix(texts[1] if len(texts) == 2 else "") + "\n"


def _dirname(texts: tuple[str, ...], _: ShellScope) -> str | None:
    if len(texts) != 1 or texts[0][:1] == "-":
        return None
    head, slash, _name = texts[0].rstrip("/").rpartition("/")
    return (head or ("/" if slash else ".")) + "\n"


def _real_path(texts: tuple[str, ...], scope: ShellScope) -> str | None:
    """Follow the home folder and the root alone: any other path may lead through links."""
    path = texts[-1] if texts and set(texts[:-1]) <= {"-f", "-e", "-m", "--"} else ""
    home = scope.variables.get("HOME")
    if path.strip("/") == "":
        return "/\n" if path else None
    is_home = home is not None and home.is_known and path.rstrip("/") == home.text.rstrip("/")
    return path.rstrip("/") + "\n" if is_home else None


def _read_link(texts: tuple[str, ...], scope: ShellScope) -> str | None:
    # Without an option it prints what one link holds, and nothing of a folder.
    return _real_path(texts, scope) if len(texts) > 1 else None


def _seq(texts: tuple[str, ...], _: ShellScope) -> str | None:
    # Four digits: a longer sequence would cost more than it tells.
    if not texts or len(texts) > 2 or not all(is_digits(t) and len(t) < 5 for t in texts):
        return None
    first = int(texts[0]) if len(texts) == 2 else 1
    return "".join(f"{n}\n" for n in range(first, int(texts[-1]) + 1))


def _same(texts: tuple[str, ...], text: str) -> str | None:
    # Any other word is a file or an option that changes the text.
    return text if all(t in ("-", "-u", "/dev/stdin") for t in texts) else None


def _tee(_: tuple[str, ...], text: str) -> str | None:
    return text


def _tr(texts: tuple[str, ...], text: str) -> str | None:
    return translate(texts, text)


def _sed(texts: tuple[str, ...], text: str) -> str | None:
    """Put one plain text for another, as far as no sign of either means more than itself."""
    script = _PLAIN_SUBSTITUTION.fullmatch(texts[-1]) if texts else None
    if script is None or texts[:-1] not in ((), ("-e",), ("-E",), ("-r",)):
        return None
    count = -1 if script["all"] else 1
    lines = text.split("\n")
    return "\n".join([line.replace(script["old"], script["new"], count) for line in lines])


def _head(texts: tuple[str, ...], text: str) -> str | None:
    count = _COUNT.fullmatch(" ".join(texts))
    if texts and count is None:
        return None
    return "".join(text.splitlines(keepends=True)[: int(count[1]) if count else 10])


def _tail(texts: tuple[str, ...], text: str) -> str | None:
    count = _COUNT.fullmatch(" ".join(texts))
    if texts and count is None:
        return None
    lines = text.splitlines(keepends=True)
    return "".join(lines[max(0, len(lines) - (int(count[1]) if count else 10)) :])


def _tac(_: tuple[str, ...], text: str) -> str | None:
    return "".join(reversed(text.splitlines(keepends=True)))


def _gzip(texts: tuple[str, ...], text: str) -> str | None:
    return pack("gzip", text) if all(t in ("-", "-c", "-9", "-f") for t in texts) else None


def _base64(texts: tuple[str, ...], text: str) -> str | None:
    is_plain = not texts and len(text) < 40  # longer ones are wrapped
    return pack("base64", text) if is_plain else None


# Programs that print settings for the shell that asks: variables of their own, completions.
_INSTALLED = ("/usr/", "/opt/homebrew/", "/home/linuxbrew/")
_SETTINGS: dict[str, tuple[str, ...]] = {
    "ssh-agent": ("", "-s", "-c"),
    "dircolors": ("", "-b"),
    "lesspipe": ("",),
    "minikube": ("docker-env", "podman-env"),
    "docker-machine": ("env",),
    "poetry": ("env activate", "completions"),
    "brew": ("shellenv",),
    "fnm": ("env",),
    **dict.fromkeys(("rbenv", "pyenv", "nodenv", "goenv", "plenv", "jenv"), ("init",)),
    "opam": ("env", "config env"),
    **dict.fromkeys(("zoxide", "starship", "atuin"), ("init",)),
    "mise": ("activate", "env", "hook-env"),
    **dict.fromkeys(("conda", "mamba"), ("shell.bash hook", "shell.zsh hook")),
    **dict.fromkeys(("kubectl", "helm", "gh", "npm", "pip", "docker", "kind"), ("completion",)),
    **dict.fromkeys(("rustup", "deno", "pnpm"), ("completions",)),
    "luarocks": ("path",),
    "fzf": ("--bash", "--zsh"),
}


def _settings(name: str) -> Callable[[tuple[str, ...], ShellScope], str | None]:
    starts = _SETTINGS[name]

    def printed(texts: tuple[str, ...], _: ShellScope) -> str | None:
        line = " ".join(texts)
        is_told = any([line == one or (one and line.startswith(f"{one} ")) for one in starts])
        return f": settings of {name}\n" if is_told else None

    return printed


_PRINTERS: dict[str, Callable[[tuple[str, ...], ShellScope], str | None]] = {
    "echo": _echo,
    "printf": _printf,
    "pwd": _pwd,
    "whoami": _whoami,
    "date": date_text,
    "mktemp": temporary_name,
    "git": project_folder,
    "basename": _basename,
    "dirname": _dirname,
    "realpath": _real_path,
    "readlink": _read_link,
    "seq": _seq,
    **{name: _settings(name) for name in _SETTINGS},
}
_FILTERS: dict[str, Callable[[tuple[str, ...], str], str | None]] = {
    "cat": _same,
    "tee": _tee,
    "tr": _tr,
    **dict.fromkeys(("sed", "gsed"), _sed),
    "head": _head,
    "tail": _tail,
    "tac": _tac,
    "gzip": _gzip,
    "base64": _base64,
    **FILTERS,
}
_FOLLOWED = _PRINTERS.keys() | _FILTERS.keys() | DECODERS
