"""Tools of special trades: version managers, releases, contracts, boxes, editor extensions."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, remote
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_CHANGE,
    FAR_CONTROL,
    FAR_GONE,
    FAR_READ,
    FETCH,
    INERT,
    LOGS_IN,
    LOOK,
    LOST,
    RELEASE,
    SENDS_UP,
    SERVES,
    SETS_GLOBAL,
    SHOWS_SECRET,
    TAKEN_FROM_USER,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.program import Program, program, sub

SPENDS = Act(
    Verb.SPEND, Thing.MONEY, On.OPERANDS, reach=Reach.REMOTE, reversible=False, always=True
)
OPENS_TUNNEL = Act(
    Verb.CONTROL,
    Thing.NETWORK,
    On.NOTHING,
    frozenset({Trait.LISTENS}),
    Reach.SYSTEM,
    reversible=False,
    always=True,
)


def _build(call: Call) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def _look(call: Call) -> Iterator[Effect]:
    yield from call.perform(LOOK)


def _contract(call: Call) -> Iterator[Effect]:
    """`hardhat run --network x`: on a public chain it costs money."""
    network = call.value("--network", "--rpc-url", "--fork-url")
    near = network is None or any(
        mark in network.text for mark in ("localhost", "127.0.0.1", "hardhat", "dev", "anvil")
    )
    sends = call.has("--broadcast") or not call.name.startswith("forge")
    yield from call.perform(BUILD if near or not sends else SPENDS)


VERSIONS = (
    program(
        "tfenv tgenv tfswitch phpbrew phpenv nodebrew luaver luaenv swiftenv crenv scalaenv denv "
        "dvm "
        "bvm zvm zigup elan choosenim vmr vfox proto exenv evm rig renv bob vf rv",
        subs={
            "install i upgrade update self-update sync get add switch toolchain": ADDED_FOR_USER,
            "uninstall remove rm erase clean purge": TAKEN_FROM_USER,
            "global default pin alias set": SETS_GLOBAL,
            "list ls list-remote list-all available use local version versions which exec run env "
            "init current info search help shell rehash show new activate deactivate connect": LOOK,
        },
        handler=_look,
        values="-p --python",
        harmless="-h",
    ),
    program("nrm yrm", subs={"use add del set": SETS_GLOBAL, "ls current test": LOOK}),
)
RELEASES = (
    program(
        "bump2version bumpversion bump-my-version towncrier reno changie git-chglog tbump "
        "conventional-changelog auto-changelog lerna-changelog cargo-release doctoc "
        "all-contributors "
        "versionize gitversion",
        CHANGES_PROJECT,
        harmless="-n --dry-run -h",
    ),
    program("release-please", RELEASE, harmless="--dry-run"),
    program(
        "maturin cibuildwheel delocate auditwheel scikit-build check-wheel-contents",
        subs={
            "publish upload": RELEASE,
            "develop build sdist new init generate-ci list-python": BUILD,
        },
        handler=_build,
    ),
    program(
        "vsce ovsx",
        subs={
            "publish": RELEASE,
            "unpublish": FAR_GONE,
            "login logout create-namespace verify-pat": LOGS_IN,
            "package ls generate-manifest": sub(BUILD, writes="-o --out"),
            "show search get ls-publishers": LOOK,
        },
    ),
    program("web-ext", subs={"sign": RELEASE, "build run lint docs": BUILD}),
    program(
        "fdroid",
        subs={
            "publish deploy": RELEASE,
            "signindex": LOGS_IN,
            "build init update import gpgsign verify install rewritemeta": BUILD,
        },
        handler=_build,
    ),
    program(
        "exercism codecrafters leetcode kattis aoc codechef",
        subs={
            "submit": SENDS_UP,
            "configure login": LOGS_IN,
            "download": FETCH,
            "upgrade": ADDED_FOR_USER,
        },
        handler=_build,
    ),
    program(
        "pact-broker",
        subs={
            "publish": RELEASE,
            "describe-version can-i-deploy list-latest-pact-versions": FAR_READ,
        },
        by_words=FAR_CHANGE,
    ),
    program(
        "rover apollo",
        subs={
            "subgraph graph service client": sub(
                FAR_READ, subs={"publish push": RELEASE, "delete": FAR_GONE}
            ),
            "config": LOGS_IN,
            "dev": SERVES,
        },
        handler=_build,
    ),
)
CHAINS = (
    program(
        "hardhat truffle brownie ape dapp embark",
        subs={
            "run migrate deploy ignition exec console networks": sub(
                handler=_contract, values="--network"
            ),
            "compile test build init clean node develop flatten verify coverage unbox": BUILD,
        },
        values="--network",
        handler=_contract,
    ),
    program(
        "forge",
        subs={
            "create script": sub(handler=_contract, values="--rpc-url --fork-url --private-key"),
            "install update remove": ADDED,
            "clean": BUILT_GONE,
            "publish": RELEASE,
        },
        handler=_build,
    ),
    program(
        "cast",
        subs={"send publish": SPENDS, "wallet": SHOWS_SECRET, "rpc": FAR_CHANGE},
        handler=_look,
    ),
    program("anvil ganache ganache-cli", SERVES),
)
BOXES = (
    program(
        "ddev lando docksal fin kool valet homestead envoy devcontainer warden laradock takeout",
        subs={
            "delete destroy rm clean": LOST,
            "poweroff trust secure unsecure install uninstall park link unlink": SETS_GLOBAL,
            "share": OPENS_TUNNEL,
            "push deploy": FAR_CHANGE,
        },
        handler=_build,
    ),
    program(
        "gitpod coder codespaces daytona",
        subs={
            "list ls status version logs": FAR_READ,
            "login logout": LOGS_IN,
            "delete": FAR_GONE,
        },
        by_words=FAR_CONTROL,
    ),
    program(
        "pack nixpacks railpack jib s2i",
        subs={
            "build inspect builder sbom": sub(BUILD, acting={"--publish": RELEASE}),
            "config": SETS_GLOBAL,
            "cache": CACHE_GONE,
        },
        handler=_build,
    ),
    program(
        "json-server verdaccio localstack prism mockoon-cli wiremock stoplight datasette sinopia "
        "chromedriver geckodriver moto_server",
        SERVES,
        subs={
            "stop status logs config version": LOOK,
            "publish": RELEASE,
            "update": ADDED_FOR_USER,
        },
        values="-p --port -h --host",
    ),
)
OTHERS = (
    program(
        "meteor redwood rw blitz payload wasp",
        subs={
            "deploy publish": RELEASE,
            "reset": LOST,
            "add update": ADDED,
            "remove": CHANGES_PROJECT,
            "login logout": LOGS_IN,
        },
        handler=_build,
    ),
    program(
        "hasura",
        subs={
            "migrate metadata seed": sub(
                remote(Verb.WRITE, Thing.DATABASE),
                subs={"status diff export create list": LOOK, "delete clear": LOST},
                harmless="--dry-run",
            ),
            "deploy": FAR_CHANGE,
            "console init version": SERVES,
        },
    ),
    program(
        "alr",
        subs={
            "get with index toolchain install update pin": ADDED_FOR_USER,
            "publish": RELEASE,
            "clean": BUILT_GONE,
            "search list show help version printenv": LOOK,
        },
        handler=_build,
    ),
    program("b4", subs={"send ty": SENDS_UP, "am mbox shazam pr diff kr prep trailers": FETCH}),
    program(
        "jwt jsonschema ajv check-jsonschema jscpd cppclean drupal-check bundler-audit "
        "bundle-audit talisman swagger-cli oas speccy dhall dhall-to-json dhall-to-yaml jsonnet "
        "jb cue json2yaml yaml2json",
        BUILD,
        writes="-o --output --outfile",
    ),
    program(
        "in-toto-record in-toto-run in-toto-sign in-toto-verify slsa-verifier", CHANGES_PROJECT
    ),
    program("bru inso dredd pact httpyac insomnia postman stepci", BUILD, writes="-o --output"),
    program("electron-packager nativefier pake ncc nexe caxa nest ng-packagr", BUILD),
    program(
        "kitchen",
        subs={
            "destroy": LOST,
            "list diagnose doctor version": LOOK,
            "converge create test verify setup": BUILD,
        },
    ),
    program("xctool xcode-build-server goreload gitwatch moro unity", BUILD),
    program("graphql get-graphql-schema codegen", BUILD, writes="-o --output"),
    program("npm-windows-upgrade jetbrains-toolbox", handler=package_install(always_wide=True)),
    program("git-lfs-transfer", INERT),
)
PROGRAMS: tuple[Program, ...] = (*VERSIONS, *RELEASES, *CHAINS, *BOXES, *OTHERS)
