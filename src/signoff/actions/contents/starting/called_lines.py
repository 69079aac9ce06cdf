"""Lines for a shell by which code of any language erases, plants keys, or runs what it fetches.

The line stands in a literal behind a call that starts programs. What the program puts into it is a
name of its own choice; only the home folder is told from it.

    system("rm -rf .git")                                ("rm -rf .git",)
    execSync(`rm -rf ${os.homedir()}`)                   ("rm -rf ~",)
    exec(`rm -rf ${dir}/cache`)                          ("rm -rf _told_/cache",)
    print("rm -rf .git")                                 ()
"""

from __future__ import annotations

from shlex import quote

from signoff.actions.contents.checks.comments import running
from signoff.actions.contents.programs import quoted_shell
from signoff.actions.contents.starting.guard_programs import Programs, started
from signoff.actions.vocabulary import lazy_re2, words

_TOLD = "_told_"
_ERASES = r"rm|rmdir|shred|srm|unlink|truncate|find|dd|rd|del|restic|borg|git"
_HINT = lazy_re2(
    r"\b(?:rm|rmdir|rd|del|shred|srm|unlink|truncate)\s+[-/\"'\\$~.:*]|\bfind\s[^\n]{0,200}-(?:delete|exec)\b|\bdd\s+[io]f="
    r"|authorized_keys|/dev/(?:tcp|udp)/|/etc/(?:cron|sudoers)|_history\b|:?>\s*[\"'\\]{0,2}/var/log/|\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b"
    # The words of one line as literals of their own.
    r"|[\"'](?:rm|shred|rmdir)[\"']\s*,"
    r"|\b(?:restic|borg)\b[^\n]{0,80}\b(?:forget|prune|delete)\b|\breflog\s+expire|\bfilter-branch\b"
)
_NAMED = lazy_re2(
    r"^\s*(?:(?:sudo|doas)\s+(?:-n\s+)?)?(?:/(?:usr/)?s?bin/)?"
    rf"(?:{_ERASES}|sh|bash|zsh|cd|cp|mv|ln|cat|echo|printf|mkdir|tee|touch|curl|wget|for|while|if|test|history|systemctl|chmod|chown|install)\s"
    r"|^\s*:\s*>|^\s*>\s*/|^\s*\(|^\s*[A-Z_]+=\S*\s"
)
_PROGRAMS = Programs(_HINT, _NAMED)
_HOME = (
    r"(?i:home|homedir|home_dir\w*|expanduser|user\.home|userprofile|nshomedirectory|homepath)\b"
)
_FILLED = r"(?:\$|#)?\{[^{}\"\n]{1,120}\}|\\\([^\n\"]{0,80}?\)+"
_OF_HOME = lazy_re2(rf"(?:\$|#)?\{{[^{{}}\n]{{0,80}}{_HOME}[^{{}}\n]{{0,40}}\}}")
_PUT_IN = lazy_re2(rf"{_FILLED}|%(?:\d\$)?[sdvq@]|~[aspw]\b")
# Languages in which a sign and a name in a literal are a value of the program.
_SIGNED = words("php pl pm kt kts dart scala sbt groovy gradle jl tcl")
_VALUE = lazy_re2(r"\$(?:[A-Z][a-z]\w*|[a-z_]\w*)(?:->\w+|\.\w+)?")
_OF_WINDOWS = lazy_re2(r"(?i)^\s*(?:rd|rmdir|del|erase)\s+/")


def called_lines(text: str, path: str) -> tuple[str, ...]:
    """Return such lines, with what the program puts in as names of no meaning."""
    ending = path.lower().rpartition(".")[2]
    is_signed = ending in _SIGNED
    found = started(text, path, _PROGRAMS)
    if ending == "scala":  # `Seq("sh", "-c", "...").!`
        found = (*found, *quoted_shell(running(text, path)))
    return tuple(dict.fromkeys([_told(one, is_signed=is_signed) for one in found]))


def _told(line: str, *, is_signed: bool) -> str:
    if _OF_WINDOWS.search(line) is not None:
        line = f"cmd /c {quote(line)}"
    line = str(_OF_HOME.sub("~", line))
    line = str(_PUT_IN.sub(_TOLD, line))
    return str(_VALUE.sub(_TOLD, line)) if is_signed else line
