"""Sentences and names shared by pages, plots and dialogs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from radcal.feedback.shared_sentences import not_alike, of_phrase, shares
from radcal.system import policy
from radcal.system.coarse import FEWEST
from radcal.system.text import begun
from ui.language import spoken
from ui.words import counted, decimal, listed, moment, percent, percent_range, quoted, rate, say, typographic, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.advice.judged_records import JudgedGroup, JudgedWord
    from radcal.advice.records import Advice, Method
    from radcal.calibration.records import PhraseRate, Reliability, Wording
    from radcal.findings.records import Finding
    from radcal.system.selection import Group, Selection
    from radcal.words.phrases import Lexicon
    from radcal.words.records import Phrase, Scale
    from radcal.workspace.records import Restored
    from radcal.workspace.schedule import Copied
    from ui.records import Opened


BUNDLED = "radcal-mini-q8_0.gguf"
_SERVED_BY, _BESIDE = ": ", " and "
"""Between engine and served model, in the name of what read a finding."""


def read_only_reason() -> str:
    """Why nothing can be changed in a workspace that is open to read only."""
    return say("The workspace is open to read only.")


def topic_name(topic: str) -> str:
    """A pathology in the language of the window beside the reports' name for it, or 'all pathologies'."""
    from radcal.system.settings import ALL_TOPICS  # imports NumPy, which the first paint must not wait for

    return say("all pathologies") if topic == ALL_TOPICS else spoken().pathology(topic)


def author_name(author: str, opened: Opened | None) -> str:
    """A radiologist as called in the department, or 'all radiologists', as they stand within a sentence."""
    from radcal.calibration.records import ALL_AUTHORS

    if author == ALL_AUTHORS:
        return say("all radiologists")
    return author if opened is None else opened.called(author)


def group_name(group: Group | Selection | Reliability, opened: Opened | None) -> str:
    """A title: 'Avery \u2013 edema'."""
    from radcal.calibration.records import ALL_AUTHORS

    named = author_name(group.author, opened)
    author = begun(named) if group.author == ALL_AUTHORS else named
    return f"{author} \u2013 {topic_name(group.topic)}"


def method_name(method: Method) -> str:
    """What becomes of what was said, as a column or a row is called."""
    return {
        "none": say("unchanged"),
        "advice": say("as advised"),
        "ordered": say("ordered plan"),
        "transport": say("published transport"),
        "platt": say("Platt scaling"),
        "histogram": say("histogram binning"),
        "isotonic": say("isotonic regression"),
    }[method]


def modality_text(modality: str) -> str:
    """The examination of the reports: 'X-ray', 'CT', 'X-ray and CT'."""
    return {"xray": say("X-ray"), "ct": say("CT"), "both": say("X-ray and CT")}.get(modality, modality)


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
    """'Rules', 'Rules and tiny.gguf', 'Language model', 'qwen at llm.example', or the name as it is."""
    kind, _, model = engine.partition(_SERVED_BY)
    if kind == "served":
        return served_name(model) if model else say("A server\u2019s model")
    kind, _, second = engine.partition(_BESIDE)
    if kind == "rules" and second:
        return say("Rules and {model}", model=served_name(second))
    return {"rules": say("Rules"), "llama": say("Language model")}.get(engine, engine)


def both_readings(finding: Finding) -> str:
    """What both readers read, and the chance that the rules are right; '' without a second reader."""
    if not finding.second:
        return ""
    said = say(
        "The rules read {rules}, the second reader {second}.",
        rules=quoted(finding.as_rules_read),
        second=quoted(finding.second),
    )
    if finding.probability is None:
        return said
    return f"{said} {say('Chance that the rules are right: {chance}.', chance=percent(finding.probability))}"


def served_name(model: str) -> str:
    """A served model with its host, as a run has it: 'qwen at llm.example'; a model file as it is, but for BUNDLED."""
    if model == BUNDLED:
        return say("RadCal\u2019s own small model")
    name, _, host = model.rpartition(" at ")
    return say("{model} at {host}", model=name, host=host) if name else model


