"""Make resources/hedges/model.json from the sentences and fillings beside it, and the surveys that ship.

python -m tools.hedges.train [--out resources/hedges/model.json]
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from radcal.lab.hedges.estimator import HedgeEstimator, Likeness, as_plain, masked
from radcal.lab.hedges.fitting import OWN_NOISE, band_of, readings, solved
from radcal.lab.hedges.tokens import ASKS, Words, plain_words
from radcal.words.phrases import PUBLIC, load_lexicon, mean_of
from radcal.words.records import ABSENT, PRESENT

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "hedges"
_SLOT = re.compile(r"\{([A-Z])\}")
_SHORTEST = 4
_JOINED = 3
"""Fewest words of an idiom with a single weak one."""
_AS_PLAIN = 0.9
"""Score from which a sentence without a word of certainty may as well be read as a plain one."""
_DENIALS = frozenset({"no", "not", "never", "nor", "neither", "without"})


def main() -> None:
    """Write the model."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=FOLDER / "model.json")
    out = options.parse_args().out
    estimator = make()
    out.write_text(json.dumps(as_plain(estimator), indent=0) + "\n", encoding="utf-8")
    n, words = len(estimator.known), len(estimator.words.strong)
    print(f"{n:,} different sentences, {words:,} words of certainty, {out.stat().st_size:,} bytes")


def make(folder: Path = FOLDER, seed: int = 0) -> HedgeEstimator:
    """The estimator of the sentences in a folder: every one once, its slots filled by chance."""
    rows = _read(folder / "sentences.csv")
    fillings: dict[str, list[str]] = {}
    for row in _read(folder / "fillings.csv"):
        fillings.setdefault(row["slot"], []).append(row["words"])
    chance = random.Random(seed)
    texts: list[str] = []
    scores: list[float] = []
    kinds: list[str] = []
    for row in rows:
        texts.append(_filled(row["sentence"], fillings, chance))
        scores.append(float(row["score"]))
        kinds.append(row["kind"])
    for phrase, mean in _surveyed():
        texts += [f"{phrase[:1].upper()}{phrase[1:]}.", _filled(f"{phrase} {{A}}.", fillings, chance)]
        scores += [mean, mean]
        kinds += ["survey", "survey"]
    words = words_of_certainty(rows, _words(folder / "beside.txt"), _words(folder / "content.txt"))
    # Without its content, what says nothing of certainty would look like a plain statement: nothing to be learned.
    told = [n for n, kind in enumerate(kinds) if kind == "plain" or words.speak(texts[n])]
    alike = [masked(words.tokens(texts[n])) for n in told]
    own = readings(alike, [scores[n] for n in told], [float(kinds[n] == "abstention") for n in told])
    centre = float(own.scores.mean())
    gram = Likeness([text.split() for text in own.sentences]).among()
    weights, left = solved(gram, np.column_stack([own.scores - centre, own.abstentions]), OWN_NOISE / own.counts)
    # How far an estimate may be off is told by the distance of hedged sentences from the others.
    sure = np.isin(own.sentences, [text for n, text in zip(told, alike, strict=True) if kinds[n] == "hedged"])
    band = band_of(own.scores[sure], centre + left[sure, 0])
    return HedgeEstimator(words, own, own.sentences, weights, centre, band)


def _surveyed() -> list[tuple[str, float]]:
    """The words of the surveys that ship, with their mean; without the plain ones and the shortest."""
    found: dict[str, list[float]] = {}
    for lexicon in (load_lexicon(), load_lexicon(table=PUBLIC)):
        for phrase in lexicon.phrases:
            if phrase.name not in (ABSENT, PRESENT):
                for words in (phrase.name, *phrase.synonyms):
                    if len(words) >= _SHORTEST:
                        found.setdefault(words, []).append(mean_of(phrase))
    return [(words, sum(means) / len(means)) for words, means in sorted(found.items())]


def words_of_certainty(rows: Sequence[Mapping[str, str]], weak: Collection[str], content: Collection[str]) -> Words:
    """The words of the sentences, without those of plain ones and content, those in ``weak`` kept apart."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for row in rows:
        found[row["kind"] == "plain"].update(plain_words(_SLOT.sub(" ", row["sentence"])))
    strong = (found[False] - found[True] - _DENIALS).difference(content, weak)
    words = Words(frozenset({ASKS, *strong}), _DENIALS.union(weak))
    silent = [row["sentence"] for row in rows if float(row["score"]) < _AS_PLAIN]
    idioms = {run for text in silent if not words.speak(text) for run in _weak_runs(words, _SLOT.sub(" 1 ", text))}
    plain = [
        run for row in rows if row["kind"] == "plain" for run in _weak_runs(words, _SLOT.sub(" 1 ", row["sentence"]))
    ]
    return replace(words, idioms=frozenset(i for i in idioms if not any(f" {i} " in f" {run} " for run in plain)))


def _weak_runs(words: Words, text: str) -> list[str]:
    """The runs of weak words of a text, as the idioms of ``words`` are written."""
    found: list[str] = []
    for run in words.runs(text):
        weak = [t.word for t in run if t.word in words.weak]
        if len(weak) > 1:
            found.append(" ".join(weak))
        elif weak and len(run) >= _JOINED:
            found.append(" ".join(t.word for t in run))
    return found


def _filled(sentence: str, fillings: Mapping[str, Sequence[str]], chance: random.Random) -> str:
    text = _SLOT.sub(lambda slot: chance.choice(fillings[slot[1]]), sentence)
    return text[:1].upper() + text[1:]


def _words(path: Path) -> set[str]:
    return set(path.read_text(encoding="utf-8").split())


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
