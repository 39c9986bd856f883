"""The model file that ships: whole, of our format, cut as our tokenizer cuts, and as good as its card says."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path
from random import Random
from typing import Any

import llama_cpp
import numpy as np
import pytest

from radcal.findings.model.bundled import ASK, BEGIN, END, FORMAT, IS, answer_token, plain, trained_on
from radcal.findings.model.local_pairs import LocalPairReader
from radcal.findings.model.options import LlamaOptions
from radcal.findings.readers.alone import ReadingAlone
from radcal.findings.readers.pairs import Question, assertions, phrases_of
from radcal.review.files import read_gold
from radcal.system.progress import SILENT
from radcal.words.phrases import load_lexicon
from tools.mini.evaluate import judge, read_documents
from tools.mini.generator import Generator
from tools.mini.tokenizer import Tokenizer

ROOT = Path(__file__).resolve().parents[3]
MODEL = ROOT / "models" / "radcal-mini-q8_0.gguf"
GOLD = ROOT.parent / "shared" / "data" / "gold"
_SIZES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


def metadata(path: Path) -> dict[str, Any]:
    """The metadata of a GGUF file, read by the format's description and nothing else."""
    with path.open("rb") as file:

        def one(kind: int) -> Any:
            if kind == 8:
                return file.read(one(10)).decode()
            if kind == 9:
                inner, n = one(4), one(10)
                return [one(inner) for _ in range(n)]
            layout = "<" + _SIZES[kind]
            return struct.unpack(layout, file.read(struct.calcsize(layout)))[0]

        assert file.read(4) == b"GGUF"
        assert one(4) == 3
        one(10)
        return {one(8): one(one(4)) for _ in range(one(10))}


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    return metadata(MODEL)


@pytest.fixture(scope="module")
def cutter(values: dict[str, Any]) -> Tokenizer:
    pairs = [tuple(p.split(" ")) for p in values["tokenizer.ggml.merges"]]
    return Tokenizer(values["tokenizer.ggml.tokens"], [(a, b) for a, b in pairs])


def test_the_file_is_the_one_that_the_checksum_and_the_card_name() -> None:
    digest = hashlib.sha256(MODEL.read_bytes()).hexdigest()
    assert f"{digest}  {MODEL.name}\n" in (MODEL.parent / "SHA256SUMS").read_text()
    assert digest in MODEL.with_suffix(".md").read_text()


def test_the_file_is_small() -> None:
    assert MODEL.stat().st_size <= 8_000_000


def test_the_file_speaks_the_protocol(values: dict[str, Any], cutter: Tokenizer) -> None:
    assert values["radcal.format"] == FORMAT
    assert values["general.architecture"] == "llama"
    assert trained_on(cutter.pieces) == phrases_of(load_lexicon())
    assert values["tokenizer.ggml.bos_token_id"] == cutter.pieces.index(BEGIN)
    assert values["tokenizer.ggml.eos_token_id"] == cutter.pieces.index(END)
    assert values["tokenizer.ggml.add_bos_token"] is True


def test_llama_cpp_cuts_texts_as_our_tokenizer_does(cutter: Tokenizer) -> None:
    llama = llama_cpp.Llama(str(MODEL), vocab_only=True, verbose=False)
    generator, random = Generator(), Random(3)
    odd = [
        " __a_b--c",
        " it's 'd 'll",
        " #.#/#mm",
        " <s> </s> <ask> <is> <present>",
        " ~~ ?!",
        ' "q" (x)...\\',
        " a/b&c+d - e",
    ]
    try:
        for text in [*odd, *(plain(generator.example(random).text) for _ in range(300))]:
            assert llama.tokenize(text.encode(), add_bos=False, special=False) == cutter.encode(text), text
    finally:
        llama.close()


def test_the_reader_asks_as_the_protocol_says(cutter: Tokenizer) -> None:
    sentence, words = "Small left effusion, possible SCARRING of the apex.", ("effusion", "SCARRING")
    with LocalPairReader(MODEL, LlamaOptions(threads=1)) as reader:
        (answers,) = reader.answer([[Question(sentence, "en", words, words)]], SILENT)
        tokens = [cutter.pieces.index(answer_token(phrase)) for phrase in reader.phrases]
    llama = llama_cpp.Llama(str(MODEL), n_ctx=128, logits_all=True, verbose=False)
    try:
        for word, chances in zip(words, answers.chances[0], strict=True):
            asked = f"{BEGIN}{plain(sentence)}{ASK}{plain(word)}{IS}"
            prompt = llama.tokenize(asked.encode(), add_bos=False, special=True)
            llama.reset()  # type: ignore[no-untyped-call]
            llama.eval(prompt)
            weights = np.exp(llama.scores[len(prompt) - 1][tokens].astype(float))
            assert chances == pytest.approx(weights / weights.sum(), abs=0.02)
    finally:
        llama.close()


def test_any_words_are_asked_of_and_the_words_around_them_decide() -> None:
    cues = {"No": "absent", "There is a": "present", "Possible": "hedged"}
    asked = [
        Question(f"{cue} {name} at the left base.", "en", (name,), (name,))
        for cue in cues
        for name in ("pleural effusion", "nodule", "blorbitis", "aortic dissection")
    ]
    with LocalPairReader(MODEL, LlamaOptions(threads=1)) as reader:
        (answers,) = reader.answer([asked], SILENT)
        for question, chances in zip(asked, answers.chances, strict=True):
            mass = assertions(reader.phrases, chances[0])
            cue = next(c for c in cues if question.sentence.startswith(c))
            assert max(mass, key=mass.__getitem__) == cues[cue], question.sentence


def test_real_reports_are_read_as_well_as_promised() -> None:
    if not GOLD.is_dir():
        pytest.skip("the annotated reports are not beside this checkout")
    documents = read_documents(GOLD / "dev_reports.jsonl")
    with LocalPairReader(MODEL, LlamaOptions(threads=1)) as reader:
        ids = [d.report_id for d in documents]
        (judged,) = judge(ReadingAlone(reader), documents, read_gold(GOLD / "dev_gold.tsv"), {"all": ids})
    assert judged.figures["assertion"][0] >= 0.97
    assert judged.figures["graded phrase"][0] >= 0.96
    assert judged.figures["hedged graded"][0] >= 0.88
