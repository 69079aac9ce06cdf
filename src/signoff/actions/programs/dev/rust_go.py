"""Rust, Go, Zig, Nim and their like: cargo, rustup, go and what belongs to them.

`cargo install` and `go install name@version` put programs into the user's home; options that put a
program before the compiler or the tests run that program.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, reads, remote, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_ACCESS,
    FAR_GONE,
    INERT,
    LOGS_IN,
    LOOK,
    LOOK_UP,
    RELEASE,
    SETS_GLOBAL,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.dev.packages import installed, is_foreign, package_install
from signoff.actions.programs.program import Program, program, sub

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
CARGO_VALUES = (
    "-p --package --bin --example --test --bench -F --features --target --profile "
    "--manifest-path -j --jobs --message-format --color -Z --config --exclude --lockfile-path "
    "--registry --index --vers --version --rev --branch --tag --path --git --root --rename"
)


def _cargo_settings(call: Call) -> Iterator[Effect]:
    """`--config key=value` that names a program runs that program."""
    for word in call.values("--config"):
        key, _, value = word.text.partition("=")
        value = value.strip().strip("\"'")
        if any(mark in key for mark in CARGO_RUNNING) and value:
            if value.rsplit("/", 1)[-1] not in PLAIN_WRAPPERS:
                yield call.opaque("every compilation runs through a program given here")
            yield Nested(
                text=value, language="shell", carrier="cargo --config", is_known=word.is_known
            )
        elif not word.is_known or (not value and "." in key.rsplit("/", 1)[-1]):
            yield call.on_file(Verb.READ, word)


def _cargo_add(call: Call) -> Iterator[Effect]:
    foreign = call.has("--git", "--index", "--registry")
    for word in call.operands:
        yield installed(call, word.text, foreign=foreign or is_foreign(word, call))
    if not call.operands:
        yield installed(call, "", foreign=foreign)


def _cargo_install(call: Call) -> Iterator[Effect]:
    if call.has("--list"):
        yield from call.perform(LOOK)
        return
    foreign = call.has("--git", "--index")
    for word in call.operands or call.values("--path", "--git"):
        yield installed(call, word.text, wide=True, foreign=foreign or is_foreign(word, call))


def _cargo_run(call: Call) -> Iterator[Effect]:
    yield from _cargo_settings(call)
    yield from call.perform(BUILD)


CARGO_BUILDS = (
    "build b check c test t bench run r doc d clippy rustc rustdoc nextest expand miri fuzz "
    "llvm-cov "
    "tarpaulin watch hack careful asm bloat criterion flamegraph semver-checks udeps machete "
    "deny audit geiger insta mutants public-api msrv spellcheck sort shear sweep zigbuild "
    "xtask make leptos tauri dist deb rpm bundle wasi web ndk apk component lambda espflash "
    "vet outdated license about readme diet unused-features hakari sqlx ament dylint sonar prove"
)
CARGO = program(
    "cargo cross",
    values="--config -C -Z --color --explain",
    by_options=_cargo_settings,
    subs={
        CARGO_BUILDS: sub(handler=_cargo_run, values=CARGO_VALUES),
        "fmt": sub(writes(), harmless="--check"),
        "fix": sub(CHANGES_PROJECT, values=CARGO_VALUES),
        "add": sub(handler=_cargo_add, values=CARGO_VALUES, harmless="-n --dry-run -h"),
        "update upgrade fetch vendor generate-lockfile": sub(
            ADDED, values=CARGO_VALUES, harmless="--dry-run -n -h"
        ),
        "remove rm": sub(TAKEN_OUT, values=CARGO_VALUES, harmless="-n --dry-run -h"),
        "install binstall": sub(
            handler=_cargo_install, values=CARGO_VALUES, harmless="--dry-run -n -h"
        ),
        "install-update": sub(ADDED_FOR_USER, acting={"-l --list": LOOK}),
        "uninstall": sub(TAKEN_FROM_USER, values=CARGO_VALUES),
        "clean": sub(BUILT_GONE, values=CARGO_VALUES, harmless="-n --dry-run"),
        "cache": CACHE_GONE,
        "publish": sub(RELEASE, values=CARGO_VALUES, harmless="-n --dry-run -h"),
        "release": sub(LOOK, acting={"-x --execute": RELEASE}, values=CARGO_VALUES),
        "yank unyank": sub(FAR_GONE, values=CARGO_VALUES),
        "owner": sub(FAR_ACCESS, acting={"-l --list": LOOK_UP}, values="-a --add -r --remove"),
        "login logout": sub(LOGS_IN, values="--registry"),
        "new init package generate set-version version": sub(CHANGES_PROJECT, values=CARGO_VALUES),
        "metadata tree locate-project pkgid read-manifest verify-project search info help list "
        "version report config modules depgraph duplicates crate": LOOK,
    },
    acting={"--list": LOOK, "--explain": LOOK},
    harmless="-V -h",
)
RUSTUP = program(
    "rustup",
    subs={
        "update upgrade install default set self-update": ADDED_FOR_USER,
        "override": sub(ADDED_FOR_USER, subs={"list": LOOK}),
        "uninstall": TAKEN_FROM_USER,
        "toolchain target component": sub(
            LOOK,
            subs={
                "install add update link": ADDED_FOR_USER,
                "uninstall remove": TAKEN_FROM_USER,
                "list": LOOK,
            },
        ),
        "self": sub(subs={"update upgrade-data": ADDED_FOR_USER, "uninstall": TAKEN_FROM_USER}),
        "show check doc docs man which help completions dump-testament": LOOK,
        "run": BUILD,
    },
    harmless="-V -h",
)
GO_VALUES = (
    "-o -p -asmflags -buildmode -buildvcs -compiler -gcflags -ldflags -mod -modfile -overlay "
    "-pkgdir "
    "-tags -toolexec -exec -run -bench -benchtime -count -coverprofile -coverpkg -cpu -timeout "
    "-skip "
    "-cpuprofile -memprofile -trace -outputdir -vettool -C -json -covermode -fuzz -fuzztime "
    "-parallel -list -shuffle -C -vet -parallel -blockprofile -mutexprofile"
)
GO_WRITES = "-o -coverprofile -cpuprofile -memprofile -trace -blockprofile -mutexprofile"
GO_RUNS = "-toolexec -exec -vettool"


def _go_run(call: Call) -> Iterator[Effect]:
    """`go run .` builds and runs the project; `go run path@version` fetches foreign code."""
    for word in call.operands[:1]:
        if "@" in word.text or is_foreign(word, call):
            yield installed(call, word.text, foreign=True)
        elif word.text.endswith(".go") or word.text[:1] in {".", "/"}:
            yield call.on_file(Verb.EXECUTE, word)
        else:
            yield from call.perform(BUILD)


def _go_install(call: Call) -> Iterator[Effect]:
    """`go install ./cmd/x` installs the project's own; `name@version` a program for the user."""
    for word in call.operands:
        wide = "@" in word.text
        yield installed(call, word.text, wide=wide)
    if not call.operands:
        yield from call.perform(BUILD)


