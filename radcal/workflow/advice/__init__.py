"""Advice under other settings, with other wording, or on a draft."""
