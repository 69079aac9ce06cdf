"""Windows shells, and programs that start one or fetch and run: their options, their text.

Lines of `cmd` are read as lines of a shell, cmdlets of PowerShell typed as commands as PowerShell.

    powershell -nop -w hidden -c TEXT      ->  TEXT, read as PowerShell
    schtasks /create /tr "powershell ..."  ->  a scheduled job, and what it runs
    certutil -urlcache -f URL FILE         ->  FILE, fetched from URL
    cmd /c "if exist build rd /s /q build" ->  rd /s /q build
    Remove-Item -Recurse build             ->  deletes `build`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from signoff.actions.known.shell_lines import HandedText, decoded_command, given_to_powershell
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import UNKNOWN_MARK, ProgramCall, rejoin
from signoff.actions.programs.effect_presets import CONFIGURE_SYSTEM, PERSIST_SERVICE
from signoff.actions.programs.interpreters import run_script, run_standard_input
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

_NAMES = words("powershell pwsh powershell_ise")
_LOOKING = words(
    "hashfile dump verify store viewstore verifystore asn deleteloc ping getreg ca cainfo v ? "
    "encodehex dumppfx"
)
_VARIABLE = re.compile(r"\$\w+|\$\(|`")
_OWN_NAME = re.compile(r"\$(?:_|true|false|null|PSItem|PROFILE|PSHOME|env)")
_DECODING = words("decode encode decodehex")


def powershell(call: ProgramCall) -> Iterator[Effect]:
    """`powershell [options] -Command TEXT`, `-EncodedCommand TEXT`, `-File SCRIPT`, or input."""
    yield from powershell_words(call, call.command.words[1:])


def powershell_words(call: ProgramCall, given: Sequence[Word]) -> Iterator[Effect]:
    """Yield the effects of PowerShell started with these words."""
    kind, at = given_to_powershell([word.text for word in given])
    match kind:
        case HandedText.INPUT:
            return run_standard_input(call, "powershell")
        case HandedText.TEXT:
            return _text(call, given[at:])
        case HandedText.ENCODED:
            return _encoded(call, given[at : at + 1])
        case HandedText.FILE if at == len(given):
            return run_standard_input(call, "powershell")
        case _:
            is_text = kind is HandedText.OPERAND and _is_text(call, given[at])
            return _text(call, given[at:]) if is_text else run_script(call, given[at], "powershell")


def _is_text(call: ProgramCall, word: Word) -> bool:
    """Whether a bare operand is a text: for Windows' own PowerShell, unless it names a script."""
    # A bare script name runs the script in both editions.
    if word.text.lower().endswith((".ps1", ".psm1")):
        return False
    # `powershell x` means `-Command x`; `pwsh x` means `-File x` (about_Pwsh).
    return " " in word.text or not call.name.startswith("pwsh")


def _encoded(call: ProgramCall, given: Sequence[Word]) -> Iterator[Effect]:
    """Read a text in base64 of UTF-16; what cannot be decoded is unread code."""
    if given and given[0].is_known and decoded_command(given[0].text) is None:
        yield call.opaque("runs an encoded text that cannot be decoded", Trait.INLINE)
        return
    yield from _text(call, given)


def _text(call: ProgramCall, given: Sequence[Word]) -> Iterator[Effect]:
    if not given:
        return
    if given[0].text == "-":
        yield from run_standard_input(call, "powershell")
        return
    text = " ".join([word.text for word in given])
    known = all([word.is_known for word in given])
    # Only in the outermost line are the unknown parts surely names that bash found unset.
    if not known and call.command.index == 0 and not call.command.carriers:
        text, known = _with_own_names(text, given)
    yield Nested(text=text, language="powershell", carrier=f"{call.name} -Command", is_known=known)


