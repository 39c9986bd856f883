"""Sentences of the science in the window's language.

What RadCal finds, it says in English sentences: advice, reasons, what is wrong with a file.  Their templates stand
here, so that they can be translated like all texts of the window; a sentence is recognised by its template, and its
values (counts, words, names) are put into the translated one.  What is not recognised stays as it is.

Names of phrases and pathologies are never translated: they are what stands in the reports.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLocale

_SENTENCES = (
    # Advice, and why there is none.
    QT_TRANSLATE_NOOP("science", "When you wrote {word} for {topic}, {reference} {tally}."),
    QT_TRANSLATE_NOOP("science", "When you stated {topic} without a hedge, {reference} {tally}."),
    QT_TRANSLATE_NOOP("science", "When you ruled out {topic}, {reference} {tally}."),
    QT_TRANSLATE_NOOP("science", "Readers take {word} as {range}."),
    QT_TRANSLATE_NOOP("science", "{choice} and {choice2} would have matched."),
    QT_TRANSLATE_NOOP("science", "{choice} and {choice2} would have been closer."),
    QT_TRANSLATE_NOOP("science", "{choice} would have matched."),
    QT_TRANSLATE_NOOP("science", "{choice} would have been closer."),
    QT_TRANSLATE_NOOP("science", "{word} for {topic} matched: {reference} {tally}."),
    QT_TRANSLATE_NOOP("science", "For {topic}, {parts}."),
    QT_TRANSLATE_NOOP("science", "{n} use; advice needs {min}."),
    QT_TRANSLATE_NOOP("science", "{n} uses; advice needs {min}."),
    QT_TRANSLATE_NOOP("science", "{n} finding; advice needs {min}."),
    QT_TRANSLATE_NOOP("science", "{n} findings; advice needs {min}."),
    QT_TRANSLATE_NOOP("science", "{n} finding; a curve needs {min}."),
    QT_TRANSLATE_NOOP("science", "{n} findings; a curve needs {min}."),
    QT_TRANSLATE_NOOP("science", "No word was used once or more, as advice needs."),
    QT_TRANSLATE_NOOP("science", "No word was used {n} times or more, as advice needs."),
    QT_TRANSLATE_NOOP(
        "science", "The only word with enough uses matched what {reference} showed; no change is advised."
    ),
    QT_TRANSLATE_NOOP("science", "Every word with enough uses matched what {reference} showed; no change is advised."),
    QT_TRANSLATE_NOOP(
        "science",
        "No advice: on findings kept aside, following it did not bring words and findings closer (calibration error"
        " {before} without it, {after} with it).",
    ),
    QT_TRANSLATE_NOOP("science", "No word was found that reliably agrees better with what {reference} showed."),
    # What is missing.
    QT_TRANSLATE_NOOP("science", "There is no analysis yet."),
    QT_TRANSLATE_NOOP("science", "There are no reports yet."),
    QT_TRANSLATE_NOOP("science", "There are no reports to draw from."),
    QT_TRANSLATE_NOOP("science", "There are no statements to measure."),
    QT_TRANSLATE_NOOP("science", "There is no gold set yet."),
    QT_TRANSLATE_NOOP("science", "No report of the gold set was finished yet."),
    QT_TRANSLATE_NOOP("science", "Draw one first."),
    QT_TRANSLATE_NOOP("science", "Read some first."),
    QT_TRANSLATE_NOOP("science", "No report files were given."),
    QT_TRANSLATE_NOOP("science", "Import report files first."),
    QT_TRANSLATE_NOOP("science", "Import reports and let RadCal read them first."),
    QT_TRANSLATE_NOOP("science", "Import reports and let an engine read them first."),
    QT_TRANSLATE_NOOP("science", "None of {n} pairs has an X-ray statement on which its CT report decides."),
    QT_TRANSLATE_NOOP("science", "Import more reports, or look at the attrition for where they drop out."),
    QT_TRANSLATE_NOOP("science", "This run has not read any of the paired reports."),
    QT_TRANSLATE_NOOP("science", "Let the engine read first."),
    QT_TRANSLATE_NOOP("science", "Nothing was said about {topic} in these days."),
    QT_TRANSLATE_NOOP("science", "{name} said nothing about {topic} in these days."),
    QT_TRANSLATE_NOOP("science", "Choose other days."),
    QT_TRANSLATE_NOOP("science", "Choose other days or another pathology."),
    QT_TRANSLATE_NOOP("science", "{name} has no statement about {topic} that a CT decided on."),
    QT_TRANSLATE_NOOP("science", "{name} has no statement about {topic}, so that there is nothing to measure."),
    QT_TRANSLATE_NOOP("science", "Too few have answered the department's survey."),
    QT_TRANSLATE_NOOP("science", "Three answers on a word are enough."),
    QT_TRANSLATE_NOOP("science", "Nothing was answered yet."),
    QT_TRANSLATE_NOOP(
        "science",
        "The rules know no probability, and no other engine has read these reports to disagree with them.",
    ),
    QT_TRANSLATE_NOOP("science", "Let the Llama engine read them, or draw at random."),
    QT_TRANSLATE_NOOP("science", "None of the {n} reports of {name} is in this workspace."),
    # Files.
    QT_TRANSLATE_NOOP("science", "There is no file {name}."),
    QT_TRANSLATE_NOOP("science", "There is no folder {name}."),
    QT_TRANSLATE_NOOP("science", "There is no model file {name}."),
    QT_TRANSLATE_NOOP("science", "Check the name."),
    QT_TRANSLATE_NOOP("science", "Check the name and the folder."),
    QT_TRANSLATE_NOOP("science", "Check the name, or leave it out."),
    QT_TRANSLATE_NOOP("science", "Check the name, or make a new workspace."),
    QT_TRANSLATE_NOOP("science", "Make it first, or choose another."),
    QT_TRANSLATE_NOOP("science", "{name} is a folder."),
    QT_TRANSLATE_NOOP("science", "Choose a workspace file in it."),
    QT_TRANSLATE_NOOP("science", "{name} is empty."),
    QT_TRANSLATE_NOOP("science", "Export the reports again."),
    QT_TRANSLATE_NOOP("science", "Choose a file that RadCal made."),
    QT_TRANSLATE_NOOP("science", "{name} exists already."),
    QT_TRANSLATE_NOOP("science", "Choose another name; nothing is overwritten."),
    QT_TRANSLATE_NOOP("science", "{name} cannot be read: {error}."),
    QT_TRANSLATE_NOOP("science", "{name} cannot be read ({error})."),
    QT_TRANSLATE_NOOP("science", "Check that you may open it."),
    QT_TRANSLATE_NOOP("science", "Check that it is there."),
    QT_TRANSLATE_NOOP("science", "{name} is neither text nor a workbook."),
    QT_TRANSLATE_NOOP(
        "science",
        "Export the reports as CSV or Excel (.xlsx, .xls), or give a folder of text files with a manifest.",
    ),
    QT_TRANSLATE_NOOP("science", "{name} is damaged or not an Excel workbook."),
    QT_TRANSLATE_NOOP("science", "{name} is a web page or XML, whatever its name says."),
    QT_TRANSLATE_NOOP("science", "Open it in a spreadsheet and save it as .xlsx, or export the reports as CSV."),
    QT_TRANSLATE_NOOP("science", "{name} is protected by a password."),
    QT_TRANSLATE_NOOP("science", "Save it without one and read it again."),
    QT_TRANSLATE_NOOP("science", "The folder {name} has no manifest."),
    QT_TRANSLATE_NOOP(
        "science",
        "Add manifest.csv with a column 'file' and the columns accession, patient id, exam, exam time and"
        " radiologist, one row for each text file.",
    ),
    QT_TRANSLATE_NOOP("science", "{name} is not UTF-8 text."),
    QT_TRANSLATE_NOOP("science", "Save it again as UTF-8."),
    QT_TRANSLATE_NOOP("science", "{name} cannot be written: {error}."),
    QT_TRANSLATE_NOOP("science", "Choose another folder."),
    QT_TRANSLATE_NOOP("science", "The row has no report id."),
    QT_TRANSLATE_NOOP("science", "The report id occurs again."),
    QT_TRANSLATE_NOOP("science", "Give every report an id of its own."),
    # What an import assumed.
    QT_TRANSLATE_NOOP("science", "Left out because they do not show the chest: {name} and {n} more."),
    QT_TRANSLATE_NOOP("science", "Left out because they do not show the chest: {name}."),
    QT_TRANSLATE_NOOP("science", "{name} has no rows that can be used."),
    QT_TRANSLATE_NOOP(
        "science", "{name}: nothing tells whether dates such as 03/04/2024 have the day or the month first."
    ),
    QT_TRANSLATE_NOOP("science", "They were read day first."),
    QT_TRANSLATE_NOOP("science", "They were read month first."),
    QT_TRANSLATE_NOOP("science", "If this is wrong, import again and state the order."),
    QT_TRANSLATE_NOOP("science", "{name} writes some dates with the day first and some with the month first."),
    QT_TRANSLATE_NOOP("science", "{name}: {m} of {n} examination times have no time of day and count as midnight."),
    QT_TRANSLATE_NOOP("science", "Which of two examinations of one day was first is unknown for them."),
    QT_TRANSLATE_NOOP("science", "{name}: {m} of {n} examination times are marked as UTC, the others not."),
    QT_TRANSLATE_NOOP("science", "All were read as times of the same clock."),
    QT_TRANSLATE_NOOP("science", "{name}: report status {name2} is not known and was left out of account."),
    # Workspaces.
    QT_TRANSLATE_NOOP("science", "{name} is a text file, not a RadCal workspace."),
    QT_TRANSLATE_NOOP("science", "To read reports, import it."),
    QT_TRANSLATE_NOOP("science", "{name} is too short for a RadCal workspace; perhaps it was not copied to its end."),
    QT_TRANSLATE_NOOP("science", "The passphrase fits, but the beginning of {name} is damaged."),
    QT_TRANSLATE_NOOP(
        "science",
        "{name} is not a RadCal workspace, or was not copied to its end and the passphrase does not fit.",
    ),
    QT_TRANSLATE_NOOP("science", "The passphrase fits {name}, but RadCal did not make it."),
    QT_TRANSLATE_NOOP("science", "Choose another file."),
    QT_TRANSLATE_NOOP("science", "{name} was closed."),
    QT_TRANSLATE_NOOP("science", "Open it again."),
    QT_TRANSLATE_NOOP("science", "{name} could not be decrypted."),
    QT_TRANSLATE_NOOP("science", "Another RadCal is using {name} and did not finish within {n} s."),
    QT_TRANSLATE_NOOP("science", "Try again."),
    QT_TRANSLATE_NOOP("science", "The copy of {name} could not be read back."),
    QT_TRANSLATE_NOOP("science", "Check the disk it is on."),
    QT_TRANSLATE_NOOP("science", "There is nothing of that name to undo."),
    QT_TRANSLATE_NOOP(
        "science",
        "This is a personal file: it holds the results of {name} and nothing else, and cannot be changed.",
    ),
    QT_TRANSLATE_NOOP("science", "Open the department's workspace for that."),
    # Words.
    QT_TRANSLATE_NOOP("science", "{name} is in no list of phrases."),
    QT_TRANSLATE_NOOP("science", "Choose another phrase."),
    QT_TRANSLATE_NOOP("science", "{name} is a phrase already."),
    QT_TRANSLATE_NOOP("science", "{name} stands for {name2} already."),
    QT_TRANSLATE_NOOP("science", "{name} stands for {name2}."),
    QT_TRANSLATE_NOOP("science", "Move it from there if it means {name}."),
    QT_TRANSLATE_NOOP("science", "Remove it there first."),
    QT_TRANSLATE_NOOP("science", "{name} is the phrase itself."),
    QT_TRANSLATE_NOOP("science", "Remove the phrase instead."),
    QT_TRANSLATE_NOOP("science", "{name} does not stand for {name2}."),
    QT_TRANSLATE_NOOP("science", "{name} is a plain statement: it means what it says, and cannot be moved."),
    QT_TRANSLATE_NOOP("science", "{name} is a plain statement, without which no report can be read."),
    QT_TRANSLATE_NOOP("science", "There is no phrase {name} in the list."),
    QT_TRANSLATE_NOOP("science", "There are no words."),
    QT_TRANSLATE_NOOP("science", "Write them as they stand in reports."),
    QT_TRANSLATE_NOOP(
        "science",
        "{name} cannot be looked for in reports: letters a-z, digits, spaces, hyphens and apostrophes can.",
    ),
    # Feedback.
    QT_TRANSLATE_NOOP("science", "The note has {n} characters, and there is room for {min}."),
    QT_TRANSLATE_NOOP("science", "Shorten it."),
    QT_TRANSLATE_NOOP("science", "Nothing to write was chosen."),
    QT_TRANSLATE_NOOP("science", "Choose PDF pages, personal files, or both."),
    QT_TRANSLATE_NOOP("science", "The draft has {n} characters; up to {min} are read as one types."),
    QT_TRANSLATE_NOOP("science", "Try a part of it."),
    # Whether a model fits.
    QT_TRANSLATE_NOOP("science", "Context {n} tokens: the model was trained on no more."),
    QT_TRANSLATE_NOOP("science", "This build of llama.cpp has no GPU support, so the CPU is used."),
    QT_TRANSLATE_NOOP(
        "science",
        'For a GPU, install llama-cpp-python again with CMAKE_ARGS="-DGGML_CUDA=on" (NVIDIA), "-DGGML_VULKAN=on"'
        ' (AMD, Intel) or "-DGGML_METAL=on" (Apple).',
    ),
    QT_TRANSLATE_NOOP("science", "llama.cpp was built for a GPU, but finds none; the CPU is used."),
    QT_TRANSLATE_NOOP("science", "Check the driver."),
    QT_TRANSLATE_NOOP("science", "Weights are not rearranged for the CPU, which is slower: memory is short."),
    QT_TRANSLATE_NOOP("science", "{n} sentences at a time, {m} threads, batches of {min} tokens."),
    QT_TRANSLATE_NOOP("science", "{n} reports at a time, {m} threads, batches of {min} tokens."),
    QT_TRANSLATE_NOOP(
        "science",
        "The model needs about {n} GiB of main memory at a context of {m} tokens, and {min} GiB are free.",
    ),
    QT_TRANSLATE_NOOP("science", "Close other programs, choose a smaller model or quantisation, or a smaller context."),
)
"""Whole sentences; the first that matches is taken."""

_PARTS = {
    "term": (
        QT_TRANSLATE_NOOP("science", "an earlier version: F1 {m} ({before}-{after}) on {n} unseen reports"),
        QT_TRANSLATE_NOOP("science", "F1 {m} ({before}-{after}) on {n} unseen reports"),
        QT_TRANSLATE_NOOP("science", "F1 {m} ({before}-{after}) on {n} own reports"),
        QT_TRANSLATE_NOOP("science", "plain statement, a point mass by definition"),
        QT_TRANSLATE_NOOP("science", "survey of {n} radiologists, {name}"),
        QT_TRANSLATE_NOOP("science", "public survey of {n} respondents, {name}"),
        QT_TRANSLATE_NOOP("science", "rules"),
    ),
    "words": (QT_TRANSLATE_NOOP("science", "{words} and {word}"), QT_TRANSLATE_NOOP("science", "{words}, {word}")),
    "word": (
        QT_TRANSLATE_NOOP("science", "a plain 'no'"),
        QT_TRANSLATE_NOOP("science", "a plain 'no {topic}'"),
        QT_TRANSLATE_NOOP("science", "a plain statement"),
        QT_TRANSLATE_NOOP("science", "{n} other words"),
    ),
    "choice": (
        QT_TRANSLATE_NOOP("science", "{word} in about {n} of 10 such cases"),
        QT_TRANSLATE_NOOP("science", "{word} in nearly all such cases"),
        QT_TRANSLATE_NOOP("science", "{word} in about {n} of 10"),
        QT_TRANSLATE_NOOP("science", "{word} in nearly all"),
    ),
    "parts": (QT_TRANSLATE_NOOP("science", "{part}; {parts}"),),
    "part": (
        QT_TRANSLATE_NOOP("science", "{word} was stronger than {reference} supported"),
        QT_TRANSLATE_NOOP("science", "{words} were stronger than {reference} supported"),
        QT_TRANSLATE_NOOP("science", "{word} was weaker than {reference} supported"),
        QT_TRANSLATE_NOOP("science", "{words} were weaker than {reference} supported"),
        QT_TRANSLATE_NOOP("science", "{n} other words matched"),
        QT_TRANSLATE_NOOP("science", "{word} matched"),
    ),
    "tally": (
        QT_TRANSLATE_NOOP("science", "did not confirm it in {count} ({share}, {range})"),
        QT_TRANSLATE_NOOP("science", "did not show it in {count} ({share}, {range})"),
        QT_TRANSLATE_NOOP("science", "confirmed it in {count} ({share}, {range})"),
        QT_TRANSLATE_NOOP("science", "showed it in {count} ({share}, {range})"),
    ),
    "count": (
        QT_TRANSLATE_NOOP("science", "the only one"),
        QT_TRANSLATE_NOOP("science", "part in the only one"),
        QT_TRANSLATE_NOOP("science", "none of {n}"),
        QT_TRANSLATE_NOOP("science", "both of {n}"),
        QT_TRANSLATE_NOOP("science", "all of {n}"),
        QT_TRANSLATE_NOOP("science", "fewer than 1 of {n}"),
        QT_TRANSLATE_NOOP("science", "nearly all of {n}"),
        QT_TRANSLATE_NOOP("science", "about {m} of {n}"),
        QT_TRANSLATE_NOOP("science", "{m} of {n}"),
    ),
    "share": (QT_TRANSLATE_NOOP("science", "under {n} %"), QT_TRANSLATE_NOOP("science", "over {n} %")),
    "reference": (QT_TRANSLATE_NOOP("science", "CT"),),
}
"""What a placeholder of that name can hold, anything else is put in as it is; and terms that stand by themselves."""
_PARTS["choice"] += _PARTS["word"]
_PARTS["words"] += _PARTS["word"]
_PARTS["parts"] += _PARTS["part"]
_PARTS["range"] = _PARTS["share"]

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_QUOTED = r"'(?:[^'\n]|(?<=\w)'(?=\w))+'"
_WORD = rf"(?:{_QUOTED}|(?i:a) plain (?:'no[^'\n]*'|statement)|\d+ other words)"
_VALUES = {
    **dict.fromkeys(("n", "m", "min", "before", "after"), _NUMBER),
    "word": _WORD,
    "words": rf"{_WORD}(?:, {_WORD})*(?: and {_WORD})?",
    "choice": rf"{_WORD}(?: in (?:nearly all|about \d+ of 10)(?: such cases)?)?",
}
_KNOWN = ("tally", "count", "parts")
"""Placeholders that hold nothing but what is listed for them."""
_HOLE = re.compile(r"\{([a-z]+)(\d?)\}")
_ENDS = re.compile(r"(?<=[.?!]) (?=[A-Z0-9'])")


@dataclass(frozen=True, slots=True)
class _Template:
    """An English text with placeholders, and how it is recognised."""

    text: str
    pattern: re.Pattern[str]


def translated(text: str) -> str:
    """A text of the science in the window's language, numbers as they are written there; unknown texts unchanged."""
    marker = QCoreApplication.translate("science", "Try again.")
    return text if marker == "Try again." else _translated(text, marker, QLocale().name())


