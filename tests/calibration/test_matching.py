"""What enters the table."""

import pandas as pd
import pytest

from radcal.calibration.matching import match
from radcal.calibration.records import EVIDENCE_COLUMNS, Matching
from radcal.system.errors import DataError
from radcal.words.records import Confirmation, Phrase

WORDS = (
    Phrase("absent", 0, 1, 0, 0),
    Phrase("possibly", 2, 3, 0, 1),
    Phrase("likely", 4, 1, 0, 1),
    Phrase("present", 1, 0, 1, 1),
)
CONFIRMATIONS = (
    Confirmation("opacity", ("opacity", "consolidation", "mass"), silence_is_absent=False),
    Confirmation("effusion", ("effusion",), silence_is_absent=True),
    Confirmation("consolidation", ("consolidation",), silence_is_absent=False),
)
PAIRS = pd.DataFrame(
    {
        "xray_id": ["xray:1", "xray:2"],
        "ct_id": ["ct:1", "ct:2"],
        "patient_id": ["p1", "p2"],
        "author": ["Dr A", "Dr B"],
        "xray_time": pd.to_datetime(["2024-01-01", "2024-01-02"]),
        "ct_time": pd.to_datetime(["2024-01-01 03:00", "2024-01-02 03:00"]),
        "gap_hours": [3.0, 3.0],
    }
)


def findings(*rows: tuple[str, str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (report, pathology, phrase, "", f"{phrase} {pathology}", "impression", 100, 130, 110, 118, 102, 106, "")
            for report, pathology, phrase in rows
        ],
        columns=[
            *("report_id", "pathology", "phrase", "verbatim", "sentence", "section", "start", "end"),
            *("term_start", "term_end", "cue_start", "cue_end", "decided"),
        ],
    )


def run(*rows: tuple[str, str, str], confirmations: tuple[Confirmation, ...] = CONFIRMATIONS) -> Matching:
    return match(PAIRS, findings(*rows), confirmations, WORDS)


def counts(matching: Matching) -> dict[tuple[str, str], int]:
    return matching.counts.groupby(["topic", "what"]).n.sum().to_dict()


def test_counts_are_by_author_and_in_the_order_of_their_explanation() -> None:
    result = run(
        ("xray:2", "effusion", "likely"),
        ("xray:1", "effusion", "other"),
        ("xray:1", "opacity", "likely"),
        ("ct:2", "mass", "present"),
    )
    assert list(result.counts.itertuples(name=None)) == [
        (0, "Dr A", "effusion", "phrase not in the lexicon", 1),
        (1, "Dr A", "opacity", "ct silent, left out", 1),
        (2, "Dr B", "effusion", "entered", 1),
        (3, "Dr B", "effusion", "ct silent, taken as absent", 1),
        (4, "Dr B", "mass", "not mentioned on X-ray, found on CT", 1),
    ]


def test_the_same_pathology_is_the_reference() -> None:
    result = run(("xray:1", "effusion", "likely"), ("ct:1", "effusion", "absent"))
    row = result.observations.iloc[0]
    assert row[["author", "topic", "phrase", "reference_phrase"]].tolist() == ["Dr A", "effusion", "likely", "absent"]
    assert row[["xray_id", "ct_id", "ct_pathology"]].tolist() == ["xray:1", "ct:1", "effusion"]
    assert row[["xray_sentence", "ct_sentence"]].tolist() == ["likely effusion", "absent effusion"]
    assert (row.xray_cue_start, row.xray_cue_end) == (2, 6)
    assert row.xray_time == pd.Timestamp("2024-01-01")
    assert counts(result) == {("effusion", "entered"): 1}


@pytest.mark.parametrize(
    ("ct", "reference", "decided_by"),
    [
        ([("opacity", "absent"), ("mass", "present")], "present", "mass"),
        ([("mass", "possibly"), ("consolidation", "likely")], "likely", "consolidation"),
        ([("mass", "absent"), ("opacity", "absent")], "absent", "opacity"),
        ([("mass", "present"), ("consolidation", "present")], "present", "consolidation"),
        ([("mass", "other"), ("consolidation", "possibly")], "possibly", "consolidation"),
        ([("opacity", "absent"), ("effusion", "present"), ("mass", "absent")], "absent", "opacity"),
    ],
)
def test_the_strongest_confirming_statement_decides(ct: list[tuple[str, str]], reference: str, decided_by: str) -> None:
    for order in (ct, ct[::-1]):
        result = run(("xray:1", "opacity", "possibly"), *(("ct:1", *statement) for statement in order))
        assert len(result.observations) == 1
        assert result.observations.reference_phrase[0] == reference
        assert result.observations.ct_pathology[0] == decided_by


