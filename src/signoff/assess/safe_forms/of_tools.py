"""What to do instead of a call of a tool or function, which may have no shell beside it.

Where a line covers unlike calls, the row for the narrower kind stands first.
"""

from __future__ import annotations

from signoff.actions.operation import ResourceType, Verb
from signoff.assess.safe_forms.safe_form import SafeForm

OF_TOOLS = (
    SafeForm(
        "destructive.project-broad destructive.project-tree destructive.temporary-broad"
        " destructive.home-files destructive.system-files destructive.foreign-files"
        " destructive.outside-project destructive.outside-rebuildable destructive.target-unknown"
        " destructive.repository destructive.repository-state",
        "name single files of the project, or list for the user what would be deleted",
        'mcp__filesystem__delete_directory {"path": "/home/dev/Documents"}',
        (),
        is_called=True,
    ),
    SafeForm(
        "destructive.rows destructive.rows-hidden-or-production",
        "count with a tool that only reads what would be lost, then change single ones by id",
        'mcp__redis__delete_keys {"pattern": "*"}',
        (),
        is_called=True,
    ),
    SafeForm(
        "destructive.production production-impact.loss",
        "do it for one of them only, or prepare it as a draft, and let the user decide",
        'mcp__claims__bulk_approve_payouts {"environment": "production", "filter": {"a": "*"}}',
        (),
        verbs=frozenset(set(Verb) - {Verb.DELETE}),
        is_called=True,
    ),
    SafeForm(
        "remote-change.changed production-impact.change",
        "read the present state, and let the user switch or move the machine",
        'mcp__plant__close_valve {"valve": "v-1"}',
        (),
        things=frozenset({ResourceType.DEVICE}),
        is_called=True,
    ),
    SafeForm(
        "privilege.raised privilege.as-root",
        "leave it to the user: it changes what somebody may do",
        'mcp__okta__suspend_user {"id": "u-1"}',
        (),
        is_called=True,
    ),
    SafeForm(
        "privilege.opened privilege.opened-to-all",
        "name one person or role that needs it, give only that right, and ask the user",
        'mcp__gdrive__share_file {"file_id": "f-1", "type": "anyone"}',
        (),
        is_called=True,
    ),
    SafeForm(
        "destructive.resource destructive.production production-impact.loss destructive.backup"
        " destructive.whole-store destructive.remote-history destructive.database"
        " destructive.remote-ref",
        "list what would be deleted with a tool that only reads, and ask the user",
        "mcp__crm__delete_contact",
        (),
        is_called=True,
    ),
    SafeForm(
        "production-impact.change remote-change.changed remote-change.published",
        "prepare it as a draft or read the present state, and let the user decide",
        "mcp__kb__update_page",
        (),
        is_called=True,
    ),
    SafeForm(
        "opaque.not-understood",
        "use a tool whose name and description say what it does, or ask the user",
        "mcp__mystery__frobnicate",
        (),
        is_called=True,
    ),
)
