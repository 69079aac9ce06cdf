"""Every carrier by its program name."""

from __future__ import annotations

from signoff.actions.shell.wrappers.inner import Unfold
from signoff.actions.shell.wrappers.later import (
    TERMINALS,
    unfold_at,
    unfold_nodemon,
    unfold_screen,
    unfold_systemd_run,
    unfold_terminal,
    unfold_watchexec,
    unfold_window_manager,
)
from signoff.actions.shell.wrappers.lists import (
    unfold_fd,
    unfold_find,
    unfold_xargs,
)
from signoff.actions.shell.wrappers.parallel import unfold_parallel
from signoff.actions.shell.wrappers.prefix import PREFIXES, unfold_prefix, unfold_sudo
from signoff.actions.shell.wrappers.remote import (
    unfold_boxes,
    unfold_cluster,
    unfold_container,
    unfold_ssh,
    unfold_vagrant,
)
from signoff.actions.shell.wrappers.runners import RUNNERS, unfold_git, unfold_runner
from signoff.actions.shell.wrappers.shells import (
    SHELLS,
    unfold_eval,
    unfold_shell,
    unfold_source,
    unfold_trap,
)
from signoff.actions.shell.wrappers.tmux import unfold_tmux
from signoff.actions.shell.wrappers.users import (
    unfold_busybox,
    unfold_entr,
    unfold_env,
    unfold_flock,
    unfold_lines,
    unfold_script,
    unfold_sg,
    unfold_su,
    unfold_texts,
    unfold_watch,
)

CARRIERS: dict[str, Unfold] = {
    **dict.fromkeys(PREFIXES, unfold_prefix),
    **dict.fromkeys(SHELLS, unfold_shell),
    **dict.fromkeys(RUNNERS, unfold_runner),
    "sudo": unfold_sudo,
    "env": unfold_env,
    "genv": unfold_env,
    "su": unfold_su,
    "runuser": unfold_su,
    "sg": unfold_sg,
    "flock": unfold_flock,
    "script": unfold_script,
    "watch": unfold_watch,
    "viddy": unfold_watch,
    "hyperfine": unfold_texts,
    "concurrently": unfold_texts,
    **dict.fromkeys(("start-server-and-test", "server-test"), unfold_lines),
    "entr": unfold_entr,
    "busybox": unfold_busybox,
    "toybox": unfold_busybox,
    "xargs": unfold_xargs,
    "gxargs": unfold_xargs,
    "parallel": unfold_parallel,
    "find": unfold_find,
    "gfind": unfold_find,
    "fd": unfold_fd,
    "fdfind": unfold_fd,
    "ssh": unfold_ssh,
    "mosh": unfold_ssh,
    **dict.fromkeys(("docker", "podman", "nerdctl", "finch"), unfold_container),
    **dict.fromkeys(("docker-compose", "podman-compose"), unfold_container),
    **dict.fromkeys(("kubectl", "oc", "k3s-kubectl", "microk8s.kubectl"), unfold_cluster),
    "vagrant": unfold_vagrant,
    "gcloud": unfold_vagrant,
    **dict.fromkeys(("lxc", "incus", "distrobox"), unfold_boxes),
    "at": unfold_at,
    "batch": unfold_at,
    "systemd-run": unfold_systemd_run,
    "tmux": unfold_tmux,
    **dict.fromkeys(("i3-msg", "swaymsg", "hyprctl", "riverctl", "niri"), unfold_window_manager),
    "screen": unfold_screen,
    **dict.fromkeys(TERMINALS, unfold_terminal),
    "nodemon": unfold_nodemon,
    "watchexec": unfold_watchexec,
    "git": unfold_git,
    "eval": unfold_eval,
    "trap": unfold_trap,
    ".": unfold_source,
    "source": unfold_source,
}
