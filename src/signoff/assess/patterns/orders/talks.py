"""Prompts that give a machine a part to play, and ordinary texts that use the same words.

`Answer in full sentences`, `stay in character`, `in your code`: exams, theatres and guides say so.
Such words are an order to the model only where the text as a whole is a talk with one.

    is_ordinary("The cast must stay in character until the lights go out.", [(14, 31)])  ->  True
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.vocabulary import lazy_re2
from signoff.assess.patterns.orders.manner import is_about_attacks, is_quoted

# What exams, forms and notes on food say too: it takes a talk with a machine to make it an order.
_ORDINARY = lazy_re2(
    r"(?is)^(?:(?:respond|reply|answer)\s.*|you\s(?:are|will\sbe)\snow\s|unfiltered|amoral"
    r"|(?:openai(?:'s)?\s)?(?:content\s)?polic\w*|(?:stay\sin|break)\scharacter"
    r"|without\s(?:any\s)?(?:restrictions|filters?|censorship|limitations)|from\snow\son.*"
    r"|(?:pretend|act|behave|simulate)\s.*|you\sare\sno\slonger\s.*|(?:developer|god)\smode.*"
    r"|(?:in|to|into|of|within|throughout|for)\syour\s+(?:\w+\s)?(?:code|algorithm|program|script)"
    r"|no\s\w+\s(?:guidelines|restrictions|limits|policies)|i\swant\syou\sto.*|immersive\srole)$"
)
_TALKED = lazy_re2(
    r"(?i)\b(?:my|the)\s(?:first|next)\s(?:\w+\s)?(?:question|prompt)|\bmy\s(?:first|next)\s(?:request"
    r"|task|message|command)|\[(?:insert|prompt|your)\b|\{(?:prompt|question)\}|\b(?:chat-?gpt|gpt|llm|openai"
    r"|ai\s(?:model|assistant|chatbot)|language\smodel|jailbreak)\b|\bi\swant\syou\sto\b"
    # `You will be back in the same file` gives nobody a part.
    r"|\byou\s(?:will|must|shall|are\sto)\s(?:now\s|only\s|always\s|never\s)?(?:act|answer|respond"
    r"|reply|play|pretend|be\s(?:an?|the|my|as|called|named|known|given|provided|asked|\w+ing\sas"
    r"|(?-i:[A-Z]))\b)|\bas\san?\s(?:ai|assistant)\b|\b(?:every|each)\s(?:prompt|question)\b"
    r"|\bpersona\b|\bchatbot|\bai,?\s(?:just\s)?(?:like\syou|bot|programmed|capable)|\bas\syourself\b"
)
# How a prompt opens that gives a part to play.
_PLAYED = lazy_re2(
    r"(?i)\b(?:you\s(?:are\s(?:an?|the|going|about|no|my|now\s(?:an?|the))\b|will|must)|pretend|simulate|act\s(?:as|like)|roleplay|ignore|forget|from\snow"
    r"|i\s(?:want|would\slike|need)|(?:respond|reply|answer)\s|rules?\W|char\W)"
)
_STATE = lazy_re2(
    r"(?i)^\s*(?:ready|able|free|logged|connected|subscribed|registered|signed|in|on|at|back|\w+ing"
    r"|authenticated|verified|enrolled|unsubscribed|redirected|disconnected|paired|synced)\b"
)
_OPENING = 200
_TALKS_AT_LEAST = 2  # different things of this kind in one text: a prompt, whoever is meant
OF_TALKS = frozenset({"persona", "answer-form"})
_FRAME = 100  # characters before a quotation that say whose it is


def _is_state(text: str, start: int, end: int) -> bool:
    """Tell `you are now ready to connect` from a part to play."""
    is_now = text[start:end].lower().rstrip().endswith("now")
    return is_now and _STATE.search(text[end : end + 20]) is not None


def is_ordinary(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell what is said to people and programs too, where no talk with a machine is near."""
    spans = [span for span in spans if not _is_state(text, *span)]
    said = [text[start:end].lower().strip() for start, end in spans]
    if not spans:
        return True
    opening = text[:_OPENING]
    is_opened = _TALKED.search(opening) is not None or _PLAYED.search(opening) is not None
    if not all(_ORDINARY.search(one) for one in said):
        return not is_opened and is_about_attacks(text, *spans[0])
    if spans[0][0] > _FRAME and all(is_quoted(text, start, end) for start, end in spans):
        return True
    is_talk = _TALKED.search(text) is not None
    # A document that mentions a prompt opens as a document.
    is_several = is_opened and len({one[:8] for one in said}) >= _TALKS_AT_LEAST
    return not (is_talk or is_several)
