"""Extraction by a language model: prompts, answers restricted to the report's own words, the review queue."""
