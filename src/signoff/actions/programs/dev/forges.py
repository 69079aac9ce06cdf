"""Command lines of other forges and code reviews: glab, tea, bb, hut, gerrit, CI servers.

Reading passes; issues, merge requests, releases, settings are seen by others and asked about;
deleting a project is the loss of a whole store.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.github import (
    api_effects,
)


def api(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of a forge's `api PATH`: GET unless a method or a field is given."""
    path = call.texts[0] if call.operands else ""
    method = call.value("-X", "--method")
    fields = call.values("-f", "--raw-field", "-F", "--field", "--input", "--form")
    # As `gh api` and `glab api` do: fields make a request a POST.
    said = method.text.upper() if method is not None else ("POST" if fields else "GET")
    yield from api_effects(call, said, path)
