"""RadCal's own texts in the reader's language: a catalogue a language, without Qt, for window and paper alike."""

from radcal.language.catalogue import Language, base, language, languages
from radcal.language.sentences import translated

__all__ = ["Language", "base", "language", "languages", "translated"]
