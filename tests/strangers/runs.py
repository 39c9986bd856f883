"""A department that goes the whole way by the command line, and how what comes out is compared with the truth."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from radcal import cli
from radcal.advice.report import to_json as advice_to_json
from radcal.advice.wording import to_others
from radcal.calibration.report import to_json as reliability_to_json
from radcal.opening import open_department
from radcal.system.settings import ALL_TOPICS

from .department import Department, Key
from .sentences import Said
from .shapes import Files, Shape

KEY = "copper kettle, cold stove"
SEED = 13
USUAL = ("epic", "HL7", "FHIR bundle")
"""A table, messages and resources: the shapes that go the whole way in the quick tier of tests."""
Results = dict[tuple[str, str], Mapping[str, Any]]
"""What a file of results says of each author and topic."""
PLAIN = {
    "the next CT was later than 12 h after the X-ray": "CT too late",
    "the last X-ray was more than 12 h before the CT": "X-ray too early",
    "the patient's CTs were before the X-ray": "CT before",
    "the patient's X-rays were after the CT": "X-ray after",
    "no chest CT of this patient": "no CT",
    "no attributed chest X-ray of this patient": "no X-ray",
    "the CT belongs to an X-ray nearer in time": "CT taken",
    "another part of the body": "elsewhere",
    "another kind of examination": "other modality",
    "the same text occurs again": "repeated",
    "superseded by a later version": "superseded",
    "an addendum, joined to its report": "joined",
    "written after the CT, kept apart": "after the CT",
    "The row has no examination time.": "no time",
    "The examination has no time of day.": "no time",
    "The examination time does not exist, as 31 February or 25:00.": "impossible time",
    "The report has no text.": "no text",
    "The row has no accession number.": "no number",
    "The row has no patient.": "no patient",
    "The report is marked as cancelled.": "cancelled",
    "The accession number occurs with two patients.": "two patients",
    "left out: names no radiologist": "no radiologist",
    "left out: not signed": "unsigned",
    "left out: preliminary, not signed": "unsigned",
    "left out: preliminary, perhaps not signed": "unsigned",
}
"""The reasons that RadCal gives, in the plain words of the departments; other reasons stay as they are."""


def by_reason(steps: Iterable[tuple[str, str, int]]) -> Counter[tuple[str, str]]:
    """How many reports drop out, by modality and plain reason, from modality, reason and number of each step."""
    found: Counter[tuple[str, str]] = Counter()
    for modality, reason, n in steps:
        if n and "statements" not in modality:
            found[modality, PLAIN.get(reason, reason)] += n
    return found


def of_groups(made: Mapping[str, Any]) -> Results:
    """The groups of a result by author and topic.

    Comparisons with numbers are made on request alone, and what is said of words knows all pathologies together.
    """
    left = ("baselines", "words")
    return {(g["author"], g["topic"]): {k: v for k, v in g.items() if k not in left} for g in made["groups"]}


def each(names: Iterable[str], usual: Sequence[str] = USUAL) -> list[Any]:
    """Parameters for the shapes of these names, of which all but the usual ones are slow."""
    return [pytest.param(name, marks=[] if name in usual else pytest.mark.slow) for name in names]


@dataclass(frozen=True)
class Went:
    """A department that has gone the whole way by the command line.

    status, summary: how `radcal run` ended, and what it says as JSON
    """

    shape: Shape
    department: Department
    folder: Path
    status: int
    summary: Mapping[str, Any]

    @property
    def workspace(self) -> Path:
        return self.folder / "w.radcal"

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Numbers of X-ray and CT."""
        with open_department(self.workspace, KEY, read_only=True) as department:
            found = department._workspace.pairs()
        ids = zip(found["xray_id"], found["ct_id"], strict=True)
        return frozenset((xray.partition(":")[2], ct.partition(":")[2]) for xray, ct in ids)

    @cached_property
    def authors(self) -> dict[str, str]:
        """Of each paired X-ray, by its number."""
        paired = {xray for xray, _ in self.pairs}
        with open_department(self.workspace, KEY, read_only=True) as department:
            found = department._workspace.reports(["report_id", "author"])
        named = ((i.split(":", 1), author) for i, author in zip(found["report_id"], found["author"], strict=True))
        return {number: author for (kind, number), author in named if kind == "xray" and number in paired}

    @cached_property
    def left_out(self) -> Counter[tuple[str, str]]:
        steps = self.summary["attrition"]
        return by_reason((s["modality"], s["reason"], s["dropped"]) for s in steps)

    @cached_property
    def listed(self) -> Counter[str]:
        return Counter(PLAIN.get(f["reason"], f["reason"]) for f in self.summary["failures"])

    @cached_property
    def said(self) -> dict[Key, frozenset[Said]]:
        """What was read in each paired report, as handed on to other programs."""
        out = self.folder / "findings.csv"
        status, _, _ = command("extract", "--workspace", self.workspace, "--accession-numbers", "--out", out)
        assert status == 0
        found: dict[Key, frozenset[Said]] = {}
        with out.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                kind, number = row["report_id"].split(":", 1)
                more = frozenset({(row["pathology"], row["phrase"])})
                found[kind, number] = found.get((kind, number), frozenset()) | more
        return found

    @cached_property
    def reliability(self) -> Results:
        """The results of the workspace, as R.json has them."""
        with open_department(self.workspace, KEY, read_only=True) as department:
            made = reliability_to_json(department.analysis().reliabilities, {})
        return of_groups(json.loads(json.dumps(made)))

    @cached_property
    def advice(self) -> Results:
        """The advice of the workspace, as A.json has it."""
        with open_department(self.workspace, KEY, read_only=True) as department:
            made = advice_to_json(department.analysis().advices, {})
        return of_groups(json.loads(json.dumps(made)))

    @cached_property
    def over_all(self) -> dict[str, tuple[str, ...]]:
        """What is advised over all pathologies together, by author."""
        with open_department(self.workspace, KEY, read_only=True) as department:
            pooled = department.analysis().pooled_advices
        texts = {a.author: [to_others(r.text) for r in a.recommendations] for a in pooled if a.topic == ALL_TOPICS}
        return {author: tuple(map(str, told)) for author, told in texts.items()}

    @property
    def counted(self) -> tuple[Results, Results]:
        """R.json and A.json of the truth: of what the radiologists of this department said and CT then showed."""
        said = ((self.shape.called(who), *what, n) for (who, *what), n in self.department.outcomes.items())
        return _results_of(tuple(sorted(said)))


