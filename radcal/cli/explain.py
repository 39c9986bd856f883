"""``radcal explain``: why a sentence is read as it is."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary
from radcal.findings.readers.explaining import Explanation, SecondOpinion
from radcal.findings.readers.explaining import explain as explained
from radcal.system.progress import Progress
from radcal.words.languages import names


def explain(args: argparse.Namespace, bar: Progress) -> Summary:
    """Explain how a sentence is read.

    Returns:
        The fields of :class:`radcal.findings.readers.explaining.Explanation`, ``failures`` and ``text``.

    Raises:
        InputError: the sentence is empty, or the second reader cannot be used.
        EngineError: it cannot be started.
    """
    found = explained(args.sentence, settings_of(args, engine="rules"), progress=bar)
    return {
        **asdict(found),
        "failures": [found.failure] if found.failure else [],
        "text": "\n".join(_lines(found)),
    }


def _lines(found: Explanation) -> Iterator[str]:
    yield f"Sentence  {found.sentence}  ({names()[found.language]})"
    if found.read != found.sentence:
        yield f"Read as   {found.read}"
        for change in found.written_out:
            yield f"            {change.words!r} -> {change.read!r}"
    for term in found.terms:
        yield f"Term      {term.words!r}: {' + '.join(term.pathologies)}"
    for cue in found.cues:
        yield f"Cue       {cue.words!r}: {cue.kind}{f', {cue.phrase}' if cue.phrase else ''}"
    for decision in found.decisions:
        yield f"Rule      at {decision.words!r}: {decision.rule}. {decision.says}"
    if not found.findings:
        yield "Nothing is taken for stated."
    for f in found.findings:
        yield f"{f.pathology}: {f.phrase}{f' (rules: {f.rules})' if f.rules != f.phrase else ''}"
        yield f"            words {f.words!r}{f', cue {f.cue!r}' if f.cue else ''}"
        if f.decided is not None:
            yield f"            decided by: {f.decided.rule}. {f.decided.says}"
        if f.second is not None:
            yield f"            second reader: {_opinion(f.second)}"
        if f.chance is not None:
            yield f"            chance that this was read right: {f.chance:.0%}"
    for name, opinion in found.unstated:
        yield f"{name}: named, not taken for stated; second reader: {_opinion(opinion)}"
    if found.second:
        yield f"The second reader is {found.second}."
    if found.failure:
        yield found.failure


def _opinion(o: SecondOpinion) -> str:
    hedged = f"hedged {o.hedged:.0%} (likeliest: {o.hedge} {o.hedge_chance:.0%})"
    return f"present {o.present:.0%}, absent {o.absent:.0%}, {hedged}, not stated {o.not_stated:.0%}"
