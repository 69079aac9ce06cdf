"""Every script language that is read, by the names callers know it by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.code.recorder import Recorder

SCRIPTS: Mapping[str, Callable[[str, Recorder], None]] = {}
