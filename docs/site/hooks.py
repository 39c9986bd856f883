"""The pages of the repository that stand outside docs, links that hold in both places, and nothing from the network."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = {"index.md": "README.md"} | {
    name: name for name in ("CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "resources/README.md", "models/README.md")
}
"""Pages of the site, and where they stand in the repository."""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
_SCRIPT = re.compile(r"<script\b[^>]*>(?:(?!</script>).)*</script>", re.DOTALL)
_ROLE = re.compile(r":(?:func|class|mod|meth|attr|data):(?=<code>)|(?<=<code>)~(?=radcal\.)")
_LIBRARY = re.compile(rb"https://unpkg\.com/[^\"']*")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what stands outside, and leave out pictures that no page shows."""
    for page, name in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / name)))
    shown = " ".join(f.content_string for f in files.documentation_pages() if f.src_uri.endswith(".md"))
    for file in [*files]:
        if file.src_uri.startswith("screenshots/") and file.src_uri not in shown:
            files.remove(file)
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Lead links to the pages of what they name in the repository; what has no page is not linked."""
    here = page.file.src_uri
    source = ROOT / OUTSIDE.get(here, f"docs/{here}")

    def moved(match: re.Match[str]) -> str:
        picture, text, path, anchor = match.groups(default="")
        name = os.path.relpath(source.parent / path, ROOT)
        uri = {name: page for page, name in OUTSIDE.items()}.get(name, name.removeprefix("docs/"))
        if not (ROOT / name).is_file() or (uri == name and name not in OUTSIDE):
            return text
        return f"{picture}[{text}]({posixpath.relpath(uri, posixpath.dirname(here) or '.')}{anchor})"

    return _LINK.sub(moved, markdown)


def on_post_page(output: str, **_: object) -> str:
    """Take out scripts that would load others from the network, for formulas and diagrams; and marks of Sphinx."""
    kept = _SCRIPT.sub(lambda found: "" if re.search(r"https?://(?!www\.w3\.org)", found[0]) else found[0], output)
    return _ROLE.sub("", kept)


def on_post_build(config: MkDocsConfig) -> None:
    """Take out the addresses of libraries that the theme loads for diagrams and old browsers, and search in other
    languages than English."""
    scripts = Path(config.site_dir, "assets", "javascripts")
    for script in scripts.glob("bundle.*.js"):
        script.write_bytes(_LIBRARY.sub(b"", script.read_bytes()))
    shutil.rmtree(scripts / "lunr")
    for useless in Path(config.site_dir).rglob("*.map"):
        useless.unlink()
