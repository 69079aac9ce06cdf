"""Installing and removing the service, as steps that can be shown before they are done.

Its file is a systemd system unit, or a launchd daemon. The unit takes from the process what it does
not need. It keeps one capability: reading files of every user, because it looks at the scripts and
projects that calls name.

    for step in install_steps(LAYOUT, command):
        print(step.said)
        step.act()
"""

from __future__ import annotations

import os
import plistlib
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from signoff.errors import StoreError
from signoff.frontends.client.service_layout import MACOS, ServiceLayout
from signoff.frontends.server.units import quoted
from signoff.serving.listening import has_ipv6_loopback
from signoff.settings import CONFIG_DIR, STATE_DIR
from signoff.system.files import CLOEXEC, DIRECTORY, NOFOLLOW, set_mode

if sys.platform != "win32":
    import pwd

RUN_WITHIN_S = 60.0
SETTINGS = "channels: [web]\n"
NOLOGIN = "/usr/sbin/nologin"
MACOS_UIDS = range(300, 400)  # of daemons of their own; below 500 no login window shows them

ENVIRONMENT_FILE = "environment"  # in the configuration folder: keys of models, `NAME=value`
SYSTEM_LABEL = "org.signoff.service"
TARGET = f"system/{SYSTEM_LABEL}"
POLL_S = 0.1

# See systemd.exec(5). The `-` lets the service start without its file of keys.
UNIT = """\
[Unit]
Description=signoff, the sign-off layer between AI agents and what they do
After=network.target
Requires={socket}

[Service]
User={user}
Group={user}
ExecStart={command}
Environment={config_variable}
Environment={state_variable}
EnvironmentFile=-{environment}
StateDirectory=signoff
StateDirectoryMode=0700
ConfigurationDirectory=signoff
ConfigurationDirectoryMode=0700
RuntimeDirectory=signoff
RuntimeDirectoryMode=0755
UMask=0077
Restart=on-failure
RestartSec=1
LimitNOFILE=65536
AmbientCapabilities=CAP_DAC_READ_SEARCH
CapabilityBoundingSet=CAP_DAC_READ_SEARCH
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
"""

# See systemd.socket(5). While the service is away no other program can listen on the inbox's port.
SOCKET_UNIT = """\
[Unit]
Description=signoff: the port of the inbox, held while the service starts again

[Socket]
{listens}
BindIPv6Only=ipv6-only
Backlog=2048

[Install]
WantedBy=sockets.target
"""


class InstallStep(Struct, frozen=True):
    """One step of an installation: a description that a person can check, and a function."""

    said: str
    act: Callable[[], None]


def install_steps(
    service: ServiceLayout, command: Sequence[str], *, port: int
) -> Iterator[InstallStep]:
    """Yield the steps that install the service or update it; none starts it.

    Args:
        command: the command the unit starts.
        port: the inbox's port.
    """
    is_mac = service is MACOS
    if not _has_user(service.user):
        yield from map(_run, _mac_user(service) if is_mac else [_useradd(service)])
    for folder, mode in (
        (service.config, 0o700),
        (service.state, 0o700),
        # Open to all: agents of every user connect there, and the system says who they are
        # (T-64).
        (os.path.dirname(service.socket), 0o755),
    ):
        yield _folder(folder, mode, service)
    settings = os.path.join(service.config, "signoff.yaml")
    # An update leaves what was set there since.
    if not os.path.lexists(settings):
        yield _file(settings, SETTINGS, 0o600, service.user)
    text = (launch_daemon if is_mac else system_unit)(service, command)
    yield _file(service.unit, text, 0o644, "root")
    if not is_mac:
        yield _file(socket_file(service), socket_unit(port), 0o644, "root")


def start_steps(service: ServiceLayout) -> tuple[InstallStep, ...]:
    """Return the steps that start the service; () without a service manager."""
    if service is MACOS:
        return (*_ending(service), _run(["launchctl", "bootstrap", "system", service.unit]))
    return tuple(map(_run, _starting(service)))


