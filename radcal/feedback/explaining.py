"""The last page: how to read the others, what they cannot say, and where the numbers come from."""

from __future__ import annotations

from radcal.feedback.wording import DASH, NBSP, count, date_range, day, days_chosen, percent, quoted, typographic
from radcal.lexicon.phrases import PLAIN_TOLERANCE
from radcal.records import ALL_DAYS, Days, Json, Provenance
from radcal.settings import Settings


def reading(
    settings: Settings,
    *,
    with_table: bool,
    with_diagram: bool,
    with_advice: bool,
    with_others: bool = False,
    days: Days = ALL_DAYS,
) -> list[Json]:
    """Paragraphs with their headings, only about what the pages show."""
    confidence = percent(settings.confidence)
    question = (
        "A certainty word tells readers how likely a finding is. These pages compare what readers take your words "
        "to mean with how often a chest CT, read soon after, showed the finding."
    )
    diagram = (
        "Across runs the certainty as readers take your words, from absent (0) to present (1); upwards the share that "
        "CT confirmed. On the dashed line, words mean what readers take them to mean. Below it they were stronger than "
        f"CT supported, above it weaker. The pale band is the {confidence} interval of the curve. The hatched band is "
        "where luck alone would put a perfectly calibrated reader who uses the same words: a curve inside it shows "
        "nothing amiss. Words of wide meaning flatten every curve, so where the two differ compare with the band, not "
        "with the dashed line. The grey area shows where your words lie; the curve is drawn only there."
    )
    table = (
        "Each row is one word: how often you said it, how many of these statements CT confirmed, and their rate with "
        f"its {confidence} interval in brackets, the range in which the true rate plausibly lies. The grey bar is the "
        "range that readers take the word to mean. A filled dot matches it. A triangle marks an interval wholly "
        "outside of it; it points down where CT confirmed less than the word says, up where more. A hollow dot "
        "stands on too few statements to tell."
    )
    plain = (
        f"{quoted('present')} and {quoted('absent')} without a hedge, and words that readers take as certain, match "
        f"while their interval comes within {percent(PLAIN_TOLERANCE)} of always or never: nobody is right every time."
    )
    suggestions = (
        f"They come from all of your statements{' of these days' if days.are_limited else ''}, and are shown only "
        "where suggestions made from one half of them did better on the other half. A suggestion is about words, for "
        "this time and these patients; whether it fits the next case is for you to say."
    )
    others = (
        "All other readers of the department are taken together, for words that you used "
        f"{settings.min_phrase_n} times or more and at least three of them wrote for the pathology. They saw other "
        "patients, so that a difference is no measure of anybody's skill."
    )
    chosen = (
        f"Only some days were chosen: {days_chosen(days)}. The rates, the suggestions and the examples are worked out "
        "from the examinations of these days alone. Fewer statements leave wider intervals and more words without a "
        "judgement, and other days may say otherwise."
    )
    parts = [
        ("The question", question, True),
        ("The days", chosen, days.are_limited),
        ("The diagram", diagram, with_diagram),
        ("The table", table, with_table),
        ("Plain statements", plain, with_table),
        ("The suggestions", suggestions, with_advice),
        ("The other readers", others, with_others),
    ]
    return [{"head": head, "text": text} for head, text, shown in parts if shown]


def limits(provenance: Provenance, settings: Settings) -> list[str]:
    """What the numbers cannot say."""
    window = f"{settings.window_hours:g}{NBSP}h"
    if provenance.extraction_accuracy:
        checked = f"Accuracy on reports checked by hand: {typographic(provenance.extraction_accuracy)}"
    else:
        checked = "How often it errs was not measured here"
    return [
        f"Only patients with a chest CT within {window} of the X-ray are counted. They are a selection: doubtful and "
        "severe cases are scanned more often, so the rates need not hold for all patients.",
        "CT is not perfect, and its report is a reading too. A finding can also appear or clear between the two "
        "examinations.",
        f"Software read the findings from the report texts ({provenance.engine}). {checked.rstrip('.')}.",
        "What an X-ray report does not mention is no statement and does not count for or against a word.",
        "The meaning of a word is that of surveyed readers; readers in your department may take it otherwise.",
        "The pages describe words, not skill, and allow no comparison between people: cases differ.",
    ]


def provenance_rows(provenance: Provenance, settings: Settings, days: Days = ALL_DAYS) -> list[list[str]]:
    """Everything needed to make the page again, as pairs of name and value."""
    p = provenance
    versions = ", ".join(f"{name} {version}" for name, version in sorted(p.versions.items()))
    examined = date_range(p.first_exam, p.last_exam)
    if p.first_exam and p.last_exam:
        examined = f"{day(p.first_exam)} {DASH} {day(p.last_exam)}"
    rows = [
        ["Days chosen", days_chosen(days)],
        ["Examinations", examined or ("none in these days" if days.are_limited else "dates not known")],
        ["X-ray and CT pairs", count(p.n_pairs)],
        ["Engine", f"{p.engine} {p.engine_version}".strip()],
        ["Lexicon", p.lexicon],
        ["Settings", p.settings_hash],
        ["Seed", str(p.seed)],
        ["Intervals", f"{percent(settings.confidence)}, {count(settings.bootstrap)} resamples"],
        ["Versions", versions],
        ["Made on", day(p.created)],
    ]
    return [row for row in rows if row[1]]