SHADOW = Confirmation("shadow", ("shadow", "mass"), True, explained_by=("nodule", "effusion"), kind="descriptor")
FLUID = Confirmation("fluid", ("fluid",), True, explained_by=("nodule",))
WITH_DENIALS = (*WORDS, Phrase("unlikely", 1, 9, 0.05, 0.25), Phrase("question of", 1, 9, 0.05, 0.25))


def outcome_of(topic: str, said: str, *ct: tuple[str, str]) -> tuple[str, str]:
    """The reference phrase, and on which pathology the CT said it; '' for one that is silent."""
    frame = findings(("xray:1", topic, said), *(("ct:1", *statement) for statement in ct))
    found = match(PAIRS, frame, (SHADOW, FLUID), WITH_DENIALS).observations
    assert bool(found.ct_sentence[0]) == bool(found.ct_pathology[0])
    return found.reference_phrase[0], found.ct_pathology[0]


@pytest.mark.parametrize("said", ["present", "likely", "possibly", "question of"])
def test_what_explains_a_statement_confirms_it(said: str) -> None:
    """However weak the word: it raises the finding."""
    assert outcome_of("shadow", said, ("nodule", "present")) == ("present", "nodule")


@pytest.mark.parametrize("said", ["absent", "unlikely"])
def test_what_would_only_explain_a_finding_does_not_refute_that_there_is_none(said: str) -> None:
    assert outcome_of("shadow", said, ("nodule", "present")) == ("absent", "")
    assert outcome_of("shadow", said, ("mass", "present")) == ("present", "mass")


@pytest.mark.parametrize("denial", ["absent", "unlikely"])
def test_what_the_ct_denies_speaks_of_the_same_pathology_alone(denial: str) -> None:
    assert outcome_of("shadow", "likely", ("mass", denial), ("nodule", denial)) == ("absent", "")
    assert outcome_of("shadow", "likely", ("shadow", denial), ("mass", denial)) == (denial, "shadow")
    assert outcome_of("shadow", "likely", ("mass", denial), ("nodule", "possibly")) == ("possibly", "nodule")


def test_a_ct_that_denies_the_finding_itself_is_not_outdone_by_what_would_explain_it() -> None:
    """But for a descriptor: CT denies one shadow and names what casts the other."""
    assert outcome_of("fluid", "likely", ("nodule", "present")) == ("present", "nodule")
    assert outcome_of("fluid", "likely", ("nodule", "present"), ("fluid", "absent")) == ("absent", "fluid")
    assert outcome_of("fluid", "likely", ("nodule", "present"), ("fluid", "possibly")) == ("present", "nodule")
    assert outcome_of("shadow", "likely", ("nodule", "present"), ("shadow", "absent")) == ("present", "nodule")
    assert outcome_of("shadow", "likely", ("mass", "present"), ("shadow", "absent")) == ("present", "mass")


def test_what_explains_a_statement_was_mentioned_and_what_a_denial_leaves_was_not() -> None:
    for said, unmentioned in (("likely", 0), ("absent", 1)):
        frame = findings(("xray:1", "shadow", said), ("ct:1", "nodule", "present"))
        counted = counts(match(PAIRS, frame, (SHADOW,), WITH_DENIALS))
        assert counted.get(("nodule", "not mentioned on X-ray, found on CT"), 0) == unmentioned


def test_observations_are_numbered_in_the_order_of_pairs_then_topics() -> None:
    """However the findings stand: by CONFIRMATIONS alone, silence on an effusion means absent."""
    said = [("xray:2", "effusion"), ("xray:1", "mass"), ("xray:2", "cyst"), ("xray:1", "effusion"), ("xray:1", "cyst")]
    result = run(*((report, topic, "likely") for report, topic in said), ("ct:1", "mass", "present"))
    found = result.observations
    assert list(zip(found.index, found.xray_id, found.topic, strict=True)) == [
        (0, "xray:1", "effusion"), (1, "xray:1", "mass"), (2, "xray:2", "effusion"),
    ]  # fmt: skip


def test_a_silent_ct_means_absent_or_nothing() -> None:
    result = run(("xray:1", "effusion", "likely"), ("xray:1", "opacity", "likely"), ("xray:1", "fracture", "likely"))
    assert result.observations.topic.tolist() == ["effusion"]
    assert result.observations.reference_phrase.tolist() == ["absent"]
    assert result.observations[["ct_sentence", "ct_pathology"]].iloc[0].tolist() == ["", ""]
    assert counts(result) == {
        ("effusion", "entered"): 1,
        ("effusion", "ct silent, taken as absent"): 1,
        ("opacity", "ct silent, left out"): 1,
        ("fracture", "ct silent, left out"): 1,
    }


