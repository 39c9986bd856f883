"""Builds the shipped phrase tables and their numbers of answers: ``python -m tools.phrase_tables``.

The distributions, ranges and answers come from the surveys; the synonyms, and which phrases
advice may propose, are those of the tables.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.phrases import ANSWERS, csv_text, read_lexicon_csv, table_text
from radcal.words.surveys import read_survey

SURVEYS = {
    "phrases.csv": (
        "radiology_diagnostic_certainty_scale.csv",
        142,
        Text("survey of 142 radiologists, Shinagare et al., J Am Coll Radiol 2019;16:458-464"),
    ),
    "phrases_public.csv": (
        "perception_of_probability_words_123_respondents.csv",
        0,
        Text("public survey of 123 respondents, Fagen-Ulmschneider, Perception of Probability Words"),
    ),
}
"""Table to its survey, how many people it asked if the file does not tell, and the source that its rows state."""


def build(folder: Path) -> dict[str, str]:
    """The text of each table of a lexicon folder, with the numbers of its surveys and its own synonyms.

    Raises:
        InputError: a table or survey of the folder is broken.
    """
    texts = {}
    answers: list[list[object]] = [["table", "phrase", "asked", "answers", "within"]]
    for table, (survey, asked, source) in SURVEYS.items():
        words = {p.name: p for p in read_lexicon_csv(folder / table).phrases}
        surveyed = read_survey(folder / "surveys" / survey, asked=asked)
        phrases = tuple(
            replace(
                p,
                synonyms=words[p.name].synonyms if p.name in words else (),
                source=source if p.source == survey else p.source,
                advised=p.name not in words or words[p.name].advised,
            )
            for p in surveyed.phrases
        )
        texts[table] = table_text(replace(surveyed, phrases=phrases), counts=False)
        answers += [[table, p.name, p.asked, p.answers, p.within] for p in surveyed.phrases if p.answers]
    return texts | {ANSWERS: csv_text(answers)}


if __name__ == "__main__":
    shipped = resource("lexicon")
    for table, text in build(shipped).items():
        (shipped / table).write_text(text, encoding="utf-8", newline="\n")
