"""Which CT statements confirm an X-ray statement."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.words.confirmations import (
    _shipped,
    descriptors,
    load_confirmations,
    own_confirmations,
    pathology_names,
    silence_reasons,
    silent_ct,
)
from radcal.words.records import Confirmation
from tests.cases import cases_of

cases = cases_of(__file__)

PATHOLOGIES = {
    "atelectasis", "aspiration", "cardiomegaly", "consolidation", "edema", "emphysema", "fibrosis", "fracture",
    "granuloma", "hernia", "infection", "lymphadenopathy", "malignancy", "mass", "nodule", "opacity",
    "pericardial effusion", "pleural effusion", "pleural thickening", "pneumothorax", "pulmonary embolism",
    "airways disease", "aortic dilatation", "bone lesion", "bronchiectasis", "cavity", "hyperinflation",
    "mucus plugging", "pneumomediastinum", "pneumoperitoneum", "pulmonary hypertension", "subcutaneous emphysema",
    "vascular congestion",
}  # fmt: skip


def of(xray: str, settings: Settings | None = None) -> Confirmation:
    return next(c for c in load_confirmations(settings=settings) if c.xray == xray)


def test_every_pathology_has_one_line_and_confirms_itself_first() -> None:
    shipped = load_confirmations()
    assert {c.xray for c in shipped} == PATHOLOGIES
    assert len(shipped) == len(PATHOLOGIES)
    assert all(c.ct[0] == c.xray and len(set(c.ct)) == len(c.ct) for c in shipped)


def test_the_shipped_choices_are_those_of_the_method() -> None:
    assert {"consolidation", "infection", "edema", "mass"} <= set(of("opacity").ct)
    assert of("infection").ct == ("infection",)
    for always_reported in ("pneumothorax", "pleural effusion", "fracture", "mass"):
        assert of(always_reported).silence_is_absent
    for often_unsaid in ("granuloma", "hernia", "pulmonary embolism"):
        assert not of(often_unsaid).silence_is_absent


def test_what_explains_a_finding_does_not_refute_its_denial() -> None:
    opacity = of("opacity")
    for cause in ("nodule", "granuloma", "fibrosis", "pleural effusion", "atelectasis"):
        assert cause in opacity.explained_by
        assert cause not in opacity.ct
    assert of("hyperinflation").explained_by == ("emphysema",)
    assert of("pleural effusion").explained_by == ()
    for c in load_confirmations():
        assert not set(c.ct) & set(c.explained_by)


def test_opacity_alone_is_a_descriptor(tmp_path: Path) -> None:
    assert descriptors() == {"opacity"}
    settings = Settings(lexicon_dir=str(tmp_path))
    (tmp_path / "confirmations.csv").write_text("xray,confirmed_by,silent_ct\nopacity,mass,absent\n", encoding="utf-8")
    assert descriptors(settings) == {"opacity"}, "an old line has no kind, and keeps the shipped one"
    text = "xray,kind,confirmed_by,silent_ct\nopacity,finding,mass,absent\nedema,descriptor,,absent\n"
    (tmp_path / "confirmations.csv").write_text(text, encoding="utf-8")
    assert descriptors(settings) == {"edema"}
    assert descriptors(settings.changed(lexicon_dir=str(tmp_path / "gone"))) == {"opacity"}


def test_a_departments_old_file_means_what_it_meant(tmp_path: Path) -> None:
    old = "xray,confirmed_by,optional,silent_ct,reason\nopacity,consolidation; nodule,mass,left out,ours\n"
    (tmp_path / "confirmations.csv").write_text(old, encoding="utf-8")
    settings = Settings(lexicon_dir=str(tmp_path), include_other_confirmations=("opacity>mass",))
    assert of("opacity", settings) == Confirmation(
        "opacity", ("opacity", "consolidation", "nodule", "mass"), silence_is_absent=False, kind="descriptor"
    )
    assert of("nodule", settings) == of("nodule")


def test_every_silence_that_counts_has_its_reason(tmp_path: Path) -> None:
    reasons = silence_reasons()
    assert set(reasons) == {c.xray for c in load_confirmations() if c.silence_is_absent}
    assert all(reasons.values())
    assert reasons["pneumothorax"] == "no CT reader leaves a pneumothorax out"
    assert silence_reasons(Settings(silence_absent=("edema",)))["edema"] == "the department has set it so"
    own = "xray,confirmed_by,silent_ct,silence_reason\nopacity,,absent,we {agreed}\nmass,,absent,\nedema,,absent,\n"
    (tmp_path / "confirmations.csv").write_text(own, encoding="utf-8")
    told = silence_reasons(Settings(lexicon_dir=str(tmp_path)))
    assert (told["opacity"], told["mass"], told["edema"]) == ("we {agreed}", reasons["mass"], "")
    assert silent_ct("opacity", told["opacity"]) == "CT mentions no opacity; counted as absent, because we {agreed}."
    assert silent_ct("edema", told["edema"]) == "CT mentions no edema; counted as absent."


def offered() -> tuple[str, ...]:
    """The pairs that the shipped file lets departments switch on."""
    with resource("lexicon", "confirmations.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return tuple(f"{row['xray']}>{ct}" for row in rows for ct in row["optional"].split("; ") if ct)


def test_a_department_switches_optional_confirmations_on() -> None:
    chosen = Settings(include_other_confirmations=("infection > consolidation",))
    assert of("infection", chosen).ct == ("infection", "consolidation")
    assert of("opacity", chosen) == of("opacity")


def test_a_department_decides_what_silence_means() -> None:
    chosen = Settings(silence_absent=("edema",), silence_left_out=("pneumothorax",))
    assert of("edema", chosen).silence_is_absent
    assert not of("pneumothorax", chosen).silence_is_absent
    assert of("mass", chosen) == of("mass")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(include_other_confirmations=("infection>hernia",)), "offers no optional confirmation"),
        (Settings(include_other_confirmations=("infection",)), "offers no optional confirmation"),
        (Settings(silence_absent=("gout",)), "silence_absent: .* no pathology 'gout'"),
        (Settings(silence_left_out=("gout",)), "silence_left_out: .* no pathology 'gout'"),
        (Settings(silence_left_out=("edema",), silence_absent=("edema",)), "both name 'edema'"),
    ],
)
def test_settings_that_fit_nothing_are_refused(settings: Settings, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_confirmations(settings=settings)


@cases("a_broken_file_is_refused_with_line_and_reason")
def test_a_broken_file_is_refused_with_line_and_reason(tmp_path: Path, rows: str, line: int, reason: str) -> None:
    (tmp_path / "confirmations.csv").write_text("xray,confirmed_by,optional,silent_ct\n" + rows, encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_confirmations(Settings(lexicon_dir=str(tmp_path)))
    assert str(error.value).startswith(f"confirmations.csv, line {line}: ")
    assert reason in str(error.value)


@cases("a_broken_kind_or_explanation_is_refused")
def test_a_broken_kind_or_explanation_is_refused(tmp_path: Path, row: str, reason: str) -> None:
    text = f"xray,kind,confirmed_by,explained_by,silent_ct\n{row}\nb,,,,absent\n"
    (tmp_path / "confirmations.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"confirmations.csv, line 2: .*{reason}"):
        load_confirmations(Settings(lexicon_dir=str(tmp_path)))


def test_a_department_may_write_its_own_file(tmp_path: Path) -> None:
    text = "xray;confirmed_by;silent_ct;reason\nhernia;mass ;absent;ours\nmass;;left out;\n"
    (tmp_path / "confirmations.csv").write_text(text, encoding="utf-8")
    settings = Settings(lexicon_dir=str(tmp_path))
    assert (of("hernia", settings).ct, of("hernia", settings).silence_is_absent) == (("hernia", "mass"), True)
    assert (of("mass", settings).ct, of("mass", settings).silence_is_absent) == (("mass",), False)


def test_every_name_in_the_shipped_file_has_a_line() -> None:
    named = {ct for c in load_confirmations() for ct in (*c.ct, *c.explained_by, *c.refuted_by)}
    named |= {name for pair in offered() for name in pair.split(">")}
    assert named == set(pathology_names())


def test_every_optional_pair_can_be_switched_on() -> None:
    pairs = offered()
    assert "mass>nodule" in pairs
    chosen = load_confirmations(settings=Settings(include_other_confirmations=pairs))
    plain = {c.xray: c.ct for c in load_confirmations()}
    for c in chosen:
        added = {f"{c.xray}>{ct}" for ct in set(c.ct) - set(plain[c.xray])}
        assert added == {pair for pair in pairs if pair.startswith(f"{c.xray}>")}


def test_the_rules_have_words_for_every_pathology_and_for_no_other() -> None:
    lines = resource("lexicon", "pathologies_terms.tsv").read_text("utf-8").splitlines()
    _, *rows = (line.split("\t")[0] for line in lines if line.strip() and not line.startswith("#"))
    named = {name.strip() for row in rows for name in row.split("+")} - {"-"}
    assert named == set(pathology_names())
    assert len(pathology_names()) == len(named)


def test_each_line_of_a_departments_file_is_remarked_upon_where_it_is_odd(tmp_path: Path) -> None:
    [infection] = [row for row in _shipped() if row["xray"] == "infection"]
    columns = ("xray", "confirmed_by", "silent_ct", "optional", "explained_by", "refuted_by")
    same = ",".join(infection[c] for c in columns)
    lines = [same, "opacity,mass; gout,absent,,,", "gout,,absent,,,", "edema,,absent,,,"]
    text = "\n".join([",".join(columns), *lines])
    (tmp_path / "confirmations.csv").write_text(text, encoding="utf-8")
    settings = Settings(lexicon_dir=str(tmp_path))
    n, remarks = own_confirmations(tmp_path)
    assert n == 3
    assert [(r.file, r.line) for r in remarks] == [("confirmations.csv", line) for line in (2, 3, 3, 4, 5)]
    told = [str(r.text) for r in remarks]
    assert told[0].startswith("RadCal's own line on 'infection' says the same.")
    assert all("'gout'" in told[i] for i in (1, 3))
    assert told[2] == "This line takes the place of RadCal's own on 'opacity'."
    assert told[4] == "This line takes the place of RadCal's own on 'edema'."
    assert of("opacity", settings).ct == ("opacity", "mass")
    assert set(pathology_names(tmp_path)) == set(pathology_names()) == PATHOLOGIES
