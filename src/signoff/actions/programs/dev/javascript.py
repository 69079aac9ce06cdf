"""JavaScript: npm, pnpm, yarn, bun, deno, their runners, and managers of node itself.

Installing what the project names is ordinary; `-g` is for the user. Scripts are judged by their
names. Options and settings that choose the shell or the options of every script poison it. Files
that deno runs have the rights given; modules from addresses and unknown packages are foreign code.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.packages import (
    NPM_TOOLS,
    installed,
    is_foreign,
    tool_name,
)
from signoff.actions.programs.dev.tasks import task_effects
from signoff.actions.programs.effect_presets import (
    CHANGE_PROJECT,
    CONFIGURE_PROJECT,
    CONFIGURE_REMOTE_ACCESS,
    CONFIGURE_USER,
    FETCH_URL,
    INSPECT,
    INSTALL,
    INSTALL_FOR_USER,
    LOG_IN,
    UNINSTALL_FOR_USER,
)
from signoff.actions.programs.plain_names import is_plain_value
from signoff.actions.vocabulary import words

RUNNING_KEYS = words("script-shell node-options git scripts-prepend-node-path shell scriptshell")
PLAIN_SHELLS = words("bash sh zsh dash fish pwsh powershell cmd git true false null undefined")
# Well-known `create-x` packages; any other name may be registered by anybody (typosquatting).
STARTERS = words(
    "vite vue next-app react-app react-library svelte astro remix nuxt nuxt-app expo expo-app "
    "react-native-app solid qwik t3-app electron-app electron electron-vite hono fastify nest "
    "vitest rspack rsbuild rslib rspress farm tamagui storybook docusaurus cloudflare "
    "playwright cypress wdio eslint-config eslint redwood-app gatsby strapi strapi-app lit "
    "preact umi dumi sanity payload-app medusa-app sku keystone-app elm-app esm yo jsr "
    "turbo nx-workspace angular ionic tauri-app analog convex"
)


def chosen_shell(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `--script-shell` and `--node-options` change what every script runs."""
    for word in call.values("--script-shell", "--node-options"):
        yield from poisoning(call, "script-shell", word.text)


def poisoning(call: ProgramCall, key: str, value: str) -> Iterator[Effect]:
    """Yield the effects of setting this npm configuration key."""
    # More memory is the usual `--node-options`; `--require` there would load code into every
    # script.
    plain = is_plain_value(value, PLAIN_SHELLS) or value.startswith("--max-old-space")
    if key.lower() in RUNNING_KEYS and value and not plain:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.SETTING,
            f"{key}={value}"[:120],
            traits=(Trait.ENVIRONMENT,),
            reach=Reach.PROJECT,
            why="every script runs through it",
        )


