"""Extraction runs: engines, their runs over the reports, and the statements to review."""