def engine_called(engine: str, version: str, model: str = "") -> str:
    """The engine with its version, less the versions of its libraries, and with its model if it has one.

    What reads beside the rules, and a served model with its host, stand in place of the version.
    """
    from radcal.findings.engines import in_words

    if engine.partition(_SERVED_BY)[0] == "served" or (engine == "rules" and model):
        return engine_name(in_words(engine, model))
    version = version.split("+")[0]
    if model:
        return say("{engine} {version}, {model}", engine=engine_name(engine), version=version, model=model)
    return say("{engine} {version}", engine=engine_name(engine), version=version)


def on_unseen_findings(advice: Advice | None) -> str:
    """The effect of the advice on held-out findings; '' if it was not tested."""
    if advice is None or advice.test is None or not advice.recommendations:
        return ""
    t = advice.test
    if (t.brier_before, t.ece_before) == (t.brier_after, t.ece_after):
        return say("Too few findings to check this advice on a separate half.")
    before, after = (t.brier_before, t.brier_after)
    if not (math.isnan(t.word_error_before) or math.isnan(t.word_error_after)):  # something was hedged
        before, after = t.word_error_before, t.word_error_after
    return say(
        "Checked on findings not used to make it, the advice moved the error from {before} to {after}.",
        before=decimal(before),
        after=decimal(after),
    )


def advised(group: JudgedGroup) -> list[JudgedWord]:
    """The words with advice in the order of their recommendations; those of all pathologies last."""
    made = () if group.advice is None else group.advice.recommendations
    order = {r.source: place for place, r in enumerate(made)}
    words = [j for j in group.words if j.advice is not None]
    return sorted(words, key=lambda j: (j.pooled, order.get(j.name, len(order))))


def words_without_advice(group: JudgedGroup | None) -> str:
    """The words without advice, with the reasons; '' if there are none."""
    by_reason: dict[str, list[str]] = {}
    for j in withheld(group):
        by_reason.setdefault(j.why, []).append(quoted(j.name))
    return "\n".join(
        say("No advice on {words}: {reason}", words=listed(words), reason=typographic(reason))
        for reason, words in by_reason.items()
    )


def withheld(group: JudgedGroup | None) -> list[JudgedWord]:
    """The words with a reason of their own for having no advice."""
    if group is None or group.advice is None:
        return []
    return [j for j in group.words if j.advice is None and j.why and j.why != group.advice.reason]


def place_in_words(place: str) -> str:
    """What a scale says of words that are not among its own: '' where it says nothing."""
    match place:
        case "avoided":
            return say("to avoid")
        case "established":
            return say("established only")
    return ""


def scale_gaps(scale: Scale, lexicon: Lexicon) -> list[str]:
    """The words of a scale that advice cannot propose: the list lacks them, or reads them as others."""
    found = {w.words: lexicon.find(w.words) for w in scale.words}
    lacking = [quoted(words) for words, phrase in found.items() if phrase is None]
    read = [
        say("{word} as {phrase}", word=quoted(words), phrase=quoted(phrase.name))
        for words, phrase in found.items()
        if phrase is not None and phrase.name != words
    ]
    lines = []
    if lacking:
        lines.append(say("Not in the department\u2019s list, so never proposed: {words}.", words=listed(lacking)))
    if read:
        lines.append(
            say(
                "Read as another phrase of the list, so not proposed until it is a phrase of its own: {words}.",
                many="Read as other phrases of the list, so not proposed until they are phrases of their own: {words}.",
                n=len(read),
                words=listed(read),
            )
        )
    return lines


def why_names_stay() -> str:
    """Why what gives radiologists by name is neither copied nor exported on this computer; '' if it may be."""
    try:
        policy.in_use().refuse_names()
    except policy.SetByPolicy as refused:
        return spoken().write(refused.text)
    return ""


def why_not_handed_on(*, named: bool = False) -> str:
    """Why pictures of several radiologists, by name or under pseudonyms, stay on the screen; '' if they need not."""
    if named:
        return why_names_stay()
    return say(
        "A picture of radiologists under pseudonyms shows their exact figures, by which they can be recognised. The "
        "department\u2019s page under Feedback is made to be handed on."
    )


