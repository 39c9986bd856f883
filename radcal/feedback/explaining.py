"""The last page: how to read the others, their limits, and the sources of the numbers."""

from __future__ import annotations

from radcal.reliability.analysis_records import Provenance, Unread
from radcal.reliability.unread import unread_note
from radcal.system.coarse import FEWEST
from radcal.system.files import Json
from radcal.system.language.catalogue import Language
from radcal.system.language.manners import DASH, NBSP
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.settings import Settings
from radcal.words.phrases import PLAIN_TOLERANCE


def reading(
    settings: Settings,
    w: Language,
    *,
    with_table: bool,
    in_parts: bool,
    with_diagram: bool,
    with_advice: bool,
    with_others: bool = False,
    days: Days = ALL_DAYS,
) -> list[Json]:
    """Paragraphs with their headings, only about what the pages show; ``in_parts`` tells of counts in part."""
    parts: list[tuple[str, str]] = [
        (
            w.say("The question"),
            w.say(
                "A certainty word tells readers how likely a finding is. These pages compare what readers take your "
                "words to mean with how often a chest CT, read soon after, showed the finding."
            ),
        )
    ]
    if days.are_limited:
        parts.append(
            (
                w.say("The days"),
                w.say(
                    "Only some days were chosen: {days}. The rates, the suggestions and the examples are worked out "
                    "from the examinations of these days alone. Fewer statements leave wider intervals and more words "
                    "without a judgement, and other days may say otherwise.",
                    days=w.days_chosen(days),
                ),
            )
        )
    if with_diagram:
        parts.append((w.say("The diagram"), _diagram(settings, w)))
    if with_table:
        parts += [
            (w.say("The table"), _table(settings, w)),
            (w.say("Plain statements"), _plain(w)),
        ]
    if in_parts:
        parts.append((w.say("Counts with decimals"), _in_parts(w)))
    if with_advice:
        parts.append((w.say("The suggestions"), _suggestions(w, limited=days.are_limited)))
    if with_others:
        parts.append((w.say("The other readers"), _others(settings, w)))
    return [{"head": head, "text": text} for head, text in parts]


def _diagram(settings: Settings, w: Language) -> str:
    return w.say(
        "From left to right runs the certainty that readers take from your words, from absent (0) to present (1); "
        "from bottom to top, the share that CT confirmed. Each dot is a word with the {confidence} interval of its "
        "rate, larger where you said it more often. On the dashed line, words mean what readers take them to mean. "
        "Below it they were stronger than CT supported, above it weaker. The solid line is all hedged words together, "
        "drawn only where they lie. The hatched band is where luck alone would put a perfectly calibrated reader who "
        "uses the same words: a line inside it is not shown to differ. Words of wide meaning flatten every line, so "
        "compare it with the band and not with the dashed line. The grey area shows where your words lie.",
        confidence=w.percent(settings.confidence),
    )


def _table(settings: Settings, w: Language) -> str:
    return w.say(
        "Each row is one word, with others that say the same: how often you said it, how many of these statements CT "
        "confirmed, and their rate with its {confidence} interval in brackets, the range in which the true rate "
        "plausibly lies. The grey bar is the range that readers take the word to mean. A filled dot agrees: its whole "
        "interval lies in that range. A triangle differs: its interval lies wholly outside, below where CT confirmed "
        "less than the word says (pointing down), above where more (up). A hollow dot is undecided: more statements "
        "would tell. Where a closer word is known nevertheless, the line below the word names it.",
        confidence=w.percent(settings.confidence),
    )


def _in_parts(w: Language) -> str:
    return w.say(
        "Where the CT report hedges too, a statement counts in part, in proportion to how likely its word makes the "
        "finding."
    )


def _plain(w: Language) -> str:
    return w.say(
        "{present} and {absent} without a hedge differ where their interval stays more than {tolerance} percentage "
        "points from always or never: nobody is right every time.",
        present=w.quoted("present"),
        absent=w.quoted("absent"),
        tolerance=f"{100 * PLAIN_TOLERANCE:g}",
    )


def _suggestions(w: Language, *, limited: bool) -> str:
    basis = (
        w.say("They are based on all your statements from these days.")
        if limited
        else w.say("They are based on all your statements.")
    )
    rules = w.say(
        "A word is suggested where it is at least 95 % sure to be nearer to what CT confirms than the one you used. "
        "Words that stand out by chance move back towards the mean by themselves the next time (regression to the "
        "mean), so judge a suggestion by the sentences behind it. It is about words, for this period and these "
        "patients; whether it fits the next case is for you to say."
    )
    return f"{basis} {rules}"


