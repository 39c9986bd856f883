"""Runs a program that the kernel kills, with all its children, as soon as one asks for a socket of the internet.

    python no_network.py MODULE ARGUMENTS...

A seccomp filter of our own, which needs no rights and holds for libraries that are not Python's as well.  Sockets of
other kinds (of the display, of the user database) stay allowed: they lead to no other machine.
"""

from __future__ import annotations

import ctypes
import platform
import runpy
import struct
import sys

SOCKET = {"x86_64": 41, "aarch64": 198}
"""Number of socket(2), by machine."""
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NUMBER_AT, _ARCHITECTURE_AT, _FAMILY_AT = 0, 4, 16
"""Where the kernel puts these in what a filter sees."""
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2
_INET, _INET6, _PACKET = 2, 10, 17


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def forbid() -> None:
    """From now on, this process and what it starts have no way to another machine."""
    machine = platform.machine()
    steps = (
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 0, 7, _ARCHITECTURE[machine]),  # a system call of another kind is as bad
        (_LOAD, 0, 0, _NUMBER_AT),
        (_EQUAL, 0, 4, SOCKET[machine]),
        (_LOAD, 0, 0, _FAMILY_AT),
        (_EQUAL, 3, 0, _INET),
        (_EQUAL, 2, 0, _INET6),
        (_EQUAL, 1, 0, _PACKET),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _KILL),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = _Program(len(steps), ctypes.cast(code, ctypes.c_void_p).value)
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) or prctl(_SECCOMP, _FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "this system takes no filter")


if __name__ == "__main__":
    forbid()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
