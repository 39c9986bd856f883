"""Words for the generator: spelled from the rules' files, invented, or mistyped."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import chain
from pathlib import Path
from random import Random

from radcal.findings.readers.pairs import NOT_STATED, Spotter
from radcal.words.records import OTHER, UNREAD
from radcal.words.word_files import CUE_COLUMNS, CUES, TERM_COLUMNS, TERMS, rows_of
from tools.mini.grammar import CODES

HERE = Path(__file__).parent
_CODE = {name: code for code, name in CODES.items() if name}


def _listed(words: str) -> list[str]:
    return words.split()


_MEDICAL_FRONT = _listed(
    "hyper hypo peri endo pan intra extra para sub supra inter trans poly hemi neuro pseudo retro hemo osteo myo angio"
    " broncho gastro hepato nephro cysto arthro chondro lipo dermo spondylo tracheo vaso xantho"
)
_MEDICAL_ROOT = _listed(
    "card hepat ren pulmon neur oste my arthr gastr enter col pleur bronch cyst chol pancreat splen vascul ather sarc"
    " fibr scler sten mal plas phag troph thym thyr mening myel spondyl synov tend burs laryng kerat lith"
)
_MEDICAL_BACK = _listed(
    "itis osis oma opathy ectasis emia algia plegia megaly malacia sclerosis stenosis trophy plasia cele lysis ptosis"
    " spasm lithiasis iasis"
)
_ONSET = _listed("b c d f g h j k l m n p r s t v w br cr dr fl gr pl pr sc sh sl sp st str tr th ch qu")
_VOWEL = _listed("a e i o u ai ea ie io oa ou")
_CODA = ["", "", "b", "ck", "d", "l", "ll", "m", "n", "nd", "ng", "nt", "p", "r", "rd", "rm", "s", "st", "t", "th", "x"]


def medical_word(random: Random) -> str:
    """An invented medical condition."""
    front = random.choice(_MEDICAL_FRONT) if random.random() < 0.5 else ""
    return front + random.choice(_MEDICAL_ROOT) + random.choice(_MEDICAL_BACK)


def any_word(random: Random) -> str:
    """An invented word of one to three syllables."""
    syllables = random.choice((1, 2, 2, 3))
    word = "".join(random.choice(_ONSET) + random.choice(_VOWEL) for _ in range(syllables)) + random.choice(_CODA)
    return word + random.choice(("", "", "", "ed", "ing", "al", "ly", "s"))


def mistyped(word: str, random: Random) -> str:
    """The word with one letter dropped, doubled, swapped with its neighbour or replaced."""
    if len(word) < 4:
        return word
    i = random.randrange(1, len(word) - 1)
    kind = random.randrange(4)
    if kind == 0:
        return word[:i] + word[i + 1 :]
    if kind == 1:
        return word[:i] + word[i] + word[i:]
    if kind == 2:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    return word[:i] + random.choice("abcdefghijklmnopqrstuvwxyz") + word[i + 1 :]


_SIGNS_OF_RULES = re.compile(r"[*<>!]|\.\.")
"""Signs of the notation that stand for words of any kind, of which none can be written down."""


class Spelled:
    """Random spellings of the rules' terms and cues of one language.

    Args:
        folder: of the language's files, in the notation of the rules.
    """

    def __init__(self, folder: Path) -> None:
        self._terms: dict[str, list[str]] = {}
        self._negations: dict[str, list[str]] = {}
        self._hedges: dict[str, dict[str, list[str]]] = {}
        self._silences: dict[str, list[str]] = {}
        for row in rows_of(folder / TERMS, TERM_COLUMNS):
            names, words = row["pathology"], row["words"]
            if names == "-" or all(n in _CODE for n in names.split(" + ")):
                self._terms.setdefault(names, []).append(words)
        for row in rows_of(folder / CUES, CUE_COLUMNS):
            kind, phrase, direction, words = (row[column] for column in ("kind", "phrase", "direction", "words"))
            if _SIGNS_OF_RULES.search(words):
                continue
            if kind == "silence":
                self._silences.setdefault(direction, []).append(words)
            if kind == "negation" and words != "(none|nil|nothing)":
                self._negations.setdefault(direction, []).append(words)
            if kind == "hedge" and phrase != "other":
                self._hedges.setdefault(direction, {}).setdefault(phrase, []).append(words)

    def term(self, random: Random) -> str:
        """A term of any pathology, in the grammar's notation."""
        names = random.choice([n for n in self._terms if n != "-"])
        code = "+".join(_CODE[n] for n in names.split(" + "))
        return f"<{code}|{escaped(spell(random.choice(self._terms[names]), random))}>"

    def lookalike(self, random: Random) -> str:
        """Words that resemble a term but are none."""
        return escaped(spell(random.choice(self._terms["-"]), random))

    def hedge(self, direction: str, random: Random) -> str:
        """A hedge before or after its finding; all phrases are equally frequent."""
        if "both" in self._hedges and random.random() >= 0.7:
            direction = "both"
        phrases = self._hedges[direction]
        rows = phrases[random.choice(list(phrases))]
        return escaped(spell(random.choice(rows), random))

    def silence(self, random: Random) -> str:
        """Words before something of which nothing is asserted."""
        return escaped(spell(random.choice(self._silences["before"]), random))

    def negation(self, direction: str, random: Random) -> str:
        """A negation before or after its finding."""
        return escaped(spell(random.choice(self._negations[direction]), random))


