"""Refusals that an edit takes out, while what they stood before stays.

A program refuses by a condition and a way out: an exception, an answer, a return. Without it the
act behind it is done for everybody and everything. It counts where the words speak of rights,
approval, limits, proofs or states, in many languages, or where what stays deletes or pays. A look
for an empty value or a type is none, and neither is one that the new text makes another way.

    if not confirm(n): return 0                  -> nothing, before `p.unlink()`
    if a.approved_by == "" || a.approved_by == a.made_by { return E }  -> without the second half
    if p.amount > max { return Err }             -> if p.amount > max { log.warn("high") }
    if apply { fs::remove_file(p)?; }            -> fs::remove_file(p)?;
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.taken.changes import Change, LineDiff
from signoff.actions.vocabulary import lazy_re2

_MOST = 60
_REACH = 3  # lines from a condition to its way out
_OUT = lazy_re2(
    r"(?i)\b(?:return|raise|throw|throws|abort|continue|next|exit|die|panic|halt|fail\w*|reject\w*"
    r"|croak|unauthori[sz]ed|forbidden|signal\s+sqlstate|bail|conflict)\b[!(]?|\b40[0-9]\b"
    r"|raise_application_error"
)
_CONDITION = lazy_re2(
    r"(?i)(?:^|[^\w.$-])(?P<word>if|unless|guard|elsif|elif|when|require!?|ensure!?|assert!?|must"
    r"|abort_(?:if|unless)|throw_(?:if|unless)|check)\b[ (!]"
)
_BY_CALL = lazy_re2(r"(?i)^(?:ensure|assert|require|check|abort_\w+|throw_\w+)!?\s*\(|\bor\s+die\b")
_CHECKING = lazy_re2(
    r"(?i)\b\w*(?:verif|validat|check|require|ensure|enforce|authori[sz]|assert|guard|permit|allow"
    r"|policy|middleware|provjeri|pruef|prüf|controlla|comprueb|sprawd|denetle|kontrol)\w*"
)
# What a refusal is about where no value is only empty: rights, approval, limits, proofs, states.
TELLING = lazy_re2(
    r"(?i)auth|permi|\brol(?:e|es|le|a)\b|\badmin|owner|approv|confirm|consent|\blimit|limit\b|over_?limit"
    r"|quota|exceed|verif|valid|check_?sum|\bsha\d|signature|signed|token|scope|allow|locked"
    r"|expir|closed|finish|protect|prod(?:uction)?\b|develop|environment|dry_?run|forbid|denied"
    r"|captcha|\botp|csrf|mfa|trust|banned|suspend|balance|insufficient|budget|\bapply\b|\bforce\b"
    r"|self\b|creat(?:ed|or)_?by|author_?id|starts_?with|interactive|question|messagebox|dialog"
    r"|rate_?limit|throttl|too_?many|retention|backup|cooldown"
    r"|genehm|freigeg|freigab|aprob|aprov|approuv|godk|zatwier|onayl|odobr|hyväks|schv[aá]l|jóváhagy"
    r"|autoris|autoriz|berecht|erlaubt|permis|oprávn|uprawn|yetki|jogosult|oikeu|behörig|bevoegd"
    r"|límite|limiet|grense|gräns|grenze|plafond|raja\b|határ|s[i\x{131}]n[i\x{131}]r|signatur|firma\b|podpis|imza"
    r"|handtekening|gevalid|bestät|bevestig|potwierd|potvrd|onay\b|confirma|conferma|vahvist|bekreft"
    r"|承認|確認|制限|許可|권한|확인|승인|подтвер|одобр|лимит|прав"
)
# What cannot be taken back, or pays.
_ACTS = lazy_re2(
    r"(?i)(?:\b|_)(?:rmtree|rmdir|rm_rf|rm|unlink|delete\w*|remove_?(?:file|dir|all|item|tree)\w*"
    r"|purge\w*|destroy\w*|drop\w*|truncate\w*|wipe\w*|erase\w*|transfer\w*|pay_?out\w*|disburse\w*|refund\w*"
    r"|charge|withdraw\w*|accredita|addebita|uplata|überweis\w*)!?\s*(?:\(|[\"'$&:]|$)"
    r"|\bdelete\s+from\b|\btruncate\s|\bdrop\s+(?:table|schema|database)\b|\bupdate\s+\w+\s+set\b|\brm\s+-"
)
_USUAL = lazy_re2(
    r"(?i)(?:===?|\bis|!==?|<>)\s*(?:not\s+)?(?:null|none|nil|undefined)\b|\bis_?(?:null|nil|none|empty|blank)"
    r"|\(\s*(?:ok|success|succeeded)\s*[,)]|isinstance|typeof|instanceof|\bis_a\?|is_(?:array|string|int|numeric)|notimplemented|typeerror"
    r"|^\W*(?:if|unless|guard|when)\W*(?:not\s+|!\s*)?[\w.>$-]{1,40}\W*(?:return|continue|next|raise|throw)?\W*;?$"
)
_SHOWN = lazy_re2(
    r"(?i)^(?:import|from|use|using|include|require_once|package)\b|\brequire\s*\(?[\"']"
)
_BLOCKS = ("{", ":", " do", " then", "(")
_DEMAND = lazy_re2(
    r"(?i)^(?:await\s+|yield\s+|\$)?[\w.>:-]{0,40}\b(?:verify|validate|authori[sz]e|ensure|enforce|confirm|check_?(?:access|rights|permission|owner))\w*!?\s*\("
)


def gone_refusal(changes: LineDiff) -> str:
    """Return the refusal that an edit takes out, or lets pass, "" if none."""
    if any([_refuses(line) or _checks(line) for line in changes.added]):
        return ""
    for change in islice(changes.each, _MOST):
        for read in (_gone, _softened, _unwrapped, _unchecked):
            if found := read(change, changes):
                return found
    return ""


def _refuses(line: str) -> bool:
    return _OUT.search(line) is not None and _is_condition(line)


def _checks(line: str) -> bool:
    return _is_condition(line) or _CHECKING.search(line) is not None


def _is_condition(line: str) -> bool:
    if _SHOWN.search(line) is not None:
        return False
    return _CONDITION.search(line) is not None or _BY_CALL.search(line) is not None


def _gone(change: Change, changes: LineDiff) -> str:
    """A condition of the removed lines whose way out is removed as well."""
    for at, line in enumerate(change.removed):
        if not _is_condition(line):
            continue
        body = [line]
        for later in change.removed[at + 1 : at + 1 + _REACH]:
            if _is_condition(later):
                break
            body.append(later)
        said = " ".join(body)
        is_call = _BY_CALL.search(line) is not None
        if not is_call and not any([_OUT.search(one) is not None for one in body]):
            continue
        if _counts(said, changes) and not _made_otherwise(line, change):
            return line
    return ""


def _counts(said: str, changes: LineDiff) -> bool:
    if TELLING.search(said) is not None:
        return True
    return _USUAL.search(said) is None and _ACTS.search(changes.kept) is not None


def _made_otherwise(line: str, change: Change) -> bool:
    """Whether what was compared is handed to something else in its place."""
    names = _names(line)
    return any([names & _names(one) and not _is_part(one, change) for one in change.added])


def _is_part(line: str, change: Change) -> bool:
    """Whether a line stood in a longer one."""
    return any([line.rstrip(";") in one for one in change.removed])


def _names(line: str) -> set[str]:
    parts = "".join([sign if sign.isalnum() or sign == "_" else " " for sign in line]).split()
    return {part for part in parts if len(part) > 2} - {"return", "not", "throw", "new", "raise"}


def _softened(change: Change, changes: LineDiff) -> str:
    """A way out behind a condition that stays: the program goes on."""
    if not change.ahead or not any([_OUT.search(line) for line in change.removed]):
        return ""
    if any([_is_condition(line) for line in change.removed]):
        return ""
    if any([_OUT.search(line) is not None for line in change.added]):
        return ""
    near = [line for line in change.ahead[-2:] if _is_condition(line)]
    if not near or any([_OUT.search(line) for line in change.behind[:1]]):
        return ""
    said = " ".join((*near[-1:], *change.removed))
    return near[-1] if _counts(said, changes) else ""


def _unwrapped(change: Change, changes: LineDiff) -> str:
    """A condition around an act that stays: it is done always."""
    for line in change.removed:
        match = _CONDITION.search(line)
        others = [one for one in change.removed if one is not line and _names(one)]
        if match is None or others or _OUT.search(line) is not None:
            continue
        if line.endswith(_BLOCKS):  # the act stands on lines of its own
            is_done = _ACTS.search("\n".join((*changes.moved, *change.behind[:2]))) is not None
            if is_done and not change.added and TELLING.search(line) is not None:
                return line
            continue
        acts = [one for one in change.added if one.rstrip(";") in line]
        if acts and TELLING.search(line.replace(acts[0].rstrip(";"), "")) is not None:
            return line
    return ""


def _unchecked(change: Change, changes: LineDiff) -> str:
    """A statement that only calls a check, before what cannot be taken back."""
    if change.added or _ACTS.search(changes.kept) is None:
        return ""
    return next((line for line in change.removed if _DEMAND.search(line) is not None), "")
