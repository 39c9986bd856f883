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
    for (shadow, seen), (finding, shown), verb in product(
        SHADOWS.items(), FINDINGS.items(), ("represents", "reflects", "is due to")
    ):
        sentence = f"{clause} the {shadow} {verb} {finding}."
        assert _stated(sentence) == {(seen, "present"), (shown, phrase)}, sentence


@pytest.mark.parametrize(("clause", "phrase"), CLAUSES.items())
def test_a_hedge_over_a_clause_that_tells_nothing_is_about_its_subject(clause: str, phrase: str) -> None:
    assert _stated(f"{clause} there is mild edema.") == {("edema", phrase)}


@pytest.mark.parametrize("companion", COMPANIONS)
def test_what_goes_with_a_doubted_finding_is_doubted_with_it(companion: str) -> None:
    for hedge, phrase in (("Likely", "likely"), ("Probable", "probably"), ("Possible", "possibly")):
        sentence = f"{hedge} left effusion with {companion} collapse."
        assert _stated(sentence) == {("pleural effusion", phrase), ("atelectasis", phrase)}, sentence


@pytest.mark.parametrize("size", ["small", "mild", "moderate", "trace", "minimal"])
def test_what_has_a_size_of_its_own_is_there(size: str) -> None:
    assert _stated(f"Likely edema with {size} effusions.") == {("edema", "likely"), ("pleural effusion", "present")}


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


@pytest.mark.parametrize("words", ["difficult to distinguish from", "indistinguishable from", "hard to separate from"])
def test_what_cannot_be_told_apart_is_doubted_on_both_sides(words: str) -> None:
    assert _stated(f"Atelectasis is {words} pneumonia.") == {("atelectasis", "possibly"), ("infection", "possibly")}


@pytest.mark.parametrize("organ", ["Thyroid", "Left adrenal", "Liver", "Breasts"])
def test_nodules_and_masses_of_other_organs_are_none_of_the_lung(organ: str) -> None:
    assert _stated(f"{organ}: A 1 cm nodule.") == set()
    assert _stated(f"{organ}: Hypodense mass.") == set()
    assert _stated("Lungs: A 1 cm nodule.") == {("nodule", "present")}


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


@pytest.mark.parametrize("verb", ["is", "are", "remains"])
@pytest.mark.parametrize("state", ["uncertain", "unclear", "not clear", "still unclear"])
def test_a_doubt_behind_whether_is_one_of_the_finding(verb: str, state: str) -> None:
    for finding, shown in FINDINGS.items():
        sentence = f"Whether this represents {finding} {verb} {state}."
        assert _stated(sentence) == {(shown, "question of")}, sentence


def test_whether_without_a_doubt_behind_asserts_nothing() -> None:
    for finding in FINDINGS:
        assert _stated(f"Follow up to see whether {finding} has resolved.") == set()


@pytest.mark.parametrize("behind", ["can be excluded", "can be completely ruled out", "could be entirely excluded"])
def test_neither_that_can_be_excluded_leaves_both_possible(behind: str) -> None:
    for (first, a), (second, b) in product(FINDINGS.items(), SHADOWS.items()):
        sentence = f"Neither {first} nor {second} {behind}."
        assert _stated(sentence) == {(a, "possibly"), (b, "possibly")}, sentence
        assert _stated(f"Neither {first} nor {second} is seen.") == {(a, "absent"), (b, "absent")}
    assert _stated(f"Pneumonia {behind}.") == {("infection", "absent")}


def test_what_is_less_likely_than_another_makes_the_other_likely() -> None:
    for verb in ("is less likely than", "is felt to be less likely than", "is considered less likely than"):
        assert _stated(f"Pneumonia {verb} mild edema.") == {("infection", "unlikely"), ("edema", "likely")}
    assert _stated("More likely atelectasis than pneumonia.") == {("atelectasis", "likely"), ("infection", "unlikely")}


@pytest.mark.parametrize("change", ["has grown", "have significantly enlarged", "has increased", "have changed"])
@pytest.mark.parametrize("lead", ["None of the", "None of the known bilateral", "No"])
def test_who_denies_a_change_says_that_it_is_there(lead: str, change: str) -> None:
    assert _stated(f"{lead} nodules {change} since the prior study.") == {("nodule", "present")}
    assert _stated(f"{lead} nodules {change}, and there is no effusion.") == {
        ("nodule", "present"),
        ("pleural effusion", "absent"),
    }


@pytest.mark.parametrize("place", ["distal to the", "adjacent to the", "lateral to the known", "surrounding the"])
def test_a_landmark_is_as_certain_as_the_report_takes_it(place: str) -> None:
    for (shadow, seen), (finding, shown) in product({"nodule": "nodule", "mass": "mass"}.items(), FINDINGS.items()):
        assert _stated(f"Possible {finding} {place} {shadow}.") == {(shown, "possibly"), (seen, "present")}
        assert _stated(f"No {finding} {place} {shadow}.") == {(shown, "absent"), (seen, "present")}
        assert _stated(f"Hemorrhage versus {finding} {place} {shadow}.") == {(shown, "possibly"), (seen, "present")}


