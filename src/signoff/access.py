"""Limit who may use a web application: rates, failures, lists; docs/how-to/access.md shows how.

from signoff.access import AccessControl

access = AccessControl("sqlite:///var/lib/shop/access.db", requests="100/minute")
"""

from __future__ import annotations

from signoff.effects.access.control import AccessControl

__all__ = ["AccessControl"]
