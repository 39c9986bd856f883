"""Growth of the time to read a report with its length, for patterns repeated to the length of a book.

    python benchmarks/bench_hostile.py

Each pattern is read at a length and at four times that length, which takes four times as long if the time is linear.
Patterns that take more than eight times as long, or longer than a second, are listed, with exit status 1.
"""

# ruff: noqa: E501 - tables of patterns, read across
from __future__ import annotations

import itertools
import signal
import sys
from collections.abc import Iterator
from time import process_time

from radcal.findings.rules.engine import rules_engine
from radcal.reports.sections import document
from radcal.system.progress import SILENT

SHORT, GROWTH = 10_000, 4
"""Characters of the shorter text, and the factor to the longer one."""
MOST, LONG_S, TOO_LONG_S, NOTICED_S = 2 * GROWTH, 1.0, 20, 0.1
ALONE = (
    *("a", "A", " ", "\n", "\t", "\r", "\r\n", "\n\n", "\n \n", ".", ",", ":", ";", "?", "!", "-", "--", "_", "*", "#", "=", ">"),
    *("(", ")", "()", "[", "]", "{", "}", '"', "'", "/", "\\", "|", "&", "&&", "+", "<", "<b>", "$", "%", "@", "~", "^"),
    *("0", "1", "12", "1 ", "1.", "1. ", "1.1", "1,", "(1) ", "1) ", "#1 ", "1:", "- ", "* ", "\u2022 ", "\u2013", "\u2014", " - "),
    *("\u0301", "e\u0301", "\u200b", "\u202e", "\u00a0", "\u2009", "\u2028", "\ufeff", "\x00", "\x1b[0m", "\U0001f600", "\u00df", "\u0130"),
    *("a ", "a\n", "A\n", "a.", "A.", "a. ", "A. ", "Ab. ", "Abcd. ", "Dr. ", "e.g. ", "a.b", "J.R. ", "...", "... ", "?? "),
    *("no ", "not ", "no evidence of ", "without ", "and ", "or ", "and/or ", ", and ", ", or ", "versus ", "vs. ", "with "),
    *("likely ", "may ", "may represent ", "cannot be excluded ", "possible ", "probably ", "less likely ", "unlikely "),
    *("suspicion for ", "suspicion ", "likelihood of ", "concern for ", "whether ", "neither ", "nor ", "is ", "is not "),
    *("not well ", "not visible on ", "visible on ", "known ", "one ", "former ", "latter ", "other than ", "except for "),
    *("to the ", "next to ", "in the ", "distal to ", "in the setting of ", "of the ", "the ", "the left ", "left ", "right "),
    *("pneumonia ", "edema, ", "effusion ", "opacity ", "nodule ", "consolidation ", "pneumothorax. ", "heart ", "lungs "),
    *("clear ", "normal ", "lungs are clear ", "clear lungs ", "normal heart size ", "enlarged heart ", "None. ", "XXXX "),
    *("IMPRESSION:", "IMPRESSION: ", "IMPRESSION\n", "FINDINGS:\n", "COMPARISON: ", "COMPARISON: None.\n", "INDICATION: "),
    *("TECHNIQUE: a\n", "HISTORY", "HISTORY ", "LUNGS:", "Lungs: ", "heart: ", "heart: no effusion\n", "a: ", "A: ", ":a"),
    *("signed by ", "I, ", "i, the ", "i the attending ", "electronically signed ", "end of report ", "reviewed ", "chest "),
    *("portable ", "chest xr ", "exam ", "2/3/20 ", "- pneumonia ", "- pneumonia\n", "-pneumonia", "? pneumonia ", "?pneumonia\n"),
    *("1. No edema ", "1. No edema 2. ", "No edema. ", "No edema\n", "no edema\n", "no edema and\n", "edema,\n", "edema of.\n"),
    *("pneumonia or edema ", "pneumonia, edema, or ", "pneumonia vs ", "edema and effusion ", "opacity likely edema ", "of "),
    *("change in ", "no change ", "no change in the ", "unchanged ", "increased ", "resolution of ", "low ", "are the ", "ha "),
    *("Ab.Ab.", "? A", "! No ", "... ", ". , ", "(((1. ", "HISTORY: a\n", "\n \n", "ly", "exam", "ctpa", "i md dr. ", "1.2.", "- - "),
    *("no small ", "was not seen ", "lymph node ", "in pathological size ", "whether the ", "whether the nodule is new "),
    *("effusion in the pericardial space ", "in the liver, ", "effusion-mass ", "no nodule was seen ", "nor ", "fails to "),
    *("no effusion, ", "effusion not seen ", "versus ", "[x] yes [ ] no ", "no lad ", "at elect ", "scratch that "),
    *("none of the ", "none ", "none on the left ", "can be excluded ", "neither edema ", "possibly mildly ", "mildly "),
)  # fmt: skip
PAIRED = (
    *("no ", "likely ", "may represent ", "cannot be excluded ", "is uncertain ", "suspicion for ", "whether ", "or ", "and "),
    *(", ", ". ", ": ", "; ", "\n", " - ", "(", "? ", "with ", "versus ", "pneumonia ", "effusion ", "opacity ", "lungs "),
    *("clear ", "normal ", "the ", "left ", "IMPRESSION: ", "COMPARISON: ", "Lungs: ", "1. ", "XXXX ", "one ", "latter "),
    *("unchanged ", "is ", "a ", "A ", "0", "has grown ", "none of the ", "of ", "signed ",
      "was seen ", "lymph nodes ", "pathological "),
)  # fmt: skip

_ENGINE = rules_engine()


def patterns() -> Iterator[str]:
    """The repeated patterns, alone and in pairs."""
    yield from dict.fromkeys((*ALONE, *(a + b for a, b in itertools.permutations(PAIRED, 2))))


def seconds(text: str) -> tuple[float, float]:
    """Processor time to split a report into sentences, and to read it."""
    _ENGINE.forget()
    begun = process_time()
    cut = document("r", text)
    between = process_time()
    list(_ENGINE.extract([cut], SILENT))  # one in other letters is refused
    return between - begun, process_time() - between


def texts(pattern: str, length: int) -> Iterator[str]:
    """The pattern repeated to a length, alone and with text before and after it."""
    body = pattern * (length // len(pattern))
    yield body
    yield f"HISTORY: a\nSigned by b\nOpacity {body}pneumonia is not excluded"


def main() -> int:
    """Print the slow patterns; returns the exit status."""

    def too_long(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, too_long)
    slow = 0
    every = list(patterns())
    for pattern in every:
        for short, long in zip(texts(pattern, SHORT), texts(pattern, GROWTH * SHORT), strict=True):
            signal.setitimer(signal.ITIMER_PROF, TOO_LONG_S)
            try:
                before, after = seconds(short), seconds(long)
            except TimeoutError:
                before, after = (0.0, 0.0), (float("inf"), float("inf"))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            for stage, a, b in zip(("cut", "read"), before, after, strict=True):
                if b > LONG_S or (b > NOTICED_S and b > MOST * a):
                    slow += 1
                    print(f"{short[:40]!r:46} {stage:5} {a:8.3f} s, {GROWTH} times as long {b:8.3f} s", flush=True)
    print(f"{len(every)} patterns, {slow} too slow")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
