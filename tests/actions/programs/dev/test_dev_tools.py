"""Editors, compilers, checkers, documents, notebooks and boards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
pdflatex -shell-escape paper.tex
view src/a.py
irb
vim src/a.py
vim -c 'set number' -c wq notes.md
vim +42 src/a.py
emacs -nw src/a.el
nano TODO
code .
code --diff a b
gcc -O2 -o build/a a.c
clang++ -std=c++20 -c a.cc
ld -o build/a a.o
clang-format -i a.cc
ruff check --fix src
ruff format --check .
black src
eslint --fix src
prettier --write .
pytest -q -k api
jest --coverage
mypy --strict src
shellcheck run.sh
autoflake --remove-all-unused-imports -i a.py
playwright test
hugo server
mkdocs build --strict
sphinx-build docs out
pandoc a.md -o a.pdf
latexmk -pdf paper.tex
protoc --go_out=. a.proto
jupyter lab --no-browser notes
jupyter nbconvert --to html a.ipynb
dvc pull
dbt run -s orders
ollama list qwen
pio run
"""
ASKED = """\
irb <<< "exec '/bin/sh'"
view -c ':!/bin/bash'
lualatex --shell-escape '\\\\write18{sh}'
vim /etc/hosts
vim -c 'py3 import os' a
nvim -c "call system(g:cmd)"
emacs --batch --eval '(delete-directory "x" t)'
code --install-extension a.b
code tunnel
hugo deploy
mkdocs gh-deploy
jupyter lab --ip 0.0.0.0
jupyter notebook --NotebookApp.token=''
dvc push -r store
dvc gc -w
dbt run --target prod
huggingface-cli upload a b
ollama rm a
arduino-cli upload -p /dev/ttyACM0
pio pkg publish
tlmgr install booktabs
"""
REFUSED = """\
vim -c '!rm -rf ~' a
gcc -o /usr/bin/ls a.c
gcc -wrapper sh,-c,'rm -rf /' a.c
"""
DOES = {
    "gcc -o build/a a.c": "write file project",
    "black src": "write file project",
    "ruff check src/app tests": "read file project",
    "code --install-extension a.b": "install package home",
    "dvc push -r store": "network-out file remote",
}


@pytest.mark.parametrize("line", PASSES.splitlines())
def test_ordinary_work_passes(line: str, verdict: Callable[[str], str]) -> None:
    """Reading, building and changing the project need no question."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED.splitlines())
def test_consequential_work_is_asked_about(line: str, verdict: Callable[[str], str]) -> None:
    """What reaches beyond the project or loses something is put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize("line", REFUSED.splitlines())
def test_disasters_are_refused(line: str, verdict: Callable[[str], str]) -> None:
    """What nobody ever wants is refused alone."""
    assert verdict(line) == "deny"


@pytest.mark.parametrize(("line", "effect"), DOES.items())
def test_effect_is_told(line: str, effect: str, effects: Callable[[str], set[str]]) -> None:
    """A line means its verb, its thing and its reach."""
    assert effect in effects(line)
