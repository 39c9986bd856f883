"""Recall of planted identifiers, clinical words altered, findings before and after, and time of de-identification.

    PYTHONPATH=. python benchmarks/bench_deidentify.py [--reports 3000] [--seed 1] [--set tuned|apart|both]
                                                       [--misses 40] [--real GOLD_DIR]

Reports are made of sentences of the tests of the extraction and of the sample department, with identifiers that Faker
makes up in many countries, in the contexts of planted.tsv.  Those of the set "apart" were written before the detectors
were measured and never looked at while these were made.  An identifier is found if edits cover each of its letters and
figures.  Names whose parts are all in RadCal's lists, and those with a part that is not, are counted apart.

Altered words: those of sentences, not of contexts, that an edit touches.  With --real, texts without identifiers are
read, too: each edit is a false alarm, and is printed.

Returns 0 if the targets hold: recall >= 0.995 for both kinds of names and all together, altered words < 1 in 10,000.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from faker import Faker

from radcal.findings.rules.engine import rules_engine
from radcal.reports.deidentify.date_parts import ENGLISH_MONTHS, GERMAN_MONTHS
from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.deidentify.words import NAME, what
from radcal.reports.identifiers import Deidentified, Known
from radcal.reports.sections import document
from radcal.system.progress import SILENT

ROOT = Path(__file__).resolve().parent.parent
RECALL, ALTERED = 0.995, 1.0
LOCALES = [
    "en_US",
    "en_GB",
    "en_IE",
    "en_IN",
    "en_AU",
    "de_DE",
    "de_AT",
    "de_CH",
    "fr_FR",
    "es_ES",
    "es_MX",
    "it_IT",
    "nl_NL",
    "nl_BE",
    "pl_PL",
    "pt_BR",
    "pt_PT",
    "tr_TR",
    "sv_SE",
    "no_NO",
    "da_DK",
    "fi_FI",
    "hu_HU",
    "cs_CZ",
    "sk_SK",
    "ro_RO",
    "hr_HR",
    "sl_SI",
    "vi_VN",
    "lt_LT",
    "lv_LV",
    "et_EE",
    "id_ID",
    "az_AZ",
    "es_CO",
    "yo_NG",
    "fr_CA",
    "ga_IE",
    "tl_PH",
    "zu_ZA",
]
_TITLE = re.compile(
    r"^(?:(?:mr|mrs|ms|miss|dr|prof|ing|mgr|bc|judr|mudr|phdr|rndr|univ|dipl|herr|frau|hr|fr|mag|drs|ir|sr|sra|srta|dott"
    r"|sig|sig\.ra|dhr|mevr|m|mme|b\.?sc|msc|phd|md|dds|dvm"
    r"|jr|ii|iii|iv|v|csc|mba|dis|th\.?d|drsc)\.?[ ,]+)"
    r"+|(?:[ ,]+(?:jr|md|dds|dvm|phd|ii|iii|iv|v|csc|mba|dis|th\.?d|drsc|s\.?kom|s\.?e|m\.?\w+|s\.\w+)\.?)+$",
    re.IGNORECASE,
)


class Planted(NamedTuple):
    start: int
    end: int
    kind: str


class Made(NamedTuple):
    text: str
    planted: list[Planted]
    contexts: list[tuple[int, int, str]]
    """Where contexts stand, which are no clinical words."""


class Maker:
    """Reports with planted identifiers."""

    def __init__(self, seed: int, contexts: list[tuple[str, str]]) -> None:
        self.random = random.Random(seed)  # noqa: S311 - made-up reports need repeatable chance
        self.fakers = []
        for locale in LOCALES:
            try:
                faker = Faker(locale)
                faker.phone_number(), faker.first_name(), faker.last_name()
            except AttributeError:
                continue
            faker.seed_instance(seed)
            self.fakers.append((locale, faker))
        self.contexts = contexts
        self.sentences, self.german = sentences("sentences.tsv"), sentences("sentences_de.tsv")

    def person(self) -> tuple[str, str]:
        while True:
            _, faker = self.random.choice(self.fakers)
            first, last = faker.first_name(), faker.last_name()
            first, last = _TITLE.sub("", first.strip()), _TITLE.sub("", last.strip())
            if (
                first
                and last
                and all("a" <= c.lower() <= "ž" or not c.isalpha() for c in first + last)
                and len(last) > 1
                and len(first) > 1
            ):
                return first, last

    def value(self, slot: str, german: bool) -> tuple[str, str]:
        r = self.random
        _, faker = r.choice(self.fakers)
        here = r.choice(self.fakers)[1] if not german else next(f for n, f in self.fakers if n == r.choice(["de_DE"]))
        if slot in ("name", "full", "last", "first", "initials"):
            first, last = self.person()
            middle = r.choice("BFGHJKLW")
            forms = {
                "full": [f"{first} {last}"] * 4
                + [f"{first} {middle}. {last}", f"{first[0]}. {last}", f"{first} {last}".upper()],
                "name": [
                    f"{first} {last}",
                    f"{last}, {first}",
                    f"{last.upper()}, {first.upper()} {middle}",
                    f"{last}, {first} {middle}.",
                    f"{first[0]}. {last}",
                    f"{last} {first[0]}{middle}",
                    f"{first} {last}".upper(),
                    f"{first} {last}".lower(),
                    f"{last}",
                ],
                "last": [last],
                "first": [first],
                "initials": [(first[0] + last[0]).upper(), (first[0] + middle + last[0]).upper()],
            }[slot]
            written = r.choice(forms)
            if slot == "initials":
                return written, "initials"
            parts = [p.lower() for p in re.findall(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*", written)]
            return written, "name in lists" if all(what(p) & NAME for p in parts) else "name not in lists"
        day = date(2024, 1, 1).fromordinal(date(2019, 1, 1).toordinal() + r.randrange(2400))
        if slot == "date":
            d, m, y = day.day, day.month, day.year
            if german:
                return r.choice(
                    [
                        f"{d:02d}.{m:02d}.{y}",
                        f"{d}.{m}.{y}",
                        f"{d}.{m}.{y % 100:02d}",
                        f"{d}. {GERMAN_MONTHS[m - 1]} {y}",
                        f"{y}-{m:02d}-{d:02d}",
                    ]
                ), "date"
            suffix = "th" if 10 < d < 14 else {1: "st", 2: "nd", 3: "rd"}.get(d % 10, "th")
            return r.choice(
                [
                    f"{y}-{m:02d}-{d:02d}",
                    f"{m:02d}/{d:02d}/{y % 100:02d}",
                    f"{m}/{d}/{y}",
                    f"{d} {ENGLISH_MONTHS[m - 1]} {y}",
                    f"{ENGLISH_MONTHS[m - 1]} {d}, {y}",
                    f"{ENGLISH_MONTHS[m - 1]} {d}{suffix}",
                    f"{ENGLISH_MONTHS[m - 1][:3]} {d}",
                    f"{d}.{m}.{y}",
                    f"{d:02d}{ENGLISH_MONTHS[m - 1][:3].upper()}{y}",
                    f"{d:02d}-{ENGLISH_MONTHS[m - 1][:3]}-{y}",
                    f"{ENGLISH_MONTHS[m - 1]} {d}{suffix}, {y}",
                    f"{ENGLISH_MONTHS[m - 1][:3]} {d:02d} {y}",
                    f"{d}/{m}/{y}",
                    f"{y}/{m:02d}/{d:02d}",
                    f"{m:02d}-{d:02d}-{y}",
                ]
            ), "date"
        if slot == "short":
            return f"{day.month}/{day.day}", "date"
        if slot == "month":
            return r.choice(
                [
                    f"{ENGLISH_MONTHS[day.month - 1]} {day.year}",
                    f"{day.month:02d}/{day.year}",
                    f"{ENGLISH_MONTHS[day.month - 1][:3]} {day.year}",
                ]
            ), "date"
        if slot == "phone":
            return here.phone_number(), "phone"
        if slot == "ext":
            return str(r.randrange(1000, 99999)), "phone"
        if slot == "mail":
            return faker.ascii_email(), "e-mail"
        if slot == "url":
            return faker.url() + r.choice(["", "study/1234"]), "url"
        if slot == "ssn":
            return self.fakers[0][1].ssn(), "number"
        if slot == "number":
            pattern = r.choice(
                [
                    "#######",
                    "########",
                    "##########",
                    "A#######",
                    "??######",
                    "???-####-#####",
                    "######-##",
                    "MR######",
                    "20##-######",
                    "#-###-###",
                    "E########",
                    "RAD-##-######",
                    "##?#####",
                ]
            )
            return self.fakers[0][1].bothify(pattern, letters="ABCDEFGHJKLMNPQRSTUVWXYZ"), "number"
        if slot == "address":
            form = lambda f: f.address().replace("\n", ", ")  # noqa: E731
            names = ("de_DE", "de_AT", "de_CH") if german else ("en_US", "en_GB", "en_IE", "en_AU", "de_DE")
            return form(r.choice([f for n, f in self.fakers if n in names])), "address"
        if slot == "hospital":
            last, city = self.person()[1], self.fakers[0][1].city()
            if german:
                return r.choice(
                    [
                        f"Klinikum {city}",
                        f"St.-{self.person()[0]}-Krankenhaus",
                        f"Universitätsklinikum {city}",
                        f"Krankenhaus {city}",
                    ]
                ), "place"
            return r.choice(
                [
                    f"{last} Memorial Hospital",
                    f"{city} General Hospital",
                    f"St. {self.person()[0]}'s Hospital",
                    f"University of {city} Hospital",
                    f"{last} Clinic",
                    f"{city} Medical Center",
                ]
            ), "place"
        if slot == "age":
            return str(r.randrange(90, 108)), "age"
        if slot == "old":
            return r.choice(
                ["ninety", "ninety-one", "ninety-four", "ninety seven", "one hundred", "one hundred and two"]
            ), "age"
        raise ValueError(slot)

    def filled(self, context: str, german: bool) -> tuple[str, list[Planted]]:
        parts, planted, at = [], [], 0
        for piece in re.split(r"(\{\w+\})", context.replace("\\n", "\n")):
            written, kind = self.value(piece[1:-1], german) if piece.startswith("{") else (piece, "")
            if kind:
                planted.append(Planted(at, at + len(written), kind))
            parts.append(written)
            at += len(written)
        return "".join(parts), planted

    def report(self) -> Made:
        r = self.random
        german = r.random() < 0.2
        prefix = "de-" if german else ""
        pick = lambda where, n: r.sample([t for w, t in self.contexts if w == prefix + where], n)  # noqa: E731
        sentences = r.sample(self.german if german else self.sentences, 8)
        capitals = not german and r.random() < 0.12
        pieces: list[tuple[str, bool]] = [(t + "\n", True) for t in pick("head", 2)]
        pieces.append(("BEFUND: " if german else "FINDINGS: ", False))
        for n, sentence in enumerate(sentences):
            if n in (3, 6):
                pieces.append((pick("body", 1)[0] + " ", True))
            pieces.append((sentence + ("\n" if r.random() < 0.1 else " "), False))
        pieces += [("\n" + t, True) for t in pick("foot", 2)]
        text, planted, contexts = "", [], []
        for piece, is_context in pieces:
            written, found = self.filled(piece, german) if is_context else (piece, [])
            if capitals and len(written) == len(written.upper()):
                written = written.upper()
            planted += [Planted(len(text) + p.start, len(text) + p.end, p.kind) for p in found]
            if is_context:
                contexts.append((len(text), len(text) + len(written), piece.strip()))
            text += written
        return Made(text, planted, contexts)


def sentences(name: str) -> list[str]:
    """The sentences of a file of the tests of the extraction."""
    lines = (ROOT / "tests" / "findings" / name).read_text(encoding="utf-8").splitlines()
    return [
        line.split("\t")[0].replace("\\n", " ") for line in lines if line and not line.startswith("#") and "\t" in line
    ]


def missed(done: Deidentified, text: str, span: Planted) -> bool:
    """Whether some letter or figure of a planted identifier is in no edit."""
    at = span.start
    for edit in done.edits:
        if edit.end <= at:
            continue
        if edit.start >= span.end:
            break
        if re.search(r"[^\W_]", text[at : max(at, edit.start)]):
            return True
        at = edit.end
    return at < span.end and re.search(r"[^\W_]", text[at : span.end]) is not None


def findings_of(texts: list[str]) -> Iterator[list[tuple[object, ...]]]:
    engine = rules_engine()
    for extraction in engine.extract([document(str(n), text) for n, text in enumerate(texts)], SILENT):
        yield [(f.pathology, f.phrase, f.term_start, f.term_end) for f in extraction.findings]


def contexts(sets: Collection[str]) -> list[tuple[str, str]]:
    """The contexts of some sets: where they stand, and their text."""
    lines = (ROOT / "benchmarks" / "planted.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")][1:]
    return [(where, text) for chosen, where, text in rows if chosen in sets]


def planted_run(args: argparse.Namespace, sets: tuple[str, ...]) -> bool:
    maker = Maker(args.seed, contexts(sets))
    made = [maker.report() for _ in range(args.reports)]
    deidentify = Deidentifier(b"a secret of the benchmark")
    deidentify(made[0].text, Known(), "p")
    start = perf_counter()
    done = [deidentify(report.text, Known(), str(n % 50)) for n, report in enumerate(made)]
    seconds = perf_counter() - start
    hits: Counter[str] = Counter()
    total: Counter[str] = Counter()
    words = altered = suspects = again = 0
    shown: Counter[str] = Counter()
    for n, (report, result) in enumerate(zip(made, done, strict=True)):
        suspects += len(result.suspects)
        if second := deidentify(result.text, Known(), str(n % 50)).edits:
            again += 1
            if again < 8:
                print("  second pass:", [(e.kind, result.text[max(0, e.start - 40) : e.end + 10]) for e in second])
        for span in report.planted:
            total[span.kind] += 1
            if missed(result, report.text, span):
                context = next(c for s, e, c in report.contexts if s <= span.start < e)
                shown[f"{span.kind}: {report.text[span.start : span.end]!r} in {context!r}"] += 1
            else:
                hits[span.kind] += 1
        clinical = [
            (m.start(), m.end())
            for m in re.finditer(r"\S+", report.text)
            if not any(s <= m.start() < e for s, e, _ in report.contexts)
        ]
        words += len(clinical)
        for s, e in clinical:
            if any(edit.start < e and s < edit.end and edit.kind not in ("date", "age") for edit in result.edits):
                altered += 1
                print("altered:", repr(report.text[s:e]), "in", repr(report.text[max(0, s - 30) : e + 30]))
    print(f"\nset {'+'.join(sets)}: {len(made)} reports, {seconds / len(made) * 1e3:.2f} ms each")
    for kind in sorted(total):
        print(f"  {kind:20} {hits[kind]:6} of {total[kind]:6}  {hits[kind] / total[kind]:.4f}")
    recall = sum(hits.values()) / sum(total.values())
    print(f"  {'all':20} {sum(hits.values()):6} of {sum(total.values()):6}  {recall:.4f}")
    print(
        f"  altered words {altered} of {words}, {altered / words * 1e4:.2f} in 10,000;"
        f" suspects {suspects / len(made):.3f} a report; a second pass edits {again}"
    )
    if (args.misses and "apart" not in sets) or args.look:
        for line, _ in shown.most_common(args.misses):
            print("  missed", line)
    _compare(made, done)
    names = [hits[k] / total[k] for k in total if k.startswith("name")]
    return recall >= RECALL and min(names) >= RECALL and altered / words * 1e4 < ALTERED


def _compare(made: list[Made], done: list[Deidentified]) -> None:
    before, after = (list(findings_of([r.text for r in of])) for of in (made, done))
    different = 0
    for report, result, a, b in zip(made, done, before, after, strict=True):
        mapped = [
            (p, f, result.forward(s), result.forward(e))
            for p, f, s, e in a
            if not any(
                span.start <= s < span.end for span in report.planted
            )  # names that read like findings: Koch, Mac
        ]
        if mapped != b:
            different += 1
            if different <= 8:
                for side, other, word in ((mapped, b, "lost"), (b, mapped, "new")):
                    for p, f, s, e in set(side) - set(other):
                        print(
                            "  finding",
                            word,
                            p,
                            f,
                            repr(result.text[max(0, s - 80) : e + 40]),
                            "was",
                            repr(report.text[max(0, result.back(s) - 80) : result.back(e) + 40]),
                        )
    print(f"  reports with other findings afterwards: {different} of {len(made)}")


def real_run(folder: Path) -> None:
    texts = []
    for name in ("xray_dev_reports.csv", "ct_dev_reports.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            texts += ["\n".join(v for k, v in row.items() if k != "report_id" and v) for row in csv.DictReader(file)]
    deidentify = Deidentifier(b"a secret of the benchmark")
    words = sum(len(text.split()) for text in texts)
    kinds: Counter[str] = Counter()
    suspects = 0
    for text in texts:
        result = deidentify(text, Known(), "p")
        for edit in result.edits:
            kinds[edit.kind] += 1
            print(f"  real, {edit.kind}: {text[max(0, edit.start - 30) : edit.end + 20]!r} -> {edit.replacement}")
        for s in result.suspects:
            suspects += 1
            print(f"  real, suspect: {result.text[max(0, s.start - 20) : s.end + 20]!r}")
    print(
        f"real: {len(texts)} texts, {words} words, edits {dict(kinds)},"
        f" suspects {suspects} ({suspects / len(texts):.3f} a text)"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", choices=["tuned", "apart", "both"], default="both")
    parser.add_argument("--misses", type=int, default=40)
    parser.add_argument("--look", action="store_true", help="show the misses of the set apart, too, which ends its use")
    parser.add_argument("--real", type=Path, metavar="GOLD_DIR")
    args = parser.parse_args()
    good = all(planted_run(args, (name,)) for name in ("tuned", "apart") if args.set in (name, "both"))
    if args.real:
        real_run(args.real)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
