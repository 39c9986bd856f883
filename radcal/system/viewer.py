"""The link or command by which IT has studies opened in the hospital's PACS or RIS (docs/policy.md).

Numbers come from reports, and whoever wrote them may have written anything: only those of the form that numbers have
are handed on, percent-encoded in a link, to a program each as one argument that is no option and that no shell reads.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import quote, urlsplit

from radcal.system.errors import DataError, InputError

_UID = "{study_uid}"
_NUMBERS = {
    "{accession}": re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._+/ -]*"),
    _UID: re.compile(r"[0-2](\.(0|[1-9][0-9]*))+"),
}
"""What may be filled in, and the form that it must have."""
_LONGEST = 64
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
_NEVER = re.compile(
    r"about|blob|cmd|data|file|ftps?|hcp|help|intent|jar|javascript|ldaps?|mailto|mhtml|ms-.*|nfs|powershell|res|search.*"
    r"|sftp|shell|smb|ssh|telnet|vbscript|view-source|x-apple.*"
)
"""Schemes that run something, or that open what is no viewer."""
_SHELLS = re.compile(
    r"(ba|da|k|z|c|tc|fi|a|pw)?sh|busybox|env|xargs|sudo|su|cmd|command|power(shell|shell_ise)|[cw]script|mshta|rundll32"
    r"|(python|perl|ruby|node|php)[\d.]*w?|regsvr32|msiexec|explorer|start|conhost|wt|forfiles|xdg-open|open|osascript"
)
_SCRIPTS = (
    ".bat",
    ".cmd",
    ".com",
    ".hta",
    ".js",
    ".jse",
    ".lnk",
    ".msc",
    ".ps1",
    ".scr",
    ".url",
    ".vbe",
    ".vbs",
    ".wsf",
)
"""Endings of what Windows hands to a shell or an interpreter, which reads its arguments anew."""


def is_study_uid(text: str) -> bool:
    """Whether a text has the form of a UID of DICOM (PS3.5 chapter 9)."""
    return len(text) <= _LONGEST and _NUMBERS[_UID].fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Viewer:
    """How a study is opened: a link, or a program with its arguments; neither where nothing is set.

    schemes: of links, besides https

    Raises:
        InputError: by :meth:`check`.
    """

    url: str = ""
    command: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether studies can be opened."""
        return bool(self.url or self.command)

    def check(self) -> None:
        """Refuse what could open anything but a viewer.

        Raises:
            InputError: what is wrong, and what to write instead.
        """
        for scheme in self.schemes:
            if not _SCHEME.fullmatch(scheme) or _NEVER.fullmatch(scheme):
                raise InputError(
                    "{scheme!r} is no scheme of a viewer. Name one such as weasis, radiant or osirix, or http.",
                    scheme=scheme,
                )
        if self.url and self.command:
            raise InputError("Studies are opened by viewer_url or by viewer_command. Leave one of them out.")
        if not self.is_set:
            return
        whole = " ".join((self.url, *self.command))
        left = re.sub("|".join(map(re.escape, _NUMBERS)), "", whole)
        if left == whole or "{" in left or "}" in left or not left.isprintable():
            one, other = _NUMBERS
            raise InputError(
                "Write {one} or {other} where the number belongs, and no other braces.", one=one, other=other
            )
        if self.command:
            self._check_command()
            return
        scheme, host = self.url.partition(":")[0], urlsplit(self.url).netloc
        if scheme not in ("https", *self.schemes):
            raise InputError(
                "Links begin with https: or with a scheme of viewer_schemes, not with {scheme!r}.", scheme=f"{scheme}:"
            )
        if not self.url.isascii() or " " in self.url or "{" in host or (scheme in ("http", "https") and not host):
            raise InputError(
                "Write a whole link, with the host in full, without spaces: https://pacs.example.org/\u2026"
            )

    def _check_command(self) -> None:
        program, *arguments = self.command
        names = [PurePath(name.lower()) for name in (program, os.path.realpath(program))]
        if any(name.suffix in _SCRIPTS or _SHELLS.fullmatch(name.stem) for name in names):
            raise InputError("A viewer is a program of its own, neither a shell nor a script of Windows.")
        if not Path(program).is_absolute() or "{" in program:
            raise InputError("Write the whole path of the program, from the root or the drive on.")
        if any("{" in argument and argument not in _NUMBERS for argument in arguments):
            raise InputError("A number is an argument by itself: write it apart from others.")

    def opens(self, accession: str, study_uid: str = "") -> str | tuple[str, ...]:
        """The link, or the program with its arguments, for one study.

        Where a template has both numbers, a missing study UID is left empty in a link, and out of a command.

        Raises:
            DataError: a number that is needed is missing, or has another form than such numbers have.
        """
        given = dict(zip(_NUMBERS, (accession.strip(" "), study_uid.strip(" \0")), strict=True))
        wanted = [name for name in _NUMBERS if name in " ".join((self.url, *self.command))]
        for name in wanted:
            if name == _UID and not given[name]:
                if len(wanted) == 1:
                    raise DataError("The viewer asks for the UID of the study, which this report does not have.")
            elif len(given[name]) > _LONGEST or not _NUMBERS[name].fullmatch(given[name]):
                raise DataError(
                    "The number of this examination has a form that such numbers do not have, and was not handed on. "
                    "Open the study by hand."
                )
        if self.command:
            return tuple(value for part in self.command if (value := given.get(part, part)) or part != _UID)
        link = self.url
        for name in wanted:
            link = link.replace(name, quote(given[name], safe=""))
        return link
