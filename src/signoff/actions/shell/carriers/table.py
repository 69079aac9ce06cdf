"""Every carrier by its program name."""

from __future__ import annotations

from signoff.actions.shell.carriers.inner import Unfold
from signoff.actions.shell.carriers.prefix import PREFIXES, unfold_prefix, unfold_sudo
from signoff.actions.shell.carriers.shells import (
    SHELLS,
    unfold_eval,
    unfold_shell,
    unfold_source,
    unfold_trap,
)

CARRIERS: dict[str, Unfold] = {
    **dict.fromkeys(PREFIXES, unfold_prefix),
    **dict.fromkeys(SHELLS, unfold_shell),
    "sudo": unfold_sudo,
    "eval": unfold_eval,
    "trap": unfold_trap,
    ".": unfold_source,
    "source": unfold_source,
}
