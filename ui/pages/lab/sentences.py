"""What is said of models' answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.system.quoting import is_wording
from ui.words import counted, listed, percent, quoted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.lab.recalibrating import SetSize
    from radcal.lab.speakers import Speaker, Speakers

_FIRST = 5
"""Most unknown words that are named."""
_AS_WELL = 0.002
"""A Brier score that is worse by no more is as good."""


def formats() -> str:
    """What files of answers hold."""
    return say(
        "One answer a line, as JSON: confidence (a phrase, a number or a Beta distribution) and correct, and if known"
        " author and topic. Tables (CSV) with these columns are read, too."
    )


def overview(made: Speakers) -> str:
    """All models in a sentence."""
    speakers = made.speakers
    n = sum(s.n for s in speakers)
    return say(
        "{models} gave {answers}: they say they are {stated} sure and are right in {right}.",
        models=counted(len({s.author for s in speakers}), "{n} model", "{n} models"),
        answers=counted(n, "{n} answer", "{n} answers"),
        stated=percent(sum(s.n * s.stated for s in speakers) / n),
        right=percent(sum(s.n * s.right for s in speakers) / n),
    )


def about(speaker: Speaker) -> str:
    """One model on one question set, and how many words would do."""
    text = say(
        "{model} on {topic}: says {stated} on average, right in {right} of {n} answers.",
        model=speaker.author,
        topic=speaker.topic,
        stated=percent(speaker.stated),
        right=percent(speaker.right),
        n=whole(speaker.n),
    )
    if speaker.recalibrated is None:
        return text
    best = [s for s in speaker.recalibrated.sizes if s.choice == "best"]
    enough = _enough(best)
    if enough is None:
        return text
    return f"{text} " + say(
        "With words of your list alone, {n} do as well as all {total}: {words}.",
        n=whole(len(enough.words)),
        total=whole(len(best[-1].words)),
        words=listed([quoted(w) for w in enough.words]),
    )


def _enough(best: list[SetSize]) -> SetSize | None:
    """The smallest set that does as well as all words."""
    if not best:
        return None
    least = best[-1].scores.brier.value + _AS_WELL
    return next((s for s in best if s.scores.brier.value <= least), None)


def left_out(made: Speakers) -> str:
    """What of the files could not be used; '' if all could."""
    parts = []
    if made.rejected:
        first = made.rejected[0]
        rows = counted(len(made.rejected), "{n} row was left out", "{n} rows were left out")
        parts.append(
            say(
                "{rows}; the first is row {row} of {file}: {reason} {remedy}",
                rows=rows,
                row=str(first["row"]),
                file=str(first["file"]),
                reason=typographic(str(first["reason"])),
                remedy=typographic(str(first["remedy"])),
            )
        )
    if n := sum(made.unknown.values()):
        words = [quoted(words) for words in made.unknown if is_wording(words)][:_FIRST]
        parts.append(
            say(
                "{n} answer says words in no list{first}; add them under Words and open the answers again.",
                many="{n} answers say words in no list{first}; add them under Words and open the answers again.",
                n=n,
                first=f" ({listed(words)})" if words else "",
            )
        )
    if n := made.abstained:
        parts.append(counted(n, "{n} abstention was left out.", "{n} abstentions were left out."))
    if made.percent:
        parts.append(say("Numbers above 1 are read as percentages: {models}.", models=listed(list(made.percent))))
    return " ".join(parts)