def why_groups_stay() -> str:
    """Why tables and pictures of groups stay on the screen while radiologists have pseudonyms."""
    return say(
        "A group may be the work of a few radiologists, whose exact figures would follow from it. With \u201cShow "
        "names\u201d it can be copied and saved, for quality assurance alone."
    )


def too_few_to_hand_on() -> str:
    """Why a table of few radiologists under pseudonyms stays on the screen."""
    return say(
        "Radiologists under pseudonyms are copied and exported from {k} on with {k} findings each, because each of "
        "fewer could be recognised.",
        k=FEWEST,
    )


def workload_warning() -> str:
    """What stands where exact numbers of findings stand beside pseudonyms."""
    return say(
        "For quality assurance alone: whoever knows how much a colleague reads can recognise the colleague by exact "
        "numbers, in spite of the pseudonym."
    )


def copied_words(copied: Copied) -> str:
    """The time of the last backup, and what would be lost with the file."""
    decisions = counted(copied.decisions, "{n} decision", "{n} decisions")
    if copied.last is None and not copied.decisions:
        return say("No copy has been made yet.")
    if copied.last is None:
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
    checked = copied.checked
    if checked is not None and checked.damaged:
        said.append(
            say(
                "Checked on {when}: {n} of {pages} pages of the file are damaged.",
                when=moment(checked.at),
                n=whole(checked.damaged),
                pages=whole(checked.pages),
            )
        )
    elif checked is not None:
        said.append(say("Checked on {when}: the whole file can be read.", when=moment(checked.at)))
    return "\n".join(said)


def restored_words(restored: Restored) -> str:
    """The contents of a restored workspace, what is missing against the replaced file, and where that file is."""
    held, before = restored.held, restored.before
    said = [say("It holds {what}.", what=_what(held.reports, held.decisions))]
    if before is not None:
        more = (max(before.reports - held.reports, 0), max(before.decisions - held.decisions, 0))
        if any(more):
            said.append(say("The file before held {what} more.", what=_what(*more)))
    elif restored.aside is not None:
        said.append(say("What the file before held beyond that cannot be read."))
    if restored.aside is not None:
        said.append(say("The file before is kept as {name}.", name=restored.aside.name))
    return " ".join(said)


def held_words(reports: int, decisions: int) -> str:
    """The contents of a checked backup."""
    return say("The whole backup can be read. It holds {what}.", what=_what(reports, decisions))


def _what(reports: int, decisions: int) -> str:
    return say(
        "{reports} and {decisions} by people",
        reports=reports_text(reports),
        decisions=counted(decisions, "{n} decision", "{n} decisions"),
    )


def phrase_sentence(j: JudgedWord, min_n: int) -> str:
    """How often CT confirmed a phrase, its meaning to readers, the verdict and a closer word.

    A word is judged, and advised on, from ``min_n`` uses on.
    """
    r = j.rate
    confirmed = say(
        "\u201c{phrase}\u201d: CT confirmed {count}, {rate}.",
        phrase=r.phrase,
        count=spoken().out_of(r.positives, r.n),
        rate=rate(r.rate, r.low, r.high),
    )
    if not math.isnan(r.expected):
        confirmed += " " + say("The true rate is expected to be {rate}.", rate=percent(r.expected))
    if read := with_errors(r):
        confirmed += " " + say("With reading errors: {rate}.", rate=read)
    meant = meaning(r, j.phrase)
    text = f"{confirmed} {say('Readers take it as {meaning}.', meaning=meant)}"
    if j.differs or (j.decided and j.advice is None):
        text += f" {begun(judged_text(j, full=True))}."
    if closer := closer_text(j):
        text += " " + closer
    if j.phrase is not None and j.phrase.answers:
        text += " " + asked(j.phrase)
    if not float(r.positives).is_integer():
        text += " " + say("Where CT itself hedged, a finding counts in part.")
    if r.n < min_n:
        text += " " + say(
            "Said once; advice needs {min}.",
            many="Said {n:,} times; advice needs {min}.",
            n=round(r.n),
            min=min_n,
        )
    return text


def closer_text(j: JudgedWord) -> str:
    """That a closer word is known, and which; '' without advice."""
    from radcal.advice.said import closer  # imports NumPy, which the first paint must not wait for

    return spoken().write(closer(j))


