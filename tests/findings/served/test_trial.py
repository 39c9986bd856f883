"""How a server is asked is found out by a question of RadCal's own, once for a reading."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from radcal.findings.served.engine import ServedEngine

from radcal.findings.records import Extraction
from radcal.findings.served import client, trial
from radcal.findings.served.client import Reply
from radcal.findings.served.reading import room_in
from radcal.findings.served.requests import Asker, Way, is_too_long, offer_in, schema
from radcal.reports.records import Document
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT
from tests.cases import cases_of

cases = cases_of(__file__)

Engine = Callable[..., ServedEngine]
ANSWER = '{"findings": []}'


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_SECONDS", 0.02)
    monkeypatch.setattr(client, "LONGEST_SECONDS", 0.05)


def kind(asked: Any) -> tuple[str, bool]:
    """The form and the quiet of a request."""
    return asked.body.get("response_format", {}).get("type", "text"), "chat_template_kwargs" in asked.body


SERVERS: dict[str, tuple[Callable[[tuple[str, bool]], tuple[int, bool]], Way]] = {
    # What a server makes of a form: its status, and whether it keeps to it; and the way chosen.
    "takes all": (lambda of: (200, of[0] != "text"), Way("json_schema", True, True)),
    "knows no templates": (lambda of: (400 if of[1] else 200, of[0] != "text"), Way("json_schema", False, True)),
    "knows objects alone": (
        lambda of: (422 if of[0] == "json_schema" else 200, of[0] == "json_object"),
        Way("json_object", True, True),
    ),
    "passes over schemas": (lambda of: (200, of[0] == "json_object"), Way("json_object", True, True)),
    "keeps to nothing": (lambda of: (200, False), Way("json_schema", True, False)),
    "knows no forms": (lambda of: (200 if of == ("text", False) else 400, False), Way("text", False, False)),
    "fails at forms": (lambda of: (500 if of[0] != "text" else 200, False), Way("text", True, False)),
}


@pytest.mark.parametrize("name", SERVERS)
def test_the_form_that_the_server_keeps_to_is_found(
    name: str, loopback: ModuleType, serve: Any, engine: Engine, read_all: Callable[..., list[Extraction]],
    make_reports: Callable[..., list[Document]],
) -> None:  # fmt: skip
    told, way = SERVERS[name]

    def answer(asked: Any) -> Any:
        if asked.method == "GET":
            return loopback.models()
        status, keeps = told(kind(asked))
        if status != 200:
            return loopback.Told(status, {"error": "unknown"})
        return loopback.completion(ANSWER if keeps or not asked.is_trial else "no")

    server = serve(answer)
    reader = engine(server.url)
    assert reader.try_server().way == way
    tried = len(server.asked)
    assert not server.reports
    made = read_all(reader, make_reports(5))
    assert [e.failure for e in made] == [""] * 5
    assert {kind(asked) for asked in server.reports} == {(way.form, way.quiet)}
    assert len(server.asked) == 2 * tried + 5, "it is found out once, not for each report"


def test_a_server_that_refuses_everything(loopback: ModuleType, serve: Any, engine: Engine) -> None:
    server = serve(lambda asked: loopback.models() if asked.method == "GET" else loopback.Told(400, {"error": "no"}))
    with pytest.raises(InputError, match="answers no question to 'tiny' as a server of chat completions does"):
        engine(server.url).try_server()


@pytest.mark.parametrize(
    "said", [b"<html>Please log in.</html>", b'{"error": {"message": "no"}}', b'{"choices": []}', b"data: {}"]
)
def test_a_server_that_answers_with_something_else_is_sent_no_report(
    said: bytes, loopback: ModuleType, serve: Any, engine: Engine, make_reports: Callable[..., list[Document]]
) -> None:
    """As the page of a gateway, with status 200."""
    server = serve(lambda asked: loopback.models() if asked.method == "GET" else loopback.Told(200, said))
    with pytest.raises(InputError, match="as a server of chat completions does"):
        list(engine(server.url).extract(make_reports(3), SILENT))
    assert not server.reports


def test_a_server_that_asks_to_wait_longer_than_a_trial_is_told_at_once(
    loopback: ModuleType, serve: Any, engine: Engine
) -> None:
    server = serve(lambda asked: loopback.Told(429, {}, {"Retry-After": "3600"}))
    with pytest.raises(EngineError, match="answers with status 429"):
        engine(server.url).try_server()
    assert len(server.asked) == 1


def test_a_model_that_is_not_offered(loopback: ModuleType, serve: Any, engine: Engine) -> None:
    server = serve(lambda asked: loopback.models("big", "small:latest"))
    with pytest.raises(InputError, match=r"offers no model 'tiny'\. It offers: big, small:latest"):
        engine(server.url).try_server()
    assert [asked.method for asked in server.asked] == ["GET"]


def test_a_model_by_its_short_name(loopback: ModuleType, serve: Any, engine: Engine) -> None:
    server = serve(loopback.usual(lambda _: ANSWER))
    usual = server.answer
    server.answer = lambda asked: loopback.models("tiny:latest") if asked.method == "GET" else usual(asked)
    assert engine(server.url).try_server().offer.models == ("tiny:latest",)


def test_a_server_that_is_loading_is_waited_for(loopback: ModuleType, serve: Any, engine: Engine) -> None:
    left = [3]

    def answer(asked: Any) -> Any:
        left[0] -= 1
        return (
            loopback.Told(503, {"error": "Loading model"}) if left[0] > 0 else loopback.usual(lambda _: ANSWER)(asked)
        )

    assert engine(serve(answer).url).try_server().way.kept


def test_one_that_does_not_list_its_models_is_asked_all_the_same(
    loopback: ModuleType, serve: Any, engine: Engine
) -> None:
    usual = loopback.usual(lambda _: ANSWER)
    server = serve(lambda asked: loopback.Told(404) if asked.method == "GET" else usual(asked))
    found = engine(server.url).try_server()
    assert (found.offer.models, found.way.kept) == ((), True)


@pytest.mark.parametrize(
    "listed",
    [None, [], {}, {"data": None}, {"data": [None, {"id": 3}, {"id": "a\nb"}, {"id": ""}, {"id": "x" * 300}]}],
)
def test_a_list_of_models_in_another_form_is_none(listed: object) -> None:
    assert offer_in(Reply(200, json.dumps(listed).encode())).models == ()


@cases("where_servers_state_the_context")
def test_where_servers_state_the_context(more: dict[str, object], tokens: int) -> None:
    listed = {"data": [{"id": "tiny", **more}]}
    assert offer_in(Reply(200, json.dumps(listed).encode())).context_of("tiny") == tokens


def test_the_context_that_a_server_states_cuts_reports_and_else_the_setting(
    loopback: ModuleType, serve: Any, engine: Engine, read_all: Callable[..., list[Extraction]],
    make_report: Callable[..., Document],
) -> None:  # fmt: skip
    long = " ".join(f"Clip number {n} lies over the left upper lobe and is unchanged." for n in range(400))
    asked: dict[int, int] = {}
    for context in (0, 32_768):
        server = serve(loopback.usual(lambda _: ANSWER))
        usual = server.answer
        more = {"max_model_len": context} if context else {}
        server.answer = lambda a, usual=usual, more=more: loopback.models(**more) if a.method == "GET" else usual(a)
        [made] = read_all(engine(server.url), [make_report(long)])
        assert made.failure == ""
        asked[context] = len(server.reports)
    assert asked[0] > 3
    assert asked[32_768] == 1


def test_a_report_too_long_for_the_server_is_cut_further(
    loopback: ModuleType, serve: Any, engine: Engine, read_all: Callable[..., list[Extraction]],
    make_report: Callable[..., Document],
) -> None:  # fmt: skip
    sentences = [f"Clip number {n} lies over the left upper lobe and is unchanged." for n in range(100)]
    sentences[60] = "There is a small pleural effusion."

    def answer(asked: Any) -> Any:
        lines = asked.report.splitlines()[1:-1]
        if len(lines) > 30:
            return loopback.Told(400, {"error": {"message": "maximum context length is 900", "code": 400}})
        number = next((n for n, line in enumerate(lines, 1) if "effusion" in line), 0)
        return (
            f'{{"findings": [{{"sentence": {number}, "pathology": "pleural effusion", "phrase": "present"}}]}}'
            if number
            else ANSWER
        )

    server = serve(loopback.usual(answer))
    [made] = read_all(engine(server.url, context=32_768), [make_report(" ".join(sentences))])
    assert made.failure == ""
    [finding] = made.findings
    assert (finding.sentence, finding.pathology, finding.phrase) == (sentences[60], "pleural effusion", "present")


def test_a_report_that_is_always_too_long_has_failed(
    loopback: ModuleType, serve: Any, engine: Engine, read_all: Callable[..., list[Extraction]],
    make_reports: Callable[..., list[Document]],
) -> None:  # fmt: skip
    server = serve(loopback.usual(lambda _: loopback.Told(413, {"error": "too large"})))
    [made] = read_all(engine(server.url), make_reports(1))
    assert made.failure == "the report with its answer is longer than the model's context"


@cases("how_servers_say_that_a_report_is_too_long")
def test_how_servers_say_that_a_report_is_too_long(status: int, body: str, expected: bool) -> None:
    assert is_too_long(Reply(status, body.encode())) == expected


def test_a_context_that_leaves_no_room_is_refused(loopback: ModuleType, serve: Any, engine: Engine) -> None:
    server = serve(loopback.usual(lambda _: ANSWER))
    with pytest.raises(InputError, match="leaves too little for a report"):
        engine(server.url, context=1024).try_server()
    assert room_in(4096, 3000).report > 1000


def test_requests_are_plain_ascii_whatever_a_report_holds() -> None:
    asker = Asker("m", ("before", "so", "Report:\n\x02report\x03Findings:"), schema(["edema"]))
    body = asker.about("[1] \ud800 \u4e00 \x00\n", Way(), 10)
    assert body.isascii()
    assert b"\\ud800" in body


def test_a_server_that_stays_busy_is_told_once_the_time_for_a_trial_is_over(
    loopback: ModuleType, serve: Any, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "backing_off", lambda: iter((0.01, 0.01, 2 * trial.TRIAL_SECONDS)))
    server = serve(lambda asked: loopback.Told(503))
    with pytest.raises(EngineError, match="it answers with status 503"):
        engine(server.url).try_server()
    assert len(server.asked) == 3


def test_a_server_that_is_silent_is_told_after_the_time_for_a_trial(
    loopback: ModuleType, serve: Any, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    monkeypatch.setattr(trial, "TRIAL_SECONDS", 0.3)
    server = serve(lambda asked: loopback.Told(200 if over.wait(60) else 500))
    with pytest.raises(EngineError, match="it is too slow"):
        engine(server.url).try_server()
    over.set()
