"""What may stand upstream of a command: one bit each, the sum says what reaches it."""

from __future__ import annotations

NO_ORIGINS = 0
FETCHES = 1
DECODES = 2
SECRET = 4
FILES = 8
NAMES = 16
OPEN_SHELL = 32
BUILT = 64
ENCODES = 128
VARIABLES = 256
HOST_NAME = 512
UNPACKS = 1024
SETTING = 2048
DUMP = 4096  # every variable of the environment
DUMPED = 8192  # a copy of a database
PRIVATE = 16384  # of production, or of all there is
HOLDING = SECRET | DUMP