def _go_clean(call: Call) -> Iterator[Effect]:
    yield from call.perform(CACHE_GONE)


def _go_env(call: Call) -> Iterator[Effect]:
    """`go env -w` changes every later build of this user."""
    if not call.has("-w", "-u"):
        yield from call.perform(LOOK)
        return
    yield from call.perform(SETS_GLOBAL)
    for word in call.operands:
        name, _, value = word.text.partition("=")
        off = {"GONOSUMDB", "GONOSUMCHECK", "GOINSECURE", "GOFLAGS", "GOSUMDB", "GOTOOLCHAIN"}
        if name == "GOFLAGS" and ("toolexec" in value or "-exec" in value):
            yield call.opaque("every later build runs this program", Trait.ENVIRONMENT)
        elif name in off and value in {"off", "*"}:
            yield call.operation(
                Verb.CONFIGURE,
                Thing.PROTECTION,
                word.text,
                traits=(Trait.WEAKENS,),
                reach=Reach.HOME,
            )


GO_BUILD = sub(BUILD, values=GO_VALUES, writes=GO_WRITES, runs=GO_RUNS)
GO = program(
    "go gotip",
    values="-C",
    subs={
        "build test vet generate fix tool": GO_BUILD,
        "run": sub(handler=_go_run, values=GO_VALUES, runs=GO_RUNS, options_first=True),
        "install": sub(handler=_go_install, values=GO_VALUES, runs=GO_RUNS),
        "get": sub(ADDED, values=GO_VALUES),
        "mod work": sub(
            CHANGES_PROJECT,
            subs={"download tidy vendor": ADDED, "graph why verify": LOOK},
            values="-replace -require -dropreplace -go -droprequire -use -dropuse",
        ),
        "clean": sub(handler=_go_clean),
        "env": sub(handler=_go_env),
        "fmt": sub(writes()),
        "list doc version bug help telemetry": sub(LOOK, values="-f -m -tags"),
    },
    harmless="-h",
)
ZIG = program(
    "zig",
    subs={
        "build test run": sub(BUILD, values="-D --prefix -p"),
        "build-exe build-lib build-obj translate-c cc c++ ar": sub(
            BUILD, values="-o -target -O", writes="-o"
        ),
        "fmt": sub(writes(), harmless="--check"),
        "init init-exe init-lib": CHANGES_PROJECT,
        "fetch": sub(handler=package_install(), values="--save"),
        "env version targets zen libc std help ast-check": LOOK,
    },
)
PROGRAMS: tuple[Program, ...] = (
    CARGO,
    RUSTUP,
    program(
        "rustc",
        BUILD,
        values="--emit --edition -L -l --crate-type --target -C --cfg",
        writes="-o --out-dir",
    ),
    program("rustdoc", BUILD, values="--crate-name -L --edition", writes="-o --out-dir"),
    program(
        "rustfmt gofmt gofumpt goimports golines",
        reads(),
        acting={"-w": writes(), "-i": writes()},
        values="--edition --config -r -local -srcdir",
        harmless="--check -d",
    ),
    GO,
    ZIG,
    program("golangci-lint staticcheck revive govulncheck errcheck", BUILD, values="-c --config"),
    program("gotests mockgen stringer wire", BUILD, writes="-destination -o"),
    program(
        "goenv gvm g",
        subs={
            "install update": ADDED_FOR_USER,
            "uninstall implode remove": TAKEN_FROM_USER,
            "global": SETS_GLOBAL,
            "version versions local list ls ls-all ls-remote use listall init rehash which": LOOK,
        },
    ),
    program("gore yaegi evcxr", INERT),
    program(
        "ko",
        subs={
            "apply create run": remote(Verb.WRITE, Thing.CLUSTER),
            "delete": remote(Verb.DELETE, Thing.CLUSTER),
            "build publish": RELEASE,
            "resolve": BUILD,
            "login": LOGS_IN,
            "deps version": LOOK,
        },
    ),
    program(
        "nimble",
        subs={
            "install": sub(handler=package_install(always_wide=True)),
            "uninstall": TAKEN_FROM_USER,
            "publish": RELEASE,
            "build c cpp js test run check doc tasks shell": BUILD,
            "init develop lock deps sync setup dump": CHANGES_PROJECT,
            "list search path refresh help": LOOK,
        },
        harmless="-h -v",
    ),
    program("nim", BUILD, values="-d --define -o --out --outdir", writes="-o --out --outdir"),
    program("wasm-pack", subs={"publish": RELEASE, "login": LOGS_IN, "build test pack new": BUILD}),
    program("trunk", subs={"build serve watch clean config tools": BUILD}),
    program("sccache ccache", BUILD, acting={"-C --clear": CACHE_GONE, "-z --zero-stats": LOOK}),
    program("rust-analyzer gopls zls", INERT),
)
