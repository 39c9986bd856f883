"""``radcal meeting``: the teaching cases of a department, and slides of them."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from radcal.cli.passphrases import department_for_exports
from radcal.cli.summaries import Summary, counted, entered
from radcal.feedback.records import Sheet
from radcal.system.progress import Progress


def meeting(args: argparse.Namespace, _bar: Progress) -> Summary:
    """List the teaching cases, or write them as slides.

    Returns:
        The summary: ``cases`` in order, without the numbers of reports, ``slides`` if written, and ``text``.

    Raises:
        InputError: a file cannot be used or written, or --out is neither PowerPoint nor PDF.
        DataError: there is no case for slides.
    """
    with department_for_exports(args) as department:
        cases = department.meeting.cases()
        told = [{k: v for k, v in asdict(case).items() if k not in ("finding", "ct_key")} for case in cases]
        lines = [counted(len(cases), "teaching case.", "teaching cases.")]
        if args.out is None:
            lines += [f"{n}. {case.topic}, '{case.phrase}': {case.xray}" for n, case in enumerate(cases, 1)]
            return {"cases": told, "text": "\n".join(lines)}
        sheet = Sheet(language=args.language)
        department.meeting.write(args.out, attended=args.attended, sheet=sheet)
        text = f"{lines[0]} The slides are in {args.out}."
        return entered({"cases": told, "slides": str(args.out), "text": text}, department)
