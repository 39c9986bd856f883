"""What the page says beside the record of what is said: why there is no curve, what changed, the head."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from radcal.system.text import Text
from ui.language import spoken
from ui.sentences import engine_name, topic_name, verdict_text
from ui.words import counted, listed, percent, percent_range, quoted, say, typographic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.advice.judged_records import JudgedWord
    from radcal.calibration.records import Reliability
    from radcal.system.selection import Group, Selection
    from ui.records import Opened

_LISTED = 4


def title(group: Group | Selection, opened: Opened) -> str:
    """Whose words are shown, on what: 'Avery, edema'; the pathology alone where there is one radiologist."""
    from radcal.calibration.records import ALL_AUTHORS
    from radcal.system.text import begun

    topic = topic_name(group.topic)
    if opened.personal:
        return begun(topic)
    author = say("All radiologists") if group.author == ALL_AUTHORS else opened.called(group.author)
    return say("{author}, {topic}", author=author, topic=topic)


def read_right(accuracy: str) -> str:
    """How well the reports are read, from the measured accuracy: 'read 97 % right (95-98)'; '' if not measured."""
    figures = _figures(Text(accuracy).values)
    if figures is None:
        return ""
    right, low, high = figures
    return say("read {share} right ({range})", share=percent(right), range=percent_range(low, high))


def _figures(values: Mapping[str, object]) -> tuple[float, float, float] | None:
    """The accuracy and its interval among the values of a text and of the texts in it."""
    found = [
        value for key in ("f1", "low", "high") if isinstance(value := values.get(key, values.get(f"f1_{key}")), float)
    ]
    if len(found) == 3:
        return found[0], found[1], found[2]
    inner = (_figures(value.values) for value in values.values() if isinstance(value, Text))
    return next(filter(None, inner), None)


def read_by(opened: Opened) -> str:
    """What read the reports, and how well, with all its figures."""
    engine = engine_name(opened.engine)
    if not opened.engine_accuracy:
        return say("Read by {engine}.", engine=engine)
    return say("Read by {engine}: {accuracy}.", engine=engine, accuracy=typographic(opened.engine_accuracy).rstrip("."))


def not_enough(r: Reliability, min_group_n: int) -> str:
    """Why there is no curve, and how many findings suffice."""
    if r.n < min_group_n:
        found = counted(r.n, "{n} finding", "{n} findings")
        return say("{found}; a curve needs {min}.", found=found, min=min_group_n)
    return typographic(r.reason)


def changed_verdicts(before: Mapping[str, str], after: Sequence[JudgedWord]) -> str:
    """The words of another verdict than before, each with both; that there are none."""
    words = [
        verdict_change(j.name, was, j.verdict, against=j.against)
        for j in after
        if (was := before.get(j.name, j.verdict)) != j.verdict
    ]
    if not words:
        return say("No verdict changes.")
    return say("The verdict changes on {words}.", words=listed(words, _LISTED))


def verdict_change(word: str, before: str, after: str, *, against: bool = False) -> str:
    """'"likely" (overstated, then undecided)'; '' is the verdict of a word that was not said."""
    said = (verdict_text(verdict, against=against) if verdict else say("not said") for verdict in (before, after))
    return say("{word} ({before}, then {after})", word=quoted(word), before=next(said), after=next(said))


def not_mentioned(opened: Opened, group: Group) -> str:
    """What the author's X-ray reports did not mention; '' if nothing."""
    n = opened.not_mentioned.get(group, 0)
    if not n:
        return ""
    return say(
        "Once CT found {topic} that the X-ray report did not mention.",
        many="{n:,} times CT found {topic} that the X-ray report did not mention.",
        n=n,
        topic=topic_name(group.topic),
    )


def points(share: float, low: float | None, high: float | None) -> str:
    """A distance of shares in percentage points: '12 points (1-18)'."""
    of = spoken().number(round(100 * share), 0)
    if low is None or high is None:
        return say("{n} points", n=of)
    return say("{n} points ({low}\u2013{high})", n=of, low=round(100 * low), high=round(100 * high))
