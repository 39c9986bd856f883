"""Fit the chance that the rules have read a finding right to annotated reports, for one kind of second reader.

    python -m tools.chance.fit bundled [--answers FILE] [--write]
    python -m tools.chance.fit model --model FILE.gguf ...
    python -m tools.chance.fit choice --model FILE.gguf ...

Run it in the checkout.  It learns from the annotated sets of ``benchmarks``, of which those whose authors the rules do
not know count most (FIRST_SIGHT).  The rules know the others by now, so it withholds words from them: a share of the
words of certainty, the rarer the likelier, are nonsense to the rules and plain to the second reader.  So they err as
often as in reports of authors whom nobody has read before.  What a second reader says is kept in --answers under
hashes, without text, so that a further fit takes a minute.  "choice" takes the likeliest answer of a model for all that
a server says.

Printed are figures of fits to all sets but the one that they are measured on: how often readings of a chance are right,
and for several thresholds how many findings are unread and how many of the others wrong.  --write puts the weights and
the ordinary words into resources/reading.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from benchmarks.annotated import PATHOLOGIES, AnnotatedSet, Statement, sets_at_hand
from radcal.findings.readers.chance import FEATURES, KINDS, Kind, Reading, ReadSentence, asserted, words_between_tokens
from radcal.findings.readers.pairs import Certainty, PairReader, Question, Spotter
from radcal.findings.readers.second import phrase_of, questions_of
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.tokens import Token
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.reports.records import Document, Modality
from radcal.reports.sections import document
from radcal.review.evaluation import SYNONYMS
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.extraction_words import shipped
from radcal.words.languages import recognise
from radcal.words.records import UNREAD

SENTENCES = Path(__file__).resolve().parents[2] / "tests" / "findings"
OUT = resource("reading")
SEEDS = (None, 0, 1, 2)
"""Of the words that are withheld from the rules; None for none."""
WITHHELD = 0.5
"""Share of the rarest words of certainty that are withheld."""
_OFTEN = 4
"""Times that a word of certainty stands in the texts for that share to have fallen by a third."""
_KNOWN = frozenset({"hedge", "negation", "instead", "versus", "silence", "over", "with"})
"""Kinds of tokens whose words may be withheld."""
_WORD = re.compile(r"[a-z]{4,}")
_REAL = "real"
_STRENGTH = 1.0
"""Inverse strength of the penalty on weights, of features in units of their deviation."""
_FIRST_SIGHT = 5.0
"""Weight of findings in sets whose authors the rules do not know: a model may know what is withheld from the rules."""
FIRST_SIGHT = frozenset({"made_up_12", "made_up_14", "made_up_15", "made_up_16", "german_5"})
"""The sets that were not looked at when rules and bundled model were made.  The weights that ship are of an earlier
fit, when these were made_up_9 to 11."""
_WRONG, _UNREAD_REAL = 0.03, 0.03
"""Share of wrong readings among those that count, in sets at first sight; of unread findings in real reports."""
_THRESHOLDS = tuple(round(0.02 * k, 2) for k in range(10, 50))
"""Thresholds to choose from."""
_SHOWN = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.84, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98)
_BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence as the rules read it, with or without words withheld.

    flat, tokens: of what the rules read, but for the withheld words themselves
    right: for each reading, whether the annotation has it: the assertion, the phrase; None where it was not asked for
    """

    question: Question
    flat: str
    tokens: Sequence[Token]
    certainty: Certainty
    readings: tuple[Reading, ...]
    right: tuple[tuple[bool, bool] | None, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """Findings to fit to: features (n, len(FEATURES)); and whether assertion and phrase are right, sets, all (n,).

    first_sight: names of the sets whose authors the rules do not know
    """

    features: NDArray[np.float64]
    assertion: NDArray[np.bool_]
    phrase: NDArray[np.bool_]
    sets: NDArray[np.str_]
    withheld: NDArray[np.bool_]
    first_sight: frozenset[str] = frozenset()

    @property
    def weights(self) -> NDArray[np.float64]:
        """How much each counts, (n,)."""
        return np.where(np.isin(self.sets, list(self.first_sight)), _FIRST_SIGHT, 1.0)


class Texts:
    """The annotated sets, as the rules read them.

    Args:
        known: sets whose authors the rules know, and new: those of others.
        own: further texts of our own, for the words that are ordinary.
    """

    def __init__(self, known: Sequence[AnnotatedSet], new: Sequence[AnnotatedSet], own: Sequence[AnnotatedSet]) -> None:
        self.sets = [*known, *new]
        self.first_sight = [s.name for s in new]
        self._own = own
        self._rules: RulesEngine = rules_engine()
        self.spotter = Spotter(read_vocabularies(resource("lexicon")), shipped())
        self._counts = Counter(
            word
            for annotated in self.sets
            for d in annotated.documents
            for code in self.spotter.languages & {recognise(d.text).code}
            for whole in self.spotter.sentences(d, code)
            for word in _words_of_cues(flatten(whole.text), self.spotter.tokens(whole.text, code))
        )

    def places(self, seed: int | None) -> dict[str, list[Place]]:
        """What the rules read in each set, further texts included, with words withheld by a seed."""
        return {s.name: list(self._read(s, seed)) for s in (*self.sets, *self._own)}

    def _read(self, annotated: AnnotatedSet, seed: int | None) -> Iterator[Place]:
        phrases = {(s.report_id, _name(s.pathology), _name(s.phrase)) for s in annotated.statements}
        assertions = {(report, pathology, asserted(phrase)) for report, pathology, phrase in phrases}
        for given in annotated.documents:
            shown = given if seed is None else self._without(given, seed)
            [extraction] = self._rules.extract([shown], SILENT)
            questions = questions_of(given, extraction.findings, self.spotter)
            seen = questions_of(shown, extraction.findings, self.spotter)
            for (question, here), (read, _) in zip(questions, seen, strict=True):
                yield Place(
                    question,
                    flatten(question.sentence),
                    self.spotter.tokens(read.sentence, question.language),
                    self.spotter.certainty(read.sentence, question.language),
                    tuple(reading for _, reading in here),
                    tuple(
                        (
                            (given.report_id, r.pathology, asserted(r.phrase)) in assertions,
                            (given.report_id, r.pathology, r.phrase) in phrases,
                        )
                        if r.pathology in PATHOLOGIES and r.phrase != UNREAD
                        else None
                        for _, r in here
                    ),
                )

    def _without(self, given: Document, seed: int) -> Document:
        """A report with nonsense of the same length for the words withheld."""
        text, code = list(given.text), recognise(given.text).code
        for whole in self.spotter.sentences(given, code) if code in self.spotter.languages else ():
            for token in self.spotter.tokens(whole.text, code):
                if token.kind in _KNOWN and token.term is None:
                    for found in _WORD.finditer(flatten(whole.text), token.start, token.end):
                        start, end = whole.span(found.span())
                        if self._is_withheld(found.group(), seed) and end - start == len(found.group()):
                            text[start:end] = "z" * (end - start)
        new = "".join(text)
        return Document(
            given.report_id,
            new,
            tuple(replace(s, text=new[s.start : s.end]) for s in given.sentences),
            given.modality,
        )

    def _is_withheld(self, word: str, seed: int) -> bool:
        draw = int(sha256(f"{seed} {word}".encode()).hexdigest()[:8], 16) / 2**32
        return draw < WITHHELD / float(np.sqrt(1 + self._counts[word] / _OFTEN))


def _words_of_cues(flat: str, tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.kind in _KNOWN and token.term is None:
            yield from _WORD.findall(flat, token.start, token.end)


def _name(word: str) -> str:
    return SYNONYMS.get(word, word)


def sentences() -> Iterator[AnnotatedSet]:
    """The sentences of the tests of the rules, each as a report, with what they state."""
    for path in sorted(SENTENCES.glob("sentences*.tsv")):
        documents, statements = [], []
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            text, tab, found = line.partition("\t")
            if tab and not line.startswith("#"):
                documents.append(document(str(n), f"{text}\n", Modality.XRAY))
                pairs = (part.strip().split("=") for part in found.split(";") if part.strip())
                statements += [Statement(str(n), pathology, phrase) for pathology, phrase in pairs]
        yield AnnotatedSet(path.stem, tuple(documents), tuple(statements))


class Remembering:
    """A pair reader whose answers are kept on the disk under hashes of the questions.

    Args:
        path: the file, of this reader alone; None to keep nothing.
    """

    def __init__(self, reader: PairReader, path: Path | None) -> None:
        self._reader, self._path = reader, path
        self._known: dict[str, list[float]] = {}
        if path is not None and path.is_file():
            self._known = dict(map(json.loads, path.read_text(encoding="utf-8").splitlines()))

    @property
    def phrases(self) -> tuple[str, ...]:
        """The reader's closed list."""
        return self._reader.phrases

    def answers(self, questions: Iterable[Question]) -> dict[tuple[str, str], NDArray[np.float64]]:
        """P(phrase | sentence, pathology), shape (phrases,), by sentence and pathology.

        Raises:
            ValueError: the reader fails on a question.
        """
        wanted = {(q.sentence, p): (q, n) for q in questions for n, p in enumerate(q.pathologies)}
        keys = {where: self._key(q, n) for where, (q, n) in wanted.items()}
        unknown: dict[str, list[tuple[str, str]]] = {}
        for (sentence, pathology), (q, n) in wanted.items():
            if keys[sentence, pathology] not in self._known:
                unknown.setdefault(sentence, []).append((pathology, q.words[n]))
        languages = {sentence: q.language for (sentence, _), (q, _) in wanted.items()}
        asked = [
            Question(s, languages[s], tuple(p for p, _ in pairs), tuple(w for _, w in pairs))
            for s, pairs in unknown.items()
        ]
        for question, answers in zip(asked, self._reader.answer(([q] for q in asked), SILENT), strict=True):
            if answers.failure:
                raise ValueError(f"the second reader fails: {answers.failure}")
            rows = [
                (keys[question.sentence, p], [round(float(c), 7) for c in chances])
                for p, chances in zip(question.pathologies, answers.chances[0], strict=True)
            ]
            self._known.update(rows)
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.writelines(f"{json.dumps(row)}\n" for row in rows)
        return {where: np.array(self._known[key]) for where, key in keys.items()}

    def _key(self, question: Question, n: int) -> str:
        content = [question.sentence, question.language, question.pathologies[n], question.words[n]]
        return sha256(json.dumps(content).encode()).hexdigest()[:32]


def examples(texts: Texts, reader: Remembering, *, choice: bool) -> Examples:
    """The findings of the sets with and without words withheld, as a second reader judges them."""
    by_seed = {seed: texts.places(seed) for seed in SEEDS}
    names = [s.name for s in texts.sets]
    answers = reader.answers(place.question for places in by_seed.values() for name in names for place in places[name])
    features, right, sets, withheld = [], [], [], []
    for seed, places in by_seed.items():
        words = {name: ordinary(those) for name, those in places.items()}
        own = list(filter(is_own, words))
        for name in names:
            known = sum((words[other] for other in own if other != name), Counter[str]())
            for place in places[name]:
                sentence = ReadSentence(place.flat, place.tokens, place.readings, known, place.certainty)
                for reading, marks in zip(place.readings, place.right, strict=True):
                    if marks is None:
                        continue
                    chances = answers[place.question.sentence, reading.pathology]
                    if choice:
                        chances = (np.arange(len(chances)) == chances.argmax()).astype(float)
                    second = phrase_of(reading, reader.phrases, chances, place.certainty)
                    features.append(sentence.features(reading, reader.phrases, chances, second))
                    right.append(marks)
                    sets.append(name)
                    withheld.append(seed is not None)
    assertion, phrase = np.array(right).T
    first_sight = frozenset(texts.first_sight)
    return Examples(np.array(features), assertion, phrase, np.array(sets), np.array(withheld), first_sight)


def is_own(name: str) -> bool:
    """Whether the text of a set is our own, so that its words may ship."""
    return name.startswith(("german", "made_up", "sentences"))


def ordinary(places: Iterable[Place]) -> Counter[str]:
    """How often words stand in sentences that the rules read right, each sentence once."""
    wrong: set[str] = set()
    found: dict[str, set[str]] = {}
    for place in places:
        if any(marks is not None and not marks[0] for marks in place.right):
            wrong.add(place.question.sentence)
        found[place.question.sentence] = words_between_tokens(place.flat, place.tokens)
    return Counter(chain.from_iterable(words for sentence, words in found.items() if sentence not in wrong))


def fit(some: Examples, among: NDArray[np.bool_]) -> tuple[float, NDArray[np.float64]]:
    """Intercept and weights of the regression on the features of whether the assertion is right.

    Args:
        among: (n,), the findings to fit to.
    """
    features, right, counts = some.features[among], some.assertion[among], some.weights[among]
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    deviation[deviation == 0] = 1
    model = LogisticRegression(C=_STRENGTH, max_iter=5000).fit((features - mean) / deviation, right, counts)
    weights = model.coef_[0] / deviation
    return float(model.intercept_[0] - weights @ mean), weights


def crossed(some: Examples) -> NDArray[np.float64]:
    """The chances of all findings, shape (n,), each by a fit to the other sets."""
    chances = np.zeros(len(some.sets))
    for name in np.unique(some.sets):
        here = some.sets == name
        intercept, weights = fit(some, ~here)
        chances[here] = 1 / (1 + np.exp(-(intercept + some.features[here] @ weights)))
    return chances


def threshold(some: Examples, chances: NDArray[np.float64]) -> float:
    """The least threshold that leaves at most _WRONG of the first sets wrong, if it keeps _UNREAD_REAL."""
    first = np.isin(some.sets, list(some.first_sight)) & ~some.withheld
    real = (some.sets == _REAL) & ~some.withheld
    fitting = [t for t in _THRESHOLDS if not real.any() or (chances[real] < t).mean() <= _UNREAD_REAL]
    right = (t for t in fitting if (read := first & (chances >= t)).any() and some.assertion[read].mean() >= 1 - _WRONG)
    return next(right, max(fitting, default=_THRESHOLDS[0]))


def lines(some: Examples, chances: NDArray[np.float64]) -> Iterator[str]:
    """How well chances hold: by bins, and by thresholds for every set; "+" marks sets with words withheld."""
    yield "chance       findings  mean chance  right"
    for low, high in pairwise(_BINS):
        here = (chances >= low) & (chances < high + (high == 1))
        if here.any():
            mean, right = chances[here].mean(), some.assertion[here].mean()
            yield f"{low:.2f}-{high:.2f}    {here.sum():8,}     {mean:8.3f}  {right:.3f}"
    yield ""
    yield "unread below: share unread, and of the others the share whose assertion, phrase is wrong"
    for name in np.unique(some.sets):
        for withheld in (False, True):
            here = (some.sets == name) & (some.withheld == withheld)
            cells = []
            for least in _SHOWN:
                read = here & (chances >= least)
                wrong = [1 - right[read].mean() if read.any() else 0 for right in (some.assertion, some.phrase)]
                cells.append(f"{least:.2f}: {1 - read.sum() / here.sum():.3f} {wrong[0]:.3f} {wrong[1]:.3f}")
            yield f"{name}{'+' * withheld} ({here.sum():,} findings)\n    " + "\n    ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--model", type=Path, help="the model's file; without one, the model that ships")
    parser.add_argument("--answers", type=Path, help="file in which the reader's answers are kept, one for each model")
    parser.add_argument("--write", action="store_true", help="write weights and words into resources/reading")
    args = parser.parse_args()
    from radcal.findings.model.local_pairs import LocalPairReader

    sets = {name: [s for s in sets_at_hand() if (s.name in FIRST_SIGHT) == name] for name in (False, True)}
    texts = Texts(sets[False], sets[True], list(sentences()))
    with LocalPairReader(args.model) as reader:
        some = examples(texts, Remembering(reader, args.answers), choice=args.kind == "choice")
    name = args.model.name if args.model else ""
    print("\n".join(fitted_to(texts, some, args.kind, name, OUT if args.write else None)))


def fitted_to(texts: Texts, some: Examples, kind: Kind, model: str, out: Path | None) -> Iterator[str]:
    """Fit, and tell how well it holds; with a folder, write the weights and the ordinary words there."""
    chances = crossed(some)
    least = threshold(some, chances)
    yield f"{len(chances):,} findings of {len(np.unique(some.sets))} sets, {(~some.assertion).sum():,} wrong"
    yield from lines(some, chances)
    intercept, weights = fit(some, np.ones(len(chances), dtype=bool))
    made = {
        "model": model,
        "findings": len(chances),
        "wrong": int((~some.assertion).sum()),
        "unread_below": least,
        "intercept": round(intercept, 4),
        "weights": {name: round(float(w), 4) for name, w in zip(FEATURES, weights, strict=True)},
    }
    yield json.dumps(made, indent=2)
    if out is None:
        return
    path = out / "chance.json"
    readers = json.loads(path.read_text(encoding="utf-8")).get("readers", {}) if path.is_file() else {}
    path.write_text(json.dumps({"readers": {**readers, kind: made}}, indent=2) + "\n", encoding="utf-8")
    words = sum((ordinary(p) for name, p in texts.places(None).items() if is_own(name)), Counter[str]())
    rows = (f"{word} {n}\n" for word, n in sorted(words.items()))
    (out / "ordinary_words.txt").write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