def test_words_in_no_list_never_enter() -> None:
    result = run(
        ("xray:1", "effusion", "other"),
        ("ct:1", "effusion", "present"),
        ("xray:2", "effusion", "likely"),
        ("ct:2", "effusion", "hmm"),
    )
    assert result.observations.empty
    assert counts(result) == {("effusion", "phrase not in the lexicon"): 2}


def test_silence_of_the_xray_is_counted_where_the_ct_finds_something() -> None:
    result = run(
        ("xray:1", "opacity", "possibly"),
        ("ct:1", "consolidation", "present"),  # confirms the opacity
        ("ct:1", "effusion", "present"),
        ("ct:1", "fracture", "likely"),
        ("ct:1", "nodule", "absent"),
        ("ct:2", "effusion", "possibly"),
        ("ct:2", "cyst", "other"),
        ("ct:9", "effusion", "present"),  # of no pair
    )
    assert counts(result) == {
        ("opacity", "entered"): 1,
        ("effusion", "not mentioned on X-ray, found on CT"): 1,
        ("fracture", "not mentioned on X-ray, found on CT"): 1,
    }


def test_a_ct_that_leaves_it_open_finds_something_and_one_that_doubts_it_does_not() -> None:
    """From a mean of one half on; just below it nothing is found."""
    words = (*WORDS, Phrase("even", 2, 2, 0, 1), Phrase("less than even", 2, 2.001, 0, 1))
    said = findings(("ct:1", "effusion", "even"), ("ct:2", "effusion", "less than even"))
    result = match(PAIRS, said, CONFIRMATIONS, words)
    assert result.counts.to_numpy().tolist() == [["Dr A", "effusion", "not mentioned on X-ray, found on CT", 1]]


def test_every_statement_is_counted_once() -> None:
    names = [p.name for p in WORDS] + ["other"]
    rows = [
        (f"{kind}:{1 + (i + j) % 2}", topic, names[(i * 3 + j) % 5])
        for j, kind in enumerate(("xray", "ct"))
        for i, topic in enumerate(("opacity", "effusion", "consolidation", "mass", "fracture"))
    ]
    result = run(*rows)
    totals = result.counts.groupby("what").n.sum()
    spoken = sum(report.startswith("xray") for report, _, _ in rows)
    outside = totals.get("ct silent, left out", 0) + totals.get("phrase not in the lexicon", 0)
    assert totals["entered"] + outside == spoken
    assert totals["entered"] == len(result.observations)


REPORT = "Heart normal. Likely effusion. No fracture."


@pytest.mark.parametrize(
    ("cue", "seen"),
    [
        ("Likely", "Likely"),  # opens its sentence
        ("effusion.", "effusion."),  # ends it
        ("Likely effusion.", "Likely effusion."),
        (" Likely", None),  # begins before it
        ("effusion. ", None),
        ("Heart", None),
        ("fracture", None),
        ("", None),  # nowhere
    ],
)
def test_a_cue_is_shown_where_it_stands_in_its_sentence(cue: str, seen: str | None) -> None:
    sentence = "Likely effusion."
    start = REPORT.index(sentence)
    at = REPORT.index(cue) if cue else -1
    frame = findings(("xray:1", "effusion", "likely")).assign(
        sentence=sentence, start=start, end=start + len(sentence), cue_start=at, cue_end=at + len(cue) if cue else -1
    )
    row = match(PAIRS, frame, CONFIRMATIONS, WORDS).observations.iloc[0]
    if seen is None:
        assert (row.xray_cue_start, row.xray_cue_end) == (-1, -1)
    else:
        assert row.xray_sentence[row.xray_cue_start : row.xray_cue_end] == seen


def test_no_findings_give_no_observations() -> None:
    result = run()
    assert result.observations.empty
    assert set(EVIDENCE_COLUMNS) - {"patient"} < set(result.observations.columns)
    assert result.counts.columns.tolist() == ["author", "topic", "what", "n"]
    assert result.counts.empty


def test_ambiguous_input_is_refused() -> None:
    with pytest.raises(DataError, match="two statements"):
        run(("xray:1", "effusion", "likely"), ("xray:1", "effusion", "absent"))
    with pytest.raises(DataError, match="two confirmations"):
        run(confirmations=CONFIRMATIONS + CONFIRMATIONS[:1])


@pytest.mark.parametrize(("xray", "ct"), [("unread", "present"), ("likely", "unread"), ("unread", "unread")])
def test_what_was_not_understood_in_either_report_is_left_out_and_counted(xray: str, ct: str) -> None:
    result = run(("xray:1", "effusion", xray), ("ct:1", "effusion", ct), ("xray:2", "effusion", "likely"))
    assert list(result.observations["xray_id"]) == ["xray:2"]  # a CT that was not understood is not silent
    assert counts(result)["effusion", "beside words that were not understood, left out"] == 1
    assert ("effusion", "phrase not in the lexicon") not in counts(result)
