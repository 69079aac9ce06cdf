"""Runners of development tools (`npx`, `uv run`, `bundle exec`) and git's ways to run a line.

uv run --with x pytest -q            ->  pytest -q
git -c alias.z='!rm -rf x' z         ->  the text `rm -rf x`
"""

from __future__ import annotations

import re

from msgspec import Struct

from signoff.actions.shell.command import Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.options import NO_OPTIONS, Options, OptionTable
from signoff.actions.vocabulary import words
from signoff.values import replace


class Runner(Struct, frozen=True):
    """A runner's sub-commands that run a program, and its options; `texts` take a line."""

    verbs: tuple[str, ...]
    options: OptionTable = NO_OPTIONS
    before: OptionTable = NO_OPTIONS
    texts: tuple[str, ...] = ()
    skips: int = 0


_UV = OptionTable.of(
    "pwCn",
    "with with-editable with-requirements python project directory extra group only-group no-group "
    "no-extra env-file index index-url default-index extra-index-url find-links package cache-dir "
    "config-file refresh-package upgrade-package",
    "module script frozen locked isolated no-project no-sync active",
)
_NPM = OptionTable.of("pcw", "package call workspace prefix")
_CONDA = OptionTable.of("np", "name prefix cwd")

RUNNERS: dict[str, Runner] = {
    "uv": Runner(("run",), _UV, _UV),
    "poetry": Runner(("run",), before=OptionTable.of("CP", "directory project")),
    "pipenv": Runner(("run",)),
    "pdm": Runner(("run",), OptionTable.of("pse", "project site-packages env-file")),
    "hatch": Runner(("run",), before=OptionTable.of("ep", "env project")),
    "rye": Runner(("run",)),
    "pixi": Runner(("run",), OptionTable.of("e", "environment manifest-path")),
    "bundle": Runner(("exec",), before=OptionTable.of("", "gemfile")),
    "npm": Runner(("exec", "x"), _NPM, texts=("c", "call")),
    "pnpm": Runner(
        ("exec", "dlx"),
        OptionTable.of("C", "package filter dir"),
        OptionTable.of("CF", "dir filter"),
    ),
    "yarn": Runner(("exec", "dlx"), OptionTable.of("p", "package"), OptionTable.of("", "cwd")),
    "bun": Runner(("x",)),
    "npx": Runner((), _NPM, texts=("c", "call")),
    "shx": Runner(()),
    "bunx": Runner((), OptionTable.of("p", "package")),
    "pnpx": Runner((), OptionTable.of("p", "package")),
    "pyenv": Runner(("exec",)),
    "rbenv": Runner(("exec",)),
    "nodenv": Runner(("exec",)),
    "asdf": Runner(("exec",)),
    "mise": Runner(("exec", "x"), OptionTable.of("cCjE", "command cd"), texts=("c", "command")),
    "volta": Runner(("run",), OptionTable.of("", "node npm yarn")),
    "nvm": Runner(("exec", "run"), skips=1),
    "nvs": Runner(("exec", "run"), skips=1),
    "n": Runner(("exec", "run", "use", "as"), skips=1),
    "fnm": Runner(("exec",), OptionTable.of("", "using")),
    "conda": Runner(("run",), _CONDA),
    "mamba": Runner(("run",), _CONDA),
    "micromamba": Runner(("run",), _CONDA),
    "nix-shell": Runner(
        (), OptionTable.of("pIA", "run command packages"), texts=("run", "command")
    ),
    "nix": Runner(("develop", "shell"), OptionTable.of("", "inputs-from")),
    "perf": Runner(("stat", "record", "trace"), OptionTable.of("eoFcprCtI", "event output freq")),
    "rustup": Runner(("run",), skips=1),
    "hermit": Runner(("exec",)),
    "gum": Runner(("spin",), OptionTable.of("sa", "spinner title align timeout")),
    "devbox": Runner(("run",), OptionTable.of("ce", "config env")),
    "flox": Runner(("activate",)),
    "heroku": Runner(("run",), OptionTable.of("ase", "app size env remote")),
    "railway": Runner(("run",), OptionTable.of("se", "service environment")),
    "fly": Runner(("console",)),
    "sops": Runner(("exec-env", "exec-file"), skips=1),
    "infisical": Runner(("run",), OptionTable.of("", "env path token")),
    "aws-okta": Runner(("exec",), skips=1),
}
# Profilers, debuggers and coverage run a Python script, or with `-m` a module.
_PROFILER = OptionTable.of("os", "outfile sort")
PYTHON_RUNNERS: dict[str, Runner] = {
    "python:cProfile": Runner((), _PROFILER),
    "python:profile": Runner((), _PROFILER),
    "python:pdb": Runner((), OptionTable.of("cp", "command pid")),
    "python:bdb": Runner(()),
    "python:trace": Runner((), OptionTable.of("fC", "file coverdir ignore-module ignore-dir")),
    "python:runpy": Runner(()),
    "coverage": Runner(
        ("run",),
        OptionTable.of("", "concurrency context data-file include omit rcfile save-signal source"),
    ),
    "kernprof": Runner((), OptionTable.of("ospui", "outfile setup prof-mod unit output-interval")),
    "scalene": Runner(
        (),
        OptionTable.of(
            "", "outfile profile-interval cpu-percent-threshold cpu-sampling-rate profile-only "
            "profile-exclude malloc-threshold allocation-sampling-window program-path",
        ),
    ),
    "pyinstrument": Runner((), OptionTable.of("oritp", "outfile renderer interval hide show")),
    "viztracer": Runner((), OptionTable.of("o", "output_file max_stack_depth tracer_entries")),
    "mprof": Runner(("run",), OptionTable.of("ToC", "interval output")),
    "memray": Runner(("run",), OptionTable.of("op", "output live-port")),
    "debugpy": Runner((), OptionTable.of("", "listen connect pid log-to")),
}  # fmt: skip
RUNNERS |= PYTHON_RUNNERS
# What stands behind the version is node's own command line.
_NODE_LINES = words("n nvm nvs")


