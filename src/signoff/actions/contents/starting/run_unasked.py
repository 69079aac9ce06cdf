"""Sources that are run without anybody starting them: scripts of packages, start-up code.

A package manager runs a maintainer script as root, an application loads its initializers: what is
written there counts as much as in a hook.

    debian/postinst, app.spec, config/initializers/x.rb  ->  True
"""

from __future__ import annotations

from signoff.actions.paths import Located
from signoff.actions.vocabulary import lazy_re2

_PATHS = lazy_re2(
    r"(?i)(?:^|[/.])(?:post|pre)(?:inst|rm)$"  # Debian
    r"|\.(?:post|pre)-(?:install|upgrade|deinstall)$"  # Alpine
    r"|/scripts/(?:post|pre)(?:install|upgrade|remove)(?:\.sh)?$|\.(?:spec|install)$"  # RPM, Arch
    r"|/config/(?:initializers/.*|boot|application|environment)\.rb$"
)


def runs_unasked(where: Located) -> bool:
    """Return whether a package manager, or an application at its start, runs a file."""
    return _PATHS.search(where.path) is not None
