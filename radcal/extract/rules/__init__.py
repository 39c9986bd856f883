"""The rules engine: pathology terms, cue words, and the scope of the one over the other."""

from radcal.extract.rules.engine import RulesEngine, rules_engine

__all__ = ["RulesEngine", "rules_engine"]
