"""From paired statements to reliability: tables, curves, scores, intervals, and results over time and groups."""
