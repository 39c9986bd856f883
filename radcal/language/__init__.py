"""RadCal's own texts in the reader's language: a catalogue a language, without Qt, for window and paper alike."""

from radcal.language.catalogue import Language, base, language, languages
from radcal.language.manners import DASH, NBSP

__all__ = ["DASH", "NBSP", "Language", "base", "language", "languages"]
