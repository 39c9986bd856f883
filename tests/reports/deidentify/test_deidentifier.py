"""Identifiers leave the text, clinical words stay, and positions are mapped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.rules.engine import rules_engine
from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.identifiers import Deidentified, Edit, Known
from radcal.reports.sections import document
from radcal.system.progress import SILENT
from tests.cases import cases_of

cases = cases_of(__file__)

NOBODY = Known()
Plain = Callable[..., str]


@cases("identifiers_are_replaced")
def test_identifiers_are_replaced(plain: Plain, text: str, expected: str) -> None:
    assert plain(text) == expected


NAMES = (
    "Tilda Brommer", "BROMMER, TILDA", "Brommer, Tilda J.", "T. Brommer", "tilda brommer", "Rich Stone", "STONE, Rich",
    "Brommer", "Ng", "de la Fuente", "Weiß, Rosa", "van der Moor", "Anne-Marie O'Dell", "Will Short",
)  # fmt: skip
PIECES = (
    "{}", "Dr. {}", "Frau Dr. med. {}", "Mr {}", "{}, MD", "{} RT(R)", "{}, PGY-3", "Attending: {}", "Signed by {}",
    "OA Dr. {}", "called to RN {} in the ED", "discussed with {} and {}", "{} was notified", "{}, 45M", "Frau Mag. {}",
    "{} is a 94-year-old woman", "her husband, {}, agrees", "Pat. {}, geb. 3.4.1950", "by {}, 2/12", "cc: {}; {}",
    "Regards,\n{}", "{}/mt", "{}, 3/4/2021", "MRN 4412345", "Tel. 030 1234567", "Ward 7B", "3. März 2021", "5/6/24",
    "No effusion", "Kein Erguss", "Hampton hump", "PE is not excluded", "CT ANGIO", "Findings", "Mag.", "III",
    "Q3/2022",
)  # fmt: skip
JOINTS = (" ", ". ", "\n", "\n\n", ", ", ": ", "; ", " - ", " (", ") ")
BEFORE = "The lungs are clear and there is no pleural effusion. The heart is of normal size.\n"
DEIDENTIFY = Deidentifier(b"a secret")
REPORT = """PATIENT NAME: Nwosu, Adaeze K   MRN: 4412345   DOB: 03/05/1951
Referring physician: Dr. T. Yıldırım
COMPARISON: Chest radiograph of 5 March 2024.
FINDINGS: Small left pleural effusion. No pneumothorax. Findings discussed with Dr. Szczepański at 14:32.
There may be pneumonia at the right base.
Krzysztof Wiśniewski was informed. Heart is mildly enlarged.
IMPRESSION: 1. Small left effusion.
2. Possible pneumonia.
Signed by: Oyelaran Bamidele, MD
JS/mt"""


def test_findings_are_the_same_at_the_mapped_places(deidentify: Deidentifier) -> None:
    done = deidentify(REPORT, NOBODY, "p")
    for name in ("Nwosu", "Adaeze", "Yıldırım", "Szczepański", "Wiśniewski", "Oyelaran", "JS"):
        assert name not in done.text
    before, after = (
        next(e.findings for e in rules_engine().extract([document("r", t)], SILENT)) for t in (REPORT, done.text)
    )
    assert len(before) > 4
    assert [(f.pathology, f.phrase, done.forward(f.term_start), done.forward(f.term_end)) for f in before] == [
        (f.pathology, f.phrase, f.term_start, f.term_end) for f in after
    ]


def test_a_long_figure_that_stays_is_a_suspect(deidentify: Deidentifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radcal.reports.deidentify.tagging.enough", lambda *_: 1.1)  # nothing is taken
    done = deidentify("The exam was later seen beside 71234 in the archive.", NOBODY, "p")
    assert [(done.text[s.start : s.end], s.kind) for s in done.suspects if s.kind == "number"] == [("71234", "number")]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_positions_are_mapped_both_ways(data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, 40), max_size=8)))
    edits = tuple(
        Edit(a, b, "x" * data.draw(st.integers(0, 12)), "name") for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    )
    raw = "".join(chr(97 + n % 26) for n in range(41))
    text, at = "", 0
    for edit in edits:
        text, at = text + raw[at : edit.start] + edit.replacement, edit.end
    done = Deidentified(text + raw[at:], edits)
    forward = [done.forward(n) for n in range(len(raw) + 1)]
    back = [done.back(n) for n in range(len(done.text) + 1)]
    assert forward == sorted(forward)
    assert back == sorted(back)
    for n in range(len(raw)):
        if not any(e.start <= n < e.end for e in edits):
            assert done.text[forward[n]] == raw[n]
            assert back[forward[n]] == n


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_is_taken(text: str) -> None:
    done = Deidentifier(b"x")(text, NOBODY, "p")
    rebuilt, at = "", 0
    for edit in done.edits:
        assert edit.start >= at
        rebuilt, at = rebuilt + text[at : edit.start] + edit.replacement, edit.end
    assert rebuilt + text[at:] == done.text
    assert all(0 <= s.start < s.end <= len(done.text) for s in done.suspects)


@st.composite
def texts(draw: st.DrawFn) -> str:
    parts = [BEFORE]
    for _ in range(draw(st.integers(1, 6))):
        piece = draw(st.sampled_from(PIECES))
        for _ in range(piece.count("{}")):
            piece = piece.replace("{}", draw(st.sampled_from(NAMES)), 1)
        parts += [piece, draw(st.sampled_from(JOINTS))]
    parts.append(BEFORE)
    return "".join(parts)


@pytest.mark.slow
@given(texts())
@settings(max_examples=600, deadline=None, derandomize=True)
def test_a_second_pass_changes_nothing(text: str) -> None:
    once = DEIDENTIFY(text, Known(), "p").text
    assert DEIDENTIFY(once, Known(), "p").text == once
