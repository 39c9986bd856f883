"""Constructions of sentences that report writers share, each tried with many words."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from radcal.extract.rules import RulesEngine, rules_engine
from radcal.progress import SILENT
from radcal.records import Document, Section, Sentence

FINDINGS = {
    "atelectasis": "atelectasis",
    "early pneumonia": "infection",
    "mild edema": "edema",
    "scarring": "fibrosis",
    "a granuloma": "granuloma",
}
SHADOWS = {"right basilar opacity": "opacity", "nodule": "nodule", "lingular consolidation": "consolidation"}
CLAUSES = {
    "It is likely that": "likely",
    "It is possible that": "possibly",
    "It is probable that": "probably",
    "It is suspected that": "suspicious for",
    "It is thought that": "likely",
    "It is most likely that": "most likely",
    "Possibly": "possibly",
}
COMPANIONS = ("adjacent", "overlying", "associated", "compressive", "underlying", "")


@cache
def _engine() -> RulesEngine:
    return rules_engine()


def _stated(sentence: str) -> set[tuple[str, str]]:
    document = Document("r", sentence, (Sentence(Section.FINDINGS, 0, len(sentence), sentence),))
    (extraction,) = _engine().extract([document], SILENT)
    return {(f.pathology, f.phrase) for f in extraction.findings}


@pytest.mark.parametrize(("clause", "phrase"), CLAUSES.items())
def test_a_hedge_over_a_clause_is_about_what_the_clause_tells(clause: str, phrase: str) -> None:
    for (shadow, seen), (finding, told), verb in product(
        SHADOWS.items(), FINDINGS.items(), ("represents", "reflects", "is due to")
    ):
        sentence = f"{clause} the {shadow} {verb} {finding}."
        assert _stated(sentence) == {(seen, "present"), (told, phrase)}, sentence


@pytest.mark.parametrize(("clause", "phrase"), CLAUSES.items())
def test_a_hedge_over_a_clause_that_tells_nothing_is_about_its_subject(clause: str, phrase: str) -> None:
    assert _stated(f"{clause} there is mild edema.") == {("edema", phrase)}


def test_a_hedge_inside_the_clause_wins_over_the_one_before_it() -> None:
    assert _stated("It is thought that this may represent edema.") == {("edema", "may represent")}
    assert _stated("It is felt that the opacity most likely reflects atelectasis.") == {
        ("opacity", "present"),
        ("atelectasis", "most likely"),
    }


@pytest.mark.parametrize("companion", COMPANIONS)
def test_what_goes_with_a_doubted_finding_is_doubted_with_it(companion: str) -> None:
    for hedge, phrase in (("Likely", "likely"), ("Probable", "probably"), ("Possible", "possibly")):
        sentence = f"{hedge} left effusion with {companion} collapse."
        assert _stated(sentence) == {("pleural effusion", phrase), ("atelectasis", phrase)}, sentence


@pytest.mark.parametrize("size", ["small", "mild", "moderate", "trace", "minimal"])
def test_what_has_a_size_of_its_own_is_there(size: str) -> None:
    assert _stated(f"Likely edema with {size} effusions.") == {("edema", "likely"), ("pleural effusion", "present")}


def test_negation_ends_before_what_goes_with_something() -> None:
    assert _stated("No pneumothorax with adjacent atelectasis.") == {
        ("pneumothorax", "absent"),
        ("atelectasis", "present"),
    }


@pytest.mark.parametrize(
    "ending", ["or both", "or a combination of both", "or some combination thereof", "or any combination of these"]
)
def test_alternatives_that_may_be_true_together(ending: str) -> None:
    pair = {("atelectasis", "possibly"), ("infection", "possibly")}
    assert _stated(f"Bibasilar atelectasis, pneumonia, {ending}.") == pair
    assert _stated(f"Left basilar opacity: atelectasis, pneumonia {ending}.") == pair | {("opacity", "present")}
    assert _stated(f"The opacity may represent atelectasis, pneumonia, {ending}.") == {
        ("opacity", "present"),
        ("atelectasis", "may represent"),
        ("infection", "may represent"),
    }


@pytest.mark.parametrize("place", ["distal to the mass", "superimposed on edema", "associated with the effusion"])
@pytest.mark.parametrize(
    ("cue", "phrase"), [("is suspected", "suspicious for"), ("cannot be excluded", "possibly"), ("is likely", "likely")]
)
def test_a_cue_behind_is_not_about_what_only_says_where(place: str, cue: str, phrase: str) -> None:
    other = {"mass": "mass", "edema": "edema", "effusion": "pleural effusion"}[place.split()[-1]]
    assert _stated(f"Pneumonia {place} {cue}.") == {("infection", phrase), (other, "present")}


@pytest.mark.parametrize("one", ["a small one", "a tiny one", "a subtle one"])
def test_one_stands_for_the_finding_before(one: str) -> None:
    for joint, cue in product((" but", ", although", ", however"), ("cannot be excluded", "could be missed")):
        sentence = f"No pneumothorax is seen{joint} {one} {cue}."
        assert _stated(sentence) == {("pneumothorax", "absent"), ("pneumothorax", "possibly")}, sentence


def test_the_other_side_stands_for_the_finding_before() -> None:
    assert _stated("The right effusion has decreased; the left has resolved.") == {
        ("pleural effusion", "present"),
        ("pleural effusion", "absent"),
    }


@pytest.mark.parametrize("words", ["does not exclude", "cannot exclude", "do not exclude"])
def test_what_is_not_excluded_is_not_negated_by_what_is_absent(words: str) -> None:
    assert _stated(f"The absence of effusion {words} pulmonary embolism.") == {
        ("pleural effusion", "absent"),
        ("pulmonary embolism", "possibly"),
    }


@pytest.mark.parametrize("lead", ["Please assess for", "Evaluate for", "Follow up for"])
@pytest.mark.parametrize("gone", ["resolution of", "clearing of", "complete resolution of"])
def test_asking_whether_something_has_gone_asserts_nothing(lead: str, gone: str) -> None:
    assert _stated(f"{lead} {gone} pneumothorax.") == set()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Pericardium: No effusion.", {("pericardial effusion", "absent")}),
        ("Pericardium: Trace effusion.", {("pericardial effusion", "present")}),
        ("Heart and pericardium: Heart size is normal, no effusion.",
         {("cardiomegaly", "absent"), ("pericardial effusion", "absent")}),
        ("Pericardium: Normal. Pleura: No effusion.", {("pleural effusion", "absent")}),
        ("Pleura: No effusion or thickening.", {("pleural effusion", "absent"), ("pleural thickening", "absent")}),
        ("Lungs: No effusion.", {("pleural effusion", "absent")}),
        ("Bronchi: Wall thickening.", set()),
        ("Pericardium is normal. No effusion.", {("pleural effusion", "absent")}),
    ],
)  # fmt: skip
def test_words_that_mean_something_else_behind_a_heading(sentence: str, expected: set[tuple[str, str]]) -> None:
    assert _stated(sentence) == expected


@pytest.mark.parametrize("place", ["left atrial appendage", "superior vena cava", "right internal jugular vein"])
def test_a_filling_defect_is_an_embolus_unless_another_place_is_named(place: str) -> None:
    assert _stated("No filling defects.") == {("pulmonary embolism", "absent")}
    assert _stated("Pulmonary arteries: Filling defect in the lingular branch.") == {("pulmonary embolism", "present")}
    assert _stated(f"There is a filling defect in the {place}.") == set()


def test_no_change_in_a_finding_ends_what_was_denied_before() -> None:
    assert _stated("No new consolidation and no change in the left effusion.") == {
        ("consolidation", "absent"),
        ("pleural effusion", "present"),
    }


def test_none_answers_for_a_finding_that_was_only_looked_for() -> None:
    assert _stated("Evaluation for pneumothorax is limited, but none is seen.") == {("pneumothorax", "absent")}
    assert _stated("Evaluation for pneumothorax is limited.") == set()


@pytest.mark.parametrize("words", ["difficult to distinguish from", "indistinguishable from", "hard to separate from"])
def test_what_cannot_be_told_apart_is_doubted_on_both_sides(words: str) -> None:
    assert _stated(f"Atelectasis is {words} pneumonia.") == {("atelectasis", "possibly"), ("infection", "possibly")}


@pytest.mark.parametrize("organ", ["Thyroid", "Left adrenal", "Liver", "Breasts"])
def test_nodules_and_masses_of_other_organs_are_none_of_the_lung(organ: str) -> None:
    assert _stated(f"{organ}: A 1 cm nodule.") == set()
    assert _stated(f"{organ}: Hypodense mass.") == set()
    assert _stated("Lungs: A 1 cm nodule.") == {("nodule", "present")}


def test_a_word_about_a_finding_lets_a_hedge_reach_the_alternative() -> None:
    assert _stated("Likely reactive airways disease or viral infection.") == {("infection", "likely")}


@pytest.mark.parametrize("other", ["an intrapulmonary lymph node", "a vessel on end", "due to a rib end"])
def test_a_hedge_about_what_we_do_not_count_leaves_the_finding_there(other: str) -> None:
    assert _stated(f"The nodule is likely {other}.") == {("nodule", "present")}
    assert _stated("The nodule is likely.") == {("nodule", "likely")}


def test_what_is_uncertain_is_what_the_clause_tells() -> None:
    for lead in ("It is uncertain whether", "It remains unclear if", "Unclear whether"):
        assert _stated(f"{lead} the opacity represents pneumonia or edema.") == {
            ("opacity", "present"),
            ("infection", "question of"),
            ("edema", "question of"),
        }


@pytest.mark.parametrize(
    "words", ["good opacification of", "suboptimally opacified", "adequate contrast opacification of"]
)
def test_contrast_in_vessels_is_no_opacity(words: str) -> None:
    assert _stated(f"There are {words} segmental branches.") == set()


def _certainty_words() -> list[tuple[str, str]]:
    lines = Path(__file__).with_name("certainty_words.tsv").read_text(encoding="utf-8").splitlines()
    return [(frame, phrase) for frame, phrase in (line.split("\t") for line in lines if not line.startswith("#"))]


@pytest.mark.parametrize("finding", ["pneumonia", "pleural effusion", "left rib fracture"])
def test_words_of_certainty_alone(finding: str) -> None:
    pathology = {"pneumonia": "infection", "left rib fracture": "fracture"}.get(finding, finding)
    wrong = [
        (frame, stated)
        for frame, phrase in _certainty_words()
        if (stated := _stated(frame.format(finding))) != {(pathology, phrase)}
    ]
    assert wrong == []


def test_two_bare_findings_share_what_stands_behind_them() -> None:
    assert _stated("Pneumonia and edema cannot be excluded.") == {("infection", "possibly"), ("edema", "possibly")}
    assert _stated("Bibasilar atelectasis and superimposed pneumonia cannot be excluded.") == {
        ("atelectasis", "present"),
        ("infection", "possibly"),
    }


def test_no_enlargement_is_of_an_organ_or_of_a_finding() -> None:
    assert _stated("No enlargement of the heart.") == {("cardiomegaly", "absent")}
    assert _stated("No enlargement of the pneumothorax.") == {("pneumothorax", "present")}
