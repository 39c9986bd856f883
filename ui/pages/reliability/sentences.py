"""The sentences beside the diagram: the figures in plain words, without judging."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.reliability.groups import hedged_uses
from radcal.system.text import begun
from ui.language import spoken
from ui.plots.figures import signed
from ui.sentences import advised, topic_name, verdict_on
from ui.words import counted, decimal, decimal_interval, listed, quoted, rate, say, typographic, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from radcal.advice.judged_records import JudgedGroup, JudgedWord
    from radcal.reliability.records import Monotone, Reliability, Spread
    from radcal.system.selection import Group
    from radcal.words.records import Phrase
    from ui.records import GroupView, Opened


_ORDER = ("stronger", "weaker", "matches", "undecided")


def headline(view: GroupView, min_group_n: int) -> str:
    """The sentence under the page's title."""
    from radcal.advice.judging import group_sentence  # imports NumPy, which the first paint must not wait for

    r = view.reliability
    if r.curve is None:
        return not_enough(r, min_group_n)
    if view.judged.advice is not None and (said := group_sentence(view.judged)):
        return typographic(said)
    return say("How often CT confirmed what the X-ray reports said, word by word.")


def not_enough(r: Reliability, min_group_n: int) -> str:
    """Why there is no curve, and how many findings suffice."""
    if r.n < min_group_n:
        return say("{found}; a curve needs {min}.", found=counted(r.n, "{n} finding", "{n} findings"), min=min_group_n)
    return typographic(r.reason)


def without_few_hedges(r: Reliability, min_phrase_n: float) -> Reliability:
    """The record without the measures of hedges if there are too few of them: resamples of one are identical."""
    if hedged_uses(r.phrases) >= min_phrase_n:
        return r
    return replace(r, word_error=None, slope=None, intercept=None, ece=None, ece_star=None)


def calibration(r: Reliability) -> tuple[str, ...]:
    """The word error with its interval, what luck gives, and what the test says; then slope and intercept."""
    if r.word_error is None:
        return (
            say(
                "Hardly anything here was hedged. Plain \u201cpresent\u201d and \u201cabsent\u201d are judged by their"
                " own rates in the table."
            ),
        )
    text = say(
        "Word error {value}: the average distance between what hedged words mean and how often CT confirmed them, "
        "over {n} findings.",
        value=decimal_interval(r.word_error, r.word_error_low, r.word_error_high),
        n=whole(hedged_uses(r.phrases)),
    )
    if r.read_word_error is not None:
        text += " " + say(
            "With reading errors {value}.",
            value=decimal_interval(r.read_word_error, r.read_word_error_low, r.read_word_error_high),
        )
    if r.luck_word_mean is not None and r.luck_word_p95 is not None:
        text += " " + say(
            "A perfectly calibrated reader using these words would show {mean}, up to {high}.",
            mean=decimal(r.luck_word_mean),
            high=decimal(r.luck_word_p95),
        )
    return tuple(filter(None, (text, tested(r), *spread(r))))


def tested(r: Reliability) -> str:
    """What the test of the word error says, by the q-value where there is one; '' if it was not made."""
    p = r.p_value_word if r.q_value_word is None else r.q_value_word
    if p is None or r.p_value_word is None:
        return ""
    shown = spoken().p_value(p)
    if r.plain_p_value_word is not None and p > r.plain_p_value_word:
        shown = say("{p}, allowing for reading errors and the number of tests", p=shown)
    elif p > r.p_value_word:
        shown = say("{p}, allowing for the number of tests", p=shown)
    return say("As much by chance alone: {p}.", p=shown)


def spread(r: Reliability) -> tuple[str, ...]:
    """Calibration slope and intercept in plain words; () if not computed."""
    if r.slope is None or r.slope_low is None or r.slope_high is None:
        return ()
    value = f"{decimal(r.slope)} {_signed_interval(r.slope_low, r.slope_high)}"
    if r.slope_high < 1:
        made = [
            say(
                "Slope {value}: the words are farther apart than CT showed, stronger than it supported.",
                value=value,
            )
        ]
    elif r.slope_low > 1:
        made = [
            say(
                "Slope {value}: the words are closer together than CT showed, weaker than it supported.",
                value=value,
            )
        ]
    else:
        made = [
            say("Slope {value}: not shown to differ from 1 (1: the words are as far apart as CT showed).", value=value)
        ]
    if r.intercept is not None and r.intercept_low is not None and r.intercept_high is not None:
        value = f"{signed(r.intercept)} {_signed_interval(r.intercept_low, r.intercept_high)}"
        if r.intercept_low > 0:
            made.append(say("Intercept {value}: CT confirmed more than the words say.", value=value))
        elif r.intercept_high < 0:
            made.append(say("Intercept {value}: CT confirmed less than the words say.", value=value))
        else:
            made.append(
                say("Intercept {value}: not shown to differ from 0 (0: CT confirms what the words say).", value=value)
            )
    return tuple(made)


def _signed_interval(low: float, high: float) -> str:
    """'(0.50-0.95)'; with a negative end '(-0.10 to +0.32)'."""
    if low < 0:
        return say("({low} to {high})", low=signed(low), high=signed(high))
    return f"({decimal(low)}\u2013{decimal(high)})"


