"""The other experiments of the papers: people and language models as users of certainty words."""
