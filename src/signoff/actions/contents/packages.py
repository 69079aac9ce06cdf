"""Scripts of `package.json`: which ones run by themselves, and what they run.

Lifecycle scripts run at every install without anybody starting them.

    script_operations('{"scripts": {"postinstall": "node x.js"}}', "")
        -> (({RUNS_LATER}, "runs at every install", '"postinstall": "node x.js"'),)
"""

from __future__ import annotations

from signoff.actions.operation import Trait
from signoff.actions.vocabulary import lazy_re2, words

_LIFECYCLE = words(
    "preinstall install postinstall prepare preprepare postprepare prepublish prepublishonly "
    "prepack postpack dependencies postpublish"
)
# Well-known set-up that runs nothing of the script's own.
_ORDINARY = words("husky tsc") | {
    "husky install",
    "husky || true",
    "npm run build",
    "yarn build",
    "pnpm build",
    "pnpm run build",
    "lefthook install",
    "simple-git-hooks",
}
_MOST = 500
_PAIR = lazy_re2(r'"([A-Za-z:_-]{1,60})"\s*:\s*"((?:[^"\\\n]|\\.)*)"')

ScriptMeaning = tuple[frozenset[Trait], str, str]


def scripts_in(text: str) -> dict[str, str]:
    """Return the scripts in a package.json or a piece of one, by name.

    Several texts of one name are joined.
    """
    found: dict[str, str] = {}
    for count, match in enumerate(_PAIR.finditer(text)):
        if count >= _MOST:
            break
        # JSON readers take the last of equal names (npm, RFC 8259, 4); an editor shows the first.
        before = found.get(match.group(1))
        found[match.group(1)] = f"{before}\n{match.group(2)}" if before else match.group(2)
    return found


def script_operations(new: str, old: str) -> tuple[ScriptMeaning, ...]:
    """Return the effects of new or changed lifecycle scripts."""
    before = scripts_in(old)
    return tuple(
        (frozenset({Trait.RUNS_LATER}), "runs at every install", f'"{name}": "{script}"')
        for name, script in scripts_in(new).items()
        if name.lower() in _LIFECYCLE
        # Formatting or another script's change leaves a script that was there before what it was.
        and before.get(name) != script
        and script.strip() not in _ORDINARY
    )
