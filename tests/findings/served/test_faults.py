"""Servers that fail in every way: a report that is not read is listed within its budget, and nothing is quoted."""

from __future__ import annotations

import datetime as dt
import gzip
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from radcal.findings.readers.pairs import Answers, Question
from radcal.findings.served import client, pair_reader, trial
from radcal.findings.served.certificates import trusting
from radcal.findings.served.pair_reader import ServedPairReader
from radcal.system.errors import EngineError, InputError
from tests.cases import cases_of

cases = cases_of(__file__)

ANSWER = {"pleural effusion": "absent", "infection": "likely"}
SECRET = "Likely pneumonia"
"""Of the reports: no message may hold it."""
Reader = Callable[..., ServedPairReader]
Read = Callable[..., list[Answers]]
Reports = Callable[[int], list[list[Question]]]
PATIENCE = 60.0
"""Seconds after which what a test waits for is not coming any more."""


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_SECONDS", 0.02)
    monkeypatch.setattr(client, "LONGEST_SECONDS", 0.05)
    monkeypatch.setattr(trial, "UNREACHABLE_SECONDS", 0.1)


@pytest.fixture
def three_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third try for a report is the last: for the next its budget has no room, however slow the machine."""
    monkeypatch.setattr(client, "backing_off", lambda: iter((0.01, 0.01, 10 * PATIENCE)))


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, float], None]:
    """Gives one report so many seconds, and the others all the time: ``in_a_hurry(sentence, seconds)``."""
    part = pair_reader._Reading._part

    def hurry(sentence: str, seconds: float) -> None:
        async def hasty(self: pair_reader._Reading, questions: Any, ends: float) -> Any:
            short = any(sentence in q.sentence for q in questions)
            return await part(self, questions, time.monotonic() + seconds if short else ends)

        monkeypatch.setattr(pair_reader._Reading, "_part", hasty)

    return hurry


def bad(loopback: ModuleType, kind: str) -> Any:
    """What a server answers that fails in the way named; pieces are sent without a head."""
    told, said = loopback.Told, loopback.completion
    whole = b'{"choices": [{"message": {"content": "' + SECRET.encode() + b'"}, "finish_reason": "stop"}]}'

    def cut() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + whole

    def too_long() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + whole

    def endless() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        while True:
            yield b"10000\r\n" + b"x" * 0x10000 + b"\r\n"

    def heads() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n"
        while True:
            yield b"X-Head: " + b"x" * 10_000 + b"\r\n"

    def drip() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
        while True:
            time.sleep(0.02)
            yield b" "

    def noise() -> Iterator[bytes]:
        yield SECRET.encode() * 100 + b"\r\n\r\n"

    def nothing() -> Iterator[bytes]:
        yield from ()

    def silence() -> Iterator[bytes]:
        time.sleep(PATIENCE)
        yield b""

    raw = {f.__name__: f for f in (cut, too_long, endless, heads, drip, noise, nothing, silence)}
    if kind in raw:
        return told(pieces=raw[kind])
    return {
        "500": told(500, {"error": {"message": SECRET}}),
        "502": told(502, SECRET.encode()),
        "400": told(400, {"error": {"message": SECRET}}),
        "418": told(418, SECRET.encode()),
        "later": told(503, {"error": SECRET}, {"Retry-After": "3600"}),
        "at a date": told(429, {"error": SECRET}, {"Retry-After": "Thu, 01 Jan 2099 00:00:00 GMT"}),
        "no JSON": told(200, SECRET.encode()),
        "other JSON": told(200, {"answer": SECRET}),
        "list": told(200, [SECRET]),
        "packed": told(200, gzip.compress(b" " * 1_000_000), {"Content-Encoding": "gzip"}),
        "prose": said(f"I find: {SECRET}."),
        "cut answer": said('{"1 pleural effus', "length"),
        "empty": said(""),
        "null": said(None),
        "parts": told(200, {"choices": [{"message": {"content": [{"text": SECRET}]}, "finish_reason": "stop"}]}),
        "thoughts": said("<think>" + SECRET),
        "reasoning": said(None, reasoning_content=SECRET),
        "other questions": said('{"1 edema": "likely"}'),
        "invented": said('{"1 pleural effusion": "absent", "2 infection": "' + SECRET + '"}'),
    }[kind]


FAILURES = {
    "500": "the server answered with status 500",
    "502": "the server answered with status 502",
    "400": "the server answered with status 400",
    "418": "the server answered with status 418",
    "later": "the server answered with status 503",
    "at a date": "the server answered with status 429",
    "cut": "the connection broke off",
    "too_long": "the server's answer is not one of chat completions",
    "endless": "the server's answer is longer than 1 MiB",
    "heads": "the connection broke off",
    "drip": "the server did not answer within 0.6 s",
    "silence": "the server did not answer within 0.6 s",
    "noise": "the connection broke off",
    "nothing": "the connection broke off",
    "no JSON": "the server's answer is not one of chat completions",
    "other JSON": "the server's answer is not one of chat completions",
    "list": "the server's answer is not one of chat completions",
    "packed": "the server compresses its answers, which RadCal does not ask for",
    "prose": "the answer is not in the form asked for",
    "cut answer": "the answer was cut off before its end",
    "empty": "the model gave no answer",
    "null": "the model gave no answer",
    "parts": "the server's answer is not one of chat completions",
    "thoughts": "the model thought and gave no answer",
    "reasoning": "the model thought and gave no answer",
    "other questions": "the answer is not in the form asked for",
    "invented": "the answer names a phrase that is not in the list",
}


@pytest.mark.usefixtures("three_tries")
@pytest.mark.parametrize("kind", FAILURES)
def test_one_report_fails_within_its_budget_and_the_others_are_read(
    kind: str, loopback: ModuleType, serve: Any, reader: Reader, read_all: Read, make_reports: Reports,
    in_a_hurry: Callable[[str, float], None], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(client, "MOST_BYTES", 1 << 20)
    if kind in ("drip", "silence"):
        in_a_hurry("Clip 1.", 0.6)
    broken = bad(loopback, kind)
    server = serve(loopback.usual(lambda asked: broken if "Clip 1." in asked.report else ANSWER))
    made = read_all(reader(server.url), make_reports(4))
    assert [e.failure for e in made] == ["", FAILURES[kind], "", ""]
    assert [len(e.chances) for e in made] == [2, 0, 2, 2]


@pytest.mark.parametrize("kind", ["500", "502", "cut", "nothing", "noise"])
def test_what_passes_is_tried_again(
    kind: str, loopback: ModuleType, serve: Any, reader: Reader, read_all: Read, make_reports: Reports
) -> None:
    tries: list[str] = []

    def answer(asked: Any) -> Any:
        tries.append(asked.report)
        return bad(loopback, kind) if tries.count(asked.report) < 3 else ANSWER

    server = serve(loopback.usual(answer))
    made = read_all(reader(server.url), make_reports(3))
    assert [(e.failure, len(e.chances)) for e in made] == [("", 2)] * 3
    assert len(tries) == 9


def test_a_server_that_says_when_is_asked_then(
    loopback: ModuleType, serve: Any, reader: Reader, read_all: Read, make_reports: Reports
) -> None:
    at: list[float] = []

    def answer(_: Any) -> Any:
        at.append(time.monotonic())
        return loopback.Told(503, b"", {"Retry-After": "1"}) if len(at) == 1 else ANSWER

    [made] = read_all(reader(serve(loopback.usual(answer)).url), make_reports(1))
    assert made.failure == ""
    assert at[1] - at[0] >= 1


@cases("what_will_fail_for_every_report_ends_the_reading_with_the_remedy")
def test_what_will_fail_for_every_report_ends_the_reading_with_the_remedy(
    status: int, why: str, loopback: ModuleType, serve: Any, reader: Reader, make_reports: Reports
) -> None:
    """At the trial; and later, where what was read before stays."""
    elsewhere = serve(lambda asked: pytest.fail("it followed"))
    refusal = loopback.Told(status, {"error": SECRET}, {"Location": elsewhere.url + "/chat/completions"})
    for good in (0, 20):
        n = [0]

        def answer(asked: Any, good: int = good, n: list[int] = n) -> Any:
            if asked.method == "GET":
                return loopback.models()
            n[0] += 1
            return loopback.usual(lambda _: ANSWER)(asked) if n[0] <= good else refusal

        server = serve(answer)
        got: list[Answers] = []
        with pytest.raises(InputError, match=why) as raised:
            got.extend(reader(server.url, served_parallel=2).answer(make_reports(100), _silent()))
        assert SECRET not in str(raised.value)
        assert all(e.failure == "" for e in got)
        assert bool(got) == bool(good)
        assert not elsewhere.asked
        assert len(server.reports) < 40


def _well_for(n: int, got: list[Answers], failing: Callable[[], Any]) -> Callable[[Any], Any]:
    """Answers the first n reports; from then on fails, no sooner than they are read."""

    def answer(asked: Any) -> Any:
        if any(f"Clip {number}." in asked.report for number in range(n)):
            return ANSWER
        end = time.monotonic() + PATIENCE
        while len(got) < n and time.monotonic() < end:
            time.sleep(0.005)
        return failing()

    return answer


@pytest.mark.usefixtures("three_tries")
def test_a_server_that_is_down_ends_the_reading_and_what_was_not_read_is_no_failure(
    loopback: ModuleType, serve: Any, reader: Reader, make_reports: Reports
) -> None:
    got: list[Answers] = []
    server = serve(loopback.usual(_well_for(10, got, lambda: bad(loopback, "nothing"))))
    with pytest.raises(EngineError, match=r"failed on \d+ reports in a row.*broke off") as raised:
        got.extend(reader(server.url, served_parallel=4).answer(make_reports(5000), _silent()))
    assert SECRET not in str(raised.value)
    assert {e.failure for e in got} <= {""}
    assert len(got) == 10, "those that were being read when it was given up are pending"
    assert len({asked.report for asked in server.reports}) <= 10 + 4 * 4 + 4


@pytest.mark.parametrize("kind", ["no JSON", "other JSON", "400", "418"])
def test_a_server_that_answers_all_with_errors_of_another_form_leaves_reports_pending(
    kind: str, loopback: ModuleType, serve: Any, reader: Reader, make_reports: Reports
) -> None:
    got: list[Answers] = []
    server = serve(loopback.usual(_well_for(10, got, lambda: bad(loopback, kind))))
    with pytest.raises(EngineError, match=r"failed on \d+ reports in a row"):
        got.extend(reader(server.url, served_parallel=4).answer(make_reports(5000), _silent()))
    assert {e.failure for e in got} <= {""}
    assert len(got) == 10, "those that were being read when it was given up are pending"
    assert len(server.reports) <= 10 + 8 + 4 * 4


def test_nobody_at_the_port(reader: Reader, make_reports: Reports) -> None:
    with socket.socket() as taken:  # and not listened at, by nobody else either
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(EngineError, match=r"localhost:\d+ does not answer.*cannot be reached"):
            list(reader(f"http://localhost:{port}").answer(make_reports(3), _silent()))


# --- certificates ----------------------------------------------------------------------------------------------------


@cases("the_certificate_of_the_hospital_and_of_this_host_alone_is_taken")
def test_the_certificate_of_the_hospital_and_of_this_host_alone_is_taken(
    names: list[str], days: float, trusted: bool | None, why: str, loopback: ModuleType, serve: Any, reader: Reader,
    make_reports: Reports, authority: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    other = type(authority)(tmp_path, "other")
    ends = dt.datetime.now(dt.UTC) + days * dt.timedelta(days=1)
    server = serve(loopback.usual(lambda _: ANSWER), authority.server(*names, end=ends))
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))  # what the environment says counts for nothing
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys"))
    ca = str(authority.file) if trusted else "" if trusted is None else str(other.file)
    extractions = reader(server.url, served_ca=ca).answer(make_reports(3), _silent())
    if why:
        with pytest.raises(InputError, match=f"The certificate (of|that) localhost.*{why}"):
            list(extractions)
        assert not server.asked, "nothing is said to a server that is not certified"
    else:
        assert [len(e.chances) for e in extractions] == [2, 2, 2]
    assert not (tmp_path / "keys").exists()


def test_a_server_without_a_certificate(
    loopback: ModuleType, serve: Any, reader: Reader, make_reports: Reports
) -> None:
    server = serve(loopback.usual(lambda _: ANSWER))
    with pytest.raises(InputError, match="no safe way"):
        list(reader(server.url.replace("http:", "https:")).answer(make_reports(1), _silent()))


def test_a_file_that_is_no_certificate_is_refused_before_anything_is_opened(tmp_path: Path, reader: Reader) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("patient,name\n1,Anna Plum\n")
    with pytest.raises(InputError, match=r"ca\.pem holds no certificate") as raised:
        reader("https://llm.example", served_ca=str(file))
    assert "Plum" not in str(raised.value)
    with pytest.raises(InputError, match=r"none\.pem"):
        reader("https://llm.example", served_ca=str(tmp_path / "none.pem"))


def test_a_file_of_authorities_may_have_comments(tmp_path: Path, authority: Any) -> None:
    pem, file = authority.file.read_bytes(), tmp_path / "ca.pem"
    for before in ("# Behörde Müller\n".encode(), "# Behörde\n".encode("latin-1"), b"\xef\xbb\xbf"):
        file.write_bytes(before + pem)
        assert trusting(str(file)).cert_store_stats()["x509_ca"] == 1


# --- what is sent ----------------------------------------------------------------------------------------------------


def test_the_environment_names_no_proxy_and_no_key(
    loopback: ModuleType, serve: Any, reader: Reader, read_all: Read, make_reports: Reports, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    proxy = serve(lambda asked: pytest.fail("it went through a proxy"))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
    (tmp_path / "netrc").write_text("machine localhost login anna password plum\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    server = serve(loopback.usual(lambda asked: loopback.Told(*_with_cookie(loopback.filled(asked, ANSWER)))))
    read_all(reader(server.url), make_reports(3))
    assert not proxy.asked
    sent = {name for asked in server.asked for name in asked.headers}
    assert sent == {"host", "accept", "accept-encoding", "user-agent", "content-type", "content-length"}


def _with_cookie(said: str) -> tuple[int, Any, dict[str, str]]:
    return 200, {"choices": [{"message": {"content": said}}]}, {"Set-Cookie": "who=you"}


def test_the_key_goes_to_the_server_and_nowhere_else(
    loopback: ModuleType, serve: Any, reader: Reader, read_all: Read, make_reports: Reports
) -> None:
    server = serve(loopback.usual(lambda _: bad(loopback, "400")))
    asks = reader(server.url, key="plum-tree")
    made = read_all(asks, make_reports(2))
    assert {asked.headers["authorization"] for asked in server.asked} == {"Bearer plum-tree"}
    assert "plum-tree" not in repr([*made, asks.settings_hash, asks.model_name, vars(asks)])


def _silent() -> Any:
    from radcal.system.progress import SILENT

    return SILENT
