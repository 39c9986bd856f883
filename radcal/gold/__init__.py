"""Annotated sets of reports: records, drawing, figures, agreement, files."""
