"""Typed settings with bounds, stored with every result.

Messages quote neither unknown names nor values other than numbers: the file taken for settings may contain reports.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, Self, get_args, get_type_hints

from radcal.system.errors import InputError
from radcal.system.text import Text

ALL_TOPICS = "all pathologies"
"""In place of a topic: all statements of an author together."""

SETTINGS_VERSION = 4
SECOND = ("bundled", "none", "served")
"""What reads beside the rules, where it is no model file that a department chose."""

_NOT_IN_HASH = frozenset({"deidentify", "workers", "untested", "unit"})
"""Settings that change no result of what is stored, or only set the pace."""
_GONE = frozenset(
    [
        "pooling",
        "cascade_asks",
        "cascade_second",
        "review_below",
        "llama_parallel",
        "llama_prompt",
        "llama_temperature",
        "llama_seed",
    ]
)
"""Settings of version 2 that have no successor of their own."""
_OF_SERVERS = "served_"
"""What the names of settings begin with that a run of the served engine has in its own hash, or needs no hash."""


def _bounded(default: float, low: float, high: float, meaning: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "meaning": meaning})


def _meant(default: Any, meaning: str, *, path: bool = False) -> Any:
    return field(default=default, metadata={"meaning": meaning, "path": path})


def _require_known(version: Any) -> None:
    if type(version) is not int or version < 1:
        raise InputError("Setting version: the value is not a version of the settings.")
    if version > SETTINGS_VERSION:
        raise InputError("The settings were written by a newer RadCal. Install the newer version to use them.")


def _carried_over(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of versions 2 and 3 in the names of version 4: what a cascade asked is what reads beside the rules."""
    kept = {name: value for name, value in values.items() if name not in _GONE}
    if kept.get("engine") == "cascade":
        served = values.get("cascade_second") == "served"
        kept |= {"engine": "rules", "second": "served" if served else values.get("model") or "bundled", "model": ""}
    return kept


def _accuracy(entry: str) -> tuple[str, tuple[float, float]]:
    """The pathology of an entry of ``ct_accuracy``, its sensitivity and its specificity.

    Raises:
        InputError: it is none, or no better than a guess.
    """
    topic, _, numbers = entry.strip().rpartition(" ")
    topic, _, first = topic.strip().rpartition(" ")
    try:
        sensitivity, specificity = float(first), float(numbers)
    except ValueError:
        sensitivity = specificity = 0.0
    if not (topic and max(sensitivity, specificity) <= 1 < sensitivity + specificity):
        raise InputError(
            "Setting ct_accuracy: write the pathology, its sensitivity and its specificity, such as 'pneumonia 0.95 "
            "0.98', both at most 1 and together more than 1."
        )
    return topic.strip(), (sensitivity, specificity)


@cache
def types_of(kind: type) -> Mapping[str, Any]:
    """The type that each field of a class is declared with, by its name."""
    return get_type_hints(kind)


