"""Version managers, contracts, boxes, releases, and options that only look harmless."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
tfenv list
phpbrew list
bump2version minor
vsce package --pre-release
npx hardhat test
forge test
ddev start
alr build --validation --release
b4 am 20240101.1
tlmgr option show docfiles
hasura metadata diff
cast block latest
kitchen list
make -n deploy
"""
ASKED = """\
tfenv install 1.9.0
vsce publish
exercism submit a.py
npx hardhat run deploy.js --network mainnet
forge create src/A.sol:A --broadcast --rpc-url https://rpc.example
cast send 0xabc --value 1
ddev delete
hasura migrate apply
npm publish -n
php artisan migrate:fresh -q
brew -v install jq
make -p deploy
grunt -v deploy
gem uninstall -n bin rails
sequelize db:drop --dry-run
code --list-extensions --install-extension a.b
"""
DOES = {
    "cast send 0xabc": "spend money remote",
    "vsce publish": "publish package remote",
    "tfenv install 1.9.0": "install package home",
    "ddev delete": "delete nothing project",
}


@pytest.mark.parametrize("line", PASSES.splitlines())
def test_ordinary_work_passes(line: str, verdict: Callable[[str], str]) -> None:
    """Reading, building and changing the project need no question."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED.splitlines())
def test_consequential_work_is_asked_about(line: str, verdict: Callable[[str], str]) -> None:
    """What reaches beyond the project or loses something is put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize(("line", "effect"), DOES.items())
def test_effect_is_told(line: str, effect: str, effects: Callable[[str], set[str]]) -> None:
    """A line means its verb, its thing and its reach."""
    assert effect in effects(line)
