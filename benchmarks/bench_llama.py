"""Reports per minute of the Llama engine, compared with a naive loop and with the hardware limit.

    python benchmarks/bench_llama.py [--shape 1b|8b] [--reports 32] [--runs 3] [--threads N] [--folder DIR]

First writes a model of real size with random weights (0.8 GB for 1b, 4.9 GB for 8b), which is removed at the end.  Each
report has about 120 tokens after a prompt of about 800 tokens, and exactly 8 findings as its answer:

    engine   the Llama engine as in the application, including the child process
    naive    a loop of Llama.create_completion with an equivalent grammar
    ceiling  decoding the same tokens without sampling: prompts in full batches, answers token by token, with the
             same number of parallel sequences as the engine
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import random_gguf
from measuring import SENTENCES as MORE
from measuring import report_of

from radcal.findings.by_model import readers
from radcal.findings.by_model.engine import LlamaEngine, llama_engine
from radcal.findings.by_model.prompt import fill_in, numbered
from radcal.findings.by_model.rows import END, RowGuide
from radcal.findings.model import process
from radcal.findings.model.chat import MARK
from radcal.findings.model.options import LlamaOptions
from radcal.findings.model.questions import Trie
from radcal.reports.records import Document
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import load_lexicon

FINDINGS = 8
SENTENCES = MORE[:8]


def documents(n: int) -> list[Document]:
    """Reports with the same sentences in different orders."""
    random = np.random.default_rng(0)
    orders = [random.permutation(len(SENTENCES)) for _ in range(n)]
    return [report_of(f"xray:{i}", [SENTENCES[k] for k in order]) for i, order in enumerate(orders)]


class Exactly(RowGuide):
    """Exactly eight findings, because random weights would stop anywhere."""

    def _openings(self) -> Trie:
        found = super()._openings()
        if len(self.statements) < FINDINGS:
            options = [
                (self._rows.opening(i + 1, self._sentences[i]), i) for i in range(self._at, len(self._sentences))
            ]
            return Trie(options)
        self.cut = False
        return found


def child() -> None:
    """The engine's child process with this guide."""
    from radcal.findings.model import worker

    readers.RowGuide = Exactly  # type: ignore[misc]
    worker.main(readers.make_reader)


def prompts(folder: Path) -> Path:
    """The shipped prompt, extended with examples to about 800 tokens."""
    folder.mkdir(exist_ok=True)
    for name in ("base.jinja", "chat.jinja", "examples.toml"):
        shutil.copy(resource("prompts", name), folder / name)
    with (folder / "examples.toml").open("a", encoding="utf-8") as file:
        file.write(_MORE_EXAMPLES)
    return folder


_MORE_EXAMPLES = """
[[examples]]
sentences = [
  "Cardiac silhouette at the upper limit of normal.",
  "Hazy density over the right lower zone, probably a small effusion with neighbouring atelectasis.",
  "No displaced rib fracture is seen.",
  "Calcified granuloma in the left apex.",
]
rows = [
  [1, "cardiomegaly", "absent"],
  [2, "pleural effusion", "probably"],
  [3, "fracture", "absent"],
  [4, "granuloma", "present"],
]

[[examples]]
sentences = [
  "Hyperinflated lungs, compatible with emphysema.",
  "A focal pneumonia in the lingula cannot be excluded.",
  "Mediastinal contours are unremarkable.",
]
rows = [
  [1, "emphysema", "compatible with"],
  [2, "infection", "cannot be excluded"],
]
"""


def words() -> list[str]:
    """The words of the prompt and the reports, so that they take about as many tokens as with a real vocabulary."""
    prompt = fill_in(resource("prompts"), pathology_names(), [p.name for p in load_lexicon().phrases], "number")
    return [w for w in prompt.base.split() if w.isascii()] + " ".join(SENTENCES).split()


def engine_rate(engine: LlamaEngine, reports: list[Document]) -> float:
    """Reports a minute of the engine."""
    began = time.perf_counter()
    found = list(engine.extract(reports, SILENT))
    minutes = (time.perf_counter() - began) / 60
    assert all(len(e.findings) == FINDINGS for e in found), [e.failure for e in found]
    return len(found) / minutes


def naive(path: Path, threads: int, prompt: str) -> Callable[[list[Document]], float]:
    """What a user would write."""
    from llama_cpp import Llama, LlamaGrammar

    lexicon = [p.name for p in load_lexicon().phrases]
    either = {
        "number": " | ".join(f'"{i}"' for i in range(1, len(SENTENCES) + 1)),
        "pathology": " | ".join(f'"{p}"' for p in pathology_names()),
        "phrase": " | ".join(f'"{p}"' for p in lexicon),
    }
    rules = [
        f'root ::= {" ".join(["row"] * FINDINGS)} "- end\\n"',
        r'row ::= "- " number ", \"" pathology "\", \"" phrase "\"\n"',
        *(f"{name} ::= {options}" for name, options in either.items()),
    ]
    grammar = LlamaGrammar.from_string("\n".join(rules), verbose=False)
    model = Llama(str(path), n_ctx=4096, n_threads=threads, n_threads_batch=threads, verbose=False)

    def run(reports: list[Document]) -> float:
        began = time.perf_counter()
        for report in reports:
            text = "".join(numbered([s.text for s in report.sentences], "number"))
            answer = model.create_completion(
                prompt.replace(MARK, text), max_tokens=400, temperature=0.0, grammar=grammar
            )
            assert answer["choices"][0]["text"].endswith(END)  # type: ignore[index]
        return len(reports) * 60 / (time.perf_counter() - began)

    run(documents(1))  # the static prompt stays in its cache from here on
    return run


