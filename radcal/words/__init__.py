"""The meaning of words: phrases and their distributions, pathologies and synonyms, scales, vocabularies."""
