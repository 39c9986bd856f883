"""Texts: English as an f-string would write it, the same sentence in German, and nothing lost on the way."""

from __future__ import annotations

import ast
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

import radcal
from radcal.system.errors import InputError, RadcalError, reason_of
from radcal.system.language.catalogue import language
from radcal.system.text import Text, either, joined, listed, made_of

GERMAN = language("de")
_ROOT = Path(radcal.__file__).parent


def test_a_text_is_its_english_sentence() -> None:
    text = Text("{name}, line {n:,}: {word!r} is {share:.1f} %.", name="a.csv", n=1204, word="likely", share=0.25)
    assert text == "a.csv, line 1,204: 'likely' is 0.2 %."
    assert json.dumps({"text": text}) == json.dumps({"text": "a.csv, line 1,204: 'likely' is 0.2 %."})
    assert Text("no {values} here") == "no {values} here"


def test_a_count_chooses_its_template() -> None:
    one, many = "{n:,} use; advice needs {min}.", "{n:,} uses; advice needs {min}."
    said = [Text(one, many=many, n=n, min=10) for n in (0, 1, 1204)]
    assert said == ["0 uses; advice needs 10.", "1 use; advice needs 10.", "1,204 uses; advice needs 10."]
    assert [GERMAN.write(text) for text in said] == [
        "0 Verwendungen; eine Empfehlung braucht 10.",
        "1 Verwendung; eine Empfehlung braucht 10.",
        "1.204 Verwendungen; eine Empfehlung braucht 10.",
    ]


def test_texts_are_values_of_texts_and_may_begin_with_a_capital() -> None:
    word = Text("a plain 'no'")
    text = Text("{better!c}.", better=word)
    assert text == "A plain 'no'."
    assert GERMAN.write(text) == "Ein klares \u201ekein\u201c."
    assert Text("{name} is empty. Export the reports again.", name="march.csv").startswith("march.csv is empty.")


def test_several_are_joined_listed_or_offered() -> None:
    assert joined(["A.", "", Text("B.")]) == "A. B."
    assert [listed(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [either(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a or b or c"]
    assert GERMAN.write(listed(["a", "b", "c"])) == "a, b und c"
    assert GERMAN.write(joined([Text("Stopped."), Text("Nothing was answered yet.")])) == (
        "Angehalten. Noch wurde nichts beantwortet."
    )


def test_what_stands_in_a_value_is_never_taken_for_words_of_radcal() -> None:
    """Names of files and words of reports stay, whatever looks like a text, a number, a range or a placeholder."""
    name = "Stopped. 'a' {n} 1-2 % 1,204.csv"
    assert GERMAN.write(Text("{name} is empty. Export the reports again.", name=name)).startswith(name)


def test_an_error_carries_its_text() -> None:
    text = Text("There is no file {path}. Check the name and the folder.", path=Path("a", "b.csv"))
    assert str(InputError(text)) is text
    error = InputError("There is no file {path}. Check the name and the folder.", path=Path("a", "b.csv"))
    assert str(error) == error.text == text
    assert GERMAN.write(str(error)).startswith("Es gibt keine Datei a")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert again.text.values == text.values
    assert RadcalError().text == ""


def test_reasons_of_the_system_are_translated() -> None:
    why = reason_of(PermissionError(13, "Permission denied"))
    error = InputError("{path} cannot be written: {reason}. Choose another place.", path="x", reason=why)
    assert error.text.values["reason"] == "Permission denied"
    assert (
        GERMAN.write(error.text)
        == "x kann nicht geschrieben werden: keine Berechtigung. W\u00e4hlen Sie einen anderen Ort."
    )
    assert reason_of(OSError("half")) == "OSError"


@pytest.mark.parametrize(
    "text",
    [
        Text(),
        Text("Nothing."),
        Text("{n:,} use; advice needs {min}.", many="{n:,} uses; advice needs {min}.", n=7, min=10),
        Text("{choice!c} would have matched.", choice=Text("{word!r}", word="it's")),
    ],
)
def test_a_text_is_kept_as_plain_values(text: Text) -> None:
    back = made_of(json.loads(json.dumps(text.record())))
    assert back == text
    assert (back.template, back.many, back.values) == (text.template, text.many, text.values)


def _formatted() -> Iterator[str]:
    """Errors whose message is put together outside a text, so that no language could write it."""
    names = {"InputError", "DataError", "EngineError", "NothingSaid", "WorkspaceError", "NoAccess", "DamagedWorkspace"}
    for path in sorted(_ROOT.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if any(f"{name}(" in text for name in names) else ():
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in names and node.args):
                continue
            if isinstance(node.args[0], ast.JoinedStr | ast.BinOp):
                yield f"{path.relative_to(_ROOT).as_posix()}:{node.lineno}"


def test_messages_are_templates() -> None:
    assert [place for place in _formatted() if not place.startswith(("cli/", "extract/mini/"))] == []
