"""The help text, by section."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

from radcal.system.kinds import FileKind
from ui.words import say

_DEPARTMENT = frozenset({FileKind.DEPARTMENT})
_OWN = _DEPARTMENT | {FileKind.PERSONAL}
_READING = _DEPARTMENT | {FileKind.REVIEW}
_ALL = frozenset(FileKind)


@dataclass(frozen=True, slots=True)
class Section:
    """One topic.

    key: of the page described, or a name of its own: 'read', 'luck', 'privacy' or 'keys'
    kinds: of the files that it is shown with; see ``FileKind``
    """

    key: str
    title: str
    paragraphs: tuple[str, ...]
    kinds: frozenset[FileKind]


def sections(kind: FileKind) -> tuple[Section, ...]:
    """The sections in order: those about the pages that are offered with a file of this kind."""
    every = (
        _section(
            "read",
            say("How to read a result"),
            say("The sentence comes first: the word, how often CT confirmed it, and what would have been closer."),
            say("In the diagram, each dot is a word: further right it sounds surer, further up CT confirmed it more."),
            say("On the dashed line the two agree. Below it, words were stronger than CT supported; above it, weaker."),
            say("The line through a dot is the range that chance leaves open. A larger dot was used more often."),
            say("Click a dot, or press Enter on a word, to read the reports behind it."),
            kinds=_OWN,
        ),
        _section(
            "home",
            say("Home"),
            say(
                "What came in since last time, what is unread or waiting, and who has enough findings for a sentence."
                " One button leads to the next step. Recent files, the tour and the sample are here, too."
            ),
            kinds=_ALL,
        ),
        _section(
            "reports",
            say("Reports"),
            say(
                "Drop files here: you see what would come of them before anything is stored. RadCal reads each finding"
                " and how sure the report is of it, and pairs X-rays with the CT that follows. The list and the flow"
                " show what was left out, and why."
            ),
        ),
        _section(
            "review",
            say("Review"),
            say(
                "Read some reports yourself, without seeing what RadCal read, to measure how often it errs. What it"
                " was not sure of waits here as unread findings. Others can read in a file of their own, which has no"
                " names or results."
            ),
            kinds=_READING,
        ),
        _section(
            "results",
            say("Results"),
            say(
                "One radiologist and one pathology: the sentence, its cases, the diagram, and advice on each word."
                " Other tabs show all pathologies, whether it holds under other assumptions, and what another wording"
                " would have done. Results describe words, not people."
            ),
            kinds=_OWN,
        ),
        _section(
            "department",
            say("Department"),
            say(
                "Radiologists side by side, by name or number of findings, never from best to worst: with few findings"
                " that would mostly sort luck. Groups, habits and changes over time have tabs of their own. Whoever"
                " differs may see other patients."
            ),
            kinds=_OWN,
        ),
        _section(
            "feedback",
            say("Feedback"),
            say(
                "The pages as each radiologist will read them, to print or save. A personal file opens in RadCal for"
                " one radiologist, with its own passphrase. Try a sentence shows what your results say of a draft,"
                " which is stored nowhere."
            ),
            kinds=_OWN,
        ),
        _section(
            "words",
            say("Words"),
            say(
                "What readers take each certainty word to mean, from published surveys or your own. Unknown words from"
                " the reports wait here for a meaning. Ask colleagues to answer the survey; a few minutes each are"
                " enough."
            ),
        ),
        _section(
            "lab",
            say("Lab"),
            say(
                "Language models that say how sure they are, measured like radiologists. The lab also asks what they"
                " take certainty words to mean. Switch it on in Settings."
            ),
        ),
        _section(
            "settings",
            say("Settings"),
            say(
                "How RadCal looks and how results are made; Undo takes a change back. Backups are made once a day, best"
                " on another disk. The audit log says who did what and when; Verify shows whether it was changed."
            ),
            kinds=_ALL,
        ),
        _section(
            "luck",
            say("How is this worked out?"),
            say(
                "A word\u2019s rate is how often CT confirmed it, with a 95 % interval: the range that would hold the"
                " true rate 95 times in 100. Its meaning is the range that surveyed readers chose for it. It matches,"
                " overstates or understates where at least 95 % of the chance lies on one side; else it is undecided."
            ),
            say(
                "The average error is how far words lie from their meaning. Even a perfect reader has some, because"
                " few cases scatter: compare it with what chance alone gives, the grey band. Advice looks at all words"
                " together, keeps their order, and is checked on findings that it was not made from."
            ),
            say(
                "Only patients with a CT soon after count, and those are often the doubtful ones. CT is not always"
                " right, and reading errs at times. With few findings RadCal says how many would be enough."
            ),
            kinds=_OWN,
        ),
        _section(
            "privacy",
            say("Where the data are"),
            say(
                "Everything is in one encrypted file. Without its passphrase nobody can read or restore it. Nothing"
                " leaves this computer unless you choose a hospital server to read the reports; the foot of the window"
                " then names it."
            ),
            kinds=_ALL,
        ),
        _section(
            "keys",
            say("Keys"),
            say(
                "{help} opens the help on a page, {keys} lists all keys. {find} searches, {undo} takes a change back,"
                " {back} goes back, Tab reaches every control.",
                help=_native(QKeySequence.StandardKey.HelpContents),
                keys=_native("Ctrl+/"),
                find=_native(QKeySequence.StandardKey.Find),
                undo=_native(QKeySequence.StandardKey.Undo),
                back=_native("Esc"),
            ),
            kinds=_ALL,
        ),
    )
    return tuple(s for s in every if kind in s.kinds)


def _section(key: str, title: str, *paragraphs: str, kinds: frozenset[FileKind] = _DEPARTMENT) -> Section:
    return Section(key, title, paragraphs, kinds)


def _native(key: str | QKeySequence.StandardKey) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
