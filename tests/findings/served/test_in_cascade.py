"""A cascade that asks a server: it is sent what the rules leave to it and nothing else, whatever goes wrong there."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings import cascade
from radcal.findings.cascade import Asks, Cascade
from radcal.findings.records import Extraction
from radcal.findings.rules.engine import rules_engine
from radcal.findings.run_records import second_of
from radcal.findings.served import dispatch, reading, trial
from radcal.findings.served.engine import ServedEngine
from radcal.reports.records import Document
from radcal.system.errors import Cancelled, EngineError, InputError
from radcal.system.progress import SILENT
from radcal.words.records import UNREAD

DOUBT, HEDGED, PLAIN = "A small effusion I would guess.", "Likely pneumonia.", "No pneumothorax."
ANSWER = '{"findings": [{"sentence": 1, "pathology": "pleural effusion", "phrase": "I would guess"}]}'
NUMBER = re.compile(r"Clip (\d+)\.")
PATIENCE = 60.0
"""Seconds after which what a test waits for is not coming any more."""
Made = Callable[..., Cascade]


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third try for a report is the last: for the next its budget has no room, however slow the machine."""
    monkeypatch.setattr(reading, "backing_off", lambda: iter((0.01, 0.01, 10 * PATIENCE)))
    monkeypatch.setattr(trial, "_UNREACHABLE_SECONDS", 0.1)


@pytest.fixture
def made(engine: Callable[..., ServedEngine]) -> Iterator[Made]:
    """Makes cascades of the rules and the server at an address."""
    with ExitStack() as closing:

        def make(url: str, asks: Asks = "unread", **options: Any) -> Cascade:
            one = Cascade(rules_engine(), engine(url, **options), asks)
            closing.callback(one.close)
            return one

        yield make


@pytest.fixture
def written(make_report: Callable[..., Document]) -> Callable[..., list[Document]]:
    """Reports with these sentences, each with its number in it."""
    return lambda *texts: [make_report(f"{text} Clip {n}.", f"xray:{n}") for n, text in enumerate(texts)]


def number(asked: Any) -> int:
    """Of the report that was asked about."""
    [n] = NUMBER.findall(asked.report)
    return int(n)


def sent(server: Any) -> set[int]:
    """The numbers that stand in any request, wherever."""
    return {int(n) for asked in server.asked for n in NUMBER.findall(json.dumps(asked.body))}


def said(read: Extraction) -> list[tuple[str, str]]:
    return [(f.phrase, f.engine) for f in read.findings]


TEXTS = (PLAIN, DOUBT, HEDGED, PLAIN, DOUBT, HEDGED, DOUBT, PLAIN)


@pytest.mark.parametrize(
    ("asks", "asked"), [("unread", {1, 4, 6}), ("hedged", {1, 2, 4, 5, 6}), ("all", set(range(8)))]
)
def test_only_what_is_asked_about_is_sent(
    asks: Asks, asked: set[int], loopback: ModuleType, serve: Any, made: Made, written: Callable[..., list[Document]]
) -> None:
    server = serve(loopback.usual(lambda _: ANSWER if asks == "unread" else '{"findings": []}'))
    one = made(server.url, asks)
    read = list(one.extract(written(*TEXTS), SILENT))
    assert [e.report_id for e in read] == [f"xray:{n}" for n in range(8)]
    assert sent(server) == asked
    assert {n for n, e in enumerate(read) if e.second is not None} == asked
    assert one.sent == len(server.reports) == len(asked)
    assert one.host == f"localhost:{server.port}"
    assert (one.model, one.model_name) == (None, f"tiny at {one.host}")
    if asks == "unread":
        assert said(read[1]) == [("likely", f"served: tiny at {one.host}")]
        assert said(read[0]) == [("absent", "rules")]


@pytest.mark.parametrize("texts", [(), (PLAIN,) * 9, (PLAIN, HEDGED)])
def test_a_server_that_nobody_needs_is_not_even_connected_to(
    texts: tuple[str, ...], loopback: ModuleType, serve: Any, made: Made, written: Callable[..., list[Document]]
) -> None:
    server = serve(loopback.usual(lambda _: ANSWER))
    assert len(list(made(server.url).extract(written(*texts), SILENT))) == len(texts)
    assert (server.connections, server.asked) == (0, [])


def test_a_report_that_the_server_fails_on_stays_as_the_rules_read_it(
    loopback: ModuleType, serve: Any, made: Made, written: Callable[..., list[Document]]
) -> None:
    def answer(asked: Any) -> Any:
        return {1: "I see nothing.", 4: loopback.Told(418)}.get(number(asked), ANSWER)

    server = serve(loopback.usual(answer))
    read = list(made(server.url).extract(written(*TEXTS), SILENT))
    for n in (1, 4):
        assert said(read[n]) == [(UNREAD, "rules")]
        assert read[n].failure == ""
        assert read[n].second is not None
        assert read[n].second.failure
        assert "nothing" not in read[n].second.failure
    assert said(read[6])[0][0] == "likely"


