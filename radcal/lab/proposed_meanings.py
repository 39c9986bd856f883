"""What unknown words may mean: as readers take their sentences, and as language models tell, for the user to decide."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from radcal.lab.hedges.estimator import SentenceEstimate, shipped
from radcal.lab.model_perception import Numbers, ask, moments
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.editing import is_plain
from radcal.words.phrases import Lexicon, load_lexicon, mean_of, normalise, spread_of
from radcal.words.records import Phrase
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from numpy.typing import NDArray


_NEIGHBOURS = 3
_SHARPNESS = 20.0
_NORMAL_90 = 3.2897
"""Width of the interval that holds 90 % of a normal distribution, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A meaning proposed for unknown words: a distribution on 0-1 by its mean and standard deviation.

    source: who proposes it;  mean, spread: in 0-1;  n: what it was made from, sentences or neighbours
    note: what it rests on
    """

    source: Literal["hedges", "model", "neighbours"]
    mean: float
    spread: float
    n: int
    note: Text


def from_sentences(words: str, examples: Sequence[str]) -> Proposal | Text:
    """What readers would take the words for, or why that cannot be told.

    The words on their own count, if any of them speaks of certainty; else the sentences in which they were found.  The
    error is that of the estimates, and at least that of surveyed words (:func:`least_spread`).
    """
    estimates = shipped().estimate([words, *examples])
    hedged = [e for e in estimates if isinstance(e, SentenceEstimate) and e.kind == "hedged"]
    found = hedged[:1] if hedged and hedged[0] is estimates[0] else hedged
    if not found:
        reasons = (e for e in estimates if isinstance(e, Text))
        return next(reasons, Text("No word that RadCal knows speaks of certainty here."))
    mean = float(np.mean([e.value for e in found]))
    error = float(np.mean([(e.high - e.low) / _NORMAL_90 for e in found]))
    on = list(dict.fromkeys(part for e in found for part in e.words))
    return Proposal(
        "hedges", mean, max(error, least_spread(mean)), len(found), Text("rests on {words}", words=", ".join(on))
    )


def from_numbers(file: str, chances: NDArray[np.float64]) -> Proposal:
    """What a model's mean distribution over 0 to 100 says of the words.

    Args:
        file: the model's.
        chances: (S, 101) P(0), ..., P(100) on each of S statements.
    """
    mean, spread = moments(chances.mean(axis=0))
    n = len(chances)
    note = Text("{file}, in {n} statements", file=file, n=n)
    return Proposal("model", mean, max(spread, least_spread(mean)), n, note)


def from_neighbours(file: str, lexicon: Lexicon, places: NDArray[np.float64]) -> Proposal:
    """The mean of the phrases that are nearest in a model's eyes; the error is what the same says of every phrase.

    Args:
        file: the model's.
        places: (1 + P, width) the model's embeddings of the words and of each of :func:`hedges_of` the lexicon.
    """
    phrases = hedges_of(lexicon)
    places = places - places[1:].mean(axis=0)
    places /= np.maximum(np.linalg.norm(places, axis=1, keepdims=True), 1e-12)
    means = np.array([mean_of(p) for p in phrases])
    alike = places @ places[1:].T
    np.fill_diagonal(alike[1:], -np.inf)
    nearest = np.argsort(-alike, axis=1)[:, :_NEIGHBOURS]
    near = np.take_along_axis(alike, nearest, axis=1)
    weights = np.exp(_SHARPNESS * (near - near[:, :1]))
    weights /= weights.sum(axis=1, keepdims=True)
    said = (weights * means[nearest]).sum(axis=1)
    error = float(np.sqrt(np.mean((said[1:] - means) ** 2)))
    names = [phrases[i].name for i in nearest[0].tolist()]
    mean = float(said[0])
    note = Text("{file}: nearest are {names}", file=file, names=", ".join(names))
    return Proposal("neighbours", mean, max(error, least_spread(mean)), len(names), note)


def hedges_of(lexicon: Lexicon) -> list[Phrase]:
    """The phrases whose meaning is no plain "absent" or "present"."""
    return [p for p in lexicon.phrases if not is_plain(p.name)]


def least_spread(mean: float) -> float:
    """The standard deviation of the answers on the surveyed word that means most nearly the same."""
    phrases = [p for p in hedges_of(load_lexicon()) if spread_of(p) > 0]
    return spread_of(min(phrases, key=lambda p: abs(mean_of(p) - mean)))


PROPOSED = "proposed meanings"
"""Kind of stored results: what a model proposed, by words and model."""
STATEMENTS = 10
"""How many private statements a model is asked about."""


class Reader(Numbers, Protocol):
    """A language model that tells its chances for each number, and places texts by their likeness."""

    def embeddings(self, texts: Sequence[str], progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n, width) of rows of length 1."""


class Proposed(NamedTuple):
    """Proposals for unknown words, and why their sentences allow none; empty if they do."""

    words: str
    proposals: tuple[Proposal, ...]
    why_none: Text

    def with_these(self, made: Sequence[Proposal]) -> Proposed:
        """With proposals that were just made, which a workspace that is open to read only does not keep."""
        return self._replace(proposals=tuple(dict.fromkeys([*self.proposals, *made])))


class ProposedMeanings:
    """Proposals for the unknown words of a workspace; those of models are kept with it."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def of(self, words: str, examples: Sequence[str]) -> Proposed:
        """What the words alone or their sentences say, and what models proposed earlier."""
        found = from_sentences(words, examples)
        kept = self._context.workspace.results(PROPOSED)
        begin = _key(words, "")
        models = [plain_to_record(r.payload, Proposal) for key, r in sorted(kept.items()) if key.startswith(begin)]
        if isinstance(found, Text):
            return Proposed(words, tuple(models), found)
        return Proposed(words, (found, *models), Text(""))

    def ask_model(self, words: str, path: Path, progress: Progress = SILENT) -> tuple[Proposal, ...]:
        """Ask a local model what the words mean, in two ways, and keep its proposals.

        Raises:
            InputError: the file is no usable model.
            EngineError: the model failed.
            Cancelled: by ``progress``.
        """
        from radcal.findings.engines import engine_options
        from radcal.findings.model.local_model import LocalModel

        with LocalModel(path, engine_options(self._context.settings)) as model:
            model.start(progress)
            made = by_model(model, words, self._context.lexicon, progress)
        workspace = self._context.workspace
        if not workspace.read_only:
            with workspace.transaction():
                for proposal in made:
                    key = _key(words, f"{path.name} {proposal.source}")
                    workspace.save_result(PROPOSED, key, record_to_plain(proposal), {})
        return made


def _key(words: str, rest: str) -> str:
    """The words themselves are report text, and no part of a key."""
    return f"{hashlib.sha256(normalise(words).encode()).hexdigest()[:16]} {rest}"


def by_model(model: Reader, words: str, lexicon: Lexicon, progress: Progress = SILENT) -> tuple[Proposal, Proposal]:
    """What a model says of the words: its distribution over 0 to 100, and the nearest phrases in its eyes.

    Raises:
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    answers = ask(model, [words], most=STATEMENTS, progress=progress, verdicts=False)
    texts = [words, *(p.name for p in hedges_of(lexicon))]
    progress.start(len(texts), Text("Comparing the words"))
    file = model.model.name
    near = from_neighbours(file, lexicon, model.embeddings(texts, progress))
    return from_numbers(file, answers.private[words]), near
