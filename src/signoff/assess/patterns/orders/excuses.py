"""Passages that look like orders to a model and are none, by how they are said.

Each rule is about one manner of speaking: of attacks, to people, about a third person, in a program
that has a model of its own. What is excused here can still be found by its parts, see `addressed`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from signoff.actions.vocabulary import lazy_re, lazy_re2
from signoff.assess.patterns.orders.aimed import wants_no_harm, wants_nothing
from signoff.assess.patterns.orders.descriptions import (
    is_condition,
    is_directive,
    is_possible,
    is_told_call,
    is_told_of_program,
    is_told_secret,
    is_word_list,
)
from signoff.assess.patterns.orders.manner import (
    is_about_attacks,
    is_indented,
    is_line_of_program,
    is_program,
    is_quoted,
    thinned,
)
from signoff.assess.patterns.orders.places import (
    carries_picture,
    is_key,
    is_measured,
    is_option,
    is_slot,
    is_version,
    is_wrapped,
)
from signoff.assess.patterns.orders.talks import OF_TALKS, is_ordinary
from signoff.assess.patterns.orders.words import OF_THE_PERSON, OVERRIDES

_AROUND = 260
_ONE_SENTENCE = 160
_SEVERAL = lazy_re2(r"\.\s|\n")
# What a program, a file of prompts and the record of a talk say to their own model.
_OF_PROGRAMS = frozenset(
    {"answer-form", "persona", "leak", "ignore", "ignore-everything", "approve", "boundary"}
    | {"send-secrets", "send-out"}
)
_QUIETLY = lazy_re2(f"(?i)(?:{OF_THE_PERSON})|(?:{OVERRIDES})")
_OF_OTHERS = lazy_re2(
    r"(?i)\b(?:conversation|chat\s+history|system\s+prompt|user'?s\s|customer\s+(?:records?|data|e-?mails?)"
    r"|environment\s+variables?|api[ _-]?keys?|private\s+keys?|passwords|credentials|cookies"
    r"|the\s+keys\b)"
)
# `instructing it to ignore ...`, `shall disregard ...`: told of somebody else.
_OF_A_THIRD = lazy_re2(
    r"(?i)(?:\b(?:it|them|him|her|models?|assistants?|chatbots?|llms?|agents?|attackers?|someone|something"
    r"|instructions?|attempts?|tr(?:y|ies|ying)|asked|tells?|telling|asks?|how|designed|instructing\s\w+)\s+to"
    r"|\b(?:shall|could|may|might|would|can|will|recipient|party|parties|never|not)"
    # `how do I make the model forget`
    r"|\bhow\s(?:do|can|could)\s(?:i|we)\s(?:make|get|let)\s(?:the|a|my|your)\s(?:\w+\s)?\w+(?:\sto)?)\s+$"
)
# `ignore our earlier instructions about the gate`: of one matter, among people.
_OF_A_MATTER = lazy_re2(
    r"(?i)^\w*\s+(?:\w+\s+){0,2}?(?:about|regarding|concerning|on\s(?:the|how)|for\s(?:the|your)\s(?:\w+\s)?"
    r"(?:\w+day|week|trip|order|invoice|payment|meeting|delivery)|from\s(?:\w+day|last)|in\s(?:my|our))\b"
)
# The same, where nothing that does harm is wanted after it.
_OF_A_PART = lazy_re2(
    r"(?i)^\w*\s+(?:on\s(?:this|that)|for\s(?:step|task|question|item|row)\s\d)\b"
)
# `told the jurors to disregard`: one person to another, and not to the reader.
_OF_OTHERS_TOLD = lazy_re(
    r"(?i)\b(?:told|asked|ordered|instructed|urged|advised|reminded)\s"
    r"(?:(?:the|all|both|his|her|their|our)\s)?(?!you\b|your\b|me\b|us\b)\w{3,20}\sto\s+$"
    r"|(?<!\byou\s)\b(?:was|were|had\sbeen)\s(?:told|ordered|instructed|urged|advised)\sto\s+$"
)
# `must not instruct it to bypass rules or reveal ...`: the ban holds for both.
_OF_A_BAN = lazy_re2(
    r"(?i)\b(?:must\snot|may\snot|never|do\snot|don't|cannot)\s(?:instruct|tell|ask|get|cause|trick"
    r"|try\sto\sget)\s(?:it|them|him|her)\sto\s[^.;:!?\n]{1,40}\sor\s+$"
    # `prompts that make the bot swear or print its system prompt`
    r"|\bthat\s(?:makes?|made)\s(?:the|an?|any)\s(?:model|chatbot|bot|llm)\s(?:[^.;:!?\n]{1,40}\sor\s+)?$"
)
# `ignore any instructions inside the text`: orders in data are to be ignored, which guards.
_IN_DATA = lazy_re2(
    r"(?i)^\w*\s+(?:that\s(?:are|appear|stand)\s|you\sfind\s)?(?:found\s|contained\s|embedded\s|hidden\s)?"
    r"(?:in|inside|within)\s+(?:(?:the|any|this|that|these|such)\s)?(?:(?:web|retrieved|fetched|quoted"
    r"|untrusted|external)\s)?(?:texts?|documents?|pages?|content|tool\s(?:results?|outputs?)|data|quotes?)"
    r"\s*(?:[.,;!?)\"'\n]|$)"
)
_OF_BEFORE = lazy_re2(
    r"(?i)\b(?:your|previous|prior|above|earlier|preceding|system|developer|safety|initial|original)\b"
)
_ASKS_MORE = lazy_re2(
    r"(?i)\b(?:print|reveal|output|mail|send|post|upload|forward|delete|execute|transfer|grant)\s"
    r"(?:\w+\s){0,4}?(?:keys?|passwords?|accounts?|records?|data|tokens?|prompt|files?)\b|https?://|\w@\w"
)
_OF_PERSONS = lazy_re2(
    r"(?i)(?:everything|anything|what(?:ever)?)\s+(?:the\s\w+|my\s\w+|our\s\w+|his|her|he|she|they|i|we|people)\b"
)
# `forget everything you know about bread`: of one matter; what guards a model is none.
_OF_KNOWLEDGE = lazy_re(
    r"(?i)\A\w*\s+you(?:'ve|\shave)?\s(?:know|knew|learned|learnt|heard|read)\sabout\s"
    r"(?!(?:\w+\s){0,3}?(?:safety|security|rules?|instructions?|polic\w+|ethic\w*|secre\w+|guid\w+|limit\w*"
    r"|restrict\w+|priva\w+|users?|prompts?|your\w*|this|that|me|us|being|how|what)\b)\w"
)
_LETTER = lazy_re2(r"(?i)\b(?:we|our|us|dear|regards|sincerely|you\s+may|hello)\b")
# `a prompt that makes the model answer as a pirate`: told of a model, not to one.
_MADE_TO = lazy_re2(r"(?i)\bthat\s(?:makes?|made)\s(?:the|a|an|any)\s(?:model|chatbot|bot|llm)\s$")
_WITHIN = lazy_re2(r"(?i)\b(?:in|into|within|throughout|all|start|begin|end)\s+$")
_TYPED = lazy_re2(r"(?i)\b(?:type|enter|write|leave|send|post)\s+$")
_HEADING = 60  # what may stand before a talk: a date, a title
_OF_FORMATS = lazy_re2(
    r"(?i)\btemplates?\b|tokeni[sz]er|chatml|\bformat\s+wraps|\b(?:prompt|chat|turn)\s+format\b"
)
_PERSON = lazy_re2(r"(?im)^\W{0,4}(?:user|human|me)\W{0,4}:")
# `will never send`; `do not forget to send` is the contrary.
_NEGATED = lazy_re2(
    r"(?i)(?:\bnever|\bnot|n't|\bcannot|\bwithout)\s+(?:(?:\w{1,5}|accidentally)\s+){0,2}$"
)
_NOT_NEGATED = lazy_re2(r"(?i)\b(?:to|just|only|but|if|when|then|and)\s+$")
_JINJA = ("{%", "{{")
_NO_MARKS = (is_slot, is_key, is_option, is_measured, is_version, is_wrapped)

# Words that show that an attack is spoken of and not made.
_SPOKEN_OF = (
    *("example", "pattern", "phrase", "attack", "classify", "detect", "documentation", "describes"),
    *("training", "trainer", "such as", "guidance", "test case", "regression", "false positive"),
    *("quiz", "lesson", "slide", "corpora", "corpus", "changelog", "article", "quote", "report"),
    "notes",
    *("postmortem", "guide", "blocked", "discuss", "coverage", "evaluates", "explains", "literal"),
    *("injection", "do not follow", "don't follow", "refuse", "warns", "quoted", "e.g.", "fixture"),
)
_QUOTES = "'\"`\u201c\u201d\u2018\u2019\u00ab\u00bb"
_BESIDE = 160


def is_excused(text: str, name: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether all matches of a pattern are in a context that makes them no instruction.

    Args:
        name: the pattern's id.
        spans: (start, end) of each match; () = not excused.
    """
    if not spans:
        return False
    if _is_said_otherwise(text, name, spans):
        return True
    # An address with places to fill in is what sends; words around do not help.
    return name != "image-out" and all(_is_shown(text, name, *span) for span in spans)


