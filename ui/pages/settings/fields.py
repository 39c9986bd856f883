"""All department settings as shown: group, label, unit and description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from radcal.settings import Settings
from ui.words import translate

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
    return (*named, Section(translate("settings", "Further"), rest)) if rest else named


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
        Section(translate("settings", "Pairs"), _pairs()),
        Section(translate("settings", "What counts"), _counts()),
        Section(translate("settings", "Reading the reports"), _reading()),
        Section(translate("settings", "Statistics"), _statistics()),
        Section(translate("settings", "Advice"), _advice()),
    )


def _pairs() -> tuple[Field, ...]:
    return (
        _made(
            "window_hours",
            translate("settings", "Longest time from X-ray to CT"),
            translate("settings", "A CT within this time of the X-ray makes a pair with it."),
            unit=translate("settings", "hours"),
            decimals=2,
        ),
        _made(
            "trainee_rule",
            translate("settings", "Dictated by one, signed by another"),
            translate("settings", "To whom such a report is attributed. Holds for files imported from now on."),
            words={
                "signer": translate("settings", "to who signed"),
                "dictator": translate("settings", "to who dictated"),
                "leave out": translate("settings", "left out"),
            },
        ),
    )


def _counts() -> tuple[Field, ...]:
    return (
        _made(
            "include_other_confirmations",
            translate("settings", "Further confirmations"),
            translate(
                "settings", "CT findings (right) that confirm an X-ray finding (left) only where a department says so."
            ),
        ),
        _made(
            "silence_absent",
            translate("settings", "Silent CT means absent on"),
            translate("settings", "By default a CT that says nothing on these is left out."),
        ),
        _made(
            "silence_left_out",
            translate("settings", "Silent CT is left out on"),
            translate("settings", "By default a CT that says nothing on these means absent: it would have said so."),
        ),
        _made(
            "contested",
            translate("settings", "Contested findings"),
            translate("settings", "Findings that somebody contested as wrongly read."),
            words={
                "counted": translate("settings", "are counted"),
                "left out": translate("settings", "are left out"),
            },
        ),
    )


def _reading() -> tuple[Field, ...]:
    machine = translate("settings", "as suits this machine")
    more = translate("settings", "More are faster where the machine has room for them.")
    return (
        _made(
            "engine",
            translate("settings", "Engine"),
            translate("settings", "What reads the reports. Reports read before by the same engine are not read again."),
            words={"rules": translate("settings", "rules"), "llama": translate("settings", "Llama")},
        ),
        _made(
            "model",
            translate("settings", "Model of the Llama engine"),
            translate("settings", "A GGUF file; empty for the small model that ships with RadCal."),
            kind="file",
        ),
        _made(
            "review_below",
            translate("settings", "Review findings below a probability of"),
            translate("settings", "Findings that the engine is less sure of are marked for review."),
            unit="%",
            factor=100.0,
            decimals=1,
        ),
        _made(
            "llama_context",
            translate("settings", "Llama: length of prompt, report and answer"),
            translate("settings", "What the three may take together. Longer reports need more, and more memory."),
            unit=translate("settings", "tokens"),
        ),
        _made(
            "llama_prompt",
            translate("settings", "Llama: kind of prompt"),
            translate("settings", "Most models that answer in a chat come with a template for it."),
            words={
                "auto": translate("settings", "the model\u2019s own if it has one"),
                "base": translate("settings", "plain"),
                "chat": translate("settings", "the model\u2019s chat template"),
            },
        ),
        _made(
            "llama_prompts",
            translate("settings", "Llama: folder of prompts"),
            translate("settings", "Prompt files of your own; empty for those of RadCal."),
            kind="folder",
        ),
        _made(
            "llama_gpu_layers",
            translate("settings", "Llama: layers on the GPU"),
            translate("settings", "0 reads on the processor alone."),
            unit=translate("settings", "layers"),
            lowest=translate("settings", "all that fit"),
        ),
        _made(
            "llama_parallel",
            translate("settings", "Llama: reports at the same time"),
            more,
            unit=translate("settings", "reports"),
            lowest=machine,
        ),
        _made(
            "llama_threads",
            translate("settings", "Llama: processor threads"),
            more,
            unit=translate("settings", "threads"),
            lowest=machine,
        ),
        _made(
            "llama_report_seconds",
            translate("settings", "Llama: longest time for one report"),
            translate("settings", "A report that takes longer is set aside and listed."),
            unit=translate("settings", "s"),
            decimals=1,
        ),
        _made(
            "llama_temperature",
            translate("settings", "Llama: temperature"),
            translate("settings", "0 takes the most probable answer; above 0 answers are drawn."),
            decimals=2,
        ),
        _made(
            "llama_seed",
            translate("settings", "Llama: seed"),
            translate("settings", "The same seed draws the same answers."),
        ),
    )


def _statistics() -> tuple[Field, ...]:
    return (
        _made(
            "min_group_n",
            translate("settings", "Fewest findings for a curve"),
            translate("settings", "Below this, a radiologist\u2019s counts on a pathology are shown without a curve."),
            unit=translate("settings", "findings"),
        ),
        _made(
            "min_phrase_n",
            translate("settings", "Fewest uses of a phrase for advice"),
            translate("settings", "Below this, there is no advice on the phrase."),
            unit=translate("settings", "uses"),
        ),
        _made(
            "confidence",
            translate("settings", "Coverage of intervals"),
            translate("settings", "How often an interval holds the true value."),
            unit="%",
            factor=100.0,
            decimals=2,
        ),
        _made(
            "bootstrap",
            translate("settings", "Resamples"),
            translate("settings", "Behind intervals and the luck band. More are steadier and slower; 0 draws none."),
            unit=translate("settings", "resamples"),
        ),
        _made(
            "n_bins",
            translate("settings", "Bins of the diagram"),
            translate("settings", "Into how many parts the scale from 0 to 100 % is cut."),
            unit=translate("settings", "bins"),
        ),
        _made(
            "method",
            translate("settings", "How phrases fill the bins"),
            translate("settings", "The midpoint method is that of the published figures, for comparison with them."),
            words={
                "exact": translate("settings", "exactly"),
                "midpoint": translate("settings", "by the middle of each bin"),
            },
        ),
        _made(
            "seed",
            translate("settings", "Seed"),
            translate("settings", "The same seed gives the same resamples, and so the same figures."),
        ),
    )


def _advice() -> tuple[Field, ...]:
    return (
        _made(
            "allowed_phrases",
            translate("settings", "Words that advice may propose"),
            translate("settings", "None chosen means all."),
        ),
        _made(
            "solver",
            translate("settings", "How advice is derived"),
            translate("settings", "The published method prices one change at a time; RadCal\u2019s all together."),
            words={
                "joint": translate("settings", "RadCal\u2019s method"),
                "paper": translate("settings", "the published method"),
            },
        ),
        _made(
            "max_steps",
            translate("settings", "RadCal\u2019s method: most steps"),
            translate("settings", "How far up or down the scale of words advice may go."),
            unit=translate("settings", "steps"),
        ),
        _made(
            "information_price",
            translate("settings", "RadCal\u2019s method: price of information"),
            translate("settings", "What a lost bit of information about the outcome costs; more keeps more words."),
            decimals=3,
        ),
        _made(
            "tau2",
            translate("settings", "Published method: price of change"),
            translate("settings", "What departing from the present use of words costs; more keeps more as it is."),
            decimals=3,
        ),
        _made(
            "advice_fits",
            translate("settings", "Fits behind the stability of advice"),
            translate("settings", "More are steadier and slower."),
            unit=translate("settings", "fits"),
        ),
    )
