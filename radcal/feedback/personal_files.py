"""Personal files: workspaces with only one radiologist's results and evidence.

A personal file is built part by part (:mod:`radcal.feedback.parts`).  It excludes reports, pairs, findings,
rejected rows, other authors' results, gold sets, and the department's secret seed of pseudonyms.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.author_results import AuthorResults
from radcal.advice.stored_analysis import Analysis, StoredAdvice
from radcal.feedback.pages import FeedbackPages
from radcal.feedback.parts import copy_words, known_here, write_part
from radcal.reliability.habits import Counts, others_as_plain
from radcal.reliability.records import Mix, PooledRate, Reliability
from radcal.system.clock import now
from radcal.system.coarse import FEWEST, outward, rounded
from radcal.system.components import versions
from radcal.system.errors import DataError
from radcal.system.exports import WORKSPACE_SUFFIX
from radcal.system.files import Json, record_to_plain
from radcal.system.kinds import FileKind
from radcal.system.progress import SILENT
from radcal.system.sealed import new_key
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.workspace.context import (
    ANALYSED_FILES,
    ANALYSIS,
    ANALYSIS_KEY,
    CONTEST_KEY,
    CONTESTED,
    COUNTS_BY_DAY,
    CURRENT,
    HABITS,
    HABITS_BY_DAY,
    HAND_OUT,
    LEFT_OUT,
    PAGE_CHOICE,
    PERSONAL,
    PERSONAL_HANDED_OUT,
    PSEUDONYM,
    WORDINGS_BY_DAY,
    Context,
)
from radcal.workspace.masking import DAYS_LEFT_OUT
from radcal.workspace.names import OWN_NAME

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.progress import Progress
    from radcal.workspace.store import Workspace


class PersonalFiles:
    """Writes personal files."""

    def __init__(
        self,
        context: Context,
        stored: StoredAdvice,
        authors: AuthorResults,
        pages: FeedbackPages,
        wordings: Callable[[str | None], pd.DataFrame | None],
        habits: Callable[[Progress], Counts | None],
    ) -> None:
        self._context = context
        self._stored = stored
        self._authors = authors
        self._pages = pages
        self._wordings = wordings
        self._habits = habits

    def write(self, author: str, out: Path, passphrase: str) -> Path:
        """Write the personal file of one radiologist.

        Raises:
            InputError: unknown author, a file that exists already or cannot be written, or a weak passphrase.
            DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
        """
        self._pages.require_accuracy()
        name = self._context.names.name_of(author)
        # Unknown authors are refused before a file is created.
        analysis = _own_analysis(self._authors.analysis(author), self._stored.required())
        workspace, settings = self._context.workspace, _settings(self._context.settings)
        observations, counts = self._stored.observations_of(author), self._authors.counts(author)
        said = self._wordings(author) if settings.vocabulary else None
        habits = self._own_habits(author)
        pseudonym, words = self._stored.pseudonyms()[author], self._stored.lexicon
        number, key = secrets.token_hex(16), new_key().hex()

        def fill(packet: Workspace) -> None:
            packet.save_observations(_own(observations))
            packet.save_frame(COUNTS_BY_DAY, counts)
            if said is not None:
                packet.save_frame(WORDINGS_BY_DAY, said[said["author"] == author].reset_index(drop=True))
            if habits is not None:
                packet.save_frame(HABITS_BY_DAY, habits[0])
                packet.save_result(HABITS, CURRENT, habits[1], {})
            packet.save_result(ANALYSIS, CURRENT, record_to_plain(analysis), versions())
            copy_words(Context(packet), words)
            _copy_contests(packet, workspace, author, set(observations["xray_id"]))
            choice = workspace.load_result(PAGE_CHOICE, author)
            if choice is not None:
                packet.save_result(PAGE_CHOICE, author, choice | {"comparison": False}, {})
            packet.set_meta(PERSONAL, author)
            packet.set_meta(PSEUDONYM, pseudonym)
            if name != author:
                packet.set_meta(OWN_NAME, name)
            packet.set_meta(ANALYSIS_KEY, self._context.analysis_key or "")
            packet.set_meta(ANALYSED_FILES, "")
            if self._context.masking.on:
                packet.set_meta(DAYS_LEFT_OUT, "yes")
            if not workspace.read_only:  # else nobody could read what comes back
                packet.set_meta(HAND_OUT, number)
                packet.set_meta(CONTEST_KEY, key)

        handed = {"author": author, "key": key, "made": now()}
        with known_here(workspace, out, PERSONAL_HANDED_OUT, number, handed):
            return write_part(
                self._context,
                FileKind.PERSONAL,
                out,
                passphrase,
                fill,
                settings=settings,
                names=(author, name),
                to=pseudonym,
            )

    def _own_habits(self, author: str) -> tuple[pd.DataFrame, Json] | None:
        """The author's counts behind the shares of reports, and what may be told of all others.

        None where the reports are not searched yet and what is found could not be kept.
        """
        try:
            known = self._habits(SILENT)
        except DataError:
            return None
        if known is None:
            return None
        settings = self._context.settings
        told = {
            "scale": known.scale,
            "chosen": known.chosen,
            "others": others_as_plain(known, author, settings.min_group_n, settings.confidence),
        }
        own = known.frame[known.frame["author"] == author].reset_index(drop=True)
        return own, told

    def name(self, author: str) -> str:
        """The usual name of an author's personal file: "personal-avery.radcal"."""
        from radcal.feedback.pdf import file_name

        return file_name(self._pages.input(author), WORKSPACE_SUFFIX, "personal")


