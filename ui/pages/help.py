"""How to read the pictures, what the limits are, and the keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTextBrowser, QWidget

from ui.pages.stage import StagePage
from ui.shell import Shell
from ui.words import translate


class HelpPage(StagePage):
    """One text to read."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.title.setText(translate("help", "How to read this"))
        self.sentence.setText(
            translate("help", "What the diagram shows, where luck comes in, and what it cannot tell.")
        )
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(translate("help", "Help"))
        self.text.document().setDocumentMargin(16)
        self.text.setHtml(_text())
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setMaximumWidth(840)
        self.body.addWidget(self.text, 1)

    def arrive(self, *, section: str = "diagram", **_where: object) -> None:
        """Scroll to a section and put the keyboard there."""
        self.text.setFocus()
        self.show_section(section)

    def show_section(self, name: str) -> None:
        """Scroll to a section: 'diagram', 'luck', 'limits' or 'keys'."""
        self.text.scrollToAnchor(name)


def _text() -> str:
    paragraphs = (
        ("diagram", translate("help", "The diagram")),
        (
            "",
            translate(
                "help",
                "From left to right: how certain readers take the words to be, as surveys of radiologists"
                " measured it. From bottom to top: how often CT confirmed what was said. On the dashed line the"
                " two agree. Below it, words were stronger than CT supported; above it, weaker. The orange line"
                " is this radiologist, and 95 of 100 times the truth lies in the shaded interval around it. Each"
                " point is a phrase with its own 95 % interval; the strip at the foot shows where the words lie.",
            ),
        ),
        ("luck", translate("help", "Where luck comes in")),
        (
            "",
            translate(
                "help",
                "The expected calibration error (ECE) is the average distance of the line from agreement. It is"
                " never 0: even a reader whose words hold perfectly meets lucky and unlucky cases, the more so"
                " the fewer there are. The grey band, and \u201cwould show 0.06 (up to 0.09)\u201d, say what such"
                " a reader would get from the same words. Only what lies clearly outside says something about"
                " the words.",
            ),
        ),
        (
            "",
            translate(
                "help",
                "ECE* leaves out plain \u201cpresent\u201d and \u201cabsent\u201d: they leave luck no room, so"
                " that a single finding that CT did not confirm would weigh against everyone. Plain statements"
                " are judged by their confirmed rate in the table.",
            ),
        ),
        ("limits", translate("help", "What it cannot tell")),
        (
            "",
            translate(
                "help",
                "Only patients who had a CT soon after are in it, and those are often the doubtful ones. CT is"
                " not always right. Findings are read from the text by a program that errs at times: click a"
                " phrase and read the sentences. It describes words, not readers.",
            ),
        ),
        ("keys", translate("help", "Keys")),
        (
            "",
            translate(
                "help",
                "Ctrl+O opens a workspace, Ctrl+N makes one from report files, Ctrl+S saves the page as PDF, F1"
                " shows this help. Ctrl+1 goes to the import, Ctrl+2 to the results. Alt+R and Alt+P choose"
                " radiologist and pathology, the arrow keys move in them. Enter on a phrase lists its findings,"
                " Esc goes back.",
            ),
        ),
    )
    head = '<h3 style="font-size:13px"><a name="{anchor}"></a>{text}</h3>'
    body = '<p style="line-height:140%">{text}</p>'
    return "".join((head if anchor else body).format(anchor=anchor, text=text) for anchor, text in paragraphs)
