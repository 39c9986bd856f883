"""Language models' answers taken into a workspace: stored apart from the reports, and analysed beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.errors import InputError
from radcal.system.files import plain_to_record, record_to_plain
from radcal.words.phrases import mean_of, point
from radcal.words.records import Phrase
from radcal.words.speech import MOST_SAID, speech_of
from radcal.workspace.context import ANSWERS, ANSWERS_KEY, CURRENT, SAID, Context

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.settings import Settings

_WORDS = ("author", "topic", "phrase")


class ModelAnswers:
    """The answers of language models in a workspace: author, topic, phrase and outcome, and nothing else of them."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def all(self) -> pd.DataFrame | None:
        """The answers: columns author, topic, phrase, outcome and row; None if there are none.

        Words that another list had lent, and that the department's lexicon knows by now, have its name for them.
        """
        answers = self._context.workspace.load_frame(ANSWERS)
        known = {p.name: own.name for p in self._stored() if (own := self._context.lexicon.find(p.name)) is not None}
        if answers is not None and known:
            answers["phrase"] = answers["phrase"].astype("str").replace(known)
        return answers

    def models(self) -> dict[str, int]:
        """The models with their number of answers, by name."""
        answers = self._context.workspace.load_frame(ANSWERS, ["author"])
        if answers is None:
            return {}
        counts = answers["author"].astype("str").value_counts()
        return {str(model): int(n) for model, n in sorted(counts.items())}

    def said(self) -> tuple[Phrase, ...]:
        """The numbers and Betas that were said, and the words that the department's lexicon lacks."""
        return tuple(p for p in self._stored() if self._context.lexicon.find(p.name) is None)

    def _stored(self) -> tuple[Phrase, ...]:
        stored = self._context.workspace.load_result(SAID, CURRENT)
        return () if stored is None else tuple(plain_to_record(p, Phrase) for p in stored["phrases"])

    @property
    def key(self) -> str:
        """A hash over everything here; '' without answers."""
        return self._context.workspace.get_meta(ANSWERS_KEY) or ""

    def take_in(self, answers: pd.DataFrame, said: Sequence[Phrase]) -> None:
        """Store the answers whose words are known; they take the place of those of the same models.

        A model that said more than MOST_SAID different numbers is kept to hundredths.  The next analysis shows them.

        Args:
            answers: columns as of :meth:`all`.
            said: their numbers and Betas, and their words of other lists.

        Raises:
            InputError: a model is called like a radiologist, or nothing that was said is known.
            NoAccess: the workspace is open read-only.
        """
        import pandas as pd

        lexicon = self._context.lexicon
        new, said = _in_few_numbers(answers.astype(dict.fromkeys(_WORDS, "str")), said)
        known = {p.name for p in (*lexicon.phrases, *said)}
        new = new[new["phrase"].isin(known)]
        if new.empty:
            raise InputError("None of the answers has a phrase of the lexicon, a number or a Beta distribution.")
        models = set(new["author"])
        if namesakes := sorted(models & self._context.workspace.pairs_by_author().keys()):
            raise InputError(
                "There is a radiologist called {name!r} in this workspace. Give the model another name in its file.",
                name=namesakes[0],
            )
        before = self.all()
        if before is not None:
            new = pd.concat([before[~before["author"].isin(models)], new], ignore_index=True)
        everything = {p.name: p for p in (*self.said(), *said)}
        self._store(new, list(everything.values()), "answers of models taken in")

    def take_out(self, models: Collection[str]) -> None:
        """Remove the answers of these models.

        Raises:
            NoAccess: the workspace is open read-only.
        """
        before = self.all()
        if before is not None:
            self._store(before[~before["author"].isin(models)], self.said(), "answers of models taken out")

    def _store(self, answers: pd.DataFrame, said: Sequence[Phrase], what: str) -> None:
        import pandas as pd

        workspace = self._context.workspace
        used = set(answers["phrase"])
        kept = sorted((p for p in said if p.name in used), key=lambda p: (mean_of(p), p.name))
        with workspace.transaction():
            workspace.save_frame(ANSWERS, answers.reset_index(drop=True))
            workspace.save_result(SAID, CURRENT, {"phrases": [record_to_plain(p) for p in kept]}, {})
            rows = pd.util.hash_pandas_object(answers, index=False).to_numpy().tobytes()
            key = hashlib.sha256(rows + repr(kept).encode()).hexdigest() if len(answers) else ""
            workspace.set_meta(ANSWERS_KEY, key)
            workspace.log(what, answers=len(answers))

    def parts(self, columns: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
        """Columns of the answers as observations, by model."""
        answers = self.all()
        if answers is None:
            return
        for model, own in answers.groupby("author", sort=True):
            yield str(model), as_observations(own)[list(dict.fromkeys(("author", *columns)))]


def of_models(settings: Settings) -> Settings:
    """The settings without what a department says of its CT and of its radiologists' words."""
    return settings.changed(ct_accuracy=(), allowed_phrases=(), vocabulary="")


def as_observations(answers: pd.DataFrame) -> pd.DataFrame:
    """Answers in the columns of observations with their evidence, of which they have none; they have no day either."""
    n = len(answers)
    blank = np.full(n, "", dtype=object)
    ids = [f"{row}" for row in answers["row"].tolist()]
    made = answers[["author", "topic", "phrase", "outcome"]].reset_index(drop=True)
    return made.assign(
        reference_phrase=blank,
        xray_id=ids,
        ct_id=blank,
        verbatim=blank,
        xray_sentence=blank,
        xray_cue_start=-1,
        xray_cue_end=-1,
        ct_sentence=blank,
        ct_pathology=blank,
        xray_time=np.zeros(n, dtype="datetime64[ns]"),
        patient=-1,
    )


def _in_few_numbers(answers: pd.DataFrame, said: Sequence[Phrase]) -> tuple[pd.DataFrame, tuple[Phrase, ...]]:
    """The answers with hundredths in place of numbers, for models that said too many different ones."""
    numbers = {p.name: p for p in said if speech_of(p, ()) == "numbers"}
    others = [p for p in said if p.name not in numbers]
    answers = answers.copy()
    used: dict[str, Phrase] = {}
    for _, own in answers.groupby("author", sort=False):
        names = [name for name in own["phrase"].unique() if name in numbers]
        told = {name: numbers[name] for name in names}
        if len(names) > MOST_SAID:
            for name in names:
                place = round(mean_of(numbers[name]), 2)
                told[name] = point(f"{place:.12g}", place)
        renamed = {name: p.name for name, p in told.items()}
        answers.loc[own.index, "phrase"] = own["phrase"].replace(renamed)
        used |= {p.name: p for p in told.values()}
    return answers, (*others, *used.values())
