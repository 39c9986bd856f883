"""Reading files of certainties: what can be used, what cannot and why, and which row is which."""

from __future__ import annotations

import pandas as pd
import pytest

from radcal.lab.groups.partitions import read_scores
from radcal.system.errors import InputError


@pytest.fixture
def read(tmp_path):
    def _read(text, *columns, **more):
        path = tmp_path / "S.csv"
        path.write_text(text, encoding="utf-8")
        return read_scores(path, columns, **more)

    return _read


def test_rows_are_numbered_as_they_stand_in_the_file(read):
    file = read("author,confidence,outcome\nA,0.5,1\nA,2,1\nA,,0\n\nA,0.7,true\nA,0.8,0,x\nA,0.9,FALSE\n")
    assert list(file.rows[["confidence", "outcome"]].itertuples(name=None)) == [(0, 0.5, 1), (3, 0.7, 1), (5, 0.9, 0)]
    assert file.lines.tolist() == [2, 6, 8]
    assert file.rejected[["row", "reason"]].to_numpy().tolist() == [
        [3, "The confidence is outside 0 to 1."],
        [4, "The confidence is missing."],
        [7, "The row has more cells than there are columns."],
    ]


@pytest.mark.parametrize("separator", ",;\t")
def test_rows_have_the_numbers_that_pandas_gives_them(read, tmp_path, separator):
    """Rows of empty cells count, blank lines do not, and rows that cannot be used keep their number."""
    lines = [
        "author,confidence,outcome,site",
        "A,0.5,1,X",
        ",,,",
        "",
        "   ",
        "A,0.6,0,",
        "A,,1,Y",
        ' ,"",,',
        "A,0.7,1,Z",
    ]
    lines += [",", '"A",0.8,1,"in\ntwo lines"', ",,,", "A,0.9,0,W", ",,,"]
    text = "\n".join(lines).replace(",", separator) + "\n\n"
    file = read(text)
    theirs = pd.read_csv(tmp_path / "S.csv", sep=separator)
    assert (
        theirs["confidence"][file.rows.index].tolist() == file.rows["confidence"].tolist() == [0.5, 0.6, 0.7, 0.8, 0.9]
    )
    assert file.rows.index.tolist() == [0, 2, 5, 7, 9]
    assert file.rejected["reason"].tolist() == ["The confidence is missing."]


def test_a_column_to_group_by_may_be_written_in_another_case(read):
    head = "Author,Confidence,OUTCOME,Site"
    assert read(f"{head}\nA,0.5,1,X\n", "site").rows["site"].tolist() == ["X"]
    assert read(f"{head},site\nA,0.5,1,X,Y\n", "site").rows["site"].tolist() == ["Y"]
    assert read(f"{head}\nA,0.5,1,7\n", coordinates=("SITE",)).rows["SITE"].tolist() == [7]
    with pytest.raises(InputError, match="has no column 'SITE'"):
        read(f"{head},site\nA,0.5,1,X,Y\n", "SITE")


def test_a_header_alone_is_refused(read):
    for text in ("author,confidence,outcome\n", "author,confidence,outcome\n\n,,\n"):
        with pytest.raises(InputError, match="has a header and no rows"):
            read(text)


def test_cells_that_programs_write_for_nothing_are_missing(read):
    file = read(
        "author,confidence,outcome,x\nA,NaN,1,1\nA,0.5,nan,1\nA,0.5,1,nan\nA,0.5,1,\nA,0.5,1,wide\nA,0.5,1,inf\n",
        coordinates=("x",),
    )
    assert file.rows["x"].isna().tolist() == [True, True]
    assert file.rejected["reason"].tolist() == [
        "The confidence is missing.",
        "The outcome is missing.",
        "The x is no number.",
        "The x is no number.",
    ]
    assert set(file.rejected["remedy"][2:]) == {"Enter a number."}


def test_phrases_count_as_what_they_mean(read):
    text = "author;confidence;outcome\nA;Likely;1\nA;0,25;0\nA;quite a surprise;1\nA;Dr. Karin Holt;1\n"
    file = read(text, meaning={"Likely": 0.75}.get)
    assert file.rows["confidence"].tolist() == [0.75, 0.25]
    assert file.rejected["reason"].tolist() == [
        "'quite a surprise' is neither a number nor a phrase of the lexicon.",
        "The confidence is neither a number nor a phrase of the lexicon.",
    ]
    file = read(text)
    assert file.rows["confidence"].tolist() == [0.25]
    assert "name a lexicon" in file.rejected["remedy"][0]


def test_a_column_that_is_not_there_or_cannot_group(read):
    text = "author,confidence,outcome,site\nA,0.5,1,X\n"
    assert read(text, "site").rows["site"].tolist() == ["X"]
    with pytest.raises(InputError, match="has no column 'shift'"):
        read(text, "shift")
    with pytest.raises(InputError, match="has no column 'x1'"):
        read(text, coordinates=("x1",))
    with pytest.raises(InputError, match=r"'site' of S\.csv holds no numbers"):
        read(text, coordinates=("site",))
    with pytest.raises(InputError, match="has no column 'outcome'"):
        read("author,confidence\nA,0.5\n")
    with pytest.raises(InputError, match="cannot be grouped by 'Outcome'"):
        read(text, "Outcome")
    with pytest.raises(InputError, match=r"No row of .* can be used"):
        read("author,confidence,outcome\nA,1.5,1\n")
