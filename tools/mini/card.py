"""The model card, with scores and checksum."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from radcal.findings.model.gguf_file import SUMS, sha256_of
from radcal.system.resources import resource
from tools.mini.generator import SENTENCES, TEXTS
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
    """A list of the source files of the training text, with their short checksums."""
    lexicon = resource("lexicon")
    sources = [HERE / name for name in TEXTS]
    sources += [folder / name for folder in (lexicon, lexicon / "de") for name in ("pathologies_terms.tsv", "cues.tsv")]
    sources += [SENTENCES / "sentences.tsv", SENTENCES / "sentences_de.tsv"]
    sources += [HERE / "written.tsv", HERE / "written_de.tsv"]
    return "\n".join(f"- `{p.relative_to(HERE.parents[1]).as_posix()}` {sha256_of(p)[:12]}" for p in sources)


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
        verdict=verdict(judged[0], rules[0]),
    )
    card = model.with_suffix(".md")
    card.write_text(text, encoding="utf-8")
    return card


def _sentences(recipe: Mapping[str, object]) -> int:
    """Approximate number of training sentences, in steps of ten thousand: one has some 28 tokens with its questions."""
    tokens = int(str(recipe["steps"])) * int(str(recipe["workers"])) * int(str(recipe["batch_tokens"]))
    return max(1, round(tokens / 28 / 10_000)) * 10_000


_CARD = """\
# {name}

A small Llama that reads a sentence of a chest X-ray or CT report, English or German, and says of each finding that its
words name how certain it is: present, absent, a phrase of doubt, or not stated. It ships with RadCal as the second
reader beside the rules. It can do nothing else: it does not chat, diagnose or complete text.

| | |
| --- | --- |
| File | `{file}`, {megabytes} MB ({size} bytes), GGUF, Q8_0 |
| SHA-256 | `{sha256}` |
| Architecture | llama; trained from scratch |
| Tokenizer | own byte-level BPE (GGUF model "gpt2", pre-tokenizer "gpt-2") |
| Protocol | `radcal.format` = radcal-pairs-1, see `radcal/findings/model/bundled.py` |
| Licence | Apache-2.0, as RadCal |

Check the file: `sha256sum --check SHA256SUMS` in this folder.

## Data

No report was used. All training text is made up by `tools/mini/generator.py`, about {sentences} sentences with their
questions, each made anew: from its own turns of phrase (`grammar.txt`, `turns.txt`, `german.txt`), in which the words
that deny, state, doubt or merely mention a finding are exchanged while the rest stays; from the words of the rules'
files in `resources/lexicon`; and from sentences in our own words (`tests/findings/sentences.tsv`, `sentences_de.tsv`,
`tools/mini/written.tsv`, `written_de.tsv`, which therefore cannot judge this model). Findings are also invented, words
misspelt, misheard, left out or blanked, and cut at random, so that the model reads the words around a finding and
knows no list of them.

## Recipe

    python -m tools.mini.train --out models/{file} --seed {seed} --steps {steps} --workers {workers} \\
        --precision {precision}

Muon for the matrices, AdamW for the rest; weights in single precision, the network computed in {precision}. The same
seed, steps, workers, text files, torch ({torch}) and kind of processor give the same weights. The text
files, with the first digits of their SHA-256 when it was trained:

{text}

```json
{recipe}
```

## Figures

F1 over (report, pathology, what is said of it), with 95 % intervals from drawing the reports anew, of the model reading
alone, which is not how it is used by default; the rules on the same reports in the last column.

| Reports | Comparison | F1 of the model | F1 of the rules |
| --- | --- | --- | --- |
{figures}

Speed: {speed:.0f} different sentences a second of processor time on one thread (x86-64 with AVX-512), loading included.

The reports are 60 X-ray and 30 CT reports, annotated by hand with 21 pathologies. **The generator was written while
looking at the language of such reports and at the model's errors on every second of the 90** ("looked at"); the errors
on the others were never read ("not looked at"). The rules were tuned on all 90, so their column flatters them.
They are in the styles that the generator knows best: in those that it does not know, such as terse, dictated or
translated ones, and in German, the model reads markedly worse; `docs/performance.md` has every set at hand. Annotate
some of your own reports and measure there.

## Limits

- English and German chest reports. One sentence at a time: what "this" or "it" refers to in the sentence before is
  lost.
- It is asked of the findings that the lists of terms find, in the words that stand there; what no list names, it is not
  asked of. Of words named twice in a sentence it is asked once.
- Its phrase of doubt is a guess where the words are new; the words of the sentence decide where a list knows them.
- {verdict}
"""


def verdict(judged: Judged, rules: Judged) -> str:
    """A sentence comparing the model with the rules engine."""
    worse = [w for g, w in GRAINS.items() if judged.figures[g][0] < rules.figures[g][0]]
    if not worse:
        return "On these reports it is as good as the rules or better; the rules are much faster."
    return (
        f"Alone, it is weaker on these reports than the rules\n  ({'; '.join(worse)}).\n"
        "  Its use is to say how probable their reading is."
    )
