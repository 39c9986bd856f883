"""Nothing but what is listed here, each with its reason, can write a file: the program is read for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITERS = {
    # Module: its calls in alphabetical order, and why they may.
    "radcal/system/components.py": ("connect", "an empty database in memory, to ask SQLCipher for its version"),
    "radcal/system/faults.py": ("open open", "places in the program, never what it was working on"),
    "radcal/system/places.py": ("TemporaryFile", "to see whether a portable program may write beside itself"),
    "radcal/system/files.py": (
        "fdopen mkstemp",
        "the one place where a file is made beside its own and takes it",
    ),
    "radcal/system/exports.py": ("Workbook ZipFile open", "in memory; into the file that is being exported"),
    "radcal/feedback/slides.py": ("save", "in memory"),
    "radcal/cli/program.py": ("dup2 open", "gives standard output away where nobody reads it"),
    "radcal/system/processes.py": ("Popen Popen", "talks to children through pipes; starts the hospital's viewer"),
    "radcal/findings/model/state.py": ("dump", "to radcal.system.files; no word of any report is in it"),
    "radcal/findings/model/worker.py": ("dup2 fdopen", "a pipe to its parent"),
    "radcal/findings/model/pair_batches.py": ("save", "the state of the prompt, as above"),
    "radcal/system/workers.py": ("dup2 fdopen", "a pipe to its parent"),
    "radcal/reports/formats/excel.py": ("ZipFile", "read in memory, by a child that may write no file"),
    "radcal/reports/parsing.py": ("TemporaryDirectory", "the empty folder of the child that parses"),
    "radcal/system/inputs.py": ("fdopen", "what was opened to be read"),
    "radcal/opening.py": ("mkdtemp", "the folder of the sample, whose workspace is invented, and encrypted"),
    "radcal/feedback/file_passphrases.py": (
        "fdopen open truncate",
        "each row is on the disk before the file that it opens",
    ),
    "radcal/workspace/database.py": ("connect open open", "the encrypted workspace, and its copy before an update"),
    "radcal/workspace/lock.py": ("ftruncate ftruncate open", "who has a workspace open"),
    "radcal/workspace/restoring.py": ("copy2", "the encrypted workspace that is put aside"),
    "radcal/workspace/store.py": ("open", "the encrypted workspace, its copies, personal files"),
    "ui/kit/picture.py": ("open save", "in memory"),
    "ui/preferences.py": ("QSettings QSettings", "the layout of the window, and the paths of workspaces"),
    "ui/pages/feedback/printing.py": ("QPrinter", "printers, which are asked for in the system's dialog"),
    # For developers, not for departments.
    "tools/chance/fit.py": ("open write_text write_text", "answers of a model, and the chance of readings"),
    "tools/hedges/train.py": ("write_text", "the estimator of hedges"),
    "tools/mini/card.py": ("write_text write_text", "the card of the bundled model"),
    "tools/mini/export.py": ("GGUFWriter", "the bundled model"),
    "tools/papers.py": ("run write_text", "docs/papers.md, and what RadCal's own commands make of the papers' data"),
    "tools/shipping/instructions.py": ("run", "Python, which opens the libraries of llama.cpp"),
    "tools/shipping/checksums.py": ("write_bytes", "the checksums of packages"),
    "tools/shipping/deb.py": (
        "TemporaryDirectory copy copy copy copytree run run symlink_to write_bytes write_text",
        "the package for Debian, of the program that was built",
    ),
    "tools/shipping/folder.py": (
        "TemporaryDirectory ZipFile copyfileobj open open open write_text",
        "the portable archive of it",
    ),
    "tools/shipping/icon.py": ("save", "the icon of its programs"),
    "tools/shipping/release.py": ("run", "git, which tells the time of the last commit"),
    "tools/shipping/llama_wheel.py": ("TemporaryDirectory run write_text", "the wheel that pip makes of llama.cpp"),
    "tools/sbom.py": ("write_text", "the bill of materials"),
    "tools/translations.py": ("write_bytes write_bytes", "the translations of RadCal's texts"),
    "tools/phrase_tables.py": ("write_text", "the shipped tables of phrases"),
    "tools/screenshots.py": (
        "TemporaryDirectory run save",
        "pictures of the made-up sample",
    ),
    "tools/setup.py": (
        "Popen Popen Popen Popen move open open open touch write_text write_text write_text",
        "the environment that RadCal runs in, and llama.cpp for it",
    ),
}
_MAKERS = {
    "BZ2File", "ExcelWriter", "FileHandler", "GGUFWriter", "GzipFile", "LZMAFile", "NamedTemporaryFile", "Popen",
    "QFile", "QPdfWriter", "QPrinter", "QSaveFile", "QSettings", "QTemporaryDir", "QTemporaryFile",
    "RotatingFileHandler", "SpooledTemporaryFile", "TarFile", "TemporaryDirectory", "TemporaryFile",
    "TimedRotatingFileHandler", "Workbook", "ZipFile", "dup2", "fdopen", "ftruncate", "hardlink_to", "memmap",
    "mkdtemp", "mkfifo", "mkstemp", "mktemp", "savefig", "savetxt", "savez", "savez_compressed", "setFileName",
    "setOutputFileName", "symlink_to", "to_excel", "to_feather", "to_hdf", "to_html", "to_latex", "to_markdown",
    "to_orc", "to_parquet", "to_pickle", "to_sql", "to_stata", "to_xml", "tofile", "touch", "truncate", "write_bytes",
    "write_text",
}  # fmt: skip
"""What makes or changes a file, by the name that is called."""
_WITH_A_PLACE = {"dump": 1, "save": 0, "to_csv": 0, "to_json": 0, "to_string": 0}
"""These methods write where one of their arguments says; its place among them."""
_MODULES = {"shutil": {"rmtree", "which", "disk_usage", "get_terminal_size"}, "subprocess": {"list2cmdline"}}
"""Everything of these writes, or may, but this."""
_FLAGS = {"O_APPEND", "O_CREAT", "O_RDWR", "O_TRUNC", "O_WRONLY"}
_PHRASES_KEPT = {"radcal/feedback/hand_outs.py", "ui/pages/words/work.py"}
"""Where ``words.save(...)`` keeps phrases in the workspace."""
_DATABASE = "sqlcipher3"
"""Whose connect() opens a file, unlike that of signals; a contract has one module import it, and no other driver."""


def writes(tree: ast.AST) -> Iterator[str]:
    """The name of every call that may write to a file."""
    nodes = list(ast.walk(tree))
    driver = any(isinstance(node, ast.Import | ast.ImportFrom) and _DATABASE in ast.unparse(node) for node in nodes)
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        owner = called.value.id if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) else ""
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if (
            name in _MAKERS
            or (owner in _MODULES and name not in _MODULES[owner])
            or (name == "connect" and driver)
            or (name == "open" and _may_write(node, owner))
            or (isinstance(called, ast.Attribute) and len(node.args) > _WITH_A_PLACE.get(name, 99))
            or (name in _WITH_A_PLACE and any(k.arg in ("path", "path_or_buf", "fp", "buf") for k in node.keywords))
        ):
            yield name


def _may_write(node: ast.Call, owner: str) -> bool:
    """Whether open() or a method of that name may write: whatever is not known to read only."""
    flags = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    if owner == "os":
        return flags & _FLAGS != set() or "O_RDONLY" not in flags
    # What opens a path, a dialog or a workspace takes a mode first; the built-in one takes it behind the path.
    place = 0 if isinstance(node.func, ast.Attribute) and owner not in ("io", "gzip", "bz2", "lzma", "codecs") else 1
    modes = [*node.args[place : place + 1], *(k.value for k in node.keywords if k.arg == "mode")]
    for mode in modes:
        if isinstance(mode, ast.Constant):
            if isinstance(mode.value, str) and set(mode.value) & set("wax+"):
                return True
        elif not (isinstance(mode, ast.Name) and mode.id in ("path", "dialog")):
            return True
    return False


def test_nothing_else_writes_files() -> None:
    there = {}
    for path in [*(p for room in ("radcal", "ui", "tools") for p in (ROOT / room).rglob("*.py")), ROOT / "main.py"]:
        where = path.relative_to(ROOT).as_posix()
        calls = sorted(writes(ast.parse(path.read_text(encoding="utf-8"))))
        if where in _PHRASES_KEPT:
            calls.remove("save")
        if calls:
            there[where] = " ".join(calls)
    assert there == {module: " ".join(sorted(calls.split())) for module, (calls, _) in WRITERS.items()}


@pytest.mark.parametrize(
    "line",
    [
        "path.write_text(text)",
        "path.open('w', encoding='utf-8')",
        "path.open(mode='ab')",
        "path.open(mode)",
        "open(path, 'r+')",
        "open(path, mode=how)",
        "gzip.open(path, 'wt')",
        "os.open(path, os.O_RDWR | os.O_CREAT)",
        "os.open(path, flags)",
        "table.to_csv(path)",
        "table.to_csv(path_or_buf=path)",
        "table.to_json(path)",
        "image.save(str(path), 'PNG')",
        "json.dump(value, file)",
        "np.savez(path, a=a)",
        "book = Workbook(path)",
        "tempfile.mkstemp()",
        "with NamedTemporaryFile() as file: pass",
        "shutil.copy(a, b)",
        "subprocess.run(['cp', a, b])",
        "QPdfWriter(name)",
        "generator.setFileName(name)",
        "import sqlcipher3; sqlcipher3.connect(path)",
    ],
)
def test_whatever_writes_is_found(line: str) -> None:
    assert len(list(writes(ast.parse(line)))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "path.open(encoding='utf-8')",
        "path.open('rb')",
        "open(path)",
        "open(path, 'rb')",
        "os.open(folder, os.O_RDONLY)",
        "dialog.open()",
        "painter.save()",
        "json.dumps(value)",
        "text = table.to_csv(index=False)",
        "signal.connect(slot)",
        "shutil.rmtree(folder)",
        "Workspace.open(path, passphrase)",
    ],
)
def test_what_reads_is_not_taken_for_writing(line: str) -> None:
    assert list(writes(ast.parse(line))) == []
