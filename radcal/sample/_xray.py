"""X-ray reports in the style of their authors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from difflib import SequenceMatcher
from functools import partial
from random import Random

from radcal.sample._text import Line, Writer, explanations, mistype
from radcal.sample._words import WRITTEN, Radiologist
from radcal.words.records import ABSENT, PRESENT

_WORDINGS = 40
"""How many reports are written to find the sentence that differs least from the one it takes the place of."""


def write_xray(author: Radiologist, said: Mapping[str, str], rng: Random) -> tuple[str, list[Line]]:
    """A report with exactly the statements ``said``.

    Returns:
        The text, and its sentences with statements, the decisive ones (the impression) last.
    """
    findings, impression = _sections(author, said, rng)
    if author.long:
        findings.extend(Line(text) for text in rng.sample(WRITTEN.devices, 3))
    elif rng.random() < 0.5:
        findings.append(Line(rng.choice(WRITTEN.devices)))

    def styled(line: Line) -> Line:
        if rng.random() < author.typos:
            line = mistype(line, rng)
        text = line.text.removesuffix(".") if author.layout == "lines" else line.text
        return line.changed(text.upper() if author.capitals else text)

    findings, impression = list(map(styled, findings)), list(map(styled, impression))
    text = _laid_out(author, findings, impression, rng)
    return (text.upper() if author.capitals else text), [line for line in (*findings, *impression) if line.said]


def _sections(author: Radiologist, said: Mapping[str, str], rng: Random) -> tuple[list[Line], list[Line]]:
    """Sentences of findings and impression; every statement is in at least one of the sections."""
    writer = Writer(rng, author.terse)
    absent = writer.absents([t for t, p in said.items() if p == ABSENT], by_organ=author.layout == "template")
    raised = explanations(writer, said, rng)
    rng.shuffle(absent)
    plain = [line for line in raised if all(s.phrase == PRESENT for s in line.said)]
    hedged = [line for line in raised if line not in plain]
    if author.layout in ("impression", "paragraph"):
        return [], [*raised, *absent]
    in_findings = [*raised, *absent] if author.interpret != "impression" else [*plain, *absent]
    if author.interpret == "findings":
        impression = plain[:2]
    else:
        repeated = {s.topic: s.phrase for line in hedged for s in line.said}
        # Repeated in other words, or stated for the first time.
        again = explanations(writer, repeated, rng) if author.interpret == "both" else hedged
        impression = [*again, *plain[:1]]
    if not impression:
        impression = [Line("As above." if raised else rng.choice(WRITTEN.nothing))]
    return in_findings, impression


def _laid_out(author: Radiologist, findings: list[Line], impression: list[Line], rng: Random) -> str:
    if author.layout in ("paragraph", "impression"):
        text = " ".join(line.text for line in (*impression, *findings))
        return text if author.layout == "paragraph" else f"IMPRESSION: {text}"
    opening = []
    if author.long or rng.random() < 0.4:
        opening.append(f"INDICATION: {rng.choice(WRITTEN.indications)}")
    if author.long:
        opening.append("TECHNIQUE: Single portable AP view of the chest.\nCOMPARISON: None.")
    first, second = WRITTEN.headings[author.layout]
    between = "\n" if author.layout == "lines" else " "
    if author.layout == "template":
        organs = [_organ(organ, findings) for organ in WRITTEN.ct_headings]
        other = [line.text for line in findings if not line.organ]
        body = "\n".join([first, *filter(None, organs), *([f"Other: {' '.join(other)}"] if other else [])])
    else:
        body = f"{first}\n" + between.join(line.text for line in findings)
    numbered = author.layout == "numbered" and len(impression) > 1
    end = (
        "\n".join(f"{i}. {line.text}" for i, line in enumerate(impression, 1))
        if numbered
        else between.join(line.text for line in impression)
    )
    return "\n\n".join([*opening, body, f"{second}\n{end}"])


def _organ(organ: str, findings: list[Line]) -> str:
    """An organ's line in a structured report, '' without statements."""
    said = [line.text for line in findings if line.organ == organ]
    return f"{organ}: {' '.join(said)}" if said else ""


def other_version(author: Radiologist, said: Mapping[str, str], text: str, lines: Sequence[Line], rng: Random) -> str:
    """A preliminary or uncorrected version of a report: another hedge for one pathology, everything else as it is.

    Args:
        text: of the report, as :func:`write_xray` made it of ``said``, with its ``lines``.
    """
    changed = otherwise(said)
    topics = {t for t in said if changed[t] != said[t]}
    wordings = write_xray(author, changed, rng)[1]
    fork = deepcopy(rng)  # how many wordings are tried changes nothing that follows
    wordings.extend(line for _ in range(_WORDINGS) for line in write_xray(author, changed, fork)[1])
    for line in lines:
        if topics.isdisjoint(stated := {s.topic for s in line.said}):
            continue
        alike = [w.text for w in wordings if {s.topic for s in w.said} == stated]
        if alike:
            text = text.replace(line.text, max(alike, key=partial(_likeness, line.text)))
    return text


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def otherwise(said: Mapping[str, str]) -> dict[str, str]:
    """The statements of a preliminary or uncorrected version of a report."""
    changed = dict(said)
    for topic in [t for t, p in said.items() if p not in (ABSENT, PRESENT)][:1]:
        changed[topic] = "possibly" if said[topic] != "possibly" else "likely"
    return changed
