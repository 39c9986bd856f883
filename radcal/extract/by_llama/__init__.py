"""Findings by a language model: prompts for reports, answers that can only repeat them, what a person should check."""
