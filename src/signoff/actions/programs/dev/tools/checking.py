"""Test runners, linters, formatters, type checkers: they read the project, some change its files.

Whatever they are told about unused, deleted or removed things is a matter of their reports.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Verb
from signoff.actions.programs.acts import Effect, reads, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    LOGS_IN,
    LOOK,
    SENDS_UP,
    SERVES,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.program import Program, program, sub

REPORTS = "-o --output --output-file --outputFile --report --junitxml --junit-xml --out --log-file"
SETTINGS = (
    "-c --config --config-file --settings -k -m -n -p --rootdir --ignore --select --line-length -t "
    "--target-version --filter --format -f --parser --plugin -e --ext --rule --testNamePattern "
    "--timeout --workers -w -j --jobs --maxfail --tb --reporter --project --browser --grep -g "
    "--env "
    "--baseURL --spec --cov --cov-report --require -r --rules --disable --enable --severity -s -S "
    "--shell --exclude -x --include -W -l --log-level --confcutdir --basetemp --profile "
    "--max-workers"
)


def _playwright(call: Call) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def _node_tests(call: Call) -> Iterator[Effect]:
    """`jest`, `mocha`: `--globalSetup` and `--require` name code of the project."""
    for word in call.values("--require", "-r", "--globalSetup", "--setupFiles", "--import"):
        if word.text.startswith(("/", "~", "../")):
            yield call.on_file(Verb.EXECUTE, word)
    yield from call.perform(BUILD)


TESTS = (
    program(
        "pytest py.test nose2 nosetests unittest trial ward green stestr testr behave radish "
        "robot pabot lettuce hypothesis mutmut cosmic-ray coverage bats shunit2 shellspec "
        "roundup ginkgo gotestsum gocov richgo testem wtr web-test-runner testcafe nightwatch "
        "codeceptjs cucumber-js newman k6 locust artillery gatling jmeter pa11y lighthouse lhci "
        "backstop percy maestro appium karate hurl tavern schemathesis busted tap tape ava mocha "
        "jasmine karma qunit nyc c8 stryker smalltalkci googletest doctest test262 buttercup "
        "ert-runner xctest",
        handler=_node_tests,
        values=SETTINGS,
        writes=f"{REPORTS} --json-report-file -json --summary-export",
        harmless="-h --collect-only --co --fixtures --markers --setup-plan",
    ),
    program(
        "jest vitest",
        handler=_node_tests,
        values=SETTINGS,
        writes=REPORTS,
        acting={"--clearCache --clear-cache": CACHE_GONE, "--listTests --showConfig": LOOK},
        harmless="-h",
        subs={"init": CHANGES_PROJECT, "list": LOOK},
    ),
    program(
        "playwright cypress",
        subs={
            "install install-deps": sub(handler=package_install()),
            "uninstall clear-cache": CACHE_GONE,
            "cache": sub(LOOK, subs={"clear prune": CACHE_GONE}),
            "codegen screenshot pdf": sub(BUILD, writes="-o --output"),
            "run test open show-report show-trace merge-reports verify info version": sub(
                handler=_playwright, values=f"{SETTINGS} --key --record-key"
            ),
        },
        handler=_playwright,
        harmless="-h -v",
    ),
    program(
        "wdio storybook sb start-storybook build-storybook chromatic", BUILD, subs={"dev": SERVES}
    ),
)
RUFF = program(
    "ruff",
    values=SETTINGS,
    subs={
        "check": sub(
            reads(default="."),
            acting={"--fix --fix-only --unsafe-fixes --add-noqa": writes(default=".")},
            values=SETTINGS,
            writes="-o --output-file",
            harmless="--diff",
        ),
        "format": sub(writes(default="."), values=SETTINGS, harmless="--check --diff"),
        "clean": CACHE_GONE,
        "rule config linter version server analyze help": LOOK,
    },
    handler=lambda call: call.perform(BUILD),
    harmless="-h -V",
)
FORMATS = "-c --config --parser --plugin --style --line-length --ext --rule --ignore -S"
WRITING = (
    program(
        "black isort yapf autopep8 autoflake pyupgrade docformatter reorder-python-imports blue "
        "darker ssort add-trailing-comma unify usort pycln shed unimport tidyall",
        writes(),
        values=f"{FORMATS} -l -m -t --profile",
        harmless="--check --diff --check-only -d -h",
    ),
    program(
        "prettier prettierd shfmt gci buildifier taplo yamlfmt nixfmt "
        "alejandra nixpkgs-fmt cmake-format gersemi fprettify asmfmt zprint cljfmt joker "
        "mdformat remark djlint prettydiff js-beautify standard xo fixjson json5 sqlfmt "
        "pgformatter pg_format beautysh sort-package-json topiary treefmt "
        "google-java-format-diff eslint_d eslint stylelint tslint  rubyfmt htmlbeautifier",
        reads(),
        acting={
            "-w --write -i --in-place --fix --fix-all --replace -s --inplace": writes(),
        },
        values=FORMATS,
        writes=REPORTS,
        harmless="--check --list-different -h -d --diff --print-config",
    ),
    program(
        "biome rome dprint oxlint",
        reads(),
        acting={"--write --fix --apply --apply-unsafe": writes(default=".")},
        subs={
            "format check lint ci fmt": sub(
                reads(default="."),
                acting={"--write --fix --apply --unsafe": writes(default=".")},
                values=FORMATS,
            ),
            "init migrate": CHANGES_PROJECT,
            "start stop rage version search explain": LOOK,
        },
    ),
)
LINTERS = (
    program(
        "pylint flake8 mypy pyright basedpyright pyre pytype ty pydocstyle pycodestyle pyflakes "
        "bandit vulture radon xenon prospector pylama dodgy interrogate wemake deptry "
        "import-linter lint-imports semgrep opengrep shellcheck yamllint actionlint zizmor "
        "markdownlint markdownlint-cli2 mdl vale proselint write-good textlint alex cspell "
        "misspell typos jsonlint jshint jscs csslint htmlhint html-validate tidy-html5 vnu "
        "kube-linter spectral redocly sqlfluff squawk checkmake editorconfig-checker ec ls-lint "
        "lychee linkchecker linkcheck dead-code knip depcheck ts-prune madge dependency-cruiser "
        "depcruise size-limit bundlesize publint attw license-checker licensee reuse osv-scanner "
        "dockerfile_lint yaml-lint tldr-lint vint slim-lint haml-lint erb_lint "
        "rails_best_practices credo dialyxir ameba core-validate-commit npm-check ncu "
        "npm-check-updates npm-name npm-home npm-why yarn-why pip-licenses check-manifest "
        "validate-pyproject lebab svgr jscodeshift ast-grep comby fastmod codemod repomix "
        "code2prompt",
        BUILD,
        values=SETTINGS,
        writes=REPORTS,
        harmless="-h",
    ),
    program("gosec govet nilaway mega-linter", BUILD, writes="-out -o"),
    program(
        "sonar-scanner-cli codeclimate deepsource",
        SENDS_UP,
        subs={"help version": LOOK, "auth": LOGS_IN, "analyze": BUILD, "clean": BUILT_GONE},
    ),
)
PROGRAMS: tuple[Program, ...] = (*TESTS, RUFF, *WRITING, *LINTERS)
