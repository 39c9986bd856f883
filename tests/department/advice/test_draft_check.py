"""A draft: its words are found, told of from the author's own results, and forgotten."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radcal.advice.author_results import AuthorResults
from radcal.advice.draft_check import LONGEST, CheckedDraft, CheckedWord
from radcal.advice.judged_records import Standing
from radcal.advice.records import Advice, Recommendation, Withheld
from radcal.calibration.records import PhraseRate, Reliability, Wording
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.department import Department
from radcal.findings.rules.engine import rules_engine
from radcal.reports.sections import document
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT

ADVICE_TEXT = "When you wrote 'likely' for edema, CT confirmed it in 41 of 87 (47 %, 37-57 %)."


def rate(phrase: str, n: float, y: float) -> PhraseRate:
    return PhraseRate(phrase, n, y, y / n, max(0.0, y / n - 0.1), min(1.0, y / n + 0.1), 0.5)


@pytest.fixture
def results(analysed: Department, author: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts results in the place of the author's: on edema, with the given advice."""
    analysis = analysed.analysis()
    assert analysis is not None
    likely = rate("likely", 87, 41)
    may = rate("may represent", 60, 29)._replace(verdict="matches")
    edema = Reliability(author, "edema", 150, (likely, may, rate("probably", 3, 2), rate("absent", 30, 1)))

    def put(target: str = "may represent", **changes: Any) -> None:
        shown = Recommendation("likely", target, 0.8, 0.93, likely, ADVICE_TEXT)
        advice = Advice(
            author, "edema", 150, "ordered", (), (), (), recommendations=(shown,), agreeing=("may represent",)
        )
        advice = replace(advice, **changes)
        made = replace(analysis, reliabilities=(edema,), advices=(advice,))
        monkeypatch.setattr(StoredAnalysis, "last", lambda _self: made)

    put()
    return put


def one(tried: CheckedDraft) -> CheckedWord:
    [word] = tried.words
    return word


def applied(text: str, word: CheckedWord) -> str:
    assert word.replacement
    return text[: word.replace_start] + word.replacement + text[word.replace_end :]


@pytest.mark.usefixtures("results")
def test_a_word_with_advice_comes_with_its_sentence_and_an_edit(analysed: Department, author: str) -> None:
    text = "Likely edema."
    word = one(analysed.draft_check.read(text, author))
    assert (word.topic, word.phrase, word.verbatim) == ("edema", "likely", "Likely")
    assert text[word.start : word.end] == "Likely"
    assert word.judged.advice is not None
    assert word.judged.advice.text == ADVICE_TEXT
    assert word.judged.closer == "may represent"
    assert (word.judged.rate.n, word.judged.rate.positives) == (87, 41)
    assert applied(text, word) == "May represent edema."


@pytest.mark.parametrize(("confirmed", "advised"), [(1, True), (9, False)])
@pytest.mark.usefixtures("results")
def test_no_word_is_advised_that_the_very_wording_is_no_nearer_to(
    analysed: Department, author: str, monkeypatch: pytest.MonkeyPatch, confirmed: int, advised: bool
) -> None:
    """Of "likely" as a whole CT confirmed less than it means, of "favored", which is read as it, almost all."""
    own = Wording("edema", "likely", "is favored", 10, confirmed, confirmed / 10, 0, 1)
    monkeypatch.setattr(AuthorResults, "wordings", lambda *_: (own,))
    assert one(analysed.draft_check.read("Likely edema.", author)).judged.closer == "may represent"
    word = one(analysed.draft_check.read("Edema is favored.", author))
    assert word.phrase == "likely"
    assert word.judged.closer == ("may represent" if advised else "")
    assert bool(word.judged.why) != advised
    assert bool(word.replacement) <= advised


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("May represent edema.", Standing.MATCHES),
        ("Probable edema.", Standing.FEW),
        ("Possible edema.", Standing.NEVER),
        ("Likely pneumothorax.", Standing.NEVER),
        ("No edema.", Standing.UNDECIDED),
    ],
)
def test_without_advice_the_verdict_is_told(analysed: Department, author: str, text: str, shown: Standing) -> None:
    word = one(analysed.draft_check.read(text, author))
    assert word.judged.standing is shown
    assert (word.judged.rate.n == 0) == (shown is Standing.NEVER)
    assert word.judged.closer == word.replacement == ""


def test_withheld_advice_gives_its_own_reason(analysed: Department, author: str, results: Callable[..., None]) -> None:
    results(recommendations=(), withheld=(Withheld("likely", "No better word."),), reason="None at all.")
    assert one(analysed.draft_check.read("Likely edema.", author)).judged.why == "No better word."
    assert one(analysed.draft_check.read("No edema.", author)).judged.why == "None at all."


@pytest.mark.usefixtures("results")
def test_as_many_uses_as_advice_needs_are_not_few(analysed: Department, author: str) -> None:
    """'Probably' was said 3 times."""
    for needed, shown in ((4, Standing.FEW), (3, Standing.UNDECIDED)):
        analysed.save_settings(analysed.settings.changed(min_phrase_n=needed))
        assert one(analysed.draft_check.read("Probable edema.", author)).judged.standing is shown


@pytest.mark.usefixtures("results")
def test_any_section_counts_but_what_asserts_nothing(analysed: Department, author: str) -> None:
    for draft in ("FINDINGS: Likely edema.", "IMPRESSION:\nLikely edema.", "Likely edema.\nIMPRESSION: As above."):
        assert one(analysed.draft_check.read(draft, author)).judged.closer, draft
    text = "Likely edema above a heading.\nFINDINGS: Likely edema."
    tried = analysed.draft_check.read(text, author)
    assert [text[w.start : w.end] for w in tried.words] == ["Likely", "Likely"]
    assert analysed.draft_check.read("INDICATION: Likely edema.", author).words == ()
    assert analysed.draft_check.read("", author).words == ()


