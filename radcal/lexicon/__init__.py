"""What words mean: phrases and their distributions, pathologies and their synonyms, surveys."""
