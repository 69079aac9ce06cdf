"""AppleScript: what it hands to a shell, and what it tells other programs to do."""

from __future__ import annotations

import re

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.javascript import read_javascript
from signoff.actions.code.value import Taint, Value
from signoff.actions.operation import Reach, ResourceType, Trait, Verb

MAX_CHARS = 20_000

_TEXT = r'"([^"\\]*(?:\\.[^"\\]*)*)"'
_SHELL = re.compile(
    rf"do (?:shell )?script\s+(?:{_TEXT}|(\w+))((?:[ \t]*&[ \t]*[^\n]*)?)", re.DOTALL
)
_JOINED = re.compile(rf"&[ \t]*(?:{_TEXT}|[^&\n]+)")
# A dialog whose answer is not shown: a password is typed into it.
_ASKS_PASSWORD = re.compile(r"(?i)\bhidden answer\b")
_URL = re.compile(r"\w+://[^\s'\"]+")
_TELLS = re.compile(rf"tell app(?:lication)?\s+{_TEXT}")
_HARMLESS = ("display notification", "display dialog", "display alert", "say ", "beep", "return ",
             "get ", "log ", "set volume", "activate")  # fmt: skip
_DELETES = re.compile(r"\b(?:delete|empty (?:the )?trash|move\b.*\bto (?:the )?trash)\b")
# One question about a program or its windows; programs that hold mail and people are no matter.
_ASKS = re.compile(
    r"\s*tell app(?:lication)? \"\" to (?:get|count|exists) (?:the )?"
    r"(?:names?|title|titles|bounds|frontmost|version|id|index|size|position|number|count)\b[^\n]*"
)
_HOLDS_PEOPLE = re.compile(r"(?i)contacts|messages|mail|notes|reminders|calendar|photos|passwords")
_POWER = re.compile(r"\b(?:shut down|restart|log out|sleep)\b")


def read_osascript(text: str, recorder: Recorder) -> None:
    """Record what an AppleScript text does."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "osascript")
        return
    if "doShellScript" in text or "console.log" in text or "Application(" in text:
        # These words are JavaScript for Automation, which osascript runs as well.
        read_javascript(text.replace("doShellScript", "child_process.exec"), recorder)
        return
    if _ASKS_PASSWORD.search(text):
        recorder.operate(
            Verb.INERT, "display dialog", thing=ResourceType.CREDENTIAL,
            traits=frozenset({Trait.READS_SECRET}),
        )  # fmt: skip
    for match in _SHELL.finditer(text):
        _shell(match, recorder)
    plain = _SHELL.sub(" ", text)
    lowered = re.sub(_TEXT, '""', plain).lower()
    if "run script" in lowered or "load script" in lowered or "osadecompile" in lowered:
        recorder.opaque("runs a script that is worked out", "osascript")
    _tells(plain, lowered, recorder)
    recorder.is_ordinary |= not lowered.strip().startswith(_HARMLESS)


def _plain(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _shell(match: re.Match[str], recorder: Recorder) -> None:
    line = _plain(match[1]) if match[1] is not None else "\ufffd"
    line += "".join(_plain(one[1]) if one[1] is not None else "\ufffd"
                    for one in _JOINED.finditer(match[3] or ""))  # fmt: skip
    if _ASKS_PASSWORD.search(match.string) and "\ufffd" in line and (url := _URL.search(line)):
        password = Value(taints=frozenset({Taint.SECRET}))
        recorder.send("do shell script", Value(constant=url[0]), password)
    recorder.run("do shell script", Value(constant=line))
    if "with administrator privileges" in match.string:
        recorder.operate(
            Verb.PRIVILEGE, "do shell script", thing=ResourceType.ACCOUNT, reach=Reach.SYSTEM,
            traits=frozenset({Trait.AS_ROOT}),
        )  # fmt: skip


def _tells(text: str, lowered: str, recorder: Recorder) -> None:
    programs = ", ".join(name for name in _TELLS.findall(text)[:5])
    if _DELETES.search(lowered):
        recorder.operate(
            Verb.DELETE, "osascript", thing=ResourceType.FILE, target=programs, reach=Reach.UNKNOWN,
            reversible=False,
        )  # fmt: skip
    elif programs and _POWER.search(lowered):
        recorder.operate(Verb.CONTROL, "osascript", thing=ResourceType.MACHINE, reach=Reach.SYSTEM)
    elif "keystroke" in lowered or "key code" in lowered:
        recorder.opaque("types for the user", "osascript")
    elif programs and _ASKS.fullmatch(lowered) and not _HOLDS_PEOPLE.search(programs):
        recorder.operate(Verb.READ, "osascript", thing=ResourceType.PROCESS, target=programs)
    elif programs:
        recorder.operate(Verb.CONTROL, "osascript", thing=ResourceType.PROCESS, target=programs,
                         reach=Reach.HOME)  # fmt: skip
