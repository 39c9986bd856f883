"""Study files: what they say, and what is told where one says something else, with file, line and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.findings.engines import close_engine, make_engine
from radcal.findings.rules.engine import rules_engine
from radcal.reports.sections import document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.words.confirmations import load_confirmations, pathology_names
from radcal.words.studies import chest, chosen_study, laid_over, read_study, require_same, spoken_in, study_of

LEAST = """name = "Knee"

[index]
modalities = ["xray"]
exams = ["knee*"]

[reference]
modalities = ["mr"]

[pairs]
hours = 720

[texts.en]
"chest X-ray" = "X-ray"
"chest CT" = "MR"
"CT" = "MR"

[[pathologies]]
name = "fracture"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "knee.toml"
    path.write_text(text, encoding="utf-8")
    return path


def settings_of(folder: Path, text: str = LEAST) -> Settings:
    return Settings(**chosen_study(written(folder, text)))


def test_without_a_study_it_is_the_chest() -> None:
    assert study_of(None) is study_of(Settings()) is chest()
    assert (chest().name, chest().direction, chest().hours) == ("Chest X-ray and CT", "after", Settings().window_hours)
    assert read_study(resource("studies", "chest.toml")) == read_study(Path("chest")) == ""
    assert read_study(Path("appendix")) == read_study(resource("studies", "appendix.toml"))
    assert laid_over(Settings()) is None
    assert spoken_in(Settings(), "de").say("X-ray") == "R\u00f6ntgen"