def with_errors(r: PhraseRate) -> str:
    """The rate of a phrase with the errors of reading, '' where none are carried on."""
    if r.read_rate is None or r.read_low is None or r.read_high is None:
        return ""
    return rate(r.read_rate, r.read_low, r.read_high)


def asked(phrase: Phrase) -> str:
    """How many people were asked what a phrase means, and how many of their answers lie in its range."""
    text = say(
        "Of {answers} choices of {word} by {people} people asked, {within} were for {range}.",
        answers=whole(phrase.answers),
        word=quoted(phrase.name),
        people=whole(phrase.asked),
        within=whole(phrase.within),
        range=percent_range(phrase.low, phrase.high),
    )
    from radcal.words.phrases import expected_rates, has_few_answers  # NumPy: the first paint must not wait for it

    if has_few_answers(phrase):
        compared = percent_range(*expected_rates(phrase))
        text += " " + say("The verdict compares with {range}, as there are few answers.", range=compared)
    return text


def as_written(wordings: Sequence[Wording], topic: str, phrase: str) -> str:
    """What was really written for a phrase and how often CT confirmed it; '' if that is the phrase itself."""
    own = of_phrase(wordings, topic, phrase)
    if not own:
        return ""
    return not_alike(own, spoken()) or say("Written as {shares}.", shares=shares(own, spoken()))


def meaning(r: PhraseRate, phrase: Phrase | None) -> str:
    """The range in which readers take a phrase, or its mean if the phrase is no longer in the list."""
    return percent(r.mean) if phrase is None else meaning_of(phrase)


def meaning_of(phrase: Phrase) -> str:
    """The range in which readers take a phrase, marked where few answered."""
    from radcal.words.phrases import has_few_answers  # imports NumPy, which the first paint must not wait for

    shown = percent_range(phrase.low, phrase.high)
    return say("{range}, few answers", range=shown) if has_few_answers(phrase) else shown


def verdict_text(verdict: str, *, against: bool = False, full: bool = False) -> str:
    """A verdict on a word: 'matches', 'overstated' or in ``full`` 'overstated what CT found', 'undecided'.

    against: the word speaks against the finding, so that "overstated" would be read the wrong way round
    """
    match verdict, against:
        case "stronger", False:
            return say("overstated what CT found") if full else say("overstated")
        case "weaker", False:
            return say("understated what CT found") if full else say("understated")
        case "stronger", True:
            return say("found less often than it says") if full else say("found less often")
        case "weaker", True:
            return say("found more often than it says") if full else say("found more often")
        case "matches", _:
            return say("matches what readers take it to mean") if full else say("matches")
    return {"undecided": say("undecided"), "too few": say("too few"), "unknown": say("not in the list")}[verdict]


def judged_text(j: JudgedWord, *, full: bool = False) -> str:
    """The verdict on a word and how sure it is; where it does not differ though a closer word is known, that."""
    name, sure = verdict_on(j, full=full)
    return name if sure is None else say("{verdict}, {share} sure", verdict=name, share=spoken().sure(sure))


def verdict_on(j: JudgedWord, *, full: bool = False) -> tuple[str, float | None]:
    """What :func:`judged_text` says, and with which probability; None where nothing is claimed."""
    if j.advice is not None and not j.differs:
        return say("another word is closer") if full else say("another is closer"), j.advice.sure
    name = verdict_text(j.verdict, against=j.against, full=full)
    return name, j.rate.probability if j.decided and j.verdict != "undecided" else None


def locked_words(*names: str) -> str:
    """Who has locked a setting, or one of several, and where; '' if nobody has."""
    rules = policy.in_use()
    locked = next((name for name in names if name in rules.locked), None)
    return "" if locked is None else say("Set by your IT department ({place}).", place=rules.place(locked))


def policy_words() -> str:
    """How much IT has set on this computer, and where; '' if nothing."""
    rules = policy.in_use()
    if rules.file is None:
        return ""
    return say(
        "Your IT department has locked one setting on this computer.",
        many="Your IT department has locked {n} settings on this computer.",
        n=len(rules.locked),
    ) + say(" The file is {file}.", file=rules.file)
