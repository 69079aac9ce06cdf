"""Settings every test shares."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadline: two shared cores make the time of one example say nothing. No example database:
# a run leaves nothing behind and a failure prints the blob that repeats it.
settings.register_profile(
    "signoff",
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("signoff")
