"""A language model that reads alone, against one that writes its findings, and against the limit of the hardware.

    python benchmarks/bench_llama.py MODEL.gguf [--reports 20] [--generated 2] [--threads N]

Every report is real where real ones are at hand (../shared/data/gold), else made up:

    pairs      the engine "llama" as in the application, with its child process: one question for each sentence and
               pathology that it names; the prompt is decoded before
    naive      Llama.create_completion with the same model, its findings as JSON by a schema
    prefill    decoding the tokens of the questions and nothing else, in full batches

Seconds are those of the processor, on Linux only: what else the machine does bears less on them than on the clock.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import annotated

from radcal.findings.model import process
from radcal.findings.model.fit import Plan
from radcal.findings.model.local_pairs import LocalPairReader
from radcal.findings.model.options import LlamaOptions
from radcal.findings.model.process import MARK
from radcal.findings.readers.alone import ReadingAlone
from radcal.findings.readers.pairs import Answers, Question
from radcal.reports.records import Document
from radcal.system.progress import SILENT, Progress
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import load_lexicon

CONTEXT, MOST_ANSWER = 4096, 700
os.environ.update(process.WAITING)  # as in the child process: waiting threads would count as work


class Recorded(LocalPairReader):
    """A pair reader that keeps what it was asked."""

    asked: list[Question]

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        self.asked = []

        def kept(report: Sequence[Question]) -> Sequence[Question]:
            self.asked += report
            return report

        return super().answer(map(kept, reports), progress)


@dataclass(frozen=True)
class Measured:
    """Reports, processor seconds, and seconds by the clock."""

    reports: int
    seconds: float
    clock: float

    def __str__(self) -> str:
        return (
            f"{self.seconds / self.reports:8.2f} CPU s a report, {60 * self.reports / self.clock:6.1f} reports/min "
            f"by the clock ({self.reports} reports)"
        )


def documents(n: int) -> list[Document]:
    """Reports, every second of the set."""
    *_, last = annotated.sets_at_hand()
    return list(itertools.islice(last.documents, 0, 2 * n, 2))


def seconds_of(child: int | None) -> float:
    """Processor seconds of a child process so far."""
    used = Path(f"/proc/{child}/stat").read_text(encoding="ascii").split()[13:15]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def pairs(reader: Recorded, reports: Sequence[Document], warm: Sequence[Document]) -> Measured:
    """The engine's time; ``reader.asked`` is what it was asked."""
    engine = ReadingAlone(reader)
    list(engine.extract(warm, SILENT))  # loads the model and decodes the prompt
    before, began = seconds_of(reader.process), time.perf_counter()
    found = list(engine.extract(reports, SILENT))
    measured = Measured(len(found), seconds_of(reader.process) - before, time.perf_counter() - began)
    assert not [one.failure for one in found if one.failure]
    return measured


def prefill(path: Path, reader: Recorded, threads: int) -> tuple[int, float]:
    """Tokens of the questions, each sentence once, and the processor seconds to decode as many in full batches."""
    from radcal.findings.model.native import Model, run_of

    plan = Plan(CONTEXT, CONTEXT, 512, 512, 1, threads, 0, repack=True, abortable=True, exact=True)
    model, forms = Model(path, plan, lambda: False), reader._forms
    known = {(q.sentence, pathology) for q in reader.asked for pathology in q.pathologies}
    texts = [forms.sentence.replace(MARK, sentence) for sentence in {sentence for sentence, _ in known}]
    texts += [forms.question.replace(MARK, pathology) for _, pathology in known]
    tokens = [token for text in texts for token in model.inner_tokens(text)]
    before = time.process_time()
    for first in range(0, len(tokens), plan.batch):
        part = tokens[first : first + plan.batch]
        model.decode(run_of(part, 0, 0))
        model.forget(0)
    seconds = time.process_time() - before
    model.close()
    return len(tokens), seconds


def naive(path: Path, reports: Sequence[Document], threads: int, told: str) -> Measured:
    """What a user would write."""
    from llama_cpp import Llama
    from llama_cpp.llama_grammar import LlamaGrammar

    item = {
        "type": "object",
        "properties": {
            "sentence": {"type": "integer"},
            "pathology": {"enum": list(pathology_names())},
            "phrase": {"enum": [p.name for p in load_lexicon().phrases]},
        },
        "required": ["sentence", "pathology", "phrase"],
    }
    schema = {"type": "object", "properties": {"findings": {"type": "array", "items": item}}, "required": ["findings"]}
    grammar = LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
    model = Llama(str(path), n_ctx=CONTEXT, n_threads=threads, n_threads_batch=threads, verbose=False)
    prompt = f"{told}\nAll findings of a report as JSON, by the numbers of its sentences.\nReport:\n"
    model.create_completion(prompt, max_tokens=1)  # it stays in the cache from here on
    before, began = time.process_time(), time.perf_counter()
    for report in reports:
        text = "".join(f"[{i}] {s.text}\n" for i, s in enumerate(report.sentences, 1))
        model.create_completion(f"{prompt}{text}Findings: ", max_tokens=MOST_ANSWER, temperature=0.0, grammar=grammar)
    measured = Measured(len(reports), time.process_time() - before, time.perf_counter() - began)
    model.close()
    return measured


def main() -> None:
    """Measure all three and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--reports", type=int, default=20)
    parser.add_argument("--generated", type=int, default=2, help="reports that are generated, which takes minutes")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    print(f"{datetime.now(tz=UTC):%Y-%m-%d %H:%M} UTC, {platform.machine()}, load {os.getloadavg()[0]:.1f}")
    print(f"{chosen.model.name}: {chosen.model.stat().st_size / 1e9:.2f} GB, {chosen.threads} threads")
    warm, *reports = documents(chosen.reports + 1)
    options = LlamaOptions(context=CONTEXT, threads=chosen.threads, keep_state=False)
    with Recorded(chosen.model, options, load_lexicon()) as reader:
        ours = pairs(reader, reports, [warm])
        told = reader._forms.told
        print(f"pairs   {ours}", flush=True)
    tokens, seconds = prefill(chosen.model, reader, chosen.threads)
    print(
        f"prefill {seconds / len(reports):8.2f} CPU s a report, {tokens / seconds:.0f} tokens a CPU second", flush=True
    )
    theirs = naive(chosen.model, reports[: chosen.generated], chosen.threads, told)
    print(f"naive   {theirs}")
    print(
        f"{tokens / len(reports):.0f} tokens a report, {tokens / ours.seconds:.0f} a CPU second: "
        f"{100 * seconds / ours.seconds:.0f} % of the speed of decoding alone; "
        f"naive / pairs {theirs.seconds / theirs.reports * ours.reports / ours.seconds:.1f}"
    )


if __name__ == "__main__":
    main()
