"""Personal files: workspaces with only one radiologist's results and evidence, and the answers that come back.

A personal file (:mod:`radcal.feedback.hand_outs`) excludes reports, pairs, findings, rejected rows, other authors'
results, gold sets, and the department's secret seed of pseudonyms.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd

from radcal.advice.author_results import AuthorResults
from radcal.advice.stored_analysis import Analysis, StoredAdvice
from radcal.calibration.contests import Contests
from radcal.calibration.habits import Counts, others_as_plain
from radcal.calibration.model import SHIPPED
from radcal.calibration.own_contests import SEALED_CONTESTS, ContestsFile, OwnGoal, read_contests
from radcal.calibration.records import Mix
from radcal.feedback.goals import Goals, told_to_owner
from radcal.feedback.hand_outs import HandOut, HandOuts, Refused, Returned, copy_words
from radcal.feedback.new_cases import NewCasesOf
from radcal.feedback.pages import FeedbackPages
from radcal.system.clock import now
from radcal.system.coarse import FEWEST, rounded
from radcal.system.components import versions
from radcal.system.errors import DataError, InputError
from radcal.system.exports import WORKSPACE_SUFFIX
from radcal.system.files import Json, record_to_plain
from radcal.system.kinds import FileKind
from radcal.system.progress import SILENT
from radcal.system.sealed import OtherKey, new_key, unseal
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import Text
from radcal.workspace.context import (
    ANALYSED_FILES,
    ANALYSIS,
    ANALYSIS_KEY,
    CONTEST_KEY,
    CONTESTED,
    CONTESTS_TAKEN,
    COUNTS_BY_DAY,
    CURRENT,
    GOAL_SAID,
    HABITS,
    HABITS_BY_DAY,
    HAND_OUT,
    LEFT_OUT,
    NEW_CASES,
    PAGE_CHOICE,
    PERSONAL,
    PERSONAL_HANDED_OUT,
    PSEUDONYM,
    STUDY_UIDS,
    WORDINGS_BY_DAY,
    Context,
)
from radcal.workspace.masking import DAYS_LEFT_OUT
from radcal.workspace.names import OWN_NAME

if TYPE_CHECKING:
    from radcal.system.progress import Progress
    from radcal.workspace.store import Workspace


_NO_FINDING = Text("The present analysis has no such finding of this radiologist.")
_READ_OTHERWISE = Text("The finding is now read with another phrase.")
_GOAL_TAKEN = "goal"
"""In place of a finding, in what is remembered of a hand-out."""


@dataclass(eq=False, repr=False)
class PersonalFiles(HandOuts[ContestsFile]):
    """Writes personal files, and takes in the answers that radiologists gave in them.

    The key of a hand-out is that which seals the answers.
    """

    KIND: ClassVar = FileKind.PERSONAL
    STORED: ClassVar = PERSONAL_HANDED_OUT
    PERSON: ClassVar = "author"
    KEY: ClassVar = "key"
    FOREIGN: ClassVar = Text(
        "{name} does not belong to a personal file of this workspace: no key kept here opens it. If the personal "
        "file was written after the backup that this workspace was restored from, its contests cannot be read."
    )

    _stored: StoredAdvice
    _authors: AuthorResults
    _pages: FeedbackPages
    _contests: Contests
    _wordings: Callable[[str | None], pd.DataFrame | None]
    _habits: Callable[[Progress], Counts | None]
    _goals: Goals
    _cases: NewCasesOf

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
        new, goal = self._cases.of(author), self._goals.said(author)
        studies = workspace.reports(
            ("report_id", "study_uid"), sorted({*observations["xray_id"], *observations["ct_id"]})
        )
        key = new_key().hex()

        def fill(packet: Workspace, number: str) -> None:
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
            packet.save_result(STUDY_UIDS, CURRENT, dict(studies[studies["study_uid"] != ""].to_numpy()), {})
            packet.save_result(NEW_CASES, CURRENT, record_to_plain(new), {})
            if goal is not None:
                packet.save_result(GOAL_SAID, CURRENT, record_to_plain(told_to_owner(goal)), {})
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

        self._write(author, out, passphrase, key, fill, settings=settings, names=(author, name), to=pseudonym)
        self._cases.note_shown(author)
        self._goals.note_told(author)
        return out

    def _open(self, path: Path, handed: HandOut) -> ContestsFile | None:
        try:
            file = read_contests(unseal(path, SEALED_CONTESTS, bytes.fromhex(handed.key)), path.name)
        except OtherKey:
            return None
        if file.hand_out != handed.number:
            raise InputError(
                "{name} speaks of another personal file than the one whose key sealed it. Nothing was taken in.",
                name=path.name,
            )
        return file

    def _merge(self, name: str, handed: HandOut, content: ContestsFile) -> Returned:
        """Add contests and agreements, withdraw what the radiologist withdrew, and set the goal that was chosen.

        An answer is refused if the present analysis has no such finding of this radiologist.  What was withdrawn here
        after it had been taken in stays withdrawn, until the radiologist says something new of it.
        """
        author, workspace, phrases = handed.person, self._workspace, self._phrases_of(handed.person)
        new = withdrawn = known = agreed = 0
        refused: list[Refused] = []
        there = {(c.xray_id, c.topic): c for c in (*self._contests.agreed(), *self._contests.all())}
        for finding, said in content.contests.items():
            key = json.dumps([handed.number, *finding])
            taken = workspace.load_result(CONTESTS_TAKEN, key)
            before = there.get(finding)
            if taken is not None and taken["at"] >= said.at:
                known += 1
                continue
            if said.phrase not in phrases.get(finding, ()):
                reason = _READ_OTHERWISE if finding in phrases else _NO_FINDING
                refused.append(Refused(said.xray_id, reason, said.topic))
                continue
            if said.note is not None and said.agreed:
                self._contests.add(*finding, author, said.phrase, said.note, by=author, said=said.second, agreed=True)
                agreed += 1
            elif said.note is not None:
                note = _together(before.note, said.note) if before is not None and not before.by else said.note
                self._contests.add(*finding, author, said.phrase, note, by=author, said=said.second)
                new += 1
            elif before is not None and (before.by or before.at <= handed.made):
                # Not one that was made here since: the radiologist cannot have meant it.
                self._contests.withdraw(*finding)
                withdrawn += 1
            workspace.save_result(CONTESTS_TAKEN, key, {"at": said.at}, {})
        has_goal = self._take_goal(handed, content.goal, refused)
        counts = {"added": new, "withdrawn": withdrawn, "known": known, "refused": len(refused)}
        workspace.log("contests taken in", **counts, **({"agreed": agreed} if agreed else {}))
        return Returned(name, handed, new, withdrawn, known, agreed, has_goal, tuple(refused))

    def _take_goal(self, handed: HandOut, goal: OwnGoal | None, refused: list[Refused]) -> bool:
        """Set the goal that was chosen in a file, once; whether it was.

        A clock that is wrong there cannot set it before the file was made, or after now.
        """
        workspace, key = self._workspace, json.dumps([handed.number, _GOAL_TAKEN])
        taken = workspace.load_result(CONTESTS_TAKEN, key)
        if goal is None or (taken is not None and taken["at"] >= goal.at):
            return False
        at = min(max(goal.at, handed.made), now())
        try:
            words = goal.source, goal.target
            self._goals.set(handed.person, goal.topic, words, goal.plan, by=handed.person, at=at)
        except InputError as error:
            refused.append(Refused("", error.text, goal.topic))
            return False
        workspace.save_result(CONTESTS_TAKEN, key, {"at": goal.at}, {})
        return True

    def _phrases_of(self, author: str) -> dict[tuple[str, str], set[str]]:
        """The phrases of the radiologist's findings in the present analysis, by X-ray report and topic."""
        phrases: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        if author in self._stored.authors():
            own = self._stored.observations_of(author)[["xray_id", "topic", "phrase"]]
            for xray_id, topic, phrase in own.itertuples(index=False, name=None):
                phrases[str(xray_id), str(topic)].add(str(phrase))
        return phrases

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


