"""Advice under other settings, with another use of words, or on a draft."""
