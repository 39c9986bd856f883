"""Report files to reports, sentences and pairs."""
