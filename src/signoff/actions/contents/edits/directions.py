"""Edits by their direction: a guard switched off, an exemption for all, a command in a hook.

What a setting is called in one framework nobody can list; which way an edit turns it can be read. A
word that guards goes to off, a word that lets in goes to on, a list of exemptions gets a wildcard,
a hook of a tool gets one more command. Each needs the old text beside the new one, apart from a
wildcard, which says enough by itself.

    cleartextTrafficPermitted="false" -> "true"        a word that lets in is switched on
    protected $except = [] -> ['*']                    everything is exempt
    "post-install-cmd": [a] -> [a, "@php b.php"]       one more command in a hook
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from signoff.actions.contents.edits.exemptions import dropped_pin, exempted_paths
from signoff.actions.contents.edits.higher_rights import higher_rights
from signoff.actions.contents.edits.widened_networks import widened_network
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Trait
from signoff.actions.vocabulary import lazy_re2, words

Meaning = tuple[frozenset[Trait], str, str]

MOST = 200  # pairs of a text
_READ = 40_000  # characters: an edit beyond that is a whole file, which its own patterns cover
_WEAKENS = frozenset({Trait.WEAKENS})
_RUNS = frozenset({Trait.RUNS_LATER})
_KINDS = frozenset(
    {
        *(FileKind.SOURCE, FileKind.BUILD, FileKind.DATA, FileKind.INFRA, FileKind.ENV),
        *(FileKind.CONTAINER, FileKind.OTHER, FileKind.TOOL_CONFIG, FileKind.MANIFEST),
        FileKind.SYSTEM_CONFIG,
    }
)
_PAIR = lazy_re2(
    r"(?:\w+:)?([A-Za-z_$][\w.$-]{2,60})[\"'\]]{0,2}\s*(?:=>|:=|[:=])\s*[\"']?([A-Za-z0-9]{1,12})\b"
)
# How much has to hold before a check passes: of tests, of passwords, of what is kept.
_BOUND = lazy_re2(
    r"(?i)\b((?:cov(?:erage)?[_-]?)?fail[_-]?under|min(?:imum)?[_-]?(?:coverage|score|(?:password[_-]?)?length)"
    r"|coverage[_-]?threshold|password[_-]?min[_-]?length|retention[_-]?(?:in[_-]?)?days"
    r"|min(?:imum)?[_-]?(?:approvals?|reviewers?)|required[_-]?(?:approvals?|reviewers?|approving_review_count)"
    r"|keep[_-](?:daily|weekly|monthly|yearly|last|days|within)|[\w.-]{0,30}retention[\w.-]{0,24}|rotate)"
    r"[\"']?(?:\s*[:=]\s*|[ \t]+)[\"']?(\d{1,12}(?:\.\d{1,4})?)"
)
# Kconfig writes switches so: `CONFIG_SECURE_BOOT=y`, `# CONFIG_SECURE_BOOT is not set`.
_LETTERS = {"y": "yes", "n": "no", "m": "yes"}
# `<param name="auth-calls" value="true"/>`
_ATTRIBUTES = lazy_re2(
    r"\b(?:name|key)=[\"']([A-Za-z_$][\w.$-]{2,60})[\"']\s+value=[\"']([A-Za-z0-9]{1,12})[\"']"
)
_UNSET = lazy_re2(r"(?m)^#\s*([A-Z][A-Z0-9_]{3,60}) is not set")
_ON = words("true yes on 1 enabled enable required enforce enforcing always strict")
_OFF = words(
    "false no off 0 disabled disable none optional permissive never nil null any open ignore"
)
# Without `auth` in `author`, and without words that only name a mode of types or of looks.
_GUARDS = lazy_re2(
    r"(?i)verif|validat|authenti|authori[sz]|auth(?:$|[^o])|require|enforce|secur|csrf|xsrf|tls|ssl"
    r"|https|encrypt|sandbox|protect|saniti[sz]|escap|signed|signature|checksum|mfa|2fa|totp|firewall"
    r"|captcha|rate_?limit|throttl|audit|hsts|gpg_?check|force_?login|password_?policy|fail_?if_?no_?|integrity|isolat|restrict|guard|interlock|lockout"
    r"|block_?public|ignore_?public|deletion_?protect|(?:key|cert\w*|host|origin|bounds?|permission|access)_?check|versioning|watchdog|failsafe|fail_?safe|emergency|estop|e_stop|moderat|approval"
)
_STATES = ("is_", "has_", "was_", "isv", "isa", "iss")
_OPENERS = lazy_re2(
    r"(?i)insecure|clear_?text|plain_?text|unsafe|bypass|anonymous|trust_?all|exported$|debuggable$"
    r"|allow_?(?:all|any|insecure|http\b|anonymous|root|unsafe|unsigned|guest|every|arbitrary|public"
    r"|invalid|self_?signed|empty|overwrite_?all)|permit_?(?:root|empty|all|any)|permitted$"
    r"|(?:skip|disable|ignore|no)_?-?\w{0,10}(?:auth|verif|valid|check|csrf|ssl|tls|sign|cert|secur"
    r"|sandbox|safety|limit|guard)|public_?(?:access|read|write)|guest_?(?:access|ok)|open_?relay"
    r"|(?:pass(?:word|phrase)|pw)_?auth|keyboard_?interactive|root_?log-?in|gateway_?ports|agent_?forward"
    r"|self_?registration|password_?less|privilege_?escalation|no_?passw|world_?(?:read|writ)"
)
# What takes a weak way in away reads like an opening: `disable_plaintext_auth`, `disableLocalAuth`.
_TIGHTENS = lazy_re2(
    r"(?i)(?:disable|disallow|deny|reject|block|forbid|prevent|no)[_-]?(?:plain_?text|clear_?text|local|basic|anonymous"
    r"|legacy|weak|insecure|unsafe|guest|password|root|ntlm|shared_?key|key_?based|self_?signed)\w*$"
    r"|fail_?if_?no_?\w+$|secure_signed\w*_no_secure_boot$"
)
_EXEMPT = lazy_re2(
    r"(?i)[\w$.-]*(?:except|exempt|whitelist|allow_?list|trusted|bypass|unprotected|anonymous|public_?path"
    r"|public_?route|permit|skip_?auth|no_?auth|unauthenticated|allowed_?(?:ip|net|cidr|caller|user"
    r"|client|number|peer|sender|from)|trusted_?prox)[\w-]*[\"']?\s*(?:=>|:=|[:=])\s*[\[({]*\s*"
    r"[\"']?(?:\*{1,2}|/\*{1,2}|\.\*|\*\*/\*|0\.0\.0\.0/0|::/0)[\"'\s,\])};]"
)
# Hooks of package managers, builders and runners, and lists of scripts that they run.
_HOOK = lazy_re2(
    r"(?i)[\"']?\b((?:pre|post)[-_:](?:install|update|create|root|autoload|package|archive|build|deploy|start"
    r"|compile|link|configure|run|flash|upload|render|boot|up|down|sync|import|export|process)[\w:-]*"
    r"|extra_?scripts|before_?(?:script|install|all|run|build)|after_?(?:script|install|run|build)"
    r"|init_?scripts?|startup_?scripts?|on_?(?:start|boot|call|connect|done)_?(?:script|command|exec)?"
    r"|exec_?(?:start|stop)(?:pre|post)?)[\"']?\s*[=:]\s*(\[(?s:[^\]]*)\]|[^\n]+)"
)
_RELEASE = lazy_re2(
    r"(?im)^[^\n#]*\b(?:upload_to_(?:app_store|play_store)\b|submit_for_review\s*:\s*true|automatic_release\s*:"
    r"\s*true|deliver\s*\(|supply\s*\(|release_status\s*:\s*[\"']completed|rollout\s*:\s*[\"']?1\.0)"
    r"[^\n]*$"
)
# The head of a function of Solidity, and the words in it that say who may call it and when.
_HEAD = lazy_re2(r"\bfunction\s+(\w+)\s*\([^)]*\)([^{;]{0,300})[{;]")
_MODIFIER = lazy_re2(r"\b(only[A-Z]\w*|requiresAuth|nonReentrant|whenNotPaused|initializer)\b")
_SETTINGS = _KINDS - {FileKind.SOURCE}
_COMMAND = lazy_re2(r"[\"']([^\"'\n]{3,300})[\"']|([^\s,\"'\[\]][^,\"'\n\[\]]{2,300})")


# Lists of checks that are left out, of rules, tests and known holes.
_LEFT_OUT = lazy_re2(
    r"(?i)[\"']?\b(?:(?:disabled?|skip(?:ped)?|excluded?|suppress(?:ed)?|ignored?|allow(?:ed)?)[-_]?"
    r"(?:rules?|checks?|tests?|suites?|policies|advisor(?:y|ies)|vulnerabilit(?:y|ies)|vulns?|cves?)"
    r"|(?:rules?|checks?|tests?|suites?)[-_]?(?:disabled|ignored|skipped|excluded|off))[\"']?"
    r"\s*[:=]\s*(?:\w+\()?[\[({](?P<list>[^\])}]*)"
)
_ENTRY = lazy_re2(r"[\"']([^\"'\n]{1,200})[\"']")
_MANY = 5  # checks that one edit leaves out; fewer are everyday work


# Settings with which a product watches less, whatever product it is.
_SEES_LESS = lazy_re2(
    r"(?i)\bdisabled?\b[\"'>\s]*[:=>]\s*[\"']?(?:yes|true|1|on)\b|<disabled>\s*yes"
    r"|\b(?:enabled?|active|monitor(?:ing)?|real_?time\w*|on_?access\w*|scan\w*|protect\w*)\b"
    r"[\"'>\s]*[:=>\s]\s*[\"']?(?:no|false|0|off)\b"
    r"|\b(?:mode|action|policy)\b[\"'>\s]*[:=>]\s*[\"']?(?:permissive|passive|audit|monitor|none|off|allow)\b"
    r"|<ignore\b|\b(?:exclu\w+|white_?list\w*|allow_?list\w*|except\w*|trusted\w*|bypass\w*|never\b)"
)


def sees_less(text: str) -> bool:
    """Return whether settings of a security product disable or exclude something."""
    return _SEES_LESS.search(text[:_READ]) is not None


def checks_left_out(text: NewText) -> tuple[str, ...]:
    """Return the checks that an edit disables, if they are many.

    disableRules: [] -> ["label", "image-alt", ...]
    """
    if text.old is None or len(text.new) > _READ:
        return ()
    before, after = (_left_out(one) for one in (text.old, text.new))
    added = tuple([one for one in after if one not in before])
    return added if len(added) >= _MANY else ()


def _left_out(text: str) -> dict[str, None]:
    lists = [str(match.group("list")) for match in islice(_LEFT_OUT.finditer(text[:_READ]), MOST)]
    entries = [str(one.group(1)) for part in lists for one in islice(_ENTRY.finditer(part), MOST)]
    return dict.fromkeys(entries)


def turned_by_edit(kind: FileKind, text: NewText) -> Iterator[Meaning]:
    """Yield what an edit reverses: a guard disabled, all exempted, a hook command added."""
    if kind not in _KINDS or len(text.new) > _READ:
        return
    old = text.old or ""
    for match in islice(_EXEMPT.finditer(text.new), 1):
        if match.group() not in old:
            yield _WEAKENS, "exempts everything from a check", str(match.group())
    if not old:
        return
    for traits, why, found in (
        (_WEAKENS, "reverses `{}`", flipped_guard(old, text.new)),
        (
            _WEAKENS,
            "sets `{}` to nothing",
            lowered_guard(old, text.new) if kind in _SETTINGS else "",
        ),
        (_WEAKENS, "drops `{}` of what is fetched", dropped_pin(old, text.new)),
        (_WEAKENS, "exempts `{}` from a check", exempted_paths(old, text.new)),
        (_WEAKENS, "switches `{}` on", _new_opening(kind, old, text.new)),
        (_WEAKENS, "lowers `{}`", _lowered_bound(old, text.new)),
        (_WEAKENS, "lets a wider network in: `{}`", widened_network(old, text.new)),
        (
            _WEAKENS,
            "gives the highest rights: `{}`",
            higher_rights(old, text.new) if kind in _SETTINGS else "",
        ),
        (_WEAKENS, "takes `{}` from a function", _dropped_modifier(old, text.new)),
        (_RUNS, "has one more command run by itself", next(_new_commands(old, text.new), "")),
        (_RUNS, "releases to everybody when it runs", next(_new_releases(old, text.new), "")),
    ):
        if found:
            yield traits, why.format(found), found


def flipped_guard(old: str, new: str) -> str:
    """Return the first protection turned off, or opening turned on, by an edit; else ""."""
    before = _pairs(old)
    for key, value in _pairs(new).items():
        was = before.get(key)
        if was is None or was == value:
            continue
        is_opener = _opens(key)
        if is_opener and was in _OFF and value in _ON:
            return key
        if not is_opener and was in _ON and value in _OFF and _guards(key):
            return key
    return ""


def _opens(key: str) -> bool:
    return _OPENERS.search(key) is not None and _TIGHTENS.search(key) is None


def lowered_guard(old: str, new: str) -> str:
    """Name the first guard that a setting takes from some level to none; else ""."""
    before = values_of(old)
    for key, value in values_of(new).items():
        was = before.get(key, "")
        if was and was not in _ON | _OFF and value in _OFF and _guards(key):
            return key
    return ""


def _new_opening(kind: FileKind, old: str, new: str) -> str:
    """Name the first word that lets in which the old text has not, and that is on."""
    before = _pairs(old) if kind in _SETTINGS else {}
    for key, value in _pairs(new).items() if kind in _SETTINGS else ():
        if key not in before and value in _ON and _opens(key):
            return key
    return ""


def _lowered_bound(old: str, new: str) -> str:
    """Name the first bound of a check, or of what is kept, that falls below half of what it was."""
    before, after = dict(_bounds(old)), _bounds(new)
    for key, value in after:
        was = before.get(key, 0.0)
        # What still stands there is the bound of something else beside it.
        if value * 2 < was and (key, was) not in after:
            return key
    return ""


def _bounds(text: str) -> list[tuple[str, float]]:
    found = islice(_BOUND.finditer(text), MOST)
    # `rotate 12` keeps twelve logs, `rotate: 12` turns a picture.
    return [
        (str(one.group(1)), float(one.group(2)))
        for one in found
        if one.group(1) != "rotate" or one.group().startswith("rotate ")
    ]


def _dropped_modifier(old: str, new: str) -> str:
    """Name the first word of access that the head of a function loses, as in Solidity."""
    after = {str(head.group(1)): str(head.group(2)) for head in _HEAD.finditer(new)}
    for head in islice(_HEAD.finditer(old), MOST):
        kept = after.get(str(head.group(1)))
        for word in _MODIFIER.findall(str(head.group(2))):
            if kept is not None and word not in kept:
                return str(word)
    return ""


def _guards(key: str) -> bool:
    """Whether a key is called after a guard; `verified` and `is_secure` are states of a record."""
    lowered = key.lower()
    core = lowered.removesuffix("required").removesuffix("enforced").strip("_-.")
    if core != lowered:  # `sslRequired`; a field of a form is only `required`
        return bool(core) and _GUARDS.search(core) is not None
    is_state = lowered.startswith(_STATES) or (
        lowered.endswith("ed") and not lowered.endswith("enabled")
    )
    return not is_state and _GUARDS.search(key) is not None


def _pairs(text: str) -> dict[str, str]:
    """Keys whose value is a switch."""
    return {k: value for k, value in values_of(text).items() if value in _ON or value in _OFF}


def values_of(text: str) -> dict[str, str]:
    """Keys with one short value; a key that stands twice with two values is left out."""
    found: dict[str, str] = {}
    unclear: set[str] = set()
    pairs = islice(chain(_PAIR.finditer(text[:_READ]), _ATTRIBUTES.finditer(text[:_READ])), MOST)
    for match in pairs:
        key, value = str(match.group(1)), str(match.group(2)).lower()
        if key in ("name", "value"):
            continue
        value = _LETTERS.get(value, value) if key.isupper() else value
        if found.setdefault(key, value) != value:
            unclear.add(key)
    for match in islice(_UNSET.finditer(text[:_READ]), MOST):
        found.setdefault(str(match.group(1)), "no")
    return {key: value for key, value in found.items() if key not in unclear}


def _new_commands(old: str, new: str) -> Iterator[str]:
    for match in islice(_HOOK.finditer(new), MOST):
        for one in islice(_COMMAND.finditer(match.group(2)), MOST):
            command = str(one.group(1) or one.group(2)).strip()
            if command and command not in old:
                yield command


def _new_releases(old: str, new: str) -> Iterator[str]:
    for match in islice(_RELEASE.finditer(new), MOST):
        if match.group().strip() not in old:
            yield str(match.group())
