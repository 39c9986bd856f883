"""Findings of reports, read by rules or by a language model, and the runs of these engines."""
