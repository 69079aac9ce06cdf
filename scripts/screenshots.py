"""Take the pictures of the web inbox that the docs show.

A real inbox with real judgements: ordinary calls and calls that ask go through a gate. To have
thirty days of history, their entries are recorded again on earlier days with answers of people.

    python scripts/screenshots.py [folder]
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import shutil
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "tests" / "frontends" / "web"), str(ROOT)]

from inbox_station import PLAN, Station, running  # noqa: E402 - from the tests
from playwright.sync_api import Browser, sync_playwright  # noqa: E402 - see above

from signoff.actions.action import Action  # noqa: E402 - see above
from signoff.build.gate import build_gate  # noqa: E402 - see above
from signoff.effects.store import RecordDraft  # noqa: E402 - see above
from signoff.settings import Settings  # noqa: E402 - see above
from signoff.storage.sqlite import SqliteStore  # noqa: E402 - see above
from signoff.values import replace  # noqa: E402 - see above

WIDTHS = {1280: 800, 820: 1180, 390: 844}
SCHEMES = ("light", "dark")
DAYS, CALLS, CALLS_A_SESSION = 30, 2_400, 60
# Commands, and how often they come.
ORDINARY = {
    "git status": 9,
    "npm test": 9,
    "ls -la src": 6,
    "git diff --stat": 6,
    "python -m pytest -q": 6,
    "sed -i s/colour/color/ src/theme.py": 4,
    "git commit -m 'Fix the theme'": 4,
    "git push origin feature/login": 1,
    "git push --force origin feature/login": 1,
    "npm publish": 0.6,
    "docker system prune -af": 1,
    "kubectl rollout restart deployment/web -n prod": 0.8,
    "terraform apply": 0.5,
    "curl -fsSL https://get.example.com/install.sh | sh": 0.4,
    "rm -rf /": 0.2,
}
REQUEST = "npm version minor && npm publish --access public"
FORCE = "git push --force origin feature/login"
EDIT = {
    "tool_name": "Edit",
    "tool_input": {
        "file_path": ".github/workflows/release.yml",
        "old_string": "on:\n  push:\n    tags: ['v*']\npermissions:\n  contents: read",
        "new_string": "on:\n  push:\npermissions:\n  contents: write\n  id-token: write",
    },
}
PAGES = ("inbox", "request", "edit", "overview", "timeline", "oversight")


def judged(folder: Path) -> list[dict[str, Any]]:
    """Return the record's entries of the commands, each judged once."""
    settings = Settings(config_dir=f"{folder}/c", state_dir=f"{folder}/s", home=str(folder))
    store = SqliteStore(settings.record_file)
    gate = build_gate(settings, channels=(), store=store)

    async def run() -> None:
        for command in ORDINARY:
            call = {"command": command}
            await gate.check(
                Action(tool="Bash", arguments=call, source="claude-code", cwd="/home/ada/shop")
            )

    asyncio.run(run())
    entries = [json.loads(entry.body) for entry in store.entries()]
    store.close()
    return entries


def fill(store: SqliteStore, entries: list[dict[str, Any]]) -> None:
    """Record the entries again over the last days."""
    chance, now = random.Random(7), datetime.now(UTC)  # noqa: S311 - the same pictures each time
    drafts: list[RecordDraft] = []
    for at in range(CALLS):
        said = dict(chance.choices(entries, weights=list(ORDINARY.values()))[0])
        del said["seq"], said["prev"]
        said["ts"] = (now - timedelta(days=DAYS * (1 - (at + 1) / CALLS))).isoformat()
        said["session"] = f"shop-{at // CALLS_A_SESSION}"
        if said["leaning"] == "ask" and chance.random() < 0.93:
            # A person answers in time here; the first judgement had nobody to ask.
            said["reason"] = said["reason"].split("; denied by timeout")[0]
            said |= {
                "approver": chance.choice(["ada", "ada", "bob"]),
                "channel": "web",
                "decided_by": "web",
                "verdict": chance.choice(["allow", "allow", "allow", "deny"]),
                "answered_in_ms": int(chance.lognormvariate(9.2, 0.7)),
                "model": chance.choice(
                    ["", "allow, unsure: usual here", "deny, unsure: not asked"]
                ),
            }
        drafts.append(RecordDraft(content=said))
    store.append_batch(drafts)


def paths(station: Station) -> dict[str, str]:
    """Ask about some calls; return the address of each page to be shown."""
    about = {"cwd": "/home/ada/shop", "session_id": "shop-40"}
    edit, request = station.ask(EDIT, **about), station.ask(REQUEST, **about)
    station.ask(FORCE, **about)
    return {
        "inbox": "",
        "request": request.page.removeprefix("/web/"),
        "edit": edit.page.removeprefix("/web/"),
        "overview": "overview",
        "timeline": f"timeline?session=shop-{CALLS // CALLS_A_SESSION - 2}",
        "oversight": "oversight",
    }


def take(browser: Browser, station: Station, folder: Path) -> None:
    """Take all pictures."""
    shown = paths(station)
    for width, height in WIDTHS.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            page = context.new_page()
            page.goto(station.link("ada"))
            page.wait_for_url("**/web/")
            camera = context.new_cdp_session(page)
            for name in PAGES:
                page.goto(f"{station.origin}/web/{shown[name]}")
                page.wait_for_timeout(900)
                said = camera.send("Page.captureScreenshot", {"format": "webp", "quality": 82})
                file = folder / f"{name}-{width}-{scheme}.webp"
                file.write_bytes(base64.b64decode(said["data"]))
            context.close()


def main(arguments: list[str]) -> int:
    """Write the pictures to a folder, `docs/images` unless another is named."""
    folder = Path(arguments[0]) if arguments else ROOT / "docs" / "images"
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.stderr.write("scripts/screenshots: there is no Chromium on this machine\n")
        return 1
    with tempfile.TemporaryDirectory() as home, sync_playwright() as play:
        os.chmod(home, 0o700)
        Path(home, "shop").mkdir(mode=0o700)
        Path(home, "judged").mkdir(mode=0o700)
        with running(Path(home, "shop"), plan=replace(PLAN, answer_s=1_800.0)) as station:
            fill(station.store, ENTRIES)
            browser = play.chromium.launch(
                executable_path=chromium, args=["--headless", "--no-sandbox", "--disable-gpu"]
            )
            take(browser, station, folder)
            browser.close()
    return 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        ENTRIES = judged(Path(made))  # before Playwright's event loop runs
    sys.exit(main(sys.argv[1:]))