def in_parts(r: Reliability) -> tuple[str, ...]:
    """ECE and ECE* with their intervals in their parts, which add up as shown; () if not computed."""
    measures = (
        ("ECE", r.ece, r.ece_low, r.ece_high, r.ece_width, r.luck_mean),
        ("ECE*", r.ece_star, r.ece_star_low, r.ece_star_high, r.ece_star_width, r.luck_star_mean),
    )
    made = []
    for name, value, low, high, width, luck in measures:
        if value is None:
            continue
        shown = f"{name} {decimal_interval(value, low, high)}"
        if width is None or luck is None:
            made.append(shown)
            continue
        # In the hundredths that are shown, so that the parts shown add up.
        whole_of, of_width, of_luck = (round(100 * float(f"{v:.2f}")) for v in (value, width, luck))
        chance, rest = (of_luck - of_width) / 100, (whole_of - of_luck) / 100
        sign, size = ("\u2212" if rest < 0 else "+"), decimal(abs(rest))
        made.append(
            say(
                "{ece} = {width} width of the words {luck_sign} {chance} chance {sign} {rest} the rest",
                ece=shown,
                width=decimal(of_width / 100),
                luck_sign="\u2212" if chance < 0 else "+",
                chance=decimal(abs(chance)),
                sign=sign,
                rest=size,
            )
        )
    return tuple(made)


def further(r: Reliability) -> str:
    """Accuracy and Brier score with intervals; '' if not computed."""
    parts = []
    if r.accuracy is not None and r.accuracy_low is not None and r.accuracy_high is not None:
        parts.append(
            say("On the right side of one half: {rate}", rate=rate(r.accuracy, r.accuracy_low, r.accuracy_high))
        )
    if r.brier is not None:
        parts.append(say("Brier score {value}", value=decimal_interval(r.brier, r.brier_low, r.brier_high)))
    return " \u00b7 ".join([*parts, say("n = {n}", n=whole(r.n))]) if parts else ""


def order(m: Monotone) -> str:
    """The three parts of the Brier score of the words in their order, and the words whose order was not kept."""
    loss, told, open_ = (round(100 * float(f"{v:.2f}")) for v in (m.miscalibration, m.discrimination, m.uncertainty))
    text = say(
        "Before a word is read, {uncertainty} is open (uncertainty). The words resolve {discrimination} of it "
        "(discrimination) and lose {miscalibration} by not meaning what CT showed (miscalibration): the Brier score "
        "of what they mean on average is {brier}, n = {n}.",
        uncertainty=decimal(open_ / 100),
        discrimination=decimal(told / 100),
        miscalibration=decimal(loss / 100),
        brier=decimal((open_ - told + loss) / 100),
        n=whole(float(m.n.sum())),
    )
    if m.disordered:
        pairs = [say("{weaker} and {stronger}", weaker=quoted(a), stronger=quoted(b)) for a, b in m.disordered]
        text += " " + say(
            "The order of {pairs} was not kept: CT confirmed the weaker word more often.", pairs="; ".join(pairs)
        )
    return text


def advice_sentences(group: JudgedGroup) -> tuple[str, ...]:
    """The recommendations, those of all pathologies last, or why there are none."""
    if group.advice is None:
        return (say("No advice was made for these findings."),)
    if said := tuple(typographic(j.advice.text) for j in advised(group) if j.advice is not None):
        return said
    why = group.advice.reason or group.advice.summary or say("No change of words is recommended.")
    return (typographic(why),)


def verdicts(words: Sequence[JudgedWord]) -> tuple[str, ...]:
    """The words that were said often enough by what is said of them, a line each; each with how sure that is."""
    found: dict[str, list[str]] = {}
    for j in sorted((j for j in words if j.decided), key=lambda j: _ORDER.index(j.verdict)):
        verdict, sure = verdict_on(j, full=True)
        word = quoted(j.name)
        found.setdefault(verdict, []).append(
            word if sure is None else say("{word} ({share} sure)", word=word, share=spoken().sure(sure))
        )
    return tuple(f"{begun(verdict)}: {listed(words)}." for verdict, words in found.items())


def learned(spread: Spread | None, *, is_model: bool) -> str:
    """From what verdicts and intervals were learned."""
    from radcal.reliability.model import FEWEST_GROUPS  # imports NumPy, which the first paint must not wait for

    if is_model:
        return say("Nothing is learned from other models: what RadCal ships with decides.")
    if spread is None or spread.groups < FEWEST_GROUPS:
        return say("Little is known of this department yet: what RadCal ships with decides.")
    return say("Learned from {n:,} groups of this department.", n=spread.groups)


def if_ct_erred(r: Reliability, before: Reliability, phrases: Iterable[Phrase], min_phrase_n: int) -> str:
    """The figures and verdicts if CT were wrong as often as asked, and the verdicts that this changes."""
    from radcal.advice.judging import judged_group  # imports NumPy, which the first paint must not wait for

    settled = without_few_hedges(r, min_phrase_n)
    parts = []
    if settled.word_error is not None:
        value = decimal_interval(settled.word_error, settled.word_error_low, settled.word_error_high)
        parts.append(say("Then the word error is {value}.", value=value))
    was = {p.phrase: p.verdict for p in before.phrases}
    supposed = judged_group(r, None, phrases, min_phrase_n)
    changed = [j for j in supposed.words if j.decided and was.get(j.name, j.rate.verdict) != j.rate.verdict]
    parts += verdicts(changed) or (say("No verdict on a word changes."),)
    return "\n".join(parts)


def not_mentioned(opened: Opened, group: Group) -> str:
    """What the author's X-ray reports did not mention; '' if nothing."""
    n = opened.not_mentioned.get(group, 0)
    if not n:
        return ""
    return say(
        "Once CT found {topic} that the X-ray report did not mention.",
        many="{n:,} times CT found {topic} that the X-ray report did not mention.",
        n=n,
        topic=topic_name(group.topic),
    )
