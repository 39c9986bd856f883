"""Annotated sets of reports: drawn, read by people, compared with engines and with one another."""
