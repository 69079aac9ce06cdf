"""Where files come from: fetched, cloned, unpacked, copied, compiled."""
