"""How a language model is asked of pairs of a sentence and a pathology, reads alone, or reads beside the rules."""
