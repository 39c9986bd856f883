"""What a department's own folder of words adds to those of RadCal, and what is odd about it, in sentences."""

from __future__ import annotations

from radcal.system.errors import InputError
from radcal.system.settings import Settings
from radcal.system.text import EMPTY, Text, joined
from radcal.words.phrases import Lexicon
from radcal.words.records import OwnWords, Remark
from radcal.words.word_files import own_folder

_MOST_NOTES = 10


def own_words_of(settings: Settings, lexicon: Lexicon | None = None) -> OwnWords | None:
    """What the department's own folder adds; None if there is no such folder in the settings.

    Args:
        lexicon: the department's phrases; None for the shipped ones.

    Raises:
        InputError: the folder is gone, or one of its files is malformed.
    """
    from radcal.findings.rules.remarks import own_words

    folder = own_folder(settings)
    return None if folder is None else own_words(folder, lexicon)


def what_it_adds(own: OwnWords) -> Text:
    """What a folder adds, in one sentence."""
    new = len(own.pathologies)
    counts = [
        Text("one new pathology", many="{n} new pathologies", n=new) if new else EMPTY,
        Text("one line of terms", many="{n} lines of terms", n=own.terms) if own.terms else EMPTY,
        Text("one line of organs", many="{n} lines of organs", n=own.organs) if own.organs else EMPTY,
        Text("one line of cues", many="{n} lines of cues", n=own.cues) if own.cues else EMPTY,
        Text("one confirmation", many="{n} confirmations", n=own.confirmations) if own.confirmations else EMPTY,
    ]
    n = len(own.remarks)
    warnings = Text("one warning", many="{n} warnings", n=n) if n else Text("no warnings")
    if not any(counts):
        return Text("Adds nothing; {warnings}.", warnings=warnings)
    return Text("Adds {what}; {warnings}.", what=joined([c for c in counts if c], ", "), warnings=warnings)


def remark_text(remark: Remark) -> Text:
    """A warning with its place."""
    if not remark.line:
        return Text("{file}: {text}", file=remark.file, text=remark.text)
    return Text("{file}, line {line}: {text}", file=remark.file, line=remark.line, text=remark.text)


def notes_on_own_words(settings: Settings, lexicon: Lexicon | None = None) -> list[Text]:
    """The warnings about the department's own folder, the first of many; none without such a folder."""
    try:
        own = own_words_of(settings, lexicon)
    except InputError:  # raised where the words are needed
        return []
    if own is None:
        return []
    notes = [remark_text(remark) for remark in own.remarks[:_MOST_NOTES]]
    if len(own.remarks) > _MOST_NOTES:
        all_of_them = Text(
            "`radcal words {folder}` lists all {n} warnings.", n=len(own.remarks), folder=settings.lexicon_dir
        )
        notes.append(all_of_them)
    return notes
