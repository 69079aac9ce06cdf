"""PowerShell: cmdlets and their aliases are operations, anything else is a line for a shell.

Encoded commands are decoded and read; text that is worked out and then invoked is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from signoff.actions.code.perform import CodeCall, perform
from signoff.actions.code.powershell.cmdlets import (
    CmdletAct,
    act_of_cmdlet,
    as_program,
    is_cmdlet,
    means,
)
from signoff.actions.code.powershell.forms import MADE_CODE, in_plain_form
from signoff.actions.code.powershell.listings import JOINED, NAMED, selected
from signoff.actions.code.powershell.statics import record_statics
from signoff.actions.code.powershell.switches import record_switches
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.sinks import CallRule, Sink, rules
from signoff.actions.code.spelling import open_word, unquoted
from signoff.actions.code.value import UNKNOWN, UNKNOWN_PART, Taint, Value, taints_of
from signoff.actions.known.shell_lines import HandedText, decoded_command, given_to_powershell
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import words as word_set
from signoff.values import replace

MAX_CHARS = 10_000
MAX_DEPTH = 4

_WORDS_SHOWN = 4
_TOKEN = re.compile(
    # A doubled quote is one of the text: the quote that closes has none behind it.
    r"""'[^']*(?:''[^']*)*'(?!')|"[^"`]*(?:(?:`.|"")[^"`]*)*"(?!")"""
    r"""|\#[^\n]*|<\#.*?\#>|[;|\n&](?:\||&)?|[(){}\[\],=]|[^\s;|&(){}\[\],='"]+""",
    re.DOTALL,
)
# Parameters whose value is neither a path nor a text that matters here.
_ASIDE = word_set(
    "-erroraction -ea -warningaction -wa -informationaction -errorvariable -ev -outvariable "
    "-ov -attributes -encoding -depth -exclude -first -last -skip"
)
_SWITCH = re.compile(r"/[A-Za-z]")
_BREAKS = frozenset({";", "|", "\n", "&&", "||", "{", "}", "(", ")"})
CALLS: Mapping[str, CallRule] = {
    **rules(Sink.DELETE, "remove-item ri rm del erase rd rmdir clear-content clc clear-recyclebin"),
    **rules(Sink.READ, "get-content gc cat type import-csv select-string sls"),
    **rules(Sink.WRITE, "set-content sc add-content ac out-file new-item ni export-csv tee-object "
            "mkdir md start-transcript"),
    **rules(Sink.MOVE, "move-item mi mv move rename-item rni ren"),
    **rules(Sink.COPY, "copy-item ci cp copy cpi"),
    **rules(Sink.WALK, "get-childitem gci ls dir"),
    **rules(Sink.CHANGE_FOLDER, "set-location sl cd chdir push-location"),
    **rules(Sink.FETCH, "invoke-webrequest iwr curl wget invoke-restmethod irm "
            "start-bitstransfer"),
    **rules(Sink.EVALUATE, "invoke-expression iex add-type"),
    **rules(Sink.KILL, "stop-process spps kill"),
    **rules(Sink.MAIL, "send-mailmessage"),
    **rules(Sink.LOAD_CODE, "import-module ipmo"),
}  # fmt: skip
# What such a key of the registry names is started at each sign-in.
_SETTERS = frozenset({"set-itemproperty", "new-itemproperty"})
_RUN_KEY = re.compile(r"(?i)[\\/]currentversion[\\/]run(?:once)?\b|[\\/]winlogon\b")
# The item that a pipe gives, as a path.
_PIPED_ITEM = frozenset(
    {f"{UNKNOWN_PART}{part}" for part in ("", ".FullName", ".PSPath", ".fullname")}
)
_FROM_NETWORK = frozenset({Taint.NETWORK})
_PROCESS = "process "  # before the name of one that is piped on
_INERT_STARTS = (
    "write-", "get-", "test-", "format-", "measure-", "select-", "where-", "sort-", "convertto-",
    "convertfrom-", "compare-", "out-host", "out-string", "out-null", "foreach-", "group-",
    "join-path", "split-path", "resolve-path", "start-sleep", "show-", "wait-", "new-object",
    "new-guid", "new-timespan", "update-formatdata",
)  # fmt: skip
_NET_CALLS = word_set(
    "delete writealltext writeallbytes writealllines appendalltext move copy start load "
    "loadfile getmethod invoke createinstance setvalue setenvironmentvariable"
)
_NET_READS = frozenset({"readalltext", "readallbytes", "readalllines", "readlines"})
_INERT = frozenset({
    "echo", "if", "else", "foreach", "for", "while", "function", "param", "return", "exit", "?",
    "%", "pwd", "cls", "ps", "where", "select", "sort", "try", "catch", "in", "write", "sleep",
})  # fmt: skip
_PROGRAM_STARTS = frozenset({"powershell", "powershell.exe", "pwsh", "pwsh.exe"})


def read_powershell(text: str, recorder: Recorder, *, depth: int = 0) -> None:
    """Record what a PowerShell text does."""
    if len(text) > MAX_CHARS or depth > MAX_DEPTH:
        recorder.opaque("text is too long to be read", "powershell")
        return
    plain = decoded_command(text.strip())
    if plain is not None:
        recorder.operate(
            Verb.EXECUTE, "powershell -EncodedCommand", thing=ResourceType.CODE, target=plain[:200],
            traits=frozenset({Trait.DECODED, Trait.INLINE}), reversible=False,
        )  # fmt: skip
        read_powershell(plain, recorder, depth=depth + 1)
        return
    record_statics(text, recorder)
    text = in_plain_form(text)
    record_switches(text, recorder)
    fetched, called, is_saved = UNKNOWN, "", False
    for words, is_piped in recorder.at_most(200, _commands(text), "powershell"):
        if is_saved and len(words) > 1 and words[0][0] in "'\"$":  # .DownloadFile(URL, path)
            recorder.write(
                "Net.WebClient", Value(constant=open_word(words[1])), Value(taints=_FROM_NETWORK)
            )
        is_saved = "downloadfile" in words[-1].lower()
        if called in _NET_READS and words[0][0] in "'\"$":
            recorder.read(called, Value(constant=open_word(words[0])))
        fetched = _command(words, recorder, depth, fetched if is_piped else UNKNOWN)
        called = words[-1].rpartition("::")[2].lower()
    if recorder.has_fetched and MADE_CODE.search(text.lower()) is not None:
        recorder.remote_code("[scriptblock]::Create")


def _commands(text: str) -> list[tuple[list[str], bool]]:
    """Cut a text into commands, each with whether something is piped into it."""
    found: list[tuple[list[str], bool]] = []
    words: list[str] = []
    is_piped = is_list = False
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word[0] == "#" or word.startswith("<#"):
            continue
        if word in _BREAKS:
            if words:
                found.append((words, is_piped))
            is_piped = word == "|" or (word in "(){" and is_piped)
            words, is_list = [], False
        elif word == ",":
            is_list = len(words) > 1 and words[-2].lower() in NAMED
        elif is_list:
            words[-1] += JOINED + word
            is_list = False
        else:
            words.append(word)
    if words:
        found.append((words, is_piped))
    return found


def _command(words: list[str], recorder: Recorder, depth: int, piped: Value) -> Value:
    # A variable, or a key of a table that is given: `@{n = "MB"; e = {$_.WS / 1MB}}`.
    if words[1:2] == ["="]:
        words = words[2:]
    if not words:
        return piped
    name = unquoted(words[0]).lower()
    if words[0][0] in "'\"":
        texts = [Value(constant=open_word(word)) for word in words if word[0] in "'\""]
        return texts[0] if len(words) == 1 else Value(items=(Value(constant=""), *texts))
    if name in {"&", "."}:
        if _is_powershell(words[1:2]):
            _inner(words[2:], recorder, depth)
        elif words[1:]:
            recorder.run("powershell", _line_of(words[1:]))
        recorder.awaits_code |= not words[1:]  # `& ([scriptblock]::Create((irm ...)))`
        return UNKNOWN
    if _is_powershell(words):
        _inner(words[1:], recorder, depth)
        return UNKNOWN
    return _called(name, words, recorder, depth, piped)


def _is_powershell(words: list[str]) -> bool:
    name = unquoted(words[0]).replace("\\", "/").rpartition("/")[2] if words else ""
    return name.lower() in _PROGRAM_STARTS


def _called(name: str, words: list[str], recorder: Recorder, depth: int, piped: Value) -> Value:
    """Judge a cmdlet or a program by its name."""
    values = _operands(words[1:])
    if "downloadstring" in " ".join(words).lower() or "downloadfile" in " ".join(words).lower():
        return recorder.fetch("Net.WebClient", values[0] if values else UNKNOWN)
    if _is_idle(name, {word.lower() for word in words}):
        recorder.operate(Verb.INERT, name, traits=frozenset({Trait.DRY_RUN}))
        return UNKNOWN
    return _known(name, words, values, recorder, depth, piped)


def _is_idle(name: str, lowered: set[str]) -> bool:
    """Tell whether nothing happens, or nothing that outlives this process."""
    is_asked = "-whatif" in lowered or "-whatif:$true" in lowered
    return is_asked or (name == "set-executionpolicy" and {"-scope", "process"} <= lowered)


def _known(
    name: str, words: list[str], values: list[Value], recorder: Recorder, depth: int, piped: Value
) -> Value:
    rule = CALLS.get(name)
    if name in {"iex", "invoke-expression"}:
        return _invoke(values, piped, recorder, depth)
    if rule is not None:
        _planted(rule, words, values, recorder, depth)
        return _perform_cmdlet(name, rule, words, values, recorder, piped)
    if name in _SETTERS and any(_RUN_KEY.search(value.shown) for value in values):
        _started_later(words, recorder)
    elif name in {"compress-archive", "expand-archive"}:
        _archived(name, words, values, recorder)
    elif name == "start-process" or name in {"saps", "start"}:
        _start(words, values, recorder)
    elif any(word.rpartition("::")[2].lower() in _NET_CALLS for word in words if "::" in word):
        recorder.opaque("a call of the framework that reaches out", "powershell")
    else:
        return _undescribed(name, words, values, recorder, piped)
    return UNKNOWN


def _undescribed(
    name: str, words: list[str], values: list[Value], recorder: Recorder, piped: Value
) -> Value:
    """Judge what has no description: by the verb and noun of a cmdlet, else as a program."""
    act = act_of_cmdlet(unquoted(words[0]), words[1:])
    if act is not None and f"function {name}" in recorder.source.lower():
        act = None  # what its body does is read itself
    if act is not None:
        recorder.operate(
            act.verb, name, thing=act.thing, reach=act.reach, traits=act.traits,
            target=_shown(act, words, values), reversible=act.reversible,
        )  # fmt: skip
        return UNKNOWN
    if not name or name in _INERT or name.startswith(_INERT_STARTS) or name[0] in "$[-@0123456789":
        recorder.is_ordinary |= name[:1] == "["
        if name in {"get-process", "ps"}:
            return Value(constant=f"{_PROCESS}{values[0].shown if values else '*'}")
        # What is chosen of all of them is told by the run.
        is_chosen = name in {"where-object", "where", "?"} and piped.text == f"{_PROCESS}*"
        return Value(constant=f"{_PROCESS}chosen") if is_chosen else piped
    spelled = as_program(name, words)
    if spelled is None and is_cmdlet(name):
        recorder.is_ordinary = True
    else:
        recorder.run("powershell", _line_of(words if spelled is None else spelled))
    return UNKNOWN


def _line_of(words: list[str]) -> Value:
    """Return the words of a program, its path with slashes as a shell takes them."""
    given = (open_word(words[0]).replace("\\", "/"), *map(open_word, words[1:]))
    return Value(items=tuple(Value(constant=one) for one in given))


def _shown(act: CmdletAct, words: list[str], values: list[Value]) -> str:
    if act.reach is Reach.SYSTEM:
        return values[0].shown if values else ""
    # The value belongs to its parameter: `Remove-AzVM -ResourceGroupName a -Name web1`.
    is_cut = len(words) > _WORDS_SHOWN and words[_WORDS_SHOWN - 1].startswith("-")
    end = _WORDS_SHOWN + 1 if is_cut else _WORDS_SHOWN
    return " ".join(unquoted(word) for word in words[:end])


def _started_later(words: list[str], recorder: Recorder) -> None:
    """What a key of the registry names runs at each sign-in."""
    recorder.operate(
        Verb.PERSIST, words[0].lower(), thing=ResourceType.SERVICE, reach=Reach.SYSTEM,
        traits=frozenset({Trait.RUNS_LATER}),
    )  # fmt: skip
    for before, line in pairwise(words):
        if means(before.lower(), "-value"):
            recorder.run("powershell", Value(constant=unquoted(line).replace("\\", "/")))


def _archived(name: str, words: list[str], values: list[Value], recorder: Recorder) -> None:
    """`Compress-Archive`, `Expand-Archive`: what is packed or unpacked stays what it is."""
    named = {
        full: Value(constant=open_word(word))
        for before, word in pairwise(words)
        for full in ("-destinationpath", "-path", "-literalpath")
        if len(before) > 2 and means(before.lower(), full)
    }
    target = named.get("-destinationpath") or (values[-1] if len(values) > 1 else UNKNOWN)
    sources = [one for one in values if one.shown != target.shown] or [UNKNOWN]
    taints = taints_of(*(recorder.read(name, one) for one in sources))
    recorder.write(name, target, Value(taints=taints))


def _planted(
    rule: CallRule, words: list[str], values: list[Value], recorder: Recorder, depth: int
) -> None:
    """Record that text written to `$PROFILE` runs in every later session."""
    if rule.sink is Sink.WRITE and any(word.lower().startswith("$profile") for word in words):
        for value in values[1:]:
            read_powershell(value.text or "", recorder, depth=depth + 1)


def _perform_cmdlet(
    name: str,
    rule: CallRule,
    words: list[str],
    values: list[Value],
    recorder: Recorder,
    piped: Value,
) -> Value:
    lowered = [word.lower() for word in words]
    is_recursive = any(means(word, "-recurse") or word == "/s" for word in lowered)
    if rule.sink is Sink.WALK:
        return selected(words, values)
    values = [value for value in values if value.text not in _PIPED_ITEM] if piped.items else values
    found = piped.items if rule.sink is Sink.DELETE and not values else None
    if found:  # the names that a search found, with its folders where it went down into them
        values, is_recursive = list(found[1:]), is_recursive or found[0].shown == "-recurse"
    # `Get-Process x | Stop-Process` names the process in the command before it.
    if rule.sink is Sink.KILL and (pattern := _killed_name(lowered, values, piped)):
        return recorder.run("powershell", Value(constant=f"pkill {pattern}"))
    if rule.sink is Sink.DELETE:  # `rd /s /q x`, as it is typed for `cmd`
        values = [value for value in values if not _SWITCH.fullmatch(value.shown)]
    is_tree = rule.sink is Sink.DELETE and is_recursive
    out = lowered.index("-outfile") if "-outfile" in lowered else -1
    if rule.sink is Sink.FETCH and any(word in {"post", "put"} for word in lowered):
        if "-infile" in lowered[:-1]:
            path = words[lowered.index("-infile") + 1]
            values.append(recorder.read(name, Value(constant=open_word(path))))
        at = lowered.index("-uri") + 1 if "-uri" in lowered[:-1] else 0
        told = [Value(constant=open_word(words[at]))] if at else values[:1]
        return recorder.send(name, told[0] if told else UNKNOWN, *values, piped)
    rule = CallRule(Sink.DELETE_TREE) if is_tree else rule
    result = perform(CodeCall(name=name, rule=rule, arguments=values or [UNKNOWN]), recorder)
    # `-OutFile x`: what is fetched goes into a file.
    if 0 < out < len(words) - 1:
        recorder.write(name, Value(constant=open_word(words[out + 1])), result)
    return result


def _killed_name(lowered: list[str], values: list[Value], piped: Value) -> str:
    """Return the name by which processes are stopped, "" if they are stopped by number."""
    if not values and (piped.text or "").startswith(_PROCESS):
        return (piped.text or "")[len(_PROCESS) :]
    starts = {word.partition(":")[0] for word in lowered}
    is_name = any(means(one, "-name") or means(one, "-processname") for one in starts)
    return " ".join(value.shown for value in values) or "*" if is_name else ""


def _invoke(values: list[Value], piped: Value, recorder: Recorder, depth: int) -> Value:
    code = values[0] if values else piped
    is_given = recorder.has_fetched and values and not (code.text or "").strip(UNKNOWN_PART)
    if is_given or Taint.NETWORK in taints_of(piped, *values):
        recorder.remote_code("Invoke-Expression")
    elif code.is_known and code.text:
        read_powershell(code.text, recorder, depth=depth + 1)
    else:
        # `iex (iwr ...)`: what is fetched comes in the command that follows
        recorder.awaits_code = True
    return UNKNOWN


def _start(words: list[str], values: list[Value], recorder: Recorder) -> None:
    if any(word.lower() == "runas" for word in words):
        recorder.operate(
            Verb.PRIVILEGE, "Start-Process", thing=ResourceType.ACCOUNT, reach=Reach.SYSTEM,
            traits=frozenset({Trait.AS_ROOT}),
        )  # fmt: skip
    started = [replace(values[0], constant=values[0].shown.replace("\\", "/"))] if values else []
    recorder.run("Start-Process", Value(items=(*started, *values[1:]) or (UNKNOWN,)))


def _inner(words: list[str], recorder: Recorder, depth: int) -> None:
    """Read what PowerShell is started with: `-Command`, `-EncodedCommand`, `-File`, or a text."""
    texts = [unquoted(word) for word in words]
    kind, at = given_to_powershell(texts)
    if kind is HandedText.ENCODED:
        encoded = "".join(texts[at:])  # its padding was cut off as tokens
        if decoded_command(encoded) is None:
            recorder.opaque("an encoded text that cannot be decoded", "powershell")
        else:
            read_powershell(encoded, recorder, depth=depth + 1)
        return
    if kind is HandedText.FILE:
        recorder.run("powershell", Value(constant=" ".join(["pwsh -File", *texts[at:]])))
        return
    read_powershell(" ".join(texts[at:]).replace(" =", "="), recorder, depth=depth + 1)


def _operands(words: list[str]) -> list[Value]:
    found: list[Value] = []
    before = ""
    for word in words:
        is_aside, before = before in _ASIDE or before in NAMED, word.lower()
        if not is_aside and not word.startswith("-") and word != "=":
            found.append(Value(constant=open_word(word)))
    return found
