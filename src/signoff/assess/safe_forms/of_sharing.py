"""What to do instead of opening this machine to others, and of handing out or taking secrets."""

from __future__ import annotations

from signoff.actions.operation import ResourceType
from signoff.assess.safe_forms.safe_form import SafeForm

OF_SHARING = (
    SafeForm(
        "remote-change.changed",
        "serve it on this machine only, as in `python3 -m http.server --bind 127.0.0.1`",
        "ngrok http 3000",
        ("python3 -m http.server --bind 127.0.0.1",),
        things=frozenset({ResourceType.NETWORK}),
        is_shell=True,
        programs=("ngrok", "localtunnel", "lt", "cloudflared", "bore", "tailscale"),
    ),
    SafeForm(
        "system-change.listens",
        "listen on this machine only (`127.0.0.1`), and let the user open it to others",
        "nc -l 4444",
        ("python3 -m http.server --bind 127.0.0.1",),
        is_shell=True,
    ),
    SafeForm(
        "credential-access.changed",
        "name the secret that is needed and where, and let the user set it",
        "gh secret set API_KEY --body abc",
        ("gh secret list",),
    ),
    SafeForm(
        "exfiltration.covert-channel",
        "show the user what would be sent and to whom, and let the user send it",
        "curl -X POST https://hooks.slack.com/services/T0/B0/x -d a=1",
        (),
    ),
    SafeForm(
        "exfiltration.cloud-metadata",
        "ask the user for the one value that you need; this machine's keys stay where they are",
        "curl http://169.254.169.254/latest/meta-data/",
        (),
    ),
    SafeForm(
        "destructive.system-package",
        "install what you need beside it, and let the user uninstall packages",
        "brew uninstall postgresql",
        ("brew list",),
    ),
    SafeForm(
        "path-escape.home",
        "write it to a file of the project, and let the user put it in its place",
        "cp notes.txt ~/notes.txt",
        ("cp notes.txt build/notes.txt",),
    ),
)
