"""Every messenger: a visible tuple, in the order they are asked where settings name none.

The recipe "Add a channel" in CONTRIBUTING.md says what a folder holds.
"""

from __future__ import annotations

from signoff.channels.manifest import ChannelManifest
from signoff.channels.matrix.manifest import MANIFEST as MATRIX
from signoff.channels.slack.manifest import MANIFEST as SLACK
from signoff.channels.telegram.manifest import MANIFEST as TELEGRAM

CHANNELS: tuple[ChannelManifest, ...] = (
    TELEGRAM,
    SLACK,
    MATRIX,
)


def titles() -> dict[str, str]:
    """Return each messenger's display name, keyed by its name in settings."""
    return {one.name: one.title for one in CHANNELS}
