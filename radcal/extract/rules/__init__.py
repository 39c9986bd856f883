"""The rules engine: the findings of a sentence, and how certain the report is of each.

patterns, vocabulary, synonyms   the term and cue files of resources/lexicon: notation, content, all spellings
tokens, organs                   the meaningful words of a sentence; findings expressed by the state of an organ
precedence                       the table of rules: which cue governs a finding, with examples; start reading here
forward_scope, backward_scope    conditions on cues before findings, and behind them
alternatives, modifiers          conditions on "or" and "versus"; wording that changes what a cue means
effects, scope                   effects of the rules; the state of a sentence while it is read
walk, engine                     reading by the table; reports in, findings out, and the rules that decided
side_by_side, child              the same in several processes
"""

from radcal.extract.rules.engine import RulesEngine, rules_engine
from radcal.extract.rules.side_by_side import rules_side_by_side
from radcal.extract.rules.synonyms import pathology_words

__all__ = ["RulesEngine", "pathology_words", "rules_engine", "rules_side_by_side"]
