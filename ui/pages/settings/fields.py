"""All department settings as shown: group, label, unit and description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from radcal.settings import Settings
from ui.words import say

Kind = Literal["number", "choice", "list", "file", "folder"]


@dataclass(frozen=True, slots=True)
class Field:
    """One setting.

    about:  what it does, and when it holds
    factor: the number on screen is so many times the stored one: 100 for shares in per cent
    words:  of a choice, each allowed value in words
    lowest: what the lowest number means, where that is more than a number
    """

    name: str
    label: str
    about: str
    kind: Kind
    default: Any
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    factor: float = 1.0
    decimals: int = 0
    lowest: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Section:
    """A group of settings."""

    title: str
    fields: tuple[Field, ...]


def sections() -> tuple[Section, ...]:
    """All settings in the current language; those without texts come last."""
    named = _sections()
    shown = {f.name for section in named for f in section.fields}
    hints = get_type_hints(Settings)
    rest = tuple(_plain(f.name, hints[f.name]) for f in fields(Settings) if f.name not in shown and f.name != "version")
    return (*named, Section(say("Further"), rest)) if rest else named


def _made(name: str, label: str, about: str, **more: Any) -> Field:
    declared = next(f for f in fields(Settings) if f.name == name)
    meta, hint = declared.metadata, get_type_hints(Settings)[name]
    if "kind" not in more:
        choice = get_origin(hint) is Literal
        more["kind"] = "number" if "low" in meta else "choice" if choice else "list"
    if "low" in meta:
        more |= {"low": meta["low"], "high": meta["high"]}
    return Field(name, label, about, default=declared.default, **more)


def _plain(name: str, hint: Any) -> Field:
    """A setting without texts, as declared."""
    declared = next(f for f in fields(Settings) if f.name == name)
    decimals = 3 if hint is float else 0
    kind: dict[str, Any] = {"kind": "file"} if hint is str else {}
    words = {word: word for word in get_args(hint)} if get_origin(hint) is Literal else {}
    return _made(name, name, str(declared.metadata["meaning"]), decimals=decimals, words=words, **kind)


def _sections() -> tuple[Section, ...]:
    return (
        Section(say("Pairs"), _pairs()),
        Section(say("What counts"), _counts()),
        Section(say("Reading the reports"), _reading()),
        Section(say("Statistics"), _statistics()),
        Section(say("Advice"), _advice()),
    )


def _pairs() -> tuple[Field, ...]:
    return (
        _made(
            "window_hours",
            say("Longest time from X-ray to CT"),
            say("A CT within this time of the X-ray makes a pair with it."),
            unit=say("hours"),
            decimals=2,
        ),
        _made(
            "trainee_rule",
            say("Dictated by one, signed by another"),
            say("To whom such a report is attributed. Holds for files imported from now on."),
            words={
                "signer": say("to who signed"),
                "dictator": say("to who dictated"),
                "leave out": say("left out"),
            },
        ),
    )


def _counts() -> tuple[Field, ...]:
    return (
        _made(
            "include_other_confirmations",
            say("Further confirmations"),
            say("CT findings (right) that confirm an X-ray finding (left) only where a department says so."),
        ),
        _made(
            "silence_absent",
            say("Silent CT means absent on"),
            say("By default a CT that says nothing on these is left out."),
        ),
        _made(
            "silence_left_out",
            say("Silent CT is left out on"),
            say("By default a CT that says nothing on these means absent: it would have said so."),
        ),
        _made(
            "contested",
            say("Contested findings"),
            say("Findings that somebody contested as wrongly read."),
            words={
                "counted": say("are counted"),
                "left out": say("are left out"),
            },
        ),
    )


def _reading() -> tuple[Field, ...]:
    machine = say("as suits this machine")
    more = say("More are faster where the machine has room for them.")
    return (
        _made(
            "engine",
            say("Engine"),
            say("What reads the reports. Reports read before by the same engine are not read again."),
            words={"rules": say("rules"), "llama": say("Llama")},
        ),
        _made(
            "model",
            say("Model of the Llama engine"),
            say("A GGUF file; empty for the small model that ships with RadCal."),
            kind="file",
        ),
        _made(
            "review_below",
            say("Review findings below a probability of"),
            say("Findings that the engine is less sure of are marked for review."),
            unit="%",
            factor=100.0,
            decimals=1,
        ),
        _made(
            "llama_context",
            say("Llama: length of prompt, report and answer"),
            say("What the three may take together. Longer reports need more, and more memory."),
            unit=say("tokens"),
        ),
        _made(
            "llama_prompt",
            say("Llama: kind of prompt"),
            say("Most models that answer in a chat come with a template for it."),
            words={
                "auto": say("the model\u2019s own if it has one"),
                "base": say("plain"),
                "chat": say("the model\u2019s chat template"),
            },
        ),
        _made(
            "llama_prompts",
            say("Llama: folder of prompts"),
            say("Prompt files of your own; empty for those of RadCal."),
            kind="folder",
        ),
        _made(
            "llama_gpu_layers",
            say("Llama: layers on the GPU"),
            say("0 reads on the processor alone."),
            unit=say("layers"),
            lowest=say("all that fit"),
        ),
        _made(
            "llama_parallel",
            say("Llama: reports at the same time"),
            more,
            unit=say("reports"),
            lowest=machine,
        ),
        _made(
            "llama_threads",
            say("Llama: processor threads"),
            more,
            unit=say("threads"),
            lowest=machine,
        ),
        _made(
            "llama_report_seconds",
            say("Llama: longest time for one report"),
            say("A report that takes longer is set aside and listed."),
            unit=say("s"),
            decimals=1,
        ),
        _made(
            "llama_temperature",
            say("Llama: temperature"),
            say("0 takes the most probable answer; above 0 answers are drawn."),
            decimals=2,
        ),
        _made(
            "llama_seed",
            say("Llama: seed"),
            say("The same seed draws the same answers."),
        ),
    )


def _statistics() -> tuple[Field, ...]:
    return (
        _made(
            "min_group_n",
            say("Fewest findings for a curve"),
            say("Below this, a radiologist\u2019s counts on a pathology are shown without a curve."),
            unit=say("findings"),
        ),
        _made(
            "min_phrase_n",
            say("Fewest uses of a phrase for advice"),
            say("Below this, there is no advice on the phrase."),
            unit=say("uses"),
        ),
        _made(
            "confidence",
            say("Coverage of intervals"),
            say("How often an interval holds the true value."),
            unit="%",
            factor=100.0,
            decimals=2,
        ),
        _made(
            "bootstrap",
            say("Resamples"),
            say("Behind intervals and the luck band. More are steadier and slower; 0 draws none."),
            unit=say("resamples"),
        ),
        _made(
            "n_bins",
            say("Bins of the diagram"),
            say("Into how many parts the scale from 0 to 100 % is cut."),
            unit=say("bins"),
        ),
        _made(
            "method",
            say("How phrases fill the bins"),
            say("The midpoint method is that of the published figures, for comparison with them."),
            words={
                "exact": say("exactly"),
                "midpoint": say("by the middle of each bin"),
            },
        ),
        _made(
            "seed",
            say("Seed"),
            say("The same seed gives the same resamples, and so the same figures."),
        ),
    )


def _advice() -> tuple[Field, ...]:
    return (
        _made(
            "allowed_phrases",
            say("Words that advice may propose"),
            say("None chosen means all."),
        ),
        _made(
            "solver",
            say("How advice is derived"),
            say("The published method prices one change at a time; RadCal\u2019s all together."),
            words={
                "joint": say("RadCal\u2019s method"),
                "paper": say("the published method"),
            },
        ),
        _made(
            "max_steps",
            say("RadCal\u2019s method: most steps"),
            say("How far up or down the scale of words advice may go."),
            unit=say("steps"),
        ),
        _made(
            "information_price",
            say("RadCal\u2019s method: price of information"),
            say("What a lost bit of information about the outcome costs; more keeps more words."),
            decimals=3,
        ),
        _made(
            "tau2",
            say("Published method: price of change"),
            say("What departing from the present use of words costs; more keeps more as it is."),
            decimals=3,
        ),
        _made(
            "advice_fits",
            say("Fits behind the stability of advice"),
            say("More are steadier and slower."),
            unit=say("fits"),
        ),
    )