def stop_steps(service: ServiceLayout) -> tuple[InstallStep, ...]:
    """Return the steps that stop the service until it is started again."""
    if service is MACOS:
        return _ending(service)
    if not is_systemd():
        return ()
    # The socket first: a browser that still asks would have the service started again.
    return (_run(["systemctl", "stop", *reversed(_units(service))]),)


def uninstall_steps(service: ServiceLayout) -> Iterator[InstallStep]:
    """Yield the steps that stop the service and remove its unit.

    Audit log, settings and user stay.
    """
    is_mac = service is MACOS
    if is_mac:
        yield from _ending(service)
    elif is_systemd():
        yield _run(["systemctl", "disable", "--now", *reversed(_units(service))])
    yield InstallStep(f"remove {service.unit}", lambda: _removed(service.unit))
    if not is_mac:
        yield InstallStep(f"remove {socket_file(service)}", lambda: _removed(socket_file(service)))
    if not is_mac and is_systemd():
        yield _run(["systemctl", "daemon-reload"])


def is_systemd() -> bool:
    """Return whether systemd runs this machine."""
    return os.path.isdir("/run/systemd/system")


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _useradd(service: ServiceLayout) -> list[str]:
    options = ["--system", "--user-group", "--no-create-home", "--shell", NOLOGIN]
    return ["useradd", *options, "--home-dir", service.state, service.user]


def _mac_user(service: ServiceLayout) -> list[list[str]]:
    """Return the commands that make a hidden user of the group `staff`, which homes are open to."""
    taken = {one.pw_uid for one in pwd.getpwall()}
    uid = next(number for number in MACOS_UIDS if number not in taken)
    record = ["dscl", ".", "-create", f"/Users/{service.user}"]
    fields = (
        ("UniqueID", str(uid)),
        ("PrimaryGroupID", "20"),
        ("UserShell", "/usr/bin/false"),
        ("NFSHomeDirectory", service.state),
        ("IsHidden", "1"),
    )
    return [record, *([*record, name, value] for name, value in fields)]


def _ending(service: ServiceLayout) -> tuple[InstallStep, ...]:
    """Return what ends a launchd daemon: nothing where launchd does not know it."""
    if not _is_loaded():
        return ()
    stop = _run(["launchctl", "bootout", "system", service.unit])

    def act() -> None:
        stop.act()
        # It returns before the daemon has ended, and until then nothing of its name starts.
        deadline = time.monotonic() + RUN_WITHIN_S
        while _is_loaded():
            if time.monotonic() > deadline:
                raise StoreError(f"`{SYSTEM_LABEL}` does not end: `launchctl print {TARGET}`")
            time.sleep(POLL_S)

    return (InstallStep(stop.said, act),)


def _is_loaded() -> bool:
    """Tell whether launchd knows the daemon: it loads none twice, and keeps the file it read."""
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            ["launchctl", "print", TARGET],  # noqa: S607 - where the system has it
            capture_output=True,
            check=False,
            timeout=RUN_WITHIN_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _starting(service: ServiceLayout) -> list[list[str]]:
    if not is_systemd():
        return []
    unit, socket_of = _units(service)
    return [
        ["systemctl", "daemon-reload"],
        ["systemctl", "enable", unit, socket_of],
        # A service of an older version may have the port itself.
        ["systemctl", "stop", socket_of, unit],
        ["systemctl", "start", socket_of, unit],
    ]


def _units(service: ServiceLayout) -> tuple[str, str]:
    """Return the names of the service's unit and of its socket's."""
    return os.path.basename(service.unit), os.path.basename(socket_file(service))


def socket_file(service: ServiceLayout) -> str:
    """Return the path of the socket unit, beside the service's, with the same name."""
    return f"{service.unit.removesuffix('.service')}.socket"


