"""Judge a model file on annotated reports: ``python -m radcal.extract.mini.evaluate MODEL REPORTS.jsonl GOLD.tsv``.

A plain runner, for judging alone: greedy under the automaton, many sentences at a time.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from radcal.extract.mini.protocol import Automaton, Codec, Phrases, Prompt, Row, State, finding
from radcal.extract.rules.vocabulary import read_vocabulary
from radcal.lexicon.phrases import load_lexicon
from radcal.records import ABSENT, PRESENT, Finding, Section, Sentence
from radcal.resources import resource

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Triple = tuple[str, str, str]
"""Report, pathology, canonical phrase."""

_MAX_ANSWER = 120


class Runner:
    """A model file in llama.cpp, answering prompts in groups.

    Raises:
        ValueError: the file cannot be loaded, or does not speak the protocol.
    """

    def __init__(self, path: Path, threads: int = 4, together: int = 48) -> None:
        import ctypes

        import llama_cpp

        self._llama = llama_cpp
        self._together = together
        callback = llama_cpp.llama_log_callback(lambda level, text, data: None)
        self._callback = callback  # kept alive as long as the library may call it
        llama_cpp.llama_log_set(callback, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        self._model = llama_cpp.llama_model_load_from_file(
            str(path).encode(), llama_cpp.llama_model_default_params()
        )
        if not self._model:
            raise ValueError(f"{path.name} cannot be loaded")
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        n = llama_cpp.llama_vocab_n_tokens(self._vocab)
        pieces = [llama_cpp.llama_vocab_get_text(self._vocab, i).decode() for i in range(n)]
        self.codec = Codec(pieces, self.tokens)
        p = llama_cpp.llama_context_default_params()
        p.n_ctx = together * 256
        p.n_batch = p.n_ubatch = 2048
        p.n_seq_max = together
        p.kv_unified = True
        p.n_threads = p.n_threads_batch = threads
        self._context = llama_cpp.llama_init_from_model(self._model, p)
        self._batch = llama_cpp.llama_batch_init(2048 + 256, 0, 1)
        self._n_vocab = n

    def tokens(self, text: str) -> list[int]:
        """The tokens of a plain text by llama.cpp's own tokenizer."""
        raw = text.encode()
        buffer = (self._llama.llama_token * (len(raw) + 8))()
        n = self._llama.llama_tokenize(self._vocab, raw, len(raw), buffer, len(buffer), False, False)
        return list(buffer[:n])

    def close(self) -> None:
        """Free the model."""
        self._llama.llama_batch_free(self._batch)
        self._llama.llama_free(self._context)
        self._llama.llama_model_free(self._model)

    def answer(self, prompts: Sequence[Prompt]) -> list[list[int]]:
        """The greedy answer to each prompt."""
        order = sorted(range(len(prompts)), key=lambda i: len(prompts[i].ids))
        answers: list[list[int]] = [[] for _ in prompts]
        for first in range(0, len(order), self._together):
            group = order[first : first + self._together]
            for i, answer in zip(group, self._group([prompts[i] for i in group]), strict=True):
                answers[i] = answer
        return answers

    def _group(self, prompts: list[Prompt]) -> Iterator[list[int]]:
        self._llama.llama_memory_clear(self._llama.llama_get_memory(self._context), False)
        automata = [self.codec.automaton(p) for p in prompts]
        states = [a.start for a in automata]
        answers: list[list[int]] = [[] for _ in prompts]
        logits: dict[int, NDArray[np.float32]] = {}
        entries = [(s, t, j, j + 1 == len(p.ids)) for s, p in enumerate(prompts) for j, t in enumerate(p.ids)]
        while entries:
            logits = self._decode(entries)
            entries = []
            for s, row in logits.items():
                token = _best(row, automata[s], states[s])
                answers[s].append(token)
                states[s] = automata[s].advance(states[s], token)
                if states[s].phase != "done" and len(answers[s]) < _MAX_ANSWER:
                    entries.append((s, token, len(prompts[s].ids) + len(answers[s]) - 1, True))
        yield from answers

    def _decode(self, entries: list[tuple[int, int, int, bool]]) -> dict[int, NDArray[np.float32]]:
        import numpy as np

        rows: dict[int, NDArray[np.float32]] = {}
        for first in range(0, len(entries), 2048):
            part = entries[first : first + 2048]
            b = self._batch
            b.n_tokens = len(part)
            for k, (s, token, position, last) in enumerate(part):
                b.token[k], b.pos[k], b.n_seq_id[k], b.logits[k] = token, position, 1, last
                b.seq_id[k][0] = s
            if self._llama.llama_decode(self._context, b) != 0:
                raise ValueError("llama.cpp could not evaluate the prompt")
            for k, (s, _, _, last) in enumerate(part):
                if last:
                    row = np.ctypeslib.as_array(self._llama.llama_get_logits_ith(self._context, k), (self._n_vocab,))
                    rows[s] = row.copy()
        return rows


def _best(row: NDArray[np.float32], automaton: Automaton, state: State) -> int:
    best = int(row.argmax())
    allowed = automaton.allowed(state)
    return best if best in allowed else max(sorted(allowed), key=lambda t: row[t])