@pytest.mark.parametrize(
    "sight", ["not visible on radiograph", "not seen radiographically", "not evident on plain film"]
)
def test_a_known_finding_out_of_a_radiographs_sight_asserts_nothing(sight: str) -> None:
    assert _stated(f"The known left upper lobe nodule is {sight}.") == set()
    assert _stated(f"The nodule demonstrated on chest CT is {sight}.") == set()
    assert _stated(f"The nodule is {sight}.") == {("nodule", "absent")}
    assert _stated("The known pneumothorax is no longer seen.") == {("pneumothorax", "absent")}


def _stated_over(*sentences: str) -> set[tuple[str, str]]:
    text = " ".join(sentences)
    parts = tuple(Sentence(Section.FINDINGS, at := text.index(s), at + len(s), s) for s in sentences)
    (extraction,) = _engine().extract([Document("r", text, parts)], SILENT)
    for f in extraction.findings:
        assert text[f.start : f.end] == f.sentence
    return {(f.pathology, f.phrase) for f in extraction.findings}


def test_a_full_stop_that_dictation_put_in_ends_no_sentence() -> None:
    assert _stated_over("No cavity to suggest.", "active tuberculosis.") == {("infection", "absent")}
    assert _stated_over("Opacity consistent with.", "pneumonia.") == {
        ("opacity", "present"),
        ("infection", "consistent with"),
    }
    assert _stated_over("No acute changes to suggest.", "Pneumonia.") == {("infection", "present")}
    assert _stated_over("No effusion.", "pneumonia in the lingula.") == {
        ("pleural effusion", "absent"),
        ("infection", "present"),
    }


@pytest.mark.parametrize(
    ("cue", "phrase"),
    [("there may be a", "may represent"), ("possible", "possibly"), ("likely a", "likely"), ("no definite", "absent")],
)
def test_one_stands_for_the_finding_named_before(cue: str, phrase: str) -> None:
    for finding in ("pleural effusion", "pneumothorax"):
        sentence = f"There is a right {finding} and {cue} tiny left one."
        assert _stated(sentence) == {(finding, "present"), (finding, phrase)}, sentence
    assert _stated("There is a new fracture, possibly one of the vertebrae is wedged.") == {("fracture", "present")}


def test_what_could_go_unseen_is_possible() -> None:
    for words in ("would be difficult to see", "could be easy to miss", "may be impossible to detect"):
        assert _stated(f"A superimposed small pneumothorax {words}.") == {("pneumothorax", "possibly")}
    assert _stated("The nodule is difficult to see on the lateral view.") == {("nodule", "present")}


def test_what_a_further_examination_could_tell_is_not_asserted() -> None:
    for words in ("could confirm and exclude", "may be helpful to exclude", "would better evaluate"):
        assert _stated(f"Chest CT {words} a mass.") == set()


@pytest.mark.parametrize(
    "past", ["not present in 2019", "not seen on the prior exam", "which were not evident in XXXX"]
)
def test_what_was_not_there_in_the_past_is_there_now(past: str) -> None:
    assert _stated(f"Two compression fractures, {past}.") == {("fracture", "present")}
    assert _stated("Compression fractures are not present.") == {("fracture", "absent")}


@pytest.mark.parametrize("state", ["has normalized", "is no longer enlarged", "is now normal in size"])
def test_what_was_enlarged_and_is_no_more_is_absent(state: str) -> None:
    assert _stated(f"Previously enlarged subcarinal lymph node {state}.") == {("lymphadenopathy", "absent")}
    assert _stated(f"The previously enlarged heart {state}.") == {("cardiomegaly", "absent")}


def test_of_two_causes_without_a_hedge_each_is_possible() -> None:
    for causes in ("infectious or inflammatory", "inflammatory or infectious", "infectious/inflammatory"):
        assert _stated(f"Ground-glass opacities, {causes} in etiology.") == {
            ("opacity", "present"),
            ("infection", "possibly"),
        }
        assert _stated(f"Likely {causes} process.") == {("infection", "likely")}
        assert _stated(f"No {causes} process.") == {("infection", "absent")}


def test_what_is_commonly_seen_in_a_disease_makes_it_possible() -> None:
    for often in ("commonly", "often", "typically"):
        assert _stated(f"Ground-glass opacities, {often} seen in edema.") == {
            ("opacity", "present"),
            ("edema", "possibly"),
        }


def test_a_denied_proof_leaves_the_hedge() -> None:
    for cue, phrase in (("Compatible with", "compatible with"), ("Suggestive of", "suggestive of")):
        assert _stated(f"{cue} but not diagnostic of mild edema.") == {("edema", phrase)}
        assert _stated(f"{cue}, but not specific for, mild edema.") == {("edema", phrase)}
    assert _stated("A rib fracture is suspected but not confirmed.") == {("fracture", "suspicious for")}
    assert _stated("Pneumonia has not been excluded.") == {("infection", "possibly")}
    assert _stated("Pneumonia has been excluded.") == {("infection", "absent")}