def _others(settings: Settings, w: Language) -> str:
    return w.say(
        "All other readers of the department are taken together, for words that you used {n} times or more and that "
        "at least {k} of them used {k} times or more for the pathology. Their statements are given as a range and "
        "their rates to 5 points, so that nobody's own can be worked out. They saw other patients, so a difference "
        "says nothing about skill.",
        n=str(settings.min_phrase_n),
        k=str(FEWEST),
    )


def limits(provenance: Provenance, settings: Settings, w: Language, unread: Unread | None = None) -> list[str]:
    """The limits of the numbers; ``unread``: what was left out of them as unread, None for nothing."""
    reading = _extraction(provenance, w), provenance.reading_errors, unread_note(unread) if unread else ""
    return [
        w.say(
            "Only patients with a chest CT within {hours}\u00a0h of the X-ray are counted. They are a selection: "
            "doubtful and severe cases are scanned more often, so the rates need not hold for all patients.",
            hours=w.hours(settings.window_hours),
        ),
        w.say(
            "CT is not perfect, and its report is a reading too. A finding can also appear or clear between the two "
            "examinations."
        ),
        " ".join(w.write(sentence) for sentence in reading if sentence),
        w.say("What an X-ray report does not mention is not a statement and counts neither for nor against a word."),
        w.say(
            "The meaning of a word comes from surveys of readers; readers in your department may take it differently."
        ),
        w.say("The pages describe words, not skill, and allow no comparison between people: cases differ."),
    ]


def _extraction(provenance: Provenance, w: Language) -> str:
    """That the findings were extracted by software, and its error rate."""
    if not provenance.extraction_accuracy:
        return w.say(
            "Software read the findings from the report texts ({engine}). How often it errs was not measured here.",
            engine=w.write(provenance.engine),
        )
    measure = w.say(
        "Software read the findings from the report texts ({engine}). Its accuracy was measured on reports checked by "
        "hand ({accuracy}).",
        engine=w.write(provenance.engine),
        accuracy=w.write(provenance.extraction_accuracy).rstrip(".").replace("F1 ", f"F1{NBSP}"),
    )
    if "F1" not in provenance.extraction_accuracy:
        return measure
    return f"{measure} {w.say('F1 is 1 where software misses no statement and invents none.')}"


def read_by(provenance: Provenance, w: Language) -> str:
    """The engine whose findings the pages hold, for the foot of each."""
    version = provenance.engine_version.partition("+")[0]  # without those of its libraries
    return w.say("findings read by {engine}", engine=f"{w.write(provenance.engine)} {version}".strip())


def provenance_rows(
    provenance: Provenance, settings: Settings, w: Language, days: Days = ALL_DAYS, *, of_pairs: bool = True
) -> list[list[str]]:
    """Everything needed to reproduce the page, as name-value pairs.

    ``of_pairs``: with the examinations and pairs that one author's pages are made from
    """
    p = provenance
    of_each = w.say("{n}; each counts once for every pathology that its X-ray report speaks of", n=w.count(p.n_pairs))
    examined = [[w.say("Examinations"), _examined(p, w, days)], [w.say("X-ray and CT pairs"), of_each]]
    rows = [
        [w.say("Days chosen"), w.days_chosen(days)],
        *(examined if of_pairs else []),
        [w.say("Engine"), f"{w.write(p.engine)} {p.engine_version}".strip()],
        [w.say("Lexicon"), p.lexicon],
        [w.say("Settings"), p.settings_hash],
        [w.say("Seed"), str(p.seed)],
        [
            w.say("Intervals"),
            w.say(
                "{confidence}, {n} resamples", confidence=w.percent(settings.confidence), n=w.count(settings.bootstrap)
            ),
        ],
        [w.say("Versions"), ", ".join(f"{name} {version}" for name, version in sorted(p.versions.items()))],
        [w.say("Made on"), w.day(p.created)],
    ]
    return [row for row in rows if row[1]]


def _examined(p: Provenance, w: Language, days: Days) -> str:
    if p.first_exam and p.last_exam:
        return f"{w.day(p.first_exam)} {DASH} {w.day(p.last_exam)}"
    return w.say("none in these days") if days.are_limited else w.say("dates not known")
