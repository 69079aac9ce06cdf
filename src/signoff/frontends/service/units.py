"""The files that start the service: a systemd system unit, and a launchd daemon.

The unit takes from the process what it does not need. It keeps one capability: reading files of
every user, because it looks at the scripts and projects that calls name.
"""

from __future__ import annotations

import plistlib
from collections.abc import Sequence

from signoff.frontends.client.service_layout import ServiceLayout
from signoff.frontends.server.units import quoted
from signoff.settings import CONFIG_DIR, STATE_DIR

ENVIRONMENT_FILE = "environment"  # in the configuration folder: keys of models, `NAME=value`
SYSTEM_LABEL = "org.signoff.service"

UNIT = """\
[Unit]
Description=signoff, the sign-off layer between AI agents and what they do
After=network.target

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


def system_unit(service: ServiceLayout, command: Sequence[str]) -> str:
    """Return the systemd unit that runs the command as the service's user."""
    return UNIT.format(
        user=service.user,
        command=" ".join(map(quoted, command)).replace("$", "$$"),
        config_variable=quoted(f"{CONFIG_DIR}={service.config}"),
        state_variable=quoted(f"{STATE_DIR}={service.state}"),
        environment=f"{service.config}/{ENVIRONMENT_FILE}",
    )


def launch_daemon(service: ServiceLayout, command: Sequence[str]) -> str:
    """Return the launchd daemon that runs the command as the service's user."""
    said = {
        "Label": SYSTEM_LABEL,
        "UserName": service.user,
        "ProgramArguments": list(command),
        "EnvironmentVariables": {CONFIG_DIR: service.config, STATE_DIR: service.state},
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "SoftResourceLimits": {"NumberOfFiles": 65_536},
        "Umask": 0o077,
    }
    return plistlib.dumps(said).decode()
