"""The rules in several processes: what one reads, all read, in order; what breaks a process costs one report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radcal.findings import side_by_side
from radcal.findings.engines import make_engine, prepare
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.findings.side_by_side import extraction_of, item_of, reading
from radcal.reports.records import Document, Section
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.system.workers import LOST, unpacked
from radcal.system.workers import packed as through_json
from radcal.words.phrases import load_lexicon

Report = Callable[..., Document]
SENTENCES = (
    "No pleural effusion or pneumothorax.",
    "Left base opacity, likely atelectasis; early pneumonia cannot be excluded.",
    "Small pleural\neffusions are unchanged.",
    (Section.IMPRESSION, "Nodule in the lingula, possibly a granuloma \ud800."),
)


@pytest.fixture(scope="session")
def reports(report: Report) -> list[Document]:
    """Reports of one to four sentences, one of which no engine reads, because it is Spanish."""
    made = [report(str(i), *SENTENCES[: 1 + i % 4]) for i in range(30)]
    spanish = "No se observa derrame pleural. Los pulmones están bien ventilados y la silueta cardíaca es normal."
    return [*made, report("foreign", spanish)]


@pytest.mark.slow
def test_several_processes_read_what_one_reads(
    rules: RulesEngine, reports: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_by_side, "_FEW", 3)
    monkeypatch.setattr(side_by_side, "_BATCH", 4)
    expected = list(rules.extract(reports, SILENT))
    several = make_engine("rules", settings=Settings(workers=2, second="none"))
    assert isinstance(several, side_by_side.SideBySide)
    assert list(several.extract(iter(reports), SILENT)) == expected
    assert (several.name, several.version) == (rules.name, rules.version)
    assert several.settings_hash == rules.settings_hash
    assert any(extraction.failure for extraction in expected)


def test_a_reading_passes_through_json_unchanged(rules: RulesEngine, reports: list[Document]) -> None:
    answers = reading(rules)(unpacked(through_json([item_of(one) for one in reports])))
    for one, expected, said in zip(reports, rules.extract(reports, SILENT), answers, strict=True):
        answer = unpacked(through_json(said))
        made = extraction_of(one.report_id, answer, rules.name)
        assert made == expected
        if expected.failure:
            assert isinstance(made.failure, Text)
            assert isinstance(expected.failure, Text)
            assert made.failure.record() == expected.failure.record()
        assert all(isinstance(f.section, Section) for f in made.findings)


def test_what_kills_two_processes_is_a_failure_that_says_so() -> None:
    lost = extraction_of("xray:1", LOST, "rules")
    assert lost.report_id == "xray:1"
    assert not lost.findings
    assert "broke down twice" in lost.failure


def test_the_words_of_a_department_go_along(reports: list[Document], tmp_path: Path) -> None:
    shipped = load_lexicon()
    renamed = replace(
        shipped, phrases=tuple(replace(p, name="could well be") if p.name == "possibly" else p for p in shipped.phrases)
    )
    orders: list[Any] = []

    class Noting(side_by_side.Workers):
        def __init__(self, module: str, order: Any, *rest: Any) -> None:
            orders.append(order)
            super().__init__(module, order, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side_by_side, "Workers", Noting)
        several = make_engine("rules", settings=Settings(workers=2, second="none"), lexicon=renamed)
        list(several.extract(reports, SILENT))
    engine = rules_engine(None, renamed)
    assert several.settings_hash == engine.settings_hash != rules_engine().settings_hash
    order = unpacked(through_json(orders[0]))
    read = prepare(order)(map(item_of, reports))
    found = [extraction_of(r.report_id, answer, engine.name) for r, answer in zip(reports, read, strict=True)]
    assert found == list(engine.extract(reports, SILENT))
    assert any(f.phrase == "could well be" for e in found for f in e.findings)
    with pytest.raises(InputError, match="the same words"):
        prepare({**order, "identity": ["other"]})
