"""The works cited: a page made of ``references.bib``, and links to it."""

import re
from pathlib import Path

from links import relative

__all__ = ["cited", "reference_pages"]

BIBLIOGRAPHY = Path(__file__).parents[2] / "docs" / "references.bib"
PAGE = "references.md"
CITATION = re.compile(r"\[([A-Z][A-Za-z]+(?:19|20)\d\d[a-z]?)\](?![\(\[:])")
ENTRY = re.compile(r"^@\w+\{([^,\s]+),(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\s*(\w+)\s*=\s*[{\"](.*?)[}\"],?\s*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
ACCENTS = {r"\"o": "ö", r"\"u": "ü", r"\"a": "ä", r"\'e": "é", r"\'a": "á"}


def plain(text: str) -> str:
    """Return a field without TeX's braces, dashes and accents."""
    text = re.sub(r"\{(\\['\"]\w)\}", r"\1", text)
    for tex, letter in ACCENTS.items():
        text = text.replace(tex, letter)
    return " ".join(re.sub(r"[{}]", "", text).replace("--", "-").split())


def entries() -> dict[str, dict[str, str]]:
    """Return the fields of every work, by key."""
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    return {
        key: {name: plain(value) for name, value in FIELD.findall(body)}
        for key, body in ENTRY.findall(text)
    }


def reference_pages() -> dict[str, str]:
    """Return the page of works, by path."""
    lines = ["# References", "", "The works that pages and docstrings cite by key."]
    for key, fields in sorted(entries().items()):
        where = next(
            (fields[f] for f in ("journal", "booktitle", "school", "publisher",
                                 "institution", "howpublished") if f in fields),
            "",
        )  # fmt: skip
        said = [fields.get("author", "").replace(" and ", "; ")]
        said += [f"*{fields.get('title', '')}*", where, fields.get("year", "")]
        lines += ["", f"## {key}", "", ", ".join(part for part in said if part) + "."]
    return {PAGE: "\n".join(lines) + "\n"}


def cited(text: str, page: str) -> str:
    """Return a page's text with every citation outside code linked to the works.

    Args:
        text: Markdown.
        page: its path from ``docs``.
    """
    if page == PAGE:
        return text
    known = entries()

    def link(found: re.Match[str]) -> str:
        key = found[1]
        target = f"{relative(PAGE, page)}#{key.lower()}"
        return f"[\\[{key}\\]]({target})" if key in known else found[0]

    parts = CODE.split(text)
    parts[::2] = [CITATION.sub(link, part) for part in parts[::2]]
    return "".join(parts)
