"""Contingency tables from observations, and observations from files, whose rows are read as in test_text_tables.py."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.calibration.tables import build_tables, read_observations, with_outcomes
from radcal.system.columns import FAULT_COLUMNS
from radcal.system.errors import InputError
from radcal.words.records import Phrase

WORDS = (
    Phrase("absent", 0, 1, 0, 0, synonyms=("no",)),
    Phrase("possibly", 2, 3, 0, 1, synonyms=("may be",)),
    Phrase("likely", 4, 1, 0, 1),
    Phrase("present", 1, 0, 1, 1),
)


def frame(rows: list[tuple[str, str, str, object]], last: str = "outcome") -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["author", "topic", "phrase", last])


def test_counts_by_hand() -> None:
    rows = [
        ("B", "edema", "likely", 1),
        ("A", "edema", "likely", 0),
        ("A", "edema", "likely", 1),
        ("A", "edema", "likely", 1),
        ("A", "cancer", "absent", 0.5),
    ]
    tables = build_tables(frame(rows), WORDS)
    assert tables.groups == (("A", "cancer"), ("A", "edema"), ("B", "edema"))
    assert tables.references == ("0", "0.5", "1")
    assert tables.positive.tolist() == [0, 0.5, 1]
    assert tables.counts[1, 2].tolist() == [1, 0, 2]
    assert tables.counts[0, 0].tolist() == [0, 1, 0]
    assert tables.counts.sum() == 5
    assert not tables.unknown


def test_outcomes_of_others_make_room_and_change_no_count() -> None:
    tables = build_tables(frame([("A", "edema", "likely", 1), ("A", "edema", "absent", 0.5)]), WORDS)
    padded = with_outcomes(tables, np.array([0.0, 0.123, 0.5, 1.0]))
    assert padded.positive.tolist() == [0, 0.123, 0.5, 1]
    assert padded.counts[0, 2].tolist() == [0, 0, 0, 1]
    np.testing.assert_array_equal(padded.counts @ padded.positive, tables.counts @ tables.positive)
    assert with_outcomes(tables, np.linspace(0, 1, 100)) is tables  # too many to be references of their own
    assert with_outcomes(tables, np.array([0.0, 1.0])) is tables  # not all of the tables' own


def test_reference_phrases_count_for_their_means_or_as_the_paper_reads_them() -> None:
    rows = [("A", "edema", "likely", "present"), ("A", "edema", "likely", "possibly"), ("A", "edema", "absent", "no")]
    tables = build_tables(frame(rows, "reference_phrase"), WORDS)
    assert tables.references == tuple(p.name for p in WORDS)
    assert tables.positive == pytest.approx([0, 2 / 5, 4 / 5, 1])
    # P(Beta(2, 3) > 1/2) = 5/16
    paper = build_tables(frame(rows, "reference_phrase"), WORDS, "paper")
    assert paper.positive == pytest.approx([0, 5 / 16, 15 / 16, 1])
    assert tables.counts[0, 2].tolist() == [0, 1, 0, 1]
    assert tables.counts[0, 0].tolist() == [1, 0, 0, 0]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.booleans())
def test_counts_agree_with_grouping_row_by_row(seed: int, size: int, categorical: bool) -> None:
    rng = np.random.default_rng(seed)
    data = frame(
        [
            (f"author {a}", f"topic {t}", WORDS[k].name, float(o))
            for a, t, k, o in zip(*rng.integers(0, 4, (3, size)), rng.integers(0, 2, size), strict=True)
        ]
    )
    tables = build_tables(data.astype({"author": "category", "phrase": "category"}) if categorical else data, WORDS)
    expected: dict[tuple[str, str, str, str], int] = {}
    for row in data.itertuples(index=False):
        key = (row.author, row.topic, row.phrase, f"{row.outcome:g}")
        expected[key] = expected.get(key, 0) + 1
    found = {
        (*tables.groups[q], tables.phrases[k], tables.references[r]): int(tables.counts[q, k, r])
        for q, k, r in zip(*np.nonzero(tables.counts), strict=True)
    }
    assert found == expected


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.sampled_from(["outcome", "reference_phrase"]))
def test_rows_that_agree_may_be_counted_first(seed: int, size: int, column: str) -> None:
    rng = np.random.default_rng(seed)
    values = [0.0, 0.3, 1.0] if column == "outcome" else ["absent", "likely", "no such word"]
    data = pd.DataFrame(
        {
            "author": rng.choice(["A", "B"], size),
            "topic": rng.choice(["edema", "cancer"], size),
            "phrase": rng.choice(["likely", "absent", "hmm"], size, p=[0.6, 0.3, 0.1]),
            column: rng.choice(values, size),
        }
    )
    data = pd.concat([data, frame([("A", "edema", "likely", values[0])], column)], ignore_index=True)
    counted = data.groupby([*data.columns], sort=False).size().rename("n").reset_index()
    rows, counts = build_tables(data, WORDS), build_tables(counted, WORDS, n=counted["n"].to_numpy())
    assert counts.groups == rows.groups
    assert counts.references == rows.references
    assert counts.counts.tolist() == rows.counts.tolist()
    assert counts.unknown == rows.unknown


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(65, 500))
def test_continuous_outcomes_keep_n_and_y_exact(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    outcome = np.append(rng.random(size), [0.0, 1.0, 0.07])
    data = pd.DataFrame(
        {
            "author": "A",
            "topic": rng.choice(["edema", "cancer"], len(outcome)),
            "phrase": rng.choice([p.name for p in WORDS], len(outcome)),
            "outcome": outcome,
        }
    )
    tables = build_tables(data, WORDS)
    assert len(tables.references) == 101
    for q, (_, topic) in enumerate(tables.groups):
        for k, name in enumerate(tables.phrases):
            own = data.outcome[(data.topic == topic) & (data.phrase == name)]
            assert tables.counts[q, k].sum() == pytest.approx(len(own))
            assert tables.counts[q, k] @ tables.positive == pytest.approx(own.sum())
    assert (tables.counts >= 0).all()


def test_unknown_phrases_are_counted_and_left_out() -> None:
    rows = [
        ("A", "edema", "Likely ", 1),
        ("A", "edema", "May  be", 1),
        ("A", "edema", "hmm", 1),
        ("B", "edema", "hmm", 0),
        ("B", "edema", "who knows", 0),
    ]
    tables = build_tables(frame(rows), WORDS)
    assert tables.groups == (("A", "edema"),)
    assert tables.counts.sum(axis=2).tolist() == [[0, 1, 1, 0]]
    assert list(tables.unknown.items()) == [("hmm", 2), ("who knows", 1)]
    references = frame([("A", "edema", "likely", "present"), ("A", "edema", "likely", "hmm")], "reference_phrase")
    known = build_tables(references, WORDS)
    assert known.unknown == {"hmm": 1}
    assert (known.counts[0, 2].tolist(), known.counts.sum()) == ([0, 0, 0, 1], 1)
    wordless = frame([("A", "edema", "likely", "present"), ("A", "edema", "hmm", "present")], "reference_phrase")
    assert build_tables(wordless, WORDS).counts.tolist() == known.counts.tolist()
    left_over = frame(rows[:2]).astype({"phrase": pd.CategoricalDtype(["Likely ", "May  be", "hmm"])})
    assert build_tables(left_over, WORDS).unknown == {}, "a category that nobody used"
    with pytest.raises(InputError, match=r"None of the 3 observations.* They say 'hmm'\."):
        build_tables(frame([("A", "edema", "hmm", 1)] * 3), WORDS)
    with pytest.raises(InputError, match=r"None of the 1 observations has a phrase of the lexicon. Add"):
        build_tables(frame([("A", "edema", "Erika Mustermann", 1)]), WORDS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.drop(columns="topic"), "no column 'topic'"),
        (lambda d: d.drop(columns="outcome"), "neither a column 'outcome' nor 'reference_phrase'"),
        (lambda d: d.iloc[:0], "no observations"),
        (lambda d: d.assign(outcome=[0, 1.2, -1]), r"Row 1, column 'outcome': .* outside 0 to 1 \(2 rows in all\)"),
        (lambda d: d.assign(outcome=[0, 1, "yes"]), "Row 2, column 'outcome': .* no number"),
        (
            lambda d: d.assign(outcome=[0, None, 1]),
            r"Row 1, column 'outcome': the outcome is missing or no number\. Mend",
        ),
        (lambda d: d.assign(author=["A", None, "A"]), "Row 1, column 'author': the cell is empty"),
        (lambda d: d.assign(topic=["x", "y", " "]), "Row 2, column 'topic': the cell is empty"),
        (lambda d: d.assign(phrase=["x", None, "y"]).astype({"phrase": "category"}), "Row 1, column 'phrase'"),
    ],
)
def test_unusable_observations_are_refused_by_row_and_column(change, message: str) -> None:
    data = frame([("A", "edema", "likely", 1)] * 3)
    with pytest.raises(InputError, match=message):
        build_tables(change(data), WORDS)


def test_file_with_bad_rows(tmp_path: Path) -> None:
    path = tmp_path / "obs.csv"
    path.write_text(
        "Author,TOPIC,phrase,outcome,ward\n"
        "A, edema,likely,1,7\n"
        "A,edema,likely,,7\n"
        "A,edema,likely,many,7\n"
        "A,edema,likely,1.5,7\n"
        ",edema,likely,1,7\n"
        "A,edema,,1,7\n"
        "A,edema,likely,1,7,8\n"
        '"A",edema,"likely, indeed",0.25,"7, 8"\n'
    )
    observations, rejected = read_observations(path)
    assert list(observations.columns) == ["author", "topic", "phrase", "outcome", "ward"]
    assert observations.index.tolist() == [2, 9]
    assert observations.topic.tolist() == ["edema", "edema"]
    assert observations.phrase.tolist() == ["likely", "likely, indeed"]
    assert observations.outcome.tolist() == [1, 0.25]
    assert observations.ward.tolist() == ["7", "7, 8"]
    assert list(rejected.columns) == list(FAULT_COLUMNS)
    assert set(rejected.file) == {"obs.csv"}
    assert dict(zip(rejected.row, rejected.reason, strict=True)) == {
        3: "The outcome is missing.",
        4: "The outcome is no number.",
        5: "The outcome is outside 0 to 1.",
        6: "The author is missing.",
        7: "The phrase is missing.",
        8: "The row has more cells than there are columns.",
    }


@pytest.mark.parametrize("reference", ["outcome", "reference_phrase"])
def test_rows_without_a_ct_need_no_outcome_and_enter_no_table(tmp_path: Path, reference: str) -> None:
    path, (yes, no) = tmp_path / "obs.csv", (("1", "0") if reference == "outcome" else ("present", "absent"))
    path.write_text(
        f"author,topic,phrase,{reference},verified,site\n"
        f"A,edema,likely,{yes},true,north\nA,edema,likely,{no},1,north\nA,edema,likely,,False,south\n"
        f"A,edema,likely,whatever,0,south\nA,edema,likely,,true,\nA,edema,likely,{yes},0.5,\nA,edema,likely,{yes},,\n"
    )
    observations, rejected = read_observations(path)
    assert observations.verified.tolist() == [True, True, False, False]
    assert observations.site.tolist() == ["north", "north", "south", "south"]
    assert dict(zip(rejected.row, rejected.reason, strict=True)) == {
        6: f"The row is verified, but has no {reference}.",
        7: "The cell of 'verified' is neither true nor false.",
        8: "The verified is missing.",
    }
    words = WORDS
    alone = build_tables(observations[observations.verified], words)
    np.testing.assert_array_equal(build_tables(observations, words).counts, alone.counts)
    assert alone.counts.sum() == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_encodings_separators_and_decimal_commas(tmp_path: Path, encoding: str, separator: str) -> None:
    path = tmp_path / "obs.txt"
    rows = [("author", "topic", "phrase", "outcome"), ("Müller", "Ödem", "likely", "0,5")]
    path.write_text("\n".join(separator.join(r) for r in rows), encoding=encoding)
    observations, rejected = read_observations(path)
    assert observations.iloc[0].tolist() == ["Müller", "Ödem", "likely", 0.5]
    assert rejected.empty
    assert build_tables(observations, WORDS).groups == (("Müller", "Ödem"),)


def test_reference_phrases_count_where_no_outcome_is_given(tmp_path: Path) -> None:
    path = tmp_path / "obs.csv"
    path.write_text("author,topic,phrase,outcome,reference_phrase\nA,edema,likely,,present\nA,edema,likely,,\n")
    observations, rejected = read_observations(path)
    assert "outcome" not in observations
    assert observations.reference_phrase.tolist() == ["present"]
    assert rejected.reason.tolist() == ["The reference phrase is missing."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("author,topic,phrase\n", "neither a column"),
        ("author,phrase,outcome\nA,likely,1\n", "no column 'topic'.*author, phrase, outcome"),
        (
            "author,topic,phrase,outcome\nA,edema,likely,perhaps\nA,edema,may,hardly\n",
            r"No row of obs.csv can be used. The first of 2 is row 2. The outcome is no number. Enter a number from 0",
        ),
    ],
)
def test_unusable_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "obs.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_observations(path)
    with pytest.raises(InputError, match="There is no file"):
        read_observations(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    "header", ["author,topic,phrase,outcome", "author,topic,phrase,outcome,ward", "outcome,author,topic,phrase"]
)
@pytest.mark.parametrize("outcome", ["0,5", "0,0", "1,0", "0,75", ",5"])
def test_a_decimal_comma_among_commas_is_never_read_as_another_number(
    tmp_path: Path, header: str, outcome: str
) -> None:
    cells = {"author": "avery", "topic": "edema", "phrase": "likely", "ward": "7"}
    lines = [",".join({**cells, "outcome": o}[name] for name in header.split(",")) for o in ("1", outcome, "0.5")]
    path = tmp_path / "obs.csv"
    path.write_text("\n".join([header, *lines]), encoding="utf-8")
    observations, rejected = read_observations(path)
    assert observations.outcome.tolist() == [1, 0.5]
    assert observations.index.tolist() == [2, 4]
    assert rejected.row.tolist() == [3]
    assert rejected.reason.tolist() == ["The outcome has a decimal comma, and commas separate the cells of this file."]
    semicolons = [";".join({**cells, "outcome": o}[name] for name in header.split(",")) for o in ("1", outcome)]
    path.write_text("\n".join([header.replace(",", ";"), *semicolons]), encoding="utf-8")
    read = read_observations(path)
    assert read.rejected.empty
    assert read.rows.outcome.tolist() == [1, float(outcome.replace(",", "."))]


def test_a_header_that_may_be_data_is_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "obs.csv"
    path.write_text("Erika Mustermann,edema,likely,1\n")
    with pytest.raises(InputError, match=r"no column 'author'\. Its first row holds no column") as caught:
        read_observations(path)
    assert "Mustermann" not in str(caught.value)
    path.write_text("author,Erika Mustermann,phrase,outcome\n")
    with pytest.raises(InputError, match=r"no column 'topic'. Its columns are: author, \(column 2\), phrase, outcome"):
        read_observations(path)


@pytest.mark.parametrize(("distinct", "references"), [(64, 64), (65, 101)])
def test_up_to_64_outcomes_are_references_of_their_own(distinct: int, references: int) -> None:
    outcomes = np.linspace(0, 1, distinct)
    tables = build_tables(frame([("A", "edema", "likely", p) for p in outcomes]), WORDS)
    assert len(tables.references) == len(tables.positive) == references
    assert (tables.counts @ tables.positive)[0, 2] == pytest.approx(outcomes.sum())
