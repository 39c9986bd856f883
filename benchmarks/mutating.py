"""The mutants of a module, for benchmarks/mutants.py.

Mutants are edits of the source text at places found in its syntax tree, so that everything else stays unchanged.
"""

from __future__ import annotations

import ast
import contextlib
import re
import warnings
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
OTHER_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
ANY_ORDER = {"min", "max", "minimum", "maximum", "hypot", "isclose", "allclose", "union"}
"""Functions with commutative arguments."""
TOLERANCE = 1e-4
"""Smaller constants are tolerances, which may as well be doubled or halved."""
TEXTS = (ast.JoinedStr, ast.List, ast.Tuple)
COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef, ast.Match)


@dataclass(frozen=True)
class Mutant:
    """Replaces bytes `start` to `end` of a source by `text`; `lines` are those of the surrounding statement."""

    module: str
    start: int
    end: int
    text: bytes
    lines: range

    def source(self, source: bytes) -> bytes:
        return source[: self.start] + self.text + source[self.end :]

    def key(self, source: bytes) -> tuple[str, str, str]:
        """Module and the changed lines before and after, each as one line; independent of other lines."""
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        changed = source[first : self.start] + self.text + source[self.end : last]
        before, after = (" ".join(text.decode().split()) for text in (source[first:last], changed))
        return self.module, before, after

    def keys(self, source: bytes) -> set[tuple[str, str, str]]:
        """The mutant's own key, and that of all mutants of its line."""
        module, before, after = self.key(source)
        return {(module, before, after), (module, before, "*")}


class Mutating(ast.NodeVisitor):
    """Collects the mutants of a module, without annotations, decorators and strings, such as error messages."""

    def __init__(self, module: str, source: bytes) -> None:
        self.module, self.text = module, source
        self.mutants: list[Mutant] = []
        self._starts = [0, *(m.end() for m in re.finditer(rb"\n", source))]
        self._lines = range(1, 1)
        self.visit(ast.parse(source))

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            return
        if isinstance(node, ast.stmt):
            last = node.body[0].lineno - 1 if isinstance(node, COMPOUND) and hasattr(node, "body") else node.end_lineno
            self._lines = range(node.lineno, max(last or 0, node.lineno) + 1)
        super().visit(node)

    def _span(self, node: Any) -> tuple[int, int]:
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _edit(self, start: int, end: int, text: bytes | str) -> None:
        text = text.encode() if isinstance(text, str) else text
        if text.split() == self.text[start:end].split():  # equal arguments swapped
            return
        mutant = Mutant(self.module, start, end, text, self._lines)
        with contextlib.suppress(SyntaxError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(mutant.source(self.text), "mutant", "exec")
            self.mutants.append(mutant)

    def _replace(self, node: ast.AST, text: bytes | str) -> None:
        self._edit(*self._span(node), text)

    def _between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> None:
        """Replace the operator between two operands, which brackets and line breaks may surround."""
        start, end = self._span(left)[1], self._span(right)[0]
        pattern = re.escape(old).replace(r"\ ", r"\s+")
        if found := re.search(pattern.encode(), re.sub(rb"#.*", lambda m: b" " * len(m[0]), self.text[start:end])):
            self._edit(start + found.start(), start + found.end(), new)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            old, others = COMPARISONS[type(operator)]
            for new in others:
                self._between(left, right, old, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = [isinstance(n, TEXTS) or isinstance(getattr(n, "value", 0), str) for n in (node.left, node.right)]
        if type(node.op) in ARITHMETIC and not any(texts):
            self._between(node.left, node.right, *ARITHMETIC[type(node.op)])
        if isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Constant):
            start, end = self._span(node)[0], self._span(node.right)[0]
            self._edit(start, start + self.text[start:end].index(b"-") + 1, "")  # x for 1 - x
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        either = isinstance(node.op, ast.Or)
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, *(("or", "and") if either else ("and", "or")))
        for value in node.values:
            self._replace(value, "False" if either else "True")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        start = self._span(node)[0]
        self._edit(start, start + (3 if isinstance(node.op, ast.Not) else 1), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._replace(node, str(not value))
        elif isinstance(value, int):
            self._replace(node, str(value + 1))
            self._replace(node, str(value - 1) if value else "(-1)")
        elif isinstance(value, float) and not 0 < value < TOLERANCE:
            self._replace(node, repr(value * 2 or 0.5))
            self._replace(node, repr(value / 2 or -0.5))

    def _condition(self, node: Any) -> None:
        if isinstance(node.test, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.NamedExpr)):
            start, end = self._span(node.test)
            self._edit(start, end, b"not (" + self.text[start:end] + b")")
        self.generic_visit(node)

    visit_If = visit_While = visit_IfExp = _condition  # noqa: N815  # as NodeVisitor calls them

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._replace(condition, "True")
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":  # that of zip guards against faults elsewhere
            self.visit(node.value)

    def visit_Slice(self, node: ast.Slice) -> None:
        for end in (node.lower, node.upper, node.step):
            if end is not None:
                self._replace(end, "")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._replace(node.value, "None")
            self.generic_visit(node)

    def _drop(self, node: ast.stmt) -> None:
        self._replace(node, "pass")

    visit_Continue = visit_Break = visit_Delete = visit_Raise = _drop  # noqa: N815  # as NodeVisitor calls them

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._drop(node)
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], (ast.Attribute, ast.Subscript)):
            self._drop(node)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._drop(node)
        if type(node.op) in ARITHMETIC:
            self._between(node.target, node.value, *(f"{operator}=" for operator in ARITHMETIC[type(node.op)]))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for one, other in zip(node.args, node.args[1:], strict=False):
            if name in ANY_ORDER:
                break
            (start, end), (after, last) = self._span(one), self._span(other)
            text = self.text
            self._edit(start, last, text[after:last] + text[end:after] + text[start:end])
        for keyword in node.keywords:
            if keyword.arg not in (None, "strict"):
                start, end = self._span(keyword)
                comma = re.match(rb"\s*,\s*", self.text[end:])
                before = len(self.text[:start].rstrip())
                has_before = self.text[before - 1 : before] == b","
                self._edit(*((start, end + comma.end()) if comma else (before - has_before, end)), "")
        if name in OTHER_CALLS:
            end = self._span(node.func)[1]
            self._edit(end - len(name), end, OTHER_CALLS[name])
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (*node.args.defaults, *node.args.kw_defaults, *node.body):
            if part is not None:
                self.visit(part)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_Import(self, node: ast.AST) -> None:
        """Imports are not mutated."""

    visit_ImportFrom = visit_Assert = visit_Import  # noqa: N815  # as NodeVisitor calls them
