"""Apple, Android, Flutter and other app tools: swift, xcodebuild, pod, flutter, adb, fastlane."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Effect, Nested, On, act, local, system, writes
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_CHANGE,
    FAR_GONE,
    INERT,
    LOGS_IN,
    LOOK,
    LOST,
    RELEASE,
    SERVES,
    SETS_GLOBAL,
    SETS_PROJECT,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub

DEVICE_CHANGE = local(Verb.WRITE, Thing.SETTING, reversible=True)
DEVICE_FLASH = act(
    Verb.WRITE, Thing.VOLUME, on=On.NOTHING, reach=Reach.REMOTE, reversible=False, always=True
)


def _build(call: Call) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def _adb_shell(call: Call) -> Iterator[Effect]:
    """`adb shell line`: the line runs on the attached device, which is not this machine."""
    words_given = call.operands
    if not words_given:
        yield call.operation(Verb.EXECUTE, Thing.CODE, "adb shell", reach=Reach.PROJECT)
        return
    first = words_given[0].text.rsplit("/", 1)[-1].split(" ", 1)[0]
    line = rejoin(words_given)
    if first in DEVICE_READS:
        yield call.operation(Verb.READ, Thing.NOTHING)
    elif first in DEVICE_TOOLS:
        yield from _device_tool(call, line)
    elif first == "su":
        yield call.operation(Verb.PRIVILEGE, Thing.ACCOUNT, "adb shell su", reach=Reach.REMOTE)
    else:
        yield Nested(text=" ".join(call.texts), language="shell", carrier="adb shell")


DEVICE_READS = words(
    "getprop dumpsys logcat ls cat ps top df pwd id uname screencap screenrecord date"
)
DEVICE_TOOLS = words("pm am input settings svc cmd wm monkey content ime appops setprop run-as")


def _device_tool(call: Call, line: str) -> Iterator[Effect]:
    lost = any(mark in line for mark in ("uninstall", "clear", "reset", "delete", "wipe", "remove"))
    if lost and " list" not in line:
        yield from call.perform(LOST)
    else:
        yield call.operation(Verb.EXECUTE, Thing.CODE, line[:80], reach=Reach.PROJECT)


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


def _lane(call: Call) -> Iterator[Effect]:
    """`fastlane lane`: lanes that ship go out, the others build and test."""
    text = " ".join(call.texts)
    if call.operands and call.texts[0] in LANE_LOOKS:
        yield from call.perform(LOOK)
    elif "nuke" in text:
        yield from call.perform(FAR_GONE)
    elif any(mark in text for mark in SHIPPING):
        yield from call.perform(RELEASE)
    else:
        yield from call.perform(BUILD)


APPLE = (
    program(
        "swift",
        values="-c --configuration --package-path --filter --product --target -Xswiftc",
        subs={
            "build test run": sub(BUILD, values="-c --configuration --package-path --filter"),
            "package": sub(
                BUILD,
                subs={
                    "clean reset purge-cache": BUILT_GONE,
                    "init edit unedit": CHANGES_PROJECT,
                    "update resolve add-dependency": ADDED,
                    "show-dependencies describe dump-package tools-version": LOOK,
                },
            ),
            "repl": INERT,
            "sdk": sub(ADDED_FOR_USER, subs={"list": LOOK, "remove": TAKEN_FROM_USER}),
        },
        handler=_build,
    ),
    program("swiftc", BUILD, values="-o -module-name -target", writes="-o"),
    program("swiftformat swift-format swiftlint", writes(), harmless="--lint --dryrun lint"),
    program(
        "xcodebuild",
        BUILD,
        values="-project -workspace -scheme -configuration -sdk -destination -arch -target "
        "-derivedDataPath -exportOptionsPlist -resultBundlePath -testPlan -only-testing",
        writes="-archivePath -exportPath",
        acting={"-list -showsdks -showBuildSettings -showdestinations -version": LOOK},
        harmless="-dry-run -n",
    ),
    program(
        "xcrun",
        subs={
            "simctl": sub(
                LOOK,
                subs={
                    "erase delete": LOST,
                    "boot shutdown install launch terminate uninstall openurl create clone": SERVES,
                    "list getenv io": LOOK,
                },
            ),
            "altool notarytool": sub(
                RELEASE,
                subs={"history info log": LOOK, "submit": RELEASE, "store-credentials": LOGS_IN},
                acting={"--validate-app --validate": LOOK},
            ),
            "stapler": CHANGES_PROJECT,
        },
        handler=_build,
        values="--sdk --toolchain -sdk",
        acting={"--find -f --show-sdk-path --show-sdk-version --kill-cache": LOOK},
    ),
    program(
        "xcode-select",
        SETS_GLOBAL,
        acting={"-p --print-path -v": LOOK, "--install": ADDED_FOR_USER},
    ),
    program(
        "xcodes",
        subs={
            "install update select": ADDED_FOR_USER,
            "uninstall": TAKEN_FROM_USER,
            "list installed": LOOK,
        },
    ),
    program(
        "agvtool genstrings",
        BUILD,
        writes="-output -o --compile",
    ),
    program("xcresulttool xcbeautify xcpretty", INERT),
    program("sourcekit-lsp lsregister", INERT),
    program(
        "pod",
        subs={
            "install update": ADDED,
            "init deintegrate": CHANGES_PROJECT,
            "cache": sub(LOOK, subs={"clean": CACHE_GONE, "list": LOOK}),
            "trunk": sub(
                RELEASE,
                subs={"me info": LOOK, "register": LOGS_IN, "push": RELEASE, "delete": FAR_GONE},
            ),
            "repo": sub(
                LOOK, subs={"add remove": SETS_GLOBAL, "push": RELEASE, "update": ADDED_FOR_USER}
            ),
            "lib spec": sub(BUILD, subs={"lint which cat": LOOK, "create": CHANGES_PROJECT}),
            "setup": ADDED_FOR_USER,
            "search list outdated env ipc try": LOOK,
        },
    ),
    program(
        "carthage", subs={"bootstrap update checkout build fetch outdated": ADDED, "archive": BUILD}
    ),
    program(
        "tuist xcodegen mint",
        subs={
            "generate build test run edit cache clean": BUILD,
            "install": ADDED_FOR_USER,
            "uninstall": TAKEN_FROM_USER,
        },
        handler=_build,
    ),
    program("fastlane", handler=_lane, values="--env", harmless="-h -v"),
)
FLUTTER = (
    program(
        "flutter dart fvm",
        values="-d --device-id",
        subs={
            "run test build analyze doc compile drive attach assemble gen-l10n logs screenshot "
            "symbolize debug-adapter daemon custom-devices bash-completion widget-preview "
            "install": sub(
                BUILD, values="-o --output -d --target -t --flavor", writes="-o --output"
            ),
            "format": sub(writes(), values="-o --output -l", harmless="--set-exit-if-changed"),
            "fix create": sub(CHANGES_PROJECT, harmless="-n --dry-run"),
            "clean": BUILT_GONE,
            "pub packages": sub(
                subs={
                    "get add upgrade downgrade": sub(ADDED, harmless="-n --dry-run"),
                    "remove": sub(TAKEN_OUT, harmless="-n --dry-run"),
                    "global": sub(
                        ADDED_FOR_USER,
                        subs={
                            "activate": ADDED_FOR_USER,
                            "deactivate": TAKEN_FROM_USER,
                            "list": LOOK,
                            "run": BUILD,
                        },
                    ),
                    "publish lish": sub(RELEASE, harmless="-n --dry-run"),
                    "cache": sub(LOOK, subs={"clean": CACHE_GONE, "repair add": ADDED}),
                    "login logout token": LOGS_IN,
                    "deps outdated run unpack": LOOK,
                }
            ),
            "upgrade downgrade precache use global": ADDED_FOR_USER,
            "channel": ADDED_FOR_USER,
            "config": sub(SETS_GLOBAL, acting={"--list": LOOK}),
            "devices emulators doctor info help language-server devtools tooling-daemon list": LOOK,
            "remove": TAKEN_FROM_USER,
        },
        handler=_build,
        harmless="-h",
    ),
    program("melos very_good mason dartfmt dart2js", BUILD),
    program("flutterfire", subs={"configure reconfigure": CHANGES_PROJECT}),
)
ANDROID = (
    program(
        "adb",
        values="-s -t -H -P -L",
        subs={
            "devices logcat bugreport get-state get-serialno get-devpath version help jdwp "
            "wait-for-device host-features features mdns": LOOK,
            "shell exec-out": sub(handler=_adb_shell, options_first=True, values="-e -T"),
            "install install-multiple install-multi-package push": DEVICE_CHANGE,
            "pull": writes(On.BUT_FIRST, default="."),
            "uninstall": LOST,
            "forward reverse start-server kill-server reconnect connect disconnect pair attach "
            "detach": SERVES,
            "tcpip usb": SERVES,
            "backup": sub(BUILD, writes="-f"),
            "restore sideload disable-verity enable-verity remount": system(
                Verb.CONTROL, Thing.SERVICE
            ),
            "root unroot": act(
                Verb.PRIVILEGE, Thing.ACCOUNT, on=On.NOTHING, reach=Reach.REMOTE, always=True
            ),
            "reboot reboot-bootloader": act(
                Verb.CONTROL, Thing.SERVICE, on=On.NOTHING, reach=Reach.SYSTEM, always=True
            ),
        },
    ),
    program(
        "fastboot",
        values="-s -S --slot --set-active",
        subs={
            "devices getvar help": LOOK,
            "flash erase format flashall update oem flashing boot": DEVICE_FLASH,
            "reboot reboot-bootloader continue set_active": act(
                Verb.CONTROL, Thing.SERVICE, on=On.NOTHING, reach=Reach.SYSTEM, always=True
            ),
        },
        acting={"-w": DEVICE_FLASH},
    ),
    program(
        "sdkmanager",
        ADDED_FOR_USER,
        acting={"--list --list_installed": LOOK, "--uninstall": TAKEN_FROM_USER},
    ),
    program(
        "avdmanager",
        subs={"create": ADDED_FOR_USER, "delete": LOST, "list": LOOK, "move": SETS_GLOBAL},
    ),
    program("emulator", SERVES, acting={"-list-avds": LOOK, "-wipe-data": LOST}, values="-avd"),
    program(
        "apksigner zipalign aapt aapt2 bundletool d8 apkanalyzer retrace dexdump",
        BUILD,
        writes="-o --output --out",
    ),
)
HYBRID = (
    program(
        "expo eas ionic cordova ns tns react-native capacitor tauri electron-builder",
        subs={
            "publish submit update deploy upload": RELEASE,
            "login logout register ssh": LOGS_IN,
            "install add": sub(handler=package_install(wide="-g --global")),
            "plugin platform": sub(CHANGES_PROJECT),
            "config": sub(SETS_PROJECT, acting={"-g --global": SETS_GLOBAL}),
            "device branch channel secret env credentials webhook": sub(
                FAR_CHANGE, subs={"list view ls": LOOK, "delete": FAR_GONE}
            ),
        },
        handler=_build,
        harmless="-h",
    ),
    program(
        "u3d",
        subs={"install": ADDED_FOR_USER, "uninstall": TAKEN_FROM_USER, "move": SETS_GLOBAL},
        handler=_build,
    ),
    program("godot love renpy", BUILD),
)
PROGRAMS: tuple[Program, ...] = (*APPLE, *FLUTTER, *ANDROID, *HYBRID)
