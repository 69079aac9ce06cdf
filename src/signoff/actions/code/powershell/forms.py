"""Texts of PowerShell in a plainer form: tables of parameters, loops and constants put in.

    $p = @{Force = $true}; ri x @p           ->  ri x -Force
    foreach ($d in gci x) { ri $d }          ->  gci x | ForEach-Object { ri $_ }
    ri ${env:APPDATA}\\x                    ->  ri $env:APPDATA\\x
    $to = 'C:\\Users'; ri $to                 ->  ri C:\\Users

What is not plainly one of these stays as it is, and is unknown to the reader.
"""

from __future__ import annotations

import re

TABLES_LIMIT = 4
LOOPS_LIMIT = 8
CONSTANTS_LIMIT = 16
_PARAMETER_TABLE = re.compile(r"\$(\w+)\s*=\s*@\{([^{}]*)\}")
_LOOP = re.compile(r"(?i)\bforeach\s*\(\s*\$(\w+)\s+in\s+")
_CONSTANT = re.compile(
    r"(?:^|[;\n{])\s*\$(\w+)\s*=\s*(?:'([^'\n]*)'|\"([^\"$`\n]*)\")\s*(?=[;\n}]|$)"
)
# Code made of a text; where the text came from is not followed through variables.
MADE_CODE = re.compile(r"\[scriptblock\]\s*::\s*create\b|\binvokescript\s*\(|newscriptblock\s*\(")
# A date that is computed says only how old something is.
_DATE = re.compile(
    r"(?i)\(get-date\)(?:\.(?:add(?:days|hours|minutes|months|years|seconds)\(-?[\d.]{1,9}\)|date\b))*"
)
# Both name a variable of the environment, as `$env:NAME` does.
_ENVIRONMENT = re.compile(r"(?i)\$(?:\{env:(\w+)\}|\(\s*\$env:(\w+)\s*\))(?=[\\/\s;|)\"']|$)")
_CLOSERS = {"(": ")", "{": "}"}
# A name of PowerShell's own holds what the run gives it.
_OWN = frozenset({"_", "psitem", "home", "profile", "pwd", "args", "input", "error", "matches"})


def in_plain_form(text: str) -> str:
    """Rewrite a PowerShell text in a simpler form with the same effect."""
    text = _DATE.sub("$date", text)
    if "$" not in text:
        return text
    text = _ENVIRONMENT.sub(lambda found: f"$env:{found[1] or found[2]}", text)
    return _with_constants(_loops_as_pipes(_splatted(text)))


def _splatted(text: str) -> str:
    if "@{" not in text:
        return text
    for name, body in _PARAMETER_TABLE.findall(text)[:TABLES_LIMIT]:
        given = ""
        for entry in re.split(r"[;\n]", body):
            key, equals, value = (part.strip() for part in entry.partition("="))
            if equals and value.lower() != "$false":
                given += f" -{key}" if value.lower() == "$true" else f" -{key} {value}"
        text = re.sub(rf"@{name}\b", given.replace("\\", r"\\"), text)
    return _PARAMETER_TABLE.sub("", text)


def _loops_as_pipes(text: str) -> str:
    at = 0
    for _ in range(LOOPS_LIMIT):
        match = _LOOP.search(text, at)
        if match is None:
            break
        at = match.end()
        end = _closing(text, match.end(), "(")
        opening = re.compile(r"\s*\{").match(text, end + 1)
        if opening is None:
            continue
        close = _closing(text, opening.end(), "{")
        body = text[opening.end() : close]
        # In a loop within, `$_` would be another item.
        if _LOOP.search(body) is None and "$_" not in body:
            item = re.compile(rf"\$(?:{match[1]}\b|\{{{match[1]}\}})", re.IGNORECASE)
            items, rest = text[match.end() : end], text[close + 1 :]
            body = item.sub("$_", body)
            text = f"{text[: match.start()]}{items} | ForEach-Object {{{body}}}{rest}"
    return text


def _with_constants(text: str) -> str:
    for match in list(_CONSTANT.finditer(text))[:CONSTANTS_LIMIT]:
        name, value = match[1], match[2] if match[2] is not None else match[3]
        if name.lower() in _OWN or not _is_set_once(text, name):
            continue
        spelled = _written(value)
        pieces: list[str] = []
        at = 0
        use = re.compile(
            rf"""(?i)'[^'\n]*'|(?<![\w$])\$(?:{name}\b(?![:(\[.])|\{{{name}\}})(?!\s*=)"""
        )
        for found in use.finditer(text):
            pieces += (text[at : found.start()], found[0] if found[0][0] == "'" else spelled)
            at = found.end()
        text = "".join(pieces) + text[at:]
    return text


def _written(value: str) -> str:
    # A word with blanks would fall apart outside quotes.
    return value if re.fullmatch(r"[^\s'\"();|&{}$,]+", value) else f"'{value}'"


def _is_set_once(text: str, name: str) -> bool:
    """Tell whether a variable has one value in the whole text."""
    changes = re.findall(
        rf"(?i)\$(?:\w+:)?{name}\b\s*(?:[-+*/%]?=|\+\+|--|\s+in\b)|variable\s+['\"]?{name}\b|"
        rf"param\s*\([^)]*\${name}\b|\[ref\]\s*\${name}\b",
        text,
    )
    return len(changes) == 1


def _closing(text: str, at: int, opener: str) -> int:
    """Return where what was opened before `at` closes, outside quotes; the end if nowhere."""
    closer, depth, quote = _CLOSERS[opener], 1, ""
    for index in range(at, len(text)):
        char = text[index]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            depth += (char == opener) - (char == closer)
            if depth == 0:
                return index
    return len(text)
