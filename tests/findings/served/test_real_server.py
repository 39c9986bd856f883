"""A real server: that of llama-cpp-python, with a tiny model that answers everything alike, and would rather not."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from radcal.findings.served.engine import ServedOptions, served_engine

from radcal import cli
from radcal.findings.records import Extraction
from radcal.findings.served.requests import Way
from radcal.reports.records import Document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT

pytest.importorskip("fastapi", reason="the server of llama-cpp-python is not installed")
pytestmark = pytest.mark.slow
ANSWER = '{"findings": [{"sentence": 1, "pathology": "pleural effusion", "phrase": "likely"}]}'
KEY = "plum-tree"
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, random_gguf: ModuleType) -> Iterator[str]:
    """The address of the server."""
    folder = tmp_path_factory.mktemp("server")
    model = random_gguf.write_answering(folder / "tiny.gguf", ANSWER, template=TEMPLATE)
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--model_alias", "tiny"]
    command += ["--host", "127.0.0.1", "--n_ctx", "16384", "--api_key", KEY, "--n_threads", "1"]
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


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """A short prompt of one's own, which is quickly read."""
    (tmp_path / "chat.jinja").write_text(
        "Findings as {{ form }}.\n{% for e in examples %}\n{{ e.report }}{{ e.findings }}{% endfor %}\n{{ report }}"
    )
    (tmp_path / "examples.toml").write_text('[[examples]]\nsentences = ["Edema."]\nrows = [[1, "edema", "present"]]\n')
    return tmp_path


def test_reports_are_read_by_the_schema_that_the_server_keeps_to(
    url: str, prompts: Path, read_all: Callable[..., list[Extraction]], make_report: Callable[..., Document]
) -> None:
    texts = ["Likely pleural effusion.", "No effusion.", "There is a pleural effusion, most likely.", ""]
    documents = [make_report(text, f"r{n}") for n, text in enumerate(texts)]
    with served_engine(ServedOptions(url, "tiny", seconds=60, prompts=prompts), key=lambda: KEY) as engine:
        found = engine.try_server()
        assert found.way == Way("json_object", quiet=True, kept=True), "it would rather say no"
        assert found.offer.models == ("tiny",)
        made = read_all(engine, documents)
    assert [(e.failure, len(e.findings)) for e in made] == [
        ("", 1),
        ("the answer names words of certainty that do not stand in the sentence", 0),
        ("", 1),
        ("", 0),
    ]
    [finding] = made[0].findings
    assert (finding.pathology, finding.phrase, finding.verbatim) == ("pleural effusion", "likely", "Likely")
    assert finding.sentence[finding.term_start : finding.term_end] == "pleural effusion"
    assert made[0].findings[0].engine == f"served: tiny at {url[7:-3]}"


def test_the_command_line_reads_with_it(
    url: str, prompts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "key"
    key.write_text(KEY + "\n")
    key.chmod(0o600)
    served = ["--set", f"served_url={url}", "--set", "served_model=tiny", "--server-key-file", str(key)]
    (tmp_path / "r.csv").write_text("report_id,text\na,Likely pleural effusion.\nb,No effusion.\n")
    extract = ["extract", str(tmp_path / "r.csv"), "--out", str(tmp_path / "f.csv"), "--set", "engine=served"]
    assert cli.main([*extract, *served, "--set", "served_seconds=60", "--set", f"llama_prompts={prompts}"]) == 1
    said = capsys.readouterr()
    assert "do not stand in the sentence" in said.out
    with (tmp_path / "f.csv").open(newline="") as file:
        [row] = csv.DictReader(file)
    assert (row["report_id"], row["phrase"], row["engine"]) == ("a", "likely", f"served: tiny at {url[7:-3]}")
    assert cli.main(["server", *served]) == 0
    said = capsys.readouterr()
    assert "It offers: tiny." in said.out
    assert "keeps its answers to the JSON schema" in said.out
    assert KEY not in said.out + said.err


def test_without_the_key_it_lets_nobody_in(url: str, make_report: Callable[..., Document]) -> None:
    for key in ("", "pear-tree"):
        with (
            served_engine(ServedOptions(url, "tiny"), key=lambda key=key: key) as engine,  # type: ignore[misc]
            pytest.raises(InputError, match="Give RadCal the key of the server") as raised,
        ):
            list(engine.extract([make_report("No effusion.")], SILENT))
        assert "pear-tree" not in str(raised.value)
