"""Shares of reports that quality assurance tracks."""
