"""Limit who may use a web application: rates, failures, lists; docs/how-to/access.md shows how.

from signoff.access import AccessControl

access = AccessControl("sqlite:///var/lib/shop/access.db", requests="100/minute")
"""

from __future__ import annotations

try:
    from signoff.effects.access.control import AccessControl
except ModuleNotFoundError as error:
    # Any other missing module is a fault of the installation, and must be seen as it is.
    if error.name != "limits":
        raise
    raise ImportError("signoff.access needs `pip install 'signoff[limits]'`") from error

__all__ = ["AccessControl"]
