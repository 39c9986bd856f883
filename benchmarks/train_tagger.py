"""Trains the tagger of identifiers on marked texts, and writes resources/deidentify/tagger.crfsuite.xz.

    PYTHONPATH=. python benchmarks/train_tagger.py [--texts benchmarks/identifiers] [--without a1 a2] [--out FILE]

Each text is read as it is and as its columns' names mark it.  Beside them stand copies whose identifiers were taken out
before, reports with identifiers that Faker makes up in the contexts "tuned" of planted.tsv, terms with names in them
("terms"), and sentences of the tests of the extraction, which have none.  The same texts give the same model.

--without leaves files out, so that the model can be measured on them: bench_deidentify.py --model FILE.
"""

from __future__ import annotations

import argparse
import lzma
import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pycrfsuite

from benchmarks.planted import Maker, contexts, sentences
from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.deidentify.features import features, pieces
from radcal.reports.deidentify.spans import FILLED, NAMED
from radcal.reports.deidentify.tagging import LABELS, OTHER
from radcal.reports.deidentify.words import word_rows
from radcal.reports.identifiers import PLACEHOLDERS, Known
from radcal.system.resources import resource
from tools.marked_texts import Mark, Marked, read

HERE = Path(__file__).resolve().parent
PARAMETERS = {
    "c1": 0.05,
    "c2": 0.4,
    "max_iterations": 100,
    "feature.possible_transitions": True,
    "feature.minfreq": 2,
}
_OF = {
    "name in lists": "patient_name",
    "name not in lists": "patient_name",
    "initials": "initials",
    "date": "date",
    "phone": "phone",
    "e-mail": "email",
    "url": "url",
    "number": "id_number",
    "address": "address",
    "place": "clinic",
    "age": "age",
}
_TAKEN_OUT = ("___", "[**Name**]", "XXXX", "XXXX", "[REDACTED]", "***")
_STANDS_FOR = {
    **dict.fromkeys(("patient_name", "staff_name", "relative_name", "initials"), PLACEHOLDERS["name"]),
    **dict.fromkeys(("clinic", "place"), PLACEHOLDERS["place"]),
    "id_number": PLACEHOLDERS["number"],
    "phone": PLACEHOLDERS["phone"],
    "email": PLACEHOLDERS["e-mail"],
    "url": PLACEHOLDERS["url"],
    "address": PLACEHOLDERS["address"],
}


def taken_out(text: Marked, chance: random.Random, share: float) -> Marked:
    """A text some of whose identifiers were taken out before."""
    made, marks, at = "", [], 0
    for mark in text.marks:
        made += text.text[at : mark.start]
        written = text.text[mark.start : mark.end]
        if mark.kind in _STANDS_FOR and chance.random() < share:
            made += chance.choice(_TAKEN_OUT) if chance.random() < 0.25 else _STANDS_FOR[mark.kind]
        else:
            marks.append(Mark(len(made), len(made) + len(written), mark.kind))
            made += written
        at = mark.end
    return text._replace(text=made + text.text[at:], marks=marks, known=Known())


def planted(reports: int) -> Iterator[Marked]:
    """Reports with identifiers that Faker makes up."""
    maker = Maker(5, contexts(("tuned",)))
    for n in range(reports):
        made = maker.report(f"planted-{n}")
        yield made._replace(german=False, marks=[mark._replace(kind=_OF[mark.kind]) for mark in made.marks])


def terms(rounds: int, chance: random.Random) -> Iterator[Marked]:
    """Signs, diseases, scores and devices that are named after people: known eponyms, and surnames in their place."""
    maker = Maker(6, [])
    known = [word for kind, words in word_rows() if kind in ("eponym", "product") for word in words]
    of_set = contexts(("terms",))
    for n in range(rounds):
        where, form = of_set[n % len(of_set)]
        drawn = [maker.person()[1] if chance.random() < 0.5 else chance.choice(known).title() for _ in range(3)]
        written = form
        for name in drawn:
            written = written.replace("{last}", name.upper() if form.isupper() else name, 1)
        around = chance.sample(maker.german if where.startswith("de") else maker.sentences, 2)
        yield Marked(f"terms-{n}", where.startswith("de"), f"{around[0]} {written} {around[1]}", [], Known())


def without_any(groups: int, chance: random.Random) -> Iterator[Marked]:
    """Sentences of reports that identify nobody, a few of a language together, in several layouts."""
    for name, heads in (
        ("sentences.tsv", ("FINDINGS:", "IMPRESSION:")),
        ("sentences_de.tsv", ("Befund:", "Beurteilung:")),
    ):
        drawn = sentences(name)
        chance.shuffle(drawn)
        for n in range(min(groups, len(drawn) // 4)):
            a, b, c, d = drawn[4 * n : 4 * n + 4]
            layouts = (
                f"{a} {b} {c} {d}",
                f"{a}\n{b}\n{c}\n{d}",
                f"{heads[0]} {a} {b}\n{heads[1]}\n1. {c}\n2. {d}",
                f"{heads[0]}\n{a} {b}\n\n{heads[1]} {c} {d}",
                f"{a} {b} {c} {d}".upper(),
                f"{a} {b} {c} {d}".lower(),
            )
            yield Marked(f"{name}-{n}", False, layouts[n % len(layouts)], [], Known())


def examples(texts: Iterable[Marked], chance: random.Random) -> Iterator[Marked]:
    """All texts to train on."""
    for text in texts:
        for _ in range(3 if text.name.startswith("short") else 1):
            yield text._replace(known=Known())
        if text.known.patient or text.known.staff:
            yield text
            if text.name.startswith("words"):
                yield text
        if chance.random() < 0.5:
            yield taken_out(text, chance, chance.choice((0.4, 1.0)))
    yield from planted(1500)
    yield from terms(800, chance)
    yield from without_any(700, chance)


def labelled(text: Marked, deidentify: Deidentifier) -> tuple[list[list[str]], list[str]]:
    """The features of a text and the label of each of its pieces."""
    claims, german, who, _ = deidentify.by_form(text.text, text.known, text.name)
    of = pieces(claims.text)
    rows = features(claims.text, of, german, who)
    labels = [OTHER] * len(rows)
    for mark in text.marks:
        for n, (start, end) in enumerate(of.spans):
            if start < mark.end and mark.start < end and of.written[n][0] not in ("\n", FILLED, NAMED):
                labels[n] = LABELS[mark.kind]
    return rows, labels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, default=HERE / "identifiers")
    parser.add_argument("--without", nargs="*", default=())
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    files = [path for path in sorted(args.texts.glob("*.txt")) if path.stem not in args.without]
    chance = random.Random(5)  # noqa: S311 - the same texts give the same model
    deidentify = Deidentifier(b"a secret of the training")
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(PARAMETERS)
    count = 0
    for text in examples((text for path in files for text in read(path)), chance):
        rows, labels = labelled(text, deidentify)
        if rows:
            trainer.append(pycrfsuite.ItemSequence(rows), labels)
            count += 1
    out = args.out or resource("deidentify") / "tagger.crfsuite.xz"
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "model"
        trainer.train(str(plain))
        out.write_bytes(lzma.compress(plain.read_bytes(), preset=9))
    print(f"{count} texts of {len(files)} files: {out}, {out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
