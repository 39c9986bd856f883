"""Bringing reports in."""
