"""One thing that was looked at, what is to be said of it, and what fixes it."""

from __future__ import annotations

from msgspec import Struct


class DoctorCheck(Struct, frozen=True, kw_only=True):
    """The result of one check by `signoff doctor`.

    Args:
        about: a host's name, or `daemon`, `evaluator`, `rules`, `programs`, `record`, `store`,
            `clock`, `files`, `readers`, `versions`.
        fix: what the user can do, "" if all is well.
    """

    about: str
    is_good: bool
    said: str
    fix: str = ""
