"""Check the documentation: what it points to, what it tells to run, what it leaves out.

    .venv/bin/python tools/check_docs.py [--pages | --long] [PAGE ...]

prints one line a problem and exits 1 if there is any: links and citations that lead
nowhere, pages that the site's navigation lacks, public names without an entry in the
API, numbers that are not what was measured (``documentation/sources.py``), counts of
claims that are not those that are kept, and, unless ``--pages`` is given, blocks of
Python and commands of a page that do not run or do not print what the page shows, and
examples that fail. How blocks are marked is told in
``documentation/steps.py``. With ``--long`` those run too that take minutes. PAGE names
some pages only, as ``docs/cli.md``.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from documentation.claims import wrong_counts
from documentation.links import bibliography, not_in_nav, pointing_nowhere
from documentation.names import names_without_entry
from documentation.pages import ROOT, documentation
from documentation.runner import PageReport, run_pages
from documentation.sources import wrong_numbers
from documentation.steps import Step, page_steps

EXAMPLE_SECONDS = 120
EXAMPLE_LINES = 80


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


def page_problems(pages: list[Path]) -> list[str]:
    """Return what the pages point to that is not there."""
    keys = bibliography()
    problems = [
        f"docs/references.bib: {key} is there twice"
        for key in sorted(set(keys))
        if keys.count(key) > 1
    ]
    for page in pages:
        found = [*pointing_nowhere(page, set(keys)), *wrong_numbers(page)]
        problems += [f"{page.relative_to(ROOT)}: {problem}" for problem in found]
    return [*problems, *not_in_nav(pages)]


def to_run(pages: list[Path], with_long: bool) -> dict[str, list[Step]]:
    """Return the steps to run by page, a command that says the same only once.

    Args:
        pages: the files.
        with_long: whether those that take minutes run as well.
    """
    work: dict[str, list[Step]] = {}
    seen: set[tuple[str, int, str | None]] = set()
    for page in pages:
        chosen = work.setdefault(str(page.relative_to(ROOT)), [])
        for step in page_steps(page):
            key = (step.text, step.code, step.prints)
            is_shared = step.kind == "shell" and "." not in step.text
            if step.skipped or (step.is_long and not with_long):
                continue
            if is_shared and "out" not in step.text and key in seen:
                continue
            seen.add(key)
            chosen.append(step)
    return work


def told(pages: list[Path], reports: list[PageReport]) -> None:
    """Print how many blocks and commands ran, which did not, and what took longest."""
    steps = [s for page in pages for s in page_steps(page) if s.kind != "file"]
    is_long = [step for step in steps if step.is_long]
    skipped = [step for step in steps if step.skipped]
    slowest = sorted((s for r in reports for s in r.slowest), reverse=True)[:5]
    print(
        f"{len(steps)} blocks and commands on {len(pages)} pages: {len(is_long)} "
        f"marked long, {len(skipped)} marked as not run; "
        f"{sum(r.ran for r in reports)} run here"
    )
    for seconds, what in slowest:
        print(f"  {seconds:5.1f} s  {what}")


def chosen(names: list[str]) -> list[Path]:
    """Return the pages asked for, all of them where none is named."""
    if not names:
        return documentation()
    return [(ROOT / name).resolve() for name in names]


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser("check_docs.py", description=__doc__)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--pages", action="store_true", help="run nothing")
    how.add_argument("--long", action="store_true", help="also what takes minutes")
    parser.add_argument("names", nargs="*", metavar="PAGE")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Check everything and return the exit code."""
    sys.path.insert(0, str(ROOT / "lab"))
    asked, start = parsed(arguments), time.monotonic()
    pages = chosen(asked.names)
    problems = page_problems(pages)
    problems += [] if asked.names else [*names_without_entry(), *wrong_counts()]
    examples: list[Path] = []
    if not asked.pages:
        reports = run_pages(to_run(pages, asked.long), os.cpu_count() or 1)
        problems += [f"{r.page}: {problem}" for r in reports for problem in r.problems]
        told(pages, reports)
        examples = [] if asked.names else sorted((ROOT / "examples").glob("*.py"))
        problems += failing_examples(examples)
    print(*problems, sep="\n", end="\n" if problems else "")
    print(
        f"{len(pages)} pages, {len(bibliography())} references, {len(examples)} "
        f"examples, {time.monotonic() - start:.0f} s: {len(problems) or 'no'} "
        f"problem{'' if len(problems) == 1 else 's'}"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
