"""Windows accounts: the number by which signoff tells users apart, and the user of a process."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    # As a missing module of the system, which is what it is.
    raise ModuleNotFoundError("signoff.system.accounts is for Windows alone", name="_winapi")

import ctypes
import hashlib
from ctypes import wintypes
from functools import cache

from signoff.system.kernel32 import failure, kernel32, opened_process

TOKEN_QUERY, TOKEN_USER = 0x8, 1
USER_LIMIT = 128  # bytes of a TOKEN_USER with its SID of at most 68
NUMBER_BYTES = 6  # two accounts of a machine have the same number once in 10**14

_advapi32 = ctypes.WinDLL("advapi32", use_last_error=True)
_advapi32.OpenProcessToken.argtypes = (
    wintypes.HANDLE,
    wintypes.DWORD,
    ctypes.POINTER(wintypes.HANDLE),
)
_advapi32.GetTokenInformation.argtypes = (
    wintypes.HANDLE,
    ctypes.c_int,
    ctypes.c_void_p,
    wintypes.DWORD,
    ctypes.POINTER(wintypes.DWORD),
)
_advapi32.GetLengthSid.argtypes = (ctypes.c_void_p,)


@cache
def own_number() -> int:
    """Return the number of the account this process runs as.

    Raises:
        OSError: the system does not say.
    """
    return _number_of(kernel32.GetCurrentProcess())


def number_of(pid: int) -> int | None:
    """Return the number of the account a process runs as, None if the system does not say."""
    with opened_process(pid) as process:
        try:
            return _number_of(process) if process is not None else None
        except OSError:
            return None


def _number_of(process: int) -> int:
    token, size = wintypes.HANDLE(), wintypes.DWORD()
    if not _advapi32.OpenProcessToken(process, TOKEN_QUERY, ctypes.byref(token)):
        raise failure()
    try:
        said = ctypes.create_string_buffer(USER_LIMIT)
        if not _advapi32.GetTokenInformation(
            token, TOKEN_USER, said, USER_LIMIT, ctypes.byref(size)
        ):
            raise failure()
        # TOKEN_USER begins with a pointer to the security identifier.
        sid = ctypes.c_void_p.from_buffer(said).value
        raw = ctypes.string_at(sid or 0, _advapi32.GetLengthSid(sid))
    finally:
        kernel32.CloseHandle(token)
    return int.from_bytes(hashlib.sha256(raw).digest()[:NUMBER_BYTES], "big")
