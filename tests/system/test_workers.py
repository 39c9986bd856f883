"""Children that answer side by side: the same answers in the same order, few items in memory, and no item that stops
the others.

The children here run a small module that is written for the test; what they are asked is a number.
"""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from radcal.system import processes, workers
from radcal.system.errors import Cancelled, EngineError
from radcal.system.progress import SILENT
from radcal.system.workers import LOST, Workers, number_of, packed, processors, unpacked

SQUARES = """
import os, time
from radcal.system.errors import InputError

def prepare(order):
    if order.get("refuses"):
        raise InputError("The words are others.")
    def answer(item):
        if item in order.get("deadly", ()):
            os._exit(9)
        once = order.get("once")
        if once and item == once[0] and not os.path.exists(once[1]):
            open(once[1], "w").close()
            os._exit(9)
        if item in order.get("raises", ()):
            raise ValueError("the text of a report")
        print("a library prints this")
        time.sleep(order.get("seconds", 0.0))
        return [item * item, os.getpid()]
    return lambda items: map(answer, items)
"""


@pytest.fixture
def squares(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Workers]:
    """Makes workers that square numbers in children and, told by the process id 0, in this process."""
    folders = [str(Path(workers.__file__).parents[2]), str(tmp_path)]
    (tmp_path / "squares.py").write_text(SQUARES, encoding="utf-8")
    code = f"import sys; sys.path[:0] = {folders}; from radcal.system.workers import main; main()"
    monkeypatch.setattr(processes, "child_command", lambda _: [sys.executable, "-I", "-c", code])

    def make(n: int = 2, batch: int = 5, few: int = 0, **order: Any) -> Workers:
        return Workers("squares", order, n, batch, lambda items: ([item * item, 0] for item in items), few)

    return make


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The children that were started."""
    made: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def noted(*args: Any, **more: Any) -> subprocess.Popen[bytes]:
        made.append(start(*args, **more))
        return made[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    return made


def values(answers: Any) -> list[Any]:
    return [answer if answer is LOST else answer[0] for answer in answers]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_answers_come_in_order_however_many_answer(squares: Callable[..., Workers], n: int) -> None:
    answers = list(squares(n, few=7)(range(103), SILENT))
    assert values(answers) == [i * i for i in range(103)]
    children = {pid for _, pid in answers} - {0}
    assert len(children) <= n
    assert bool(children) == (n > 1)


def test_a_small_job_starts_no_process(squares: Callable[..., Workers], begun: list[Any]) -> None:
    for few in (0, 9, 10, 11, 19):
        assert values(squares(few=10)(range(few), SILENT)) == [i * i for i in range(few)]
        assert not begun
    assert values(squares(few=10)(range(20), SILENT)) == [i * i for i in range(20)]
    assert begun


def test_children_end_with_the_answers_and_when_nobody_wants_more(
    squares: Callable[..., Workers], begun: list[subprocess.Popen[bytes]]
) -> None:
    list(squares()(range(20), SILENT))
    answers = squares()(range(1000), SILENT)
    next(answers)
    answers.close()  # type: ignore[attr-defined]  # a generator
    assert begun
    assert all(child.poll() is not None for child in begun)


@pytest.mark.parametrize("items", [[], [3]])
def test_none_and_one(squares: Callable[..., Workers], items: list[int]) -> None:
    assert values(squares()(items, SILENT)) == [i * i for i in items]


def test_few_items_are_in_memory(squares: Callable[..., Workers]) -> None:
    class Item(int):
        alive = 0
        most = 0

        def __new__(cls, value: int) -> Self:
            cls.alive += 1
            cls.most = max(cls.most, cls.alive)
            return super().__new__(cls, value)

        def __del__(self) -> None:
            type(self).alive -= 1

    def items() -> Iterator[Item]:
        yield from map(Item, range(2000))

    assert values(squares(2, batch=5)(items(), SILENT)) == [i * i for i in range(2000)]
    # Of two children, each with batches of five: those that wait for each other, and those just taken.
    assert Item.most <= (workers._WINDOW * 2 + 2) * 5


def test_a_deadly_item_is_lost_alone(squares: Callable[..., Workers], begun: list[Any]) -> None:
    answers = values(squares(2, deadly=[7, 31])(range(60), SILENT))
    assert [i for i, answer in enumerate(answers) if answer is LOST] == [7, 31]
    assert [a for a in answers if a is not LOST] == [i * i for i in range(60) if i not in (7, 31)]
    assert len(begun) >= 4  # each of the two killed two children


def test_what_a_child_raises_is_lost_too_and_said_nowhere(
    squares: Callable[..., Workers], capfd: pytest.CaptureFixture[str]
) -> None:
    answers = values(squares(2, raises=[3])(range(12), SILENT))
    assert answers == [LOST if i == 3 else i * i for i in range(12)]
    assert "report" not in "".join(capfd.readouterr())


def test_an_accident_costs_nothing(squares: Callable[..., Workers], tmp_path: Path) -> None:
    once = [8, str(tmp_path / "died")]
    assert values(squares(2, once=once)(range(40), SILENT)) == [i * i for i in range(40)]
    assert (tmp_path / "died").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
def test_a_killed_child_costs_nothing(squares: Callable[..., Workers], begun: list[subprocess.Popen[bytes]]) -> None:
    answers = squares(2, seconds=0.002)(range(200), SILENT)
    first = next(answers)
    os.kill(begun[0].pid, signal.SIGKILL)
    assert values([first, *answers]) == [i * i for i in range(200)]
    assert len(begun) >= 3


def test_children_that_cannot_begin_are_an_error(squares: Callable[..., Workers], monkeypatch: Any) -> None:
    with pytest.raises(EngineError, match="The words are others"):
        list(squares(refuses=True)(range(9), SILENT))
    with monkeypatch.context() as patch:
        patch.setattr(processes, "child_command", lambda _: [sys.executable, "-c", ""])
        with pytest.raises(EngineError, match="end as soon as they are started"):
            list(squares()(range(9), SILENT))

    def none(*_: Any, **__: Any) -> Any:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(subprocess, "Popen", none)
    with pytest.raises(EngineError, match="cannot be started: No such file or directory"):
        list(squares()(range(9), SILENT))


@pytest.mark.parametrize("few", [0, 1000])
def test_cancelling_ends_the_children(
    squares: Callable[..., Workers], begun: list[subprocess.Popen[bytes]], onlooker: Any, few: int
) -> None:
    progress = onlooker()
    answers = squares(2, seconds=0.001, few=few)(range(100_000), progress)
    next(answers)
    progress.cancelled = True
    with pytest.raises(Cancelled):
        list(answers)
    assert all(child.poll() is not None for child in begun)


@pytest.mark.parametrize("few", [0, 1000])
def test_paused_workers_answer_nothing_until_they_go_on(squares: Callable[..., Workers], few: int) -> None:
    several, seen, done = squares(2, few=few), list[int](), threading.Event()
    answers = several(range(50), SILENT)
    seen.append(next(answers)[0])
    several.pause()
    if not few:
        seen += values(itertools.islice(answers, 4))  # the rest of a batch that was answered before

    def rest() -> None:
        seen.extend(values(answers))
        done.set()

    thread = threading.Thread(target=rest)
    thread.start()
    assert not done.wait(0.3)
    several.resume()
    thread.join()
    assert seen == [i * i for i in range(50)]


def test_a_paused_job_can_be_cancelled(squares: Callable[..., Workers], onlooker: Any) -> None:
    several, progress = squares(2), onlooker()
    several.pause()
    timer = threading.Timer(0.2, lambda: setattr(progress, "cancelled", True))
    timer.start()
    with pytest.raises(Cancelled):
        list(several(range(50), progress))


def test_half_characters_pass_through() -> None:
    for value in ("\ud800 half", "ä\u2028ö", [1, None, 0.5, {"a": ["b"]}]):
        assert unpacked(packed(value)) == value
        assert packed(value).count(b"\n") == 1


def test_how_many_a_setting_stands_for() -> None:
    assert number_of(30, most=4) == 30
    assert number_of(0, most=10_000) == processors() >= 1
    assert number_of(0, most=1) == 1


def test_the_parent_of_no_child_is_not_waited_for(squares: Callable[..., Workers]) -> None:
    """A child ends when its parent's end of the pipe is closed."""
    command = processes.child_command("squares")
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603 - our own program
    out, _ = child.communicate(packed(["squares", {}, [2]]), timeout=60)
    assert child.returncode == 0
    assert unpacked(out.splitlines()[0]) == ["ready"]
    assert unpacked(out.splitlines()[1])[1][0][0] == 4