class Frames:
    """Sentences whose statements were read by hand, with terms exchanged for others of their kind.

    Args:
        paths: files of sentences, a tab, and what they state.
        spotter: finds their terms.
        code: of their language.
        exchanged: rules of the grammar that stand for a term, by code of its pathology.
    """

    def __init__(self, paths: Iterable[Path], spotter: Spotter, code: str, exchanged: Collection[str]) -> None:
        rows = chain.from_iterable(map(_rows, paths))
        frames = (_frame(text, stated, spotter, code) for text, stated, *_ in rows)
        self._frames = list(filter(None, frames))
        self._exchanged = exchanged

    def frame(self, random: Random) -> str:
        """A sentence in the grammar's notation."""
        return _TERM.sub(lambda found: _exchanged(found, self._exchanged, random), random.choice(self._frames))


def _frame(text: str, stated: str, spotter: Spotter, code: str) -> str:
    """The sentence in the grammar's notation; '' where one pathology is said twice, or terms overlap or differ."""
    answers: dict[str, str] = {}
    for said in filter(None, stated.split("; ")):
        pathology, phrase = said.split("=")
        if pathology in answers or phrase in (OTHER, UNREAD):
            return ""
        answers[pathology] = phrase
    named = spotter.named(text, code)
    silent = {n.pathology for n in named} - set(answers)
    if not named or (silent and set(answers) - {n.pathology for n in named}):
        return ""  # what a name without an answer states may be what no name was found for
    spans: dict[tuple[int, int], set[str]] = {}
    for n in named:
        spans.setdefault((n.start, n.end), set()).add(n.pathology)
    out, at = "", 0
    for number, (start, end) in enumerate(sorted(spans), 1):
        names = spans[start, end]
        given = {answers.get(name, NOT_STATED) for name in names}
        if start < at or number > _MOST_NAMES or not names <= set(_CODE) or len(given) > 1:
            return ""
        words, codes = escaped(text[start:end]), "+".join(sorted(_CODE[name] for name in names))
        out += f"{escaped(text[at:start])}[{number}={given.pop()}]<{codes}^{number}|{words}>"
        at = end
    return out + escaped(text[at:]).rstrip(". ")


_MOST_NAMES = 7
_TERM = re.compile(r"<([a-z+]+)((?:\^\d)?)\|((?:[^>\\]|\\.)*)>")
_KINDS = [
    _listed(kind)
    for kind in (
        "eff ptx ede con opa",
        "con opa atl inf asp ede",
        "nod mas gra mal lym",
        "fib emp thk atl gra",
        "her fra",
    )
]
_NO_NOUN = re.compile(
    r"heart|lung|silhouette|contour|node|pericard|cardi|\W|(?:ed|tic|ous|ant|al|ive|itic|ating|sing)$"
)


def _exchanged(found: re.Match[str], rules: Collection[str], random: Random) -> str:
    code, mark, words = found.groups()
    if "+" in code or len(words) < 4 or _NO_NOUN.search(words.lower().replace(" ", "")):
        return found[0]
    chance = random.random()
    others = [c for kind in _KINDS if code in kind for c in kind] or [code]
    rule = "t_any" if chance > 0.9 else f"t_{random.choice(others)}" if chance > 0.65 else f"t_{code}"
    if chance <= 0.4 or rule not in rules:
        return found[0]
    return f"{{{rule}{mark}}}"


def spell(notation: str, random: Random) -> str:
    """A random wording of the rules' notation: (a|b) for alternatives, [a] for optional words."""
    words, _ = _spell(notation, 0, random, "")
    words = re.sub("~", lambda _: random.choice(("", "", "e", "en", "er", "es")), words).replace("*", "")
    return " ".join(words.split()).replace(" ,", ",").replace(" .", ".")


def _spell(text: str, at: int, random: Random, closing: str) -> tuple[str, int]:
    branches, current = [], ""
    while at < len(text) and (not closing or text[at] != closing):
        c = text[at]
        at += 1
        if c in "([":
            inner, at = _spell(text, at, random, ")" if c == "(" else "]")
            current += inner if c == "(" or random.random() < 0.3 else ""
        elif c == "|":
            branches.append(current)
            current = ""
        else:
            current += c
    return random.choice([*branches, current]), at + 1


def escaped(words: str) -> str:
    """The words themselves in the grammar's notation."""
    return re.sub(r"([{}()<>\[\]|\\])", r"\\\1", words)


def _rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text("utf-8").splitlines() if line.strip() and line[0] != "#"]