def unfold_runner(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what a runner runs: the program after its sub-command and options."""
    runner = RUNNERS[call.name]
    start = 1
    carrier = call.name
    if runner.verbs:
        start = runner.before.read(call.words, 1).start
        if start >= len(call.words) or call.words[start].text not in runner.verbs:
            return ()
        carrier = f"{call.name} {call.words[start].text}"
        start += 1
    options = runner.options.read(call.words, start)
    text = options.value(*runner.texts) if runner.texts else None
    if text is not None:
        return (Inner(carrier=carrier, text=text),)
    rest = call.words[options.start + runner.skips :]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    # `yarn exec 'rm -rf x'`, `sops exec-env FILE 'npm test'`: one word is a line for the shell.
    if len(rest) == 1 and rest[0].is_quoted and " " in rest[0].text:
        return (Inner(carrier=carrier, text=rest[0]),)
    rest = _program(call, carrier, options, rest)
    return (Inner(carrier=carrier, words=rest),) if rest else ()


def _program(
    call: WrapperCall, carrier: str, options: Options, rest: tuple[Word, ...]
) -> tuple[Word, ...]:
    """The words of the program as a shell would start it."""
    if call.name == "uv" and options.flags & {"m", "module"}:
        # What `uv run -m x` stands for (uv manual).
        return (Word(text="python"), Word(text="-m"), *rest)
    if call.name == "uv" and rest and rest[0].text.endswith((".py", ".pyw")):
        return (Word(text="python"), *rest)
    if call.name in PYTHON_RUNNERS and rest:
        is_module = call.name == "python:runpy" or options.flags & {"m", "module"}
        return (Word(text="python"), *((Word(text="-m"),) if is_module else ()), *rest)
    if call.name in _NODE_LINES and not carrier.endswith("exec") and rest:
        return (Word(text="node"), *rest)
    if carrier in _FETCHING and rest:
        return (_program_of(rest[0]), *rest[1:])
    return _behind_command(call.words) if call.name == "nix" else rest


_FETCHING = words("npx bunx pnpx") | {"pnpm dlx", "yarn dlx", "npm exec", "npm x", "bun x"}


# Packages in a scope whose program has another name than the part behind the scope.
_PROGRAMS = {
    "@angular/cli": "ng",
    "@anthropic-ai/claude-code": "claude",
    "@aws-amplify/cli": "amplify",
    "@azure/static-web-apps-cli": "swa",
    "@bitwarden/cli": "bw",
    "@capacitor/cli": "cap",
    "@changesets/cli": "changeset",
    "@devcontainers/cli": "devcontainer",
    "@google/gemini-cli": "gemini",
    "@marp-team/marp-cli": "marp",
    "@mermaid-js/mermaid-cli": "mmdc",
    "@nestjs/cli": "nest",
    "@openai/codex": "codex",
    "@playwright/test": "playwright",
    "@react-native-community/cli": "react-native",
    "@salesforce/cli": "sf",
    "@sentry/cli": "sentry-cli",
    "@stoplight/prism-cli": "prism",
    "@stoplight/spectral-cli": "spectral",
    "@tailwindcss/cli": "tailwindcss",
    "@tauri-apps/cli": "tauri",
    "@wordpress/env": "wp-env",
    "@wordpress/scripts": "wp-scripts",
}


def _program_of(word: Word) -> Word:
    """The program of a package: `rimraf` of `rimraf@5`, `shopify` of `@shopify/cli@3`."""
    cut = word.text.find("@", 1)
    package = word.text[:cut] if cut > 0 else word.text
    scope, slash, name = package.partition("/")
    if scope[:1] == "@" and slash:
        package = _PROGRAMS.get(package) or (scope[1:] if name == "cli" else name)
    return word if package == word.text else replace(word, text=package)


def _behind_command(words: tuple[Word, ...]) -> tuple[Word, ...]:
    cut = next((n for n, w in enumerate(words) if w.text in ("-c", "--command")), len(words))
    return words[cut + 1 :]


_GIT = OptionTable.of("cC", "git-dir work-tree namespace exec-path super-prefix config-env")
_GIT_FILTERS = (
    "--tree-filter",
    "--index-filter",
    "--env-filter",
    "--msg-filter",
    "--commit-filter",
    "--parent-filter",
    "--tag-name-filter",
    "--setup",
)


# Flags of `git rebase` that take no value may stand before `-x` in one word.
_BEFORE_EXEC = re.compile(r"-[ifkmnqrv]*x")


def unfold_git(call: WrapperCall) -> tuple[Inner, ...]:
    """Lines git hands to a shell: aliases, `rebase --exec`, `bisect run`, `foreach`, filters."""
    options = _GIT.read(call.words, 1)
    rest = call.words[options.start :]
    if not rest:
        return ()
    folder = options.value("C")
    place = None if folder is None else folder.text if folder.is_known else ""
    made: list[Inner] = []
    for name, word in options.values:
        key, _, value = word.text.partition("=")
        if name == "c" and key.lower().startswith("alias.") and key[6:] == rest[0].text:
            made.extend(_alias(value, word, rest[1:], place))
    match rest[0].text:
        case "rebase":
            made.extend(_after(rest, ("--exec", "-x"), "git rebase --exec", place))
        case "bisect" if len(rest) > 2 and rest[1].text == "run":
            made.append(Inner(carrier="git bisect run", words=rest[2:], folder=place))
        case "submodule":
            made.extend(_foreach(rest))
        case "filter-branch":
            # filter-branch runs in a temporary folder of its own, so no folder is known.
            made.extend(_after(rest, _GIT_FILTERS, "git filter-branch", ""))
    return tuple(made)


def _alias(
    value: str, word: Word, operands: tuple[Word, ...], folder: str | None
) -> tuple[Inner, ...]:
    text = Word(text=value.removeprefix("!"), is_known=word.is_known, sources=word.sources)
    # git gives an alias that begins with `!` to a shell, with the operands behind it (git-
    # config).
    if value[:1] == "!":
        whole = joined((text, *operands))
        return (Inner(carrier="git alias", text=whole, folder=folder),)
    line = joined((Word(text="git"), text, *operands))
    return (Inner(carrier="git alias", text=line, folder=folder),)


def _after(
    words: tuple[Word, ...], names: tuple[str, ...], carrier: str, folder: str | None
) -> list[Inner]:
    """Lines given behind one of several options, joined by `=` or as the next word."""
    made: list[Inner] = []
    for n, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        text: Word | None = None
        if len(name) > 4 and name.startswith("--"):  # git takes a long option by its beginning
            name = next((full for full in names if full.startswith(name)), name)
        if not equals and name in names and n + 1 < len(words):
            text = words[n + 1]
        elif equals and name in names:
            text = Word(text=value, is_known=word.is_known, sources=word.sources)
        elif "-x" in names and (cluster := _BEFORE_EXEC.match(word.text)):
            # `-ix LINE`, and a value may be joined to its letter: `-x'make test'`.
            line = word.text[cluster.end() :]
            text = Word(text=line, is_known=word.is_known, sources=word.sources)
            text = text if line else words[n + 1] if n + 1 < len(words) else None
        if text is not None:
            made.append(Inner(carrier=carrier, text=text, folder=folder))
    return made


def _foreach(rest: tuple[Word, ...]) -> tuple[Inner, ...]:
    words = tuple(word for word in rest[1:] if word.text not in ("--quiet", "-q"))
    if not words or words[0].text != "foreach":
        return ()
    operands = tuple(word for word in words[1:] if word.text != "--recursive")
    if not operands:
        return ()
    # It runs once in each submodule, wherever that lies.
    return (Inner(carrier="git submodule foreach", text=joined(operands), folder=""),)
