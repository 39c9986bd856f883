"""Advice under other settings, on other wording, and on a draft."""
