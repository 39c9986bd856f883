"""Extraction runs: which engine reads the reports, what it read, and what differs from another run."""
