"""Language models measured like radiologists: answers in, reliability and recalibrated answers out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibration.records import Reliability
from radcal.lab.answers import Answers, UnknownWords, read_answers
from radcal.lab.diagrams import Diagrams, GridPoint, diagrams, grid
from radcal.lab.recalibrating import Halves, Mapped, Recalibrated, Scores, SetSize, recalibrated
from radcal.lab.speakers_together import rates_together
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text
from radcal.words.phrases import PUBLIC, Lexicon, load_lexicon, mean_of
from radcal.words.records import SPEECH, Phrase, Speech

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.calibration.model_answers import ModelAnswers
    from radcal.calibration.records import Tables
    from radcal.system.files import Json
    from radcal.system.settings import Settings

_NAMES = ("author", "topic", "phrase")


@dataclass(frozen=True, eq=False)
class Speaker:
    """One model on one question set.

    right: share of answers that are right, 0-1;  stated: mean certainty, 0-1
    speech: answers by how certainty was said;  different: number of different ways
    reliability: of all answers, as of a radiologist on a pathology
    recalibrated: None where ``reason`` says that there are too few answers
    diagrams: reliability with fewer and more bins;  grid: the paper's transport under other settings, if asked for
    """

    author: str
    topic: str
    n: int
    right: float
    stated: float
    speech: Mapping[Speech, int]
    different: int
    reliability: Reliability
    diagrams: tuple[Diagrams, ...] = ()
    recalibrated: Recalibrated | None = None
    grid: tuple[GridPoint, ...] = ()
    reason: Text = EMPTY


@dataclass(frozen=True, eq=False)
class Speakers:
    """All models of a file on all question sets.

    unknown: words in no list, with the number of answers left out for them
    phrases: the words of the lexicon, and what else the models said
    abstained: rows left out because the model gave no answer
    """

    speakers: tuple[Speaker, ...]
    unknown: Mapping[str, int]
    phrases: tuple[Phrase, ...]
    rejected: tuple[Mapping[str, object], ...] = ()
    percent: tuple[str, ...] = ()
    n: int = 0
    abstained: int = 0


def shipped_lists() -> tuple[Lexicon, Lexicon]:
    """The shipped lists in the order in which they say what a model's words mean: the public's, the radiologists'.

    Models speak everyday English, and the source of the method reads them by the public survey.
    """
    return load_lexicon(table=PUBLIC), load_lexicon()


def read_all(
    files: Sequence[Path], lexicon: Lexicon, progress: Progress = SILENT, others: Sequence[Lexicon] = ()
) -> Answers:
    """The answers of one or several files together.

    Args:
        files: of answers.
        lexicon: whose phrases are known.
        progress: is asked whether to go on.
        others: further lists, for words that the lexicon lacks, in order.

    Raises:
        InputError: a file cannot be read, or none of its answers can be used.
        Cancelled: by ``progress``.
    """
    import pandas as pd

    read = [read_answers(file, lexicon, progress, others) for file in files]
    if len(read) == 1:
        return read[0]
    said = {p.name: p for answers in read for p in answers.said}
    together = pd.concat([a.answers.astype(dict.fromkeys(_NAMES, "str")) for a in read], ignore_index=True)
    return Answers(
        together.astype(dict.fromkeys(_NAMES, "category")),
        tuple(sorted(said.values(), key=lambda p: (mean_of(p), p.name))),
        pd.concat([a.rejected for a in read], ignore_index=True),
        tuple(sorted({author for a in read for author in a.percent})),
        _together(tuple(u for a in read for u in a.unknown)),
        sum(a.abstained for a in read),
    )


def _together(unknown: Sequence[UnknownWords]) -> tuple[UnknownWords, ...]:
    """Unknown words of several files, in the order of the files: the first row of the first, and all answers."""
    first: dict[str, UnknownWords] = {}
    n: Counter[str] = Counter()
    for u in unknown:
        first.setdefault(u.words, u)
        n[u.words] += u.n
    return tuple(replace(first[words], n=all_of_them) for words, all_of_them in n.most_common())


def taken_in(stored: ModelAnswers) -> Answers | None:
    """The answers in a workspace, None if there are none."""
    import pandas as pd

    answers = stored.all()
    if answers is None or answers.empty:
        return None
    return Answers(answers.astype(dict.fromkeys(_NAMES, "category")), stored.said(), pd.DataFrame())


def speakers(
    answers: Answers,
    lexicon: Lexicon,
    settings: Settings,
    progress: Progress = SILENT,
    *,
    together: bool = False,
    with_grid: bool = False,
) -> Speakers:
    """Every model on every question set: measured as a radiologist on a pathology, and recalibrated by
    each method.

    The words are those of the lexicon and, one each, the numbers and Betas that were said.  A result depends on the
    seed and on the model's own answers, not on their order or the model's name; but for the methods of
    :mod:`radcal.lab.speakers_together`.

    Args:
        answers, lexicon, settings, progress: what was said, and how it is measured.
        together: whether all models are taken together as a department, too: minutes for many.
        with_grid: whether the paper's transport is tried under many settings.

    Raises:
        InputError: none of the answers has a phrase of the lexicon, a number or a Beta.
        Cancelled: by ``progress``.
    """
    from radcal.calibration.model import SHIPPED
    from radcal.calibration.reliability import measure
    from radcal.calibration.tables import build_tables

    phrases = Lexicon((*lexicon.phrases, *answers.said), lexicon.name).phrases
    tables = _right_and_wrong(build_tables(answers.answers, phrases))
    measured = measure(tables, phrases, settings, progress, spread=SHIPPED)
    fewest = max(settings.min_group_n, 2)  # one answer in either half
    halves = [
        _halves(table, phrases, lexicon, settings) if not r.reason and table.sum() >= fewest else None
        for r, table in zip(measured, tables.counts, strict=True)
    ]
    enough = {(r.author, r.topic): h for h, r in zip(halves, measured, strict=True) if h is not None}
    rates = iter(rates_together(enough, progress) if together and enough else ())
    progress.start(len(measured), Text("Recalibrating what models say"))
    made = []
    for reliability, table, half in zip(measured, tables.counts, halves, strict=True):
        speaker = _speaker(reliability, table, phrases, lexicon, settings)
        if half is None:
            speaker = replace(speaker, reason=_too_few(speaker.n, fewest))
        else:
            own = recalibrated(half, settings, progress, next(rates, None))
            tried = grid(half, progress) if with_grid else ()
            speaker = replace(speaker, recalibrated=own, grid=tried)
        made.append(speaker)
        progress.advance(1)
    return Speakers(
        tuple(made),
        tables.unknown,
        phrases,
        tuple({str(name): value for name, value in row.items()} for row in answers.rejected.to_dict("records")),
        answers.percent,
        len(answers.answers),
        answers.abstained,
    )


def _right_and_wrong(tables: Tables) -> Tables:
    """The tables with both outcomes, wrong and right, where answers have only one of them, too."""
    counts = np.zeros((*tables.counts.shape[:2], 2))
    counts[:, :, np.rint(tables.positive).astype(np.intp)] = tables.counts
    return replace(tables, references=("0", "1"), positive=np.array([0.0, 1.0]), counts=counts)


def _halves(table: NDArray[np.float64], phrases: Sequence[Phrase], lexicon: Lexicon, settings: Settings) -> Halves:
    used = np.flatnonzero(table.sum(axis=1))
    rng = np.random.default_rng(settings.seed)
    return Halves.of([phrases[int(k)] for k in used], table[used], lexicon.phrases, settings, rng)


def _speaker(
    reliability: Reliability,
    table: NDArray[np.float64],
    phrases: Sequence[Phrase],
    lexicon: Lexicon,
    settings: Settings,
) -> Speaker:
    from radcal.words.speech import speech_of

    n = table.sum(axis=1)
    used = np.flatnonzero(n)
    said, names = [phrases[int(k)] for k in used], {p.name for p in lexicon.phrases}
    uses = [(speech_of(p, names), int(n[k])) for p, k in zip(said, used, strict=True)]
    total = float(n.sum())
    return Speaker(
        author=reliability.author,
        topic=reliability.topic,
        n=int(total),
        right=float(table[:, 1].sum() / total),
        stated=float(sum(r.n * r.mean for r in reliability.phrases) / total),
        speech={kind: sum(uses_of for one, uses_of in uses if one == kind) for kind in SPEECH},
        different=len(used),
        reliability=reliability,
        diagrams=diagrams(said, table[used], settings.method),
    )


def _too_few(n: int, enough: int) -> Text:
    return Text("{n} answer; {min} are needed.", many="{n} answers; {min} are needed.", n=n, min=enough)


# --- as plain values, fit for strict JSON


def speakers_to_json(speakers: Sequence[Speaker], reliabilities: Sequence[Json], meta: Mapping[str, Any]) -> Json:
    """Plain values of all models on all question sets.

    Args:
        speakers: as measured and recalibrated.
        reliabilities: the reliability of each, as in R.json.
        meta: further entries beside "models", such as settings and versions.

    Returns:
        {"models": [{"author", "topic", "n", "right", "stated", "speech", "different", "reason", "methods": {method:
        scores}, "failed": {method: why}, "diagrams": [{"bins", "ece", "ece_of_means", "curve", "curve_of_means"}],
        "grid": [{"epsilon", "tau2", "ece_fitted", "ece", "failed"}], "sizes": [{"phrases", "choice", "words", scores}],
        "told": [{"from", "mean", "n", "rate", "advice", "ordered", "transport": [{"to", "share"}], "platt",
        "histogram", "department", "department_rate"}], "reliability"}], **meta}, scores being those of
        :class:`Scores`, each with "..._low" and "..._high".
    """
    pairs = zip(speakers, reliabilities, strict=True)
    return {"models": [_model(s) | {"reliability": r} for s, r in pairs], **meta}


def _scores(scores: Scores) -> dict[str, float]:
    """The scores with their intervals, by name."""
    return {
        f"{name}{end}": getattr(getattr(scores, name), place)
        for name in (field.name for field in fields(Scores))
        for end, place in (("", "value"), ("_low", "low"), ("_high", "high"))
    }


def _model(s: Speaker) -> Json:
    made = s.recalibrated
    return {
        **{name: getattr(s, name) for name in ("author", "topic", "n", "right", "stated", "different", "reason")},
        "speech": dict(s.speech),
        "methods": {method: _scores(scores) for method, scores in made.methods.items()} if made else {},
        "failed": dict(made.failed) if made else {},
        "diagrams": [asdict(d) for d in s.diagrams],
        "grid": [asdict(point) for point in s.grid],
        "sizes": [_size(size) for size in made.sizes] if made else [],
        "told": [_mapped(mapped) for mapped in made.mappings] if made else [],
    }


def _size(size: SetSize) -> Json:
    return {"phrases": len(size.words), "choice": size.choice, "words": list(size.words), **_scores(size.scores)}


def _mapped(mapped: Mapped) -> Json:
    plain = asdict(mapped)
    words = {"from": plain.pop("source"), "advice": mapped.advice or None, "ordered": mapped.ordered or None}
    words["department"] = mapped.department or None
    return plain | words | {"transport": [{"to": word, "share": share} for word, share in mapped.transport]}
