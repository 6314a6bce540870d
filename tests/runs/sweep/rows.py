"""What rows of the tests do; in a file of its own, which a worker imports quickly."""

import os
import sys
import time
from pathlib import Path

from equipoise.runs.sweep.crew import Pool
from equipoise.runs.sweep.design import Choices, Design
from equipoise.runs.sweep.sweep import Answer, run_sweep


def ask(question):
    """Answer by the question alone, so that whoever asks gets the same."""
    a, b, seed = question
    if a == 2 and b == 0.5:
        raise ValueError(f"seed {seed} cannot be")
    numbers = {"sum": a + b + 10 * seed, "realtime_factor": 3.0, "deep": {"x": [a, b]}}
    return Answer("yes" if a == 1 else "no", numbers)


def dies_once(path):
    """End the process the first time; answer the second."""
    if path and not Path(path).exists():
        Path(path).touch()
        os._exit(9)
    return Answer("yes", {"n": 1})


def dies_unless_empty(path):
    """End the process each time, for one of the rows."""
    if path:
        os._exit(9)
    return Answer("yes", {"n": 1})


def noted(question):
    """Note that a row is done, then answer; slow enough to be killed in the middle."""
    path, index = question
    time.sleep(0.004)
    with Path(path).open("a") as file:
        file.write(f"{index}\n")
    return Answer("yes", {"square": index * index})


def numbered(folder, workers=2):
    """Sweep sixty numbers, kept in a folder, each noted when it is done."""
    notes = str(folder / "noted.txt")
    return run_sweep(
        "numbered",
        Design(vary={"n": Choices(tuple(range(60)))}),
        noted,
        lambda row: (notes, row.index),
        Pool(workers),
        folder=folder,
    )


if __name__ == "__main__":
    numbered(Path(sys.argv[1]))
