"""Why a finding is read as it is: the words, the rule that decides, what the second reader says, and the chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QProgressBar, QWidget

from radcal.findings.readers.pairs import NOT_STATED
from radcal.words.records import ABSENT, PRESENT
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.form import choice
from ui.kit.layout import Item, hbox, panel, scrolled, vbox
from ui.kit.part import Part
from ui.kit.text import clear, label, wrapped
from ui.sentences import topic_name
from ui.words import listed, percent, quoted, say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.findings.readers.explaining import ExplainedFinding, Explanation, SecondOpinion
    from radcal.findings.records import Finding
    from radcal.system.progress import Progress
    from ui.kit.part import Ask, Services

    Decide = Callable[[Finding, str], None]

_WIDTH, _HEIGHT = 560, 420


class WhyDialog(Dialog):
    """The explanation of a finding, by its sentence; one that was left unread can be decided on.

    decide: called with the finding and the phrase decided, '' to take a decision back
    """

    def __init__(self, parent: QWidget, shell: Services, finding: Finding, decide: Decide) -> None:
        super().__init__(say("Why is it read so?"), parent, width=_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.part = WhyPart(shell, finding.pathology)
        self._finding, self._decide = finding, decide
        below: list[Item] = []
        opened = shell.opened
        if (finding.unread or finding.decided) and opened is not None and not (opened.read_only or opened.kind):
            names = [p.name for p in opened.phrases]
            self.phrase = choice(
                say("What the sentence says"), *zip(names, names, strict=True), (say("not stated"), NOT_STATED)
            )
            self.phrase.setCurrentIndex(self.phrase.findData(finding.decided or finding.as_rules_read))
            asked = say("What does it say, then?")
            if finding.decided:
                asked = say("A person decided: {phrase}.", phrase=quoted(finding.decided))
            self.decide = push_button(say("&Decide"), lambda: self._decided(self.phrase.currentData()))
            self.back = push_button(say("&Take back"), lambda: self._decided(""))
            self.back.setVisible(bool(finding.decided))
            below += [label(asked), hbox(self.phrase, self.decide, self.back, None)]
        self.lay_out(wrapped(quoted(finding.sentence), role="strong"), (scrolled(self.part, focusable=True), 1), *below)
        self.resize(_WIDTH, _HEIGHT)
        self.part.show_for(finding.sentence)

    def _decided(self, phrase: str | None) -> None:
        if phrase is not None:
            self.accept()
            self._decide(self._finding, phrase)


class WhyPart(Part[str, "Explanation"]):
    """How a sentence is read now, what was read of ``pathology`` first."""

    operation = "why"

    def __init__(self, shell: Services, pathology: str = "") -> None:
        super().__init__(shell, say("The sentence is being read again\u2026"))
        self._pathology = pathology
        self._rows = vbox(spacing=8)
        self.lay_out(self._rows)

    def ask(self, question: str) -> Ask[Explanation]:
        return partial(_explained, question)

    def withheld(self, record: Explanation) -> str:
        return typographic(record.failure) if not (record.findings or record.terms) else ""

    def show_record(self, record: Explanation) -> None:
        clear(self._rows)
        for item in (*_of_sentence(record), *self._of_findings(record)):
            self._rows.addWidget(item)
        self._rows.addStretch(1)

    def _of_findings(self, record: Explanation) -> Iterator[QWidget]:
        for found in sorted(record.findings, key=lambda f: f.pathology != self._pathology):
            yield _of_finding(found)
        for name, opinion in record.unstated:
            yield panel(vbox(wrapped(say("{pathology}: named, and not taken for stated.", pathology=topic_name(name)))))
            yield _bars(opinion)
        if not record.findings:
            yield wrapped(say("Nothing is taken for stated."))
        if record.failure:
            yield wrapped(typographic(record.failure), role="error")


def _explained(sentence: str, department: Department, progress: Progress) -> Explanation:
    from radcal.findings.readers.explaining import explain
    from radcal.words.extraction_words import for_reading

    settings = department.settings
    if settings.second == "served":  # a question of "why" sends nothing
        settings = settings.changed(second="none")
    return explain(sentence, settings, for_reading(department.lexicon), progress)


def _of_sentence(record: Explanation) -> Iterator[QWidget]:
    """The words as they are read, and those that have a meaning."""
    said = []
    if record.read != record.sentence:
        said.append(say("Read as {words}.", words=quoted(record.read)))
    if record.terms:
        terms = [f"{quoted(t.words)}: {listed([topic_name(p) for p in t.pathologies])}" for t in record.terms]
        said.append(say("Words for findings: {words}.", words="; ".join(terms)))
    if record.cues:
        cues = [f"{quoted(c.words)}: {c.phrase}" if c.phrase else quoted(c.words) for c in record.cues]
        said.append(say("Words for how certain: {words}.", words="; ".join(cues)))
    for text in said:
        yield wrapped(text, role="muted")


def _of_finding(found: ExplainedFinding) -> QWidget:
    values = {"pathology": topic_name(found.pathology), "phrase": quoted(found.rules)}
    if found.phrase == found.rules:
        head = say("{pathology}: read as {phrase}.", **values)
    else:
        head = say("{pathology}: left unread; the rules read {phrase}.", **values)
    items: list[Item] = [label(head[:1].upper() + head[1:], role="strong")]
    if found.decided is not None:
        rule = say("The rule at {words}: {says}", words=quoted(found.decided.words), says=say(found.decided.says))
        items.append(wrapped(rule))
    if found.second is not None:
        items.append(_bars(found.second))
    if found.chance is not None:
        items.append(wrapped(say("Chance that the rules read it right: {chance}.", chance=percent(found.chance))))
    return panel(vbox(*items, margins=(0, 8, 0, 0), spacing=4))


def _bars(opinion: SecondOpinion) -> QWidget:
    """The second reader's probabilities."""
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setColumnStretch(1, 1)
    head = say("The second reader takes it as {phrase}:", phrase=quoted(opinion.phrase))
    rows = (
        (PRESENT, opinion.present),
        (ABSENT, opinion.absent),
        (say("hedged, most likely {phrase}", phrase=quoted(opinion.hedge)), opinion.hedged),
        (say("not stated"), opinion.not_stated),
    )
    for row, (name, chance) in enumerate(rows):
        bar = QProgressBar(textVisible=False, maximum=1000)
        bar.setValue(round(1000 * chance))
        bar.setAccessibleName(f"{name}: {percent(chance)}")
        grid.addWidget(label(name), row, 0)
        grid.addWidget(bar, row, 1)
        grid.addWidget(label(percent(chance)), row, 2, Qt.AlignmentFlag.AlignRight)
    return panel(vbox(wrapped(head), grid, spacing=2))
