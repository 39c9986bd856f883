"""Write a small workspace with the present schema into this folder: ``python tests/old_files/make.py``.

Run once for every schema that ships; the file is then kept for ever, and tests/workspace/test_migrations.py
says what it holds.  Passphrase: "archive".
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from radcal.records import Extraction, Finding, Import, Pairing, Piece, Section, Standing, Use
from radcal.records.habits import Advised, Recommendation
from radcal.settings import Settings
from radcal.workspace import StoredAction, Workspace, migrations


def main() -> None:
    """Make the file."""
    reports = pd.DataFrame(
        {
            "report_id": ["xray:A1", "ct:A2", "xray:A3"],
            "modality": ["xray", "ct", "xray"],
            "accession": ["A1", "A2", "A3"],
            "patient_id": ["P1", "P1", "P2"],
            "exam": ["chest 2 views", "chest CT", ""],
            "exam_time": pd.to_datetime(["2024-03-01 08:00", "2024-03-01 11:30", "2024-03-02 09:15"]),
            "author": ["Dr. Ähre", "Dr. Brook", "Dr. Ähre"],
            "author_rule": "signed by",
            "status": "final",
            "text": ["IMPRESSION: Likely edema.", "IMPRESSION: Pulmonary edema.", "IMPRESSION: Clear lungs."],
            "file": "reports.csv",
            "row": [2, 3, 4],
            "site": ["North", "North", ""],
            "age": [67, 67, -1],
        }
    )
    rejected = pd.DataFrame(
        {
            "file": ["reports.csv"],
            "row": [5],
            "reason": ["The report has no text."],
            "remedy": ["Export it again."],
            "accession": [""],
            "unit": ["row"],
        }
    )
    pairs = pd.DataFrame(
        {
            "xray_id": ["xray:A1"],
            "ct_id": ["ct:A2"],
            "patient_id": ["P1"],
            "author": ["Dr. Ähre"],
            "xray_time": reports["exam_time"].iloc[:1],
            "ct_time": reports["exam_time"].iloc[1:2].to_numpy(),
            "gap_hours": [3.5],
        }
    )
    attrition = pd.DataFrame(
        {"step": ["has a CT"], "modality": ["xray"], "kept": [1], "dropped": [1], "reason": ["no CT within 12 h"]}
    )
    finding = Finding(
        "xray:A1",
        "edema",
        "likely",
        "Likely",
        "Likely edema.",
        Section.IMPRESSION,
        12,
        25,
        19,
        24,
        12,
        18,
        "rules",
        0.75,
    )
    versions = pd.concat([reports.iloc[:1]] * 2, ignore_index=True).assign(
        text=["IMPRESSION: Likely edema.", "Edema on CT."],
        status=["final", "addendum"],
        row=[2, 6],
        dictator="Dr. Ähre",
        signer=pd.Series([None, None], dtype="str"),
        addendum=[0, 1],
        report_time=pd.to_datetime(["2024-03-01 08:30", None]),
        corrected=False,
        source="c0ffee",
        names_ct=[0, 1],
        parts="",
        role=["base", "addendum"],
    )
    of_rows = ("dictator", "signer", "addendum", "report_time", "corrected", "source", "names_ct", "parts")
    reports = reports.assign(**versions.iloc[[0, 1, 1]].reset_index(drop=True)[list(of_rows)])
    reports.loc[0, "text"] = "IMPRESSION: Likely edema.\n\nADDENDUM:\nEdema on CT."
    pieces = Piece(0, 0, 25, Use.COUNTED), Piece(1, 0, 12, Use.AFTER_CT)
    standing = Standing(pieces, pieces[0], (), whole=False, author="Dr. Ähre", author_rule="signed by", status="final")
    path = Path(__file__).parent / f"schema-{len(migrations.steps())}.radcal"
    with Workspace.create(path, "archive", Settings(seed=7, allowed_phrases=("likely", "possible"))) as ws:
        ws.save_import(
            Import(reports, rejected, 4, {"accession": "ACC"}, versions=versions),
            Pairing(pairs, attrition, {"xray:A1": standing}, {"xray:A1": "IMPRESSION: Likely edema."}),
        )
        ws.mark_deidentified(["ct:A2"])
        ws.put_suspects([("ct:A2", "name", "Pulmonary", 0), ("ct:A2", "name", "edema", 1)], ["ct:A2"])
        ws.settle_suspects([("ct:A2", "name", "edema")], kept=True)
        run = ws.begin_run("rules", "1", "abc")
        ws.save_extractions(run, [Extraction("xray:A1", (finding,)), Extraction("ct:A2", (), "timed out")])
        found = [Recommendation(Advised.IMAGING, "ct", (90, 90), 12, 25)]
        search = ws.marker("recommendations 1")
        first, second, *_ = ws.unmarked_texts(search, 0, 10)
        ws.save_text_marks(search, [(first.text_id, found), (second.text_id, None)])
        ws.mark_wordings(run, ws.marker("words 1"), 0, 10, lambda phrase, verbatim: phrase == "likely")
        ws.save_result("reliability", "Dr. Ähre|edema", {"n": 1, "ece": 0.25}, {"seed": 7})
        ws.save_observations(pd.DataFrame({"author": ["Dr. Ähre"], "topic": ["edema"], "outcome": [1.0]}))
        ws.save_frame("match counts", pd.DataFrame({"topic": ["edema"], "what": ["entered"], "n": [1]}))
        ws.set_meta("department", "Radiology")
        gold = ws.add_gold_set(["ct:A2", "xray:A1"], drawn="random", seed=7, blind=True, run_id=run)
        ws.add_gold_reader("R. Ähre")
        ws.add_gold_actions(
            gold,
            [StoredAction("a1", "R. Ähre", "xray:A1", "read", '{"name": "a1", "report_id": "xray:A1", "done": true}')],
        )
        ws.set_gold_undone(["a1"], undone=True)


if __name__ == "__main__":
    main()