def check_values(record: Any) -> None:
    """Check each field of a frozen dataclass that is declared as those of :class:`Settings`, and make it canonical.

    Raises:
        InputError: a value is out of bounds, of another type, or not among the allowed words.
    """
    hints = types_of(record.__class__)
    for f in fields(record):
        value = getattr(record, f.name)
        if "low" in f.metadata:
            low, high = f.metadata["low"], f.metadata["high"]
            whole = hints[f.name] is int
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
                kind = Text("a whole number") if whole else Text("a number")
                raise InputError(
                    "Setting {name}: the value is not {kind} from {low} to {high}.",
                    name=f.name,
                    kind=kind,
                    low=low,
                    high=high,
                )
            if not low <= value <= high:
                raise InputError(
                    "Setting {name}: {value} is outside {low} to {high}.",
                    name=f.name,
                    value=value,
                    low=low,
                    high=high,
                )
            if not whole:  # 12 and 12.0 are equal and need equal hashes
                object.__setattr__(record, f.name, float(value))
        elif hints[f.name] is str and not isinstance(value, str):
            raise InputError("Setting {name}: the value is not a text.", name=f.name)
        elif (allowed := get_args(hints[f.name])) and all(isinstance(a, str) for a in allowed) and value not in allowed:
            raise InputError(
                "Setting {name}: the value is not one of {allowed}.", name=f.name, allowed=", ".join(allowed)
            )
        elif isinstance(f.default, tuple):
            if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
                raise InputError("Setting {name}: the value is not a list of words.", name=f.name)
            object.__setattr__(record, f.name, tuple(value))


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a department, with defaults.

    The metadata of each field hold its ``meaning``, for numbers the bounds ``low`` and ``high``, and whether it is a
    ``path``.

    Raises:
        InputError: a value is out of bounds or not among the allowed words.
    """

    window_hours: float = _bounded(12.0, 0.0, 24.0 * 3653, "longest time from the chest X-ray to the chest CT, hours")
    trainee_rule: Literal["signer", "dictator", "leave out"] = _meant(
        "signer", "to whom a report dictated by one person and signed by another is attributed"
    )
    deidentify: Literal["on", "off"] = _meant(
        "on", "whether names, dates, numbers and addresses are taken out of reports before they are stored"
    )
    signed_after_ct: Literal["counted", "left out"] = _meant(
        "counted", "whether X-ray reports count whose first or only version was signed after the CT"
    )
    engine: Literal["rules", "llama", "served"] = _meant(
        "rules",
        "what reads the reports: the rules, with a second reader beside them; a model on this computer alone; or a "
        "model on a server of the hospital alone, to which the reports are sent",
    )
    second: str = _meant(
        "bundled",
        "rules: what reads beside them and says how likely they are right: bundled, the model that ships with RadCal; "
        "the file of another model; served, the server's, to which the reports are sent; or none",
        path=True,
    )
    untested: Literal["refused", "allowed"] = _meant(
        "refused", "whether a language model may read that has failed its trial with sentences of RadCal's own"
    )
    unread_below: float = _bounded(
        -1.0,
        -1.0,
        1.0,
        "rules: least chance that a finding was read right; others are left unread; -1 for the one that was fitted",
    )
    workers: int = _bounded(
        0, 0, 128, "processes that read by rules and de-identify side by side; 0 to go by the machine, 1 for none"
    )
    model: str = _meant("", "llama: its model file; empty for the small model that ships with RadCal", path=True)
    llama_context: int = _bounded(
        4096, 256, 1 << 20, "Llama: tokens that the prompt, a report and its answer may take together"
    )
    llama_prompts: str = _meant(
        "", "Llama: folder with prompt files of one's own; empty for those of RadCal", path=True
    )
    llama_gpu_layers: int = _bounded(-1, -1, 10_000, "Llama: layers of the model on the GPU; -1 for all that fit")
    llama_threads: int = _bounded(0, 0, 1024, "Llama: processor threads; 0 to go by the machine")
    llama_report_seconds: float = _bounded(
        600.0, 1.0, 86_400.0, "Llama: longest time for one report, seconds; a report that takes longer is set aside"
    )
    served_url: str = _meant(
        "", "served: address of the server that the reports are sent to, such as https://llm.example:8443/v1"
    )
    served_model: str = _meant("", "served: name of the model, as the server knows it")
    served_ca: str = _meant(
        "",
        "served: PEM file with the hospital's own certificate authority; empty for those that the system trusts",
        path=True,
    )
    served_parallel: int = _bounded(8, 1, 256, "served: reports read at the same time")
    served_seconds: float = _bounded(
        30.0, 1.0, 3600.0, "served: longest time for one report, all tries together, seconds; then it is set aside"
    )
    lexicon_dir: str = _meant(
        "", "folder with a department's own terms, cues and confirmations; empty for RadCal's alone", path=True
    )
    n_bins: int = _bounded(100, 2, 1000, "bins of the reliability diagram")
    method: Literal["exact", "midpoint"] = _meant("exact", "how phrases are put into bins")
    bootstrap: int = _bounded(1000, 0, 100_000, "bootstrap and luck-band resamples")
    seed: int = _bounded(0, 0, 2**32 - 1, "seed of every random draw")
    min_phrase_n: int = _bounded(10, 1, 10_000, "fewest uses of a phrase for advice on it")
    min_group_n: int = _bounded(30, 1, 100_000, "fewest statements for a reliability curve")
    confidence: float = _bounded(0.95, 0.5, 0.999, "coverage of every interval")
    solver: Literal["ordered", "paper"] = _meant("ordered", "how advice is derived")
    sure: float = _bounded(
        0.95, 0.5, 0.999, "ordered plan: least probability that a word advised is nearer to the truth"
    )
    max_steps: int = _bounded(12, 1, 20, "ordered plan: most steps up or down the scale of words")
    tau2: float = _bounded(1e-3, 1e-3, 10.0, "paper's solver: price of departing from the present use of words")
    allowed_phrases: tuple[str, ...] = _meant(
        (), "words that advice may propose; empty for those that the list of words has for advice"
    )
    descriptor_advice: Literal["withheld", "given"] = _meant(
        "withheld", "whether there is advice on what merely describes a film, such as an opacity"
    )
    vocabulary: str = _meant("", "scale whose words alone advice may propose, such as brigham; empty for all words")
    include_other_confirmations: tuple[str, ...] = _meant((), "optional confirmations switched on, 'xray>ct'")
    silence_left_out: tuple[str, ...] = _meant((), "pathologies on which a silent CT is left out, against the default")
    silence_absent: tuple[str, ...] = _meant((), "pathologies on which a silent CT means absent, against the default")
    reference: Literal["expected", "paper"] = _meant(
        "expected", "what a hedging CT counts for: the mean of its word, or the paper's P(c >= 1/2)"
    )
    unit: Literal["told", "percent", "fraction"] = _meant(
        "told", "numbers without a sign in files of observations: 0-100, 0-1, or as each author's numbers tell"
    )
    ct_accuracy: tuple[str, ...] = _meant(
        (), "where the CT is not taken as perfect: 'pathology sensitivity specificity', or 'all pathologies ...'"
    )
    contested: Literal["counted", "left out"] = _meant(
        "counted", "whether findings that somebody contested as wrongly read stay in the statistics"
    )
    reading_errors: Literal["carried on", "stated"] = _meant(
        "carried on", "whether errors of reading on the department's gold set are carried on into rates and verdicts"
    )
    verification: Literal["weighted", "bounds"] = _meant(
        "weighted",
        "what verdicts and advice assume of statements without a CT, where they are known: odds up to twice as high or "
        "low as with one (weighted), or anything (bounds)",
    )
    least_accuracy: float = _bounded(
        0.85,
        0.0,
        1.0,
        "least F1 on the department's gold set (present, absent, hedged) for feedback to one radiologist",
    )
    study: str = _meant(
        "", "the whole text of the study file that the workspace was made for; empty for chest X-ray and chest CT"
    )
    version: int = SETTINGS_VERSION

    def __post_init__(self) -> None:
        check_values(self)
        for entry in self.ct_accuracy:
            _accuracy(entry)
        if not self.second:
            raise InputError("Setting second: write bundled, none, served, or the path of a model file.")
        _require_known(self.version)

    def ct_accuracy_on(self, topic: str) -> tuple[float, float]:
        """Sensitivity and specificity of the CT reports on a topic: its own, those for all pathologies, or 1 and 1."""
        stated = dict(map(_accuracy, self.ct_accuracy))
        return stated.get(topic) or stated.get(ALL_TOPICS) or (1.0, 1.0)

    @property
    def reads_at_server(self) -> bool:
        """Whether reports are sent to the server in ``served_url``, to be read alone or beside the rules."""
        return "served" in (self.engine, self.second if self.engine == "rules" else "")

    @property
    def uses_model_file(self) -> bool:
        """Whether the engine reads with ``model``, or the one that ships with RadCal."""
        return self.engine == "llama"

    @property
    def second_file(self) -> str:
        """The model file that was chosen to read beside the rules; '' for another second reader, or none."""
        return self.second if self.engine == "rules" and self.second not in SECOND else ""

    @property
    def model_file(self) -> str:
        """The model file that was chosen, to read alone or beside the rules; '' where none was."""
        return self.model if self.uses_model_file else self.second_file

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Settings from a mapping such as a JSON object; missing names keep their defaults.

        Those of an earlier version are carried over.

        Raises:
            InputError: an unknown name, an invalid value, or settings of a newer RadCal.
        """
        if not isinstance(values, Mapping):
            raise InputError("The settings are not a list of names with their values.")
        version = values.get("version", SETTINGS_VERSION)
        _require_known(version)  # before its new names are reported as unknown
        values = {name: value for name, value in values.items() if name != "version"}
        if version < SETTINGS_VERSION:
            values = _carried_over(values)
        known = [f.name for f in fields(cls)]
        for place, name in enumerate(values, start=1):
            if name not in known:
                raise InputError(
                    "Name {place} of the settings is unknown. Known: {known}.", place=place, known=", ".join(known)
                )
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON-compatible values."""
        return {f.name: list(v) if isinstance(v := getattr(self, f.name), tuple) else v for f in fields(self)}

    def changed(self, **values: Any) -> Self:
        """A copy with some values replaced, which are checked."""
        return replace(self, **values)

    def hash(self) -> str:
        """Short SHA-256 of all values that results are made with; equal settings have equal hashes.

        What reads the reports, and how, is besides in the hash of its run.
        """
        values = {
            name: value
            for name, value in self.to_dict().items()
            if name not in _NOT_IN_HASH and not name.startswith(_OF_SERVERS) and (value or name != "study")
        }
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
