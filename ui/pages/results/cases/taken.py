"""Contests that came back from personal files, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ui.pages.results.cases.work import Unread
from ui.sentences import topic_name
from ui.words import counted, report_name, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.hand_outs import Returned


def taken_text(files: Sequence[Returned | Unread], called: Callable[[str], str]) -> str:
    """What the files brought; '' if none could be read."""
    return " ".join(part for one in files if not isinstance(one, Unread) for part in _parts(one, called))


def _parts(one: Returned, called: Callable[[str], str]) -> list[str]:
    said = [
        say(
            "Contests of {author} from {file}: {added} new, {withdrawn} withdrawn, {known} known before.",
            file=one.file,
            author=called(one.hand_out.person),
            added=whole(one.new),
            withdrawn=whole(one.turned),
            known=whole(one.known),
        )
    ]
    if one.agreed:
        said.append(counted(one.agreed, "{n} finding is agreed with.", "{n} findings are agreed with."))
    if one.goal:
        said.append(say("A goal was set."))
    return said


def not_taken_text(files: Sequence[Returned | Unread]) -> str:
    """Files and contests that were not taken in, and why; '' if there are none."""
    said: list[str] = []
    for one in files:
        if isinstance(one, Unread):
            said.append(typographic(one.reason))
            continue
        said += [
            say(
                "{file}: {topic} in report {report}: {reason}",
                file=one.file,
                topic=topic_name(refused.topic),
                report=report_name(refused.report),
                reason=typographic(refused.reason),
            )
            if refused.report
            else say("{file}: goal: {reason}", file=one.file, reason=typographic(refused.reason))
            for refused in one.refused
        ]
    return " ".join(said)