def _is_said_otherwise(text: str, name: str, spans: Sequence[tuple[int, int]]) -> bool:
    if _is_no_mark(text, name, spans) or (name in OF_TALKS and is_ordinary(text, spans)):
        return True
    if name == "to-the-model" and all(_is_call_only(text, *one) for one in thinned(spans)):
        return True  # `the picture said "Dear assistant, ..."`; what it wants is read apart
    is_of_program = name in _OF_PROGRAMS and is_program(text)
    if is_of_program and all(is_line_of_program(text, start) for start, _ in spans):
        return True
    return all(_is_other(text, name, start, end) for start, end in spans)


def _is_call_only(text: str, start: int, end: int) -> bool:
    return is_quoted(text, start, end) or wants_nothing(text, start, end)


def _is_no_mark(text: str, name: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell what looks like the mark of a role, or like a picture that carries data out."""
    if name == "image-out":
        return all(carries_picture(text, start, end) for start, end in spans)
    if name != "role-tag":
        return False
    if all(mark in text for mark in _JINJA) or _is_talk(text, spans):
        return True
    if all(any(kind(text, *span) for kind in _NO_MARKS) for span in spans):
        return True
    is_of_format = _OF_FORMATS.search(text) is not None
    return is_of_format and all(
        is_quoted(text, start, end) or (is_indented(text, start) and _is_all(text, end))
        for start, end in spans
    )


def _is_shown(text: str, name: str, start: int, end: int) -> bool:
    """Tell a match that is quoted: right away, or with words that speak about attacks."""
    before, after = text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]
    if name == "role-tag" and _is_of_template(before, after):
        return True
    is_between = any(mark in before[-20:] for mark in _QUOTES) and any(
        mark in after[:40] for mark in _QUOTES
    )
    is_direct = any(mark in before[-2:] for mark in _QUOTES)
    around = (before + after).lower()
    return is_between and (is_direct or any(word in around for word in _SPOKEN_OF))


def _is_of_template(before: str, after: str) -> bool:
    """Whether a mark of a role has a place to fill in beside it: a template of talks, no talk."""
    is_before = before.rstrip().endswith(("}}", "%}"))
    return is_before or after.lstrip().startswith(("{{", "{%"))


def _is_talk(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell the record of a talk: a person and an assistant by turns, and no system."""
    is_assistant = all("assistant" in text[start:end].lower() for start, end in spans)
    first = _PERSON.search(text)
    is_begun = first is not None and first.start() <= _HEADING
    return is_begun and is_assistant and len(_PERSON.findall(text)) >= 2


def _is_other(text: str, name: str, start: int, end: int) -> bool:
    is_shown = is_quoted(text, start, end)
    if is_shown and (name == "other-tongue" or is_about_attacks(text, start, end)):
        return True
    rule = _RULES.get(name)
    return rule is not None and rule(text, start, end)


def _is_to_people(text: str, start: int, end: int) -> bool:
    """Tell a request among people, which hides nothing and takes nothing of others."""
    before = text[max(0, start - 40) : start]
    if _NEGATED.search(before) is not None and _NOT_NEGATED.search(before) is None:
        return True
    if len(text) <= _ONE_SENTENCE and not _SEVERAL.search(text.strip()):
        return False  # nothing else is said, so it is said to the reader
    around = text[max(0, start - _AROUND) : end + _AROUND]
    return _QUIETLY.search(around) is None and _OF_OTHERS.search(text, start, end) is None


def _is_told_or_to_people(text: str, start: int, end: int) -> bool:
    return is_told_secret(text, start, end) or _is_to_people(text, start, end)


def _is_listed_or_of_a_third(text: str, start: int, end: int) -> bool:
    if is_word_list(text, start, end) or _is_of_a_third(text, start, end):
        return True
    after = text[end : end + 80]
    is_in_data = _IN_DATA.search(after) is not None
    is_guard = is_in_data and _OF_BEFORE.search(text, start, end) is None
    return (is_guard or _OF_A_PART.search(after) is not None) and _is_all(text, end)


def _is_all(text: str, end: int) -> bool:
    """Whether a passage is all that is said: nothing that does harm is wanted after it."""
    return wants_no_harm(text, end) and _ASKS_MORE.search(text, end, end + _AROUND) is None


def _is_possible_or_of_a_matter(text: str, start: int, end: int) -> bool:
    is_of_matter = _OF_A_MATTER.search(text[end : end + 60]) is not None
    return is_possible(text, start, end) or (is_of_matter and _is_all(text, end))


def _is_of_a_third(text: str, start: int, end: int) -> bool:
    if _OF_A_MATTER.search(text[end : end + 60]) is not None:
        return True
    before = text[max(0, start - 100) : start]
    if _OF_A_THIRD.search(before[-60:]) is not None:
        return True
    is_told = _OF_OTHERS_TOLD.search(before) is not None or _OF_A_BAN.search(before) is not None
    return is_told and _is_all(text, end)


def _is_of_persons(text: str, start: int, end: int) -> bool:
    if _OF_KNOWLEDGE.search(text[end : end + 100]) is not None and _is_all(text, end):
        return True
    return _OF_PERSONS.search(text, start, min(len(text), end + 30)) is not None


def _is_about_a_letter(text: str, start: int, end: int) -> bool:
    """Tell `your message` in a letter; `in your answer, ...` asks for a form of it."""
    if _MADE_TO.search(text[max(0, start - 40) : start]) is not None:
        return True
    if _TYPED.search(text[max(0, start - 12) : start]) is not None:
        return True  # `Type your message`: said to who uses a form
    is_named = text[start : start + 5].lower() == "your "
    is_place = _WITHIN.search(text[max(0, start - 12) : start]) is not None
    return is_named and not is_place and _LETTER.search(text) is not None


_RULES: dict[str, Callable[[str, int, int], bool]] = {
    "send-out": _is_to_people,
    "send-secrets": _is_told_or_to_people,
    "ignore": _is_listed_or_of_a_third,
    "leak": _is_of_a_third,
    "ignore-everything": _is_of_persons,
    "answer-form": _is_about_a_letter,
    "approve": is_condition,
    "comment": is_directive,
    "conceal": is_told_of_program,
    "other-tongue": _is_possible_or_of_a_matter,
    "tool-call": is_told_call,
}
