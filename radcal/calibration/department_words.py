"""A department's lexicon: its versions, the use of its phrases, unknown hedges, and surveys."""

from __future__ import annotations

import getpass
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.findings.runs import Runs
from radcal.system.errors import DataError, InputError
from radcal.system.files import plain_to_record, record_to_plain
from radcal.words.phrases import PUBLIC, Lexicon, load_lexicon, normalise, read_lexicon_csv
from radcal.words.records import OTHER, UNREAD
from radcal.words.responses import Response, Surveyed, from_responses, shuffled
from radcal.words.scales import allowed
from radcal.words.surveys import read_survey
from radcal.words.tables import read_cells
from radcal.workspace.context import LEXICON, LEXICON_KEY, SURVEY_RESPONSE, Context, lexicon_from
from radcal.workspace.records import PAIRED

SHIPPED = "shipped"
SHIPPED_PUBLIC = "shipped, public"
SURVEY = "survey"
"""Keys of lexicons other than versions: the shipped ones, and the department's own survey."""
_SITTING = timedelta(hours=1)
"""Changes by one person within this time form one version, unless an analysis was made in between."""
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class LexiconVersion:
    """A version of the department's lexicon.

    key: '0001', '0002' ...;  origin: name of the list from which its meanings were adopted
    version: short hash of the phrases and their meanings;  what: the change, in words;  when: local time
    """

    key: str
    version: str
    name: str
    what: str
    who: str
    when: datetime
    origin: str


@dataclass(frozen=True, slots=True)
class UnknownWords:
    """A hedge that is not in the lexicon, with its count and example sentences."""

    words: str
    n: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordsState:
    """Whether the current results are based on the current lexicon.

    stale: they are based on other phrases or meanings, other allowed phrases, or other settings
    settings_only: stale, but phrases and meanings are the same
    unread: reports to be read (again) because of changed phrases
    problem: why that number is unknown, '' if it is known
    """

    stale: bool
    unread: int
    problem: str = ""
    settings_only: bool = False


@dataclass(frozen=True)
class Uses:
    """Phrases and unknown hedges found in an extraction run.

    phrases: counts of the phrases of the lexicon in the paired reports;  unknown: the most frequent first
    engine: of the run, '' if nothing was read yet
    """

    phrases: Mapping[str, int]
    unknown: tuple[UnknownWords, ...]
    engine: str


