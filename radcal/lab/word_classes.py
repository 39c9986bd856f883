"""Parts of speech in place of words, by spaCy where it is installed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd


def word_classes(answers: pd.DataFrame, progress: Progress = SILENT) -> pd.DataFrame:
    """Answers (context, source, word, count) with the part of speech that each word has behind its context.

    Raises:
        InputError: spaCy or an English model of it is not installed.
    """
    try:
        spacy = import_module("spacy")
        [name, *_] = [name for name in spacy.util.get_installed_models() if name.startswith("en_")]
    except (ImportError, ValueError) as error:
        raise InputError(
            "Parts of speech need the package spacy and one of its English models, such as en_core_web_sm. Install "
            "both beside RadCal, or leave out --classes."
        ) from error
    pairs = answers[["context", "word"]].drop_duplicates()
    progress.start(len(pairs), Text("Looking up parts of speech"))
    tagged = spacy.load(name).pipe(f"{context} {word}" for context, word in pairs.itertuples(index=False))
    classes = {}
    for pair, text in zip(pairs.itertuples(index=False, name=None), tagged, strict=True):
        classes[pair] = text[-1].pos_.casefold()
        progress.advance()
    keys = zip(answers["context"], answers["word"], strict=True)
    return answers.assign(word=[classes[key] for key in keys])
