"""One host, by https; this computer alone without it; everything else is refused before a name is looked up."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.served import address
from radcal.findings.served.address import locate, parse
from radcal.system.errors import Cancelled, InputError
from tests.cases import cases_of

cases = cases_of(__file__)


@pytest.fixture(autouse=True)
def _nothing_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a name was looked up")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@cases("what_is_allowed")
def test_what_is_allowed(url: str, host: str, origin: str, path: str) -> None:
    made = parse(url)
    assert (made.host, made.origin, made.path) == (host, origin, path)
    assert made.encrypted == url.startswith("https")


@pytest.mark.parametrize(
    "url",
    [
        *("", " ", "llm.example", "llm.example:8443/v1", "//llm.example/v1", "https://", "https:///v1"),
        *("ftp://llm.example", "file:///etc/passwd", "ws://localhost/v1", "http+unix://%2Ftmp%2Fx/v1"),
        *("http://llm.example/v1", "http://10.0.0.1/v1", "http://192.168.1.1:8000", "http://[2001:db8::1]/v1"),
        *("http://0.0.0.0/v1", "http://localhost.example/v1", "http://127.0.0.1.example/v1", "http://2130706433/v1"),
        *("https://anna:plum@llm.example/v1", "https://plum@llm.example/v1", "https://@llm.example/v1"),
        *("https://llm.example/v1?key=plum", "https://llm.example/v1#plum", "https://llm.example/v1?"),
        *("https://llm.example:0/v1", "https://llm.example:99999/v1", "https://llm.example:x/v1"),
        *("https://llm example/v1", "https://llm.example\\@evil.example/v1", "https://llm.example/v1\r\nX: plum"),
        *("https://[fe80::1%25eth0]/v1", "https://llm.ex\u00e4mple/v1", "HTTPS//llm"),
    ],
)
def test_what_is_refused_says_what_to_write_and_repeats_no_password(url: str) -> None:
    with pytest.raises(InputError, match="https://") as raised:
        parse(url)
    assert "plum" not in str(raised.value)


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        made = parse(text)
    except InputError:
        return
    assert (
        made.encrypted or made.name in ("localhost", "::1") or made.name.startswith("127.") or "localhost" in made.name
    )


def told(*found: str) -> object:
    return lambda *_, **__: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 0)) for one in found]


def test_a_name_in_the_clear_must_lead_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", told("127.0.0.1", "10.0.0.1"))
    with pytest.raises(InputError, match="not on this computer"):
        locate(parse("http://localhost:8080"))
    locate(parse("https://localhost:8080"))
    monkeypatch.setattr(socket, "getaddrinfo", told("127.0.0.1", "::1", "127.0.0.1"))
    locate(parse("http://localhost:8080"))


def test_a_name_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(InputError, match="no address here"):
        locate(parse("https://llm.example"))


def test_what_takes_too_long_is_given_up(onlooker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = threading.Event()

    def hang(*_: object, **__: object) -> list[object]:
        stuck.wait(20)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    with pytest.raises(Cancelled):
        locate(parse("https://llm.example"), onlooker(looks=0))
    monkeypatch.setattr(address, "RESOLVING_SECONDS", 0.05)
    with pytest.raises(InputError, match="no address here"):
        locate(parse("https://llm.example"))
    stuck.set()
