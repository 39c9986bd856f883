"""All stages, with a model that answers as it is told and an adapter that nobody trained."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.random_gguf import Shape, write_llama
from radcal.findings.model.gguf_file import read_gguf
from radcal.lab.asking import run as asking
from radcal.lab.asking.asker import Question
from radcal.lab.asking.run import HowToAsk, Opened
from radcal.lab.finetuning import run
from radcal.lab.finetuning.forms import near
from radcal.lab.finetuning.run import HowToTune, Tuned, finetune
from radcal.lab.finetuning.training import Lesson, Trained
from radcal.system.errors import Cancelled, InputError
from radcal.system.exports import Exports
from radcal.system.progress import SILENT, Silent

QUESTIONS = [Question(f"Which number is {n}?", (str(n),), f"topic {n % 6}") for n in range(240)]


def knows(n: int) -> float:
    """How probable it is that the model gives the right answer to a question."""
    return (n % 10 + 0.5) / 10


@dataclass
class Speaker:
    """Knows some answers; says all plainly as it is, and as sure as it is when tuned."""

    tuned: bool
    asked: list[str] = field(default_factory=list)

    def write(self, message: str, lead: str, *, most: int, stops: Sequence[str], samples: int = 1) -> list[str]:
        question = message.rpartition("Question: ")[2]
        self.asked.append(question)
        n = int(question.removeprefix("Which number is ").removesuffix("?"))
        luck = np.random.default_rng(zlib.crc32(f"{question} {samples}".encode()))
        if lead == "Answer:":
            return [str(n) if luck.random() < knows(n) else str(1000 + luck.integers(50)) for _ in range(samples)]
        right = np.random.default_rng(n).random() < knows(n)
        answer = str(n if right else n + 1000)
        return [near(knows(n), 0.1)[0].sentence.format(answer=answer) if self.tuned else f"It is {answer}."]

    def weigh(self, message: str, lead: str, options: Sequence[str]) -> np.ndarray:
        return np.full(len(options), 1 / len(options))

    def numbers(self, message: str, lead: str) -> np.ndarray:
        return np.eye(101)[90]


@dataclass
class World:
    """What the stages work on, and what they did."""

    model: Path
    folder: Path
    asked: list[str] = field(default_factory=list)
    lessons: list[Lesson] = field(default_factory=list)
    trainings: int = 0

    @contextmanager
    def opened(self, path: Path, how: HowToAsk, settings: Any, progress: Any) -> Iterator[Opened]:
        speaker = Speaker(how.adapter is not None, self.asked)
        yield Opened(speaker, f"{path.name} {how.adapter}", tuple)

    def trained(self, model: Path, lessons: Sequence[Lesson], *_: Any) -> Trained:
        self.trainings += 1
        self.lessons = list(lessons)
        zeros = {f"blk.0.attn_q.weight.lora_{part}": np.zeros((4, 4), np.float32) for part in "ab"}
        return Trained(zeros, ((2.0, 2.1), (1.0, 1.2)))

    def tune(self, questions: Sequence[Question] = QUESTIONS, progress: Any = SILENT, **how: Any) -> Tuned:
        return finetune(
            questions,
            HowToTune(self.model, **how),
            self.folder,
            Exports(),
            progress=progress,
            opened=self.opened,
            trained=self.trained,
        )


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(asking, "_DRAWS", 50)  # of the intervals
    return World(write_llama(tmp_path / "tiny.gguf", Shape(32, 1, 1, 1, 32, 400)), tmp_path / "tuned")


def test_before_and_after_on_questions_that_were_not_learnt(world: World) -> None:
    tuned = world.tune()
    assert (tuned.learnt, tuned.held_back, tuned.judged) == (133, 23, 84)
    assert tuned.unanswered == tuned.unusable == 0
    assert len(world.lessons) == tuned.learnt
    found = {(row.way, row.topics): row for row in tuned.figures}
    before, after = found["lc", "all"].figures, found["lc tuned", "all"].figures
    assert before.n == after.n == 84
    assert before.accuracy.value == after.accuracy.value
    assert before.ece.value > 0.35
    assert after.ece.value < before.ece.value / 2
    assert before.auroc.value == 0.5
    assert after.auroc.value > 0.7
    assert found["semantic", "all"].figures.auroc.value > 0.7
    assert found["probability", "all"].mean == pytest.approx(0.9)
    assert found["lc tuned", "new"].figures.n + found["lc tuned", "taught"].figures.n == 84
    assert sum(level["questions"] for level in tuned.levels) == tuned.learnt
    taught = {lesson.asked.rpartition("Question: ")[2].removesuffix("\nReply:") for lesson in world.lessons}
    judged = {json.loads(line)["question"] for line in (world.folder / "after.jsonl").read_text().splitlines()}
    assert len(judged) == 84
    assert not taught & judged
    stored = json.loads((world.folder / "finetune.json").read_text())
    assert stored["made_with"]["model"] == "tiny.gguf"
    assert {row["way"] for row in stored["figures"]} == {"lc", "lc+", "probability", "semantic", "lc tuned"}


@pytest.mark.slow
def test_what_is_done_is_not_done_again(world: World) -> None:
    first = world.tune()
    asked = len(world.asked)
    kept = {path.name: path.read_bytes() for path in world.folder.iterdir()}
    assert world.tune() == first
    assert (len(world.asked), world.trainings) == (asked, 1)
    assert {path.name: path.read_bytes() for path in world.folder.iterdir()} == kept
    (world.folder / "after.jsonl").unlink()
    assert world.tune() == first
    assert (len(world.asked), world.trainings) == (asked + first.judged, 1)


def test_other_lessons_are_trained_anew(world: World) -> None:
    world.tune()
    key = read_gguf(world.folder / "adapter.gguf").text("radcal.made_with")
    world.tune(levels=3)
    assert world.trainings == 2
    assert read_gguf(world.folder / "adapter.gguf").text("radcal.made_with") != key


def test_a_stopped_run_goes_on(world: World) -> None:
    class Stops(Silent):
        left = 300

        def raise_if_cancelled(self) -> None:
            self.left -= 1
            if self.left < 0:
                raise Cancelled

    with pytest.raises(Cancelled):
        world.tune(progress=Stops())
    done = len((world.folder / "samples.jsonl").read_text().splitlines())
    assert done > 0
    asked = len(world.asked)
    tuned = world.tune()
    assert tuned == replace(world.tune(), unanswered=0)
    assert len(world.asked) - asked < 240 + 84 * 4


def test_a_folder_of_another_model_is_left_alone(world: World, tmp_path: Path) -> None:
    world.tune()
    kept = (world.folder / "samples.jsonl").read_bytes()
    world.model = write_llama(tmp_path / "other.gguf", Shape(32, 1, 1, 1, 32, 400))
    with pytest.raises(InputError, match="would be lost"):
        world.tune()
    assert (world.folder / "samples.jsonl").read_bytes() == kept


def test_too_few_questions_are_refused_before_any_is_asked(world: World) -> None:
    with pytest.raises(InputError, match="60 questions are too few: 30 to learn from and 30 to judge by"):
        world.tune(QUESTIONS[:60])
    assert not world.asked


def test_a_missing_model_and_a_missing_extra_are_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"There is no model file .*none\.gguf"):
        finetune(
            QUESTIONS, HowToTune(Path("none.gguf")), world.folder, Exports(), opened=world.opened, trained=world.trained
        )
    monkeypatch.setattr("radcal.lab.finetuning.training.find_spec", lambda name: None if name == "peft" else name)
    with pytest.raises(InputError, match=r"Fine-tuning needs peft, .*pip install 'radcal\[finetune\]'"):
        run.finetune(QUESTIONS, HowToTune(world.model), world.folder, Exports(), opened=world.opened)
    assert not world.folder.exists()
