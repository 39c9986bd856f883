"""A real server: that of llama-cpp-python, with a tiny model that answers everything alike, and would rather not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from radcal.findings.readers.pairs import Answers
from radcal.findings.served import keys
from radcal.findings.served.address import parse
from radcal.findings.served.pair_reader import ServedPairReader
from radcal.findings.served.requests import Way
from radcal.system.settings import Settings

pytest.importorskip("fastapi", reason="the server of llama-cpp-python is not installed")
pytestmark = pytest.mark.slow
ANSWER = '{"1 pleural effusion": "likely"}'
KEY = "plum-tree"
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"
MODELS = os.environ.get("RADCAL_MODELS", "")
"""Folder of real models."""
Read = Callable[..., list[Answers]]


@contextmanager
def serving(model: Path, folder: Path, *options: str) -> Iterator[str]:
    """The address of a server with a model."""
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--model_alias", "tiny"]
    command += ["--host", "127.0.0.1", "--api_key", KEY, *options]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PORT": "0"}  # one that is free, which it tells
    said = folder / "log"
    with said.open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment)  # noqa: S603 - a server of our own
        try:
            until = time.monotonic() + 300
            while (told := re.search(r"running on (http://127\.0\.0\.1:\d+) ", said.read_text())) is None:
                assert server.poll() is None, said.read_text()
                assert time.monotonic() < until, said.read_text()
                time.sleep(0.1)
            yield f"{told[1]}/v1"
        finally:
            server.kill()
            server.wait()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, random_gguf: ModuleType) -> Iterator[str]:
    """The address of a server with the tiny model."""
    folder = tmp_path_factory.mktemp("server")
    model = random_gguf.write_answering(folder / "tiny.gguf", ANSWER, template=TEMPLATE)
    with serving(model, folder, "--n_ctx", "16384", "--n_threads", "1") as address:
        yield address


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """A short prompt of one's own, which is quickly read."""
    (tmp_path / "pairs.toml").write_text(
        'task = "{phrases}"\n[forms]\nsentence = "{sentence}"\nquestion = "{pathology}"\nanswer = "{phrase} "\n'
        '[[examples]]\nsentence = "Edema."\nrows = [["edema", "present"]]\n'
    )
    return tmp_path


def reader(url: str, prompts: Path | None = None, key: str = KEY) -> ServedPairReader:
    keys._given[parse(url).origin] = key
    folder = str(prompts) if prompts else ""
    return ServedPairReader(Settings(served_url=url, served_model="tiny", served_seconds=600.0, llama_prompts=folder))


def test_pairs_are_answered_by_the_schema_that_the_server_keeps_to(
    url: str, prompts: Path, read_all: Read, make_report: Callable[..., Any], said: Any
) -> None:
    texts = ("Likely pleural effusion.", "pleural effusion"), ("No effusion.", "pleural effusion"), ("Edema.", "edema")
    asks = reader(url, prompts)
    found = asks.try_server()
    assert (found.way, found.kept) == (Way("json_object", quiet=True, top=20), True), "it would rather say no"
    assert found.models == ("tiny",)
    made = read_all(asks, [make_report(text) for text in texts])
    assert [a.failure for a in made] == ["", "", ""]
    assert [said(asks, a) for a in made[:2]] == [["likely"], ["likely"]]
    by_heart, _, unasked = (rows[0] for a in made for rows in a.chances)
    assert by_heart.sum() == pytest.approx(1) == unasked.sum()
    # They are the model's: near 1 for the one answer that it knows, spread where the schema makes it give another.
    assert 0.99 < by_heart.max() < 1
    assert unasked.max() < 0.9


@pytest.mark.skipif(not MODELS, reason="RADCAL_MODELS names no folder of real models")
def test_a_real_model_tells_a_denial_from_a_statement(
    tmp_path: Path, read_all: Read, make_report: Callable[..., Any], said: Any
) -> None:
    model = next(iter(sorted(Path(MODELS).glob("*0.5b*.gguf"))), None)
    if model is None:
        pytest.skip("no model of half a billion weights")
    with serving(model, tmp_path, "--n_ctx", "4096") as address:
        asks = reader(address)
        asked = [
            make_report(("There is no pneumothorax.", "pneumothorax"), ("Small pleural effusion.", "pleural effusion"))
        ]
        [made] = read_all(asks, asked)
    assert made.failure == ""
    assert said(asks, made) == ["absent", "present"]
