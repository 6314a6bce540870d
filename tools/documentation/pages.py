"""Pages of the documentation as text: their prose, headings and blocks of code."""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Block", "anchors", "blocks", "documentation", "prose"]

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^(?P<indent> *)(?P<marks>```+)(?P<kind>[^\n]*)\n(?P<text>.*?)^ *(?P=marks) *$",
    re.MULTILINE | re.DOTALL,
)
COMMENT = re.compile(r"<!--((?:(?!-->).)*)-->\s*\Z", re.DOTALL)
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
HEADING_NAME = re.compile(r"\{ *#([\w-]+) *\}")


@dataclass(frozen=True)
class Block:
    """A fenced piece of a page."""

    line: int
    """Where it begins."""
    kind: str
    """What stands after the fence: python, sh, console, ..."""
    text: str
    notes: tuple[str, ...]
    """The hidden comments right before it, first to last."""

    def note(self, word: str) -> str | None:
        """Return what a hidden comment says after ``word:``, or None without one."""
        for note in self.notes:
            name, colon, rest = note.partition(":")
            if colon and name.strip() == word:
                return rest.strip("\n")
        return None


def documentation() -> list[Path]:
    """Return every page: those at the top of the repository and those of ``docs``."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def prose(path: Path) -> str:
    """Return a page without its blocks of code, line numbers kept."""
    text = path.read_text(encoding="utf-8")
    return FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)


def anchors(path: Path) -> set[str]:
    """Return the names under which a page's headings can be linked."""
    found: set[str] = set()
    for heading in HEADING.findall(prose(path)):
        found.update(HEADING_NAME.findall(heading))
        slug = re.sub(r"[^\w\- ]", "", HEADING_NAME.sub("", heading).lower())
        found.add(slug.strip().replace(" ", "-"))
    return found


def blocks(path: Path) -> list[Block]:
    """Return a page's blocks of code in order."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(
            text[: found.start()].count("\n") + 1,
            found["kind"].strip(),
            textwrap.dedent(found["text"]),
            notes_before(text[: found.start()]),
        )
        for found in FENCE.finditer(text)
    ]


def notes_before(text: str) -> tuple[str, ...]:
    """Return the hidden comments at the end of a text, first to last."""
    notes: list[str] = []
    while found := COMMENT.search(text):
        notes.insert(0, found[1])
        text = text[: found.start()]
    return tuple(notes)