def _run(words: Sequence[str]) -> InstallStep:
    def act() -> None:
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                words, capture_output=True, text=True, check=False, timeout=RUN_WITHIN_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise StoreError(f"`{shlex.join(words)}` cannot be run: {error}") from error
        if done.returncode:
            said = (done.stderr or done.stdout).strip()[:1_000]
            raise StoreError(f"`{shlex.join(words)}` ended with {done.returncode}: {said}")

    return InstallStep(f"run {shlex.join(words)}", act)


def _folder(path: str, mode: int, service: ServiceLayout) -> InstallStep:
    def act() -> None:
        try:
            os.makedirs(path, mode=mode, exist_ok=True)
            # Not through a link: somebody else's folder must not become the service's.
            handle = os.open(path, os.O_RDONLY | DIRECTORY | NOFOLLOW | CLOEXEC)
            try:
                _give(handle, service.user)
                set_mode(handle, mode)
            finally:
                os.close(handle)
        except OSError as error:
            raise StoreError(f"cannot make the folder `{path}`: {error}") from error

    return InstallStep(f"make the folder {path}, mode {mode:04o}, of {service.user}", act)


def _file(path: str, text: str, mode: int, user: str) -> InstallStep:
    def act() -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NOFOLLOW | CLOEXEC
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            handle = os.open(path, flags, mode)
            with open(handle, "w", encoding="utf-8") as target:
                # Before the text is written: a file of an older installation keeps the rights it
                # had.
                _give(handle, user)
                set_mode(handle, mode)
                target.write(text)
        except OSError as error:
            raise StoreError(f"cannot write `{path}`: {error}") from error

    indented = "".join(f"\n  {line}" for line in text.splitlines())
    return InstallStep(f"write {path}, mode {mode:04o}, of {user}:{indented}", act)


def _give(handle: int, user: str) -> None:
    found = pwd.getpwnam(user)
    os.fchown(handle, found.pw_uid, found.pw_gid)


def _removed(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"cannot remove `{path}`: {error}") from error


def command_of_service() -> list[str]:
    """Return the command the unit starts: this environment's daemon, in the foreground."""
    # `-I`: what runs as the service takes no module from its environment or working folder.
    return [os.path.abspath(sys.executable), "-I", "-m", "signoff", "serve"]


def system_unit(service: ServiceLayout, command: Sequence[str]) -> str:
    """Return the systemd unit that runs the command as the service's user."""
    return UNIT.format(
        user=service.user,
        socket=os.path.basename(socket_file(service)),
        # systemd puts variables in place of `$NAME`, even between quotes (systemd.service(5)).
        command=" ".join(map(quoted, command)).replace("$", "$$"),
        config_variable=quoted(f"{CONFIG_DIR}={service.config}"),
        state_variable=quoted(f"{STATE_DIR}={service.state}"),
        environment=f"{service.config}/{ENVIRONMENT_FILE}",
    )


def socket_unit(port: int) -> str:
    """Return the systemd unit that holds the inbox's port, also while the service is down."""
    addresses = ["127.0.0.1", "[::1]"] if has_ipv6_loopback() else ["127.0.0.1"]
    return SOCKET_UNIT.format(
        listens="\n".join(f"ListenStream={address}:{port}" for address in addresses)
    )


def launch_daemon(service: ServiceLayout, command: Sequence[str]) -> str:
    """Return the launchd daemon that runs the command as the service's user."""
    said = {
        "Label": SYSTEM_LABEL,
        "UserName": service.user,
        "ProgramArguments": list(command),
        "EnvironmentVariables": {CONFIG_DIR: service.config, STATE_DIR: service.state},
        "RunAtLoad": True,
        # As `Restart=on-failure` in the unit: a clean end is not undone.
        "KeepAlive": {"SuccessfulExit": False},
        # As `LimitNOFILE` in the unit: each hook that waits holds a connection.
        "SoftResourceLimits": {"NumberOfFiles": 65_536},
        "Umask": 0o077,
    }
    return plistlib.dumps(said).decode()
