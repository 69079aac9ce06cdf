"""JavaScript: npm, pnpm, yarn, bun, deno, their runners, and managers of node itself.

Installing what the project names is ordinary; `-g` is for the user. Scripts are judged by their
names. Options and settings that choose the shell or the options of every script poison it.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_ACCESS,
    FAR_CHANGE,
    FAR_GONE,
    LOGS_IN,
    LOOK,
    LOOK_UP,
    RELEASE,
    SERVES,
    SETS_GLOBAL,
    SETS_PROJECT,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.dev.packages import (
    installed,
    is_foreign,
    package_install,
    package_remove,
    package_runner,
    tool_name,
)
from signoff.actions.programs.dev.tasks import runs_tasks, task_effects
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub

WIDE = "-g --global --location=global"
FOLDERS = "--prefix -C --dir --cwd"
SWITCHES = "-g --global --no-global"
SOURCES = "--registry"
VALUES = (
    "--prefix -C -w --workspace --registry --tag --otp --access --loglevel --omit --include "
    "--userconfig --cache --script-shell --node-options --depth --before --globalconfig --filter "
    "--location -F --dir --cwd --store-dir --reporter --modules-folder --cache-folder --mutex "
    "--network-timeout --use-yarnrc --preload --install-strategy"
)
RUNNING_KEYS = words("script-shell node-options git scripts-prepend-node-path shell scriptshell")
PLAIN_SHELLS = words("bash sh zsh dash fish pwsh powershell cmd git true false null undefined")
STARTERS = words(
    "vite vue next-app react-app react-library svelte astro remix nuxt nuxt-app expo expo-app "
    "react-native-app solid qwik t3-app electron-app electron electron-vite hono fastify nest "
    "vitest rspack rsbuild rslib rspress farm tamagui storybook docusaurus cloudflare "
    "playwright cypress wdio eslint-config eslint redwood-app gatsby strapi strapi-app lit "
    "preact umi dumi sanity payload-app medusa-app sku keystone-app elm-app esm yo jsr "
    "turbo nx-workspace angular ionic tauri-app analog convex"
)


def _chosen_shell(call: Call) -> Iterator[Effect]:
    """`--script-shell` and `--node-options` change what every script runs."""
    for word in call.values("--script-shell", "--node-options"):
        yield from poisoning(call, "script-shell", word.text)


def poisoning(call: Call, key: str, value: str) -> Iterator[Effect]:
    """Say what setting such a key does."""
    plain = value.rsplit("/", 1)[-1] in PLAIN_SHELLS or value.startswith("--max-old-space")
    if key.lower() in RUNNING_KEYS and value and not plain:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.SETTING,
            f"{key}={value}"[:120],
            traits=(Trait.ENVIRONMENT,),
            reach=Reach.PROJECT,
            why="every script runs through it",
        )


def _script(call: Call) -> Iterator[Effect]:
    """`npm run name`."""
    yield from _chosen_shell(call)
    yield from task_effects(call, call.texts[:1] or ("",))


def _configuration(call: Call) -> Iterator[Effect]:
    """`npm config set k v`, `k=v`; reading stays reading."""
    what = call.texts[0] if call.operands else "list"
    if what in {"get", "list", "ls", "--list"}:
        secret = any("auth" in text.lower() or "token" in text.lower() for text in call.texts)
        traits = (Trait.READS_SECRET,) if secret else ()
        thing = Thing.CREDENTIAL if secret else Thing.SETTING
        yield call.operation(Verb.READ, thing, traits=traits)
        return
    rest = call.texts[1:]
    pairs = [t.partition("=")[::2] for t in rest if "=" in t] or [(rest[0], rest[-1])] * bool(rest)
    for key, value in pairs:
        yield from poisoning(call, key, value)
    near = call.has("--location") and any(w.text == "project" for w in call.values("--location"))
    yield from call.perform(SETS_PROJECT if near else SETS_GLOBAL)


def _setting(call: Call) -> Iterator[Effect]:
    """`npm set k=v`."""
    for text in call.texts:
        key, _, value = text.partition("=")
        yield from poisoning(call, key, value or call.texts[-1])
    yield from call.perform(SETS_GLOBAL)


def _starter(call: Call) -> Iterator[Effect]:
    """`npm init x`, `yarn create x`: fetch `create-x` and run it; alone, a manifest is made."""
    yield from call.perform(CHANGES_PROJECT)
    for word in call.operands[:1]:
        name = tool_name(word.text).removeprefix("create-")
        known = name in STARTERS or name.startswith(("@vite", "@angular", "@nuxt", "@eslint"))
        if is_foreign(word, call) or not known:
            yield installed(call, word.text, foreign=True)


def _audit(call: Call) -> Iterator[Effect]:
    yield from call.perform(ADDED if "fix" in call.texts else LOOK_UP)


def _token(call: Call) -> Iterator[Effect]:
    listing = not call.operands or call.texts[0] in {"list", "ls"}
    yield from call.perform(LOOK if listing else LOGS_IN)


def _access(call: Call) -> Iterator[Effect]:
    """`npm owner|team|org|access|dist-tag|profile|hook|stage ...`: listing, else a change."""
    listing = not call.operands or call.texts[0] in {"list", "ls", "ls-packages", "get", "view"}
    yield from call.perform(LOOK_UP if listing else FAR_ACCESS)


def _prefixed_script(call: Call) -> Iterator[Effect]:
    """`yarn workspace a run build`: the words behind the workspace name a script."""
    rest = [t for t in call.texts[1:] if t not in {"run", "foreach", "npm", "exec"}]
    if call.texts[1:2] in (("add",), ("install",), ("remove",)):
        yield from call.perform(ADDED)
    else:
        yield from task_effects(call, rest[:1] or ("",))


INSTALL = sub(
    handler=package_install(wide=WIDE, sources=SOURCES, shorthand=True, folders=FOLDERS),
    values=VALUES,
    switches=SWITCHES,
    harmless="--dry-run -h",
)
REMOVE = sub(
    handler=package_remove(wide=WIDE),
    values=VALUES,
    switches=SWITCHES,
    harmless="--dry-run -h",
)
SCRIPT = sub(handler=_script, values=VALUES, harmless="-h")
CONFIG = sub(handler=_configuration, values="--location -L")
START = sub(handler=_starter, values="-w --workspace --template -t --scope")
DRY_RELEASE = sub(RELEASE, harmless="--dry-run -h", values="--tag --otp --access --registry")
LINK = sub(ADDED)
FAR_SUBS: dict[str, Program] = {
    "publish": DRY_RELEASE,
    "unpublish deprecate undeprecate": sub(FAR_GONE, harmless="--dry-run"),
    "star unstar": sub(FAR_CHANGE, acting={"--list": LOOK_UP}),
    "login adduser add-user logout": sub(LOGS_IN, values="--registry --scope --auth-type"),
    "token": sub(handler=_token, values="--cidr --otp --registry"),
    "owner author team org access dist-tag dist-tags tag profile hook": sub(
        handler=_access, values="--registry --otp"
    ),
}
SHARED: dict[str, Program] = {
    **FAR_SUBS,
    "run run-script rum urn": SCRIPT,
    "config c": CONFIG,
    "init create innit": START,
    "audit": sub(handler=_audit, values="--audit-level --omit --registry"),
    "cache": sub(subs={"clean clear rm prune": CACHE_GONE}, by_words=LOOK),
    "test t tst start stop restart rebuild rb": sub(BUILD, by_options=_chosen_shell, values=VALUES),
}
NPM_LOOKS = (
    "ls list la ll view info show v outdated explain why fund search s se find help help-search "
    "root bin prefix whoami ping doctor query diff sbom stars bugs docs repo home issues get "
    "completion find-dupes licenses"
)

NPM = program(
    "npm cnpm",
    values=VALUES,
    switches=f"{SWITCHES} --silent --quiet --verbose",
    by_options=_chosen_shell,
    subs={
        **SHARED,
        "install i add in ins inst insta instal isnt isntall install-test it update up upgrade "
        "udpate ci clean-install ic install-ci-test cit install-clean": INSTALL,
        "uninstall remove rm r un unlink": REMOVE,
        "prune dedupe ddp": sub(TAKEN_OUT, harmless="--dry-run"),
        "link ln": LINK,
        "exec x": sub(
            handler=package_runner("-p", "--package"), values="-p --package -c --call -w"
        ),
        "pack version shrinkwrap pkg edit explore": sub(
            CHANGES_PROJECT, values="--pack-destination -m --message", harmless="--dry-run"
        ),
        "set": sub(handler=_setting),
        NPM_LOOKS: sub(LOOK, harmless="-h"),
    },
    harmless="-v -h",
)
PNPM = program(
    "pnpm",
    values=VALUES,
    switches=f"{SWITCHES} --silent --quiet --verbose",
    by_options=_chosen_shell,
    subs={
        **SHARED,
        "install i add update up upgrade import fetch install-test it ci deploy approve-builds "
        "patch patch-commit patch-remove dedupe": INSTALL,
        "remove rm uninstall un unlink": REMOVE,
        "prune": TAKEN_OUT,
        "link ln": LINK,
        "exec": BUILD,
        "dlx": sub(handler=package_runner("--package"), values="--package", options_first=True),
        "store": sub(subs={"prune": CACHE_GONE}, by_words=LOOK),
        "setup self-update": SETS_GLOBAL,
        "env runtime": sub(ADDED_FOR_USER, subs={"list ls": LOOK}),
        "server": SERVES,
        "pack": CHANGES_PROJECT,
        f"{NPM_LOOKS} ignored-builds cat-file cat-index find-hash": LOOK,
    },
    handler=runs_tasks(first_only=True),
    harmless="-v -h",
)
YARN = program(
    "yarn yarnpkg",
    values=VALUES,
    switches=f"{SWITCHES} --silent --quiet --verbose",
    by_options=_chosen_shell,
    subs={
        **SHARED,
        "install add upgrade up upgrade-interactive import rebuild dedupe link": INSTALL,
        "remove unlink autoclean": REMOVE,
        "global": sub(
            subs={
                "add upgrade": sub(handler=package_install(always_wide=True)),
                "remove": sub(TAKEN_FROM_USER),
            },
            by_words=LOOK,
        ),
        "npm": sub(
            subs={
                **FAR_SUBS,
                "audit info": LOOK_UP,
                "whoami": LOOK,
            }
        ),
        "plugin": sub(
            subs={"import": sub(handler=package_install(shorthand=False))}, by_words=SETS_PROJECT
        ),
        "dlx": sub(handler=package_runner("-p", "--package"), values="-p --package"),
        "workspace workspaces": sub(handler=_prefixed_script, values="--include --exclude -j"),
        "set policies patch patch-commit pack version unplug stage": CHANGES_PROJECT,
        "self-update": ADDED_FOR_USER,
        f"{NPM_LOOKS} check constraints versions generate-lock-entry": LOOK,
        "node exec": BUILD,
    },
    handler=runs_tasks(first_only=True),
    harmless="-v -h",
)


VERSIONS = program(
    "nvm fnm nodenv nvs volta",
    subs={
        "install i add install-latest-npm reinstall-packages upgrade fetch": sub(
            ADDED_FOR_USER, acting={"-l --list": LOOK}
        ),
        "uninstall remove rm unload": TAKEN_FROM_USER,
        "alias default unalias setup global": SETS_GLOBAL,
        "use run exec which current ls list ls-remote list-remote version version-remote local "
        "shell env completions pin rehash versions lsr doctor help deactivate": LOOK,
        "cache": CACHE_GONE,
    },
    handler=lambda call: call.perform(LOOK),
)


def _n(call: Call) -> Iterator[Effect]:
    """`n lts` installs for the machine; `n ls` looks; `n rm`, `n prune` take out."""
    what = call.texts[0] if call.operands else "ls"
    if what in {"rm", "-", "prune", "uninstall"}:
        yield from call.perform(TAKEN_FROM_USER)
    elif what in {
        "ls",
        "list",
        "ls-remote",
        "lsr",
        "which",
        "bin",
        "doctor",
        "run",
        "exec",
        "use",
        "as",
    }:
        yield from call.perform(LOOK)
    else:
        yield from call.perform(ADDED_FOR_USER)


RUNNERS = (
    program(
        "npx bunx pnpx",
        values="-p --package -c --call -w --workspace --node-options --shell --cache",
        options_first=True,
        handler=package_runner("-p", "--package"),
        harmless="-h",
    ),
)

PROGRAMS: tuple[Program, ...] = (
    NPM,
    PNPM,
    YARN,
    VERSIONS,
    program("n", handler=_n),
    program(
        "corepack",
        subs={"enable disable install use up prepare": ADDED_FOR_USER, "cache": CACHE_GONE},
    ),
    program(
        "bower",
        subs={
            "install i update link": sub(handler=package_install(shorthand=True), values="-c"),
            "uninstall prune": TAKEN_OUT,
            "cache": CACHE_GONE,
            "init version": CHANGES_PROJECT,
            "register unregister login": FAR_CHANGE,
            "list info search lookup home help": LOOK,
        },
    ),
    *RUNNERS,
)
