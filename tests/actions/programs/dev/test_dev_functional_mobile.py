"""Elixir, Haskell, OCaml, Swift, Flutter, Android and Apple tools."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
mix deps.get
mix test
mix ecto.migrate
mix format
rebar3 compile
cabal build
stack test core
dune build
opam list --installed-roots
elm make src/Main.elm
luarocks list
swift test
xcodebuild -list
xcodebuild -scheme App build
pod install
flutter test
flutter pub get
flutter build apk
dart format lib
dart analyze
adb devices -l
adb logcat -d
adb shell ls /sdcard
adb install app.apk
fastlane test
"""
ASKED = """\
mix hex.publish
mix ecto.drop
mix archive.install hex phx_new
cabal install pandoc
cabal upload a.tar.gz
stack upgrade
luarocks upload a.rockspec
flutter pub publish
flutter upgrade
dart pub global activate x
pod trunk push A.podspec
xcrun simctl erase all
adb uninstall com.example.app
adb shell pm clear com.example.app
adb reboot
emulator -avd pixel -wipe-data
adb root
fastboot flash boot boot.img
fastlane beta
fastlane match nuke development
sdkmanager "platforms;android-34"
eas submit
"""
DOES = {
    "mix ecto.drop": "delete database project",
    "flutter pub publish": "publish package remote",
    "adb shell pm clear com.example.app": "delete nothing project",
    "pod install": "install package project",
    "stack upgrade": "install package home",
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