def test_a_server_that_fails_on_everything_stops_the_reading(
    loopback: ModuleType,
    serve: Any,
    made: Made,
    written: Callable[..., list[Document]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where each chunk of reports has few to ask about: an outage is none of these reports' failures."""
    monkeypatch.setattr(cascade, "_CHUNK", 4)
    server = serve(loopback.usual(lambda _: loopback.Told(503)))
    read: list[Extraction] = []
    with pytest.raises(EngineError, match="has failed on"):
        read.extend(made(server.url, parallel=2).extract(written(*[PLAIN, DOUBT, PLAIN, PLAIN] * 12), SILENT))
    assert all(e.second is None for e in read)


@pytest.mark.parametrize("status", [401, 404])
def test_a_server_that_reads_nothing_is_told_before_any_report_is_sent(
    status: int, loopback: ModuleType, serve: Any, made: Made, written: Callable[..., list[Document]]
) -> None:
    server = serve(lambda _: loopback.Told(status))
    extractions = made(server.url).extract(written(*TEXTS), SILENT)
    assert next(extractions).report_id == "xray:0", "which is not asked about"
    with pytest.raises(InputError):
        next(extractions)
    assert sent(server) == set()


def test_a_server_that_is_not_there_is_told(made: Made, written: Callable[..., list[Document]]) -> None:
    with socket.socket() as taken:  # and not listened at, by nobody else either
        taken.bind(("127.0.0.1", 0))
        extractions = made(f"http://localhost:{taken.getsockname()[1]}/v1").extract(written(*TEXTS), SILENT)
        assert next(extractions).report_id == "xray:0"
        with pytest.raises(EngineError, match="cannot be reached"):
            next(extractions)


def test_many_chunks_are_one_reading_at_the_server(
    loopback: ModuleType,
    serve: Any,
    made: Made,
    written: Callable[..., list[Document]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cascade, "_CHUNK", 3)
    server = serve(loopback.usual(lambda _: ANSWER))
    read = list(made(server.url).extract(written(*TEXTS * 5), SILENT))
    assert [e.report_id for e in read] == [f"xray:{n}" for n in range(40)]
    assert sum(asked.is_trial and asked.method == "POST" for asked in server.asked) == 1


@given(texts=st.lists(st.sampled_from([PLAIN, DOUBT]), max_size=12), chunk=st.integers(1, 4), outlook=st.integers(1, 6))
def test_chunks_change_nothing_and_few_wait(texts: list[str], chunk: int, outlook: int) -> None:
    """With a second reader that takes two reports ahead, as servers do."""
    from radcal.reports.records import Modality
    from radcal.reports.sections import document

    most = [0]
    taken = [0]

    class Eager:
        name, version, settings_hash = "served", "1.0", "x"

        def extract(self, documents: Any, progress: Any) -> Iterator[Extraction]:
            window: list[Document] = []
            for d in documents:
                window.append(d)
                if len(window) > 2:
                    yield Extraction(window.pop(0).report_id, ())
            yield from (Extraction(d.report_id, ()) for d in window)

    def given_out() -> Iterator[Document]:
        for n, text in enumerate(texts):
            taken[0] += 1
            yield document(f"xray:{n}", text, Modality.XRAY)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cascade, "_CHUNK", chunk)
        patch.setattr(cascade, "_AHEAD", outlook)
        one = Cascade(RULES, Eager(), "unread")  # type: ignore[arg-type]
        read = []
        for extraction in one.extract(given_out(), SILENT):
            most[0] = max(most[0], taken[0] - len(read))
            read.append(extraction)
    assert [e.report_id for e in read] == [f"xray:{n}" for n in range(len(texts))]
    assert [e.second is not None for e in read] == [text == DOUBT for text in texts]
    assert most[0] < outlook + chunk + 1


RULES = rules_engine()


def test_a_pause_sends_no_further_report_and_a_stop_ends_what_was_sent(
    loopback: ModuleType,
    serve: Any,
    made: Made,
    written: Callable[..., list[Document]],
    onlooker: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dispatch, "_STOP_SECONDS", PATIENCE)
    asked, stuck, watched = threading.Event(), threading.Event(), onlooker()

    def answer(about: Any) -> str:
        if number(about) == 1 and not asked.is_set():
            asked.set()
            stuck.wait(PATIENCE)
        elif number(about) >= 9:
            watched.cancelled = True
            stuck.wait(PATIENCE)
        return ANSWER

    server = serve(loopback.usual(answer))
    one = made(server.url, parallel=1)
    held: list[Extraction] = []
    reads = threading.Thread(target=lambda: held.extend(one.extract(written(*TEXTS), SILENT)))
    reads.start()
    assert asked.wait(PATIENCE)
    one.pause()  # while the first is being read
    stuck.set()
    reads.join(0.2)
    assert sent(server) == {1}
    one.resume()
    reads.join(PATIENCE)
    assert len(held) == len(TEXTS)
    assert sent(server) == {1, 4, 6}
    stuck.clear()
    with pytest.raises(Cancelled):
        list(one.extract(written(*TEXTS, *TEXTS), watched))
    assert "served" not in {thread.name for thread in threading.enumerate()}
    stuck.set()
    assert sent(server) == {1, 4, 6, 9}


def test_its_version_and_hash_are_those_of_model_and_host(made: Made) -> None:
    one, other = made("https://llm.example/v1"), made("https://other.example/v1")
    assert one.version == f"1.0+rules.{RULES.version}+served.{one.second.version}"
    assert second_of(one.version) == "served"
    assert second_of(f"1.0+rules.{RULES.version}+llama.1.0+llama-cpp-python.0.3") == "llama"
    assert second_of(RULES.version) == second_of("1.0+llama-cpp-python.0.3") == ""
    assert len({one.settings_hash, other.settings_hash, one.second.settings_hash}) == 3
