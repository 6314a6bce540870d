"""What a page points to: links, works cited, names that its Python imports."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from documentation.pages import ROOT, anchors, blocks, prose

__all__ = ["bibliography", "not_in_nav", "pointing_nowhere"]

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
IMAGE = re.compile(r"<img[^>]* src=\"([^\"]+)\"")
CITATION = re.compile(r"\[([A-Z][A-Za-z]+(?:19|20)\d\d[a-z]?)\]")
BIB_KEY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)


def bibliography() -> list[str]:
    """Return the keys of the works, twice where they are there twice."""
    return BIB_KEY.findall((ROOT / "docs" / "references.bib").read_text("utf-8"))


def pointing_nowhere(page: Path, known: set[str]) -> Iterator[str]:
    """Yield what is wrong with a page's links, citations and imports.

    Args:
        page: the file.
        known: keys of the bibliography.
    """
    yield from broken_links(page)
    yield from unknown_citations(page, known)
    yield from stale_imports(page)


def broken_links(page: Path) -> Iterator[str]:
    """Yield links that lead nowhere; addresses on the web are not visited."""
    for number, line in enumerate(prose(page).splitlines(), start=1):
        for target in LINK.findall(line) + IMAGE.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            other = page.parent / name if name else page
            if is_made(other):
                continue
            if not other.exists():
                yield f"line {number}: {target} does not exist"
            elif anchor and other.suffix == ".md" and anchor not in anchors(other):
                yield f"line {number}: {name or 'this page'} has no heading #{anchor}"


def is_made(path: Path) -> bool:
    """Return whether a page is one that the site makes; ``make site`` looks there."""
    try:
        inside = path.resolve().relative_to(ROOT / "docs").parts
    except ValueError:
        return False
    return inside[0] in ("commands", "api", "examples", "project") and len(inside) == 2


def unknown_citations(page: Path, known: set[str]) -> Iterator[str]:
    """Yield citation keys that the bibliography does not have."""
    for number, line in enumerate(prose(page).splitlines(), start=1):
        for key in CITATION.findall(line):
            if key not in known:
                yield f"line {number}: [{key}] is not in docs/references.bib"


def stale_imports(page: Path) -> Iterator[str]:
    """Yield names that a page's Python imports and the library no longer has."""
    for block in blocks(page):
        if block.kind.split()[:1] != ["python"]:
            continue
        try:
            tree = ast.parse(block.text)
        except SyntaxError as error:
            yield f"line {block.line}: this is no Python: {error.msg}"
            continue
        for node in ast.walk(tree):
            name = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if isinstance(node, ast.ImportFrom) and name.startswith("equipoise"):
                yield from missing_names(name, [alias.name for alias in node.names])


def missing_names(module: str, names: list[str]) -> Iterator[str]:
    """Yield what a module does not offer."""
    try:
        found = importlib.import_module(module)
    except ImportError:
        yield f"there is no {module}"
        return
    for name in names:
        if not hasattr(found, name):
            yield f"{module} has no {name}"


def not_in_nav(pages: list[Path]) -> Iterator[str]:
    """Yield pages of ``docs`` that the site's navigation does not have.

    Args:
        pages: every page of the documentation.
    """
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    nav = set(re.findall(r"^ +- (?:.*: )?(\S+\.md)$", listed, re.MULTILINE))
    for page in pages:
        if page.is_relative_to(ROOT / "docs"):
            name = page.relative_to(ROOT / "docs").as_posix()
            if name not in nav:
                yield f"docs/{name}: mkdocs.yml has no entry for it under nav"
