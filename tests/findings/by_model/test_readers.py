"""Reports to prompts and answers to readings, with a vocabulary of single signs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.by_model.protocol import special_tokens
from radcal.findings.by_model.readers import Reading, ReportReader, SentenceReader, make_reader
from radcal.findings.by_model.rows import OVERLAP, Rows, shown
from radcal.findings.model.chat import MARK, Chat
from radcal.findings.model.questions import Guide, Question
from radcal.system.errors import InputError

PATHOLOGIES = ("mass", "nodule")
SPECIALS = special_tokens(PATHOLOGIES)
PHRASES = ("absent", "present", "likely")


class Signs:
    """A vocabulary with one token for each sign."""

    words = 0x110000

    def tokens(self, text: str, *, special: bool = False, begin: bool = False) -> list[int]:
        return [2] * begin + [ord(c) for c in text]

    def inner_tokens(self, text: str) -> list[int]:
        return self.tokens(text)

    def piece(self, token: int) -> str:
        return chr(token)


class Printable(Signs):
    """A vocabulary of the bundled model's format."""

    words = 256 + len(SPECIALS)

    def piece(self, token: int) -> str:
        return chr(token) if token < 256 else SPECIALS[token - 256]


def reader(context: int = 600, most: int = 8) -> ReportReader:
    return ReportReader(
        Signs(),
        Chat(f"Read.\n{MARK}Findings:\n"),
        Rows(Signs().inner_tokens, PATHOLOGIES, PHRASES, "number", most),
        begin=True,
        context=context,
    )


def text(tokens: Sequence[int]) -> str:
    return "".join(map(chr, tokens))


def _random(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - no secret


def answered(guide: Guide, answer: str | Random) -> list[int]:
    """The tokens of a written answer, or of one at random."""
    tokens: list[int] = []
    while not guide.done:
        token = ord(answer[len(tokens)]) if isinstance(answer, str) else answer.choice(guide.allowed())
        guide.advance(token)
        tokens.append(token)
    return tokens


def test_a_report_stands_behind_the_static_prompt() -> None:
    made = reader()
    assert text(made.prefix) == "\x02Read.\n"
    [question], recalled = made.questions(['No "mass".', "", "A\nnodule."])
    assert text(question.tokens) == "[1] No 'mass'.\n[2] A nodule.\nFindings:\n"
    assert recalled == []


def test_an_answer_becomes_readings_with_the_place_of_the_words() -> None:
    made = reader()
    [question], _ = made.questions(["", "A mass is hard to dismiss."])
    answer = answered(question.guide, '- 1, "mass", "hard to dismiss"\n- 1, "nodule", "absent"\n- end\n')
    chances = [-0.001] * len(answer)
    first, second = made.readings(question, answer, chances)
    assert first == Reading(1, "mass", "hard to dismiss", None, (10, 25), pytest.approx(0.969, abs=0.002))
    assert (second.said, second.cue) == ("absent", None)


def test_a_report_without_words_asks_nothing() -> None:
    assert reader().questions([]) == ([], [])
    assert reader().questions(["", " \n "]) == ([], [])


def test_an_answer_with_too_many_findings_is_not_trusted() -> None:
    made = reader(most=1)
    [question], _ = made.questions(["A mass."])
    answer = answered(question.guide, '- 1, "mass", "present"\n- end\n')
    with pytest.raises(ValueError, match="more than 1 findings"):
        made.readings(question, answer, [0.0] * len(answer))


def test_a_prompt_that_leaves_no_room_is_refused_with_the_numbers() -> None:
    with pytest.raises(InputError, match="takes 17 tokens of a context of 100"):
        reader(context=100)


TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=400), max_size=12)


