"""Parts of an installed package: the example of docs/how-to/extend.md, and what goes wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.assess.finding import Finding, Severity
from signoff.assess.risk.score import RiskContext
from signoff.build.scoring import build_aggregator, build_profile, build_scorer
from signoff.errors import BadSettings
from signoff.settings import Settings, load_settings

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "extend.md"
FILES = dict(re.findall(r"<!-- example: (\S+\.\w+) -->\n```\w+\n(.*?)```", PAGE.read_text(), re.S))
BROKEN = """
class Raises:
    name = "raises"
    def score(self, context): raise KeyError("rows")
    def aggregate(self, results): raise KeyError("rows")

class Silly:
    name = "silly"
    def score(self, context): return 7
    def aggregate(self, results): return type("S", (), {"score": float("nan")})

def unmade(): raise RuntimeError("no licence")
NOTHING = 3
BAD = "name: [\\n"
"""


def package(folder: Path, name: str, module: str, points: str) -> Path:
    """Put a package on disk as pip would leave it; return its folder."""
    (folder / f"{name}-1.0.dist-info").mkdir(parents=True)
    (folder / f"{name}-1.0.dist-info" / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    )
    (folder / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(points)
    (folder / f"{name}.py").write_text(module)
    return folder


def settings(folder: Path, said: str) -> Settings:
    """Return settings."""
    (folder / "config").mkdir(exist_ok=True)
    (folder / "config" / "signoff.yaml").write_text(said)
    names = {"SIGNOFF_CONFIG_DIR": folder / "config", "SIGNOFF_STATE_DIR": folder / "state"}
    return load_settings(environment={key: str(value) for key, value in names.items()})


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install parts that do not work."""
    parts = (
        "raises = broken_parts:Raises\nsilly = broken_parts:Silly\nnone = broken_parts:NOTHING\n"
    )
    more = "unmade = broken_parts:unmade\ngone = broken_parts:gone\nmissing = no_such_module:x\n"
    points = (
        f"[signoff.scorers]\n{parts}{more}[signoff.aggregators]\n{parts}"
        "[signoff.profiles]\nbad = broken_parts:BAD\nnone = broken_parts:NOTHING\n"
    )
    monkeypatch.syspath_prepend(str(package(tmp_path / "site", "broken_parts", BROKEN, points)))


def test_the_example_is_installed_and_used(tmp_path: Path) -> None:
    """`pip install` of the page's package, then its parts judge in the real command."""
    source, site = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    for name in ("pyproject.toml", "acme_signoff.py"):
        (source / name).write_text(FILES[name])
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    where = ["--no-build-isolation", "--target", str(site), str(source)]
    subprocess.run([*pip, *where], check=True, timeout=120)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "signoff.yaml").write_text(FILES["signoff.yaml"])

    def check(*words: str) -> dict[str, object]:
        answer = subprocess.run(
            [sys.executable, "-m", "signoff", "check", "--json", "--explain", *words],
            env={
                **os.environ,
                "PYTHONPATH": str(site),
                "SIGNOFF_CONFIG_DIR": str(tmp_path / "config"),
                "SIGNOFF_STATE_DIR": str(tmp_path / "state"),
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        found = json.loads(answer.stdout or f'{{"error": {json.dumps(answer.stderr)}}}')
        assert isinstance(found, dict)
        return found

    rows = check("--tool", "draw_chart", "--input", '{"rows": 900}')
    credit = check("--tool", "issue_credit", "--input", "{}")
    push = check("--", "git push --force")

    assert 0.9 == rows["risk"], rows
    assert "critical" == credit["level"], credit
    assert 77.5 == push["threat"], push
    shaped = rows["shaped_by"]
    assert isinstance(shaped, dict)
    assert "max of default, acme-rows; acme-rows of `acme-signoff 1.0`" == shaped["scorer"]
    assert "acme-count of `acme-signoff 1.0`" == shaped["aggregator"]
    assert "acme-billing (`acme-signoff 1.0`)" == shaped["profiles"]


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("name", ["raises", "silly"])
def test_a_part_that_fails_is_the_worst(tmp_path: Path, name: str) -> None:
    """It opens nothing: the risk is 1.0, the threat 100."""
    said = f"risk: {{scorer: {{max: [default, {name}]}}}}\nthreat: {{aggregator: {name}}}\n"
    scoring = settings(tmp_path, said).scoring
    finding = Finding(detector="x", category="x.y", severity=Severity.LOW, evidence="")

    assert 1.0 == build_scorer(scoring).score(RiskContext(action=Action(tool="f", arguments={})))
    assert 100.0 == build_aggregator(scoring).aggregate([finding]).score
    assert 0.0 == build_aggregator(scoring).aggregate([]).score


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("risk: {scorer: none}", "signoff.yaml:1:16: scorer `none`: expected a class or function"),
        ("risk: {scorer: unmade}", "scorer `unmade` cannot be made: RuntimeError: no licence"),
        ("risk: {scorer: gone}", "scorer `gone` of `broken_parts 1.0` cannot be imported: Attri"),
        ("risk: {scorer: missing}", "cannot be imported: ModuleNotFoundError"),
        ("risk: {scorer: rases}", "no scorer `rases`.*did you mean `raises`.*`signoff.scorers`"),
        ("threat: {aggregator: none}", "aggregator `none`: expected a class or function"),
        ("profiles: [bad]", "profile bad:2:1: not YAML"),
        ("profiles: [none]", "profile `none`: expected YAML text"),
        ("profiles: [baad]", "no profile `baad`.*did you mean `bad`"),
    ],
)
def test_a_part_that_cannot_be_loaded_stops_the_start(
    tmp_path: Path, said: str, message: str
) -> None:
    """With the place, the package and the reason."""
    found = settings(tmp_path, said)
    with pytest.raises(BadSettings, match=message):
        build_scorer(found.scoring), build_aggregator(found.scoring), build_profile(found)


def test_two_packages_with_one_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody could tell which one judges."""
    for name in ("one_part", "other_part"):
        points = f"[signoff.scorers]\nsize = {name}:Size\n"
        monkeypatch.syspath_prepend(str(package(tmp_path / name, name, "Size = dict\n", points)))

    with pytest.raises(BadSettings, match=r"`one_part 1\.0` and `other_part 1\.0`: uninstall"):
        build_scorer(settings(tmp_path, "risk: {scorer: size}").scoring)


def test_nothing_is_imported_that_is_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installed parts do not run by being there."""
    module = "raise SystemExit(9)\n"
    points = "[signoff.scorers]\nsize = unnamed_part:Size\n"
    monkeypatch.syspath_prepend(str(package(tmp_path / "site", "unnamed_part", module, points)))

    found = settings(tmp_path, "version: 1\n")
    build_scorer(found.scoring), build_aggregator(found.scoring), build_profile(found)

    assert "unnamed_part" not in sys.modules
