"""Tools that write what they read into a file of this machine, and those that only look so."""

from __future__ import annotations

from signoff.actions.action import Action, Json
from signoff.actions.operation import Trait, Verb
from signoff.actions.tools.mcp import understand_mcp


def verbs_of(tool: str, **arguments: Json) -> list[Verb]:
    return [op.verb for op in understand_mcp(Action(tool=tool, arguments=arguments))]


class TestSavedFiles:
    def test_a_saved_attachment_is_a_look_and_an_unread_file(self) -> None:
        found = understand_mcp(
            Action(
                tool="mcp__mail__save_attachment",
                arguments={"message_id": "a7", "save_to": "in/terms.zip"},
            )
        )

        assert [op.verb for op in found] == [Verb.READ, Verb.WRITE]
        assert Trait.FETCHED in found[1].traits

    def test_what_the_server_says_is_never_made_milder(self) -> None:
        deleting = Action(
            tool="mcp__mail__fetch_messages",
            arguments={"folder": "all", "save_to": "in/all.mbox"},
            hints={"destructiveHint": True},
        )

        assert Verb.DELETE in [op.verb for op in understand_mcp(deleting)]

    def test_a_second_act_in_the_name_counts(self) -> None:
        assert Verb.DELETE in verbs_of("mcp__mail__save_and_delete_messages", save_to="in/a.mbox")

    def test_an_export_of_people_is_none(self) -> None:
        assert Verb.READ not in verbs_of("mcp__crm__export_contacts", save_to="out/all.csv")
