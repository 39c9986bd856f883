"""Stored results: the analysis, one author, one group, comparisons, verification."""
