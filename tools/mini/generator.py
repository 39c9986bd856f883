"""Generator of sentences as of chest reports with questions and their answers, for training; reproducible from a seed.

The answer of a question is decided by the words that govern a name in the grammar, not by the words around it, so that
the same sentence with another negation, hedge or order has another answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from random import Random

from radcal.findings.readers.pairs import HEDGED, NOT_STATED, HedgePhrases, Spotter
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.system.resources import resource
from radcal.words.phrases import load_lexicon
from radcal.words.records import OTHER, PRESENT
from tools.mini.grammar import Grammar, Mark, Piece
from tools.mini.words import HERE, Frames, Spelled, any_word, medical_word, mistyped

TEXTS = ("grammar.txt", "turns.txt", "german.txt")
"""The grammar's files beside this module, read as one."""
SENTENCES = HERE.parents[1] / "tests" / "findings"
_HEADINGS = (
    "LUNGS", "LUNGS/AIRWAYS", "PLEURA", "MEDIASTINUM", "HEART", "CHEST", "BONES", "CARDIOVASCULAR", "FINDINGS",
    "IMPRESSION", "LYMPH NODES", "CHEST WALL", "UPPER ABDOMEN", "LUNGS AND PLEURA", "Pleural spaces",
    "Heart/mediastinum",
    "Devices/Tubes/LINES: None. LUNGS", "Bones and soft tissues", "Pulmonary parenchyma", "Cardiomediastinum", "Other",
)  # fmt: skip
_CONTEXT_WORDS = ("again", "also", "now", "otherwise", "additionally", "in addition", "currently", "as well", "overall")
_SPOKEN = {",": "comma", ".": "period", ":": "colon", "-": "dash", "/": "slash", "(": "open bracket", ";": "semicolon"}
_MISHEARD = {
    "there": "their", "to": "two", "is": "his", "in": "and", "the": "a", "right": "write", "base": "bass", "are": "our",
    "lobe": "low", "of": "off", "seen": "scene", "mild": "mile", "hilar": "highlight", "lung": "long", "for": "four",
    "apical": "a pickle", "lower": "lore", "left": "lift", "small": "smell", "within": "with in", "noted": "no dead",
}  # fmt: skip
_SMALL_WORDS = frozenset((
    "the", "a", "an", "there", "is", "are", "of", "has", "have", "been", "was", "were", "be", "any", "this", "that",
    "der", "die", "das", "ein", "eine",
))  # fmt: skip
_CODES = {"german": "de"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of an example.

    words:  that name what is asked of, as they stand in the text
    answer: PRESENT, ABSENT, NOT_STATED, a phrase of the lexicon, or HEDGED for any hedge
    """

    words: str
    answer: str


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, or a few, with questions."""

    text: str
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """Words that name ``pathologies``, where they stand, and the answer."""

    start: int
    end: int
    pathologies: tuple[str, ...]
    answer: str


class Generator:
    """Examples from the grammar, made as untidy as real reports."""

    def __init__(self) -> None:
        lexicon = load_lexicon()
        self.vocabularies = read_vocabularies(resource("lexicon"))
        self.spotter = Spotter(self.vocabularies, lexicon)
        self._phrases = {code: HedgePhrases(words, lexicon) for code, words in self.vocabularies.items()}
        self._known = {p.name for p in lexicon.phrases}
        text = "\n".join((HERE / name).read_text("utf-8") for name in TEXTS)
        rules = set(re.findall(r"^@([a-z_]+)", text, re.MULTILINE))
        english, german = Spelled(resource("lexicon")), Spelled(resource("lexicon") / "de")
        self.grammar = Grammar(
            text,
            {
                "n": _number,
                "w_any": any_word,
                "w_med": medical_word,
                "frame": Frames((SENTENCES / "sentences.tsv", HERE / "written.tsv"), self.spotter, "en", rules).frame,
                "gframe": Frames(
                    (SENTENCES / "sentences_de.tsv", HERE / "written_de.tsv"), self.spotter, "de", ()
                ).frame,
                "lookalike": english.lookalike,
                "s_term": english.term,
                "s_silence": english.silence,
                "s_hedgeb": partial(english.hedge, "before"),
                "s_hedgea": partial(english.hedge, "after"),
                "s_negb": partial(english.negation, "before"),
                "s_nega": partial(english.negation, "after"),
                "gs_hedge": partial(german.hedge, "before"),
                "gs_hedgea": partial(german.hedge, "after"),
                "gs_silence": german.silence,
                "gs_term": german.term,
            },
        )

    def example(self, random: Random, rule: str | None = None) -> Example:
        """A random example: of one rule of the grammar, else a German one or an English one."""
        rule = rule or ("german" if random.random() < 0.27 else "example")
        code = _CODES.get(rule, "en")
        pieces = untidy(self.grammar.expand(rule, random), random, code)
        text, names = self.read(pieces, random, code)
        return Example(text, self.questions(text, names, random, code))

    def read(self, pieces: list[Piece], random: Random, code: str) -> tuple[str, list[Name]]:
        """The text of pieces and the names in it; code: of their language."""
        text, placed = assemble(pieces, random)
        cues = {m.mark: self._answer(m, text[a:b], code) for a, b, m in placed if m.answer}
        names = []
        for a, b, mark in placed:
            if mark.pathologies:
                governed = (cues[mark.mark[:k]] for k in range(len(mark.mark), 0, -1) if mark.mark[:k] in cues)
                names.append(Name(a, b, mark.pathologies, next(governed, PRESENT)))
        return text, names

    def _answer(self, mark: Mark, words: str, code: str) -> str:
        if mark.answer != HEDGED:
            return mark.answer
        phrase = self._phrases[code].of(words)
        return HEDGED if phrase == OTHER or phrase not in self._known else phrase

    def questions(self, text: str, names: list[Name], random: Random, code: str) -> tuple[Asked, ...]:
        """Of what the rules' terms name, in their words, and of what else the grammar names, in its own.

        What a list of terms finds where the grammar names nothing is only mentioned there.
        """
        answers: dict[str, set[str]] = {}
        covered: set[tuple[int, int]] = set()
        for n in self.spotter.named(text, code):
            here = [k for k in names if k.start < n.end and n.start < k.end]
            named = [k for k in here if n.pathology in k.pathologies] or here
            covered.update((k.start, k.end) for k in here)
            words = text[n.start : n.end]
            answers.setdefault(words, set()).update({k.answer for k in named} or {NOT_STATED})
        for k in names:
            if (k.start, k.end) not in covered:
                answers.setdefault(text[k.start : k.end], set()).add(k.answer)
        asked = [Asked(words, answer) for words, found in answers.items() if len(found) == 1 for answer in found]
        random.shuffle(asked)
        return tuple(asked[:_MOST_ASKED])


_MOST_ASKED = 6


def untidy(pieces: list[Piece], random: Random, code: str) -> list[Piece]:
    """Pieces with headings, typing errors, words left out, misheard or made up, and punctuation spoken or missing."""
    terse, heard = random.random() < 0.1, code == "en" and random.random() < 0.07
    out: list[Piece] = [(_disturbed(text, mark, random, terse=terse, heard=heard), mark) for text, mark in pieces]
    if random.random() < 0.1:
        out.insert(0, (random.choice(_HEADINGS) + random.choice((": ", ": ", ":", " - ")), None))
    elif random.random() < 0.05:
        n = random.randint(1, 9)
        out.insert(0, (random.choice((f"{n}. ", f"{n}) ", "* ", "- ")), None))
    elif code == "en" and random.random() < 0.03:
        out.insert(0, (random.choice(_CONTEXT_WORDS) + random.choice((", ", " ")), None))
    end = random.random()
    if heard and end < 0.4:
        out.append((" period", None))
    elif end < 0.8:
        out.append((".", None))
    elif end < 0.83:
        out.append((random.choice(("..", f" {random.randint(2, 9)}.", ". .", ";", " .")), None))
    return out


def _disturbed(text: str, mark: Mark | None, random: Random, *, terse: bool, heard: bool) -> str:
    """De-identification blanks, invented words and typing errors; names and cues are at most mistyped."""
    words = text.split(" ")
    if mark is not None:
        if random.random() < 0.06:
            longest = max(range(len(words)), key=lambda i: len(words[i]))
            if len(words[longest]) > 5 and words[longest].isalpha():
                words[longest] = mistyped(words[longest], random)
        return " ".join(words)
    for i, word in enumerate(words):
        if terse and word.lower() in _SMALL_WORDS:
            words[i] = ""
        elif heard and word in _MISHEARD and random.random() < 0.2:
            words[i] = _MISHEARD[word]
        elif heard and word[-1:] in _SPOKEN and random.random() < 0.5:
            spoken = f" {_SPOKEN[word[-1]]}" if random.random() < 0.5 else ""
            words[i] = word[:-1] + spoken
        elif word.isalpha() and len(word) > 3 and random.random() < 0.06:
            kind = random.random()
            words[i] = "XXXX" if kind < 0.25 else any_word(random) if kind < 0.65 else mistyped(word, random)
    return " ".join(words)


def _number(random: Random) -> str:
    """A number as of measurements, images and ribs: mostly small."""
    return str(random.choice((random.randint(1, 9), random.randint(1, 12), random.randint(1, 400))))


def assemble(pieces: list[Piece], random: Random) -> tuple[str, list[tuple[int, int, Mark]]]:
    """Join pieces into a text with single spaces and a capital letter; also where each marked piece stands."""
    text = ""
    placed: list[tuple[int, int, Mark]] = []
    for piece, mark in pieces:
        words = " ".join(piece.split())
        if not words:
            if mark is not None and mark.answer:
                placed.append((len(text), len(text), mark))
            text += " " if piece and text and not text.endswith(" ") else ""
            continue
        lead = " " if piece[0] == " " else ""
        if (lead and text.endswith(" ")) or not text:
            lead = ""
        if words[0] in ",.;:" and text.endswith(" ") and not words.startswith(".."):
            text = text[:-1]
        if words[0] in ",.;:" and random.random() < 0.97:
            lead = ""
        start = len(text) + len(lead)
        text += lead + words.replace(" ,", ",").replace(" :", ":")
        if mark is not None:
            placed.append((start, len(text), mark))
        text += " " if piece[-1] == " " else ""
    return text[:1].upper() + text[1:].rstrip(), placed
