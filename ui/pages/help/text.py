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

    key: of the stage described, or a name of its own
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
            "diagram",
            say("The diagram"),
            say(
                "From left to right: how certain readers take the words to be, as surveys of radiologists"
                " measured it. From bottom to top: how often CT confirmed what was said. On the dashed line the"
                " two agree. Below it, words were stronger than CT supported; above it, weaker. Each dot is a"
                " word with its 95 % interval, larger where it was said more often. The orange line is all hedged"
                " words together, drawn only where they lie; the strip at the foot shows where that is."
            ),
            say(
                "The line has one band at a time, chosen above the diagram: the interval that holds the whole true "
                "line 95 times in 100, or what luck alone gives. The third choice is the line that keeps the order of "
                "the words; where it is level, CT did not tell the words apart, or not in their order."
            ),
            say(
                "Click a point, or press Enter on a phrase in the table, to read the sentences behind it with what"
                " the CT said. From there, Enter opens both whole reports; a personal file holds their sentences alone."
            ),
            kinds=_OWN,
        ),
        _section(
            "luck",
            say("Where luck comes in"),
            say(
                "The word error is the average distance of the dots from agreement, over all that was hedged. It is"
                " hardly ever 0: even a reader whose words hold perfectly meets lucky and unlucky cases, the more so"
                " the fewer there are. The grey band, and \u201cwould show 0.06, up to 0.09\u201d, say what such"
                " a reader would get from the same words. Only what lies clearly outside says something about"
                " the words."
            ),
            say(
                "Plain \u201cpresent\u201d and \u201cabsent\u201d leave luck no room, so a single finding that CT did "
                "not confirm would count against anyone. They are judged by their confirmed rate in the table."
            ),
            kinds=_OWN,
        ),
        _section(
            "limits",
            say("What it cannot tell"),
            say(
                "Only patients who had a CT soon after are counted, and those are often the doubtful ones. CT is not "
                "always right. Findings are read from the text by a program that errs at times: click a phrase and "
                "read the sentences. The results describe words, not readers."
            ),
            say(
                "\u201cNot enough data\u201d is an ordinary state: a rate from few findings says little, whatever it "
                "is. What would be enough stands beside it."
            ),
            kinds=_OWN,
        ),
        _section(
            "import",
            say("Import"),
            say(
                "Drop files with X-ray and CT reports on the page. It shows what would come of them before"
                " anything is stored, and afterwards each step at which reports dropped out, with the reason."
            ),
            say(
                "An X-ray report and the nearest CT report of the same patient that follows it within the time set"
                " in Settings make a pair. Only pairs count."
            ),
        ),
        _section(
            "extraction",
            say("Extraction"),
            say(
                "A program reads which findings a report states and how certain it says they are: rules that can"
                " be looked at, or a language model, on this computer or at a server of your hospital. Reports that it"
                " could not read are listed, never guessed."
            ),
            say(
                "A server is off unless you choose it under Extraction and confirm that texts of reports may be sent"
                " there. While it is on, the foot of the window names it on every page; a click there leads to the"
                " button that switches it off."
            ),
        ),
        _section(
            "review",
            say("Review"),
            say(
                "Read some reports yourself to learn how often the program errs. Reports drawn at random measure"
                " its precision and recall; those drawn worst first only show where it errs."
            ),
            say(
                "A reader who has no access to the workspace gets the reports as a review file: without accession"
                " numbers, patients, authors or results, under a passphrase of its own. RadCal keeps the answers in"
                " that file; it goes back as it is, and its answers are merged under More."
            ),
            kinds=_READING,
        ),
        _section(
            "words",
            say("Words"),
            say(
                "What each phrase is taken to mean, as a range and as a curve, and which wordings stand for it."
                " The meanings come from published surveys of radiologists until a survey of your own readers"
                " takes their place."
            ),
        ),
        _section(
            "advice",
            say("Advice"),
            say(
                "Advice says which words would have been closer to what CT found, and how sure that is. A word gets"
                " advice if it was used often enough and another word is nearer to how often CT confirmed it, with a"
                " probability of 95 % or more; how often and how sure are settings. All words are looked at together"
                " and keep their order. A word may match its meaning and another still be closer."
            ),
            say(
                "A word that is not shown to match and gets no advice is named with the reason. Below stands how the"
                " advice held where it was tried: on halves of the findings that it was not made from. Sliders try"
                " other settings; nothing holds for others before they are used for all."
            ),
            say(
                "\u201cWhat if\u201d works out what any other use of words would have come to on the same"
                " findings. It cannot know how patients of tomorrow differ from those of yesterday."
            ),
            kinds=_OWN,
        ),
        _section(
            "compare",
            say("Compare"),
            say(
                "Radiologists are ordered by pseudonym or by number of findings, never by their values: with few "
                "findings each, a list from best to worst would mostly sort luck."
            ),
            say(
                "Side by side, each value has its interval. A radiologist lies apart if a word is confirmed at least 5"
                " points more or less often than with all others, with a probability of 95 % or more; \u201cWho lies"
                " apart\u201d lists all such words. Whoever is not listed may still differ: few findings hide"
                " differences. Whoever lies apart may see other patients."
            ),
            say(
                "Over time, the difference between before and after feedback is shown with its interval. Whoever "
                "stood out by chance moves back towards the mean without any feedback."
            ),
        ),
        _section(
            "habits",
            say("Habits"),
            say(
                "The share of reports with a hedge, with a standard word, and with a recommendation, which many "
                "departments count already. Whether a hedge or a recommendation was right, they do not say: more or "
                "less often is no worse or better."
            ),
            say(
                "Hedges and standard words are counted in the reports of pairs, recommendations in all that were "
                "imported. Recommendations in words that nobody foresaw are missed."
            ),
            kinds=_OWN,
        ),
        _section(
            "feedback",
            say("Feedback"),
            say(
                "The pages as the radiologist will read them. What is ticked goes in. Pages can be saved as PDF"
                " and printed; neither is encrypted, so hand them over like any personal document."
            ),
            say(
                "A personal file opens in RadCal for one radiologist. It is encrypted with a passphrase of its"
                " own and holds that radiologist\u2019s results and nothing of anybody else."
            ),
            kinds=_OWN,
        ),
        _section(
            "try",
            say("Try a sentence"),
            say(
                "Paste or type a draft, and see beside each certainty word what the radiologist\u2019s own results "
                "say about it. The draft is stored nowhere and is gone when you leave the page."
            ),
            kinds=_OWN,
        ),
        _section(
            "models",
            say("Models"),
            say(
                "A language model that says how sure it is of its answers is measured like a radiologist: the file"
                " says how sure it was, in words or in numbers, and whether it was right."
            ),
            say(
                "Ask a model puts questions of your own to a model on this computer and has it say how sure it is, in"
                " up to six ways. Where RadCal decided wrongly whether an answer is correct, tick or clear it."
            ),
            say(
                "Meaning of words asks a model on this computer, or reads from a file, what \u201clikely\u201d and"
                " other words are taken to mean, and lays it beside what radiologists mean."
            ),
        ),
        _section(
            "settings",
            say("Settings"),
            say(
                "Every setting is shown with its bounds, its default and what it does. Changes take effect once they "
                "are applied, which makes the results again; Undo takes them back."
            ),
            say(
                "Once a day RadCal backs up the open workspace, beside it or into a folder that you choose here; on"
                " another disk it also outlives the loss of this one. To go back to a backup, choose it under"
                " Backups on the first page, or under Restore a backup here. The present file is kept."
            ),
        ),
        _section(
            "audit",
            say("Audit log"),
            say(
                "Opened from Settings: who did what, and when, in counts and under pseudonyms. Verify says whether it"
                " is still what was entered: by the chain of its entries, and by the backups that know how it was."
                " Compare with backups asks those that are kept elsewhere."
            ),
            say(
                "The newest entries, which nothing outside knows yet, could have been rewritten or removed by whoever"
                " has the passphrase; Verify says from which one on. A backup vouches for them."
            ),
            kinds=_DEPARTMENT,
        ),
        _section(
            "privacy",
            say("Where the data are"),
            say(
                "Everything is in one encrypted file that opens with its passphrase. Without the passphrase nobody can"
                " read the file, and nobody can restore it."
            ),
            say(
                "Nothing leaves this computer, unless a department lets a server of its hospital read its reports: then"
                " their texts go to that server, which the foot of the window names for as long as this is on. RadCal"
                " has no other connection to anything."
            ),
            kinds=_ALL,
        ),
        _section(
            "keys",
            say("Keys"),
            say(
                "{help} opens this help at the page on show, {keys} lists all keys. {find} searches in a table,"
                " {undo} takes a change back, {back} goes back. Every control can be reached with Tab.",
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