def _with_own_names(text: str, given: Sequence[Word]) -> tuple[str, bool]:
    """Put back `$true`, `$_`, `$env:X`: names of PowerShell, which bash finds unset in "..."."""
    raws = "".join([word.raw for word in given if not word.is_known])
    found = _VARIABLE.findall(raws)
    # Each unknown part must be matched by one name; a single other variable leaves all unknown.
    if len(found) != text.count(UNKNOWN_MARK) or not all(map(_OWN_NAME.fullmatch, found)):
        return text, False
    for name in found:
        text = text.replace(UNKNOWN_MARK, name, 1)
    return text, True


def started_by(call: ProgramCall, line: str) -> Iterator[Effect]:
    """Yield the effects of a line that Windows runs later."""
    # Paths come with doubled backslashes where the line was quoted once more.
    first, *rest = line.replace("\\\\", "\\").split() or [""]
    name = first.strip("\"'").replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    if name in _NAMES:
        yield from powershell_words(call, [Word(text=part) for part in rest])
    elif line.strip():
        yield Nested(text=line, language="shell", carrier=call.name)


def tasks(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `schtasks /query|/create|/delete`; what `/tr` names is run later."""
    given = call.command.words
    options = {word.text[1:].lower() for word in given[1:] if word.text[:1] in {"/", "-"}}
    if options & {"query", "?", "showsid"} or not options:
        yield call.operation(Verb.READ, ResourceType.SERVICE)
        return
    yield from (
        call.perform(PERSIST_SERVICE)
        if options & {"create", "change"}
        else (call.perform(CONFIGURE_SYSTEM))
    )
    for at, word in enumerate(given[:-1]):
        if word.text.lower() in {"/tr", "-tr"}:
            yield from started_by(call, given[at + 1].text)


def certificates(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `certutil`: fetching, decoding, looking, or changing what is trusted."""
    given = call.command.words[1:]
    options = {word.text[1:].lower() for word in given if word.text[:1] in {"-", "/"}}
    plain = [word for word in given if word.text[:1] not in {"-", "/"}]
    if options & {"urlcache", "url"} or any("://" in word.text for word in plain):
        # A download by certutil is a known way past filters (MITRE ATT&CK T1105).
        yield call.opaque("fetches by a program that is made for certificates", Trait.INLINE)
        yield from fetched(call, plain)
    elif options & _DECODING:
        yield from (call.on_file(Verb.READ, word) for word in plain[:1])
        yield from (call.on_file(Verb.WRITE, word) for word in plain[1:2])
    elif options & _LOOKING:
        yield call.operation(Verb.READ, ResourceType.NOTHING)
    else:
        yield call.operation(
            Verb.CONFIGURE, ResourceType.CREDENTIAL, reach=Reach.SYSTEM, reversible=False
        )


def transfers(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `bitsadmin /transfer NAME URL FILE`."""
    yield from fetched(call, [w for w in call.command.words[1:] if w.text[:1] != "/"])


def fetched(call: ProgramCall, plain: Sequence[Word]) -> Iterator[Effect]:
    """Yield the download of a URL among the words into the file after it."""
    at = next((n for n, word in enumerate(plain) if "://" in word.text), -1)
    if at < 0:
        yield call.operation(Verb.READ, ResourceType.NOTHING)
        return
    yield call.on_url(Verb.NETWORK_IN, plain[at])
    for word in plain[at + 1 : at + 2]:
        yield call.on_file(Verb.WRITE, word)


def fetching_host(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `mshta URL`, `regsvr32 /i:URL scrobj.dll`: what is fetched runs at once."""
    texts = [word.text for word in call.command.words[1:]]
    urls = [text for text in texts if "://" in text]
    inline = [text for text in texts if text.lower().startswith(("javascript:", "vbscript:"))]
    if urls:
        yield call.operation(
            Verb.EXECUTE,
            ResourceType.CODE,
            urls[0][:200],
            traits=(Trait.REMOTE_CODE, Trait.INLINE),
            reach=Reach.REMOTE,
            reversible=False,
        )
    elif inline:
        # `javascript:..\\mshtml,RunHTMLApplication`: only to hide what runs.
        yield call.operation(
            Verb.EXECUTE,
            ResourceType.CODE,
            inline[0][:200],
            traits=(Trait.DECODED, Trait.INLINE),
            reach=Reach.UNKNOWN,
            reversible=False,
        )
    elif texts:
        # mshta and regsvr32 also run local scripts and libraries (MITRE ATT&CK T1218).
        yield call.opaque("runs what it is given elsewhere", Trait.INLINE)
        yield Nested(text=rejoin(call.command.words[1:]), language="literals", carrier=call.name)
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


# cmd.exe reads lines of at most 8191 characters.
LIMIT = 8_192
LEVELS = 4
_CONDITION = re.compile(
    r"\s*@?if\s+(?:/i\s+)?(?:not\s+)?"
    r"(?:exist\s+(?:\"[^\"]*\"|\S+)|errorlevel\s+\d+|defined\s+\S+|\S+\s*==\s*\S+)\s+",
    re.IGNORECASE,
)
_LOOP = re.compile(
    r"\s*@?for\s+(?P<kind>/[dflr]\s+)?(?:\"[^\"]*\"\s+)?%%?(?P<name>[a-z])\s+in\s+"
    r"\((?P<items>[^()]*)\)\s+do\s+(?P<body>.*)",
    re.IGNORECASE | re.DOTALL,
)


# Commands of `cmd` that a shell has under another name; its own of that name does something else.
_SAME = {"type": "cat", "rmdir": "rd", "md": "mkdir"}
_OTHERWISE = re.compile(r"(?i)((?:^|[&|(])[\s@]*)(type|rmdir|md)(?=\s)")


def as_shell(text: str, level: int = 0) -> str:
    """Translate one line of `cmd` to an equivalent shell line, as far as known."""
    # Returned as written: the reader of shells then judges what it can make of it.
    if len(text) > LIMIT or level > LEVELS:
        return text
    if not level:
        # `^` escapes in cmd (`d^el` is `del`), and a backslash parts folders there.
        text = text.replace('\\"', '"').replace("^", "").replace("\\", "/")
    text = _OTHERWISE.sub(lambda found: found[1] + _SAME[found[2].lower()], text)
    condition = _CONDITION.match(text)
    if condition is not None:
        return as_shell(text[condition.end() :].strip("() "), level + 1)
    loop = _LOOP.match(text)
    if loop is None:
        return text.lstrip("@ ")
    body, name = loop["body"].strip("() "), loop["name"].lower()
    whole = body.strip() in {f"%{loop['name']}", f"%%{loop['name']}"}
    # As a whole body the value is a command line, so the shell must split it.
    used = f"${name}" if whole else f'"${name}"'
    body = re.sub(rf"%%?(?:~\w*)?{loop['name']}", lambda _: used, as_shell(body, level + 1))
    return f"for {name} in {_items(loop['kind'] or '', loop['items'].strip())}; do {body}; done"


def _items(kind: str, items: str) -> str:
    """What a loop goes over: a list, the lines of a file, or those that a command prints."""
    if kind.strip().lower() != "/f":
        return items.replace(",", " ")
    # Quotes around the items of `for /f` make them a command; bare words are files.
    if items[:1] == items[-1:] and items[:1] in {"'", "`"}:
        return f"$({items[1:-1]})"
    return f"$(cat {items})"


# Characters that mean in PowerShell what they mean in the shell's word; others are quoted.
PLAIN = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:*?~$%+=@,{}"
)


def cmdlet(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of a line of PowerShell, through its reader."""
    line = call.command.words
    yield Nested(
        text=" ".join(_spelled(word) for word in line),
        language="powershell",
        carrier="pwsh",
        is_known=all(w.is_known and UNKNOWN_MARK not in w.text for w in line),
    )


def _spelled(word: Word) -> str:
    if word.text and set(word.text) <= PLAIN:
        return word.text
    return "'" + word.text.replace("'", "''") + "'"
