"""Window, paper, card, macros, checked drafts and files say the same of every word, in twenty made-up departments."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt

from radcal.advice import said as sayings
from radcal.advice.advice import advise
from radcal.advice.alternatives import Alternatives
from radcal.advice.draft_check import DraftCheck
from radcal.advice.judged_records import Judged
from radcal.advice.judging import judge_all, judge_author
from radcal.advice.report import to_json as advice_to_json
from radcal.advice.said import of_group
from radcal.advice.stored_analysis import Analysis
from radcal.calibration.analysis_records import AuthorPairs, Provenance
from radcal.calibration.pooled import measure_pooled, pooled
from radcal.calibration.records import POOLS, SURE
from radcal.calibration.reference import mixes_of
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.report import to_json as reliability_to_json
from radcal.calibration.stored_analysis import Basis
from radcal.calibration.tables import build_tables
from radcal.feedback.card import personal_card
from radcal.feedback.content import MOST_GOOD_WORDS, MOST_RECOMMENDATIONS, personal_content
from radcal.feedback.dictation_macros import advised_macros
from radcal.feedback.pages import feedback_input
from radcal.system.progress import SILENT
from radcal.system.selection import ALL_DAYS, Group, Selection
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import begun
from radcal.words.phrases import load_lexicon, mean_of
from ui.operations import _with_results
from ui.pages.feedback import checked
from ui.pages.results.what_if import work
from ui.pages.results.words import WordColumn, WordTableModel
from ui.records import Opened
from ui.sentences import judged_text, phrase_sentence

LEXICON = load_lexicon()
WORDS = LEXICON.phrases
KNOWN = {p.name: p for p in WORDS}
TOPICS = ("edema", "pneumonia", "pleural effusion", "pneumothorax", "atelectasis")
SHAPES = {"matches": "hollow", "stronger": "down", "weaker": "up", "undecided": "hollow", "too few": "hollow"}
OFF = ("stronger", "weaker")
CLAIMED = ("matches", *OFF)
SHOWN = {
    "matches": ("matches", "matches"),
    "stronger": ("overstated", "found less often"),
    "weaker": ("understated", "found more often"),
    "undecided": ("undecided", "undecided"),
    "too few": ("too few", "too few"),
}
"""By verdict, what the table says of a word for a finding and of one against it."""
PROVENANCE = Provenance("rules", "1", "x", "x", 0, {}, None, None, 1, datetime(2026, 10, 2))
EVIDENCE = pd.DataFrame({"topic": [], "phrase": [], "outcome": [], "xray_time": []})
"""No sentence is printed as an example."""


@dataclass(frozen=True)
class Made:
    """A department: its statements, what was made of them, and how."""

    settings: Settings
    statements: pd.DataFrame
    analysis: Analysis


@cache
def drawn(seed: int) -> Made:
    """A department whose readers overstate, understate or mean what they say, with few words or many."""
    rng = np.random.default_rng(seed)
    authors = ("Avery", "Brooks", "Casey")[: 1 + seed % 3]
    topics = TOPICS[: (1, 2, 5)[seed // 3 % 3]]
    hedges = [p for p in WORDS if 0 < mean_of(p) < 1]
    rows = []
    for author in authors:
        slope, shift = rng.choice([0.3, 0.7, 1.0, 1.6]), rng.normal(0, 0.6)
        for topic in topics:
            some = rng.choice(len(hedges), size=rng.integers(2, 4 if seed % 2 else 9), replace=False)
            apart = rng.normal(0, 0.8) if seed % 4 == 0 else 0.0
            for word in (*(hedges[k] for k in some), WORDS[0], WORDS[-1]):
                stated = min(max(mean_of(word), 0.02), 0.98)
                odds = slope * math.log(stated / (1 - stated)) + shift * (0 < mean_of(word) < 1) + apart
                n = int(rng.choice([3, 8, 14, 40, 120]))
                true = rng.random(n) < 1 / (1 + math.exp(-odds))
                outcome = np.where(rng.random(n) < 0.1 * (seed % 5 == 0), 0.75, true.astype(float))
                rows += [(author, topic, word.name, float(y)) for y in outcome]
    statements = pd.DataFrame(rows, columns=["author", "topic", "phrase", "outcome"])
    settings = Settings(
        bootstrap=20,
        max_steps=1 if seed % 7 == 0 else 12,
        allowed_phrases=("absent", "possibly", "likely", "present") if seed % 6 == 0 else (),
    )
    tables = build_tables(statements, WORDS)
    spread = spread_of(tables, WORDS, settings)
    rates = measure(tables, WORDS, settings, spread=spread)
    advices = advise(tables, rates, WORDS, settings, spread=spread)
    own = tuple(zip(rates, advices, strict=True))
    together = [(pooled(tables, by), measure_pooled(tables, WORDS, settings, by, spread=spread)) for by in POOLS]
    return Made(
        settings,
        statements,
        Analysis(
            reliabilities=rates,
            advices=advices,
            counts=(),
            provenance=PROVENANCE,
            pairs=tuple(AuthorPairs(author, 1, 0, None, None) for author in authors),
            pooled=tuple(r for _, found in together for r in found),
            pooled_advices=tuple(
                a for t, found in together for a in advise(t, found, WORDS, settings, spread=spread, parts=own)
            ),
            mixes=mixes_of(tables),
            spread=spread,
        ),
    )


def of_author(made: Made, author: str) -> Analysis:
    found = made.analysis
    return replace(
        found,
        reliabilities=tuple(r for r in found.reliabilities if r.author == author),
        advices=tuple(a for a in found.advices if a.author == author),
        pooled=tuple(r for r in found.pooled if r.author == author),
        pooled_advices=tuple(a for a in found.pooled_advices if a.author == author),
        pairs=tuple(p for p in found.pairs if p.author == author),
    )


def in_window(made: Made) -> Opened:
    settings = made.settings
    department = cast("Any", SimpleNamespace(settings=settings))
    opened = Opened(department, "", Path(), {}, WORDS, settings.min_phrase_n, settings.min_group_n)
    return _with_results(opened, made.analysis)


def explored(made: Made, group: Group) -> work.Explored:
    """The what-if tab on a group, worked out from its statements as there."""

    def tables(selection: Selection) -> Any:
        own = made.statements[made.statements["author"] == selection.author]
        if selection.topic == ALL_TOPICS:
            return build_tables(own.assign(topic=ALL_TOPICS), WORDS, mixes=made.analysis.mixes)
        return build_tables(own[own["topic"] == selection.topic], WORDS, mixes=made.analysis.mixes)

    every = {(r.author, r.topic): r for r in (*made.analysis.reliabilities, *made.analysis.pooled)}
    groups = SimpleNamespace(
        tables=tables,
        outcomes=lambda _author: np.unique(made.statements["outcome"]),
        reliability=lambda selection: every[selection.author, selection.topic],
    )
    basis = Basis(WORDS, made.settings, spread=made.analysis.spread)
    stored = SimpleNamespace(basis=lambda _author: basis, is_model=lambda _author: False)
    context = SimpleNamespace(analysis_key="x", settings=made.settings)
    authors = SimpleNamespace(analysis=lambda author, _days: of_author(made, author))
    alternatives = Alternatives(*map(cast, ["Any"] * 4, (context, stored, groups, authors)))
    department = SimpleNamespace(alternatives=alternatives, settings=made.settings)
    return work.explore(Selection(group.author, group.topic), {}, cast("Any", department), SILENT)


def draft_check(made: Made, author: str) -> DraftCheck:
    stored = SimpleNamespace(basis=lambda _author: Basis(WORDS, made.settings), lexicon=LEXICON)
    authors = SimpleNamespace(
        analysis=lambda _author, _days, _progress: of_author(made, author), wordings=lambda _author, _days: ()
    )
    context = SimpleNamespace(settings=made.settings)
    return DraftCheck(*map(cast, ["Any"] * 3, (context, stored, authors)))


QUICK = (0, 2, 7, 13, 16)
"""Departments with each number of readers and topics, and every oddity; `make test` sees these."""


@pytest.fixture(
    scope="module", params=[pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in range(20)]
)
def made(request: pytest.FixtureRequest) -> Made:
    return drawn(request.param)


def test_verdict_and_advice_on_a_word_are_the_same_everywhere(made: Made, qapp: object) -> None:
    opened, fewest = in_window(made), made.settings.min_phrase_n
    every = (*made.analysis.reliabilities, *made.analysis.pooled)
    advices = (*made.analysis.advices, *made.analysis.pooled_advices)
    files = advice_to_json(advices, None, judge_all(every, advices, {}, WORDS, fewest))["groups"]
    in_file = {(g["author"], g["topic"], w["phrase"]): w for g in files for w in g["words"]}
    measured = {
        (g["author"], g["topic"], p["phrase"]): (p["verdict"], p["probability"])
        for g in reliability_to_json(every, None)["groups"]
        for p in g["phrases"]
    }
    for author in sorted({r.author for r in made.analysis.reliabilities}):
        own = of_author(made, author)
        data = feedback_input(author, own, EVIDENCE, "P", WORDS, ALL_DAYS, {})
        pages = personal_content(replace(data, examples=()), made.settings, full=True)
        more, named = pages["further"], {begun(topic): topic for topic in TOPICS}
        sections = {ALL_TOPICS: more["together"], **{named[p["topic"]]: p for p in more["pathologies"]}}
        judged = judge_author(own, WORDS, fewest)
        assert sayings.of_author(opened.judged(author), own=True) == sayings.of_author(judged, own=True)
        macros = {
            (m.topic, source): m.phrase
            for m in advised_macros(judged, made.settings.sure, "en").macros
            for source in m.instead_of
        }
        seen: dict[tuple[str, str], tuple[str, str]] = {}
        for group, view in {**opened.groups, **opened.pooled}.items():
            if group.author != author:
                continue
            table = WordTableModel()
            table.set_words(view.judged.words, fewest)
            page = explored(made, group)
            on_page = {j.name: j for j in page.view.judged.words}
            assert set(on_page) == {r.phrase for r in view.reliability.phrases if r.n > 0}
            section = sections.get(group.topic)
            printed = {row["phrase"]: row for row in section["rows"]} if section else {}
            for row in range(table.rowCount()):
                word = table.row(row).phrase
                shown = str(table.data(table.index(row, WordColumn.VERDICT), Qt.ItemDataRole.DisplayRole))
                judged_word = view.judged.word(word)
                assert judged_word is not None
                verdict, closer = judged_word.verdict, judged_word.closer
                seen[group.topic, word] = verdict, closer
                # By itself: the verdict of the rates, and the advice that was made.
                raw = next(r for r in view.reliability.phrases if r.phrase == word)
                assert verdict == raw.verdict
                assert measured[author, group.topic, word] == (verdict, pytest.approx(raw.probability))
                # As sure as it says, in the table and in words.
                assert (raw.probability >= SURE and raw.n >= fewest) or verdict not in CLAIMED
                closer_alone = bool(closer) and verdict not in OFF
                claim = "another is closer" if closer_alone else SHOWN[verdict][judged_word.against]
                assert shown == claim
                assert judged_text(judged_word).startswith(claim)
                tip = phrase_sentence(judged_word, fewest)
                assert ("would have been closer" in tip or "in its place" in tip) == bool(closer)
                assert closer_alone or (begun(judged_text(judged_word, full=True)) in tip) == (verdict != "too few")
                if verdict in OFF:  # the rate that CT leads to expect lies on that side, and so does the advice
                    side = 1 if verdict == "weaker" else -1
                    assert side * (raw.expected - raw.mean) > 0
                    assert not closer or side * (mean_of(KNOWN[closer]) - raw.mean) > 0
                stored = (
                    next((r for r in view.advice.recommendations if r.source == word), None) if view.advice else None
                )
                assert stored is None or stored.target == closer
                # The what-if tab: what is advised is what the plan draws.
                j = on_page[word]
                assert (j.verdict, j.closer) == (verdict, closer)
                instead = {other for other, share in page.advised.get(word, {}).items() if other != word and share > 0}
                assert instead == ({closer} if closer else set())
                # Paper.
                if printed:
                    said_to_match = (group.topic, word) in _matching(seen)
                    assert printed[word]["plot"]["shape"] == ("dot" if said_to_match else SHAPES[verdict])
                    assert ("would have been closer (" in printed[word]["written"]) == bool(closer)
                    assert not closer or _proposed(closer) in printed[word]["written"].lower()
                # Files.
                filed = in_file[author, group.topic, word]
                assert (filed["verdict"], filed["closer"]) == (verdict, closer or None)
                assert filed["probability"] == pytest.approx(raw.probability)
                if group.topic != ALL_TOPICS and closer:
                    assert macros.pop((group.topic, word)) == closer
            of_topic = {word: said for (topic, word), said in seen.items() if topic == group.topic}
            # The one sentence is about a word that differs or is advised on, and says so.
            said = of_group(view.judged, own=False)
            if said.word is not None:
                verdict, closer = of_topic[said.word.name]
                assert verdict in OFF or closer
                assert bool(said.closer) == bool(closer)
                assert not any(v in OFF for v, _ in of_topic.values()) or verdict in OFF
        assert not macros
        # As many are counted where pages are handed out as stand on them.
        views = [v for g, v in {**opened.groups, **opened.pooled}.items() if g.author == author]
        advised = [j for v in views for j in v.judged.words if j.advice is not None and not j.pooled]
        assert len(advised) == len(judged.suggestions)
        assert len(pages["recommendations"]) <= min(len(advised), MOST_RECOMMENDATIONS)
        assert bool(pages["recommendations"]) == bool(advised)
        _check_first_page(pages, seen, judged)
        _check_card(personal_card(data, made.settings), seen)
        _check_drafts(draft_check(made, author), author, seen, fewest)


NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _matching(seen: dict[tuple[str, str], tuple[str, str]]) -> set[tuple[str, str]]:
    """Words that match, have no advice, and are not off or advised on for a pathology where they do so for all."""
    against = {word for (at, word), said in seen.items() if at != ALL_TOPICS and (said[0] in OFF or said[1])}
    agreeing = {key for key, said in seen.items() if said == ("matches", "")}
    return {(topic, word) for topic, word in agreeing if topic != ALL_TOPICS or word not in against}


def _check_first_page(pages: Any, seen: dict[tuple[str, str], tuple[str, str]], judged: Judged) -> None:
    """The first page counts and names what the following ones show, and no suggestion contradicts another."""
    single = {key: said for key, said in seen.items() if key[0] != ALL_TOPICS}
    agreeing = _matching(seen)
    if number := re.search(r"(\w+) words? matched[;.]", pages["rest"]):
        counted = number.group(1).lower()
        assert (NUMBERS.index(counted) + 1 if counted in NUMBERS else int(counted)) == len(agreeing), pages["rest"]
    found = re.findall("\u2018([^\u2019]+)\u2019 for ([^(]+) \\(", pages["good"])
    assert {({"all pathologies": ALL_TOPICS}.get(topic, topic), word) for word, topic in found} <= agreeing
    assert min(len(agreeing), MOST_GOOD_WORDS) <= len(found) <= MOST_GOOD_WORDS + 1
    marks = {"\u25bc": "stronger", "\u25b2": "weaker", "\u25cf": "matches", "": ""}
    topics = {begun(topic): topic for topic in TOPICS} | {"All pathologies": ALL_TOPICS}
    for row in (*pages["table"]["rows"], *pages["table"]["whole"]):
        for column, cell in zip(pages["table"]["words"], row["cells"], strict=True):
            if cell is not None:
                key = topics[row["topic"]], column["name"]
                assert marks[cell["mark"]] == (seen[key][0] if seen[key][0] in OFF or key in agreeing else "")
    for (topic, word), (_, closer) in seen.items():
        if topic == ALL_TOPICS and closer:
            of_word = {other for (at, name), (_, other) in seen.items() if name == word and at != ALL_TOPICS}
            # Nothing is said where the few uses in one pathology lie nearer to the word itself.
            assert {closer} <= of_word <= {closer, ""}, (word, closer, of_word)
            assert not any(said == ("matches", "") for (_, name), said in single.items() if name == word)
    for r in pages["recommendations"]:
        assert seen[topics[r["topic"]], r["source"]][1] == r["target"]
    assert (judged.pooled is not None) == (pages["further"]["together"] is not None)


def _proposed(word: str) -> str:
    return {"absent": "a plain \u2018no\u2019", "present": "a plain statement"}.get(word, f"\u2018{word}\u2019")


def _check_card(card: Any, seen: dict[tuple[str, str], tuple[str, str]]) -> None:
    """What is bold on the card differs."""
    for half in filter(None, (card["front"], *card["back"])):
        topic = {"all pathologies": ALL_TOPICS}.get(half["head"].lower(), half["head"].lower())
        for row in half["rows"]:
            word = row["phrase"].strip("\u2018\u2019")
            assert row["differs"] == (seen[topic, word][0] in OFF)


def _check_drafts(check: DraftCheck, author: str, seen: dict[tuple[str, str], tuple[str, str]], fewest: int) -> None:
    """A sentence tried has the verdict and the advice of the pages, also where the word is new for the pathology."""
    found, over_all = 0, {word: closer for (topic, word), (_, closer) in seen.items() if topic == ALL_TOPICS}
    for topic in TOPICS:
        for phrase in WORDS:
            text = {"absent": f"No {topic}.", "present": f"{topic.capitalize()}."}.get(
                phrase.name, f"{phrase.name.capitalize()} {topic}."
            )
            for word in check.read(text, author).words:
                if (word.topic, word.phrase) != (topic, phrase.name):
                    continue
                verdict, closer = seen.get((topic, phrase.name), ("never", over_all.get(phrase.name, "")))
                assert (word.judged.verdict, word.judged.closer) == (verdict, closer), text
                assert bool(checked.kind(word)) == word.judged.decided
                said = checked.sentence(word, fewest)
                assert ("closer" in said) >= bool(closer)
                found += (topic, phrase.name) in seen
    assert found >= 3


@pytest.mark.slow
def test_the_departments_hold_every_case(qapp: object) -> None:
    """What is compared above is there to be compared: every verdict with and without advice, and shared advice."""
    found: set[tuple[str, bool]] = set()
    shared = contradicted = 0
    for seed in range(20):
        every = in_window(drawn(seed))
        for view in {**every.groups, **every.pooled}.values():
            for j in view.judged.words:
                found.add((j.verdict, bool(j.closer)))
                shared += j.pooled
                contradicted += "but not in each of them" in j.why
    assert found >= {(verdict, advised) for verdict in (*OFF, "undecided") for advised in (True, False)}
    assert ("too few", True) in found
    assert shared >= 5
    assert contradicted >= 1