@settings(deadline=None, max_examples=60)
@given(sentences=TEXTS, seed=st.integers())
def test_every_sentence_is_read_once_however_long_the_report(sentences: list[str], seed: int) -> None:
    made = reader()
    questions, _ = made.questions(sentences)
    read: list[tuple[int, int, str]] = []
    for n, question in enumerate(questions):
        assert len(made.prefix) + len(question.tokens) <= 600
        part, guide = question.source
        context = guide._at
        assert context <= (OVERLAP if n else 0)
        read += [(p.sentence, p.start, p.text) for p in part[context:]]
        answer = answered(guide, _random(seed + n))
        if not guide.cut:
            for reading in made.readings(question, answer, [0.0] * len(answer)):
                piece = next(p for p in part if p.sentence == reading.sentence)
                assert piece in part
                if reading.cue:
                    assert shown(sentences[reading.sentence])[slice(*reading.cue)] == reading.said
    assert read == sorted(read, key=lambda r: r[:2])
    for i, sentence in enumerate(sentences):
        whole = "".join(t for s, _, t in read if s == i)
        assert whole.split() == sentence.split()
        assert all(sentence[start : start + len(t)] == t for s, start, t in read if s == i)


def asked_alone(made: SentenceReader, question: Question, seed: int) -> list[Reading]:
    answer = answered(question.guide, _random(seed))
    return made.readings(question, answer, [-0.1] * len(answer))


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10_000))
def test_the_bundled_models_rows_name_words_of_their_sentence(seed: int) -> None:
    made = SentenceReader(Printable(), PATHOLOGIES)
    assert made.prefix == []
    sentences = ["Small Effusion, may be old.", "No MASS"]
    questions, _ = made.questions(sentences)
    assert [q.source[0] for q in questions] == [0, 1]
    for question in questions:
        for r in asked_alone(made, question, seed):
            assert r.term is not None
            assert 0 <= r.term[0] < r.term[1] <= len(sentences[r.sentence])
            assert r.said in ("present", "absent", "hedged")
            assert 0 < r.probability < 1


def test_a_sentence_is_asked_once_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radcal.findings.by_model.readers._REMEMBERED", 2)
    made = SentenceReader(Printable(), PATHOLOGIES)
    [question], _ = made.questions(["No mass."])
    first = asked_alone(made, question, 4)
    questions, recalled = made.questions(["Other.", "No mass."])
    assert len(questions) == 1
    assert [(r.sentence, r.pathology, r.term) for r in recalled] == [(1, r.pathology, r.term) for r in first]
    for n in range(2):
        [more], _ = made.questions([f"{'ab'[n]} thing."])
        asked_alone(made, more, 0)
    assert len(made.questions(["No mass."])[0]) == 1


def test_another_vocabulary_does_not_speak_the_format() -> None:
    with pytest.raises(ValueError, match="radcal-rows"):
        SentenceReader(Signs(), PATHOLOGIES)


def test_the_bundled_model_is_asked_about_what_it_was_trained_on() -> None:
    made = SentenceReader(Printable(), (*PATHOLOGIES, "opacity"))
    questions, _ = made.questions([f"Opacity {'ab' * n}." for n in range(1, 20)])
    assert {r.pathology for n, q in enumerate(questions) for r in asked_alone(made, q, n)} == set(PATHOLOGIES)
    with pytest.raises(ValueError, match="no pathology named nodule"):
        SentenceReader(Printable(), PATHOLOGIES[:1])


def test_a_vocabulary_that_cannot_write_the_answers_is_refused() -> None:
    class Lossy(Signs):
        """Knows no quotation marks."""

        def inner_tokens(self, text: str) -> list[int]:
            return [t for t in super().inner_tokens(text) if t != ord('"')]

        def written(self, tokens: Sequence[int]) -> str:
            return text(tokens)

        def chat_template(self) -> str:
            return ""

    values = {"sentences": False, "base": f"Read.\n{MARK}", "prompt": "base", "reference": "number", "most": 4}
    with pytest.raises(InputError, match="cannot write 'edema', which answers need"):
        make_reader(Lossy(), {**values, "pathologies": ["edema"], "phrases": ["likely"]}, 600)
