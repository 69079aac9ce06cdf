"""Rust, Go, Zig, Nim and their like: cargo, rustup, go and what belongs to them.

`cargo install` and `go install name@version` put programs into the user's home; options that put a
program before the compiler or the tests run that program.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.dev.packages import installed, is_foreign, is_usual_source
from signoff.actions.programs.effect_presets import BUILD, CLEAR_CACHE, CONFIGURE_USER, INSPECT
from signoff.actions.programs.plain_names import is_plain_value
from signoff.actions.shell.command import Word

# Parts of keys whose value cargo runs (The Cargo Book, Configuration); `alias.`
# names sub-commands.
CARGO_RUNNING = (
    "rustc-wrapper",
    "rustc-workspace-wrapper",
    ".runner",
    ".linker",
    "build.rustc",
    "credential-provider",
    "rustdoc",
    "alias.",
)
PLAIN_WRAPPERS = frozenset(
    {"sccache", "ccache", "clippy-driver", "mold", "lld", "clang", "gcc", "cc"}
)


def cargo_settings(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `--config key=value` that names a program runs that program."""
    for word in call.values("--config"):
        key, _, value = word.text.partition("=")
        value = value.strip().strip("\"'")
        if any(mark in key for mark in CARGO_RUNNING) and value:
            if not is_plain_value(value, PLAIN_WRAPPERS):
                yield call.opaque("every compilation runs through a program given here")
            yield Nested(
                text=value, language="shell", carrier="cargo --config", is_known=word.is_known
            )
        elif not word.is_known or (not value and "." in key.rsplit("/", 1)[-1]):
            # `--config FILE.toml`: a file of settings, not a key.
            yield call.on_file(Verb.READ, word)


def cargo_add(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `cargo add`: adds dependencies, foreign ones by `--git` and the like."""
    foreign = call.has("--git") or not all(
        map(is_usual_source, call.values("--index", "--registry"))
    )
    for word in call.operands:
        yield installed(call, word.text, foreign=foreign or is_foreign(word, call))
    if not call.operands:
        yield installed(call, "", foreign=foreign)


def cargo_install(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `cargo install`: a program for the user; `--list` only looks."""
    if call.has("--list"):
        yield from call.perform(INSPECT)
        return
    foreign = call.has("--git", "--index")
    # Without a name the crate is that of the folder or repository.
    for word in call.operands or call.values("--path", "--git"):
        yield installed(call, word.text, wide=True, foreign=foreign or is_foreign(word, call))


def cargo_run(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `cargo run`: builds and runs the project, with its settings."""
    yield from cargo_settings(call)
    yield from call.perform(BUILD)


def go_run(call: ProgramCall) -> Iterator[Effect]:
    """`go run .` builds and runs the project; `go run path@version` fetches foreign code."""
    for word in call.operands[:1]:
        is_file = word.text.endswith(".go") or word.text[:1] in {".", "/"}
        if is_file and "@" not in word.text and "://" not in word.text:
            yield call.on_file(Verb.EXECUTE, word)
            yield from _literals_of(call, word)
        elif "@" in word.text or is_foreign(word, call):
            # With a version go ignores the project's go.mod (`go help run`).
            yield installed(call, word.text, foreign=True)
        else:
            yield from call.perform(BUILD)


def _literals_of(call: ProgramCall, word: Word) -> Iterator[Effect]:
    """What the literals of a known source say: Go itself is not read."""
    fact = call.place.files.get(locate(word.text, call.place).path) if word.is_known else None
    if fact is not None and fact.text:
        yield Nested(text=fact.text, language="literals", carrier="go run")


def go_install(call: ProgramCall) -> Iterator[Effect]:
    """`go install ./cmd/x` installs the project's own; `name@version` a program for the user."""
    for word in call.operands:
        wide = "@" in word.text
        yield installed(call, word.text, wide=wide)
    if not call.operands:
        yield from call.perform(BUILD)


def go_clean(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `go clean`: deletes caches."""
    yield from call.perform(CLEAR_CACHE)


def go_env(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `go env -w` changes every later build of this user."""
    if not call.has("-w", "-u"):
        yield from call.perform(INSPECT)
        return
    yield from call.perform(CONFIGURE_USER)
    for word in call.operands:
        name, _, value = word.text.partition("=")
        off = {"GONOSUMDB", "GONOSUMCHECK", "GOINSECURE", "GOFLAGS", "GOSUMDB", "GOTOOLCHAIN"}
        # `-toolexec` puts a program before the compiler, `-exec` before tests and binaries.
        if name == "GOFLAGS" and ("toolexec" in value or "-exec" in value):
            yield call.opaque("every later build runs this program", Trait.ENVIRONMENT)
        elif name in off and value in {"off", "*"}:
            # Switches off the checksum database or TLS for every module, not for some private
            # ones.
            yield call.operation(
                Verb.CONFIGURE,
                ResourceType.PROTECTION,
                word.text,
                traits=(Trait.WEAKENS,),
                reach=Reach.HOME,
            )


def named_tool(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `cargo sqlx X` is `sqlx X`."""
    words = call.command.words
    at = next((n for n, word in enumerate(words) if word.text == "sqlx"), len(words))
    yield Nested(text=rejoin(words[at:]), language="shell", carrier="cargo")
