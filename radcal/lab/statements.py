"""What a language model is asked about certainty words: statements, and the question around them."""

from __future__ import annotations

import csv
import hashlib
import tomllib
from collections.abc import Sequence
from functools import cache

from radcal.findings.model.chat import fill_in_template
from radcal.lab.perception_records import Statement
from radcal.system.resources import resource

LEAD = "Probability in percent:"
"""Begins the answer, which is a number."""
SHOTS = (0, 2)
"""How many worked answers the question may show."""
_TEMPLATE, _EXAMPLES = "perception.jinja", "perception.toml"


@cache
def statements() -> tuple[Statement, ...]:
    """The shipped statements: private ones first, then pairs of a true one and its false twin."""
    with resource("perception", "statements.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Statement(row["speaker"], row["statement"], {"true": True, "false": False}.get(row["true"]), row["pair"])
            for row in csv.DictReader(file)
        )


def messages(expression: str, asked: Sequence[Statement], shots: int) -> list[str]:
    """The question how sure a speaker is who answered with the expression, for each statement.

    Args:
        shots: of SHOTS.
    """
    template = resource("prompts", _TEMPLATE).read_text(encoding="utf-8")
    examples = tomllib.loads(resource("prompts", _EXAMPLES).read_text(encoding="utf-8"))["examples"][:shots]
    return [
        fill_in_template(
            template,
            _TEMPLATE,
            examples=examples,
            speaker=about.speaker,
            statement=about.statement,
            expression=expression,
            lead=LEAD,
        ).rstrip()
        for about in asked
    ]


@cache
def questions_hash() -> str:
    """Short SHA-256 of the statements and the question."""
    files = (("perception", "statements.csv"), ("prompts", _TEMPLATE), ("prompts", _EXAMPLES))
    return hashlib.sha256(b"\0".join(resource(*parts).read_bytes() for parts in files)).hexdigest()[:16]
