"""The command of docs/operations.md copies the whole record out of the database."""

from __future__ import annotations

import base64
import csv
import json
import os
import re
import shlex
import subprocess
from pathlib import Path

from made_tables import made_address
from postgres_server import USER, binaries, shared_server
from signoff.effects.store import RecordDraft
from signoff.storage.chain import hash_of
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.storage.postgresql.record import PostgresRecord
from signoff.values import replace

PAGE = Path(__file__).parents[3] / "docs" / "operations.md"
COMMAND = re.compile(r"^    psql signoff -c (\"\\copy .*\")$", re.MULTILINE)


def test_copy_of_the_page_holds_every_entry_of_every_node(tmp_path: Path) -> None:
    """Node, number, content and hash: a line for each entry, in order."""
    server, address = shared_server(), made_address()
    records = [
        PostgresRecord(StoreLink(replace(address, node=node), prepare=prepare)) for node in "ab"
    ]
    for record in records:
        record.append_batch([RecordDraft(content={"n": number}) for number in range(3)])
    found = COMMAND.search(PAGE.read_text("utf-8"))
    assert found is not None
    # Double quotes of a shell keep `\c` as it is.
    (copy,) = shlex.split(found[1].replace("\\copy", "\\\\copy"))
    psql = [os.path.join(binaries(), "psql"), "-h", "127.0.0.1", "-p", str(server.port), "-U", USER]
    subprocess.run([*psql, address.database, "-c", copy], check=True, cwd=tmp_path, timeout=60)

    lines = list(
        csv.reader((tmp_path / "records.csv").read_text("utf-8").splitlines(keepends=True))
    )
    assert [(node, str(seq)) for node in "ab" for seq in (1, 2, 3)] == [(x[0], x[1]) for x in lines]
    bodies = [base64.b64decode(line[2]) for line in lines]
    assert [0, 1, 2] * 2 == [json.loads(body)["n"] for body in bodies]
    assert [hash_of(body).hex() for body in bodies] == [line[3] for line in lines]