@lru_cache(maxsize=4096)
def _translated(text: str, _language: str, _locale: str) -> str:
    if (term := _filled(text, _templates("term"))) is not None:
        return term
    sentences = [_sentence(part) for part in _ENDS.split(text)]
    # A message is all in one language.
    return text if None in sentences else " ".join(filter(None, sentences))


def _sentence(text: str) -> str | None:
    told = _filled(text, _templates("sentence"))
    return None if told is None else f"{told[:1].upper()}{told[1:]}"


def _filled(text: str, templates: tuple[_Template, ...]) -> str | None:
    """The translation of the first template that fits, with the values of the text; None if none does."""
    for template in templates:
        if (found := template.pattern.fullmatch(text)) is not None:
            values = {name: _value(name.rstrip("0123456789"), value) for name, value in found.groupdict().items()}
            if None in values.values():
                continue
            return QCoreApplication.translate("science", template.text).format_map(values)
    return None


def _value(kind: str, value: str) -> str | None:
    """The value as it is put in; None if it is nothing that this placeholder can hold."""
    if kind in _PARTS:
        told = _filled(value, _templates(kind))
        return value if told is None and kind not in _KNOWN else told
    return _number(value) if _VALUES.get(kind) == _NUMBER else value


def _number(value: str) -> str:
    """The number as the locale writes it, with as many decimals as it had."""
    plain = value.replace(",", "")
    return QLocale().toString(float(plain), "f", len(plain.partition(".")[2]))


@cache
def _templates(kind: str) -> tuple[_Template, ...]:
    texts = map(str, _SENTENCES if kind == "sentence" else _PARTS[kind])
    return tuple(_Template(text, _pattern(text)) for text in texts)


def _pattern(text: str) -> re.Pattern[str]:
    """What recognises a template; its first letter may be of either case, since it may begin a sentence."""
    parts, at = [], 0
    for hole in _HOLE.finditer(text):
        parts += [re.escape(text[at : hole.start()]), f"(?P<{hole[1]}{hole[2]}>{_VALUES.get(hole[1], '.+?')})"]
        at = hole.end()
    made = "".join([*parts, re.escape(text[at:])])
    return re.compile(rf"(?i:{made[0]}){made[1:]}" if made[0].isalpha() else made, re.DOTALL)
