"""How a server is asked is found out by a question of RadCal's own, once for a reading."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from radcal.findings.model.pair_prompt import Example, PairPrompt
from radcal.findings.readers.pairs import Answers, Question
from radcal.findings.served import client, trial
from radcal.findings.served.client import Reply
from radcal.findings.served.pair_reader import ServedPairReader
from radcal.findings.served.requests import Asker, Way, models_in
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT

Reader = Callable[..., ServedPairReader]
Read = Callable[..., list[Answers]]
Reports = Callable[[int], list[list[Question]]]
ANSWER = {"pleural effusion": "absent", "infection": "likely"}
PASSED = '{"1 edema": "absent"}'


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_SECONDS", 0.02)
    monkeypatch.setattr(client, "LONGEST_SECONDS", 0.05)


def kind(asked: Any) -> tuple[str, bool]:
    """The form and the quiet of a request."""
    return asked.body.get("response_format", {}).get("type", "text"), "chat_template_kwargs" in asked.body


SERVERS: dict[str, tuple[Callable[[tuple[str, bool]], tuple[int, bool]], Way, bool]] = {
    # What a server makes of a form: its status, and whether it keeps to it; the way chosen, and whether it is kept to.
    "takes all": (lambda of: (200, of[0] != "text"), Way("json_schema", True), True),
    "knows no templates": (lambda of: (400 if of[1] else 200, of[0] != "text"), Way("json_schema", False), True),
    "knows objects alone": (
        lambda of: (422 if of[0] == "json_schema" else 200, of[0] == "json_object"),
        *(Way("json_object", True), True),
    ),
    "passes over schemas": (lambda of: (200, of[0] == "json_object"), Way("json_object", True), True),
    "keeps to nothing": (lambda of: (200, False), Way("json_schema", True), False),
    "knows no forms": (lambda of: (200 if of == ("text", False) else 400, False), Way("text", False), False),
    "fails at forms": (lambda of: (500 if of[0] != "text" else 200, False), Way("text", True), False),
}


@pytest.mark.parametrize("name", SERVERS)
def test_the_form_that_the_server_keeps_to_is_found(
    name: str, loopback: ModuleType, serve: Any, reader: Reader, read_all: Read,
    make_reports: Reports,
) -> None:  # fmt: skip
    told, way, kept = SERVERS[name]

    def answer(asked: Any) -> Any:
        if asked.method == "GET":
            return loopback.models()
        status, keeps = told(kind(asked))
        if status != 200:
            return loopback.Told(status, {"error": "unknown"})
        if asked.is_trial:
            return loopback.completion(PASSED if keeps else "no")
        return loopback.completion(loopback.filled(asked, ANSWER))

    server = serve(answer)
    asks = reader(server.url)
    found = asks.try_server()
    assert (found.way, found.kept) == (way, kept)
    tried = len(server.asked)
    assert not server.reports
    made = read_all(asks, make_reports(5))
    assert [a.failure for a in made] == [""] * 5
    assert {kind(asked) for asked in server.reports} == {(way.form, way.quiet)}
    assert len(server.asked) == 2 * tried + 5, "it is found out once, not for each report"


@pytest.mark.parametrize(("most", "top"), [(20, 20), (5, 5), (3, 0), (0, 0)])
def test_probabilities_are_asked_for_as_far_as_the_server_goes(
    most: int, top: int, loopback: ModuleType, serve: Any, reader: Reader, read_all: Read, make_reports: Reports
) -> None:
    """Three is fewer than are asked for; a server that does not know them may pass over them."""

    def answer(asked: Any) -> Any:
        if asked.method == "GET":
            return loopback.models()
        if (wanted := asked.body.get("top_logprobs", 0)) > most > 0:
            return loopback.Told(422, {"error": "top_logprobs"})
        said = PASSED if asked.is_trial else loopback.filled(asked, ANSWER)
        tokens: list[Any] = [{"token": said, "logprob": -0.1, "top_logprobs": []}]
        return loopback.completion(said, tokens=tokens if wanted and most else None)

    server = serve(answer)
    asks = reader(server.url)
    assert asks.try_server().way == Way("json_schema", top=top)
    assert [a.failure for a in read_all(asks, make_reports(3))] == [""] * 3
    assert {asked.body.get("top_logprobs", 0) for asked in server.reports} == {top}


def test_a_server_that_refuses_everything(loopback: ModuleType, serve: Any, reader: Reader) -> None:
    server = serve(lambda asked: loopback.models() if asked.method == "GET" else loopback.Told(400, {"error": "no"}))
    with pytest.raises(InputError, match="answers no question to 'tiny' as a server of chat completions does"):
        reader(server.url).try_server()


@pytest.mark.parametrize(
    "said", [b"<html>Please log in.</html>", b'{"error": {"message": "no"}}', b'{"choices": []}', b"data: {}"]
)
def test_a_server_that_answers_with_something_else_is_sent_no_report(
    said: bytes, loopback: ModuleType, serve: Any, reader: Reader, make_reports: Reports
) -> None:
    """As the page of a gateway, with status 200."""
    server = serve(lambda asked: loopback.models() if asked.method == "GET" else loopback.Told(200, said))
    with pytest.raises(InputError, match="as a server of chat completions does"):
        list(reader(server.url).answer(make_reports(3), SILENT))
    assert not server.reports


def test_a_server_that_asks_to_wait_longer_than_a_trial_is_told_at_once(
    loopback: ModuleType, serve: Any, reader: Reader
) -> None:
    server = serve(lambda asked: loopback.Told(429, {}, {"Retry-After": "3600"}))
    with pytest.raises(EngineError, match="answered with status 429"):
        reader(server.url).try_server()
    assert len(server.asked) == 1


def test_a_model_that_is_not_offered(loopback: ModuleType, serve: Any, reader: Reader) -> None:
    server = serve(lambda asked: loopback.models("big", "small:latest"))
    with pytest.raises(InputError, match=r"offers no model 'tiny'\. It offers: big, small:latest"):
        reader(server.url).try_server()
    assert [asked.method for asked in server.asked] == ["GET"]


def test_a_model_by_its_short_name(loopback: ModuleType, serve: Any, reader: Reader) -> None:
    server = serve(loopback.usual(lambda _: ANSWER))
    usual = server.answer
    server.answer = lambda asked: loopback.models("tiny:latest") if asked.method == "GET" else usual(asked)
    assert reader(server.url).try_server().models == ("tiny:latest",)


def test_a_server_that_is_loading_is_waited_for(loopback: ModuleType, serve: Any, reader: Reader) -> None:
    left = [3]

    def answer(asked: Any) -> Any:
        left[0] -= 1
        return (
            loopback.Told(503, {"error": "Loading model"}) if left[0] > 0 else loopback.usual(lambda _: ANSWER)(asked)
        )

    assert reader(serve(answer).url).try_server().kept


def test_one_that_does_not_list_its_models_is_asked_all_the_same(
    loopback: ModuleType, serve: Any, reader: Reader
) -> None:
    usual = loopback.usual(lambda _: ANSWER)
    server = serve(lambda asked: loopback.Told(404) if asked.method == "GET" else usual(asked))
    found = reader(server.url).try_server()
    assert (found.models, found.kept) == ((), True)


@pytest.mark.parametrize(
    "listed",
    [None, [], {}, {"data": None}, {"data": [None, {"id": 3}, {"id": "a\nb"}, {"id": ""}, {"id": "x" * 300}]}],
)
def test_a_list_of_models_in_another_form_is_none(listed: object) -> None:
    assert models_in(Reply(200, json.dumps(listed).encode())) == ()


def long_report(n: int) -> list[Question]:
    """A report of many questions."""
    names = "pleural effusion"
    return [Question(f"Effusion {i} is as it was on the left.", "en", (names,), (names,)) for i in range(n)]


def test_few_questions_are_asked_at_once(loopback: ModuleType, serve: Any, reader: Reader, read_all: Read) -> None:
    server = serve(loopback.usual(lambda _: ANSWER))
    [made] = read_all(reader(server.url), [long_report(60)])
    assert len(made.chances) == 60
    assert [len(asked.keys) for asked in server.reports] == [24, 24, 12]


@pytest.mark.parametrize("status", [400, 413, 422])
def test_questions_that_are_refused_as_too_many_are_asked_in_halves(
    status: int, loopback: ModuleType, serve: Any, reader: Reader, read_all: Read, said: Any
) -> None:
    report = long_report(60)
    edema = Question("Edema.", "en", ("edema", "nodule"), ("edema", "nodule"))

    def answer(asked: Any) -> Any:
        if len(asked.keys) > 9:
            return loopback.Told(status, {"error": {"message": "maximum context length is 900", "code": 400}})
        return {"edema": "present"}

    asks = reader(serve(loopback.usual(answer)).url)
    [made] = read_all(asks, [[*report[:40], edema, *report[40:]]])
    assert made.failure == ""
    assert [len(rows) for rows in made.chances] == [1] * 40 + [2] + [1] * 20
    assert said(asks, made) == ["not stated"] * 40 + ["present"] + ["not stated"] * 21


def test_requests_are_plain_ascii_whatever_a_report_holds() -> None:
    prompt = PairPrompt(
        "Of {phrases}.", "{sentence}", "{pathology}", "{phrase}\n", (Example("A.", (("edema", "absent"),)),)
    )
    asker = Asker("m", prompt, ("absent", "not stated"))
    body = asker.about([Question("\ud800 \u4e00 \x00\n", "en", ("edema",), ("edema",))], Way(), 10)
    assert body.isascii()
    assert b"\\u4e00" in body


def test_a_server_that_stays_busy_is_told_once_the_time_for_a_trial_is_over(
    loopback: ModuleType, serve: Any, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "backing_off", lambda: iter((0.01, 0.01, 2 * trial.TRIAL_SECONDS)))
    server = serve(lambda asked: loopback.Told(503))
    with pytest.raises(EngineError, match="answered with status 503"):
        reader(server.url).try_server()
    assert len(server.asked) == 3


def test_a_server_that_is_silent_is_told_after_the_time_for_a_trial(
    loopback: ModuleType, serve: Any, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    monkeypatch.setattr(trial, "TRIAL_SECONDS", 0.3)
    server = serve(lambda asked: loopback.Told(200 if over.wait(60) else 500))
    with pytest.raises(EngineError, match=r"did not answer within 0\.3 s"):
        reader(server.url).try_server()
    over.set()
