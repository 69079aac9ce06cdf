"""How languages write that two values are the same, for the readers of sign-ins."""

from __future__ import annotations

# Beside the signs, which each reader takes for itself.
EQUAL_WORDS = r"\.eql\?|\.equals(?:IgnoreCase)?\(|\.Equals\(|\beq\b"
# Calls in whose arguments both values stand: `hmac.compare_digest(a, b)`.
SAME_CALLS = (
    r"compare_digest|timingSafeEqual|hash_equals|secure_?compare|FixedTimeEquals|SequenceEqual"
    r"|ConstantTimeCompare|MessageDigest\.isEqual|Arrays\.equals|bytes\.Equal"
)
