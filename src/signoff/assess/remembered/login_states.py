"""Files in which programs and tests keep what lets somebody in: cookies, tokens, typed passwords.

The login state of a browser is as good as its password. A trace or an archive of requests holds
both if the program signs in. Read is the text that a call writes or runs.

    states_kept("context.storageState({ path: 'out/a.json' })")     ["out/a.json"]
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

TEXT_LIMIT = 65_536
_WORDS = ("storage", "cookie", "tracing", "har", "Har", "HAR", "jar")
_PATH = r"[\"'`]?(?P<path>[\w./~-]+)[\"'`]?"
_STATE = lazy_re2(
    rf"(?:storage_?[sS]tate\s*\(\s*\{{?\s*path\s*[:=]\s*|--save-storage[= ]){_PATH}"
    rf"|(?:writeFile(?:Sync)?|outputJson)\(\s*{_PATH.replace('path', 'node')}\s*,[^;\n]{{0,80}}"
    r"(?:cookies\(|storageState\()"
    rf"|dump\([^;\n]{{0,60}}(?:cookies\(|storage_state\()[^;\n]{{0,30}}open\(\s*"
    rf"{_PATH.replace('path', 'py')}"
)
_RECORD = lazy_re2(
    rf"(?:tracing\.stop\s*\(\s*\{{?\s*path|record_har_path|recordHar\s*:\s*\{{[^}}\n]{{0,60}}?path"
    rf"|--save-har)\s*[:=]?\s*{_PATH}"
)
_SIGNS_IN = lazy_re2(
    r"(?i)(?:process\.env|os\.environ|getenv|ENV)\W{0,4}(?P<name>\w*(?:pass|pw|secret|token)\w*)"
)
# An account that is there for tests lets nobody in.
_TRIAL = lazy_re2(r"(?i)(?:^|_)(?:test|e2e|demo|dummy|fake|sample|fixture)(?:_|$)")
_JAR = lazy_re2(r"\bcurl\b[^|;&\n]*?\s(?:-c|--cookie-jar)[= ]?(?P<path>[\w./~-]+)")
_GIVES = lazy_re2(r"\s(?:-d|--data\S*|-u|--user|-F|--form|--json|-b|--cookie)[\s=@]")


def states_kept(text: str) -> list[str]:
    """Return the paths, as written, where a text keeps a login."""
    if not any(map(text.__contains__, _WORDS)):
        return []
    text = text[:TEXT_LIMIT]
    names = _SIGNS_IN.findall(text)
    if names and all(map(_TRIAL.search, names)):
        return []
    found = [match["path"] or match["node"] or match["py"] for match in _STATE.finditer(text)]
    if names:
        found += [match["path"] for match in _RECORD.finditer(text)]
    found += [m["path"] for m in _JAR.finditer(text) if _GIVES.search(text) is not None]
    return [path for path in found if path]
