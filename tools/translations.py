"""Collects RadCal's texts for translation, and compiles the translations.

    python -m tools.translations

Brings resources/locale/LANGUAGE/LC_MESSAGES/radcal.po (to be edited with any editor for gettext, such as Poedit) up to
date with the texts in the code, keeping what is translated, and makes the radcal.mo files that RadCal reads.
"""

from __future__ import annotations

import ast
import errno
import io
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from radcal.feedback.explaining import explanations
from radcal.feedback.pdf import texts_of_templates
from radcal.findings.rules.precedence import RULES
from radcal.reports import reasons
from radcal.words.confirmations import pathology_names, silence_reasons
from radcal.words.languages import names
from radcal.words.scales import scales
from tools.phrase_tables import SURVEYS

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "locale"
Key = tuple[str, str, str]
"""Context, text, and the text for any number but 1."""

_ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in the header, so that the same texts make the same files."""
_OF_THE_SYSTEM = tuple(
    os.strerror(getattr(errno, name))
    for name in (
        *("ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "EEXIST", "ENAMETOOLONG", "ENOSPC", "EDQUOT", "EROFS"),
        *("EIO", "EBUSY", "EMFILE", "EINVAL", "ENOEXEC", "ENOMEM"),
    )
)
"""File errors of operating systems, as Linux has them; others are shown untranslated."""
_TEXTS = frozenset(("Text", "Declared", "say"))
"""Calls whose arguments are texts; those of all errors of RadCal are, too."""


def collected() -> set[Key]:
    """The texts in code, templates and tables: names, reasons, what rules state, titles of scales, sources."""
    files = [path for room in ("radcal", "ui") for path in sorted((ROOT / room).rglob("*.py"))]
    nodes = [
        node
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.Call)
    ]
    texts = _TEXTS | _errors([node for node in nodes if isinstance(node, ast.ClassDef)])
    said = {key for node in nodes if isinstance(node, ast.Call) for key in _said(node, texts)}
    told = (*_OF_THE_SYSTEM, *names().values(), *pathology_names(), *silence_reasons().values())
    told += (*(scale.title for scale in scales()), *(rule.says for rule in RULES))
    told += (*(source for _, _, source in SURVEYS.values()), *texts_of_templates())
    told += tuple(p[part] for page in explanations().values() for p in page for part in ("head", "text") if part in p)
    return said | {("", str(text), "") for text in told} | {("", *both) for both in reasons.texts()}


def _errors(classes: list[ast.ClassDef]) -> set[str]:
    """The names of all errors that RadCal raises on purpose."""
    found = {"RadcalError"}
    while more := {c.name for c in classes if {getattr(base, "id", "") for base in c.bases} & found} - found:
        found |= more
    return found


def _said(call: ast.Call, makers: set[str] | frozenset[str]) -> Iterator[Key]:
    """What is said by a call of one of the functions that say or mark a text."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    texts = [a.value if isinstance(a, ast.Constant) and isinstance(a.value, str) else "" for a in call.args]
    if name == "manner" and len(texts) > 1:
        yield (texts[0], texts[1], "")
    elif name == "counted" and len(texts) > 2 and "{n}" in texts[1]:
        yield ("", texts[1], texts[2])
    elif name in makers:
        many = next((k.value for k in call.keywords if k.arg == "many"), None)
        yield from (("", text, str(many.value) if isinstance(many, ast.Constant) else "") for text in texts if text)


def po_file(code: str) -> Path:
    """The texts of a language as translators edit them."""
    return FOLDER / code / "LC_MESSAGES" / "radcal.po"


def catalogue(code: str) -> Catalog:
    """The translations of a language."""
    return read_po(io.BytesIO(po_file(code).read_bytes()), locale=code, abort_invalid=True)


def keys(texts: Catalog) -> dict[Key, tuple[str, ...]]:
    """The texts of a catalogue with their translations."""
    found = {}
    for message in texts:
        if message.id:
            said, local = (v if isinstance(v, (tuple, list)) else (v,) for v in (message.id, message.string))
            found[str(message.context or ""), str(said[0]), str(said[1]) if len(said) > 1 else ""] = tuple(
                map(str, local)
            )
    return found


def made(code: str, texts: dict[Key, tuple[str, ...]]) -> Catalog:
    """A catalogue of these texts."""
    new = Catalog(
        locale=code, header_comment=f"# RadCal's texts: {code}", project="RadCal", version="1", charset="utf-8",
        fuzzy=False, creation_date=_ALWAYS, revision_date=_ALWAYS,
        msgid_bugs_address="-", last_translator="-", language_team="-",
    )  # fmt: skip
    for context, text, many in sorted(texts):
        local = texts[context, text, many]
        new.add((text, many) if many else text, tuple(local) if many else local[0], context=context or None)
    return new


def written(texts: Catalog) -> tuple[bytes, bytes]:
    """A catalogue as the bytes of its .po and of its .mo file."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, texts, width=0, sort_output=False)
    write_mo(mo, texts)
    return po.getvalue(), mo.getvalue()


def main() -> int:
    """Bring all translations up to date."""
    now = collected()
    for folder in sorted(FOLDER.iterdir()):
        known = keys(catalogue(folder.name))
        po, mo = written(made(folder.name, {key: known.get(key, ("", "")) for key in now}))
        po_file(folder.name).write_bytes(po)
        po_file(folder.name).with_suffix(".mo").write_bytes(mo)
    return 0


if __name__ == "__main__":
    sys.exit(main())
