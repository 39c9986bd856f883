"""The rules engine: which findings a sentence states, and how certain the report is of each.

patterns, vocabulary, synonyms   the term and cue files of resources/lexicon: notation, reading, words written out
tokens, organs                   a sentence as words that mean something; findings that an organ's state expresses
precedence                       the table of rules: which cue governs a finding, with examples; start reading here
forward_scope, backward_scope    when the rules apply to cues before findings, and to cues behind them
alternatives, modifiers          when they apply to "or" and "versus"; words that change what a cue says
effects, scope                   what the rules do; a sentence as far as it has been read
walk, engine                     the walk along the table; reports in, findings out, and which rule decided
"""

from radcal.extract.rules.engine import RulesEngine, rules_engine
from radcal.extract.rules.synonyms import pathology_words

__all__ = ["RulesEngine", "pathology_words", "rules_engine"]
