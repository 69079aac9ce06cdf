"""What documents tell of programs and lists, in words that orders to a model use as well.

A change log, a manual or a list of words says what a program does. Each rule names one form of
that, and asks that no machine is spoken to and that nothing is sent anywhere in the same
sentence. What a program does is told by few verbs; `the summary will praise it` has none of them.

    is_told_of_program("The tool may overwrite it without asking the user.", 27, 49)  ->  True
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2
from signoff.assess.patterns.orders.meanings import MACHINES, PLACES, POWERS, SECRETLY, SECRETS
from signoff.assess.patterns.orders.words import STRONG

_AROUND = 300  # characters on each side within which a sentence ends
_ENDS = lazy_re2(r"[.!?:]\s|\n\s*\n|\n\s*[-*] ")
# Whoever is told to do something, and what such a one would work on.
_READER = lazy_re2(
    f"(?i){MACHINES}|\\b(?:you|your|yourself|please|must|instructions?|prompts?|readers?"
    r"|recipients?|whoever|anyone|everyone|repl(?:y|ies)|answers?|responses?|summar\w+|e?-?mails?"
    r"|mailbox\w*|inbox|accounts?|calendar|messages?|branch\w*|repositor\w+|backups?|databases?"
    r"|disks?|book\w*|orders?|pay\w*|money)\b"
)
_HARM = lazy_re2(f"(?i){SECRETS}|{PLACES}|{SECRETLY}|{POWERS}|{STRONG}")
# What programs do to their own files and windows.
_DOES = (
    r"(?:close|convert|create|decode|drop|encode|evict|exit|expire|format|load|move|open|overwrite"
    r"|quit|reload|remove|rename|replace|reset|restart|retry|rotate|save|shorten|sort|strip|trim"
    r"|truncate|update|wrap|write)"
)
# `which will overwrite ...`, `it saves ...`: somebody else does it, in the same clause.
_THIRD = lazy_re2(
    r"(?i)\b(?:it|this|that|which|they|(?:the|an?)\s(?:[\w-]+\s){1,3}?)\s?(?:\w+ly\s|also\s)?"
    rf"(?:(?:will|may|might|can|could|would|does|did)\s(?:\w+ly\s|also\s)?{_DOES}|{_DOES}s)"
    r"\b([^,;:()]{0,100})$"
)
_NEXT_CLAUSE = lazy_re2(r"(?i)\b(?:to|and|so|then|but|or)\b")
# The number of a report before what was done about it: a list of changes has several.
_NUMBER = r"\s*[-*]\s+(?:issue|bug|patch|bpo|gh|ticket|pr)[\s-]?#?\d+\s?:"
_CHANGE = lazy_re2(rf"(?i)(?:^|\n){_NUMBER}")
_THIS_CHANGE = lazy_re2(
    rf"(?i)\n{_NUMBER}\s+(?:always\s|never\s|now\s)?{_DOES}\b(?:[^\n]|\n[ \t]+\S)*$"
)
_CHANGES_AT_LEAST = 5
_DIRECTIVE = lazy_re2(
    r"^<!--\s*(?:\w+|(?:[a-z]+-){1,2}ignore|(?:[a-z]+-){0,2}ignore-(?:start|end|next|line"
    r"|next-line|file|attribute|node))\s*-->$"
)
# `<!-- ignore: simplified code -->` before a block of code: for what tests the examples.
_OF_EXAMPLE = lazy_re2(
    r"(?i)^<!--\s*(?:note\(ignore\)|ignore:)\s[^.:!,;]{0,60}\b(?:codes?|examples?|tests?|headers?|snippets?"
    r"|compiles?|targets?|expansion|infrastructure)\b[^.:!,;]{0,60}\.?\s*-->$"
)
_CODE = lazy_re2(r"(?i)^\s*(?:<pre\b|<code\b|\x60{3})")
_OF_RULES = lazy_re2(
    r"(?i)\b(?:all|any|every\w*|previous|prior|above|earlier|system|rules?|polic\w+|guidelines?)\b"
)
_IN_COMMENT = lazy_re2(r"<!--\s*$")
_ONE_WORD = lazy_re2(r"^\w+\s*-->")
_OF_FILE = lazy_re2(
    r"(?i)^<!--\s*this\s(?:file|document|page|section)\s(?:contains|holds|has|gives|lists|collects)"
    r"\s(?:the\s)?instructions\sfor\s([^.:!,;]{1,120})"
    r"(?:,\sand\s(?:can|may)\sbe\sused\sby\s[^.:!,;]{1,120})?\.?\s*-->$"
)
_DUTY = lazy_re2(r"(?i)\b(?:must|should|shall|need|have\sto|ignore|disregard|reveal|you|your)\b")
_MACHINE = lazy_re2(f"(?i)^[^.]{{0,12}}{MACHINES}")
_LIST_AT_LEAST = 8
_MAY = lazy_re2(
    r"(?i)\b(?:this|that|it|which|they|(?:the|an?)\s(?:[\w-]+\s){0,2}?(?:program|library|function"
    r"|code|option|method|server|client|command|setting|bug|error|log|version|release))\W{1,4}"
    r"(?:will|would|may|might|can|could)\W{0,4}\s+$"
)
_LEAKS = lazy_re2(r"(?i)^(?:leak|dump)\b")
_NOUN = lazy_re2(r"(?i)\b(?:the|this|that|its|an?|example|sample|standard)\s+$")
_IS_TOLD = lazy_re2(r"(?i)^output\s+(?:\w+s|of)\b")
_KEEPS = lazy_re2(r"(?i)^(?:copy|save|copy\sand\spaste)\s[^\n/~]*\bto$")
# A file of settings in the same folder, or a place that only the reader knows.
_HERE = lazy_re2(
    r"(?i)^\s*[`'\"]{0,2}(?:\./)?\w[\w-]*\.(?:json|ya?ml|ini|toml|conf|cfg|env|pem|key)[`'\"]{0,2}(?:\.\s|\.?\n|\.?$)"
    r"|^\s+an?\s(?:safe|secure)\s(?:location|place)(?:\.|\sbecause\b)"
)
_TO_READER = lazy_re2(
    f"(?i){MACHINES}|{SECRETLY}|https?://|\\w@\\w|\\b\\d{{1,3}}(?:\\.\\d{{1,3}}){{3}}\\b"
    r"|\b(?:you\s(?:must|shall|should|are\sto|need)|please|immediately|now|then|before\syou|users?"
    r"|conversation|attacker|message|mail|publish|post|upload|send)\b"
)
_CALLS = lazy_re2(r"(?i)^(?:call|invoke|use|run|execute)\s[^\n]{0,300}\swith\s(?:the|every)$")
_CAN = lazy_re2(r"(?i)\b(?:will|can|may|would|could|might)\s+$")
# `Run the plugin test`: no plugin is called.
_COMPOUND = lazy_re2(
    r"(?i)^\w+\s(?:the\s)?(?:tool|function|plugin|connector)\s(?:tests?|suite|name|list)\b"
)
_OWN_PARTS = lazy_re2(
    r"(?i)^\s+(?:compiler|linker|debugger|suffix|prefix|specified|default|same|options?|flags?)\b"
)
_NAMED_TOOL = lazy_re2(r"(?i)\w_\w|\b\w+\.\w+\(|[{}$€=\"]")
_POSSIBLE = lazy_re2(r"(?i)\b(?:pued[ea]n?|podr[íá]an?|peut|peuvent|pouvez)\s+$")
_CONDITION = lazy_re2(r"(?i)\b(?:if|unless|whether|until|once)\s+$")


def is_directive(text: str, start: int, end: int) -> bool:
    """Tell a comment of one word for a program (`<!-- ignore -->`), or one that names its file."""
    comment = text[start:end]
    if _DIRECTIVE.search(comment) is not None or _is_of_example(text, start, end):
        return True
    told = _OF_FILE.search(comment)
    if told is None or _DUTY.search(comment) is not None:
        return False
    return _MACHINE.search(told[1]) is None


def is_told_of_program(text: str, start: int, end: int) -> bool:
    """Tell what a program does without asking, in the third person or in a list of changes."""
    if not text[start:end].lower().startswith("without"):
        return False
    before, after = _sentence(text, start, end)
    said = before + text[start:end] + after
    if _READER.search(said) is not None or _HARM.search(said) is not None:
        return False
    told = _THIRD.search(before)
    if told is not None and _NEXT_CLAUSE.search(told[1]) is None:
        return True
    return _is_change(text, start)


def is_word_list(text: str, start: int, end: int) -> bool:
    """Tell words in order of the alphabet, one on each line: no sentence is in that order."""
    lines = [line.strip().lower() for line in text[start:end].split("\n")]
    is_single = all(line and " " not in line for line in lines)
    # The last word may be a part of a longer one.
    return is_single and len(lines) >= _LIST_AT_LEAST and lines[:-1] == sorted(lines[:-1])


def is_told_secret(text: str, start: int, end: int) -> bool:
    """Tell `this will leak passwords`, `the output holds a token`, and copies that stay here."""
    before, after = _sentence(text, start, end)
    found = text[start:end]
    is_warning = _MAY.search(before) is not None and _LEAKS.search(found) is not None
    is_noun = _NOUN.search(before) is not None and _IS_TOLD.search(found) is not None
    is_kept = _KEEPS.search(found) is not None and _HERE.search(text[end : end + 80]) is not None
    return (is_warning or is_noun or is_kept) and _TO_READER.search(found + after) is None


def is_told_call(text: str, start: int, end: int) -> bool:
    """Tell `it will run the tool along with the compiler`: of parts of a program."""
    found = text[start:end]
    if _CALLS.search(found) is None or _OWN_PARTS.search(text[end : end + 40]) is None:
        return False
    before, after = _sentence(text, start, end)
    if _CAN.search(before) is None and _COMPOUND.search(found) is None:
        return False
    said = before + found + after
    return not any(one.search(said) is not None for one in (_NAMED_TOOL, _TO_READER, _HARM))


def is_possible(text: str, start: int, _: int) -> bool:
    """Tell `puede acceder a la clave secreta`: what somebody can do; and a comment of one word."""
    if _IN_COMMENT.search(text[max(0, start - 20) : start]) is not None:
        return _ONE_WORD.search(text[start : start + 40]) is not None
    is_access = text[start : start + 3].lower() == "acc"
    return is_access and _POSSIBLE.search(text[max(0, start - 20) : start]) is not None


def is_condition(text: str, start: int, _: int) -> bool:
    """Tell `only if the call is approved`: nothing is approved by that."""
    return _CONDITION.search(text[max(0, start - 20) : start]) is not None


def _is_of_example(text: str, start: int, end: int) -> bool:
    comment = text[start:end]
    if _OF_EXAMPLE.search(comment) is None or _CODE.search(text[end : end + 40]) is None:
        return False
    return _READER.search(comment) is None and _OF_RULES.search(comment) is None


def _is_change(text: str, start: int) -> bool:
    if _THIS_CHANGE.search(text[max(0, start - _AROUND) : start]) is None:
        return False
    return len(_CHANGE.findall(text)) >= _CHANGES_AT_LEAST


def _sentence(text: str, start: int, end: int) -> tuple[str, str]:
    """Give what a sentence says before and behind a place in it."""
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    begin = max([0, *(match.end() for match in _ENDS.finditer(before))])
    stop = _ENDS.search(after)
    return before[begin:], after[: stop.start() + 1] if stop is not None else after
