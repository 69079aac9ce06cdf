"""Every script language that is read, by the names callers know it by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.javascript import read_javascript
from signoff.actions.code.scripts.perl import read_perl
from signoff.actions.code.scripts.php import read_php
from signoff.actions.code.scripts.ruby import read_ruby

SCRIPTS: Mapping[str, Callable[[str, Recorder], None]] = {
    "javascript": read_javascript, "js": read_javascript, "node": read_javascript,
    "typescript": read_javascript, "ts": read_javascript, "deno": read_javascript,
    "bun": read_javascript,
    "perl": read_perl, "ruby": read_ruby, "php": read_php,
}  # fmt: skip
