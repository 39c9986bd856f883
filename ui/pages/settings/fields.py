"""All department settings as shown: group, label, unit and description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_origin

from radcal.system import policy
from radcal.system.settings import Settings, types_of
from radcal.system.text import Text
from ui.words import say

Kind = Literal["number", "choice", "list", "entries", "text", "file", "folder"]


@dataclass(frozen=True, slots=True)
class Field:
    """One setting.

    about:  what it does, and when it takes effect
    factor: displayed value / stored value: 100 for percentages
    words:  the allowed values of a choice, with their labels
    lowest: label of the lowest number, if it has a special meaning
    files:  the kinds of files, as file dialogs list them
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
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A group of settings."""

    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """What the settings themselves do not state: texts in English, and the display of the value.

    words: of a choice, value -> label;  kind: of a text or a list;  others: see :class:`Field`
    """

    label: str
    about: str
    unit: str = ""
    lowest: str = ""
    decimals: int = 0
    percent: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    kind: Kind = "list"
    files: tuple[str, ...] = ()


_MODELS, _CERTIFICATES = Text("Models (*.gguf)"), Text("Certificates (*.pem *.crt *.cer)")
_ROOM = Text("More are faster where the server has room for them.")
_MORE = Text("More are faster where the machine has room for them.")
_SECTIONS = {
    Text("Importing"): {
        "deidentify": Declared(
            "De-identification",
            "Names, numbers, addresses and the like are taken out of reports before they are stored, and dates in the "
            "text are shifted by a number of days of each patient. Applies to files imported from now on.",
            words={"on": Text("on"), "off": Text("off: reports are stored as they are read")},
        ),
    },
    Text("Pairs"): {
        "window_hours": Declared(
            "Longest time from X-ray to CT",
            "A CT within this time of the X-ray makes a pair with it.",
            "hours",
            decimals=2,
        ),
        "trainee_rule": Declared(
            "Dictated by one, signed by another",
            "To whom such a report is attributed. Applies to files imported from now on.",
            words={
                "signer": Text("to who signed"),
                "dictator": Text("to who dictated"),
                "leave out": Text("left out"),
            },
        ),
    },
    Text("What counts"): {
        "signed_after_ct": Declared(
            "Signed after the CT",
            "X-ray reports of which there is no version from before the CT. Where a report is exported once, with the "
            "time of its signature, this is often so although it was dictated before. Corrections and addenda from "
            "after the CT never count.",
            words={"counted": Text("are counted"), "left out": Text("are left out")},
        ),
        "include_other_confirmations": Declared(
            "Further confirmations",
            "CT findings (right) that confirm an X-ray finding (left), and refute its denial, only where a department "
            "says so.",
        ),
        "silence_absent": Declared(
            "Silent CT means absent on", "By default a CT that says nothing on these is left out."
        ),
        "silence_left_out": Declared(
            "Silent CT is left out on",
            "By default a CT that says nothing on these means absent: it would have said so.",
        ),
        "reference": Declared(
            "A CT that hedges",
            "What its finding counts for: the mean of the word, or the published P(c \u2265 1/2).",
            words={"expected": Text("the mean of its word"), "paper": Text("as in the published figures")},
        ),
        "ct_accuracy": Declared(
            "Accuracy of CT",
            "Perfect but for what stands here; rates are corrected for it. Pathology, sensitivity and specificity, "
            "such as \u201cpneumonia 0.95 0.98; all pathologies 0.97 0.99\u201d.",
            kind="entries",
        ),
        "reading_errors": Declared(
            "Errors of reading",
            "Where a gold set of the department tells how often reports are read wrongly, intervals are shown with"
            " these errors, too, and words differ or have advice only where that holds with them.",
            words={"carried on": Text("are carried on"), "stated": Text("are stated alone")},
        ),
        "verification": Declared(
            "Statements without a CT",
            "Where they were read: a word has a verdict or advice only where that holds for all that was written.",
            words={
                "weighted": Text("have odds up to twice as high or low as those with one"),
                "bounds": Text("may all be there, or none"),
            },
        ),
        "least_accuracy": Declared(
            "Feedback from an F1 of",
            "On the department\u2019s own gold set. Below it, pages and files of single radiologists are withheld.",
            decimals=2,
        ),
        "contested": Declared(
            "Contested findings",
            "Findings that somebody contested as wrongly read.",
            words={"counted": Text("are counted"), "left out": Text("are left out")},
        ),
    },
    Text("Reading the reports"): {
        "engine": Declared(
            "Engine",
            "What reads the reports. Reports read before by the same engine are not read again.",
            words={
                "rules": Text("rules, checked by a second reader"),
                "llama": Text("a language model alone"),
                "served": Text("a server of the hospital alone"),
            },
        ),
        "workers": Declared(
            "Processes side by side",
            "How many read by the rules and take out names and dates at the same time. More are faster, as far as "
            "there are processors; results are the same.",
            "processes",
            "as suits this machine",
        ),
        "second": Declared(
            "Second reader of the rules",
            "bundled for RadCal\u2019s own small model, a GGUF file by its path, served for the hospital\u2019s, "
            "or none. What it finds improbable is left unread, for review.",
            kind="text",
        ),
        "untested": Declared(
            "A language model that failed its trial",
            "Before a model reads, it is tried with sentences of RadCal\u2019s own.",
            words={"refused": Text("does not read"), "allowed": Text("reads all the same")},
        ),
        "unread_below": Declared(
            "Findings are left unread below a chance of",
            "The chance that the rules read a finding right, by the second reader.",
            lowest="as was fitted",
            decimals=2,
        ),
        "model": Declared(
            "Language model alone: its file",
            "A GGUF file of a base or chat model, such as Llama 3, Qwen, Gemma, Phi, Mistral or gpt-oss; empty for the "
            "small model that ships with RadCal.",
            kind="file",
            files=(_MODELS,),
        ),
        "lexicon_dir": Declared(
            "The department\u2019s own vocabulary",
            "A folder of your own terms, cues and confirmations, laid over RadCal\u2019s; empty for those alone.",
            kind="folder",
        ),
        "llama_context": Declared(
            "Language model: length of prompt and sentence",
            "What the two may take together. More needs more memory.",
            "tokens",
        ),
        "llama_prompts": Declared(
            "Language model: folder of prompts", "Prompt files of your own; empty for those of RadCal.", kind="folder"
        ),
        "llama_gpu_layers": Declared(
            "Language model: layers on the GPU", "0 reads on the processor alone.", "layers", "all that fit"
        ),
        "llama_threads": Declared("Language model: processor threads", _MORE, "threads", "as suits this machine"),
        "llama_report_seconds": Declared(
            "Language model: longest time for one report",
            "A report that takes longer is set aside and listed.",
            "s",
            decimals=1,
        ),
        "served_url": Declared(
            "Server: address",
            "Of the server that reads, from your hospital\u2019s IT: https://, or http:// for a server on this "
            "computer. Reports are sent there and nowhere else.",
            kind="text",
        ),
        "served_model": Declared("Server: model", "Its name, as the server calls it.", kind="text"),
        "served_ca": Declared(
            "Server: certificate authority",
            "A PEM file, if the hospital certifies its servers itself; empty for those that this computer trusts.",
            kind="file",
            files=(_CERTIFICATES,),
        ),
        "served_parallel": Declared("Server: requests at once", _ROOM, "requests"),
        "served_seconds": Declared(
            "Server: longest time for one report",
            "With all tries. A report that takes longer is set aside and listed.",
            "s",
            decimals=1,
        ),
    },
    Text("Statistics"): {
        "min_group_n": Declared(
            "Fewest findings for a curve",
            "Below this, a radiologist\u2019s counts on a pathology are shown without a curve.",
            "findings",
        ),
        "min_phrase_n": Declared(
            "Fewest uses of a phrase for advice", "Below this, there is no advice on the phrase.", "uses"
        ),
        "confidence": Declared(
            "Coverage of intervals", "How often an interval holds the true value.", percent=True, decimals=2
        ),
        "bootstrap": Declared(
            "Resamples",
            "Behind intervals and the luck band. More are steadier and slower; 0 draws none.",
            "resamples",
        ),
        "n_bins": Declared("Bins of the diagram", "Into how many parts the scale from 0 to 100 % is cut.", "bins"),
        "method": Declared(
            "How phrases fill the bins",
            "The midpoint method is that of the published figures, for comparison with them.",
            words={"exact": Text("exactly"), "midpoint": Text("by the middle of each bin")},
        ),
        "seed": Declared("Seed", "The same seed gives the same resamples, and so the same figures."),
    },
    Text("Advice"): {
        "allowed_phrases": Declared(
            "Words that advice may propose",
            "None chosen means all but those that are read only, such as \u201cmaybe\u201d.",
        ),
        "descriptor_advice": Declared(
            "Advice on descriptors",
            "Opacity and the like say what a film shows, and CT names its cause.",
            words={"withheld": Text("none"), "given": Text("as on diagnoses and findings")},
        ),
        "vocabulary": Declared(
            "Vocabulary",
            "With a scale, advice proposes its words only, and the use of words outside it is counted.",
            kind="choice",
            words={"": Text("all words of the list")},
        ),
        "solver": Declared(
            "How advice is derived",
            "RadCal\u2019s method keeps the order of the words; the published method is for comparison with it.",
            words={"ordered": Text("RadCal\u2019s method"), "paper": Text("the published method")},
        ),
        "max_steps": Declared(
            "RadCal\u2019s method: most steps", "How far up or down the scale of words advice may go.", "steps"
        ),
        "sure": Declared(
            "RadCal\u2019s method: how sure to be",
            "A word is advised if it is nearer to the true rate with at least this probability.",
            decimals=3,
        ),
        "tau2": Declared(
            "Published method: price of change",
            "What departing from the present use of words costs; more keeps more as it is.",
            decimals=3,
        ),
    },
}


def sections() -> tuple[Section, ...]:
    """All settings, in the window's language."""
    return tuple(
        Section(say(title), tuple(_field(name, d) for name, d in declared.items()))
        for title, declared in _SECTIONS.items()
    )


def _field(name: str, d: Declared) -> Field:
    setting = next(f for f in fields(Settings) if f.name == name)
    kind, bounds, rules = d.kind, setting.metadata, policy.in_use()
    allowed = rules.workstation("engines") if name == "engine" else ()
    if "low" in bounds:
        kind = "number"
    elif get_origin(types_of(Settings)[name]) is Literal:
        kind = "choice"
    return Field(
        name,
        say(d.label),
        say(d.about),
        kind,
        rules.start(name, setting.default),
        bounds.get("low", 0.0),
        bounds.get("high", 0.0),
        unit="%" if d.percent else d.unit and say(d.unit),
        factor=100.0 if d.percent else 1.0,
        decimals=d.decimals,
        lowest=d.lowest and say(d.lowest),
        words={value: say(word) for value, word in d.words.items() if not allowed or value in allowed},
        files=tuple(map(say, d.files)),
    )
