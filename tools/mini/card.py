"""The model card, with scores and checksum."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from radcal.findings.model.gguf_file import SUMS, sha256_of
from tools.mini.grammar import TAUGHT
from tools.mini.words import HERE


@dataclass(frozen=True, slots=True)
class Judged:
    """Scores on a set of reports: name to (value, low, high), with 95 % intervals over reports."""

    title: str
    reports: int
    figures: Mapping[str, tuple[float, float, float]]


GRAINS: Mapping[str, str] = {
    "mention": "pathology mentioned",
    "assertion": "present, absent or hedged",
    "graded phrase": "with the phrase",
    "hedged mention": "hedged ones alone",
    "hedged graded": "hedged ones alone, with the phrase",
}


def text_version() -> str:
    """A sentence with the source files of the training text and their short checksums."""
    names = ("grammar.txt", "frames.txt", "pathologies_terms.tsv", "cues.tsv")
    named = ", ".join(f"{name} {sha256_of(HERE / name)[:12]}" for name in names)
    return f"Text files in tools/mini\n(SHA-256 begins with): {named}."


def write_checksums(folder: Path) -> Path:
    """Write SHA256SUMS of the model files in a folder, for ``sha256sum --check``."""
    path = folder / SUMS
    lines = [f"{sha256_of(p)}  {p.name}\n" for p in sorted(folder.glob("*.gguf"))]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_card(
    model: Path, recipe: Mapping[str, object], judged: list[Judged], rules: list[Judged], speed: float
) -> Path:
    """Write the card beside the model file.

    Args:
        recipe: as stored in the file under ``radcal.recipe``.
        judged: scores of the model.
        rules: scores of the rules engine on the same reports, in the same order.
        speed: sentences per second of processor time.
    """
    size = model.stat().st_size
    rows = []
    for ours, theirs in zip(judged, rules, strict=True):
        for grain, words in GRAINS.items():
            value, low, high = ours.figures[grain]
            rows.append(
                f"| {ours.title} ({ours.reports}) | {words} | {value:.2f} ({low:.2f}-{high:.2f}) "
                f"| {theirs.figures[grain][0]:.2f} |"
            )
    text = _CARD.format(
        name=model.stem,
        file=model.name,
        megabytes=f"{size / 1e6:.1f}",
        size=f"{size:,}",
        sha256=sha256_of(model),
        figures="\n".join(rows),
        speed=speed,
        text=text_version(),
        sentences=f"{_sentences(recipe):,}",
        recipe=json.dumps(dict(recipe), indent=2, sort_keys=True),
        seed=recipe["seed"],
        steps=recipe["steps"],
        workers=recipe["workers"],
        precision=recipe["precision"],
        torch=recipe.get("torch", "unknown"),
        pathologies=len(TAUGHT),
        verdict=verdict(judged[0], rules[0]),
    )
    card = model.with_suffix(".md")
    card.write_text(text, encoding="utf-8")
    return card


def _sentences(recipe: Mapping[str, object]) -> int:
    """Approximate number of training sentences, in steps of ten thousand: a padded sentence has some 33 tokens."""
    tokens = int(str(recipe["steps"])) * int(str(recipe["workers"])) * int(str(recipe["batch_tokens"]))
    return max(1, round(tokens / 33 / 10_000)) * 10_000


_CARD = """\
# {name}

A small Llama that reads one sentence of a chest X-ray or CT report and copies out which findings it states and with
which words of certainty. It ships with RadCal so that the Llama engine works on a fresh machine. It can do nothing
else: it does not chat, diagnose or complete text.

| | |
| --- | --- |
| File | `{file}`, {megabytes} MB ({size} bytes), GGUF, Q8_0 |
| SHA-256 | `{sha256}` |
| Architecture | llama; trained from scratch |
| Tokenizer | own byte-level BPE (GGUF model "gpt2", pre-tokenizer "gpt-2") |
| Protocol | `radcal.format` = radcal-rows-1, see `radcal/findings/by_model/protocol.py` |
| Licence | Apache-2.0, as RadCal |

Check the file: `sha256sum --check SHA256SUMS` in this folder.

## Data

No report was used. All training text is made up by `tools/mini/generator.py` from `grammar.txt`, from sentences in our
own words (`frames.txt`, made of `tests/findings/sentences.tsv`, which therefore cannot judge this model) and from
copies of the rules engine's term and cue files, all beside it: about {sentences} sentences, each made anew, with
exchanged terms, invented words, misspelt terms, de-identification blanks and words cut at random, so that the model
learns to copy what stands there.

## Recipe

    python -m tools.mini.train --out models/{file} --seed {seed} --steps {steps} --workers {workers} \\
        --precision {precision}

Muon for the matrices, AdamW for the rest; weights in single precision, the network computed in {precision}. The same
seed, steps, workers, text files, torch ({torch}) and kind of processor give the same weights. {text}

```json
{recipe}
```

## Figures

F1 over (report, pathology, what is said of it), with 95 % intervals from drawing the reports anew; the rules engine on
the same reports in the last column.

| Reports | Comparison | F1 of the model | F1 of the rules |
| --- | --- | --- | --- |
{figures}

Speed: {speed:.0f} different sentences a second of processor time on one thread (x86-64 with AVX-512), loading included.

The reports are 60 X-ray and 30 CT reports, annotated by hand with 21 pathologies. **The generator was written while
looking at the language of such reports and at the model's errors on every second of the 90** ("looked at"); the errors
on the others were never read ("not looked at"). The rules engine was tuned on all 90, so its column flatters it.
Neither column says how the engines do in your department: annotate some of your own reports and measure there.

## Limits

- English chest reports. One sentence at a time: what "this" or "it" refers to in the sentence before is lost.
- {pathologies} pathologies; anything else is passed over. Phrases that the lexicon does not know are kept verbatim as
  "other".
- It copies and cannot invent words, but it can overlook a finding, take a cue for the wrong one, or name the wrong
  pathology for words it has not seen.
- A hedge spread over two places ("possible ... if not artefact") is read as one of them.
- {verdict}
"""


def verdict(judged: Judged, rules: Judged) -> str:
    """A sentence comparing the model with the rules engine."""
    worse = [w for g, w in GRAINS.items() if judged.figures[g][0] < rules.figures[g][0]]
    if not worse:
        return "On these reports it is as good as the rules engine or better; the rules engine is much faster."
    return (
        f"On these reports it is weaker than the rules engine\n  ({'; '.join(worse)}),\n"
        "  which stays the default. Its use is to run the whole Llama path and to be a second opinion."
    )
