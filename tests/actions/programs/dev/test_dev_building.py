"""make, cmake, bazel, just and other task runners."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
make
make -j4 test
make clean
make -n install
make CC=clang all
make install DESTDIR=build/stage
cmake -S . -B build -G Ninja
cmake --build build -t all
cmake --install build --prefix dist
cmake -E make_directory out
ctest --test-dir build
ninja -C build
meson setup build-debug
bazel test //...
bazel clean
just --list --unsorted
just build
go-task lint
turbo run build --filter=web
nx run app:build
npx tsc --noEmit
tsc -p .
vite build
webpack --mode production
pre-commit run -a
pm2 start app.js
"""
ASKED = """\
make -j2 install
make deploy
make db-reset
make publish
make --eval 'all:; x'
make SHELL=./x.sh
cmake --install build
cmake --build build --target install
ninja install
meson install
just release
go-task deploy
turbo login --sso-team=acme
lerna publish
nx run app:deploy
goreleaser release
"""
REFUSED = """\
cmake -E rm -rf /
cmake -E env X=1 rm -rf ~
just --command rm -rf ~
"""
DOES = {
    "make -j2 install": "install package system",
    "make deploy": "publish package remote",
    "cmake -S . -B build": "write file project",
    "just build": "execute code project",
    "make db-reset": "delete nothing project",
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
