"""What the rules read by the words of studies: hedges are found past words of the chest, and no hedge is certain."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from radcal import cli
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.reports.sections import document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.words.studies import chosen_study, laid_over

THYROID = """name = "Thyroid"

[index]
modalities = ["ultrasound"]

[reference]
modalities = ["ct"]

[pairs]
hours = 720

[[pathologies]]
name = "thyroid cancer"
terms = ["(malignancy|carcinoma)"]
organs = ["[colloid|thyroid] nodule"]
normal = ["benign"]
abnormal = ["malignant"]

[texts.en]
"chest X-ray" = "ultrasound"
"X-ray" = "ultrasound"
"chest CT" = "cytology"
"CT" = "cytology"
"""

READ = {
    "mammography": [
        ("Malignancy in the mass cannot be excluded.", ["possibly"]),
        ("Malignancy in the nodule is unlikely.", ["unlikely"]),
        ("Carcinoma arising in the mass is improbable.", ["unlikely"]),
        ("Malignität im Rundherd nicht auszuschließen.", ["possibly"]),
        ("Malignancy in the opacity, consolidation or effusion is unlikely.", ["unlikely"]),
        ("Findings suspicious for DCIS.", ["suspicious for"]),
        ("Ductal carcinoma in situ is likely.", ["likely"]),
        ("Duktales Carcinoma in situ ist möglich.", ["possibly"]),
        ("Suspicious mass in the left breast.", ["suspicious for"]),
        ("The calcifications are highly suspicious.", ["suspicious for"]),
        ("No suspicious mass or calcifications.", ["absent"]),
        ("Die Läsion ist suspekt.", ["suspicious for"]),
        ("Keine suspekte Läsion.", ["absent"]),
        ("Probably benign mass.", ["unlikely"]),
        ("The mass is likely benign.", ["unlikely"]),
        ("Der Befund ist wahrscheinlich gutartig.", ["unlikely"]),
        ("Der Herd ist am ehesten benigne.", ["unlikely"]),
        ("Benign vascular calcifications.", []),
        ("BI-RADS 4.", []),
    ],
    "appendix": [
        ("The appendix is normal.", ["absent"]),
        ("The appendix is probably normal.", ["unlikely"]),
        ("Likely normal appendix.", ["unlikely"]),
        ("The appendix may be normal.", ["unread"]),
        ("The appendix is unlikely to be normal.", ["unread"]),
        ("Der Wurmfortsatz ist wahrscheinlich unauffällig.", ["unlikely"]),
        ("The appendix is dilated, possibly inflamed.", ["unread"]),
        ("The appendix is borderline dilated, possibly inflamed.", ["possibly"]),
        ("The appendix is borderline dilated.", []),
        ("The appendix is dilated, likely early appendicitis.", ["present", "likely"]),
        ("The appendix is normal, and there is a probable ovarian cyst.", ["absent"]),
        ("The appendix is normal and appendicitis is unlikely.", ["absent", "unlikely"]),
    ],
    "thyroid": [
        ("Findings favor a benign colloid nodule.", ["unlikely"]),
        ("This is probably a benign nodule.", ["unlikely"]),
        ("Nodule favored to be benign.", ["unlikely"]),
        ("The nodule is most likely benign.", ["unlikely"]),
        ("Nodule, probably benign.", ["unlikely"]),
        ("The nodule is likely not malignant.", ["unlikely"]),
        ("The nodule is probably not benign.", ["unread"]),
        ("The nodule is not malignant.", ["absent"]),
        ("No malignant nodule.", ["absent"]),
        ("The nodule is benign.", ["absent"]),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RulesEngine]:
    path = tmp_path_factory.mktemp("study") / "thyroid.toml"
    path.write_text(THYROID, encoding="utf-8")
    studies = {name: path if name == "thyroid" else Path(name) for name in READ}
    return {name: rules_engine(own=laid_over(Settings(**chosen_study(of)))) for name, of in studies.items()}


@pytest.mark.parametrize(("study", "text", "phrases"), [(s, *one) for s, each in READ.items() for one in each])
def test_what_is_hedged_is_never_read_as_certain(
    engines: dict[str, RulesEngine], study: str, text: str, phrases: list[str]
) -> None:
    [read] = engines[study].extract([document("1", text)], SILENT)
    assert [finding.phrase for finding in read.findings] == phrases


def test_the_chest_reads_as_ever() -> None:
    [read] = rules_engine().extract([document("1", "Heart size is probably normal. Probably clear lungs.")], SILENT)
    assert {f.phrase for f in read.findings} == {"absent"}


def test_a_word_of_certainty_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "thyroid.toml"
    path.write_text(THYROID.replace('normal = ["benign"]', 'hedged.probable = ["odd"]'), encoding="utf-8")
    with pytest.raises(InputError, match=r"^thyroid\.toml, line \d+: hedged is none of 'absent', .*'likely'"):
        chosen_study(path)


def test_terms_are_tried_on_sentences_before_there_is_a_workspace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thyroid.toml"
    path.write_text(THYROID, encoding="utf-8")
    assert cli.main(["explain", "--study", str(path), "This is probably a benign nodule.", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(f["pathology"], f["phrase"], f["cue"]) for f in told["findings"]] == [
        ("thyroid cancer", "unlikely", "probably")
    ]
    assert told["findings"][0]["decided"]["rule"] == "a state in doubt"
    reports, out = tmp_path / "reports.csv", tmp_path / "findings.csv"
    reports.write_text("report_id,text\n1,The appendix is probably normal.\n", encoding="utf-8")
    assert cli.main(["extract", "--study", "appendix", str(reports), "--out", str(out)]) == 0
    with out.open(encoding="utf-8-sig", newline="") as file:
        assert [(row["pathology"], row["phrase"]) for row in csv.DictReader(file)] == [("appendicitis", "unlikely")]
    assert cli.main(["extract", "--study", "appendix", "--workspace", "w.radcal", "--out", str(out)]) == 2
    assert "--study is for REPORTS: a workspace has its own study." in capsys.readouterr().err