def script(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `npm run NAME`, by the script's name."""
    yield from chosen_shell(call)
    yield from task_effects(call, call.texts[:1] or ("",))


def configuration(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `npm config set k v`, `k=v`; reading stays reading."""
    what = call.texts[0] if call.operands else "list"
    if what in {"get", "list", "ls", "--list"}:
        # `npm config get //HOST/:_authToken` prints the token that publishes packages.
        secret = any("auth" in text.lower() or "token" in text.lower() for text in call.texts)
        traits = (Trait.READS_SECRET,) if secret else ()
        thing = ResourceType.CREDENTIAL if secret else ResourceType.SETTING
        yield call.operation(Verb.READ, thing, traits=traits)
        return
    rest = call.texts[1:]
    pairs = [t.partition("=")[::2] for t in rest if "=" in t] or [(rest[0], rest[-1])] * bool(rest)
    for key, value in pairs:
        yield from poisoning(call, key, value)
    near = call.has("--location") and any(w.text == "project" for w in call.values("--location"))
    yield from call.perform(CONFIGURE_PROJECT if near else CONFIGURE_USER)


def setting(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `npm set k=v`."""
    for text in call.texts:
        key, _, value = text.partition("=")
        # `npm set key value` gives the value as the next word.
        yield from poisoning(call, key, value or call.texts[-1])
    yield from call.perform(CONFIGURE_USER)


def starter(call: ProgramCall) -> Iterator[Effect]:
    """`npm init x`, `yarn create x`: fetch `create-x` and run it; alone, a manifest is made."""
    yield from call.perform(CHANGE_PROJECT)
    for word in call.operands[:1]:
        name = tool_name(word.text).removeprefix("create-")
        known = name in STARTERS or name.startswith(("@vite", "@angular", "@nuxt", "@eslint"))
        # `npm create x` runs `create-x` of the registry at once, unread.
        if is_foreign(word, call) or not known:
            yield installed(call, word.text, foreign=True)


def audit(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `npm audit`: asks the registry; `fix` installs."""
    yield from call.perform(INSTALL if "fix" in call.texts else FETCH_URL)


def token(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `npm token`: lists, or changes the login."""
    listing = not call.operands or call.texts[0] in {"list", "ls"}
    yield from call.perform(INSPECT if listing else LOG_IN)


def access(call: ProgramCall) -> Iterator[Effect]:
    """`npm owner|team|org|access|dist-tag|profile|hook|stage ...`: listing, else a change."""
    listing = not call.operands or call.texts[0] in {"list", "ls", "ls-packages", "get", "view"}
    yield from call.perform(FETCH_URL if listing else CONFIGURE_REMOTE_ACCESS)


def prefixed_script(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `yarn workspace a run build`: the words behind the workspace name a script."""
    # Words of yarn that stand between the workspace and what it does.
    rest = [t for t in call.texts[1:] if t not in {"run", "foreach", "npm", "exec"}]
    if call.texts[1:2] == ("exec",):
        line = " ".join(call.texts[2:])
        is_known = all([word.is_known for word in call.operands])
        yield Nested(text=line, language="shell", carrier="yarn exec", is_known=is_known)
    elif call.texts[1:2] in (("add",), ("install",), ("remove",)):
        yield from call.perform(INSTALL)
    else:
        yield from task_effects(call, rest[:1] or ("",))


def n(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `n lts` installs for the machine; `n ls` looks; `n rm`, `n prune` take out."""
    what = call.texts[0] if call.operands else "ls"
    if what in {"rm", "-", "prune", "uninstall"}:
        yield from call.perform(UNINSTALL_FOR_USER)
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
        yield from call.perform(INSPECT)
    else:
        yield from call.perform(INSTALL_FOR_USER)


def bun(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `bun file.ts` and `bun name`: a file runs, a script is judged by its name."""
    for code in call.values("-e", "--eval", "-p", "--print"):
        yield Nested(
            text=code.text, language="javascript", carrier="bun -e", is_known=code.is_known
        )
    for word in call.operands[:1]:
        # bun(1): a path runs as a file, a bare name is a script of package.json.
        if "." in word.text or "/" in word.text:
            yield call.on_file(Verb.EXECUTE, word)
        else:
            yield from task_effects(call, [word.text])
    if not call.operands and not call.options:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def bun_line(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `bun exec 'line'` runs a shell line."""
    for word in call.operands[:1]:
        yield Nested(text=word.text, language="shell", carrier="bun exec", is_known=word.is_known)


DENO_URL = ("http://", "https://", "jsr:", "npm:", "data:")


def deno_run(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `deno run target`: files run with the rights given; addresses are foreign code."""
    for word in call.operands[:1]:
        text = word.text
        # Without these rights deno's sandbox holds a foreign module off the machine.
        unbound = text.startswith("https://") and call.has("-A", "--allow-all", "--allow-run")
        # Over plain http anybody on the way may change the module.
        if text.startswith(("http://", "data:")) or not word.is_known or unbound:
            yield call.opaque("runs a module from an address", Trait.REMOTE_CODE)
        elif text.startswith(DENO_URL):
            name = tool_name(text.split(":", 1)[1])
            if name not in NPM_TOOLS:
                yield installed(call, text, foreign=True)
        elif text == "-":
            yield call.opaque("its code comes on standard input", Trait.INLINE)
        else:
            yield call.on_file(Verb.EXECUTE, word)


def deno_install(call: ProgramCall) -> Iterator[Effect]:
    """`deno install`: with names and `-g` a program for the user, else the project's own."""
    wide = call.has("-g", "--global", "-n", "--name")
    # With `-g` further words are arguments for the installed program.
    for word in call.operands[:1] if wide else call.operands:
        foreign = word.text.startswith(("http://", "https://"))
        yield installed(call, word.text, wide=wide, foreign=foreign)
    if not call.operands:
        yield installed(call, "")