class Words:
    """The lexicon of an open workspace; changes are stored at once and take effect with the next analysis."""

    def __init__(self, context: Context, stored: StoredAnalysis, runs: Runs) -> None:
        self._context = context
        self._workspace = context.workspace
        self._stored = stored
        self._runs = runs

    @property
    def origin(self) -> Lexicon:
        """The list behind the department's lexicon, to which a phrase's meaning can be reset."""
        key = self._workspace.get_meta(LEXICON_KEY)
        stored = self._context.lexicon_version(key)["origin"] if key else None
        return lexicon_from(stored) if stored else load_lexicon()

    def choose_vocabulary(self, key: str) -> None:
        """Store the scale, '' for all words, as the department's vocabulary; advice follows with the next analysis.

        Raises:
            InputError: there is no such scale, or advice could propose none of its words; nothing was stored.
            NoAccess: the workspace is open read-only.
        """
        settings = self._context.settings.changed(vocabulary=key)
        allowed(settings, self._context.lexicon.phrases)
        self._workspace.save_settings(settings)

    def of(self, key: str) -> Lexicon:
        """A version of the department's lexicon, a shipped one, or that of its own survey.

        Raises:
            DataError: an unknown key, or too few answers in the survey.
        """
        if key == SHIPPED:
            return load_lexicon()
        if key == SHIPPED_PUBLIC:
            return load_lexicon(table=PUBLIC)
        if key == SURVEY:
            surveyed = self.surveyed().lexicon
            if surveyed is None:
                raise DataError("Too few have answered the department's survey. Three answers on a word are enough.")
            return surveyed
        return lexicon_from(self._context.lexicon_version(key))

    def save(
        self,
        lexicon: Lexicon,
        allowed: Sequence[str] = (),
        *,
        what: str = "edited",
        origin: Lexicon | None = None,
        who: str | None = None,
    ) -> LexiconVersion:
        """Store a lexicon, and the phrases that advice may propose, as the department's.

        Args:
            allowed: phrases that advice may propose, () for all; names outside the lexicon are dropped.
            what: the change, in words.
            origin: the list to which meanings can be reset; None for the same as before.
            who: the author of the change; None for the user of this process.

        Raises:
            NoAccess: the workspace is open read-only.
        """
        workspace, now = self._workspace, datetime.now().astimezone().replace(microsecond=0)
        names = {p.name for p in lexicon.phrases}
        current = workspace.get_meta(LEXICON_KEY) or ""
        before = self._context.lexicon_version(current) if current else {}
        first = self.origin if origin is None else origin
        kept_origin = None if first.version == load_lexicon().version else _plain(first)
        by = _user() if who is None else who
        together = self._same_sitting(before, by, now) and before["origin"] == kept_origin
        key = current if together else f"{len(self._workspace.results(LEXICON)) + 1:04d}"
        payload = {
            **_plain(lexicon),
            "version": lexicon.version,
            "what": what,
            "who": by,
            "when": now.isoformat(),
            "origin": kept_origin,
        }
        settings = self._context.settings
        kept = tuple(name for name in allowed if name in names)
        with workspace.transaction():
            self._context.save_lexicon(key, payload)
            workspace.log("words changed", version=int(key), words=len(names))
            if kept != settings.allowed_phrases:
                workspace.save_settings(settings.changed(allowed_phrases=kept))
        return self._described(key, payload)

    def history(self) -> tuple[LexiconVersion, ...]:
        """All versions of the department's lexicon, the latest first."""
        stored = self._workspace.results(LEXICON)
        return tuple(self._described(key, r.payload) for key, r in sorted(stored.items(), reverse=True))

    def _described(self, key: str, payload: Mapping[str, Any]) -> LexiconVersion:
        when = datetime.fromisoformat(payload["when"])
        version, name, what, who = (str(payload[part]) for part in ("version", "name", "what", "who"))
        origin = payload["origin"]["name"] if payload["origin"] else load_lexicon().name
        return LexiconVersion(key, version, name, what, who, when, str(origin))

    def _same_sitting(self, before: Mapping[str, Any], who: str, now: datetime) -> bool:
        """True if a change may replace the previous version."""
        if not before or before["who"] != who or now - datetime.fromisoformat(before["when"]) > _SITTING:
            return False
        analysis = self._stored.last()
        return analysis is None or not analysis.provenance.lexicon.endswith(before["version"])

    def state(self) -> WordsState:
        """Whether the current results are based on the current lexicon; may compute a model file's checksum."""
        analysis, settings = self._stored.last(), self._context.settings
        if analysis is None:
            return WordsState(stale=False, unread=0)
        same_words = analysis.provenance.lexicon.endswith(self._context.lexicon.version)
        stale = not same_words or analysis.provenance.settings_hash != settings.hash()
        status = self._runs.status()
        unread = status.n_pending if stale and not status.problem else 0
        return WordsState(stale, unread, status.problem, settings_only=stale and same_words)

    def uses(self) -> Uses:
        """Counts of phrases and unknown hedges in the run of :meth:`_run`."""
        workspace, lexicon = self._workspace, self._context.lexicon
        run, engine = self._run()
        if run is None:
            return Uses({}, (), "")
        counted = workspace.count_findings(run, PAIRED)
        uses: dict[str, int] = {}
        unknown: dict[str, int] = {}
        strange = {OTHER, UNREAD}
        for phrase, verbatim, n in counted:
            words = normalise(verbatim)
            # A hedge that was unknown during extraction may have been added to the lexicon since.
            known = lexicon.find(words if phrase in (OTHER, UNREAD) else phrase)
            if known is not None and phrase == UNREAD:
                continue  # its word is known; what was not understood is the sentence
            if known is not None:
                uses[known.name] = uses.get(known.name, 0) + n
            elif words or phrase not in (OTHER, UNREAD):
                strange.add(phrase)
                unknown[words or phrase] = unknown.get(words or phrase, 0) + n
        examples = self._examples(run, sorted(strange)) if unknown else {}
        ordered = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))
        return Uses(uses, tuple(UnknownWords(w, n, examples.get(w, ())) for w, n in ordered), engine)

    def _run(self) -> tuple[int | None, str]:
        """Number and engine of the chosen run, else of the latest of the engine in the settings, else of the latest."""
        runs = self._workspace.runs()
        read = runs[runs["texts"] > 0].sort_values(["last", "run_id"])
        used = self._runs.used()
        for which in (read["run_id"] == used, read["engine"] == self._context.settings.engine, read["texts"] > 0):
            if which.any():
                row = read[which].iloc[-1]
                return int(row["run_id"]), str(row["engine"])
        return None, ""

    def _examples(self, run: int, phrases: Sequence[str]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for phrase, verbatim, sentence in self._workspace.examples(run, phrases, _EXAMPLES):
            words = normalise(verbatim) or phrase
            have = found.get(words, ())
            if len(have) < _EXAMPLES and sentence not in have:
                found[words] = (*have, sentence)
        return found

    @staticmethod
    def read_list(path: Path) -> Lexicon:
        """A lexicon from a file: a survey in either format, or a list of phrases with alpha and beta.

        Raises:
            InputError: another or faulty file; the message has line and reason.
        """
        header, _ = read_cells(path)
        names = {h.lower() for h in header}
        if {"phrase", "alpha", "beta"} <= names:
            return read_lexicon_csv(path)
        return read_survey(path)

    def responses(self) -> tuple[Response, ...]:
        """The responses to the department's survey, in the order in which they were begun."""
        stored = self._workspace.results(SURVEY_RESPONSE)
        made = [plain_to_record(r.payload, Response) for r in stored.values()]
        return tuple(sorted(made, key=lambda r: (r.begun, r.key)))

    def surveyed(self) -> Surveyed:
        """The lexicon and counts that follow from the responses so far."""
        return from_responses(self.responses(), f"survey of the department, {datetime.now().astimezone():%Y-%m}")

    def new_response(self, name: str = "", seed: int | None = None) -> Response:
        """A response without answers and with questions in random order; not stored yet.

        Args:
            name: of the respondent, '' for anonymous.
            seed: of the order; None for a random one.
        """
        began = datetime.now().astimezone().isoformat(timespec="seconds")
        order = shuffled(self._context.lexicon, secrets.randbits(32) if seed is None else seed)
        return Response(secrets.token_hex(8), " ".join(name.split())[:80], order, begun=began)

    def save_response(self, response: Response) -> None:
        """Store a response, replacing an earlier one under the same key.

        Raises:
            InputError: it has no answers.
        """
        if not response.answers:
            raise InputError("Nothing was answered yet.")
        with self._workspace.transaction():
            self._workspace.save_result(SURVEY_RESPONSE, response.key, record_to_plain(response), {})
            self._workspace.log("survey answer saved", answers=len(response.answers))

    def remove_response(self, key: str) -> None:
        """Delete a response."""
        with self._workspace.transaction():
            self._workspace.delete_result(SURVEY_RESPONSE, key)
            self._workspace.log("survey answer removed")


def _plain(lexicon: Lexicon) -> dict[str, Any]:
    return {"name": lexicon.name, "phrases": [record_to_plain(p) for p in lexicon.phrases]}


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
