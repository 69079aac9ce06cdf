"""Calls in code whose names say that something outside is reached, and that nobody described.

A reader of a script language takes a call it does not know for an ordinary one. In code that a
tool is handed this is too little: libraries send, remove and look up passwords under names of their
own. What a name says is enough to ask.

    unread_act("r", 'dbRemoveTable(con, "a")')      "dbRemoveTable"
    unread_act("r", 'unlink("build")')              ""   the reader knows it
    unread_act("r", 'summary(lm(a ~ b, d))')        ""
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from signoff.actions.code.commands.editors import LISP_CALLS
from signoff.actions.code.commands.octave import OCTAVE
from signoff.actions.code.scripts import perl, php, ruby
from signoff.actions.code.scripts.language import Language, any_owner
from signoff.actions.code.scripts.minor import ELIXIR, GROOVY, JULIA, LUA, SCHEME, R
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.verbs import NOUN_LIKE, VERBS
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import lazy_re, words

_LANGUAGES = (
    *(R, LUA, GROOVY, JULIA, ELIXIR, SCHEME, OCTAVE),
    *(perl.LANGUAGE, php.LANGUAGE, ruby.LANGUAGE),
)
# A name before a bracket; a function that is handed on: `&Oban.insert_all/1`; a form of Lisp.
_CALL = lazy_re(
    r"([A-Za-z_$@%\\][\w.:\\$>!?-]*)\s*\(|&([A-Z][\w.]*)/\d|\(\s*([a-z][\w-]*-[\w-]+)[\s)]"
)
_OUTSIDE = vocabulary(
    "http https url curl request req upload ftp smtp socket ssh sftp scp keyring keychain secret"
    " secrets password passwd credential credentials vault auth token mail email webhook slack s3"
    " aws gcs azure remote cluster deploy enqueue worker payout job queue publish topic bulk"
    " mailer deliver notify notifier broadcast sms payment invoice pay"
)
_ACTS = frozenset(
    {Verb.DELETE, Verb.NETWORK_OUT, Verb.PUBLISH, Verb.SPEND, Verb.PRIVILEGE, Verb.NETWORK_IN}
    | {Verb.EXECUTE, Verb.CONTROL, Verb.INSTALL, Verb.PERSIST, Verb.CONFIGURE}
)
# They only change what the script holds.
_HELD = vocabulary("do call clear clean start stop open reset empty")
_FAR = lazy_re(r"https?://(?!localhost\b|127\.|\[::1\])|\bftp://|\bsmtp://")
_SECRETS = lazy_re(
    r"(?i)/[\w./-]*\.(?:key|pem|p12|pfx|jks|keytab)\b|\benv\.php\b|/\.(?:ssh|aws|gnupg|kube)\b"
    r"|\b(?:auth-source|keyring|secretstorage|getpass|Credential)\b"
)
# Ruby calls without brackets: what an application keeps secret, and its ways to others.
_OF_APPLICATIONS = lazy_re(
    r"\b(?:credentials|secrets?|secret_key_base|master_key|encrypted|ENV|Stripe\w*|Braintree|PayPal\w*"
    r"|Adyen\w*|Plaid|Twilio\w*|SendGrid\w*|Mailgun\w*|Postmark\w*|Slack\w*|Aws|Google|Azure|Fog|Octokit"
    r"|Faraday|HTTParty|RestClient|HTTP|Net|Typhoeus|Excon|Sidekiq\w*|Resque\w*|GoodJob|SolidQueue|Delayed"
    r"|\w+Mailer|\w+Job|\w+Worker|\w*Client|\w*Gateway|perform_(?:later|now|async|in|at)|deliver\w*"
    r"|refund\w*|payout\w*|charge\w*|capture\w*|transfer\w*|broadcast\w*|notify\w*|publish\w*"
    r"|enqueue\w*|password\w*|api_key\w*|token\w*|purge\w*|destroy_all|delete_all!|ActiveStorage)\b"
)
_MOST = 400


def unread_act(language: str, text: str) -> str:
    """Return a name or address in a text that reaches outside unread, "" if there is none."""
    kept = _OF_APPLICATIONS.search(text) if language == "rails" else None
    if language == "elixir-console":
        acts = (one for one in _MODULE_CALL.finditer(text) if not _only_gives(one))
        kept = _RENAMED.search(text) or next(acts, None)
    for found in (_FAR.search(text), _SECRETS.search(text), kept):
        if found is not None:
            return found[0]
    language = {"rails": "ruby", "elixir-console": "elixir"}.get(language, language)
    known = _known_calls(language)
    for name in _calls(text):
        if name not in known and any_owner(name) not in known and _is_act(name):
            return name
    return ""


def _only_gives(call: re.Match[str]) -> bool:
    """Tell a function of Elixir that gives a value, or reads the application's own database."""
    module, function = call[1], call[2]
    if module.startswith(":"):
        return module in _ERLANG
    last = module.rpartition(".")[2]
    if last in _MODULES or last in _SETTINGS:
        return last in _MODULES
    said = split_words(function)
    is_look = bool(said) and VERBS.get(said[0]) in (Verb.READ, Verb.INERT)
    return (
        function in _LOOKS_UP if last in ("Repo", "SQL") else is_look and _OUTSIDE.isdisjoint(said)
    )


