"""Made-up reports with planted identifiers: sentences of the tests of the extraction, and what Faker makes up.

Identifiers are of many countries, in the contexts of planted.tsv.  Those of the set "apart" were written before the
detectors were measured and never looked at while these were made.  Names whose parts are all in RadCal's lists, and
those with a part that is not, are told apart.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from datetime import date
from pathlib import Path

from faker import Faker

from radcal.reports.deidentify.date_parts import ENGLISH_MONTHS, GERMAN_MONTHS
from radcal.reports.deidentify.words import NAME, what
from radcal.reports.identifiers import Known
from tools.marked_texts import Mark, Marked

ROOT = Path(__file__).resolve().parent.parent
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

    def filled(self, context: str, german: bool) -> tuple[str, list[Mark]]:
        parts, planted, at = [], [], 0
        for piece in re.split(r"(\{\w+\})", context.replace("\\n", "\n")):
            written, kind = self.value(piece[1:-1], german) if piece.startswith("{") else (piece, "")
            if kind:
                planted.append(Mark(at, at + len(written), kind))
            parts.append(written)
            at += len(written)
        return "".join(parts), planted

    def report(self, name: str = "") -> Marked:
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
        text, planted = "", []
        for piece, is_context in pieces:
            written, found = self.filled(piece, german) if is_context else (piece, [])
            if capitals and len(written) == len(written.upper()):
                written = written.upper()
            planted += [Mark(len(text) + p.start, len(text) + p.end, p.kind) for p in found]
            text += written
        return Marked(name, german, text, planted, Known())


def sentences(name: str) -> list[str]:
    """The sentences of a file of the tests of the extraction."""
    lines = (ROOT / "tests" / "findings" / name).read_text(encoding="utf-8").splitlines()
    return [
        line.split("\t")[0].replace("\\n", " ") for line in lines if line and not line.startswith("#") and "\t" in line
    ]


def contexts(sets: Collection[str]) -> list[tuple[str, str]]:
    """The contexts of some sets: where they stand, and their text."""
    lines = (ROOT / "benchmarks" / "planted.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")][1:]
    return [(where, text) for chosen, where, text in rows if chosen in sets]
