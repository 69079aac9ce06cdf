"""Secrets that a program adds to the reports of its errors: an outside service keeps those.

Honeybadger.configure { |c| c.before_notify { |n| n.context[:k] = File.read("config/master.key") } }
Sentry.setContext("env", process.env)
Sentry.init({ dsn: process.env.SENTRY_DSN })          none: its own login
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.leaks import sources
from signoff.actions.contents.leaks.private_parts import takes_settings
from signoff.actions.contents.leaks.requests import statement_from
from signoff.actions.contents.loaders.call_words import ENVIRONMENT
from signoff.actions.vocabulary import lazy_re2

_MOST = 20
_REPORTERS = lazy_re2(
    r"(?i)\b(?:honeybadger|sentry\w*|bugsnag|rollbar|airbrake|raygun\w*|appsignal|newrelic|new_relic"
    r"|crashlytics|datadog|ddtrace|logrocket|trackjs|exceptionless|elmah|applicationinsights"
    r"|app_?center|instabug|posthog|mixpanel|amplitude|loggly|logtail|papertrail|bugsplat)\b"
)
# What puts something of one's own into a report.
_ADDS = lazy_re2(
    r"(?i)(?:set_?(?:context|extras?|tags?|user|custom\w*|attributes?|metadata|data)"
    r"|add_?(?:context|metadata|tab|tags?|attachment|breadcrumb|custom\w*|attributes?|event_processor)"
    r"|leave_?breadcrumb|capture_?\w*|notice_?error|track_?\w*|notify|send_?custom\w*|with_?extra)"
    r"!?\s*\(|\b(?:context|extras?|tags?|payload|meta_?data|custom\w*|user_?data|params|data)"
    r"[\"']?\]?\s*(?:\[[^\]\n]{1,40}\]\s*)?(?:\|?\|?=|=>|:)\s*[^=\s]"
)
# Only some of it is taken, or the secrets are taken out.
_SIFTED = lazy_re2(
    r"(?i)\b(?:slice|pick|only|except|omit|reject|select|filter\w*|redact\w*|mask\w*|scrub\w*|allow\w*|safe\w*)\b"
)


def reported(text: str) -> str:
    """Return the whole store of secrets that is added to reports of errors, "" if none is."""
    if _REPORTERS.search(text) is None:
        return ""
    for match in islice(_ADDS.finditer(text), _MOST):
        added = statement_from(text, match.end() - 1)
        if _SIFTED.search(added) is not None:
            continue
        file = sources.SECRET_FILE.search(added)
        if file is not None and sources.READS_FILE.search(added) is not None:
            return str(file.group())
        whole = ENVIRONMENT.search(added)
        if found := str(whole.group()) if whole is not None else takes_settings(added):
            return found
    return ""
