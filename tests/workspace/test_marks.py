"""Marks of texts: counted once, gone with what they were counted in, and summed up as pandas sums them up."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radcal.findings.marking import save_text_marks
from radcal.findings.records import Advised, Recommendation
from radcal.findings.storage import save_extractions
from radcal.reports.storage import save_import
from radcal.workspace.store import Workspace

CT = Recommendation(Advised.IMAGING, "ct", (90, 90), 0, 5)
CORRELATE = Recommendation(Advised.CORRELATION, "", None, 0, 5)


def is_likely(phrase: str, _verbatim: str) -> bool:
    return phrase == "likely"


@pytest.fixture
def filled(ws: Workspace, make) -> Workspace:
    save_import(ws, make.imp({f"xray:{i}": f"Text {i % 4}." for i in range(6)}))
    return ws


def mark(ws: Workspace, key: str, found: dict[int, list[Recommendation] | None]) -> int:
    marker = ws.marker(key)
    texts = ws.unmarked_texts(marker, 0, 100)
    save_text_marks(ws, marker, [(t.text_id, found.get(i, [])) for i, t in enumerate(texts)])
    return marker


def test_texts_are_marked_once_in_batches_and_anew_by_another_marker(filled):
    marker = filled.marker("a")
    assert filled.marker("a") == marker != filled.marker("b")
    assert filled.known_marker("c") is None
    assert filled.count_unmarked_texts(marker) == 4
    first = filled.unmarked_texts(marker, 0, 3)
    assert [t.text for t in first] == ["Text 0.", "Text 1.", "Text 2."]
    save_text_marks(filled, marker, [(t.text_id, [CT]) for t in first])
    (rest,) = filled.unmarked_texts(marker, first[-1].text_id, 3)
    assert rest.text == "Text 3."
    save_text_marks(filled, marker, [(rest.text_id, None)])
    assert filled.count_unmarked_texts(marker) == 0
    counts = filled.habit_counts(1, marker, 0)
    assert counts[["reports", "searched", "follow_up", "correlation"]].sum().tolist() == [6, 5, 5, 0]
    assert filled.recommended(marker).to_dict("list") == {
        "modality": ["xray"], "kind": ["imaging"], "of": ["ct"], "timed": [1], "n": [5],
    }  # fmt: skip
    again = filled.marker("b")
    assert filled.count_unmarked_texts(again) == 4
    mark(filled, "b", {0: [CORRELATE]})
    assert filled.habit_counts(1, again, 0)[["searched", "follow_up", "correlation"]].sum().tolist() == [6, 0, 2]
    assert filled.recommended(marker).empty


def test_marks_go_with_their_text(filled, make):
    marker = mark(filled, "a", {0: [CT]})
    save_import(filled, make.imp({"xray:0": "Another text.", "xray:4": "Another text."}))
    assert filled.count_unmarked_texts(marker) == 1
    assert filled._db.execute("SELECT count(*) FROM recommendations") == [(0,)]


def test_wordings_are_marked_by_run_and_gone_with_what_it_read(filled, make):
    run, marker = filled.begin_run("rules", "1", "abc"), filled.marker("words")
    plain = make.finding("xray:2", phrase="present", verbatim="")
    other = make.finding("xray:1", phrase="possibly", verbatim="possible")
    save_extractions(
        filled,
        run,
        [
            make.extraction("xray:0", "edema"),
            make.extraction("xray:1").__class__("xray:1", (other,)),
            make.extraction("xray:2").__class__("xray:2", (plain,)),
            make.extraction("xray:3", failure="timed out"),
        ],
    )
    make.save_pairs(filled, make.pairing([(f"xray:{i}", f"xray:{i}") for i in range(6)]))
    assert filled.count_unmarked_wordings(run, marker) == 3
    last, n = filled.mark_wordings(run, marker, 0, 2, is_likely)
    assert n == 2
    assert filled.mark_wordings(run, marker, last, 2, is_likely)[1] == 1
    assert filled.mark_wordings(run, marker, last + 1, 2, is_likely)[1] == 0
    sums = ["reports", "read", "hedged", "standard"]
    assert filled.habit_counts(run, 0, marker)[sums].sum().tolist() == [6, 5, 4, 2]
    # Another scale counts anew, and what is to be read again is not counted.
    everything = filled.marker("all words")
    assert filled.count_unmarked_wordings(run, everything) == 3
    filled.mark_wordings(run, everything, 0, 10, lambda *_: True)
    assert filled.habit_counts(run, 0, everything)[sums].sum().tolist() == [6, 5, 4, 4]
    filled.forget(run, ["xray:0"])
    assert filled.habit_counts(run, 0, everything)[sums].sum().tolist() == [6, 3, 2, 2]


def test_a_template_outside_pairs_is_not_read_because_one_inside_has_its_text(ws, make):
    """Else the share of hedges would fall with every normal X-ray that nobody followed by a CT."""
    hedged = {f"xray:{i}": f"Possible edema {i}." for i in range(5)}
    normal = {f"xray:{i}": "Normal chest." for i in range(5, 100)}
    save_import(ws, make.imp(hedged | normal))
    make.save_pairs(ws, make.pairing([(f"xray:{i}", f"xray:{i}") for i in range(10)]))
    run, marker = ws.begin_run("rules", "1", "abc"), ws.marker("words")
    said = {i: (make.finding(i, phrase="possibly"),) if i in hedged else () for i in [*hedged, "xray:5"]}
    save_extractions(ws, run, [make.extraction(i).__class__(i, found) for i, found in said.items()])
    ws.mark_wordings(run, marker, 0, 100, is_likely)
    counts = ws.habit_counts(run, 0, marker)
    assert counts[["reports", "read", "hedged"]].sum().tolist() == [100, 10, 5]


@settings(
    max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(st.data())
def test_the_sums_are_those_of_pandas(tmp_path_factory, make, data):
    n = data.draw(st.integers(1, 25))
    texts = [data.draw(st.integers(0, 9)) for _ in range(n)]
    paired = [data.draw(st.booleans()) for _ in range(n)]
    kinds = {t: data.draw(st.sampled_from([None, (), (CT,), (CORRELATE,), (CT, CORRELATE)])) for t in set(texts)}
    hedged = {t: data.draw(st.sampled_from(["", "present", "likely", "possibly"])) for t in set(texts)}
    path = tmp_path_factory.mktemp("sums") / "w.radcal"
    with Workspace.create(path, make.passphrase) as ws:
        ids = [f"xray:{i}" for i in range(n)]
        save_import(ws, make.imp({i: f"Text {t}." for i, t in zip(ids, texts, strict=True)}))
        make.save_pairs(ws, make.pairing([(i, i) for i, there in zip(ids, paired, strict=True) if there]))
        run, search, words = ws.begin_run("rules", "1", "abc"), ws.marker("a"), ws.marker("b")
        save_text_marks(
            ws, search, [(t.text_id, kinds[int(t.text.split()[1][:-1])]) for t in ws.unmarked_texts(search, 0, 100)]
        )
        made = []
        for i, t in zip(ids, texts, strict=True):
            found = (make.finding(i, phrase=hedged[t]),) if hedged[t] else ()
            made.append(make.extraction(i).__class__(i, found))
        save_extractions(ws, run, made)
        ws.mark_wordings(run, words, 0, 1000, is_likely)
        counts = ws.habit_counts(run, search, words)
        reports = ws.reports(["author", "modality", "exam_time"])
    one = pd.DataFrame(
        {
            "author": reports["author"],
            "modality": reports["modality"],
            "day": reports["exam_time"].dt.floor("D"),
            "reports": 1,
            "searched": [int(kinds[t] is not None) for t in texts],
            "follow_up": [int(CT in (kinds[t] or ())) for t in texts],
            "correlation": [int(CORRELATE in (kinds[t] or ())) for t in texts],
            "read": [int(p) for p in paired],
            "hedged": [int(p and hedged[t] in ("likely", "possibly")) for t, p in zip(texts, paired, strict=True)],
            "standard": [int(p and hedged[t] == "likely") for t, p in zip(texts, paired, strict=True)],
        }
    )
    expected = one.groupby(["author", "modality", "day"], as_index=False).sum()
    pd.testing.assert_frame_equal(counts, expected, check_dtype=False)
    assert np.issubdtype(counts["hedged"].dtype, np.integer)
