"""Sentences and names shared by pages, plots and dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.words import counted, listed, moment, percent, percent_range, quoted, rate, translate, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Advice, Phrase, PhraseRate, Restored
    from radcal.workflow.keeping.schedule import Copied


def modality_text(modality: str) -> str:
    """What the reports of a step are of."""
    return {
        "xray": translate("import", "X-ray"),
        "ct": translate("import", "CT"),
        "both": translate("import", "X-ray and CT"),
    }.get(modality, modality)


def reports_text(n: int) -> str:
    """'1 report', '1,204 reports'."""
    return counted(n, translate("import", "report"), translate("import", "reports"))


def rows_text(n: int) -> str:
    """'1 row', '1,204 rows'."""
    return counted(n, translate("import", "row"), translate("import", "rows"))


def pairs_text(n: int) -> str:
    """'1 pair', '2,662 pairs'."""
    return counted(n, translate("import", "pair"), translate("import", "pairs"))


def engine_name(engine: str) -> str:
    """'Rules', 'Llama', or the name as it is."""
    return {"rules": translate("extraction", "Rules"), "llama": translate("extraction", "Llama")}.get(engine, engine)


def engine_called(engine: str, version: str, model: str = "") -> str:
    """An engine of a version, without what the version says of libraries, and with its model where it has one."""
    version = version.split("+")[0]
    if model:
        return translate("extraction", "{engine} {version}, {model}").format(
            engine=engine_name(engine), version=version, model=model
        )
    return translate("extraction", "{engine} {version}").format(engine=engine_name(engine), version=version)


def on_unseen_findings(advice: Advice | None) -> str:
    """What the advice did to the findings that it was not made from; '' where it was not tried."""
    if advice is None or advice.test is None or not advice.recommendations:
        return ""
    t = advice.test
    # One half has no interval to stand beside its figures; those of many halves stand on the page of the advice.
    if t.ece_after < t.ece_before:
        text = translate(
            "figures", "Tried on {n} findings that the advice was not made from, it brought words and CT closer."
        )
    else:
        text = translate(
            "figures", "Tried on {n} findings that the advice was not made from, it did not bring words and CT closer."
        )
    return text.format(n=whole(t.n))


def words_without_advice(advice: Advice | None) -> str:
    """On which words there is no advice, and why; '' if there is advice on all."""
    if advice is None or not advice.withheld:
        return ""
    by_reason: dict[str, list[str]] = {}
    for w in advice.withheld:
        by_reason.setdefault(w.reason, []).append(quoted(w.phrase))
    return "\n".join(
        translate("figures", "No advice on {words}: {reason}").format(words=listed(words), reason=typographic(reason))
        for reason, words in by_reason.items()
    )


def copied_words(copied: Copied) -> str:
    """The time of the last backup, and what would be lost with the file."""
    decisions = counted(copied.decisions, translate("copies", "decision"), translate("copies", "decisions"))
    if copied.last is None:
        if not copied.decisions:
            return translate("copies", "No copy has been made yet.")
        return translate(
            "copies",
            "No copy has been made yet. The workspace holds {decisions} by people, which nothing could make again.",
        ).format(decisions=decisions)
    if not copied.decisions:
        return translate("copies", "The last copy was made on {when}.").format(when=moment(copied.last))
    return translate(
        "copies",
        "The last copy was made on {when}. Since then people have made {decisions}, which nothing could make again.",
    ).format(when=moment(copied.last), decisions=decisions)


def kept_words(copied: Copied) -> str:
    """Scheduled maintenance and its outcome."""
    said = []
    if copied.on:
        said.append(
            translate("copies", "Backed up once a day if something has changed; {backups} in {folder}.").format(
                folder=copied.folder,
                backups=counted(copied.backups, translate("copies", "backup"), translate("copies", "backups")),
            )
        )
    else:
        said.append(translate("copies", "No backups are made automatically."))
    if copied.checked is not None:
        sound = translate("copies", "Checked on {when}: the whole file can be read.")
        damaged = translate("copies", "Checked on {when}: {n} of {pages} pages of the file are damaged.")
        text = damaged if copied.checked.damaged else sound
        said.append(
            text.format(
                when=moment(copied.checked.at), n=whole(copied.checked.damaged), pages=whole(copied.checked.pages)
            )
        )
    return "\n".join(said)


def restored_words(restored: Restored) -> str:
    """What a restored workspace holds, what its file held beyond that, and where that file is."""
    held, before = restored.held, restored.before
    said = [translate("copies", "It holds {what}.").format(what=_what(held.reports, held.decisions))]
    if before is not None:
        more = (max(before.reports - held.reports, 0), max(before.decisions - held.decisions, 0))
        if any(more):
            text = translate("copies", "The file before held {what} more.")
            said.append(text.format(what=_what(*more)))
    elif restored.aside is not None:
        said.append(translate("copies", "What the file before held beyond that cannot be read."))
    if restored.aside is not None:
        said.append(translate("copies", "The file before is kept as {name}.").format(name=restored.aside.name))
    return " ".join(said)


def held_words(reports: int, decisions: int) -> str:
    """What a backup holds."""
    return translate("copies", "The whole backup can be read. It holds {what}.").format(what=_what(reports, decisions))


def _what(reports: int, decisions: int) -> str:
    return translate("copies", "{reports} and {decisions} by people").format(
        reports=counted(reports, translate("copies", "report"), translate("copies", "reports")),
        decisions=counted(decisions, translate("copies", "decision"), translate("copies", "decisions")),
    )


def phrase_sentence(r: PhraseRate, phrase: Phrase | None, min_n: int) -> str:
    """How often CT confirmed a phrase and what readers take it as; fewer than ``min_n`` uses are too few for advice."""
    text = translate(
        "phrases", "\u201c{phrase}\u201d: CT confirmed {positives} of {n}, {rate}. Readers take it as {meaning}."
    ).format(
        phrase=r.phrase,
        positives=whole(r.positives),
        n=whole(r.n),
        rate=rate(r.rate, r.low, r.high),
        meaning=meaning(r, phrase),
    )
    if not float(r.positives).is_integer():
        text += " " + translate("phrases", "Where CT itself was unsure, a finding counts in part.")
    if r.n < min_n:
        text += " " + translate("phrases", "Said {n} times; advice needs {min}.").format(n=whole(r.n), min=min_n)
    return text


def meaning(r: PhraseRate, phrase: Phrase | None) -> str:
    """What readers take a phrase as: the range of its meaning, its mean where the list of phrases lacks it."""
    return percent_range(phrase.low, phrase.high) if phrase else percent(r.mean)
