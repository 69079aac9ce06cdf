"""Settings of a build that put the whole environment, with all its secrets, into a page.

`define: {__CFG__: JSON.stringify(loadEnv(mode, dir, ""))}` is a text in the project until the built
folder is made public.

    changed_bundles(operations, call)     ("in", "bundle:/p/vite.config.ts")
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operations, Verb
from signoff.actions.shell.secret_copies.held_secrets import BUNDLE
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.call import Call, texts_of

TEXT_LIMIT = 20_000
_SETTINGS = lazy_re2(
    r"(?:^|/)(?:[\w-]*\.?config|esbuild|build|webpack[\w.]*|rollup[\w.]*)\.[cm]?[jt]s$"
)
_NOTHING = r"(?:''|\"\"|``)"
_ALL = r"(?:\{\s*\.\.\.\s*)?(?:process\.env|import\.meta\.env|Deno\.env\.toObject\(\)|Bun\.env)"
# Each puts all variables in, not one by its name.
_WHOLE = lazy_re2(
    rf"loadEnv\([^\n]{{0,200}},\s*{_NOTHING}\s*\)[\s\S]{{0,600}}(?:JSON\.stringify\(\s*env\w*\s*\)|define\s*:\s*env\b)"
    rf"|\benvPrefix\s*:\s*(?:\[\s*)?{_NOTHING}"
    rf"|JSON\.stringify\(\s*{_ALL}\s*\}}?\s*\)"
    rf"|[\"']?(?:process\.env|env|publicRuntimeConfig)[\"']?\s*:\s*{_ALL}\s*[,}}\n]"
    rf"|EnvironmentPlugin\(\s*(?:Object\.keys\(\s*)?{_ALL}"
    r"|\bsystemvars\s*:\s*true"
)


def changed_bundles(operations: Operations, call: Call) -> Iterator[tuple[str, str]]:
    """Yield the settings of builds that take in every variable, or do so no longer."""
    for op in operations:
        if op.verb is Verb.WRITE and op.path and _SETTINGS.search(op.path) is not None:
            is_whole = _WHOLE.search(_new_text(call)) is not None
            is_gone = _WHOLE.search(call.action.text("old_string")[:TEXT_LIMIT]) is not None
            if is_whole:
                yield "in", f"{BUNDLE}{op.path}"
            elif is_gone or call.action.tool == "Write":
                yield "out", f"{BUNDLE}{op.path}"


def _new_text(call: Call) -> str:
    new = call.action.text("new_string") or call.action.text("content")
    return (new or texts_of(call))[:TEXT_LIMIT]
