"""Files of answers, well made and not."""

from __future__ import annotations

import pytest

from radcal.lab.word_counts import read_word_counts
from radcal.system.errors import InputError


@pytest.fixture
def read(tmp_path):
    def _read(text, encoding="utf-8"):
        path = tmp_path / "answers.csv"
        path.write_text(text, encoding=encoding)
        return read_word_counts(path)

    return _read


def rows(found):
    return sorted(found.answers.itertuples(index=False, name=None))


def test_rows_without_a_column_of_counts_are_answers(read):
    found = read("context,source,word\nc,h,likely\nc,h,likely\nc,m,may\n")
    assert rows(found) == [("c", "h", "likely", 1), ("c", "h", "likely", 1), ("c", "m", "may", 1)]
    assert found.single == ("h", "m")
    assert found.rejected.empty


def test_one_source_counts_and_another_does_not(read):
    found = read("Context,Source,Word,Count\nc,h,likely,\nc,m,likely,0.25\nc,m,may,0.75\n")
    assert rows(found) == [("c", "h", "likely", 1), ("c", "m", "likely", 0.25), ("c", "m", "may", 0.75)]
    assert found.single == ("h",)


def test_words_of_other_case_and_spacing_are_the_same(read):
    found = read('context,source,word,count\nc , h,Most  likely,1\nc,h,"most likely.",2\nc,m,MOST LIKELY,1\n')
    assert {row[:3] for row in rows(found)} == {("c", "h", "most likely"), ("c", "m", "most likely")}
    assert found.merged == 2


def test_a_word_of_punctuation_alone_stays(read):
    assert rows(read("context,source,word\nc,h,?\nc,h,...\n")) == [("c", "h", "...", 1), ("c", "h", "?", 1)]


def test_rows_that_cannot_be_used_are_listed(read):
    found = read(
        "context,source,word,count\n,h,a,1\nc,,a,1\nc,h,,1\nc,h,a,\nc,h,a,many\nc,h,a,-1\nc,h,a,nan\nc,h,a\nc,h,a,2\n"
    )
    assert rows(found) == [("c", "h", "a", 2)]
    assert found.rejected["row"].tolist() == [2, 3, 4, 5, 6, 7, 8, 9]
    assert (found.rejected["file"] == "answers.csv").all()
    assert found.rejected["reason"].tolist()[:6] == [
        "The context is missing.",
        "The source is missing.",
        "The word is missing.",
        "The count is missing.",
        "The count is no number.",
        "The count is outside 0 to 999999.",
    ]
    assert found.rejected["remedy"].str.len().min() > 0


def test_more_answers_than_can_be_parted_are_refused_by_their_row(read):
    few = "c,h,few,1\n"
    many = "".join(f"d,{source},w{n},999999\n" for source in "hm" for n in range(501))
    with pytest.raises(InputError, match=r"answers.csv, row 3: the counts of this context add up to 1,001,998,998"):
        read(f"context,source,word,count\n{few}{many}")
    assert len(rows(read(f"context,source,word,count\n{few}{many.replace('999999', '0.25')}"))) == 1003
