"""The child process of the rules: reads reports for a parent, with the words that the parent reads with."""

from __future__ import annotations

from pathlib import Path

from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.findings.rules.side_by_side import reader
from radcal.system.files import plain_to_record
from radcal.system.workers import Answer, Plain, serve
from radcal.words.phrases import Lexicon
from radcal.words.records import Phrase


def main() -> None:
    """Read reports until the parent has gone."""
    serve(prepare)


def prepare(order: Plain) -> Answer:
    """What reads a report with the words of an order.

    Raises:
        ValueError: they are others now than those that the parent has read.
    """
    engine = _engine(order)
    if (engine.version, engine.settings_hash) != (order["version"], order["settings_hash"]):
        raise ValueError("other words")
    return reader(engine)


def _engine(order: Plain) -> RulesEngine:
    phrases, own = order["phrases"], order["own"]
    lexicon = None if phrases is None else Lexicon(tuple(plain_to_record(p, Phrase) for p in phrases))
    return rules_engine(None, lexicon, None if own is None else Path(own))