def _settings(settings: Settings) -> Settings:
    """The settings behind the results, without the set-up of the department's engine and the paths of its files."""
    own = {name for name in settings.to_dict() if name.startswith(("llama_", "served_"))}
    usual = Settings()
    return settings.changed(model="", **{name: getattr(usual, name) for name in own})


def _own_analysis(own: Analysis, every: Analysis) -> Analysis:
    """The author's part of the analysis, with what it says of others as coarse as :mod:`radcal.system.coarse` has it.

    How often the CT used each outcome would otherwise tell, less the author's own, what all others said and what was
    confirmed of it: it is told in shares to 5 points, where enough others spoke of the pathology.
    """
    spoke = Counter(r.topic for r in every.reliabilities if r.n >= FEWEST and r.author != own.pairs[0].author)
    spoke[ALL_TOPICS] = len({r.author for r in every.reliabilities}) - 1
    mixes = {topic: _shares(mix) for topic, mix in own.mixes.items() if spoke[topic] >= FEWEST}
    return replace(
        own,
        mixes=mixes,
        reliabilities=tuple(map(_without_others, own.reliabilities)),
        pooled=tuple(map(_without_others, own.pooled)),
    )


def _shares(mix: Mix) -> Mix:
    total = mix.n.sum()
    return Mix(mix.outcomes, np.array([1000 * rounded(n / total) for n in mix.n])) if total else mix


def _without_others(r: Reliability) -> Reliability:
    """The group with rates seen together with other authors to 5 points, where those are enough."""

    def coarse(p: PooledRate) -> PooledRate:
        low, high = outward(p.low, p.high)
        return p._replace(rate=rounded(p.rate), low=low, high=high)

    own = [p for p in r.pooled_rates if p.over == "topics"]
    with_others = [coarse(p) for p in r.pooled_rates if p.over != "topics" and p.groups > FEWEST]
    return replace(r, pooled_rates=(*own, *with_others))


def _own(observations: pd.DataFrame) -> pd.DataFrame:
    """The rows without categorical columns, whose categories would reveal values of other rows."""
    import pandas as pd

    plain = {name: str for name, dtype in observations.dtypes.items() if isinstance(dtype, pd.CategoricalDtype)}
    return observations.astype(plain).reset_index(drop=True)


def _copy_contests(packet: Workspace, workspace: Workspace, author: str, own: set[str]) -> None:
    """Store which of the author's findings were contested, and which of these were left out."""
    for key, contest in workspace.results(CONTESTED).items():
        if contest.payload["author"] == author:
            packet.save_result(CONTESTED, key, contest.payload, {})
    left_out = workspace.load_result(LEFT_OUT, CURRENT) or {"findings": []}
    findings = [finding for finding in left_out["findings"] if finding[0] in own]
    packet.save_result(LEFT_OUT, CURRENT, {"findings": findings}, {})
