"""The rules engine: pathology terms, cue words, and the scope of the one over the other."""

from radcal.extract.rules.engine import RulesEngine, rules_engine
from radcal.extract.rules.synonyms import pathology_words

__all__ = ["RulesEngine", "pathology_words", "rules_engine"]
