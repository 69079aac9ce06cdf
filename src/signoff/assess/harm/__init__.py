"""The table of bounded harm: act, target and evidence, and why one tap is enough for them."""
