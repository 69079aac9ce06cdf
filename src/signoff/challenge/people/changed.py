"""Arguments a person has put in place of those they were asked about: what their yes then covers.

The changed call is judged again. What is refused then is refused, whoever wrote it; what is let
through runs. Where it would be asked about again, the answer that holds the change is the
approval, but only for what is no more serious than what was asked, and takes no more of a proof:
whoever may settle a little and proved a little has not settled more. Anything else is ask again.

    is_covered(asked=assessment, changed=judge(changed_action, facts))
"""

from __future__ import annotations

from signoff.assess.assessed import Assessed


def is_covered(*, asked: Assessed, changed: Assessed) -> bool:
    """Tell whether the approval of what was asked holds for what the approver made of it."""
    return changed.level <= asked.level and changed.challenge <= asked.challenge
