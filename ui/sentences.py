"""Sentences and names shared by pages, plots and dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.words import counted, listed, moment, percent, percent_range, quoted, rate, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Advice, Phrase, PhraseRate, Restored
    from radcal.workflow.keeping.schedule import Copied


def modality_text(modality: str) -> str:
    """What the reports of a step are of."""
    return {
        "xray": say("X-ray"),
        "ct": "CT",
        "both": say("X-ray and CT"),
    }.get(modality, modality)


def reports_text(n: int) -> str:
    """'1 report', '1,204 reports'."""
    return counted(n, "{n} report", "{n} reports")


def rows_text(n: int) -> str:
    """'1 row', '1,204 rows'."""
    return counted(n, "{n} row", "{n} rows")


def pairs_text(n: int) -> str:
    """'1 pair', '2,662 pairs'."""
    return counted(n, "{n} pair", "{n} pairs")


def engine_name(engine: str) -> str:
    """'Rules', 'Llama', or the name as it is."""
    return {"rules": say("Rules"), "llama": say("Llama")}.get(engine, engine)


def engine_called(engine: str, version: str, model: str = "") -> str:
    """An engine of a version, without what the version says of libraries, and with its model where it has one."""
    version = version.split("+")[0]
    if model:
        return say("{engine} {version}, {model}", engine=engine_name(engine), version=version, model=model)
    return say("{engine} {version}", engine=engine_name(engine), version=version)


def on_unseen_findings(advice: Advice | None) -> str:
    """What the advice did to the findings that it was not made from; '' where it was not tried."""
    if advice is None or advice.test is None or not advice.recommendations:
        return ""
    t = advice.test
    # One half has no interval to stand beside its figures; those of many halves stand on the page of the advice.
    if t.ece_after < t.ece_before:
        text = say("Tried on {n} findings that the advice was not made from, it brought words and CT closer.")
    else:
        text = say("Tried on {n} findings that the advice was not made from, it did not bring words and CT closer.")
    return text.format(n=whole(t.n))


def words_without_advice(advice: Advice | None) -> str:
    """On which words there is no advice, and why; '' if there is advice on all."""
    if advice is None or not advice.withheld:
        return ""
    by_reason: dict[str, list[str]] = {}
    for w in advice.withheld:
        by_reason.setdefault(w.reason, []).append(quoted(w.phrase))
    return "\n".join(
        say("No advice on {words}: {reason}", words=listed(words), reason=typographic(reason))
        for reason, words in by_reason.items()
    )


def copied_words(copied: Copied) -> str:
    """The time of the last backup, and what would be lost with the file."""
    decisions = counted(copied.decisions, "{n} decision", "{n} decisions")
    if copied.last is None:
        if not copied.decisions:
            return say("No copy has been made yet.")
        return say(
            "No copy has been made yet. The workspace holds {decisions} by people, which nothing could make again.",
            decisions=decisions,
        )
    if not copied.decisions:
        return say("The last copy was made on {when}.", when=moment(copied.last))
    return say(
        "The last copy was made on {when}. Since then people have made {decisions}, which nothing could make again.",
        when=moment(copied.last),
        decisions=decisions,
    )


def kept_words(copied: Copied) -> str:
    """Scheduled maintenance and its outcome."""
    said = []
    if copied.on:
        said.append(
            say(
                "Backed up once a day if something has changed; {backups} in {folder}.",
                folder=copied.folder,
                backups=counted(copied.backups, "{n} backup", "{n} backups"),
            )
        )
    else:
        said.append(say("No backups are made automatically."))
    if copied.checked is not None:
        sound = say("Checked on {when}: the whole file can be read.")
        damaged = say("Checked on {when}: {n} of {pages} pages of the file are damaged.")
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
    said = [say("It holds {what}.", what=_what(held.reports, held.decisions))]
    if before is not None:
        more = (max(before.reports - held.reports, 0), max(before.decisions - held.decisions, 0))
        if any(more):
            text = say("The file before held {what} more.")
            said.append(text.format(what=_what(*more)))
    elif restored.aside is not None:
        said.append(say("What the file before held beyond that cannot be read."))
    if restored.aside is not None:
        said.append(say("The file before is kept as {name}.", name=restored.aside.name))
    return " ".join(said)


def held_words(reports: int, decisions: int) -> str:
    """What a backup holds."""
    return say("The whole backup can be read. It holds {what}.", what=_what(reports, decisions))


def _what(reports: int, decisions: int) -> str:
    return say(
        "{reports} and {decisions} by people",
        reports=counted(reports, "{n} report", "{n} reports"),
        decisions=counted(decisions, "{n} decision", "{n} decisions"),
    )


def phrase_sentence(r: PhraseRate, phrase: Phrase | None, min_n: int) -> str:
    """How often CT confirmed a phrase and what readers take it as; fewer than ``min_n`` uses are too few for advice."""
    text = say(
        "\u201c{phrase}\u201d: CT confirmed {positives} of {n}, {rate}. Readers take it as {meaning}.",
        phrase=r.phrase,
        positives=whole(r.positives),
        n=whole(r.n),
        rate=rate(r.rate, r.low, r.high),
        meaning=meaning(r, phrase),
    )
    if not float(r.positives).is_integer():
        text += " " + say("Where CT itself was unsure, a finding counts in part.")
    if r.n < min_n:
        text += " " + say("Said {n} times; advice needs {min}.", n=whole(r.n), min=min_n)
    return text


def meaning(r: PhraseRate, phrase: Phrase | None) -> str:
    """What readers take a phrase as: the range of its meaning, its mean where the list of phrases lacks it."""
    return percent_range(phrase.low, phrase.high) if phrase else percent(r.mean)
