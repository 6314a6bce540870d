"""Check the documentation: links, citations, imports, and that every example runs.

    .venv/bin/python tools/check_docs.py [--pages]

prints one line a problem and exits 1 if there is any. Examples run in a folder of
their own without a screen, as many at a time as there are cores; each may take two
minutes. With ``--pages`` they are not run, which takes seconds: the tests run them too
(``tests/runs/test_examples.py``).
"""

import ast
import importlib
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CITATION = re.compile(r"\[([A-Z][A-Za-z]+(?:19|20)\d\d[a-z]?)\]")
BIB_KEY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^ *```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
EXAMPLE_SECONDS = 120
EXAMPLE_LINES = 80


def prose(path: Path) -> str:
    """Return a page without its code blocks, line numbers kept."""
    text = path.read_text(encoding="utf-8")
    return FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)


def anchors(path: Path) -> set[str]:
    """Return the names under which a page's headings can be linked."""
    slugs = (re.sub(r"[^\w\- ]", "", h.lower()) for h in HEADING.findall(prose(path)))
    return {slug.strip().replace(" ", "-") for slug in slugs}


def broken_links(page: Path) -> Iterator[str]:
    """Yield links that lead nowhere; addresses on the web are not visited."""
    for number, line in enumerate(prose(page).splitlines(), start=1):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            other = page.parent / name if name else page
            if not other.exists():
                yield f"line {number}: {target} does not exist"
            elif anchor and other.suffix == ".md" and anchor not in anchors(other):
                yield f"line {number}: {name or 'this page'} has no heading #{anchor}"


def unknown_citations(page: Path, known: set[str]) -> Iterator[str]:
    """Yield citation keys that the bibliography does not have."""
    for number, line in enumerate(prose(page).splitlines(), start=1):
        for key in CITATION.findall(line):
            if key not in known:
                yield f"line {number}: [{key}] is not in docs/references.bib"


def stale_imports(page: Path) -> Iterator[str]:
    """Yield names that a page's Python imports and the library no longer has."""
    for block in PYTHON.findall(page.read_text(encoding="utf-8")):
        try:
            tree = ast.parse(textwrap.dedent(block))
        except SyntaxError:
            continue  # a piece of something
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


def failing_example(script: Path) -> Iterator[str]:
    """Yield what is wrong with one example, if anything."""
    if len(script.read_text(encoding="utf-8").splitlines()) > EXAMPLE_LINES:
        yield f"longer than {EXAMPLE_LINES} lines"
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    environment.pop("DISPLAY", None)
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, str(script)],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=EXAMPLE_SECONDS,
            )
        except subprocess.TimeoutExpired:
            yield f"still running after {EXAMPLE_SECONDS} s"
            return
    if done.returncode:
        yield f"exit code {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"


def failing_examples(scripts: list[Path]) -> list[str]:
    """Return what is wrong with the examples, several of them run at a time."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as crew:
        found = list(crew.map(lambda script: [*failing_example(script)], scripts))
    return [
        f"{script.relative_to(ROOT)}: {problem}"
        for script, problems in zip(scripts, found, strict=True)
        for problem in problems
    ]


def main(arguments: list[str]) -> int:
    """Check everything and return the exit code."""
    sys.path.insert(0, str(ROOT / "lab"))
    if arguments not in ([], ["--pages"]):
        print("usage: check_docs.py [--pages]", file=sys.stderr)
        return 2
    bibliography = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
    keys = BIB_KEY.findall(bibliography)
    problems = [
        f"docs/references.bib: {key} is there twice"
        for key in sorted(set(keys))
        if keys.count(key) > 1
    ]
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    for page in pages:
        found = [*broken_links(page), *unknown_citations(page, set(keys))]
        found += stale_imports(page)
        problems += [f"{page.relative_to(ROOT)}: {problem}" for problem in found]
    examples = [] if arguments else sorted((ROOT / "examples").glob("*.py"))
    problems += failing_examples(examples)
    print(*problems, sep="\n", end="\n" if problems else "")
    print(
        f"{len(pages)} pages, {len(keys)} references, {len(examples)} examples: "
        f"{len(problems) or 'no'} problem{'' if len(problems) == 1 else 's'}"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
