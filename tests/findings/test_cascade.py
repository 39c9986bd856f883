"""The cascade: the rules' reading, with a Llama's where they left something unread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings import cascade
from radcal.findings.cascade import Cascade
from radcal.findings.records import Extraction, Finding
from radcal.reports.records import Document, Section
from radcal.system.errors import Cancelled, EngineError
from radcal.system.progress import SILENT, Progress
from radcal.words.records import ABSENT, PRESENT, UNREAD
from tests.cases import cases_of

cases = cases_of(__file__)

HEDGE = "likely"


def finding(
    pathology: str, phrase: str, start: int = 0, term: int = 0, cue: int = 80, *, report: str = "xray:1"
) -> Finding:
    """A finding with a term and a cue of three letters each, in a sentence of a hundred; without a cue for -1."""
    spans = start + term, start + term + 3, *((-1, -1) if cue < 0 else (start + cue, start + cue + 3))
    return Finding(report, pathology, phrase, "", "text", Section.FINDINGS, start, start + 100, *spans, engine="rules")


@dataclass
class Given:
    """An engine that reads what is given for each report; no findings where nothing is."""

    name: str
    readings: dict[str, Extraction] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    version: str = "1+library.2"
    settings_hash: str = "x"
    model: Path = Path("tiny.gguf")
    busy: bool = False
    done: list[str] = field(default_factory=list)

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        assert not self.busy
        self.busy = True
        for document in documents:
            progress.raise_if_cancelled()
            self.asked.append(document.report_id)
            yield self.readings.get(document.report_id, Extraction(document.report_id, ()))
            progress.advance()
        self.busy = False

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name not in ("pause", "resume", "close", "forget"):
            raise AttributeError(name)
        return lambda: self.done.append(name)


def reads(name: str, *findings: Finding) -> dict[str, Extraction]:
    ids = dict.fromkeys(f.report_id for f in findings)
    return {i: Extraction(i, tuple(replace(f, engine=name) for f in findings if f.report_id == i)) for i in ids}


def documents(*ids: str) -> list[Document]:
    return [Document(i, "text", ()) for i in ids]


def made(rules: Given, llama: Given, asks: cascade.Asks = "unread") -> Cascade:
    return Cascade(rules, cast("Any", llama), asks)


def joined(rules: Iterable[Finding], llama: Iterable[Finding]) -> tuple[Finding, ...]:
    """What a cascade makes of the findings of both in one report."""
    one = made(Given("rules", reads("rules", *rules)), Given("llama", reads("llama", *llama)))
    [read] = one.extract(documents("xray:1"), SILENT)
    return read.findings


def cue_of(f: Finding) -> set[int]:
    return set(range(f.cue_start, f.cue_end))


def said(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    return [(f.pathology, f.phrase, f.engine) for f in findings]


# --- what becomes of an unread finding ------------------------------------------------------------------


def test_the_llama_stands_in_for_what_the_rules_left_unread_and_for_nothing_else() -> None:
    rules = [finding("edema", PRESENT), finding("mass", UNREAD, term=20), finding("nodule", HEDGE, 200)]
    llama = [
        finding("edema", ABSENT),
        finding("mass", HEDGE, term=19),
        finding("mass", PRESENT, 200),
        finding("hernia", PRESENT),
    ]
    assert said(joined(rules, llama)) == [
        ("edema", PRESENT, "rules"),
        ("mass", HEDGE, "llama"),
        ("nodule", HEDGE, "rules"),
    ]


@pytest.mark.parametrize("elsewhere", [finding("edema", PRESENT), finding("mass", PRESENT, 200)])
def test_what_the_llama_reads_of_something_else_or_elsewhere_leaves_it_unread(elsewhere: Finding) -> None:
    assert said(joined([finding("mass", UNREAD)], [elsewhere])) == [("mass", UNREAD, "rules")]


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        (finding("mass", HEDGE, cue=82), True),
        (finding("mass", PRESENT, cue=78), True),
        (finding("mass", HEDGE, cue=83), False),
        (finding("mass", ABSENT, cue=77), False),
        (finding("mass", HEDGE, cue=-1), True),
        (finding("mass", ABSENT, cue=-1), True),
        (finding("mass", PRESENT, cue=-1), False),
    ],
)
def test_what_overlooks_the_words_of_doubt_is_no_answer(answer: Finding, taken: bool) -> None:
    """A plain "present" beside words of doubt is what an unread finding is there to prevent."""
    got = joined([finding("mass", UNREAD, cue=80)], [answer])
    assert said(got) == [("mass", answer.phrase, "llama") if taken else ("mass", UNREAD, "rules")]


@pytest.mark.parametrize(("probability", "taken"), [(0.49, False), (0.5, True), (None, True)])
def test_an_answer_that_is_less_likely_than_not_is_none(probability: float | None, taken: bool) -> None:
    answer = replace(finding("mass", HEDGE), probability=probability)
    assert said(joined([finding("mass", UNREAD)], [answer]))[0][1] == (HEDGE if taken else UNREAD)


def test_words_that_the_rules_have_read_are_no_answer_to_those_that_they_have_not() -> None:
    rules = [finding("mass", ABSENT, term=0), finding("mass", UNREAD, term=50)]
    assert said(joined(rules, [finding("mass", HEDGE, term=1)])) == said(rules)
    both = [finding("mass", HEDGE, term=1), finding("mass", PRESENT, term=50)]
    assert said(joined(rules, both)) == [("mass", ABSENT, "rules"), ("mass", PRESENT, "llama")]


def test_an_answer_that_the_rules_have_given_already_is_not_given_twice() -> None:
    rules = [finding("mass", ABSENT, term=0), finding("mass", UNREAD, term=50)]
    assert said(joined(rules, [finding("mass", ABSENT, term=50)])) == [("mass", ABSENT, "rules")]


FINDINGS = st.lists(
    st.builds(
        finding,
        st.sampled_from(["edema", "mass"]),
        st.sampled_from([PRESENT, ABSENT, HEDGE, UNREAD]),
        st.sampled_from([0, 100]),
        st.sampled_from([0, 2, 50]),
        st.sampled_from([-1, 60, 78, 80]),
    ),
    max_size=6,
    # The rules say a phrase of a pathology once in a sentence.
    unique_by=lambda f: (f.pathology, f.phrase, f.start),
)


@given(rules=FINDINGS, llama=FINDINGS.map(lambda fs: [f for f in fs if f.phrase != UNREAD]))
def test_a_cascade_adds_nothing_but_answers_and_loses_nothing_that_was_read(
    rules: list[Finding], llama: list[Finding]
) -> None:
    got = joined(rules, llama)
    assert [f for f in got if f.engine == "rules" and f.phrase != UNREAD] == [f for f in rules if f.phrase != UNREAD]
    places = {(f.pathology, f.start) for f in rules if f.phrase == UNREAD}
    answers = [f for f in got if f.engine == "llama"]
    assert all((f.pathology, f.start) in places and replace(f, engine="rules") in llama for f in answers)
    left = {(f.pathology, f.start) for f in got if f.phrase == UNREAD}
    assert left <= places
    assert left.isdisjoint((f.pathology, f.start) for f in answers)
    once = [(f.pathology, f.phrase, f.start) for f in got]
    assert len(once) == len(set(once))
    # Where the rules have read nothing of it there, every answer that goes by the words of doubt is taken.
    doubts = {(f.pathology, f.start): range(f.cue_start, f.cue_end) for f in rules if f.phrase == UNREAD}
    llama = [
        f
        for f in llama
        if (f.phrase != PRESENT if f.cue_start < 0 else set(doubts.get((f.pathology, f.start), ())) & cue_of(f))
    ]
    for place, phrase in product(places, (PRESENT, ABSENT, HEDGE)):
        alone = not any((f.pathology, f.start) == place and f.phrase != UNREAD for f in rules)
        told = any((f.pathology, f.start) == place and f.phrase == phrase for f in llama)
        assert not alone or told == any((f.pathology, f.start) == place and f.phrase == phrase for f in answers)


# --- who is asked ---------------------------------------------------------------------------------------

FOUR = (
    *reads("rules", finding("mass", UNREAD, report="xray:unread")).items(),
    *reads("rules", finding("mass", HEDGE, report="xray:hedged")).items(),
    *reads("rules", finding("mass", PRESENT, report="xray:plain")).items(),
    ("xray:broken", Extraction("xray:broken", (), "cannot be read")),
)


@cases("the_llama_is_asked_where_the_setting_says_so")
def test_the_llama_is_asked_where_the_setting_says_so(asks: cascade.Asks, asked: list[str]) -> None:
    llama = Given("llama")
    one = made(Given("rules", dict(FOUR)), llama, asks)
    read = list(one.extract(documents(*(i for i, _ in FOUR)), SILENT))
    assert llama.asked == asked
    assert [e.report_id for e in read if e.second is not None] == asked
    assert [e.failure for e in read] == ["", "", "", "cannot be read"]


def test_a_report_that_the_llama_cannot_read_stays_as_the_rules_read_it() -> None:
    rules = Given("rules", reads("rules", finding("mass", UNREAD)))
    failed = Extraction("xray:1", (), "took too long")
    [read] = made(rules, Given("llama", {"xray:1": failed})).extract(documents("xray:1"), SILENT)
    assert said(read.findings) == [("mass", UNREAD, "rules")]
    assert (read.failure, read.second) == ("", failed)


@given(unread=st.lists(st.booleans(), max_size=12), chunk=st.integers(1, 5), stop=st.integers(0, 12))
def test_the_order_is_kept_and_what_is_left_after_a_stop_is_read_the_same(
    unread: list[bool], chunk: int, stop: int
) -> None:
    ids = [f"xray:{n}" for n in range(len(unread))]
    found = [finding("mass", UNREAD if u else PRESENT, report=i) for i, u in zip(ids, unread, strict=True)]
    told = [finding("mass", HEDGE, report=i) for i in ids]

    def new() -> Cascade:
        return made(Given("rules", reads("rules", *found)), Given("llama", reads("llama", *told)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cascade, "_CHUNK", chunk)
        whole = list(new().extract(iter(documents(*ids)), SILENT))
        again, first = new(), []
        for read, _ in zip(again.extract(documents(*ids), SILENT), range(stop), strict=False):
            first.append(read)
        rest = new().extract(documents(*ids[len(first) :]), SILENT)
        assert [*first, *rest] == whole
    assert [e.report_id for e in whole] == ids
    assert [f.phrase for e in whole for f in e.findings] == [HEDGE if u else PRESENT for u in unread]


def test_only_a_chunk_of_reports_is_read_ahead_and_the_llama_is_free_after_each() -> None:
    taken: list[str] = []

    def endless() -> Iterator[Document]:
        for n in range(10_000):
            taken.append(f"xray:{n}")
            yield Document(f"xray:{n}", "text", ())

    llama = Given("llama")
    reading = made(Given("rules"), llama, "all").extract(endless(), SILENT)
    for _ in range(1001):
        next(reading)
    assert len(taken) == 2000
    assert len(llama.asked) == 1001


def test_each_report_is_counted_once_and_a_stop_reaches_both_engines(onlooker: Any) -> None:
    watched = onlooker()
    ids = [i for i, _ in FOUR]
    list(made(Given("rules", dict(FOUR)), Given("llama"), "hedged").extract(documents(*ids), watched))
    assert watched.done == 4
    assert watched.notes[-1] == "the Llama was asked about 2 of 4 reports"
    for looks in (1, 4):
        watched = onlooker(looks=looks)
        with pytest.raises(Cancelled):
            list(made(Given("rules", dict(FOUR)), Given("llama"), "hedged").extract(documents(*ids), watched))


def test_a_llama_that_cannot_start_is_an_error_only_where_it_is_asked() -> None:
    class Broken(Given):
        def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
            raise EngineError("The Llama process could not start.")

    rules = Given("rules", dict(FOUR))
    plain = documents("xray:plain", "xray:hedged")
    assert len(list(made(rules, Broken("llama")).extract(plain, SILENT))) == 2
    with pytest.raises(EngineError, match="could not start"):
        list(made(rules, Broken("llama")).extract(documents("xray:unread"), SILENT))


# --- what it is -----------------------------------------------------------------------------------------


def test_version_and_hash_are_of_both_engines_and_the_setting() -> None:
    one = made(Given("rules"), Given("llama"))
    assert one.version == "1.0+rules.1+library.2+llama.1+library.2"
    assert one.settings_hash == "63e75fbeb2f859db", "of runs that departments have"
    assert (one.model, one.model_name, one.host, one.sent) == (Path("tiny.gguf"), "", "", 0)
    others = [
        made(Given("rules", settings_hash="y"), Given("llama")),
        made(Given("rules"), Given("llama", settings_hash="y")),
        made(Given("rules"), Given("llama"), "all"),
    ]
    assert len({c.settings_hash for c in (one, *others)}) == 4
    assert made(Given("rules", version="2"), Given("llama")).version != one.version
    assert made(Given("rules"), Given("llama", version="2")).version != one.version


def test_it_is_paused_and_closed_as_its_engines_are() -> None:
    rules, llama = Given("rules"), Given("llama")
    one = made(rules, llama)
    one.pause()
    one.resume()
    one.close()
    assert (rules.done, llama.done) == (["forget"], ["pause", "resume", "close"])
