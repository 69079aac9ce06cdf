"""Stand-ins for services in inline code: what they are, and which values are some."""
