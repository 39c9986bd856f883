"""A language model's answers: how certain it said it was, and whether it was right."""

from __future__ import annotations

from ui.pages.models.tab import ModelsTab


class AnswersTab(ModelsTab):
    """Answers of models from a file: measured, mended, and taken into the workspace."""
