"""A system service for ``radcal watch`` or ``radcal listen``: the file that the operating system starts it by."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from string import Template
from xml.sax.saxutils import escape

from radcal.system import inputs
from radcal.system.resources import resource

FILES = {"systemd": "radcal.service", "launchd": "radcal.plist", "windows": "radcal.xml"}
"""The template of each kind of service, in resources/services."""


_TAKEN = (
    "workspace", "settle", "only", "dates", "map", "preset", "as_whole", "mllp", "address", "cert", "key", "client_ca",
    "names_key", "key_store",
)  # fmt: skip
"""The options that a service has of the command; its passphrase comes in another way."""


_CREDENTIAL = """\
# The passphrase is read once by the system and given to this service alone. Better than a plain file is one that only
# this computer can read: `systemd-creds encrypt FILE FILE.cred`, and in place of this line
# LoadCredentialEncrypted=passphrase:FILE.cred
LoadCredential=passphrase:{}"""
_FROM_STORE = "# The passphrase comes from the key store of the service's user (--key-store)."


def service(args: argparse.Namespace) -> str:
    """A service of the system that runs the command as it was given, with as few rights as it needs."""
    folder = [args.folder] if args.step == "watch" else []
    words = [args.step, *(_word(path) for path in folder)]
    for name in _TAKEN:
        value = getattr(args, name, None)
        for each in value if isinstance(value, list) else [value]:
            if each is not None and each is not False and each != "":
                words += [f"--{name.replace('_', '-')}", *([] if each is True else [_word(each)])]
    own_program = sys.executable if getattr(sys, "frozen", False) else shutil.which("radcal")
    program = [own_program] if own_program else [sys.executable, "-m", "radcal"]
    file = args.passphrase_file and _word(args.passphrase_file)
    if args.service == "systemd":
        path = (file or "/etc/radcal/passphrase").replace("%", "%%")
        own = "" if args.key_store else ' "--passphrase-file" "${CREDENTIALS_DIRECTORY}/passphrase"'
        values = {
            "command": " ".join(map(_quoted, [*program, *words])).replace("$", "$$") + own,
            "paths": " ".join(_quoted(_word(path)) for path in dict.fromkeys([*folder, *_written(args)])),
            "families": "AF_UNIX AF_INET AF_INET6" if args.step == "listen" else "AF_UNIX",
            "passphrase": _FROM_STORE if args.key_store else _CREDENTIAL.format(path),
        }
    else:
        words += ["--passphrase-file", file] if file else []
        values = {
            "strings": "\n".join(f"    <string>{escape(word)}</string>" for word in [*program, *words]),
            "program": escape(program[0]),
            "line": escape(subprocess.list2cmdline([*program[1:], *words])),
        }
    template = resource("services", FILES[args.service]).read_text(encoding="utf-8")
    return Template(template).substitute(values, step=args.step)


def _written(args: argparse.Namespace) -> list[Path]:
    """The folders that the command writes: of the workspace, its spool and, where one is named, its names key."""
    return [inputs.full_path(path).parent for path in (args.workspace, args.names_key) if path is not None]


def _word(value: object) -> str:
    """A value as it is given to a command, files by their whole path: services run in another folder."""
    return str(inputs.full_path(value)) if isinstance(value, Path) else str(value)


def _quoted(word: str) -> str:
    """A word as systemd reads it: between quotes, its own marks doubled."""
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{word}"'
