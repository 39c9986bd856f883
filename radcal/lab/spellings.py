"""How people and programs write true and false in tables, in English and German."""

from __future__ import annotations

from collections.abc import Mapping

YES_NO = frozenset({"yes", "no", "ja", "nein"})
"""Words that are an answer by themselves."""
_TRUE = ("true", "t", "yes", "y", "1", "1.0", "correct", "right", "wahr", "richtig", "ja", "j")
_FALSE = ("false", "f", "no", "n", "0", "0.0", "incorrect", "wrong", "falsch", "nein")
TRUTH: Mapping[str, bool] = {**dict.fromkeys(_TRUE, True), **dict.fromkeys(_FALSE, False)}
"""In lower case.  Without "w", which is short for "wahr" as for "wrong"."""