def test_the_example_of_the_guide_can_be_read(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")
    example = guide[guide.index("    name = ") : guide.index("### `[index]`")]
    study = study_of(settings_of(tmp_path, "\n".join(line.removeprefix("    ") for line in example.splitlines())))
    assert (study.name, study.pathologies, study.hours) == ("Appendix ultrasound and CT", ("appendicitis",), 72)


def test_the_least_texts_of_the_guide_are_enough(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")
    least = guide[guide.rindex("    [texts.en]") : guide.index('without "X-ray" where')].replace("    ", "")
    own = LEAST[LEAST.index("[texts.en]") : LEAST.index("[[path")]
    study = study_of(settings_of(tmp_path, LEAST.replace(own, least).replace('["xray"]', '["mammography"]')))
    said = study.wordings["en"].words
    assert said == {"chest X-ray": "mammogram", "X-ray": "mammogram", "chest CT": "biopsy", "CT": "biopsy"}


@pytest.mark.parametrize("name", ["mammography", "appendix"])
def test_the_shipped_studies_can_be_read(name: str) -> None:
    settings = Settings(**chosen_study(resource("studies", f"{name}.toml")))
    study = study_of(settings)
    assert pathology_names(laid_over(settings)) == study.pathologies
    assert rules_engine(own=laid_over(settings)).settings_hash != rules_engine().settings_hash


def test_a_study_counts_its_pathologies_alone_and_confirms_them_as_it_says(tmp_path: Path) -> None:
    more = """
[[pathologies]]
name = "effusion of the joint"
terms = ["(joint|knee) effusion[s]", { words = "fluid", unless = "pleural,free" }]
confirmed_by = ["fracture"]
silence = "absent"
"""
    settings = settings_of(tmp_path, LEAST + more)
    fracture, effusion = load_confirmations(settings)
    assert (fracture.xray, fracture.ct, fracture.silence_is_absent) == ("fracture", ("fracture",), False)
    assert (effusion.ct, effusion.silence_is_absent) == (("effusion of the joint", "fracture"), True)
    text = "No fracture. Small joint effusion is likely. Pneumonia. Free fluid. No fluid."
    for engine in (
        rules_engine(own=laid_over(settings)),
        make_engine("rules", settings=settings.changed(workers=2, second="none")),
    ):
        [read] = engine.extract([document("1", text)], SILENT)
        assert [(f.pathology, f.phrase) for f in read.findings] == [
            ("fracture", "absent"),
            ("effusion of the joint", "likely"),
            ("effusion of the joint", "absent"),
        ]


def test_a_department_adds_words_of_its_own_to_a_study(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    columns = "pathology\twords\tunless\tnote\tunder\n"
    rows = "fracture\tcrack\nbone bruise\tbone bruise\n"
    (tmp_path / "own" / "pathologies_terms.tsv").write_text(columns + rows, encoding="utf-8")
    settings = settings_of(tmp_path).changed(lexicon_dir=str(tmp_path / "own"))
    assert pathology_names(laid_over(settings)) == ("fracture", "bone bruise")
    [read] = rules_engine(own=laid_over(settings)).extract(
        [document("1", "A crack is seen. Possible bone bruise. Pneumonia.")], SILENT
    )
    assert [(f.pathology, f.phrase) for f in read.findings] == [("fracture", "present"), ("bone bruise", "possibly")]


@pytest.mark.parametrize(
    ("said", "in_place_of", "line", "why"),
    [
        ('name = "Knee"\nmode = 1', 'name = "Knee"', 2, "'mode' is not known. Known: besides, exams, index"),
        ("", 'name = "Knee"', 1, "Write name = "),
        ("name = 3", 'name = "Knee"', 1, "name is no text, or empty. Write it between quotes."),
        ("", "hours = 720", 1, "Write hours = in [pairs]"),
        ("hours = 99999999", "hours = 720", 11, "Write hours = in [pairs] and a number up to 87,672"),
        ("hours = 720\ndirection = 'later'", "hours = 720", 12, "direction is none of 'after', 'before', 'either'."),
        ("hours = 720\nsilence = 'no'", "hours = 720", 12, "silence is none of"),
        ('exams = ["/knee(/"]', 'exams = ["knee*"]', 5, "exams has an expression that is none."),
        ("exams = 'knee'", 'exams = ["knee*"]', 5, 'exams is no list. Write ["one", "another"].'),
        ("", 'modalities = ["mr"]', 7, "Write modalities = in [reference]"),
        ('name = "fractur"', 'name = "fracture"', 19, "RadCal has no words for 'fractur'. Did you mean 'fracture'?"),
        ('name = "knee trouble"', 'name = "fracture"', 19, "RadCal has no words for 'knee trouble'. Write terms = "),
        ('name = "a|b"\nterms = ["ab"]', 'name = "fracture"', 20, "the name of a pathology has one of the signs"),
        ('name = "fracture"\nterms = [1]', 'name = "fracture"', 20, "terms is no text, or empty."),
        ('name = "fracture"\nconfirmed_by = ["x"]', 'name = "fracture"', 20, "'x' is no other pathology"),
        ('name = "fracture"\n[texts.xx]', 'name = "fracture"', 20, "'xx' is not known in [texts]. Known: de, en."),
        ('name = "fracture"\n[texts.de]\n"MRT" = ""', 'name = "fracture"', 21, "MRT is no text, or empty."),
        ('modalities = ["XRY", "ultrasond"]', 'modalities = ["xray"]', 4, "'ultrasond' is no modality that RadCal"),
        ("exams = []", 'exams = ["knee*"]', 5, "exams lists nothing. Write what it is to list, or remove it."),
        ("", '"chest X-ray" = "X-ray"\n', 13, "[texts.en] does not say what the pages are to call 'chest X-ray'."),
        ("", '[texts.en]\n"chest X-ray" = "X-ray"\n"chest CT" = "MR"\n"CT" = "MR"\n', 1,
         "[texts.en] does not say what the pages are to call 'chest X-ray', 'chest CT', 'CT'."),
        ("", '"CT" = "MR"\n', 13, "[texts.en] does not say what the pages are to call 'CT'. Write \"CT\" = "),
        ('modalities = ["mr"]\n[reference.outcomes]\nyes = ["ja"]', 'modalities = ["mr"]', 7,
         "A reference is reports or a table of outcomes. Remove modalities, or [reference.outcomes]."),
        ("[reference.outcomes]\nyes = []", '[reference]\nmodalities = ["mr"]', 8, "yes lists nothing."),
        ('name = "fracture"\nterms = ["(crack|break)"]\n[[pathologies]]\nname = "tear"\nterms = ["Break"]',
         'name = "fracture"', 23, "'break' is a term of 'tear' and of 'fracture'. Leave it with one of them."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place_and_remedy(
    tmp_path: Path, said: str, in_place_of: str, line: int, why: str
) -> None:
    with pytest.raises(InputError) as told:
        read_study(written(tmp_path, LEAST.replace(in_place_of, said)))
    assert str(told.value).startswith(f"knee.toml, line {line}: {why}")


def test_words_in_a_wrong_notation_are_told_with_their_place_too(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, LEAST + 'terms = ["fracture", "crack (s"]\n')
    with pytest.raises(InputError, match=r"^knee\.toml, line 20: "):
        rules_engine(own=laid_over(settings))


@pytest.mark.parametrize(("text", "why"), [("a = [", "no valid TOML"), ('name = "x"', "Write modalities")])
def test_what_is_no_study_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_study(written(tmp_path, text))


def test_a_study_without_pathologies_is_none_but_the_chest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^knee\.toml names no pathology\."):
        read_study(written(tmp_path, LEAST.partition("[[path")[0]))
    path = tmp_path / "long.toml"
    path.write_bytes(b"#" * (1 << 19))
    with pytest.raises(InputError, match="too long"):
        read_study(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        read_study(path)


@pytest.mark.parametrize("how", [{"second": "bundled"}, {"engine": "llama"}])
def test_models_can_be_asked_about_a_study(tmp_path: Path, how: dict[str, str]) -> None:
    settings = settings_of(tmp_path)
    assert settings.second == "none"
    close_engine(make_engine(how.get("engine", "rules"), "", settings.changed(**how)))  # their worked examples hold


def test_what_it_has_locked_stays_and_another_study_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, LEAST)
    assert chosen_study(path)["window_hours"] == 720
    assert "window_hours" not in chosen_study(path, {"window_hours": 24})
    settings = settings_of(tmp_path)
    require_same(settings.study, settings)
    for other, of in (("", settings), (settings.study, Settings())):
        with pytest.raises(InputError, match="and stays so"):
            require_same(other, of)
