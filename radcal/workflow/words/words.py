"""A department's words: kept with their history, their uses and unknown words in its reports, its own surveys."""

from __future__ import annotations

import getpass
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.errors import DataError, InputError
from radcal.files import plain_to_record, record_to_plain
from radcal.lexicon.phrases import Lexicon, load_lexicon, normalise, read_lexicon_csv
from radcal.lexicon.responses import Response, Surveyed, from_responses, shuffled
from radcal.lexicon.surveys import read_survey
from radcal.records import OTHER, Phrase
from radcal.resources import resource

if TYPE_CHECKING:
    from radcal.workflow.department import Department
    from radcal.workspace import Workspace

SHIPPED = "shipped"
SHIPPED_PUBLIC = "shipped, public"
SURVEY = "survey"
"""Keys of lexicons that are no versions: those that ship, and the department's own survey."""
KIND, RESPONSE = "lexicon", "survey response"
"""Kinds of result under which lists of words and answers to the survey are stored."""
_CURRENT = "lexicon version"
_SITTING = timedelta(hours=1)
"""Changes of one person within this time of each other are one version, unless results were made between them."""
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class LexiconVersion:
    """One state of the department's lexicon.

    key: '0001', '0002' ...;  origin: the name of the list that its meanings were taken over from
    version: short hash of the words and their meanings;  what: what changed, in words;  when: local time
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
    """Words of certainty that are in no list: how often they were found, and some sentences that have them."""

    words: str
    n: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordsState:
    """Whether the results on show were made with the words as they are now.

    stale: they were made with other words or meanings, with other words that advice may propose, or other settings
    settings_only: words and meanings are the same, so that it must be one of the latter
    unread: reports that have to be read (again) because of words that stand for something else now
    problem: why that is not known, '' if it is
    """

    stale: bool
    unread: int
    problem: str = ""
    settings_only: bool = False


@dataclass(frozen=True)
class Uses:
    """What an extraction run found of the words.

    phrases: uses of each phrase of the lexicon over the paired reports;  unknown: the most frequent first
    engine: that read them, '' if nothing was read yet
    """

    phrases: Mapping[str, int]
    unknown: tuple[UnknownWords, ...]
    engine: str


class Words:
    """The words of an open workspace; every change is stored at once, and no result changes before it is asked for."""

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department = department
        self._workspace = workspace
        self._now: tuple[str, Lexicon] | None = None

    # --- the list ----------------------------------------------------------------------------------

    @property
    def lexicon(self) -> Lexicon:
        """The department's words and what they mean."""
        key = self._workspace.get_meta(_CURRENT) or SHIPPED
        if self._now is None or self._now[0] != key:
            self._now = key, self.of(key)
        return self._now[1]

    @property
    def origin(self) -> Lexicon:
        """The list that the department's was made from: what a phrase's meaning can be reset to."""
        key = self._workspace.get_meta(_CURRENT)
        stored = self._version(key)["origin"] if key else None
        return _lexicon(stored) if stored else load_lexicon()

    @property
    def allowed(self) -> tuple[str, ...]:
        """Words that advice may propose; all of them where the department has chosen none."""
        return self._department.settings.allowed_phrases

    def of(self, key: str) -> Lexicon:
        """The lexicon of a version, one that ships, or that of the department's own survey.

        Raises:
            DataError: there is none of that key, or too few have answered the survey.
        """
        if key == SHIPPED:
            return load_lexicon()
        if key == SHIPPED_PUBLIC:
            return read_lexicon_csv(resource("lexicon", "phrases_public.csv"))
        if key == SURVEY:
            surveyed = self.surveyed().lexicon
            if surveyed is None:
                raise DataError("Too few have answered the department's survey. Three answers on a word are enough.")
            return surveyed
        return _lexicon(self._version(key))

    def save(
        self,
        lexicon: Lexicon,
        allowed: Sequence[str] = (),
        *,
        what: str = "edited",
        origin: Lexicon | None = None,
        who: str | None = None,
    ) -> LexiconVersion:
        """Make a lexicon and the words that advice may propose the department's.

        Args:
            allowed: phrases that advice may propose; empty for all.  Names that the lexicon has not are left out.
            what: what changed, in words.
            origin: the list whose meanings phrases are reset to; None as before.
            who: made the change; None for the account that this process runs for.

        Raises:
            NoAccess: the workspace is open to read only.
        """
        workspace, now = self._workspace, datetime.now().astimezone().replace(microsecond=0)
        names = {p.name for p in lexicon.phrases}
        current = workspace.get_meta(_CURRENT) or ""
        before = self._version(current) if current else {}
        first = self.origin if origin is None else origin
        kept_origin = None if first.version == load_lexicon().version else _plain(first)
        by = _user() if who is None else who
        together = self._same_sitting(before, by, now) and before["origin"] == kept_origin
        key = current if together else f"{len(self._workspace.results(KIND)) + 1:04d}"
        payload = {
            **_plain(lexicon),
            "version": lexicon.version,
            "what": what,
            "who": by,
            "when": now.isoformat(),
            "origin": kept_origin,
        }
        settings = self._department.settings
        kept = tuple(name for name in allowed if name in names)
        with workspace.transaction():
            workspace.save_result(KIND, key, payload, {"version": lexicon.version, "when": payload["when"]})
            workspace.set_meta(_CURRENT, key)
            if kept != settings.allowed_phrases:
                self._department.save_settings(settings.changed(allowed_phrases=kept))
        self._now = None
        return self._described(key, payload)

    def history(self) -> tuple[LexiconVersion, ...]:
        """Every version of the department's lexicon, the latest first."""
        stored = self._workspace.results(KIND)
        return tuple(self._described(key, r.payload) for key, r in sorted(stored.items(), reverse=True))

    def analysed(self) -> Lexicon:
        """The lexicon that the analysis on show was made with; the current one if it is not known any more."""
        analysis = self._department.analysis()
        made_with = analysis.provenance.lexicon.rpartition(" ")[2] if analysis else ""
        if made_with in ("", self.lexicon.version):
            return self.lexicon
        if load_lexicon().version == made_with:
            return load_lexicon()
        key = next((v.key for v in self.history() if v.version == made_with), None)
        return self.of(key) if key else self.lexicon

    def _version(self, key: str) -> dict[str, Any]:
        stored = self._workspace.load_result(KIND, key)
        if stored is None:
            raise DataError("There is no version {key!r} of the department's words.", key=key)
        return stored

    def _described(self, key: str, payload: Mapping[str, Any]) -> LexiconVersion:
        when = datetime.fromisoformat(payload["when"])
        version, name, what, who = (str(payload[part]) for part in ("version", "name", "what", "who"))
        origin = payload["origin"]["name"] if payload["origin"] else load_lexicon().name
        return LexiconVersion(key, version, name, what, who, when, str(origin))

    def _same_sitting(self, before: Mapping[str, Any], who: str, now: datetime) -> bool:
        """Whether a change may take the place of the version before it."""
        if not before or before["who"] != who or now - datetime.fromisoformat(before["when"]) > _SITTING:
            return False
        analysis = self._department.analysis()
        return analysis is None or not analysis.provenance.lexicon.endswith(before["version"])

    # --- the reports -------------------------------------------------------------------------------

    def state(self) -> WordsState:
        """Whether the results on show were made with the words as they are now; may read a model file's checksum."""
        analysis, settings = self._department.analysis(), self._department.settings
        if analysis is None:
            return WordsState(stale=False, unread=0)
        same_words = analysis.provenance.lexicon.endswith(self.lexicon.version)
        stale = not same_words or analysis.provenance.settings_hash != settings.hash()
        status = self._department.runs.status()
        unread = status.n_pending if stale and not status.problem else 0
        return WordsState(stale, unread, status.problem, settings_only=stale and same_words)

    def uses(self) -> Uses:
        """How often each phrase was found, and the words that are in no list, in the run that was read last."""
        workspace, lexicon = self._workspace, self.lexicon
        run, engine = self._run()
        if run is None:
            return Uses({}, (), "")
        pairs = workspace.pairs()
        counted = workspace.count_findings(run, [*pairs["xray_id"], *pairs["ct_id"]])
        uses: dict[str, int] = {}
        unknown: dict[str, int] = {}
        strange = {OTHER}
        for phrase, verbatim, n in counted:
            words = normalise(verbatim)
            # Words of no list may have been placed since the reports were read.
            known = lexicon.find(phrase) if phrase != OTHER else lexicon.find(words)
            if known is not None:
                uses[known.name] = uses.get(known.name, 0) + n
            elif words or phrase != OTHER:
                strange.add(phrase)
                unknown[words or phrase] = unknown.get(words or phrase, 0) + n
        examples = self._examples(run, sorted(strange)) if unknown else {}
        ordered = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))
        return Uses(uses, tuple(UnknownWords(w, n, examples.get(w, ())) for w, n in ordered), engine)

    def _run(self) -> tuple[int | None, str]:
        """The run on show, else the latest of the settings' engine, else the latest; its number and engine."""
        runs = self._workspace.runs()
        read = runs[runs["texts"] > 0].sort_values(["last", "run_id"])
        used = self._department.runs.used()
        for which in (read["run_id"] == used, read["engine"] == self._department.settings.engine, read["texts"] > 0):
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

    # --- surveys -----------------------------------------------------------------------------------

    @staticmethod
    def read_list(path: Path) -> Lexicon:
        """A lexicon from a file: a survey in either format, or a list of phrases with alpha and beta.

        Raises:
            InputError: it is none of these; names line and reason.
        """
        from radcal.lexicon._tables import read_cells

        header, _ = read_cells(path)
        names = {h.lower() for h in header}
        if {"phrase", "alpha", "beta"} <= names:
            return read_lexicon_csv(path)
        return read_survey(path)

    def responses(self) -> tuple[Response, ...]:
        """What colleagues have answered, in the order in which they began."""
        stored = self._workspace.results(RESPONSE)
        made = [plain_to_record(r.payload, Response) for r in stored.values()]
        return tuple(sorted(made, key=lambda r: (r.begun, r.key)))

    def surveyed(self) -> Surveyed:
        """What follows from the answers so far."""
        return from_responses(self.responses(), f"survey of the department, {datetime.now().astimezone():%Y-%m}")

    def new_response(self, name: str = "", seed: int | None = None) -> Response:
        """A response without answers, its questions in an order of its own; nothing is stored before an answer is.

        Args:
            name: the respondent's, '' for anonymous.
            seed: of the order; None for another one each time.
        """
        began = datetime.now().astimezone().isoformat(timespec="seconds")
        order = shuffled(self.lexicon, secrets.randbits(32) if seed is None else seed)
        return Response(secrets.token_hex(8), " ".join(name.split())[:80], order, begun=began)

    def save_response(self, response: Response) -> None:
        """Keep a response, replacing what the same respondent answered before.

        Raises:
            InputError: nothing was answered yet.
        """
        if not response.answers:
            raise InputError("Nothing was answered yet.")
        self._workspace.save_result(RESPONSE, response.key, record_to_plain(response), {})

    def remove_response(self, key: str) -> None:
        """Take a respondent's answers out."""
        self._workspace.delete_result(RESPONSE, key)


def _plain(lexicon: Lexicon) -> dict[str, Any]:
    return {"name": lexicon.name, "phrases": [record_to_plain(p) for p in lexicon.phrases]}


def _lexicon(stored: Mapping[str, Any]) -> Lexicon:
    return Lexicon(tuple(plain_to_record(p, Phrase) for p in stored["phrases"]), str(stored["name"]))


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
