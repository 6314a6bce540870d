"""What MkDocs asks while it builds the site: pages that are made, links that lead out.

Made anew at every build, never kept: a page a command (``commands.py``), a page a room
of the library (``api.py``), a page an example (``examples.py``), the works cited
(``references.py``), and the pages at the top of the repository (``outside.py``).
"""

from functools import cache
from pathlib import Path
from typing import Any

from api import api_pages
from commands import command_pages
from examples import example_pages
from links import rewritten
from mkdocs.structure.files import File, Files
from outside import outside_pages
from references import cited, reference_pages

ROOT = Path(__file__).parents[2]
MADE = {"Examples": "examples/", "Commands": "commands/", "API": "api/"}
"""Sections of the site whose pages are made, and their folders."""


@cache
def made_pages() -> dict[str, str]:
    """Return the pages that no file of ``docs`` has, by path."""
    pages: dict[str, str] = {}
    for made in (command_pages, api_pages, example_pages, reference_pages):
        pages |= made()
    return pages | outside_pages(ROOT)


def on_config(config: Any) -> Any:
    """Put the pages that are made into their sections, in their own order.

    Args:
        config: of the site.
    """
    for section in config.nav:
        for title, pages in section.items():
            if folder := MADE.get(title):
                pages += [p for p in made_pages() if p.startswith(folder)
                          and p not in pages]  # fmt: skip
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made.

    Args:
        files: what MkDocs found in ``docs``.
        config: of the site.
    """
    for path, text in made_pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Return a page's text with links that stay on the site, and its works linked.

    Args:
        markdown: the page as it is written.
        page: where it is.
        config: of the site.
        files: everything on the site.
    """
    text = rewritten(markdown, page.file.src_uri)
    return cited(text, page.file.src_uri)
