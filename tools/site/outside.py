"""Pages at the top of the repository, as pages of the site."""

import re
from pathlib import Path

from links import OUTSIDE, relative

__all__ = ["outside_pages"]

LINK = re.compile(r"(\]\()(?![a-z]+:|#)([^)\s]+)\)")
KEPT = ("CONTRIBUTING.md", "CHANGELOG.md")


def outside_pages(root: Path) -> dict[str, str]:
    """Return contributing and what changed, their links turned.

    Args:
        root: of the repository.
    """
    return {OUTSIDE[name]: turned(root, name) for name in KEPT}


def turned(root: Path, name: str) -> str:
    """Return a page whose links start at ``docs`` and not at the repository's top."""
    page, text = OUTSIDE[name], (root / name).read_text(encoding="utf-8")

    def link(found: re.Match[str]) -> str:
        path = found[2]
        if (root / path).is_dir():  # its first page
            path = str(min((root / path).glob("*.md")).relative_to(root))
        inside = path.startswith("docs/")
        return found[1] + relative(path[5:] if inside else f"../{path}", page) + ")"

    return LINK.sub(link, text)
