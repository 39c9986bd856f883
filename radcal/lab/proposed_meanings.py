"""What unknown words may mean: proposals from their sentences and from a language model, for the user to decide."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from radcal.lab.hedge_records import Proposal
from radcal.lab.model_perception import Numbers, ask
from radcal.lab.proposals import from_neighbours, from_numbers, from_sentences, hedges_of
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.phrases import Lexicon, normalise
from radcal.workspace.context import Context

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROPOSED = "proposed meanings"
"""Kind of stored results: what a model proposed, by words and model."""
STATEMENTS = 10
"""How many private statements a model is asked about."""


class Reader(Numbers, Protocol):
    """A language model that tells its chances for each number, and places texts by their likeness."""

    model: Path

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
    answers = ask(model, [words], most=STATEMENTS, progress=progress)
    texts = [words, *(p.name for p in hedges_of(lexicon))]
    progress.start(len(texts), Text("Comparing the words"))
    file = model.model.name
    near = from_neighbours(file, lexicon, model.embeddings(texts, progress))
    return from_numbers(file, answers.private[words]), near
