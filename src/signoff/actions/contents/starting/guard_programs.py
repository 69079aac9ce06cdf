"""Lines by which code of any language starts programs that stop guards, erase disks or backups.

Programs that publish, deploy or send are read alike (`lines_to_others`).

A program and its words stand in one literal or in several, behind a call that starts programs in
some language. Only calls outside of texts and comments count, since rules of scanners and manuals
write such lines as data. What a line does is told by the program knowledge, not here.

    execFile('auditctl', ['-e', '0'])                        ("auditctl -e 0",)
    exec.Command("iptables", "-F").Run()                     ("iptables -F",)
    new ProcessStartInfo { FileName = "vssadmin", Arguments = "list shadows" }
                                                             ("vssadmin list shadows",)
    rules = [{"command": "auditctl -e 0", "level": 9}]       ()
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from shlex import join
from typing import NamedTuple

import re2

from signoff.actions.contents.checks.comments import running
from signoff.actions.vocabulary import lazy_re2


class Programs(NamedTuple):
    """Programs that are looked for: a word each file with one has, and how their lines begin."""

    hint: re2._Regexp[str]
    named: re2._Regexp[str]


_READ = 60_000  # characters
_MOST = 24
_MAX_WORDS = 12
_AROUND = 6  # lines: a call may begin before the name of its program, and go on behind it
_LONGEST = 6_000
_PROGRAMS = (
    r"(?:auditctl|auditpol|setenforce|systemctl|service|rc-service|chkconfig|update-rc\.d|ufw|ip6?tables|nft"
    r"|firewall-cmd|pfctl|ipfw|wevtutil|vssadmin|wbadmin|wmic|diskshadow|netsh|sc|reg|net|fltmc|csrutil|spctl|tmutil"
    r"|journalctl|aa-disable|aa-teardown|wipefs|blkdiscard|sgdisk|mkfs(?:\.\w+)?|mke2fs|dd|diskpart"
    r"|diskutil|zpool|zfs|lvremove|vgremove|useradd|adduser|usermod|visudo|launchctl|apt|apt-get|dnf|yum)(?:\.exe)?"
)
_ASKS_FOR_RIGHTS = r"(?:sudo|doas|pkexec)"
_SHELLS = (
    r"(?:(?:ba|z|da|a|k)?sh|busybox|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh(?:\.exe)?|/bin/sh)"
)
_FOLDER = r"(?:/(?:\w+/){1,3}|[A-Za-z]:\\\\?(?:\w+\\\\?){1,3})?"
# No file without one of these words starts such a program.
_HINT = lazy_re2(
    r"(?i)\b(?:auditctl|auditpol|setenforce|systemctl|rc-service|chkconfig|ufw|ip6?tables|nft|firewall-cmd|pfctl"
    r"|ipfw|wevtutil|vssadmin|wbadmin|shadowcopy|diskshadow|advfirewall|fltmc|csrutil|spctl|tmutil|journalctl"
    r"|aa-disable|aa-teardown|wipefs|blkdiscard|sgdisk|mkfs|mke2fs|diskpart|erasedisk|zpool|zfs|lvremove|vgremove"
    r"|useradd|usermod|visudo|set-mppreference|clear-eventlog|win32_shadowcopy|windefend|auditd|falco\w*|wazuh\w*|crowdstrike"
    r"|osquery\w*|clamav\w*|fail2ban|of=/dev/)\b"
)
_TEXT = r"(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`)"
# How languages start a program: a call, a word before the first text.
_STARTS = (
    r"(?:\b(?:subprocess|sp|asyncio|child_process|cp|childProcess|os|shell|shelljs|Open3|Kernel|IO|Unix|Sys|Process|System|Runtime"
    r"|sys\.process|proc|std\.process|Deno|Bun|zx|execa|\$)(?:\.|::|->)\w+[!?]?"
    r"|\bexec\w*[!]?|\w*[eE]xec(?:File|Sync|Async|Promise)*|\bspawn\w*|\bfork\w*|\bCommand\w{0,8}(?:::new)?|\bcmd!?|\bduct::cmd!?|\bsh|\bshell/sh"
    r"|\b(?:new\s+)?Process(?:Builder|StartInfo|Runner)?|\bshell\w*|\bpopen\w*|\bproc_open|\bpassthru|\bsystem2?|\bqx|:?\bos[.:]cmd"
    r"|\b(?:read|call|start|run|create|spawn)(?:_?Create)?_?(?:Process|Command|Cmd|Program|Shell)\w*|\brun\w*|\bcheck_(?:call|output)"
    r"|\bgetoutput|\bposix_spawnp?|\bShellExecute\w*|\bWinExec|\bShell|\bargv\s*=|\bcommandLine|\bOS\.execute|\bfromShellCommandline"
    r"|\b_?(?:cmd|shell|bash|sudo)_?(?:run|exec)\w*)"
)
_BEFORE_TEXT = (
    r"(?:\s*(?:[(\[{@&$]|new\s+[\w<>]+(?:\[\])?|\w{1,12}(?:\.\w+(?:\(\))?)?\s*,|(?:Seq|List|listOf|arrayOf|Array|Vector|vec!)\s*[(\[]"
    r"|\.\{|\.?argv\s*=|\w{1,16}\s*[:=]))*\s*(?:[bfruLR@]{0,2}|~[cCsS])"
)
_BETWEEN = (
    r"\s*(?:,|\[|\]\s*,|,\s*(?:new\s+)?(?:[\w<>]*(?:\[\])?|vec!|&|@|c|Seq|List|listOf|arrayOf)\s*[\[{(]|\)\s*\.args?\(\s*&?(?:vec!)?\[?"
    r"|,?\s*(?:args|arguments|Arguments)\s*[:=]\s*[\[({]?|\s)\s*[bfruLR]{0,2}"
)
_CALLED = lazy_re2(rf"{_STARTS}{_BEFORE_TEXT}({_TEXT}(?:{_BETWEEN}{_TEXT}){{0,{_MAX_WORDS}}})")
# The program is one field of an object, its words another.
_FIELDS = lazy_re2(
    rf"(?:FileName|executableURL|launchPath|executable|program)\s*[:=]\s*(?:URL\(\s*(?:fileURLWithPath|filePath):\s*)?(?P<program>{_TEXT})\)?"
    rf"[\s,;]{{0,40}}(?:\w{{1,30}}\.)?\w*(?:[aA]rguments|[aA]rgs|argv)\s*[:=]\s*[\[({{]{{0,2}}\s*(?P<words>{_TEXT}(?:\s*,\s*{_TEXT}){{0,{_MAX_WORDS}}})"
)
_ONE = lazy_re2(_TEXT)
_ANY_TEXT = lazy_re2(rf"(?s:\"{{3}}.*?\"{{3}}|'{{3}}.*?'{{3}})|{_TEXT}")
_LONG_TEXT = lazy_re2(r"(?s)\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`")
_HAS_LONG_TEXTS = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".go", ".vue", ".svelte")
_OF_GUARDS = lazy_re2(
    rf"(?i)^\s*(?:{_ASKS_FOR_RIGHTS}\s+(?:-\w+\s+)?)?{_FOLDER}{_PROGRAMS}(?:\s|$)"
)
# Programs whose words say that something leaves the machine.
_LEAVES = (
    r"git(?:\s+-\S+)*\s+push|(?:npm|pnpm|yarn|bun|cargo|poetry|uv|flit|hatch|sbt|mill|dart|flutter|mix|gem|nuget|twine"
    r"|helm|docker|podman|skopeo|oras|crane|dotnet|mvnw?|(?:\./)?mvnw|gradle|(?:\./)?gradlew)\s[^\n]*?(?:publish|push|deploy|upload|copy)\w*"
    r"|(?:rsync|scp|sftp)\s|(?:aws|az|gcloud|gsutil|kubectl|oc|terraform|tofu|pulumi|cdk|sam|eksctl|argocd|heroku|fly(?:ctl)?"
    r"|wrangler|vercel|netlify|firebase|doctl|hcloud|ansible-playbook|ldapmodify|ldapdelete|ldapadd|scancel|qdel)\s"
    r"|gh\s+(?:release|repo|workflow|secret|pr|issue)\s|ssh\s"
)
_A_SHELL = lazy_re2(rf"(?i)^{_FOLDER}{_SHELLS}$")
_SCRIPT = frozenset({"-c", "-lc", "-ic", "-ec", "/c", "-command"})
# Rules that a program keeps in a chain or table of its own.
_OWN_RULES = lazy_re2(
    r"^(?:sudo )?(?:/\S*/)?ip6?tables\b.*\s-[FXZ]\s+(?P<chain>[\w-]+)"
    r"|\bnft\b.*\b(?:flush|delete)\s+(?:chain|table|set|map)\b"
)
_BUILT_IN = frozenset({"INPUT", "OUTPUT", "FORWARD"})
_LOOPBACK = lazy_re2(r"(?i)\blocalhost\b|\b127\.0\.0\.1\b")
_GUARDS = Programs(_HINT, _OF_GUARDS)
_TO_OTHERS = Programs(
    lazy_re2(
        r"[\s\"'`]push[\s\"'`]|\b(?:publish\w*|deploy\w*|upload\w*|rsync|scp|sftp|ssh|aws|az|gcloud|gsutil|kubectl|oc|terraform|tofu|pulumi|cdk"
        r"|sam|eksctl|argocd|heroku|fly|flyctl|wrangler|vercel|netlify|firebase|doctl|hcloud|ansible-playbook|ldap(?:modify|delete|add)"
        r"|scancel|qdel|gh|skopeo|oras|crane)\b"
    ),
    lazy_re2(rf"^\s*{_FOLDER}(?:npx\s+(?:--yes\s+)?)?(?:{_LEAVES})"),
)
_SWITCHES_ON = lazy_re2(r"(?i)\s(?:enable|start|on|1|unmask|restart)(?:\s|$)")
_IN_QUOTES = lazy_re2(r"\"[^\"]*\"|'[^']*'")
_ESCAPED = lazy_re2(r"\\([\"'\\/$`])")


def guard_lines(text: str, path: str) -> tuple[str, ...]:
    """Return the lines of such programs that code starts for certain.

    Args:
        path: the path of the file, whose ending tells what a comment is.
    """
    return tuple([one for one in started(text, path, _GUARDS) if not _is_of_own_rules(one)])


def lines_to_others(text: str, path: str) -> tuple[str, ...]:
    """Return the lines of programs that publish, deploy or send, which code starts for certain.

    execFileSync("npm", ["publish"])      ("npm publish",)
    """
    found = started(text, path, _TO_OTHERS)
    is_here = _LOOPBACK.search(text[:_READ]) is not None
    # The value behind the last option is a name: here it may be that of a server of this machine.
    return tuple([one for one in found if not is_here or not one.split()[-1].startswith("-")])


def started(text: str, path: str, programs: Programs) -> tuple[str, ...]:
    """Return the lines of programs of a kind that code starts for certain."""
    if programs.hint.search(text[:_READ]) is None:
        return ()
    code = running(text[:_READ], path)
    has_long_texts = path.lower().endswith(_HAS_LONG_TEXTS)
    blank = (_LONG_TEXT if has_long_texts else _ANY_TEXT).sub(_as_blanks, code)
    near, blank = _near(code, blank, programs.hint)
    found: dict[str, None] = {}
    for match in islice(_CALLED.finditer(near), _MOST):
        begin, end = match.start(), match.start(1)
        if blank[begin:end] == near[begin:end]:
            found.update(dict.fromkeys(_lines(_words(match.group(1)), programs)))
    for match in islice(_FIELDS.finditer(near), _MOST):
        words = [*_words(match.group("program")), *_words(match.group("words"))]
        found.update(dict.fromkeys(_lines(words, programs)))
    return tuple(found)


def is_switched_on_too(line: str, lines: tuple[str, ...]) -> bool:
    """Return whether the same code starts the program of a line to switch something on, too."""
    program = _program(line)
    return any([_program(one) == program and _SWITCHES_ON.search(one) for one in lines])


def _program(line: str) -> str:
    words = line.removeprefix("sudo ").split(None, 1)
    return words[0].rpartition("/")[2] if words else ""


def _is_of_own_rules(line: str) -> bool:
    own = _OWN_RULES.search(line)
    return own is not None and own.group("chain") not in _BUILT_IN


def _near(text: str, blank: str, hint: re2._Regexp[str]) -> tuple[str, str]:
    """The lines around those with a telling word, with texts and without."""
    lines, blanks = text.split("\n"), blank.split("\n")
    at = [n for n, line in enumerate(lines) if hint.search(line) is not None][:_MOST]
    kept = sorted({n for one in at for n in range(max(one - _AROUND, 0), one + _AROUND)})
    kept = [n for n in kept if n < len(lines)]
    near = "\n".join([lines[n] for n in kept])[:_LONGEST]
    return near, "\n".join([blanks[n] for n in kept])[:_LONGEST]


def _as_blanks(match: re2._Match[str]) -> str:
    return "\n".join([" " * len(line) for line in match.group().split("\n")])


def _words(literals: str) -> list[str]:
    return [_plain(str(one.group())) for one in islice(_ONE.finditer(literals), _MAX_WORDS)]


def _plain(literal: str) -> str:
    return str(_ESCAPED.sub(r"\1", literal[1:-1]))


def _lines(words: list[str], programs: Programs) -> Iterator[str]:
    """The lines that words of a call stand for, if their program is one of those."""
    first = words[0].strip()
    # `execl` takes the name of the program once more.
    if len(words) > 1 and first.endswith(f"/{words[1]}"):
        words = [first, *words[2:]]
    if _A_SHELL.search(first) is not None and len(words) > 1:
        at = next((n for n, word in enumerate(words) if word.lower() in _SCRIPT), 0)
        # The words behind the program may stand in one literal, as C# takes them.
        script = " ".join(words[at + 1 :])
        for mark in _SCRIPT:
            script = script.removeprefix(f"{mark} ")
        # C# takes all words in one literal, so that the line has quotes of its own.
        yield script[1:-1] if _IN_QUOTES.fullmatch(script) is not None else script
        return
    if " " not in first and len(words) > 1:
        is_one_text = len(words) == 2 and " " in words[1]
        first = f"{first} {words[1]}" if is_one_text else join([first, *words[1:]])
    if programs.named.search(first) is not None:
        yield first
