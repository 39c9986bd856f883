"""What is said of models' answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.system.quoting import is_wording
from ui.words import counted, decimal, listed, percent, quoted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.advice.records import Method
    from radcal.lab.recalibrating import SetSize
    from radcal.lab.speakers import Speaker, Speakers

_FIRST = 5
"""Most unknown words that are named."""
_AS_WELL = 0.002
"""A Brier score that is worse by no more is as good."""


def score_name(score: str) -> str:
    """One of the scores."""
    return {"ece": say("ECE"), "brier": say("Brier score"), "accuracy": say("accuracy")}[score]


def method_tip(method: Method) -> str:
    """What a method does."""
    return {
        "none": say("on the same answers, before anything is changed"),
        "advice": say("the words changed as a radiologist would be advised: only where it is surely better"),
        "ordered": say("every word or number replaced by the closest one, in order"),
        "transport": say("the published optimal transport of words"),
        "platt": say("Platt scaling of its certainty, to numbers"),
        "histogram": say("histogram binning of its certainty, to numbers"),
    }[method]


def overview(made: Speakers) -> str:
    """All models in a sentence or two."""
    speakers = made.speakers
    n = sum(s.n for s in speakers)
    stated, right = (sum(s.n * v for s, v in zip(speakers, values, strict=True)) / n for values in _averages(made))
    first = say(
        "{models}, {sets}, {answers}: they say that they are sure of {stated}, and are right in {right}.",
        models=counted(len({s.author for s in speakers}), "{n} model", "{n} models"),
        sets=counted(len({s.topic for s in speakers}), "{n} question set", "{n} question sets"),
        answers=counted(n, "{n} answer", "{n} answers"),
        stated=percent(stated),
        right=percent(right),
    )
    enough = [s.recalibrated for s in speakers if s.recalibrated is not None]
    if not enough:
        return first + " " + say("That is too few to recalibrate anything.")

    def mean(method: Method) -> str:
        values = [m.methods[method].ece.value for m in enough if method in m.methods]
        return decimal(sum(values) / len(values)) if values else "\u2013"

    return f"{first} " + say(
        "On answers that were not used to work it out, the ordered plan brings the ECE from {before} to {ordered}, the"
        " published transport to {transport}, Platt scaling to {platt} and histogram binning to {binning}, on average.",
        before=mean("none"),
        ordered=mean("ordered"),
        transport=mean("transport"),
        platt=mean("platt"),
        binning=mean("histogram"),
    )


def _averages(made: Speakers) -> tuple[list[float], list[float]]:
    return [s.stated for s in made.speakers], [s.right for s in made.speakers]


def about(speaker: Speaker) -> str:
    """One model on one question set, and how many words would do."""
    text = say(
        "{model} on {topic}: it says {stated} on average and is right in {right} of {n} answers.",
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
        unknown = counted(n, "{n} answer says words in no list.", "{n} answers say words in no list.")
        parts.append(unknown)
        if words := [quoted(words) for words in made.unknown if is_wording(words)][:_FIRST]:
            parts.append(say("The first: {words}.", words=listed(words)))
        parts.append(say("Add them on the page Words, as a phrase or a synonym, and open the answers again."))
    if n := made.abstained:
        parts.append(counted(n, "{n} abstention was left out.", "{n} abstentions were left out."))
    parts += [
        say("The numbers of {model} are read as percentages, because most of them are above 1.", model=m)
        for m in made.percent
    ]
    return " ".join(parts)
