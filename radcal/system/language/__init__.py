"""RadCal's own texts in the reader's language: a catalogue a language, without Qt, for window and paper alike."""
