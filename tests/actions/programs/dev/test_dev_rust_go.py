"""cargo, rustup, go and zig."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
cargo build --release -p core
cargo test -p core -- --nocapture
cargo add tokio -F full
cargo remove tokio
cargo clippy --all-targets
cargo publish --dry-run
cargo clean -p core
cargo fmt -p core
cargo tree -p core -e no-dev
rustup show
rustc -o target/a src/a.rs
go build -o bin/app ./cmd/app
go test ./... -run TestA
go run .
go run ./cmd/gen
go get example.com/a/b
go mod tidy -v -go=1.22
go vet ./...
go install ./cmd/app
go env GOPATH
go clean -cache
gofmt -w internal
zig build test
nimble build
"""
ASKED = """\
cargo install cargo-edit
cargo install --git https://forge.example/a/b
cargo add --git https://forge.example/a/b dep
cargo publish
cargo yank app@1.0.0
cargo owner --add someone
cargo login
cargo build --config 'build.rustc-wrapper="./x.sh"'
rustup update beta
rustup target add wasm32-unknown-unknown
rustup toolchain uninstall nightly
go install example.com/a/b/cmd/x@latest
go run example.com/a/b@v1
go env -w GOPROXY=direct
nimble install jester
"""
REFUSED = """\
go test -exec 'rm -rf ~' ./...
go build -o /usr/bin/ls .
go build -toolexec 'sh -c "rm -rf /"' .
"""
DOES = {
    "cargo add tokio": "install package project",
    "cargo install cargo-edit": "install package home",
    "cargo publish": "publish package remote",
    "go build -o bin/app .": "write file project",
    "go run example.com/a/b@v1": "install package project",
    "cargo yank app@1.0.0": "delete url remote",
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
