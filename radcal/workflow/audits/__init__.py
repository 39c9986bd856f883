"""Audits of people and language models as users of certainty words."""