# `Enum.map(`, `:inet_res.lookup`, `&App.Trees.list/1`: a module and its function.
_MODULE_CALL = lazy_re(r"(?<![\w.])((?::[a-z]\w*|(?:[A-Z]\w*\.)*[A-Z]\w*))\.([a-z_]\w*[?!]?)")
_ERLANG = frozenset({":math", ":lists", ":maps", ":sets", ":queue", ":rand", ":array", ":string"})
_MODULES = words(
    "Enum String Map List IO Keyword MapSet Stream Integer Float Tuple Regex Date Time DateTime"
    " Range NaiveDateTime Calendar Decimal Inspect Access Bitwise Base URI Query Changeset Jason"
    " Timex Version Duration"
)
_SETTINGS = words("Application System Config Kernel Function Code Module Process Node Port Task")
# A module that is given another name, or called by a value: `m = System; m.cmd("ls", [])`.
_RENAMED = lazy_re(
    r"(?<![\w.:])(?:[a-z_]\w*|&\d|\))\.[a-z_]\w*[?!]?\(|\bas:|\bdefmodule\b|\bapply\b|\buse [A-Z]"
    r"|\bimport (?!Ecto\.|Enum\b)|\bquote\b|\bspawn\w*|\bsend\b|\breceive\b|`"
)
_LOOKS_UP = words(
    "all one one! get get! get_by get_by! aggregate exists? preload reload reload! stream to_sql"
    " explain"
)


def _calls(text: str) -> Iterator[str]:
    for found in islice(_CALL.finditer(text), _MOST):
        name = next((one for one in found.groups() if one), "")
        yield name.replace("::", ".").replace("->", ".").lstrip("$@%\\").rstrip("-")


def _is_act(name: str) -> bool:
    said = split_words(name.rpartition(".")[2])
    # `bq_perform_query_dry_run` is named after what it does not do.
    if said[-2:] == ("dry", "run"):
        return False
    if not _OUTSIDE.isdisjoint(split_words(name)):
        return True
    verbs = [word for word in said if word in VERBS and word not in NOUN_LIKE | _HELD]
    return any([VERBS[word] in _ACTS for word in verbs])


@cache
def _known_calls(language: str) -> frozenset[str]:
    if language == "emacs":
        return frozenset(LISP_CALLS)
    of: Language | None = next((one for one in _LANGUAGES if one.name == language), None)
    if of is None:
        return frozenset()
    return frozenset({*of.calls, *of.folds, *of.specials, *of.pure, *of.imports})
