"""Presets of systems: shipped, saved and read back, and checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.reports import reasons
from radcal.reports.documents import read_documents_csv
from radcal.reports.fields import FIELDS, REPORT_FIELDS, reports_need
from radcal.reports.presets import LARGEST, preset_called, read_preset, shipped_presets, toml_of, with_preset
from radcal.reports.readers import read_reports
from radcal.reports.records import NO_PRESET, Preset
from radcal.reports.statuses import STATUSES
from radcal.system.errors import InputError

NAMES = ("centricity", "cerner", "epic", "powerscribe", "sectra")


@pytest.mark.parametrize("name", NAMES)
def test_shipped_presets_hold_what_an_import_needs(name: str) -> None:
    preset = preset_called(name)
    columns = dict(preset.columns)
    assert "typical export" in preset.name
    assert all(any(field in columns for field in group) for group in reports_need(None, has_files=False))
    assert {"dictator", "signer"} & columns.keys()
    assert len(set(columns.values())) == len(columns)
    assert tuple(shipped_presets()) == NAMES


words = st.text(min_size=1, max_size=30).map(str.strip).filter(bool)


@given(
    columns=st.dictionaries(st.sampled_from(REPORT_FIELDS), words, max_size=5),
    statuses=st.dictionaries(st.sampled_from(["done", "seen"]), st.sampled_from(STATUSES)),
    breaks=st.lists(words, max_size=2),
    day_first=st.sampled_from([None, True, False]),
    encoding=st.sampled_from(["", "cp1252"]),
)
def test_a_preset_comes_back_as_it_was_saved(
    tmp_path_factory: pytest.TempPathFactory,
    columns: dict[str, str],
    statuses: dict[str, str],
    breaks: list[str],
    day_first: bool | None,
    encoding: str,
) -> None:
    preset = Preset(
        "Ours", "About.", tuple(columns.items()), day_first, encoding, tuple(statuses.items()), tuple(breaks)
    )
    path = tmp_path_factory.mktemp("preset") / "ours.toml"
    path.write_text(toml_of(preset), encoding="utf-8")
    assert read_preset(path) == preset


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('name = "x"\n\n[columns]\naccession = "A"\nacession = "B"\n', "line 5: there is no such field"),
        ('name = "x"\ncolums = "A"\n', "line 2: there is no such entry"),
        ('dates = "ymd"\n', "line 1: it is 'day first' or 'month first'"),
        ('\nencoding = "klingon"\n', "line 2: no such encoding"),
        ('breaks = "~"\n', "line 1: it is a list"),
        ('[statuses]\n"Done" = "ready"\n', "line 2: a status is final"),
        ("[columns]\naccession = 3\n", "line 2: it is a text of 1 to 200 characters"),
        ("columns = 3\n", "line 1: it is a table"),
        ('name = "x"\nAshworth, Ada\n', "line 2 is no TOML"),
        ("x" * (LARGEST + 1), "larger than any preset"),
    ],
)
def test_a_broken_preset_is_refused_with_its_line(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=why) as caught:
        read_preset(path)
    assert "ours.toml" in str(caught.value)
    assert "Ash" not in str(caught.value)


def test_bytes_that_are_no_text_and_names_that_are_no_preset(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match="no text in UTF-8"):
        read_preset(path)
    with pytest.raises(InputError, match=r"no preset 'nowhere'.*epic"):
        preset_called("nowhere")
    assert preset_called("EPIC") == preset_called("epic")


def test_a_chosen_column_comes_before_the_preset() -> None:
    preset = Preset("x", columns=(("accession", "ACC"), ("text", "T")))
    assert with_preset(preset, tuple(FIELDS), {"text": "acc"}) == {"text": "acc"}
    assert with_preset(preset, ("accession",), {}) == {"accession": "ACC"}
    assert with_preset(NO_PRESET, tuple(FIELDS), {"text": "T"}) == {"text": "T"}


HEADER = "NR;Wer;exam;exam time;Worte;Zeichen;signed by"


def test_columns_dates_encoding_statuses_and_breaks_are_those_of_the_preset(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    row = "1;P1;CT Chest;03/04/2024 10:00;Größe normal.~Kein Erguss.;fertig;Ash"
    other = "2;P1;CT Chest;03/04/2024 10:00;Kein Erguss.;weg;Ash"
    path.write_bytes(f"{HEADER}\n{row}\n{other}\n".encode("cp850"))
    columns = (
        ("accession", "NR"),
        ("patient_id", "Wer"),
        ("text", "Worte"),
        ("status", "Zeichen"),
        ("modality", "MOD"),
    )
    preset = Preset("Haus", "", columns, True, "cp850", (("fertig", "final"), ("weg", "cancelled")), ("~",))
    read = read_reports([path], preset=preset)
    report = read.reports.iloc[0]
    assert (report["text"], report["status"]) == ("Größe normal.\nKein Erguss.", "final")
    assert report["exam_time"].month == 4
    assert read.rejected[["row", "reason", "accession"]].to_numpy().tolist() == [[3, reasons.CANCELLED.sentence, "2"]]
    lacking, *others = read.notes
    assert lacking == ("x.csv lacks columns of the preset 'Haus': MOD. What they hold was recognised as without it.")
    assert not any("03/04/2024" in note for note in others)


def test_a_preset_serves_the_reports_that_are_only_read(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Fall,Worte\nR1,Clear.|No edema.\n", encoding="utf-8")
    preset = Preset("x", columns=(("report_id", "Fall"), ("text", "Worte")), breaks=("|",))
    documents, _, _ = read_documents_csv(path, preset=preset)
    assert [d.text for d in documents] == ["Clear.\nNo edema."]
