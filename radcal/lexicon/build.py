"""Builds the shipped phrase tables from the surveys: ``python -m radcal.lexicon.build``.

The distributions and ranges come from the surveys; the synonyms are those of the tables.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

from radcal.cells import guarded
from radcal.lexicon.phrases import Lexicon, read_lexicon_csv
from radcal.lexicon.surveys import read_survey
from radcal.resources import resource
from radcal.text import Text

SURVEYS = {
    "phrases.csv": (
        "radiology_diagnostic_certainty_scale.csv",
        Text("survey of 142 radiologists, Shinagare et al., J Am Coll Radiol 2019;16:458-464"),
    ),
    "phrases_public.csv": (
        "perception_of_probability_words_123_respondents.csv",
        Text("public survey of 123 respondents, Fagen-Ulmschneider, Perception of Probability Words"),
    ),
}
"""Table to its survey and the source that its rows state."""


def table_text(lexicon: Lexicon) -> str:
    """The lexicon as the text of a CSV file that :func:`radcal.lexicon.phrases.read_lexicon_csv` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["phrase", "alpha", "beta", "low", "high", "synonyms", "source"])
    for p in lexicon.phrases:
        numbers = [format(x, ".10g") for x in (p.alpha, p.beta, p.low, p.high)]
        writer.writerow([guarded(p.name), *numbers, guarded("; ".join(p.synonyms)), guarded(p.source)])
    return out.getvalue()


def build(folder: Path) -> dict[str, str]:
    """The text of each phrase table of a lexicon folder, with the numbers of its surveys and its own synonyms.

    Raises:
        InputError: a table or survey of the folder is broken.
    """
    texts = {}
    for table, (survey, source) in SURVEYS.items():
        words = {p.name: p for p in read_lexicon_csv(folder / table).phrases}
        surveyed = read_survey(folder / "surveys" / survey)
        phrases = tuple(
            replace(
                p,
                synonyms=words[p.name].synonyms if p.name in words else (),
                source=source if p.source == survey else p.source,
            )
            for p in surveyed.phrases
        )
        texts[table] = table_text(replace(surveyed, phrases=phrases))
    return texts


if __name__ == "__main__":
    shipped = resource("lexicon")
    for table, text in build(shipped).items():
        (shipped / table).write_text(text, encoding="utf-8", newline="\n")
