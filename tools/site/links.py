"""Links of the pages: what lies outside ``docs`` has another place on the site."""

import posixpath
import re

__all__ = ["OUTSIDE", "relative", "rewritten"]

OUTSIDE = {
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changes.md",
    "README.md": "index.md",
    "docs/references.bib": "references.md",
}
"""Where a file that is no page of ``docs`` is on the site."""

LINK = re.compile(r"(\]\()([^)\s#]+)([^)\s]*\))")
EXAMPLE = re.compile(r"examples/(\w+)\.py")


def relative(target: str, page: str) -> str:
    """Return the link from a page to another, both as paths from ``docs``.

    Args:
        target: where to.
        page: where from.
    """
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def rewritten(text: str, page: str) -> str:
    """Return a page's text with the links out of ``docs`` turned to the site's pages.

    Args:
        text: Markdown.
        page: its path from ``docs``.
    """
    folder = posixpath.join("docs", posixpath.dirname(page))

    def turned(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, link[2]))
        if path in OUTSIDE:
            return link[1] + relative(OUTSIDE[path], page) + link[3]
        if example := EXAMPLE.fullmatch(path):
            return link[1] + relative(f"examples/{example[1]}.md", page) + link[3]
        return link[0]

    return LINK.sub(turned, text)
