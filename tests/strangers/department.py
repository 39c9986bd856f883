"""Departments drawn by chance, with the truth about them.

A department is a list of cases: patients with their examinations, whose fate is known because they are made for it (a
pair, a CT that came too late, a report without a time, a second version of a report, ...).  Nothing is worked out that
RadCal works out: whoever draws a pair knows that it is one.  No module of RadCal is used.

Every case has an oddity, '' for those that any system can write.  A writer of exports names the oddities that its
format has no place for; ``Department.without`` leaves these out, and the truth goes with what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from random import Random

from .sentences import ABSENT, ENGLISH, PRESENT, Language, Said

XRAY, CT, OTHER = "xray", "ct", "other"
Key = tuple[str, str]
"""Kind and number of a report."""


@dataclass(frozen=True)
class Person:
    """Somebody, by name."""

    family: str
    given: str


@dataclass(frozen=True)
class Row:
    """A row, or a message, of an export.

    time: of the examination, None if the system does not know it;  impossible: it is the 31st of February
    status: preliminary, final, addendum or cancelled;  reported: when this was signed or dictated
    parts: history, technique, comparison, findings, impression, '' for those that it does not have
    oddity: why it is there, '' for a usual report
    """

    number: str
    patient: str
    name: Person
    born: date
    kind: str
    exam: str
    code: str
    modality: str
    region: str
    time: datetime | None
    reported: datetime
    dictator: Person | None
    signer: Person | None
    parts: tuple[str, str, str, str, str]
    status: str = "final"
    oddity: str = ""
    impossible: bool = False

    def text(self, language: Language) -> str:
        """The whole report under its headings; an addendum stands alone."""
        if self.status == "addendum":
            return self.parts[4]
        told = zip(language.headings, self.parts, strict=True)
        return "\n\n".join(f"{heading}:\n{part}" for heading, part in told if part)


@dataclass(frozen=True)
class Case:
    """Rows, and what becomes of them.

    pairs: number of X-ray and CT;  left_out: (modality, reason) of each report or row that drops out, in plain words
    listed: reasons of rows that are listed as unusable
    said: what a report says before the CT;  adds: what a further row adds to a report of another case
    """

    rows: tuple[Row, ...]
    oddity: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    listed: tuple[str, ...] = ()
    said: Mapping[Key, frozenset[Said]] = field(default_factory=dict)
    adds: Mapping[Key, frozenset[Said]] = field(default_factory=dict)


@dataclass(frozen=True)
class Department:
    """Cases in the order in which they were drawn, and the language of their texts."""

    cases: tuple[Case, ...]
    language: Language
    seed: int

    def without(self, oddities: Iterable[str]) -> Department:
        """The department as a system writes it that has no place for these."""
        gone = frozenset(oddities)
        unknown = gone - {case.oddity for case in self.cases}
        assert not unknown, f"no department has these: {unknown}"
        return replace(self, cases=tuple(case for case in self.cases if case.oddity not in gone))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows, in the disorder of an export."""
        rows = [row for case in self.cases for row in case.rows]
        Random(self.seed).shuffle(rows)
        return tuple(rows)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The numbers of X-ray and CT."""
        return frozenset(pair for case in self.cases for pair in case.pairs)

    @cached_property
    def authors(self) -> Mapping[str, Person]:
        """Of each paired X-ray who signed it."""
        paired = {xray for xray, _ in self.pairs}
        usual = [row for case in self.cases if not case.oddity for row in case.rows if row.kind == XRAY]
        return {row.number: row.signer for row in usual if row.number in paired and row.signer is not None}

    @cached_property
    def left_out(self) -> Counter[tuple[str, str]]:
        """How many reports drop out, by modality and reason."""
        return Counter(why for case in self.cases for why in case.left_out)

    @cached_property
    def listed(self) -> Counter[str]:
        """How many rows are listed as unusable, by reason."""
        return Counter(why for case in self.cases for why in case.listed)

    @cached_property
    def said(self) -> Mapping[Key, frozenset[Said]]:
        """What each paired report says."""
        paired = {key for xray, ct in self.pairs for key in ((XRAY, xray), (CT, ct))}
        found = {key: said for case in self.cases for key, said in case.said.items() if key in paired}
        for case in self.cases:
            for key, more in case.adds.items():
                found[key] |= more
        return found

    @cached_property
    def outcomes(self) -> Counter[tuple[Person, str, str, bool]]:
        """How often each author said a strength of a finding that the CT then had or had not."""
        ct = dict(self.pairs)
        return Counter(
            (author, finding, strength, (finding, PRESENT) in self.said[CT, ct[number]])
            for number, author in self.authors.items()
            for finding, strength in self.said[XRAY, number]
            if {(finding, PRESENT), (finding, ABSENT)} & self.said[CT, ct[number]]
        )


# --- drawing -------------------------------------------------------------------------------------------

_FAMILIES = (  # noqa: SIM905 - names are easier to read than a list of them
    "Achterberg Balanescu Corvalan Dombrowska Eriksdottir Fairclough Gwizdala Haverkamp Ivanchenko Jurczyk Kettlewell"
    " Lindqvist Mwangi Nakagawa Obuya Pemberton Quillfeather Rautavaara Szymborski Thistlewood Umarov Vandersteen"
    " Wolstenholme Yilmazer Zeitlhofer"
).split()
_GIVEN = (  # noqa: SIM905 - as above
    "Anneke Bartosz Celestine Dietlind Ewald Fenella Gideon Hjalmar Imogen Jolanta Kasimir Leonore Mirela"
).split()
AUTHORS = (
    Person("Ravensworth", "Odile"),
    Person("Kupferschmid", "Anselm"),
    Person("Tamarindo", "Priya"),
)
RESIDENT = Person("Loxley", "Benedikt")
CT_READER = Person("Oyelaran", "Folake")
_SHARE = (45, 30, 15)
"""How many of 90 X-rays each author reads."""
_WAYS = {
    AUTHORS[0]: {
        "infection": {"likely": 6, "possibly": 3, ABSENT: 2},
        "edema": {"may represent": 3, ABSENT: 2, "consistent with": 2},
    },
    AUTHORS[1]: {
        "infection": {"consistent with": 3, "suspicious for": 2, "unlikely": 3, "may represent": 2},
        "edema": {"likely": 2, "question of": 1, "very unlikely": 2},
    },
    AUTHORS[2]: {
        "infection": {"most likely": 2, "suggestive of": 1, "probably": 2, PRESENT: 1},
        "edema": {"compatible with": 1, "unlikely": 2, ABSENT: 2},
    },
}
"""The strengths that each author uses, and how often."""
_TRUE = {
    "likely": 0.2, "possibly": 0.3, "may represent": 0.4, "suspicious for": 0.5, "suggestive of": 0.5, "probably": 0.6,
    "most likely": 0.8, "consistent with": 0.85, "compatible with": 0.8, PRESENT: 0.95, "unlikely": 0.1,
    "very unlikely": 0.02, "question of": 0.15, ABSENT: 0.03,
}  # fmt: skip
"""How often CT then has what was said so; "likely" is said far too often."""
_EXTRAS = ("atelectasis", "nodule", "fracture", "cardiomegaly", "hernia", "emphysema")
_ONLY_CT = ("lymphadenopathy", "pericardial effusion")


def draw(seed: int, language: Language = ENGLISH, n_pairs: int = 90) -> Department:
    """A department of so many pairs, with everything around them that real exports have."""
    return _Drawing(Random(seed), language).department(seed, n_pairs)


class _Drawing:
    """Draws the cases of one department; numbers and patients never recur unless that is the case."""

    def __init__(self, random: Random, language: Language) -> None:
        self.random, self.language = random, language
        self._number = random.randrange(4_000_000, 5_000_000)
        self._patient = random.randrange(100_000, 200_000)
        self.said: dict[Key, frozenset[Said]] = {}

    def department(self, seed: int, n_pairs: int) -> Department:
        shares = [author for author, n in zip(AUTHORS, _SHARE, strict=True) for _ in range(n)]
        authors = [shares[round(i * len(shares) / n_pairs) % len(shares)] for i in range(n_pairs)]
        pairs = [self._pair(author, long=i % 30 == 7) for i, author in enumerate(authors)]
        return Department((*pairs, *self._unpaired(), *self._versions(pairs), *self._unusable()), self.language, seed)

    # --- reports -------------------------------------------------------------------------------------

    def _person(self) -> tuple[str, Person, date]:
        self._patient += self.random.randrange(1, 50)
        name = Person(self.random.choice(_FAMILIES), self.random.choice(_GIVEN))
        return str(self._patient), name, date(1930, 1, 1) + timedelta(days=self.random.randrange(28_000))

    def _new_number(self) -> str:
        self._number += self.random.randrange(1, 9)
        return f"R{self._number}"

    def _moment(self) -> datetime:
        minutes = self.random.randrange(180 * 24 * 60)
        return datetime(2025, 1, 6) + timedelta(minutes=minutes)

    def _row(
        self,
        patient: tuple[str, Person, date],
        kind: str,
        time: datetime,
        said: Iterable[Said],
        author: Person,
        *,
        long: bool = False,
    ) -> Row:
        number, draw = self._new_number(), self.random
        self.said[kind, number] = frozenset(said)
        exams = {
            XRAY: (("XR CHEST PA AND LATERAL", "71046", "DX"), ("XR CHEST PORTABLE 1 VIEW", "71045", "CR")),
            CT: (("CT CHEST WITH CONTRAST", "71260", "CT"), ("CT THORAX WITHOUT CONTRAST", "71250", "CT")),
        }
        exam, code, modality = draw.choice(exams[kind])
        return Row(
            number=number, patient=patient[0], name=patient[1], born=patient[2], kind=kind, exam=exam, code=code,
            modality=modality, region="CHEST", time=time, reported=time + timedelta(minutes=draw.randrange(8, 26)),
            dictator=RESIDENT if kind == XRAY and draw.random() < 0.25 else author, signer=author,
            parts=self._parts(kind, sorted(self.said[kind, number]), long=long),
        )  # fmt: skip

    def _parts(self, kind: str, said: list[Said], *, long: bool) -> tuple[str, str, str, str, str]:
        draw, language = self.random, self.language
        plain = [s for s in said if s[1] in (PRESENT, ABSENT)]
        hedged = [language.sentence(s, draw) for s in said if s not in plain]
        denied = ("pleural effusion", ABSENT), ("pneumothorax", ABSENT)
        findings = []
        if all(s in plain for s in denied) and draw.random() < 0.7:
            plain = [s for s in plain if s not in denied]
            a, b = (draw.choice(language.nouns[finding]) for finding, _ in denied)
            findings.append(draw.choice(language.none_of_two).format(a=a, b=b))
        findings += [language.sentence(s, draw) for s in plain]
        findings += draw.sample(language.neutral, 3)
        draw.shuffle(findings)
        if long:  # three pages
            findings += [draw.choice(language.neutral) for _ in range(150)]
        if draw.random() < 0.15:
            hedged.append(draw.choice(language.phoned))
        technique = draw.choice(language.xray_techniques if kind == XRAY else language.ct_techniques)
        history, comparison = draw.choice(language.histories), draw.choice(language.comparisons)
        return history, technique, comparison, " ".join(findings), "\n".join(hedged or findings[:1])

    def _statements(self, author: Person) -> tuple[list[Said], list[Said]]:
        """What an X-ray report and the CT report after it say."""
        draw, xray, truths = self.random, [], {}
        topics = ["infection", *(["edema"] if draw.random() < 0.75 else [])]
        for topic in topics:
            own = _WAYS[author][topic]
            xray.append((topic, draw.choices(list(own), list(own.values()))[0]))
        xray.append(("pleural effusion", draw.choices((PRESENT, ABSENT, "likely"), (3, 6, 2))[0]))
        xray.append(("pneumothorax", draw.choices((ABSENT, PRESENT), (9, 1))[0]))
        ways = (PRESENT, ABSENT, "possibly", "probably")
        xray += [(topic, draw.choice(ways)) for topic in draw.sample(_EXTRAS, 2)]
        for topic, strength in xray:
            truths[topic] = draw.random() < _TRUE[strength]
        truths |= {topic: True for topic in _ONLY_CT if draw.random() < 0.1}
        return xray, [(topic, PRESENT if found else ABSENT) for topic, found in truths.items()]

    def _two(
        self, author: Person, gap: timedelta, *, long: bool = False, oddity: str = "", before: timedelta | None = None
    ) -> list[Row]:
        """An X-ray and a CT of one patient; one more X-ray so long before, if this is said."""
        patient, time = self._person(), self._moment()
        xray, ct = self._statements(author)
        rows = [self._row(patient, XRAY, time, xray, author, long=long)]
        rows.append(self._row(patient, CT, time + gap, ct, CT_READER))
        if before is not None:
            rows.append(self._row(patient, XRAY, time - before, self._statements(author)[0], author))
        return [replace(row, oddity=oddity) for row in rows]

    def _case(self, rows: Iterable[Row], oddity: str = "", **outcome: tuple[object, ...]) -> Case:
        rows = tuple(rows)
        said = {(row.kind, row.number): self.said.get((row.kind, row.number), frozenset()) for row in rows}
        return Case(rows, oddity, said=said, **outcome)  # type: ignore[arg-type]

    # --- cases ---------------------------------------------------------------------------------------

    def _pair(self, author: Person, *, long: bool) -> Case:
        xray, ct = self._two(author, timedelta(minutes=self.random.randrange(240, 660)), long=long)
        return self._case((xray, ct), pairs=((xray.number, ct.number),))

    def _unpaired(self) -> list[Case]:
        """Reports that any system has, and that make no pair."""
        made, hours = [], timedelta(hours=1)
        for _ in range(4):
            rows = self._two(AUTHORS[0], self.random.randrange(13, 60) * hours)
            made.append(self._case(rows, left_out=((XRAY, "CT too late"), (CT, "X-ray too early"))))
        for _ in range(3):
            rows = self._two(AUTHORS[1], -self.random.randrange(1, 20) * hours)
            made.append(self._case(rows, left_out=((XRAY, "CT before"), (CT, "X-ray after"))))
        for _ in range(5):
            xray, ct = self._two(AUTHORS[2], 2 * hours)
            made.append(self._case((xray,), left_out=((XRAY, "no CT"),)))
            other = self._two(AUTHORS[2], 2 * hours)[1]
            made.append(self._case((other,), left_out=((CT, "no X-ray"),)))
        for _ in range(3):
            xray, ct, earlier = self._two(AUTHORS[0], 3 * hours, before=5 * hours)
            pairs = ((xray.number, ct.number),)
            made.append(self._case((xray, ct, earlier), pairs=pairs, left_out=((XRAY, "CT taken"),)))
        others = ("XR KNEE 3 VIEWS LEFT", "DX", "KNEE"), ("CT ABDOMEN AND PELVIS", "CT", "ABDOMEN")
        for exam, modality, region in others:
            kind = CT if modality == "CT" else XRAY
            row = self._row(self._person(), kind, self._moment(), [("fracture", ABSENT)], AUTHORS[0])
            row = replace(row, exam=exam, modality=modality, region=region, code="")
            made.append(self._case((row,), left_out=((kind, "elsewhere"),)))
        row = self._row(self._person(), CT, self._moment(), [("nodule", ABSENT)], AUTHORS[0])
        row = replace(row, exam="MR CHEST WITHOUT CONTRAST", modality="MR", code="71550", kind=OTHER)
        made.append(self._case((row,), left_out=(("both", "other modality"),)))
        return made

    def _versions(self, pairs: list[Case]) -> list[Case]:
        """Further rows of reports that are there."""
        made = []
        chosen = iter(self.random.sample(pairs, 12))
        for place in (0, 0, 1):
            row = next(chosen).rows[place]
            made.append(Case((row,), "repeated", left_out=((row.kind, "repeated"),)))
        for place in (0, 0, 1):
            row = next(chosen).rows[place]
            draft = replace(row, status="preliminary", reported=row.reported - timedelta(minutes=5), signer=None)
            *rest, findings, impression = row.parts
            # A draft lacks what was found in the end.
            draft = replace(draft, parts=(*rest, findings, impression.splitlines()[0] + " Draft."))
            made.append(Case((draft,), "preliminary", left_out=((row.kind, "superseded"),)))
        for _ in range(2):
            row = next(c for c in chosen if "hernia" not in dict(c.said[XRAY, c.rows[0].number])).rows[0]
            words = ("", "", "", "", self.language.addendum)
            later = replace(row, status="addendum", reported=row.reported + timedelta(minutes=40), parts=words)
            adds = {(XRAY, row.number): frozenset({("hernia", PRESENT)})}
            made.append(Case((later,), "addendum", left_out=((XRAY, "joined"),), adds=adds))
        row, ct = next(chosen).rows
        assert ct.time is not None
        words = ("", "", "", "", self.language.after_ct)
        later = replace(row, status="addendum", reported=ct.time + timedelta(hours=2), parts=words)
        made.append(Case((later,), "addendum after the CT", left_out=((XRAY, "after the CT"),)))
        return made

    def _unusable(self) -> list[Case]:
        """Rows from which no report can be made, each of a patient of its own."""

        def lone(kind: str, oddity: str, **changed: object) -> Row:
            row = self._row(self._person(), kind, self._moment(), [("infection", PRESENT)], AUTHORS[0])
            return replace(row, oddity=oddity, **changed)  # type: ignore[arg-type]

        rows = [
            lone(XRAY, "no time", time=None),
            lone(XRAY, "no time", time=None),
            lone(XRAY, "impossible time", impossible=True),
            lone(CT, "no text", parts=("", "", "", "", "")),
            lone(XRAY, "no number", number=""),
            lone(CT, "no patient", patient=""),
            lone(XRAY, "cancelled", status="cancelled"),
        ]
        made = [Case((row,), row.oddity, left_out=((row.kind, row.oddity),), listed=(row.oddity,)) for row in rows]
        one, other = lone(XRAY, "two patients"), lone(XRAY, "two patients")
        twice = ((XRAY, "two patients"),) * 2
        made.append(Case((one, replace(other, number=one.number)), "two patients", left_out=twice,
                         listed=("two patients",) * 2))  # fmt: skip
        nobody = lone(XRAY, "no radiologist", dictator=None, signer=None)
        made.append(Case((nobody,), "no radiologist", left_out=((XRAY, "no radiologist"),)))
        draft = lone(XRAY, "unsigned", status="preliminary", signer=None, dictator=RESIDENT)
        made.append(Case((draft,), "unsigned", left_out=((XRAY, "unsigned"),)))
        return made
