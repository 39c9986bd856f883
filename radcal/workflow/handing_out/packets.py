"""Personal files: a workspace that holds one radiologist's results and evidence, and nothing of anybody else.

What goes in is listed here, part by part; nothing is copied and then thinned out, so that a part which is
forgotten is missing rather than disclosed.  Not in it: reports, pairs, findings, rejected rows, other authors'
results, gold sets, and the department's secret from which pseudonyms are derived.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.files import record_to_plain
from radcal.lexicon.phrases import load_lexicon
from radcal.settings import Settings
from radcal.workflow.department import Department
from radcal.workflow.handing_out.pages import KIND as PAGE_CHOICE
from radcal.workflow.results.analysis import ANALYSED, ANALYSIS_KEY
from radcal.workflow.results.author_results import COUNTS
from radcal.workflow.results.group_results import CONTESTED, LEFT_OUT
from radcal.workflow.runs.engines import versions

if TYPE_CHECKING:
    import pandas as pd

    from radcal.lexicon.phrases import Lexicon
    from radcal.records import Analysis
    from radcal.workspace import Workspace

PERSONAL, PSEUDONYM = "personal file of", "pseudonym"
"""Under which a personal file keeps whose it is, and that radiologist's pseudonym."""


@dataclass(frozen=True, slots=True, eq=False)
class Packet:
    """All that goes into a personal file, each part of its radiologist alone.

    observations, counts: as the analysis has them, and as :func:`counts_by_day`
    words: those that the analysis was made with
    """

    author: str
    pseudonym: str
    analysis: Analysis
    observations: pd.DataFrame
    counts: pd.DataFrame
    words: Lexicon


def write_packet(
    workspace: Workspace, content: Packet, out: Path, passphrase: str, before: Callable[[], object] = lambda: None
) -> Path:
    """Write a personal file; see :meth:`Department.write_packet`.

    Args:
        workspace: the department's.
        content: what goes in.
        out: the file, which may not exist.
        passphrase: opens it.
        before: called when all is in it, before the file takes its place; where it fails, there is no file.
    """
    settings = _settings(workspace.settings)

    def fill(packet: Workspace) -> None:
        with packet.transaction():
            packet.save_observations(_own(content.observations))
            packet.save_frame(COUNTS, content.counts)
            packet.save_result("analysis", "current", record_to_plain(content.analysis), versions())
            _copy_words(packet, content.words, settings)
            _copy_contests(packet, workspace, content.author, set(content.observations["xray_id"]))
            choice = workspace.load_result(PAGE_CHOICE, content.author)
            if choice is not None:
                packet.save_result(PAGE_CHOICE, content.author, choice | {"comparison": False}, {})
            for key, value in (
                (PERSONAL, content.author),
                (PSEUDONYM, content.pseudonym),
                (ANALYSIS_KEY, workspace.get_meta(ANALYSIS_KEY) or ""),
                (ANALYSED, ""),
            ):
                packet.set_meta(key, value)
        before()

    # No seed: with the department's own, its pseudonyms could be traced back to names.  No user: who wrote the file
    # is no matter of its radiologist's.
    type(workspace).create(out, passphrase, settings, pseudonym_seed=0, user="", fill=fill).close()
    return out


def _settings(settings: Settings) -> Settings:
    """The settings that results go by; how the department's engine was set up, and where its files lie, stays there."""
    own = {name for name in settings.to_dict() if name.startswith("llama_")}
    usual = Settings()
    return settings.changed(model="", **{name: getattr(usual, name) for name in own})


def _own(observations: pd.DataFrame) -> pd.DataFrame:
    """The rows by themselves: categories would name what other rows held."""
    import pandas as pd

    plain = {name: str for name, dtype in observations.dtypes.items() if isinstance(dtype, pd.CategoricalDtype)}
    return observations.astype(plain).reset_index(drop=True)


def _copy_words(packet: Workspace, words: Lexicon, settings: Settings) -> None:
    """Keep the department's words, unless they are those that ship."""
    if words.version != load_lexicon().version:
        Department(packet, "").words.save(words, settings.allowed_phrases, what="as in the department", who="")


def _copy_contests(packet: Workspace, workspace: Workspace, author: str, own: set[str]) -> None:
    """Keep which of the author's findings were contested, and which of them were left out for it."""
    for key, contest in workspace.results(CONTESTED).items():
        if contest.payload["author"] == author:
            packet.save_result(CONTESTED, key, contest.payload, {})
    left_out = workspace.load_result(LEFT_OUT, "current") or {"findings": []}
    findings = [finding for finding in left_out["findings"] if finding[0] in own]
    packet.save_result(LEFT_OUT, "current", {"findings": findings}, {})