class Raw:
    """Plain decoding by llama.cpp: the ceiling."""

    def __init__(self, path: Path, engine: LlamaEngine, prompt: str) -> None:
        from radcal.findings.model.fit import choose, free_memory
        from radcal.findings.model.native import Model

        self.plan = choose(engine._shape, engine._options, [], free_memory(), gpu_build=False).plan
        self.model = Model(path, self.plan, lambda: False)
        head, tail = prompt.split(MARK)
        self.prefix = self.model.tokens(head, begin=True)
        self.tail = self.model.tokens(tail)
        rows = [f'- {i}, "{p}", "suspicious for"\n' for i, p in enumerate(pathology_names()[:FINDINGS], 1)]
        self.answer = self.model.inner_tokens("".join(rows) + END)
        for first in range(0, len(self.prefix), self.plan.batch):
            part = self.prefix[first : first + self.plan.batch]
            self.model.decode([(t, first + i, (0,), False) for i, t in enumerate(part)])

    def _decode(self, steps: list[tuple[int, int, tuple[int, ...], bool]]) -> None:
        for first in range(0, len(steps), self.plan.batch):
            assert self.model.decode(steps[first : first + self.plan.batch]) == "done"

    def run(self, reports: list[Document]) -> float:
        """Reports a minute."""
        base, n = len(self.prefix), self.plan.parallel
        texts = [
            self.model.inner_tokens("".join(numbered([s.text for s in r.sentences], "number"))) + self.tail
            for r in reports
        ]
        began = time.perf_counter()
        for first in range(0, len(texts), n):
            group = texts[first : first + n]
            for q in range(1, len(group) + 1):
                self.model.share(0, q)
            self._decode(
                [(t, base + i, (q,), i == len(text) - 1) for q, text in enumerate(group, 1) for i, t in enumerate(text)]
            )
            for k, token in enumerate(self.answer):
                self._decode([(token, base + len(text) + k, (q,), True) for q, text in enumerate(group, 1)])
            for q in range(1, len(group) + 1):
                self.model.forget(q)
        return len(reports) * 60 / (time.perf_counter() - began)


def median(run: Callable[[], float], runs: int) -> tuple[float, str]:
    """Median and range of several runs."""
    rates = [run() for _ in range(runs)]
    return statistics.median(rates), f"{min(rates):.1f} to {max(rates):.1f}"


def measure(path: Path, reports: int, runs: int, threads: int, parallel: int | None) -> None:
    """Measure and print all three."""
    own = prompts(path.parent / "prompts")
    prompt = fill_in(own, pathology_names(), [p.name for p in load_lexicon().phrases], "number").base
    process.child_command = lambda module: [sys.executable, str(Path(__file__).resolve()), "--child"]
    options = LlamaOptions(
        threads=threads, prompt="base", prompts=own, max_findings=FINDINGS, keep_state=False, parallel=parallel
    )
    many, few = documents(reports), documents(max(reports // 4, 2))
    with llama_engine(path, options) as engine:
        print("\n".join(engine.start()))
        engine_rate(engine, many[:2])
        ours, ours_range = median(lambda: engine_rate(engine, many), runs)
        print(f"engine   {ours:8.1f} reports/min  ({ours_range})", flush=True)
        engine.close()
        raw = Raw(path, engine, prompt)
        print(
            f"         prompt {len(raw.prefix)} tokens, report {len(raw.tail) + _tokens(raw, many[0])}, "
            f"answer about {len(raw.answer)}"
        )
        ceiling, ceiling_range = median(lambda: raw.run(many), runs)
        print(f"ceiling  {ceiling:8.1f} reports/min  ({ceiling_range})", flush=True)
        raw.model.close()
    loop = naive(path, threads, prompt)
    simple, simple_range = median(lambda: loop(few), runs)
    print(f"naive    {simple:8.1f} reports/min  ({simple_range})")
    print(f"engine / naive {ours / simple:.2f}, engine / ceiling {ours / ceiling:.2f}")


def _tokens(raw: Raw, report: Document) -> int:
    return len(raw.model.inner_tokens("".join(numbered([s.text for s in report.sentences], "number"))))


def main() -> None:
    """Write the model, measure, and remove it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=sorted(random_gguf.SHAPES), default="1b")
    parser.add_argument("--reports", type=int, default=32)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--parallel", type=int)
    parser.add_argument("--folder", type=Path, help="keep the model here")
    chosen = parser.parse_args()
    print(f"{datetime.now(tz=UTC):%Y-%m-%d %H:%M} UTC, {platform.machine()}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"random-{chosen.shape}.gguf"
        if not path.exists():
            random_gguf.write_llama(path, random_gguf.SHAPES[chosen.shape], words())
        print(f"{chosen.shape}: {path.stat().st_size / 1e9:.2f} GB, {chosen.threads} threads, {chosen.runs} runs")
        measure(path, chosen.reports, chosen.runs, chosen.threads, chosen.parallel)
        print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    child() if "--child" in sys.argv else main()
