"""People and language models as users of certainty words."""