@dataclass(frozen=True, slots=True)
class Report:
    """An annotated report's sentences."""

    report_id: str
    modality: str
    sentences: tuple[Sentence, ...]


def read_reports(path: Path) -> list[Report]:
    """Reports of a file of JSON lines: id, modality, sentences, sections ("F" or "I"); broken lines are put together."""
    reports = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        sentences: list[Sentence] = []
        for text, section in zip(row["sentences"], row["sections"], strict=True):
            name = Section.IMPRESSION if section == "I" else Section.FINDINGS
            sentences.append(Sentence(name, 0, len(text), text))
        reports.append(Report(row["id"], row["modality"], tuple(sentences)))
    return reports


def find(runner: Runner, reports: Sequence[Report], phrases: Phrases) -> tuple[list[Finding], float]:
    """The findings of the reports, and the sentences read a second."""
    asked: list[tuple[Report, Sentence, Prompt]] = []
    for report in reports:
        for sentence in joined(report.sentences):
            asked += [(report, sentence, prompt) for prompt in runner.codec.prompts(sentence.text)]
    began = time.perf_counter()
    answers = runner.answer([prompt for _, _, prompt in asked])
    passed = time.perf_counter() - began
    found = []
    for (report, sentence, prompt), answer in zip(asked, answers, strict=True):
        rows: tuple[Row, ...] = runner.codec.rows(prompt, answer)
        found += [finding(report.report_id, sentence, prompt, row, phrases, "llama", None) for row in rows]
    return found, len(asked) / passed


def joined(sentences: Iterable[Sentence]) -> list[Sentence]:
    from radcal.extract.rules.engine import _whole_sentences
    out=[]
    for ss in _whole_sentences(tuple(sentences)):
        text=" ".join(s.text for s in ss); out.append(Sentence(ss[0].section,0,len(text),text))
    return out


_ALIAS = {"may represent": "may"}


def triples(findings: Iterable[Finding]) -> set[Triple]:
    """What is compared with the annotation."""
    return {(f.report_id, f.pathology, _ALIAS.get(f.phrase, f.phrase)) for f in findings}


def read_gold(path: Path) -> set[Triple]:
    """The annotation: report, sentence, pathology, phrase, cue; tab-separated, no header."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [r for r in csv.reader(file, delimiter="\t") if len(r) >= 4]
    return {(r[0], r[2].strip().lower(), _ALIAS.get(p := r[3].strip().lower(), p)) for r in rows}


def _coarse(phrase: str) -> str:
    return phrase if phrase in (ABSENT, PRESENT) else "hedged"


def scores(gold: set[Triple], found: set[Triple]) -> dict[str, float]:
    """F1 of three grains and of the hedged findings alone; 2 TP / (gold + found)."""
    hedged = [{t for t in s if _coarse(t[2]) == "hedged"} for s in (gold, found)]
    return {
        "mention": _f1({t[:2] for t in gold}, {t[:2] for t in found}),
        "assertion": _f1({(*t[:2], _coarse(t[2])) for t in gold}, {(*t[:2], _coarse(t[2])) for t in found}),
        "graded": _f1(gold, found),
        "hedged": _f1({t[:2] for t in hedged[0]}, {t[:2] for t in hedged[1]}),
        "hedged graded": _f1(*hedged),
    }


def _f1(gold: set[Any], found: set[Any]) -> float:
    return 2 * len(gold & found) / max(1, len(gold) + len(found))


def intervals(
    gold: set[Triple], found: set[Triple], reports: Sequence[str], seed: int = 0, times: int = 1000
) -> Mapping[str, tuple[float, float, float]]:
    """Score and its 95 % percentile interval from drawing the reports anew."""
    random = Random(seed)
    by_report = {r: ({t for t in gold if t[0] == r}, {t for t in found if t[0] == r}) for r in reports}
    draws: dict[str, list[float]] = {}
    for _ in range(times):
        g: set[Triple] = set()
        p: set[Triple] = set()
        for k, r in enumerate(random.choices(reports, k=len(reports))):
            g |= {(str(k), *t[1:]) for t in by_report[r][0]}
            p |= {(str(k), *t[1:]) for t in by_report[r][1]}
        for name, value in scores(g, p).items():
            draws.setdefault(name, []).append(value)
    point = scores(gold, found)
    return {n: (point[n], *(sorted(v)[round(q * (times - 1))] for q in (0.025, 0.975))) for n, v in draws.items()}  # type: ignore[misc]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("reports", type=Path)
    parser.add_argument("gold", type=Path)
    a = parser.parse_args(arguments)
    runner = Runner(a.model)
    reports = read_reports(a.reports)
    phrases = Phrases(read_vocabulary(resource("lexicon")), load_lexicon())
    found, speed = find(runner, reports, phrases)
    gold = read_gold(a.gold)
    ids = [r.report_id for r in reports]
    for name, chosen in (("all", ids), ("open", ids[1::2]), ("blind", ids[::2])):
        some = set(chosen)
        s = intervals({t for t in gold if t[0] in some}, {t for t in triples(found) if t[0] in some}, chosen)
        print(name, {k: tuple(round(x, 3) for x in v) for k, v in s.items()})
    print(f"{speed:.0f} sentences/s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
