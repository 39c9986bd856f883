"""What engines read, saved in a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from radcal.system.clock import now
from radcal.system.errors import DataError
from radcal.system.text import cell_of
from radcal.workspace.extractions import FINDINGS, WANTED_EXTRACTIONS

if TYPE_CHECKING:
    from radcal.findings.records import Extraction
    from radcal.workspace.store import Workspace

_STORED = [name for name in FINDINGS if name not in ("report_id", "decided")]
_values = attrgetter(*_STORED)
_SECTION = _STORED.index("section")
_INSERT = f"""
    INSERT INTO findings (text_id, run_id, position, {", ".join(f'"{name}"' for name in _STORED)})
    VALUES (?, ?, ?{", ?" * len(_STORED)})
"""  # noqa: S608 - declared names


def save_extractions(workspace: Workspace, run_id: int, batch: Sequence[Extraction]) -> None:
    """Commit findings and failures of a batch, all or nothing.

    Texts that the run has already read stay unchanged, so that a batch may be saved again.

    Raises:
        DataError: no such run; a report that is not in the workspace; a finding of another report.
    """
    with workspace.transaction() as db:
        workspace.run_of(run_id)
        workspace.want(extraction.report_id for extraction in batch)
        text_of = dict(db.execute("SELECT id, text_id FROM temp.wanted JOIN reports ON report_id = id"))
        done = {row[0] for row in db.execute(f"SELECT text_id {WANTED_EXTRACTIONS}", (run_id,))}
        extractions, findings = [], []
        for extraction in batch:
            report_id = extraction.report_id
            if report_id not in text_of:
                raise DataError(
                    "Report {report_id} is not in the workspace. Save the reports first.", report_id=report_id
                )
            text_id = text_of[report_id]
            if text_id in done:
                continue
            done.add(text_id)
            extractions.append((text_id, run_id, cell_of(extraction.failure)))
            for position, finding in enumerate(extraction.findings):
                if (other := finding.report_id) != report_id:
                    raise DataError(
                        "Report {report_id} has a finding of report {report_id2}.",
                        report_id=report_id,
                        report_id2=other,
                    )
                values = list(_values(finding))
                # The database driver does not take the members of enumerations.
                values[_SECTION] = str(values[_SECTION])
                findings.append((text_id, run_id, position, *values))
        db.execute_many("INSERT INTO extractions (text_id, run_id, failure) VALUES (?, ?, ?)", extractions)
        db.execute_many(_INSERT, findings)
        db.execute("UPDATE runs SET last = ? WHERE run_id = ?", (now(), run_id))
