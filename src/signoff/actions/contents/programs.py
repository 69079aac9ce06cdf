"""Configuration files that are programs: in which language, and whether they start others.

language_of("webpack.config.js") == "javascript"
"""

from __future__ import annotations

import ast
from textwrap import dedent

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.actions.vocabulary import lazy_re2

_BY_NAME = {"rakefile": "ruby", "gemfile": "ruby", "podfile": "ruby", "jenkinsfile": "groovy"}
_BY_NAME |= dict.fromkeys((".vimrc", ".gvimrc", ".exrc", ".nvimrc", ".ideavimrc"), "vim")
_BY_NAME |= dict.fromkeys(("sconstruct", "sconscript", "wscript", "snakefile"), "python")
_BY_NAME |= dict.fromkeys((".rprofile", "rprofile.site"), "r")
_BY_NAME |= dict.fromkeys((".latexmkrc", "latexmkrc"), "perl")
_BY_NAME |= dict.fromkeys((".irbrc", ".pryrc", "fastfile", "dangerfile", "vagrantfile"), "ruby")
_BY_ENDING = {
    "py": "python",
    **dict.fromkeys(("js", "cjs", "mjs", "ts", "mts", "cts"), "javascript"),
    "rb": "ruby",
    "lua": "lua",
    "vim": "vim",
    "exs": "elixir",
    **dict.fromkeys(("gradle", "groovy", "nf"), "groovy"),
    "gd": "gdscript",
    "jl": "julia",
    "r": "r",
    "php": "php",
    "pl": "perl",
    "smk": "python",
}
_STARTS = lazy_re2(
    r"(?i)child_process|exec(?:file)?(?:sync)?\s*\(|spawn(?:sync)?\s*\(|os\.execute|io\.popen|\bsystem\b"
    r"|system\.(?:cmd|shell)|:os\.cmd|\beval\b|%x|\bpopen|\.execute\s*\(|subprocess|rmtree|rmsync"
    r"|\.ssh\b|\.npmrc\b|\.aws\b|\.netrc\b|\bid_rsa\b|process\.env\s*[,)]"
    r"|rm_rf|fs\.rm|os\.remove|jobstart|(?m:^|[\s|:])!\w"
)
_QUOTED = lazy_re2(
    r"[\"'](?:/\S*/)?(?:ba|z|da)?sh[\"']\s*,\s*\[?\s*[\"']-l?c[\"']\s*,\s*[\"']([^\"'\n]+)[\"']"
    r"|\"([^\"\n]+)\"\s*\.\s*!"
    r"|\bsh\s+-c\s+[\"']([^\"'\n]+)[\"']"
    # A step of a Jenkins pipeline.
    r"|(?m:^)\s*sh\s*\(?\s*(?:script\s*:\s*)?(?:'([^'\n]+)'|\"([^\"\n]+)\")"
)
_MOST = 20
_MOST_CUTS = 3
_FOLLOWING = 3  # lines: a call may go on behind the line it starts on
_READ = 2_500  # characters: more would take longer than a call may


def language_of(name: str) -> str:
    """Return the language of a file by its name, "" if unknown."""
    lowered = name.lower()
    return _BY_NAME.get(lowered) or _BY_ENDING.get(lowered.rpartition(".")[2], "")


def program_text(text: str, language: str) -> str | None:
    """Return the part of a text to analyse as a program: "" if it starts none, None if too long.

    Most configuration starts nothing. Of a long text only the lines count that start programs or
    delete files, and those that name what they do it with.
    """
    starts = _STARTS.search(text) is not None or (language == "ruby" and "`" in text)
    # A short text is read whole: names that are set in one line are used in another.
    if not starts or len(text) <= _READ:
        return text if starts else ""
    is_ruby = language == "ruby"
    lines = text.split("\n")
    at = [n for n, line in enumerate(lines) if _STARTS.search(line) or (is_ruby and "`" in line)]
    near = sorted({n + step for n in at for step in range(_FOLLOWING) if n + step < len(lines)})
    told = "\n".join([lines[n] for n in near])
    return told if len(told) <= _READ else None


def whole_python(text: str) -> str:
    """Return the part of a text that is complete Python; an edit may end in mid-statement."""
    text = dedent(text)
    for _ in range(_MOST_CUTS):
        try:
            ast.parse(text)
        except SyntaxError as error:
            lines = text.split("\n")
            # Up to the line with the error, and always one line less, so that the loop ends.
            kept = min(max((error.lineno or 1) - 1, 0), len(lines) - 1)
            text = "\n".join(lines[:kept])
        # `ast.parse` raises these for NUL characters and for text that is nested too deep.
        except (ValueError, RecursionError, MemoryError):
            return ""
        else:
            return text
    return ""


def quoted_shell(text: str) -> tuple[str, ...]:
    """Return the shell lines given as literals to a shell: `run("sh", "-c", "...")`."""
    found = (next((g for g in m.groups() if g), "") for m in _QUOTED.finditer(text))
    return tuple(line for line, _ in zip(found, range(_MOST), strict=False))


def acts_when_loaded(op: Operation) -> bool:
    """Return whether an Operation of a Python build file is more than reading or its own code."""
    is_unread = not {Trait.REMOTE_CODE, Trait.REVERSE_SHELL}.isdisjoint(op.traits)
    return op.understood and (is_unread or op.verb not in {Verb.INERT, Verb.READ, Verb.EXECUTE})


def does_more_than_build(op: Operation) -> bool:
    """Return whether an Operation reaches outside the project or cannot be undone."""
    if op.verb in {Verb.INERT, Verb.READ, Verb.NETWORK_IN}:
        return False
    is_unread = not {Trait.REMOTE_CODE, Trait.REVERSE_SHELL, Trait.DECODED}.isdisjoint(op.traits)
    far = op.reach not in {Reach.NONE, Reach.PROJECT, Reach.TEMP, Reach.LOOPBACK, Reach.UNKNOWN}
    return is_unread or (far and op.verb is not Verb.EXECUTE)


# Signs that a file is what its name says; a file that runs by itself and has none of them was
# replaced by something that cannot be read.
MARKS_BY_NAME: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"package.json", "composer.json", "deno.json"}), r"\{"),
    (
        frozenset(
            {"conftest.py", "setup.py", "noxfile.py", "sitecustomize.py", "usercustomize.py"}
        ),
        r"\b(?:import|def|class|from)\b|=|\"\"\"|^#",
    ),
    (frozenset({"makefile", "gnumakefile", "justfile"}), r"[:=]|include"),
    (frozenset({"build.rs"}), r"\bfn\b"),
    (frozenset({"pyproject.toml", "cargo.toml", "setup.cfg", "tox.ini"}), r"^\s*\["),
    (frozenset({"dockerfile", "containerfile"}), r"^\s*(?:from|arg)\s"),
    (frozenset({"cmakelists.txt"}), r"\("),
    (frozenset({"pom.xml", "build.xml"}), r"<"),
    (frozenset({"build.gradle", "build.gradle.kts", "settings.gradle"}), r"[{(=]"),
    (
        frozenset({"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml"}),
        r"\bservices\s*:",
    ),
    (frozenset({"gemfile", "rakefile"}), r"\b(?:source|gem|task|require|namespace|desc)\b"),
    (frozenset({"go.mod"}), r"\bmodule\b"),
)
