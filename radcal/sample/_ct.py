"""CT reports: mostly unhedged statements under fixed headings."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from radcal.sample._profiles import Reader
from radcal.sample._text import Line, Writer
from radcal.sample._words import BONES, CT_OTHER, CT_TOPICS, HEART, LUNGS, MEDIASTINUM, PLEURA
from radcal.words.records import ABSENT

_HEADINGS = {
    LUNGS: "LUNGS",
    PLEURA: "PLEURA",
    HEART: "HEART AND PERICARDIUM",
    MEDIASTINUM: "MEDIASTINUM AND LYMPH NODES",
    BONES: "BONES",
}


def write_ct(reader: Reader, said: Mapping[str, str], rng: Random) -> tuple[str, list[Line]]:
    """A report with exactly the statements ``said``.

    Returns:
        The text, and its sentences with statements, the decisive ones (the impression) last.
    """
    writer = Writer(rng, topics=CT_TOPICS)
    lines = [writer.positive(t, p) for t, p in said.items() if p != ABSENT]
    lines.extend(writer.absents([t for t, p in said.items() if p == ABSENT], by_organ=reader.structured))
    other = " ".join(rng.sample(CT_OTHER, 2))
    if reader.structured:
        parts = []
        for organ, heading in _HEADINGS.items():
            texts = [line.text for line in lines if line.organ == organ]
            if texts:
                parts.append(f"{heading}: {' '.join(texts)}")
        findings = "\n".join([*parts, f"OTHER: {other}"])
    else:
        rng.shuffle(lines)
        findings = f"{' '.join(line.text for line in lines)} {other}"
    text = f"FINDINGS:\n{findings}"
    if reader.impression:
        repeated = [writer.positive(t, p) for t, p in said.items() if p != ABSENT][:3]
        again = [line.text for line in repeated] or ["No acute abnormality in the chest."]
        text += "\n\nIMPRESSION:\n" + "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(again, 1))
        lines.extend(repeated)
    if rng.random() < 0.3:
        text = f"TECHNIQUE: CT of the chest {rng.choice(('with', 'without'))} intravenous contrast.\n\n{text}"
    return text, lines
