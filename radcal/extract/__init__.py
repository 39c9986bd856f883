"""Extraction of findings from reports by rules or by a language model, and the one that enters the statistics."""
