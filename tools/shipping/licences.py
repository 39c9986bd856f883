"""The licences of everything that a package of RadCal holds, as one text."""

from __future__ import annotations

from collections.abc import Sequence

from radcal.system.components import Component, components, licence_texts


def text(parts: Sequence[Component] | None = None) -> str:
    """The licence of RadCal, a line for each component, and the licence texts of all, each once.

    Args:
        parts: RadCal itself, then the others; those of this installation unless given.
    """
    own, *others = components() if parts is None else parts
    lines = [
        f"{own.name} {own.version}".strip(),
        f"Licence: {own.licence}",
        "",
        "It is shipped with these components:",
        "",
    ]
    for part in others:
        name = f"{part.name} (within {part.within})" if part.within else part.name
        lines.append(f"{' '.join(filter(None, (name, part.version)))}: {part.licence or 'see its text below'}")
    whose: dict[str, list[str]] = {}
    for part in (own, *others):
        for found in licence_texts(part):
            whose.setdefault(found.strip(), []).append(part.name)
    for found, names in whose.items():
        title = ", ".join(dict.fromkeys(names))
        lines += ["", "", title, "=" * min(len(title), 100), "", found]
    return "\n".join(lines) + "\n"
