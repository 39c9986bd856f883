"""The documentation as a site: all of it is in, its links hold, and it needs no network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import radcal

ROOT = Path(__file__).parents[2]
NAMESPACES = re.compile(r"https?://www\.w3\.org/")
IN_PROGRAMS = re.compile(rb"https://(?!api\.github\.com|\$\{e\}/api/v4)[^\s\"'`]*")
"""Addresses in the theme's program but those of repositories, which it asks where a site names one; ours does not."""


TAG = re.compile(r"<(?!a\b)[a-z]+\b[^>]*>")
LOADED = re.compile(r"\b(?:src|href|srcset|data|action|poster)=[\"']?([^\"'\s>]*)")
IN_PAGE = re.compile(r"(<(script|style)\b[^>]*>)(.*?)</\2>", re.DOTALL)


def from_elsewhere(page: str) -> list[str]:
    """What a page would load by its tags, and what its scripts and styles name."""
    tags = [tag for tag in TAG.findall(IN_PAGE.sub(r"\1", page)) if 'rel="canonical"' not in tag]
    found = [target for tag in tags for target in LOADED.findall(tag) if re.match(r"(?:https?:)?//", target)]
    for _, kind, content in IN_PAGE.findall(page):
        named = r"https?://\S*" if kind == "script" else r"(?:url\(|@import)[^);]{0,9}//[^)]*"
        found += re.findall(named, NAMESPACES.sub("", content))
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without the results of notebooks, built strictly: a link that leads nowhere fails."""
    pytest.importorskip("mkdocs_jupyter", reason="mkdocs is not installed: pip install -e .[docs]")
    out = tmp_path_factory.mktemp("site")
    nowhere = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    done = subprocess.run(  # noqa: S603  # mkdocs
        [sys.executable, "-m", "mkdocs", "build", "-f", "docs/site/mkdocs.yml", "--strict", "-q", "-d", str(out)],
        cwd=ROOT,
        env=os.environ | nowhere | {"RADCAL_DOCS_EXECUTE": "false", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return out


def test_the_reference_has_every_name_of_the_library() -> None:
    reference = (ROOT / "docs/site/reference.md").read_text(encoding="utf-8")
    named = re.findall(r"^::: radcal\.(.*)$", reference, re.MULTILINE)
    public = {name for name in radcal.__all__ if name not in ("__version__", "plot")}
    public |= {f"plot.{name}" for name in radcal.plot.__all__}
    assert sorted(named) == sorted(public)


@pytest.mark.slow
def test_every_page_is_there_and_nothing_more_than_needed(site: Path) -> None:
    pages = {p.relative_to(site).with_suffix("").as_posix() for p in site.rglob("*.html")}
    assert {p.stem for p in (ROOT / "docs").glob("*.md")} <= pages
    assert {f"notebooks/{p.stem}" for p in (ROOT / "docs/notebooks").glob("*.ipynb")} <= pages
    assert {"index", "SECURITY", "CHANGELOG", "CONTRIBUTING", "resources/index", "models/index"} <= pages
    texts = "".join(p.read_text(encoding="utf-8") for p in site.rglob("*.html"))
    for picture in (site / "screenshots").iterdir():
        assert picture.name in texts
    assert sum(p.stat().st_size for p in site.rglob("*") if p.is_file()) < 10_000_000
    reference = (site / "site/reference.html").read_text(encoding="utf-8")
    for name in ("reliability", "Lexicon.from_answers", "DepartmentModel.fit", "transport_plan"):
        assert f'id="radcal.{name}"' in reference
    assert "Source:" in reference
    assert ":func:" not in reference


def test_what_would_be_loaded_is_seen() -> None:
    address = "//cdn.example/x"
    for page in (
        f'<script src="https:{address}"></script>',
        f'<link rel="stylesheet" href="{address}">',
        f"<img src=https:{address}>",
        f'<script type="module">import a from "https:{address}"</script>',
        f"<style>@import 'https:{address}';</style>",
        f"<style>p {{ background: url(https:{address}) }}</style>",
    ):
        assert len(from_elsewhere(page)) == 1, page
    assert not from_elsewhere(f'<a href="https:{address}">read</a><script src="own.js">let a = 1</script>')


@pytest.mark.slow
def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    """No page, style or program names an address that it would load from; links of readers may lead anywhere."""
    for file in site.rglob("*.html"):
        assert not from_elsewhere(file.read_text(encoding="utf-8")), file.name
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style.name
    for program in site.rglob("*.js"):
        if program.name != "search_index.js":  # texts of pages
            found = set(IN_PROGRAMS.findall(re.sub(rb"/\*.*?\*/", b"", program.read_bytes(), flags=re.DOTALL)))
            assert not {a for a in found if b"bit.ly" not in a}, program.name  # named in an error message of the search


@pytest.mark.slow
def test_search_works_from_files(site: Path) -> None:
    """The index is a script, and the theme finds a worker that needs no server."""
    index = (site / "search/search_index.js").read_text(encoding="utf-8")
    assert index.startswith("var __index = {")
    for word in ("ece_star", "unbalanced transport", "De-identification", "calibrated speaker"):
        assert word in index
    page = (site / "guide.html").read_text(encoding="utf-8")
    assert 'src="site/iframe-worker.js"' in page
    assert page.index("iframe-worker.js") < page.index("assets/javascripts/bundle")