@pytest.mark.usefixtures("results")
def test_spans_are_those_of_the_draft_whatever_stands_before(analysed: Department, author: str) -> None:
    for before in ("", "\n\n", "FINDINGS:\r\n", "\U0001f600 \u00e4\u00f6 ", "1. "):
        text = f"{before}There is likely edema."
        word = one(analysed.draft_check.read(text, author))
        assert text[word.start : word.end] == "likely", before


TARGETS = ("possibly", "may represent", "suggestive of", "suspicious for", "most likely", "unlikely", "question of")
DRAFTS = (
    "Likely edema.",
    "Opacities, likely edema, on the right.",
    "Likely mild pulmonary edema at both bases.",
    "Edema is likely.",
    "Findings are likely edema.",
    "There is likely edema and no pneumothorax.",
    "Likely edema or infection.",
    "Edema, likely.",
)


def test_every_edit_that_is_offered_reads_as_advised_and_changes_nothing_else(
    analysed: Department, author: str, results: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = rules_engine()
    monkeypatch.setattr(AuthorResults, "wordings", lambda *_: ())

    def read(text: str) -> list[tuple[str, str]]:
        [extraction] = engine.extract([document("x", text)], SILENT)
        return [(f.pathology, f.phrase) for f in extraction.findings]

    offered = 0
    for target in TARGETS:
        results(target)
        for draft in DRAFTS:
            before = read(draft)
            for word in analysed.draft_check.read(draft, author).words:
                assert bool(word.judged.closer) == ((word.topic, word.phrase) == ("edema", "likely"))
                if word.replacement:
                    offered += 1
                    after = read(applied(draft, word))
                    place = before.index(("edema", "likely"))
                    assert after == [*before[:place], ("edema", target), *before[place + 1 :]], (draft, target)
    assert offered > 20


@pytest.mark.parametrize("draft", ["Findings are likely edema.", "Edema is likely.", "This is likely edema."])
def test_a_verb_is_not_put_behind_a_verb(
    analysed: Department, author: str, results: Callable[..., None], draft: str
) -> None:
    results("may represent")
    word = one(analysed.draft_check.read(draft, author))
    assert word.judged.closer
    assert word.replacement == ""


@pytest.mark.usefixtures("results")
def test_nothing_of_a_draft_is_kept(analysed: Department, author: str, tmp_path: Path) -> None:
    secret = "zebrafinch"
    before = analysed.path.read_bytes()
    tried = analysed.draft_check.read(f"Likely edema near the {secret}.", author)
    assert secret in tried.text
    del tried
    assert analysed.path.read_bytes() == before
    assert [p for p in tmp_path.iterdir() if secret.encode() in p.read_bytes()] == []
    gc.collect()
    assert not [text for text in _texts_in_memory() if f"near the {secret}" in text.casefold()]


def _texts_in_memory() -> Iterator[str]:
    """Every text that anything refers to: also records, and what functions remember."""
    for holder in gc.get_objects():
        for held in gc.get_referents(holder):
            # Tuples of nothing but texts, such as the keys of what is remembered, are not listed themselves.
            for text in held if isinstance(held, tuple) and not gc.is_tracked(held) else (held,):
                if isinstance(text, str):
                    yield text


def test_the_words_of_the_department_are_read(analysed: Department, author: str) -> None:
    from radcal.words.phrases import Lexicon

    assert one(analysed.draft_check.read("Tummy sense of edema.", author)).phrase == "present"
    words = analysed.lexicon
    changed = tuple(
        replace(p, synonyms=(*p.synonyms, "tummy sense of")) if p.name == "possibly" else p for p in words.phrases
    )
    analysed.words.save(Lexicon(changed, words.name))
    analysed.runs.extract()
    analysed.analyse()
    assert one(analysed.draft_check.read("Tummy sense of edema.", author)).phrase == "possibly"


def test_hedges_in_no_list_are_told_as_such(analysed: Department, author: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = tuple(p for p in analysed.phrases() if p.name != "likely")
    monkeypatch.setattr(StoredAnalysis, "phrases", words)
    word = one(analysed.draft_check.read("Likely edema.", author))
    assert (word.judged.standing, word.judged.phrase, word.replacement) == (Standing.UNKNOWN, None, "")


def test_without_results_there_is_nothing_to_try(filled: Department) -> None:
    with pytest.raises(DataError, match="no analysis"):
        filled.draft_check.read("Likely edema.", "x")


def test_what_cannot_be_tried_is_refused_without_quoting_it(analysed: Department) -> None:
    with pytest.raises(InputError, match="no radiologist 'x'"):
        analysed.draft_check.read("Likely edema.", "x")
    with pytest.raises(InputError, match="20,001 characters") as caught:
        analysed.draft_check.read("e" * (LONGEST + 1), analysed.authors()[0])
    assert "eee" not in str(caught.value)


def test_the_counts_of_the_wordings_add_up_to_those_of_the_phrase(analysed: Department, author: str) -> None:
    drafts = ("Likely pleural effusion.", "Possible pneumothorax.", "No pneumothorax.", "Cardiomegaly.", "No edema.")
    found = [word for draft in drafts for word in analysed.draft_check.read(draft, author).words if word.judged.rate.n]
    assert found
    for word in found:
        assert {(w.topic, w.phrase) for w in word.written} == {(word.topic, word.phrase)}
        assert sum(w.n for w in word.written) == word.judged.rate.n
        assert sum(w.positives for w in word.written) == pytest.approx(word.judged.rate.positives)
