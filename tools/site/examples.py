"""A page an example: what its docstring says, then the script as it is."""

import ast
from pathlib import Path

__all__ = ["example_pages"]

FOLDER = Path(__file__).parents[2] / "examples"


def example_pages() -> dict[str, str]:
    """Return the examples' pages and the list of them, by path."""
    scripts = sorted(FOLDER.glob("[0-9]*.py"))
    pages = {f"examples/{path.stem}.md": page(path) for path in scripts}
    rows = [f"| [{title(p)}]({p.stem}.md) | {told(p)[0]} |" for p in scripts]
    pages["examples/index.md"] = "\n".join(
        [
            "# Examples",
            "",
            "Each is a script of at most 80 lines in the folder `examples`, runs",
            "without a screen, and is run by the tests.",
            "",
            "| script | what it shows |",
            "| --- | --- |",
            *rows,
            "",
        ]
    )
    return pages


def title(script: Path) -> str:
    """Return a script's name as words."""
    words = script.stem.partition("_")[2].replace("_", " ")
    return words[:1].upper() + words[1:]


def told(script: Path) -> tuple[str, str]:
    """Return the first sentence of a script's docstring and the rest of it."""
    docstring = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    first, _, rest = docstring.partition("\n\n")
    return " ".join(first.split()), rest.strip()


def page(script: Path) -> str:
    """Return one example's page."""
    first, rest = told(script)
    code = script.read_text(encoding="utf-8").rstrip()
    return (
        f"# {title(script)}\n\n{first}\n\n{rest}\n\n"
        f'```python title="examples/{script.name}"\n{code}\n```\n'
    )
