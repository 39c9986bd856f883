"""What Home says of an open department."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radcal.overview import Step
from ui.sentences import topic_name
from ui.words import counted, day, moment, say

if TYPE_CHECKING:
    from ui.pages.home.work import Seen


def came(seen: Seen) -> str:
    """What came in: since the user was last here, or with the latest import."""
    overview = seen.overview
    if overview.latest is None:
        return say("No reports yet.")
    if seen.sample:
        return say("An invented department with {n:,} paired reports.", n=overview.n_paired)
    there = counted(overview.n_paired, "{n} report is paired.", "{n} reports are paired.")
    if overview.n_since:
        new = counted(overview.n_since, "{n} new report", "{n} new reports")
        return say("{new} since you were last here. {there}", new=new, there=there)
    new = counted(overview.n_came, "{n} report", "{n} reports")
    return say("Last import: {new} on {day}. {there}", new=new, day=day(overview.latest.date()), there=there)


def feed(seen: Seen) -> str:
    """What came in by itself, what waits for that, and what could not be read; '' where nothing comes in so."""
    found = seen.overview.feed
    if found is None:
        return ""
    n = counted(found.n_today, "Feed: {n} report today", "Feed: {n} reports today")
    parts = [n if found.latest is None else say("{n}, last on {moment}", n=n, moment=moment(found.latest))]
    if found.n_waiting:
        parts.append(counted(found.n_waiting, "{n} file or message waits", "{n} files or messages wait"))
    if failed := len(found.failed):
        parts.append(counted(failed, "{n} file could not be read", "{n} files could not be read"))
    return f"{'; '.join(parts)}."


def next_step(seen: Seen) -> str:
    """The next step, with its reason."""
    overview = seen.overview
    match seen.step:
        case Step.IMPORT:
            return say("Import X-ray and CT reports to begin.")
        case Step.PAIR:
            return say("No X-ray report has a CT to compare with yet. See why reports were left out.")
        case Step.READ:
            return counted(
                overview.n_to_read, "{n} report has not been read yet.", "{n} reports have not been read yet."
            )
        case Step.REVIEW:
            left = counted(overview.n_left, "Read {n} report yourself", "Read {n} reports yourself")
            return say("{left}, so that results include what the software misread.", left=left)
        case Step.RESULTS:
            first = seen.told[0]
            return say(
                "{author} has the clearest result, for {topic}.", author=first.called, topic=topic_name(first.topic)
            )
        case Step.FEEDBACK:
            n = len(seen.told)
            return counted(n, "{n} radiologist has enough for feedback.", "{n} radiologists have enough for feedback.")
        case _:
            return say("All done here. Import the next reports when they are there.")


def button(step: Step) -> str:
    """The verb of the step."""
    return {
        Step.IMPORT: say("&Import reports"),
        Step.PAIR: say("See &why"),
        Step.READ: say("&Read the reports"),
        Step.REVIEW: say("&Review reports"),
        Step.RESULTS: say("Open the &results"),
        Step.FEEDBACK: say("&Hand out feedback"),
        Step.MORE: say("&Import reports"),
    }[step]


def leads(step: Step) -> tuple[str, dict[str, Any]]:
    """The page of a step, and what to show there."""
    return {
        Step.IMPORT: ("reports", {"tab": "import"}),
        Step.PAIR: ("reports", {"tab": "reports"}),
        Step.READ: ("reports", {"tab": "reading"}),
        Step.REVIEW: ("review", {"tab": "read"}),
        Step.RESULTS: ("results", {"tab": "this"}),
        Step.FEEDBACK: ("feedback", {"tab": "hand out"}),
        Step.MORE: ("reports", {"tab": "import"}),
    }[step]


def waiting(seen: Seen) -> list[tuple[str, str, dict[str, Any]]]:
    """What waits: a line, its page, and what to show there."""
    found = seen.overview
    read = found.n_left if found.n_paired and not seen.sample else 0
    n = found.n_out
    lines: list[tuple[int, str, str, dict[str, Any]]] = [
        (
            found.n_failed,
            counted(found.n_failed, "{n} unreadable report", "{n} unreadable reports"),
            "reports",
            {"failed": True},
        ),
        (
            found.n_unread,
            counted(found.n_unread, "{n} finding to decide", "{n} findings to decide"),
            "review",
            {"tab": "unread"},
        ),
        (
            found.n_unknown,
            counted(found.n_unknown, "{n} unknown word", "{n} unknown words"),
            "words",
            {"tab": "unknown"},
        ),
        (read, counted(read, "{n} report to review", "{n} reports to review"), "review", {"tab": "read"}),
        (
            found.n_contested,
            counted(found.n_contested, "{n} contested finding", "{n} contested findings"),
            "results",
            {"contested": True},
        ),
        (n, counted(n, "{n} personal file is out", "{n} personal files are out"), "feedback", {"tab": "hand out"}),
        (
            seen.n_few,
            counted(seen.n_few, "{n} reader with too few findings", "{n} readers with too few findings"),
            "department",
            {"tab": "radiologists"},
        ),
    ]
    return [(text, stage, where) for n, text, stage, where in lines if n]
