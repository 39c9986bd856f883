"""Reads computed results: the analysis, one author, one group, comparisons."""
