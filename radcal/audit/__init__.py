"""People and language models as users of certainty words: how they read them, choose them, and differ in them."""
