"""Which downloaded files a command is given to run, whatever the program is called.

curl -o load.js URL; k6 run load.js          runs it
curl -o app.py URL; uvicorn app:server       runs it
curl -o lib.ts URL; tsc --noEmit lib.ts      reads it
curl -o data.csv URL; ./report data.csv      reads it: no code by its name
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from signoff.actions.operation import Operation, ResourceType, Verb
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import words

_MOST_WORDS = 60
_CODE = words(
    "js mjs cjs ts mts cts jsx tsx py pyw rb php phar pl pm lua tcl exs ex erl hs lhs ml"
    " scala sc kt kts groovy gradle swift dart nim zig v go rs java class jar war wasm sh bash"
    " zsh fish nu ps1 psm1 bat cmd r rmd qmd jl gd scm el vim smk nf cwl wdl sol mk rake bzl"
    " sbt clj cljs lisp rkt raku cr fsx csx vbs applescript scpt robot feature"
)
# They read code, change its form or compile it; what they make is another file.
_READS = words(
    "tsc vue-tsc svelte-check tsserver prettier eslint eslint_d tslint stylelint biome jshint"
    " jslint standard xo oxlint ruff black isort flake8 pylint mypy pyright basedpyright"
    " bandit pyflakes pyupgrade autopep8 yapf vulture radon rubocop standardrb phpcs phpcbf"
    " phpstan psalm phan gofmt gofumpt goimports golint golangci-lint staticcheck rustfmt"
    " clang-format clang-tidy cppcheck shellcheck shfmt terser uglifyjs esbuild swc babel"
    " rollup sass postcss typedoc jsdoc javadoc pandoc asciidoctor cloc scc tokei semgrep snyk"
    " trivy gitleaks codespell cspell yamllint ktlint detekt swiftlint swiftformat dartfmt"
    " stylua luacheck perltidy perlcritic hlint ormolu gcc g++ cc c++ clang clang++ rustc"
    " javac kotlinc scalac ghc swiftc valac cython nuitka mypyc pygmentize bat highlight"
    " silicon jupytext nbstripout nbqa knip depcheck madge jscpd ctags"
)
_READS_BY = words(
    "check fmt format lint vet build build-exe compile c cc analyze doc docs test-compile"
    " validate parse inspect syntax-check"
)
# What stands behind these is another command, which is looked at by itself.
_CARRIERS = words(
    "npx bunx pnpm yarn npm bun uvx pipx poetry uv pdm hatch rye bundle conda mamba"
    " micromamba nix nix-shell docker podman nerdctl docker-compose env sudo doas time nice"
    " nohup xargs git"
)


def named_code(command: Command) -> frozenset[str]:
    """Return the paths of code that a command names and would run, if it runs anything."""
    texts = [word.text for word in command.words[1:_MOST_WORDS]]
    is_read = command.program in _READS | _CARRIERS or not _READS_BY.isdisjoint(texts[:2])
    if is_read:
        return frozenset()
    return frozenset(path for text in texts for path in _named(command, text) if _is_code(path))


def runs_code(op: Operation) -> bool:
    """Return whether an operation runs code, or starts a server of it."""
    if op.verb is Verb.EXECUTE:
        return op.thing is ResourceType.CODE
    return op.verb is Verb.CONTROL and op.thing is ResourceType.PROCESS


def _is_code(path: str) -> bool:
    return path.rpartition(".")[2].lower() in _CODE


def _named(command: Command, text: str) -> Iterator[str]:
    """Yield the files that a word may name: `a.py`, `--config=a.js`, `a:app` of Python."""
    value = text.partition("=")[2] if text[:1] == "-" else text
    if value:
        yield posixpath.normpath(posixpath.join(command.cwd, value.removeprefix("@")))
        module, mark, _ = value.partition(":")
        if mark and module.replace(".", "").replace("_", "").isalnum():
            file = f"{module.replace('.', '/')}.py"
            yield posixpath.normpath(posixpath.join(command.cwd, file))
