"""Apple, Android, Flutter and other app tools: swift, xcodebuild, pod, flutter, adb, fastlane."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.effect_presets import (
    BUILD,
    DELETE_PROJECT_DATA,
    DELETE_REMOTE,
    INSPECT,
    PUBLISH_PACKAGE,
)
from signoff.actions.programs.net.arrivals import HERE
from signoff.actions.vocabulary import words


def packaged(call: ProgramCall) -> Iterator[Effect]:
    """Effects: `electron-builder --publish always` puts what it built where users fetch it."""
    how = call.value("--publish", "-p")
    if how is not None and how.text != "never":
        yield from call.perform(PUBLISH_PACKAGE)
    yield from call.perform(BUILD)


def built(call: ProgramCall) -> Iterator[Effect]:
    """Effects: `eas build` sends the project to a service that builds it, `--local` builds here."""
    if call.name.startswith("eas") and not call.has("--local"):
        yield call.operation(
            Verb.NETWORK_OUT,
            ResourceType.FILE,
            "the project",
            traits=(Trait.SENDS_FILES,),
            reach=Reach.REMOTE,
            reversible=False,
        )
    yield from call.perform(BUILD)


# Stores of messages, contacts, accounts and networks on an Android device.
PRIVATE = (
    "com.android.providers.telephony", "com.android.providers.contacts", "com.whatsapp",
    "com.android.providers.calendar", "org.thoughtcrime.securesms", "accounts.db", "/data/system/",
    "/data/misc/wifi", "com.google.android.gms", "com.android.chrome", "org.telegram",
)  # fmt: skip


def adb_pull(call: ProgramCall) -> Iterator[Effect]:
    """`adb pull REMOTE... LOCAL`: messages, contacts and accounts of a phone are private data."""
    # adb pull with one operand copies into the folder in force.
    *sources, target = call.operands if len(call.operands) > 1 else (*call.operands, HERE)
    is_private = any([name in word.text for word in sources for name in PRIVATE])
    holding = (Trait.HOLDS_SECRET,) if is_private else ()
    if is_private:
        yield call.operation(
            Verb.READ,
            ResourceType.FILE,
            sources[0].text,
            traits=(Trait.READS_SECRET,),
            reach=Reach.REMOTE,
        )
    yield call.on_file(Verb.WRITE, target, *holding)


def adb_shell(call: ProgramCall) -> Iterator[Effect]:
    """`adb shell line`: the line runs on the attached device, which is not this machine."""
    words_given = call.operands
    if not words_given:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, "adb shell", reach=Reach.PROJECT)
        return
    # The line often comes as one quoted word.
    first = words_given[0].text.rsplit("/", 1)[-1].split(" ", 1)[0]
    line = rejoin(words_given)
    if first in DEVICE_READS:
        yield call.operation(Verb.READ, ResourceType.NOTHING)
    elif first in DEVICE_TOOLS:
        yield from _device_tool(call, line)
    elif first == "su":
        # Root on the device only, hence REMOTE and not SYSTEM.
        yield call.operation(
            Verb.PRIVILEGE, ResourceType.ACCOUNT, "adb shell su", reach=Reach.REMOTE
        )
    else:
        yield Nested(text=" ".join(call.texts), language="shell", carrier="adb shell")


def adb_uninstall(call: ProgramCall) -> Iterator[Effect]:
    """`adb uninstall PACKAGE`: an app and its data; on an emulator it is installed again."""
    if _is_emulator(call):
        yield call.operation(
            Verb.CONTROL, ResourceType.PROCESS, " ".join(call.texts), reach=Reach.PROJECT
        )
    else:
        yield from call.perform(DELETE_PROJECT_DATA)


def _is_emulator(call: ProgramCall) -> bool:
    """Tell whether the line names an emulator: `-s emulator-5554`; `-e` may be a phone by WLAN."""
    given = [word.text for word in call.command.words[1:3]]
    return len(given) > 1 and given[0] == "-s" and given[1].startswith("emulator-")


DEVICE_READS = words(
    "getprop dumpsys logcat ls cat ps top df pwd id uname screencap screenrecord date"
)
DEVICE_TOOLS = words("pm am input settings svc cmd wm monkey content ime appops setprop run-as")


def _device_tool(call: ProgramCall, line: str) -> Iterator[Effect]:
    lost = any(mark in line for mark in ("uninstall", "clear", "reset", "delete", "wipe", "remove"))
    # `pm list packages com.clearcut` only lists.
    if lost and " list" not in line and not _is_emulator(call):
        yield from call.perform(DELETE_PROJECT_DATA)
    else:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, line[:80], reach=Reach.PROJECT)


LANE_LOOKS = words(
    "init lanes list actions docs env new_plugin search_plugins action help enable_auto_complete"
)
SHIPPING = [
    "deliver",
    "pilot",
    "supply",
    "release",
    "upload",
    "deploy",
    "beta",
    "match",
    "produce",
    "appstore",
    "testflight",
    "cert",
    "sigh",
    "pem",
    "distribute",
    "publish",
]


def lane(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `fastlane lane`: lanes that ship go out, the others build and test."""
    text = " ".join(call.texts)
    if call.operands and call.texts[0] in LANE_LOOKS:
        yield from call.perform(INSPECT)
    elif "nuke" in text:
        # fastlane `match nuke` revokes the team's certificates at Apple.
        yield from call.perform(DELETE_REMOTE)
    elif any(mark in text for mark in SHIPPING):
        yield from call.perform(PUBLISH_PACKAGE)
    else:
        yield from call.perform(BUILD)
