"""An act of a command is written to the log of its settings, in a file or a shared store."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from made_tables import made_address
from signoff.build.acts import record_own_act
from signoff.build.stores import build_daemon_record, build_store
from signoff.effects.admin_acts import AdminAct
from signoff.effects.store import RecordDraft
from signoff.settings import Settings, load_settings
from signoff.storage.commits.waiting_outcomes import WaitingOutcomes
from signoff.values import replace


def settings_in(folder: Path, kind: str) -> Settings:
    """Return settings whose audit log is a file, or in PostgreSQL."""
    settings = replace(load_settings(), state_dir=str(folder))
    return replace(settings, store=made_address()) if kind == "shared" else settings


@pytest.mark.parametrize("kind", ["file", "shared"])
def test_an_act_is_an_entry_of_the_chain(tmp_path: Path, kind: str) -> None:
    """One after the other, also by processes that end in between."""
    settings = settings_in(tmp_path, kind)
    for said in ("first", "second"):
        record_own_act(settings, AdminAct(act="x.do", by="ada", said=said, channel="terminal"))

    store = build_store(settings)
    contents = [json.loads(entry.body) for entry in store.entries()]
    assert store.verify().ok
    store.close()
    assert ["first", "second"] == [one["reason"] for one in contents]
    assert {("admin", "ada")} == {(one["kind"], one["approver"]) for one in contents}


@pytest.mark.parametrize("kind", ["file", "shared"])
def test_a_daemon_goes_on_after_an_act(tmp_path: Path, kind: str) -> None:
    """A command, and a messenger in the daemon, write beside what decisions are written by."""
    settings = settings_in(tmp_path, kind)
    record = build_daemon_record(settings, WaitingOutcomes())
    act = AdminAct(act="x.do", by="ada", said="beside", channel="telegram")

    async def play() -> None:
        for number in range(3):
            await record.commit.append(RecordDraft(content={"n": number}))
            await asyncio.to_thread(record_own_act, settings, act)
        await asyncio.gather(
            *(record.commit.append(RecordDraft(content={"n": 3 + one})) for one in range(20)),
            *(asyncio.to_thread(record_own_act, settings, act) for _ in range(3)),
        )

    asyncio.run(play())
    assert (True, 29) == (record.history.verify().ok, record.history.verify().count)
    record.close()
