"""Derived from readers' actions: their answers, the gold they agree on, and their differences.

Answers are a function of the actions that are not undone, so that undoing one is nothing more than leaving it out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from radcal.findings.records import Finding
from radcal.review.records import Action, Answers, Decision, Dispute, Gold, Mark


def answers_of(actions: Iterable[tuple[Action, bool]]) -> Answers:
    """A reader's answers on one report, from their actions in order, each with whether it was undone.

    Who answered both in the workspace and in a review file has read the report twice: of what both say of a pathology
    in a sentence, the later holds.
    """
    done = in_sight = seen = False
    marks: dict[str, Mark] = {}
    places: dict[str, str] = {}  # where each mark was made
    for action, undone in actions:
        if not undone:
            answers = bool(action.marks) or bool(action.done)
            in_sight = in_sight or (answers and not action.blind) or (seen and bool(action.marks))
            for mark in action.marks:
                for key in [k for k, m in marks.items() if places[k] != action.apart and _same_place(m, mark)]:
                    del marks[key], places[key]
                marks[mark.key] = mark
                places[mark.key] = action.apart
            done = done if action.done is None else action.done
        # Once it was finished in the workspace, the reader has seen what the engine found.
        seen = seen or (bool(action.done) and not action.apart)
    return Answers(done, marks, in_sight)


def _same_place(first: Mark, second: Mark) -> bool:
    a, b = first.finding, second.finding
    return (a.pathology, a.start) == (b.pathology, b.start)


def gold_of(
    report_ids: Sequence[str],
    answers: Mapping[str, Mapping[str, Answers]],
    decisions: Mapping[tuple[str, str], Decision],
) -> Gold:
    """The gold agreed on by the readers or decided.

    Args:
        report_ids: of the gold set.
        answers: by report, then by reader.
        decisions: by report and pathology.
    """
    reports: list[str] = []
    statements: list[Finding] = []
    left_out: set[tuple[str, str]] = set()
    in_sight: set[str] = set()
    waiting = unsure = n = accepted = 0
    for report_id in report_ids:
        finished = [a for a in answers.get(report_id, {}).values() if a.done]
        if not finished:
            continue
        reports.append(report_id)
        if any(a.in_sight for a in finished):
            in_sight.add(report_id)
        n += sum(len(a.marks) for a in finished)
        accepted += sum(a.accepted for a in finished)
        said = [by_pathology(a) for a in finished]
        unclear = frozenset[str]().union(*(a.unsure for a in finished))
        for pathology in sorted(unclear.union(*said)):
            decision = decisions.get((report_id, pathology))
            if decision is not None:
                statements += decision.statements
                if decision.left_out:
                    left_out.add((report_id, pathology))
                    unsure += 1
            elif _differ(finished, said, pathology):
                left_out.add((report_id, pathology))
                waiting += 1
            elif pathology in unclear:
                left_out.add((report_id, pathology))
                unsure += 1
            else:
                statements += said[0].get(pathology, ())
    return Gold(
        tuple(reports), tuple(statements), frozenset(left_out), waiting, unsure, frozenset(in_sight), n, accepted
    )


def disputes_of(
    report_ids: Sequence[str],
    answers: Mapping[str, Mapping[str, Answers]],
    decisions: Mapping[tuple[str, str], Decision],
    first: str,
    second: str,
) -> tuple[Dispute, ...]:
    """Differences between two readers, in report order; arguments as of :func:`gold_of`."""
    found = []
    for report_id in report_ids:
        both = [answers.get(report_id, {}).get(reader, Answers()) for reader in (first, second)]
        said = [by_pathology(a) for a in both]
        for pathology in sorted(set().union(*said, *(a.unsure for a in both))) if all(a.done for a in both) else ():
            if _differ(both, said, pathology):
                one, other = (by.get(pathology, ()) for by in said)
                unsure = pathology in both[0].unsure, pathology in both[1].unsure
                decision = decisions.get((report_id, pathology))
                found.append(Dispute(report_id, pathology, one, other, unsure, decision))
    return tuple(found)


def by_pathology(answers: Answers) -> dict[str, tuple[Finding, ...]]:
    """A reader's statements by pathology."""
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in answers.statements:
        found[finding.pathology].append(finding)
    return {pathology: tuple(findings) for pathology, findings in found.items()}


def _differ(answers: Sequence[Answers], said: Sequence[Mapping[str, tuple[Finding, ...]]], pathology: str) -> bool:
    views = {
        (pathology in a.unsure, frozenset(f.phrase for f in by.get(pathology, ())))
        for a, by in zip(answers, said, strict=True)
    }
    return len(views) > 1
