"""Installers and version managers that reach beyond one project: brew, nix, asdf, mise and more."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, On, act, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    CACHE_GONE,
    CHANGES_PROJECT,
    FETCH,
    LOGS_IN,
    LOOK,
    SETS_GLOBAL,
    TAKEN_FROM_USER,
)
from signoff.actions.programs.dev.packages import installed, is_foreign, package_install
from signoff.actions.programs.dev.tasks import runs_tasks
from signoff.actions.programs.program import Program, program, sub

USER_INSTALL = sub(
    handler=package_install(always_wide=True),
    values="-v --version --appdir --cc",
    harmless="-n --dry-run -h",
)
SERVICE = act(Verb.CONTROL, Thing.SERVICE, reach=Reach.SYSTEM, always=True)


def _tap(call: Call) -> Iterator[Effect]:
    """`brew tap` alone lists; with a name it adds another source of formulae."""
    for word in call.operands[:1]:
        yield installed(call, word.text, wide=True, foreign=len(call.operands) > 1)
    if not call.operands:
        yield from call.perform(LOOK)


BREW = program(
    "brew",
    subs={
        "tap": sub(handler=_tap),
        "install reinstall upgrade update up bump-formula-pr bundle instal": sub(
            handler=package_install(always_wide=True),
            values="--appdir --cc --file",
            acting={"--dry-run": LOOK},
            harmless="-n --dry-run -h",
            subs={"list check": LOOK, "dump": CHANGES_PROJECT, "exec": BUILD},
        ),
        "uninstall remove rm autoremove untap unlink": sub(
            TAKEN_FROM_USER, harmless="-n --dry-run"
        ),
        "cask": sub(
            LOOK,
            subs={"install reinstall upgrade": ADDED_FOR_USER, "uninstall zap": TAKEN_FROM_USER},
        ),
        "cleanup": sub(CACHE_GONE, values="--prune"),
        "pin unpin link ln switch migrate postinstall completions developer analytics": sub(
            SETS_GLOBAL, subs={"state": LOOK}
        ),
        "services": sub(
            LOOK,
            subs={
                "start stop restart run kill cleanup": SERVICE,
                "list info": LOOK,
            },
        ),
        "list ls info abv search desc deps uses leaves outdated doctor dr config home homepage "
        "cat formula casks formulae commands help log missing options tap-info "
        "shellenv readall which-formula --prefix --cellar --cache --repository command": LOOK,
        "fetch": FETCH,
        "audit style test livecheck create edit extract": BUILD,
    },
    handler=lambda call: call.perform(LOOK),
    harmless="-h",
)


def _nix_run(call: Call) -> Iterator[Effect]:
    """`nix run flake`: the project's own flake and nixpkgs pass, other flakes are foreign code."""
    for word in call.operands[:1]:
        own = word.text.startswith((".", "nixpkgs#", "nixpkgs/")) or word.text[:1] == "#"
        if not own:
            yield installed(call, word.text, foreign=True)
    yield from call.perform(BUILD)


NIX = (
    program(
        "nix",
        values="--extra-experimental-features --option -I --arg --argstr --expr -E -f --file",
        subs={
            "run shell develop build": sub(
                handler=_nix_run,
                values="-c --command -o --out-link --arg --argstr -I -E --expr -f -A --inputs-from",
                writes="-o --out-link",
            ),
            "profile": sub(
                LOOK,
                subs={
                    "install add upgrade": ADDED_FOR_USER,
                    "remove": TAKEN_FROM_USER,
                    "rollback wipe-history": TAKEN_FROM_USER,
                    "list history diff-closures": LOOK,
                },
            ),
            "flake": sub(
                LOOK,
                subs={
                    "update lock init new archive clone": CHANGES_PROJECT,
                    "check show metadata info prefetch": LOOK,
                },
            ),
            "store": sub(
                LOOK,
                subs={
                    "gc optimise": CACHE_GONE,
                    "delete": TAKEN_FROM_USER,
                    "add-path add-file add repair sign copy-sigs": SETS_GLOBAL,
                },
            ),
            "registry": sub(SETS_GLOBAL, subs={"list": LOOK}),
            "upgrade-nix daemon": ADDED_FOR_USER,
            "collect-garbage": CACHE_GONE,
            "copy": act(
                Verb.NETWORK_OUT, Thing.PACKAGE, on=On.NOTHING, reach=Reach.REMOTE, always=True
            ),
            "fmt": writes(On.OPERANDS, default="."),
            "search eval log path-info why-depends hash show-config config repl edit derivation "
            "print-dev-env doctor help key nar realisation bundle": LOOK,
        },
    ),
    program(
        "nix-build nix-instantiate nix-prefetch-url nix-prefetch-git nix-hash nix-eval",
        BUILD,
        values="-A -o --out-link -I -E --arg --argstr",
        writes="-o --out-link",
    ),
    program(
        "nix-shell",
        BUILD,
        values="-p --packages -A -I --arg --run --command",
        runs="--run --command",
    ),
    program(
        "nix-env",
        ADDED_FOR_USER,
        acting={
            "-q --query -qa -qaP --list-generations": LOOK,
            "-e --uninstall --delete-generations": TAKEN_FROM_USER,
        },
        harmless="--dry-run",
        values="-f -A -I",
    ),
    program("nix-channel", SETS_GLOBAL, acting={"--list": LOOK}),
    program(
        "nix-collect-garbage nix-store",
        CACHE_GONE,
        acting={"-d --delete-old --delete": TAKEN_FROM_USER, "-q --query -qR --verify": LOOK},
        harmless="--dry-run",
    ),
    program(
        "nixos-rebuild darwin-rebuild home-manager nh",
        subs={
            "switch boot test": act(
                Verb.CONFIGURE,
                Thing.SETTING,
                Trait.GLOBAL,
                on=On.NOTHING,
                reach=Reach.SYSTEM,
                always=True,
            ),
            "build dry-build dry-activate dry-run build-vm repl": BUILD,
            "list-generations generations packages news option edit search help": LOOK,
            "expire-generations remove-generations uninstall clean": TAKEN_FROM_USER,
            "home os darwin": sub(BUILD, subs={"switch boot test": SETS_GLOBAL, "build": BUILD}),
            "init instantiate": CHANGES_PROJECT,
        },
    ),
    program(
        "devbox flox devenv guix-shell",
        subs={
            "add install": ADDED,
            "rm remove": CHANGES_PROJECT,
            "global": ADDED_FOR_USER,
            "run shell up test build init": BUILD,
            "auth login": LOGS_IN,
        },
        handler=lambda call: call.perform(BUILD),
    ),
    program(
        "cachix",
        subs={
            "use authtoken": SETS_GLOBAL,
            "push": act(Verb.PUBLISH, Thing.PACKAGE, reach=Reach.REMOTE, always=True),
        },
    ),
)


