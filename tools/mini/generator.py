"""Generator of artificial chest report sentences with their findings, for training; reproducible from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random

from radcal.words.records import PRESENT
from tools.mini.grammar import Grammar, Mark, Piece
from tools.mini.words import HERE, Frames, Spelled, any_word, medical_word, mistyped

_HEADINGS = (
    "LUNGS", "LUNGS/AIRWAYS", "Lungs", "PLEURA", "MEDIASTINUM", "HEART", "Heart", "CHEST", "BONES", "CARDIOVASCULAR",
    "FINDINGS", "IMPRESSION", "Impression", "LYMPH NODES", "CHEST WALL", "UPPER ABDOMEN", "LUNGS AND PLEURA",
    "Lungs and airways", "Pleural spaces", "Heart/mediastinum", "Devices/Tubes/LINES: None. LUNGS",
    "Bones and soft tissues", "Pulmonary parenchyma", "Cardiomediastinum", "Pulmonary arteries", "Other",
)  # fmt: skip
_HEADED = 0.13
_NUMBERED = 0.05
_BLANKED = 0.06
_MISTYPED = 0.05
_CONTEXT_WORDS = ("again", "also", "now", "otherwise", "additionally", "in addition", "currently", "as well", "overall")


@dataclass(frozen=True, slots=True)
class Statement:
    """A finding of an example, with spans in its text; ``cue`` is None without a cue."""

    pathology: str
    state: str
    term: tuple[int, int]
    cue: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with its findings, in the order of the terms."""

    text: str
    statements: tuple[Statement, ...]


class Generator:
    """Examples from the grammar, made as untidy as real reports."""

    def __init__(self) -> None:
        spelled = Spelled()
        self.grammar = Grammar(
            (HERE / "grammar.txt").read_text("utf-8"),
            {
                "n": _number,
                "w_any": any_word,
                "w_med": medical_word,
                "frame": Frames().frame,
                "lookalike": spelled.lookalike,
                "s_term": spelled.term,
                "s_silence": spelled.silence,
                "s_hedgeb": partial(spelled.hedge, "before"),
                "s_hedgea": partial(spelled.hedge, "after"),
                "s_negb": partial(spelled.negation, "before"),
                "s_nega": partial(spelled.negation, "after"),
            },
        )

    def example(self, random: Random) -> Example:
        return assemble(self._untidy(self.grammar.expand("example", random), random), random)

    def _untidy(self, pieces: list[Piece], random: Random) -> list[Piece]:
        out: list[Piece] = [(self._disturb(text, mark, random), mark) for text, mark in pieces]
        if random.random() < _HEADED:
            out.insert(0, (random.choice(_HEADINGS) + random.choice((": ", ": ", ":", " - ")), None))
        elif random.random() < _NUMBERED:
            out.insert(0, (random.choice((f"{random.randint(1, 9)}. ", f"{random.randint(1, 9)}) ", "* ", "- ")), None))
        elif random.random() < 0.03:
            out.insert(0, (random.choice(_CONTEXT_WORDS) + random.choice((", ", " ")), None))
        end = random.random()
        if end < 0.85:
            out.append((".", None))
        elif end < 0.88:
            out.append((random.choice(("..", f" {random.randint(2, 9)}.", ". .", ";", " .")), None))
        return out

    def _disturb(self, text: str, mark: Mark | None, random: Random) -> str:
        """Insert de-identification blanks, invented words and typing errors; terms and cues are at most mistyped."""
        words = text.split(" ")
        if mark is None:
            for i, word in enumerate(words):
                if word.isalpha() and len(word) > 3 and random.random() < 0.07:
                    kind = random.random()
                    if kind < _BLANKED * 5:
                        words[i] = "XXXX"
                    elif kind < 0.7:
                        words[i] = any_word(random)
                    else:
                        words[i] = mistyped(word, random)
        elif random.random() < _MISTYPED:
            longest = max(range(len(words)), key=lambda i: len(words[i]))
            if len(words[longest]) > 6 and words[longest].isalpha():
                words[longest] = mistyped(words[longest], random)
        return " ".join(words)


def _number(random: Random) -> str:
    """A number as of measurements, images and ribs: mostly small."""
    return str(random.choice((random.randint(1, 9), random.randint(1, 12), random.randint(1, 400))))


def assemble(pieces: list[Piece], random: Random) -> Example:
    """Join pieces into a sentence with single spaces and a capital letter, and locate its terms and cues."""
    text = ""
    placed: list[tuple[int, int, Mark]] = []
    for piece, mark in pieces:
        words = " ".join(piece.split())
        if not words:
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
    style = random.random()
    if style > 0.06:
        text = text[:1].upper() + text[1:]
    if style > 0.97:
        text = text.upper()
    return Example(text.rstrip(), _statements(placed))


def _statements(placed: list[tuple[int, int, Mark]]) -> tuple[Statement, ...]:
    cues = {mark.mark: (a, b, mark.state) for a, b, mark in placed if mark.state}
    found = []
    for a, b, mark in placed:
        if not mark.pathologies:
            continue
        governing = next((cues[mark.mark[:k]] for k in range(len(mark.mark), 0, -1) if mark.mark[:k] in cues), None)
        for pathology in mark.pathologies:
            if governing is None:
                found.append(Statement(pathology, PRESENT, (a, b), None))
            else:
                found.append(Statement(pathology, governing[2], (a, b), governing[:2]))
    return tuple(sorted(found, key=lambda s: s.term[0]))
