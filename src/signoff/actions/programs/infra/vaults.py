"""Secrets managers on a service: vault, 1Password, Bitwarden, doppler, infisical and their like.

Showing a value is reading a credential; listing names and policies is not. `run -- program` hands
secrets to a program, which is judged by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import INSPECT_CLOUD, REVEAL_CREDENTIALS
from signoff.actions.programs.infra.services import perform

OPEN_PATHS = ("sys/health", "sys/mounts", "sys/policies", "sys/policy", "auth/token/lookup-self")


def read_path(call: ProgramCall) -> Iterator[Effect]:
    """`vault read PATH`: system paths hold no secrets."""
    paths = [text for text in call.texts[1:] if not text.startswith("-")]
    is_open = bool(paths) and paths[0].strip("/").startswith(OPEN_PATHS)
    yield perform(call, INSPECT_CLOUD if is_open else REVEAL_CREDENTIALS, " ".join(paths[:1]))


def secrets(call: ProgramCall) -> Iterator[Effect]:
    """`doppler secrets`: every value, or only the names."""
    act = INSPECT_CLOUD if "--only-names" in call.texts else REVEAL_CREDENTIALS
    yield perform(call, act, "secrets")