def test_a_differential_that_would_also_include_something() -> None:
    for words in ("would also include", "could also include", "also includes"):
        assert _stated(f"The differential {words} mild edema.") == {("edema", "possibly")}


DEGREES = {
    "low": ("unlikely", "unlikely"),
    "very low": ("very unlikely", "very unlikely"),
    "moderate": ("suspicious for", "possibly"),
    "high": ("suspicious for", "most likely"),
}


@pytest.mark.parametrize(("degree", "phrases"), DEGREES.items())
@pytest.mark.parametrize(("noun", "kind"), [("suspicion", 0), ("concern", 0), ("likelihood", 1), ("probability", 1)])
def test_a_suspicion_is_as_great_as_the_words_around_it_say(
    degree: str, phrases: tuple[str, str], noun: str, kind: int
) -> None:
    joint = "of" if kind else "for"
    for (finding, pathology), verb in product(FINDINGS.items(), ("is", "remains", "is considered")):
        shown = {(pathology, phrases[kind])}
        assert _stated(f"The {noun} {joint} {finding} {verb} {degree}.") == shown
        assert _stated(f"{degree.capitalize()} {noun} {joint} {finding}.") == shown
        assert _stated(f"Opacity with {degree} {noun} {joint} {finding}.") == shown | {("opacity", "present")}


@pytest.mark.parametrize("verb", ["shows", "demonstrates", "has a", "with"])
def test_what_is_clearly_seen_leaves_no_lung_clear(verb: str) -> None:
    for shadow, seen in SHADOWS.items():
        assert _stated(f"The left lung {verb} clear {shadow}.") == {(seen, "present")}
    assert _stated("Radiograph shows clear lungs.") == {("opacity", "absent")}


@pytest.mark.parametrize("reason", ["given the", "in view of the", "in light of the", "considering the"])
def test_the_reason_for_a_doubt_is_there(reason: str) -> None:
    for (finding, pathology), (cue, phrase) in product(
        FINDINGS.items(), [("is likely", "likely"), ("is unlikely", "unlikely"), ("cannot be excluded", "possibly")]
    ):
        assert _stated(f"{finding.capitalize()} {cue} {reason} effusion.") == {
            (pathology, phrase),
            ("pleural effusion", "present"),
        }


@pytest.mark.parametrize(("which", "favoured"), [("former", "atelectasis"), ("latter", "infection")])
@pytest.mark.parametrize("words", ["the {} favored", "the {} is favored", "favor the {}"])
def test_one_of_two_may_be_favoured(which: str, favoured: str, words: str) -> None:
    other = {"atelectasis": "infection", "infection": "atelectasis"}[favoured]
    for joint in ("or", "versus"):
        assert _stated(f"Atelectasis {joint} pneumonia, {words.format(which)}.") == {
            (favoured, "likely"),
            (other, "possibly"),
        }


@pytest.mark.parametrize("nothing", ["no acute disease", "no active process", "no acute findings"])
@pytest.mark.parametrize("size", ["stable", "old", "chronic", "mild"])
def test_dictation_runs_on_from_nothing_to_something(nothing: str, size: str) -> None:
    assert _stated(f"{nothing} {size} scarring") == {("fibrosis", "present")}


@pytest.mark.parametrize("size", ["small", "stable", "mild", "bilateral"])
def test_dictation_runs_on_from_a_denial_or_a_doubt(size: str) -> None:
    assert _stated(f"no consolidation {size} effusion heart enlarged") == {
        ("consolidation", "absent"),
        ("pleural effusion", "present"),
        ("cardiomegaly", "present"),
    }
    assert _stated(f"possible pneumonia right base {size} effusion") == {
        ("infection", "possibly"),
        ("pleural effusion", "present"),
    }
    assert _stated(f"no {size} effusion") == {("pleural effusion", "absent")}


@pytest.mark.parametrize("opening", ["While", "Although", "Though", "Even though"])
def test_a_subordinate_doubt_ends_with_its_clause(opening: str) -> None:
    assert _stated(f"{opening} this may be atelectasis, a mass must be excluded.") == {
        ("atelectasis", "may represent"),
        ("mass", "possibly"),
    }


@pytest.mark.parametrize("colon", ["Differential:", "DDx:", "Differential diagnosis:", "Concerning for:"])
def test_a_differential_goes_on_behind_its_colon(colon: str) -> None:
    phrase = "suspicious for" if colon.startswith("Concerning") else "possibly"
    assert _stated(f"{colon} atelectasis, edema, pneumonia.") == {
        (p, phrase) for p in ("atelectasis", "edema", "infection")
    }
    assert _stated("Comparison with May: mild edema.") == {("edema", "present")}
