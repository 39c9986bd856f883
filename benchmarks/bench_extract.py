"""Reports per second of the rules engine on one core, compared with a single regular expression.

    python benchmarks/bench_extract.py

"cold" starts with an empty cache, "unremembered" clears the cache for every report, "warm" reads the same reports
again.  The reference is a lower bound: one search for the pathologies' names.
"""

from __future__ import annotations

import re
import statistics
import sys
from collections.abc import Callable

from annotated import PATHOLOGIES, coded, sets_at_hand
from measuring import run_times

from radcal.findings.rules.engine import rules_engine
from radcal.reports.records import Document
from radcal.system.progress import SILENT

RUNS = 5


def rate(n: int, work: Callable[[], object]) -> float:
    """Reports a second, of n."""
    return n / statistics.median(run_times(work, RUNS))


def measure(name: str, documents: list[Document]) -> float:
    """Print the figures; the reports a second with an empty cache."""
    print(f"{name}: {len(documents)} reports, {sum(len(d.sentences) for d in documents)} sentences")
    engines = [rules_engine() for _ in range(RUNS)]
    cold = rate(len(documents), lambda: list(engines.pop().extract(documents, SILENT)))
    engine = rules_engine()
    list(engine.extract(documents, SILENT))
    warm = rate(len(documents), lambda: list(engine.extract(documents, SILENT)))

    def forgetful() -> None:
        for d in documents:
            engine.forget()
            list(engine.extract([d], SILENT))

    anew = rate(len(documents), forgetful)
    names = re.compile(r"\b(?:" + "|".join(PATHOLOGIES) + r")\b", re.IGNORECASE)
    plain = rate(len(documents), lambda: [names.findall(d.text) for d in documents])
    for label, value in (("cold", cold), ("unremembered", anew), ("warm", warm), ("one regular expression", plain)):
        print(f"  {label:24s}{value:10,.0f} reports/s")
    return cold


if __name__ == "__main__":
    made_up = [d for one in sets_at_hand() if one.name.startswith(("german", "made_up")) for d in one.documents]
    paces = [measure(name, some) for name, some in (("made up", made_up), ("real", coded()[0])) if some]
    if min(paces) < 1000:
        sys.exit("The rules engine reads fewer than 1,000 reports a second.")
