"""Names of people in a text: known ones, and others by what stands around them and by how they are written.

A cue, such as a title, the label of a field or "discussed with", opens a place for names (:mod:`cues`,
:mod:`before`).  What may be a
name there and where it ends, says the grammar (:mod:`runs`); whether it is one, depends on its words and on how much
the cue is trusted (:mod:`judging`).  What single words may be, say the lists (:mod:`words`).
"""

from __future__ import annotations

import re

from radcal.ingest.deidentify.bare import Bare
from radcal.ingest.deidentify.before import Before
from radcal.ingest.deidentify.cues import Cues
from radcal.ingest.deidentify.endings import take_endings
from radcal.ingest.deidentify.initials import take_initials
from radcal.ingest.deidentify.judging import Judge
from radcal.ingest.deidentify.lower_case import take_lower
from radcal.ingest.deidentify.margins import take_margins
from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.runs import Runs
from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.taken import Taken

_KEPT = re.compile(
    r"Sister (?:Mary )?Joseph(?:'s)? (?:nod|sign|metasta)|[Kk]not of Henry|[Aa]nnulus of Zinn|[Ss]phincter of Oddi"
    r"|[^\W\d_]+['’]sche[nrsm]?(?: [^\W\d_]+)?|\b[IVX]{1,4}[a-c]\b"
)
"""Names within terms that no list of single words can keep, and Roman figures such as IVa, which look like one."""


def find_names(claims: Claims, german: bool, known: list[tuple[int, int]]) -> list[tuple[int, int, float]]:
    """Claim all names.

    Args:
        claims: of the text; what others claimed is settled.
        german: whether the text is German.
        known: spans of known names, in characters.

    Returns:
        spans of words that were left though they may be names, with how suspicious they are.
    """
    for m in _KEPT.finditer(claims.text):
        claims.keep(m.start(), m.end())
    t = Reading(claims.text, german)
    taken = Taken(claims, t)
    for start, end in known:
        n = t.at(start)
        if n and t.ends[n - 1] > start:
            n -= 1
        taken.known(n, max(n + 1, t.at(end)))
    runs = Runs(t)
    judge = Judge(runs)
    bare = Bare(runs, judge, taken)
    Cues(runs, judge, taken).find()
    Before(runs, judge, taken).find()
    take_initials(t, taken)
    take_lower(t, taken)
    take_endings(t, taken)
    bare.lines()
    bare.runs_of_names()
    take_margins(t, taken)
    taken.again()
    bare.find()
    taken.again()
    bare.rest()
    return taken.claim()