@cache
def _results_of(observations: tuple[tuple[str, str, str, bool, int], ...]) -> tuple[Results, Results]:
    """R.json and A.json of a table of author, topic, phrase, outcome, and how often."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "observations.csv"
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("author", "topic", "phrase", "outcome"))
            for author, topic, phrase, confirmed, n in observations:
                writer.writerows([(author, topic, phrase, int(confirmed))] * n)
        made = []
        for step in ("reliability", "advise"):
            assert command(step, table, "--out", folder / "out.json")[0] == 0
            made.append(of_groups(json.loads((folder / "out.json").read_text(encoding="utf-8"))))
        return made[0], made[1]


def command(*words: object) -> tuple[int, str, str]:
    """Runs a command in this process: its status, and what it writes."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("RADCAL_PASSPHRASE", KEY)
        status = cli.main([str(word) for word in words])
    return status, out.getvalue(), err.getvalue()


def run_of(shape: Shape, department: Department, folder: Path, files: Files) -> Went:
    """Runs a department from its files to the pages."""
    given = [w for option in dict.fromkeys(o for o, _ in files) for w in (f"--{option}", *_of(option, files))]
    status, out, err = command(
        "run", *given, *shape.options, "--workspace", folder / "w.radcal", "--out", folder / "out",
        "--names-in-workspace", "--set", "workers=1", "--json",
    )  # fmt: skip
    assert status in (0, 1), err
    (folder / "ended.json").write_text(json.dumps([status, json.loads(out)]), encoding="utf-8")
    return has_gone(shape, department, folder)


def has_gone(shape: Shape, department: Department, folder: Path) -> Went:
    """A department that ``run_of`` has run in a folder."""
    status, summary = json.loads((folder / "ended.json").read_text(encoding="utf-8"))
    return Went(shape, department, folder, status, summary)


def _of(option: str, files: Files) -> list[Path]:
    return [path for given, path in files if given == option]
