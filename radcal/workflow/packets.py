"""Personal files: a workspace that holds one radiologist's results and evidence, and nothing of anybody else.

What goes in is listed here, part by part; nothing is copied and then thinned out, so that a part which is
forgotten is missing rather than disclosed.  Not in it: reports, pairs, findings, rejected rows, other authors'
results, gold sets, and the department's secret from which pseudonyms are derived.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.files import record_to_plain
from radcal.lexicon.phrases import load_lexicon
from radcal.workflow.department import ANALYSED, ANALYSIS_KEY, Department
from radcal.workflow.engines import versions
from radcal.workflow.exploring import CONTESTED, LEFT_OUT
from radcal.workflow.pages import KIND as PAGE_CHOICE

if TYPE_CHECKING:
    import pandas as pd

    from radcal.lexicon.phrases import Lexicon
    from radcal.records import Analysis, FeedbackInput
    from radcal.settings import Settings
    from radcal.workspace import Workspace

PERSONAL, PSEUDONYM = "personal file of", "pseudonym"
"""Under which a personal file keeps whose it is, and that radiologist's pseudonym."""


def write_packet(
    workspace: Workspace,
    data: FeedbackInput,
    analysis: Analysis,
    observations: pd.DataFrame,
    words: Lexicon,
    out: Path,
    passphrase: str,
) -> Path:
    """Write the personal file of an author; see :meth:`Department.write_packet`.

    Args:
        workspace: the department's.
        data: what the author's pages are made of.
        analysis: of all authors; only the author's part of it is taken.
        observations: the author's.
        words: those that the analysis was made with.
        out: the file, which may not exist.
        passphrase: opens it.
    """
    # A model's folder is a place on somebody else's machine.
    settings = workspace.settings.changed(model=Path(workspace.settings.model).name)
    # No seed: with the department's own, its pseudonyms could be traced back to names.
    packet = type(workspace).create(out, passphrase, settings, pseudonym_seed=0)
    try:
        with packet, packet.transaction():
            packet.save_observations(_own(observations))
            packet.save_result("analysis", "current", record_to_plain(_only(analysis, data)), versions())
            _copy_words(packet, words, settings)
            _copy_contests(packet, workspace, data.author, set(observations["xray_id"]))
            choice = workspace.load_result(PAGE_CHOICE, data.author)
            if choice is not None:
                packet.save_result(PAGE_CHOICE, data.author, choice | {"comparison": False}, {})
            for key, value in (
                (PERSONAL, data.author),
                (PSEUDONYM, data.pseudonym),
                (ANALYSIS_KEY, workspace.get_meta(ANALYSIS_KEY) or ""),
                (ANALYSED, ""),
            ):
                packet.set_meta(key, value)
    except BaseException:
        out.unlink(missing_ok=True)
        raise
    return out


def _only(analysis: Analysis, data: FeedbackInput) -> Analysis:
    """The author's part of an analysis; the provenance tells of the author's pairs alone."""
    author = data.author
    return replace(
        analysis,
        reliabilities=data.reliabilities,
        advices=data.advices,
        counts=tuple(row for row in analysis.counts if row[0] == author),
        provenance=data.provenance,
        pairs=tuple(p for p in analysis.pairs if p.author == author),
    )


def _own(observations: pd.DataFrame) -> pd.DataFrame:
    """The rows by themselves: categories would name what other rows held."""
    import pandas as pd

    plain = {name: str for name, dtype in observations.dtypes.items() if isinstance(dtype, pd.CategoricalDtype)}
    return observations.astype(plain).reset_index(drop=True)


def _copy_words(packet: Workspace, words: Lexicon, settings: Settings) -> None:
    """Keep the department's words, unless they are those that ship."""
    if words.version != load_lexicon().version:
        Department(packet, "").words.save(words, settings.allowed_phrases, what="as in the department")


def _copy_contests(packet: Workspace, workspace: Workspace, author: str, own: set[str]) -> None:
    """Keep which of the author's findings were contested, and which of them were left out for it."""
    for key, contest in workspace.results(CONTESTED).items():
        if contest.payload["author"] == author:
            packet.save_result(CONTESTED, key, contest.payload, {})
    left_out = workspace.load_result(LEFT_OUT, "current") or {"findings": []}
    findings = [finding for finding in left_out["findings"] if finding[0] in own]
    packet.save_result(LEFT_OUT, "current", {"findings": findings}, {})