def _together(ours: str, theirs: str) -> str:
    """The note made here with that of the radiologist, each once."""
    return "; ".join(dict.fromkeys(filter(None, (ours, theirs))))


def _settings(settings: Settings) -> Settings:
    """The settings behind the results, without the set-up of the department's engine and the paths of its files."""
    own = {name for name in settings.to_dict() if name.startswith(("llama_", "served_"))}
    usual = Settings()
    return settings.changed(model="", **{name: getattr(usual, name) for name in own})


def _own_analysis(own: Analysis, every: Analysis) -> Analysis:
    """The author's part of the analysis, with what it says of others as coarse as :mod:`radcal.system.coarse` has it.

    How often the CT used each outcome would otherwise tell, less the author's own, what all others said and what was
    confirmed of it: it is told in shares to 5 points, where enough others spoke of the pathology.  How far
    the department's words stray is told where it has enough others, and of a pathology where enough spoke of it.
    """
    spoke = Counter(r.topic for r in every.reliabilities if r.n >= FEWEST and r.author != own.pairs[0].author)
    spoke[ALL_TOPICS] = len({r.author for r in every.reliabilities}) - 1
    mixes = {topic: _shares(mix) for topic, mix in own.mixes.items() if spoke[topic] >= FEWEST}
    spread = own.spread if own.spread is not None and spoke[ALL_TOPICS] >= FEWEST else SHIPPED
    told = tuple(level for level in spread.levels if spoke[level.topic] >= FEWEST)
    return replace(own, mixes=mixes, spread=replace(spread, levels=told))


def _shares(mix: Mix) -> Mix:
    total = mix.n.sum()
    return Mix(mix.outcomes, np.array([1000 * rounded(n / total) for n in mix.n])) if total else mix


def _own(observations: pd.DataFrame) -> pd.DataFrame:
    """The rows without what would reveal values of other rows: categories, and gaps between the patients' numbers."""
    plain = {name: str for name, dtype in observations.dtypes.items() if isinstance(dtype, pd.CategoricalDtype)}
    if "patient" in observations:  # not in analyses of earlier versions
        observations = observations.assign(patient=pd.factorize(observations["patient"])[0])
    return observations.astype(plain).reset_index(drop=True)


def _copy_contests(packet: Workspace, workspace: Workspace, author: str, own: set[str]) -> None:
    """Store which of the author's findings were contested, and which of these were left out."""
    for key, contest in workspace.results(CONTESTED).items():
        if contest.payload["author"] == author:
            packet.save_result(CONTESTED, key, contest.payload, {})
    left_out = workspace.load_result(LEFT_OUT, CURRENT) or {"findings": []}
    findings = [finding for finding in left_out["findings"] if finding[0] in own]
    packet.save_result(LEFT_OUT, CURRENT, {"findings": findings}, {})
