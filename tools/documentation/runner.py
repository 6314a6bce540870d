"""Run the steps of pages: a process and a folder a page, some pages at a time.

A process is forked from one that has the library in memory already, so that a page does
not pay for loading it. In it, blocks of Python share their names from top to bottom,
and commands of ``equipoise`` are called without starting the program anew.
"""

import contextlib
import io
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
import webbrowser
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from documentation.scratch import fill
from documentation.shell import run_shell
from documentation.shown import differing, kept_values
from documentation.steps import Step

__all__ = ["PageReport", "run_pages"]

PAGE_SECONDS = 600


@dataclass
class PageReport:
    """What became of a page's steps."""

    page: str
    problems: list[str] = field(default_factory=list[str])
    ran: int = 0
    seconds: float = 0.0
    slowest: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])


def run_pages(work: dict[str, list[Step]], at_once: int) -> list[PageReport]:
    """Return what became of every page.

    Args:
        work: the steps to run, by page.
        at_once: how many pages at a time.
    """
    warm_up()
    # The longest first, so that none is left over at the end.
    waiting = sorted((p for p in work if work[p]), key=lambda page: len(work[page]))
    running: dict[Any, Running] = {}
    reports: list[PageReport] = []
    while waiting or running:
        while waiting and len(running) < at_once:
            page = waiting.pop()
            begun = begin(page, work[page])
            running[begun.report] = begun
        for report in wait(list(running), timeout=1.0):
            reports.append(received(running.pop(report)))
            progress(reports[-1])
        for report, one in list(running.items()):
            if time.monotonic() - one.start > PAGE_SECONDS:
                one.process.kill()  # and the pipe ends
                running.pop(report)
                told = f"still running after {PAGE_SECONDS} s"
                reports.append(PageReport(one.page, [told]))
    return sorted(reports, key=lambda report: report.page)


def progress(report: PageReport) -> None:
    """Say on stderr that a page is done, and what was found on it."""
    print(f"{report.page}: {report.ran} in {report.seconds:.0f} s", file=sys.stderr)
    for problem in report.problems:
        print(f"  {problem}", file=sys.stderr)


@dataclass(frozen=True)
class Running:
    """A page that is being run."""

    page: str
    process: Any
    report: Any
    """The end of the pipe that its report comes from."""
    start: float


def begin(page: str, steps: list[Step]) -> Running:
    """Fork a process that runs a page."""
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=reported, args=(page, steps, there))
    process.start()
    there.close()
    return Running(page, process, here, time.monotonic())


def reported(page: str, steps: list[Step], pipe: Any) -> None:
    """Run a page in this process and send the report."""
    pipe.send(run_page(page, steps))
    pipe.close()


def received(one: Running) -> PageReport:
    """Return a page's report, or how its process ended without one."""
    try:
        report: PageReport = one.report.recv()
    except EOFError:
        one.process.join()
        report = PageReport(one.page, [f"ended its process: {one.process.exitcode}"])
    one.process.join()
    return report


def warm_up() -> None:
    """Load what most pages need, once, with compiled kernels."""
    os.environ.update(MPLBACKEND="Agg", COLUMNS="88", NO_COLOR="1")
    os.environ.pop("DISPLAY", None)
    webbrowser.open = lambda *_, **__: True  # type: ignore[assignment]
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for line in ("walk warp1 --seconds 1", "balance --seconds 1", "check warp1",
                     "balance biped --seconds 1"):  # fmt: skip
            run_shell(Step(0, "shell", f"equipoise {line} --out out"))
        os.chdir(here)


def run_page(page: str, steps: list[Step]) -> PageReport:
    """Run one page's steps in a folder of its own, in this process.

    Args:
        page: its name.
        steps: what to run, in order.
    """
    report, begin = PageReport(page), time.monotonic()
    names: dict[str, Any] = {"__name__": "__page__"}
    with tempfile.TemporaryDirectory(prefix="docs-") as folder:
        os.chdir(folder)
        fill(Path(folder))
        for step in steps:
            start = time.monotonic()
            if problem := run_step(step, names):
                report.problems.append(f"line {step.line}: {problem}")
            took = time.monotonic() - start
            report.slowest.append((took, f"{page}:{step.line} {first_line(step)}"))
            report.ran += 1
        os.chdir("/")
    report.seconds = time.monotonic() - begin
    return report


def first_line(step: Step) -> str:
    """Return how a step begins."""
    return step.text.strip().splitlines()[0] if step.text.strip() else ""


def run_step(step: Step, names: dict[str, Any]) -> str:
    """Run one step and return what is wrong with it, if anything."""
    if step.kind == "file":
        Path(step.name).parent.mkdir(parents=True, exist_ok=True)
        Path(step.name).write_text(step.text, encoding="utf-8")
        return ""
    if step.kind == "shell":
        return run_shell(step)
    return run_python(step, names)


def run_python(step: Step, names: dict[str, Any]) -> str:
    """Run a block with the names of the blocks above it."""
    try:
        tree, said = kept_values(step.text)
        code = compile(tree, f"<line {step.line}>", "exec", dont_inherit=True)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
    except BaseException as error:  # whatever a page does must not end the check
        where = traceback.extract_tb(error.__traceback__)
        lines = [f.lineno for f in where if f.filename == f"<line {step.line}>"]
        text = step.text.splitlines()
        at = text[lines[0] - 1].strip() if lines and lines[0] else first_line(step)
        return f"{type(error).__name__} in '{at}': {str(error)[:300]}"
    return differing(said, names)
