"""Annotated sets of reports: drawing, blind reading, agreement, the accuracy of engines."""
