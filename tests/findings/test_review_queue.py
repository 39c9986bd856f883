"""What a person should look at, worst first."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.records import Finding
from radcal.findings.to_review import Concern, review_queue
from radcal.reports.records import Section


def finding(pathology: str, phrase: str, probability: float | None = None, start: int = 0) -> Finding:
    return Finding(
        "xray:1", pathology, phrase, "", "text", Section.FINDINGS, start, start + 4, 0, 1, probability=probability
    )


def test_the_order_is_by_concern_and_then_by_probability() -> None:
    mine = [
        finding("edema", "present", 0.9),
        finding("mass", "likely", 0.9),
        finding("nodule", "likely", 0.2),
        finding("hernia", "absent", 0.3),
        finding("fracture", "present", 0.1),
        finding("opacity", "present", 0.95),
        finding("opacity", "present", 0.05, start=9),
    ]
    others = [
        finding("edema", "absent"),
        finding("mass", "present"),
        finding("nodule", "possibly"),
        finding("hernia", "absent"),
        finding("opacity", "present"),
        finding("opacity", "present", start=9),
        finding("granuloma", "present"),
    ]
    queue = review_queue(mine, others)
    assert [(i.concern, (i.finding or i.other).pathology) for i in queue] == [  # type: ignore[union-attr]
        (Concern.OPPOSITE, "edema"),
        (Concern.ONE_SIDED, "fracture"),
        (Concern.ONE_SIDED, "granuloma"),
        (Concern.HEDGED, "mass"),
        (Concern.OTHER_PHRASE, "nodule"),
        (Concern.UNSURE, "opacity"),
        (Concern.UNSURE, "hernia"),
    ]


def test_without_a_second_opinion_only_the_unsure_are_listed() -> None:
    queue = review_queue([finding("mass", "present", 0.4), finding("edema", "present", 0.6)], compared=())
    assert [(i.concern, i.probability) for i in queue] == [(Concern.UNSURE, 0.4)]
    assert review_queue([finding("mass", "present")], compared=()) == []


def test_a_probability_of_just_the_threshold_is_sure_enough() -> None:
    unsure = [finding("mass", "present", 0.499), finding("edema", "present", 0.5)]
    assert [i.finding.pathology for i in review_queue(unsure, compared=()) if i.finding] == ["mass"]


def test_present_meets_absent_whatever_else_is_said_in_the_sentence() -> None:
    mine = [finding("mass", "likely"), finding("mass", "present")]
    others = [finding("mass", "absent"), finding("mass", "maybe")]
    for one, other in ((mine, others), (others, mine)):
        met = [
            (i.concern, {i.finding.phrase, i.other.phrase}) for i in review_queue(one, other) if i.finding and i.other
        ]
        assert met == [(Concern.OPPOSITE, {"present", "absent"}), (Concern.OTHER_PHRASE, {"likely", "maybe"})]


PHRASES = ("present", "absent", "likely", "possibly")
FINDINGS = st.lists(
    st.builds(finding, st.sampled_from("abc"), st.sampled_from(PHRASES), st.floats(0, 1), st.integers(0, 1)),
    max_size=8,
)


def test_what_the_rules_did_not_understand_is_for_review_with_and_without_a_second_opinion() -> None:
    mine = [finding("edema", "unread"), finding("mass", "present"), finding("nodule", "unread", start=9)]
    alone = review_queue(mine, compared=())
    assert [(i.concern, i.finding and i.finding.pathology) for i in alone] == [
        (Concern.UNREAD, "edema"),
        (Concern.UNREAD, "nodule"),
    ]
    both = review_queue(mine, [finding("edema", "likely"), finding("mass", "absent")])
    assert [(i.concern, i.other and i.other.phrase) for i in both] == [
        (Concern.OPPOSITE, "absent"),
        (Concern.UNREAD, "likely"),
        (Concern.UNREAD, None),
    ]


@given(mine=FINDINGS, others=FINDINGS, seed=st.integers())
def test_everything_in_doubt_is_listed_once_in_any_order_of_input(
    mine: list[Finding], others: list[Finding], seed: int
) -> None:
    queue = review_queue(mine, others)
    assert [i.concern for i in queue] == sorted(i.concern for i in queue)
    listed = [id(i.finding) for i in queue if i.finding]
    assert len(listed) == len(set(listed))
    for f in mine:
        agreed = any((f.pathology, f.start, f.phrase) == (o.pathology, o.start, o.phrase) for o in others)
        unsure = f.probability is not None and f.probability < 0.5
        assert (id(f) in listed) == (unsure or not agreed)
    shuffled = Random(seed).sample(mine, len(mine))  # noqa: S311 - no secret
    assert sorted(i.concern for i in review_queue(shuffled, others)) == [i.concern for i in queue]
