"""The rules engine: the findings of a sentence, and how certain the report is of each."""