def _plugin(call: Call) -> Iterator[Effect]:
    """`asdf plugin add name url`: code from that repository runs at every install."""
    foreign = any(is_foreign(word, call) for word in call.operands[1:])
    yield installed(call, " ".join(call.texts), wide=True, foreign=foreign)


VERSIONS = (
    program(
        "asdf",
        subs={
            "install update": ADDED_FOR_USER,
            "plugin plugin-add plugin-update": sub(
                ADDED_FOR_USER,
                subs={
                    "add": sub(handler=_plugin),
                    "update": ADDED_FOR_USER,
                    "remove": TAKEN_FROM_USER,
                    "list": LOOK,
                },
            ),
            "uninstall plugin-remove": TAKEN_FROM_USER,
            "global": SETS_GLOBAL,
            "set": sub(CHANGES_PROJECT, acting={"-u --home": SETS_GLOBAL}),
            "local shell current list latest where which exec env info reshim shim help "
            "list-all plugin-list plugin-list-all version cmd": LOOK,
        },
    ),
    program(
        "mise rtx",
        values="-C --cd -E --env -j --jobs",
        subs={
            "install i upgrade up self-update": sub(ADDED_FOR_USER, harmless="-n --dry-run"),
            "use u set unset": sub(
                ADDED, acting={"-g --global": ADDED_FOR_USER}, harmless="-n --dry-run"
            ),
            "uninstall prune implode unuse rm": sub(TAKEN_FROM_USER, harmless="-n --dry-run"),
            "global": SETS_GLOBAL,
            "plugins plugin p": sub(
                LOOK,
                subs={
                    "install i link update": ADDED_FOR_USER,
                    "uninstall remove rm": TAKEN_FROM_USER,
                    "ls list ls-remote": LOOK,
                },
            ),
            "settings config": sub(
                LOOK,
                subs={
                    "set add unset": SETS_GLOBAL,
                    "ls get list": LOOK,
                    "generate": CHANGES_PROJECT,
                },
            ),
            "cache": sub(LOOK, subs={"clear prune": CACHE_GONE}),
            "run r tasks watch w": sub(handler=runs_tasks(first_only=True)),
            "exec x shell local current ls list ls-remote latest where which env doctor activate "
            "deactivate reshim trust version outdated registry search tool hook-env completion "
            "bin-paths fmt link alias sync generate backends tool-alias": LOOK,
        },
        handler=runs_tasks(first_only=True),
        harmless="-h -V",
    ),
    program(
        "gup ghq",
        subs={
            "get clone": FETCH,
            "update install import": ADDED_FOR_USER,
            "remove rm": TAKEN_FROM_USER,
            "list root create check export man": LOOK,
        },
    ),
    program("pkgx tea-cli eget webi", handler=package_install(always_wide=True)),
    program(
        "ubi aqua hermit",
        subs={"install i": ADDED_FOR_USER, "uninstall": TAKEN_FROM_USER},
        handler=lambda call: call.perform(LOOK),
    ),
)


PROGRAMS: tuple[Program, ...] = (BREW, *NIX, *VERSIONS)
