"""Made-up departments of two studies, and what is hidden in them: by reader and word, how often it is confirmed."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from radcal.system.resources import resource

Truth = Mapping[str, Mapping[str, tuple[int, int]]]
"""By reader and phrase: how often it was said, and how often the reference then had the finding."""

READERS = ("Ash, Jo", "Elm, Al", "Oak, Ida")
HEADER = ("Accession", "MRN", "Modality", "Exam Description", "Exam Time", "Report Text", "Signed By")


@dataclass(frozen=True)
class Made:
    """A department.

    study: its file;  index, reference: files of reports or outcomes;  truth: what is hidden in them
    unlike: sentences of the index reports that state nothing of the finding
    """

    study: Path
    index: Path
    reference: Path
    truth: Truth
    unlike: int


def _write(path: Path, header: tuple[str, ...], rows: list[list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def mammography(folder: Path) -> Made:
    """Mammograms, and biopsies in a table of outcomes, with rows that do not belong there."""
    said = {
        "suspicious for": "Findings suspicious for malignancy.",
        "likely": "Malignancy is likely in the upper outer quadrant.",
        "possibly": "Possible malignancy in the left breast.",
        "absent": "No evidence of malignancy.",
    }
    counts = {
        READERS[0]: {"suspicious for": (20, 15), "likely": (12, 5), "possibly": (20, 4), "absent": (24, 1)},
        READERS[1]: {"suspicious for": (25, 22), "likely": (11, 10), "possibly": (15, 1), "absent": (20, 0)},
        READERS[2]: {"suspicious for": (14, 6), "likely": (16, 13), "possibly": (12, 6), "absent": (22, 2)},
    }
    rng, index, outcomes, n = Random(3), [], [], 0  # noqa: S311 - invents reports
    for reader, words in counts.items():
        for phrase, (total, confirmed) in words.items():
            for i in range(total):
                n += 1
                when = datetime(2026, 1, 5, 8) + timedelta(hours=5 * n)
                text = f"Clinical: screening.\nFindings: Scattered fibroglandular tissue. {said[phrase]}"
                index.append(
                    [f"M{n:04}", f"P{n:04}", "MG", "MAMMOGRAM BILATERAL", f"{when:%Y-%m-%d %H:%M}", text, reader]
                )
                day = f"{when + timedelta(days=rng.randint(0, 150)):%Y-%m-%d}"
                outcomes.append([f"P{n:04}", day, "DCIS", "no"])
                kind = rng.choice(["invasive carcinoma", "DCIS", "Carcinoma in situ"])
                outcomes.append([f"P{n:04}", day, kind, "yes" if i < confirmed else "benign"])
    index.append(["X1", "P0001", "CR", "XR CHEST PA", "2026-01-02 10:00", "No effusion.", READERS[0]])
    outcomes += [
        ["P0002", "2026-03-01", "fibroadenoma", "yes"],  # none of the study
        ["P0003", "2026-03-01", "DCIS", "perhaps"],  # neither yes nor no
        ["", "2026-03-01", "DCIS", "yes"],
        ["P0004", "2026-02-31", "DCIS", "yes"],
        ["P9999", "2026-03-01", "DCIS", "yes"],  # of nobody with a mammogram
    ]
    rng.shuffle(index)
    return Made(
        resource("studies", "mammography.toml"),
        _write(folder / "mammograms.csv", HEADER, index),
        _write(folder / "biopsies.csv", ("Patient", "Date", "Diagnosis", "Result"), outcomes),
        counts,
        0,
    )


def appendix(folder: Path) -> Made:
    """Ultrasound of the appendix, and the reports of the CT that followed."""
    said = {
        "suggestive of": "Findings suggestive of acute appendicitis.",
        "possibly": "Appendix not visualised, appendicitis cannot be excluded.",
        "present": "Acute appendicitis.",
        "absent": "The appendix is normal.",
    }
    counts = {
        READERS[0]: {"suggestive of": (18, 14), "possibly": (20, 5), "present": (14, 13), "absent": (20, 1)},
        READERS[1]: {"suggestive of": (22, 11), "possibly": (15, 2), "present": (16, 14), "absent": (18, 0)},
    }
    found, not_found = "Dilated appendix with fat stranding. Acute appendicitis.", "Normal appendix. No appendicitis."
    rng, index, reference, n = Random(5), [], [], 0  # noqa: S311 - invents reports
    for reader, words in counts.items():
        cases = [(said[phrase], i < yes) for phrase, (total, yes) in words.items() for i in range(total)]
        cases += [("Appendix not visualised. No free fluid.", rng.random() < 0.5) for _ in range(10)]
        for text, is_there in cases:
            n += 1
            when = datetime(2026, 1, 5, 8) + timedelta(hours=3 * n)
            later = when + timedelta(hours=rng.randint(1, 70))
            own = f"Liver and kidneys are unremarkable. {text} No pleural effusion."
            index.append([f"U{n:04}", f"P{n:04}", "US", "US ABDOMEN / APPENDIX", f"{when:%Y-%m-%d %H:%M}", own, reader])
            other = f"Lung bases are clear. {found if is_there else not_found}"
            row = [f"C{n:04}", f"P{n:04}", "CT", "CT ABDOMEN PELVIS", f"{later:%Y-%m-%d %H:%M}", other, READERS[2]]
            reference.append(row)
    rng.shuffle(index)
    return Made(
        resource("studies", "appendix.toml"),
        _write(folder / "ultrasound.csv", HEADER, index),
        _write(folder / "ct.csv", HEADER, reference),
        counts,
        20,
    )


MADE = {"mammography": mammography, "appendix": appendix}
