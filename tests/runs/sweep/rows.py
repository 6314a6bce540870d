"""What rows of the tests do; in a file of its own, which a worker imports quickly."""

import os
from pathlib import Path

from equipoise.runs.sweep.sweep import Answer


def ask(question):
    """Answer by the question alone, so that whoever asks gets the same."""
    a, b, seed = question
    if a == 2 and b == 0.5:
        raise ValueError(f"seed {seed} cannot be")
    numbers = {"sum": a + b + 10 * seed, "realtime_factor": 3.0, "deep": {"x": [a, b]}}
    return Answer("yes" if a == 1 else "no", numbers)


def dies_once(path):
    """End the process the first time; answer the second."""
    if not Path(path).exists():
        Path(path).touch()
        os._exit(9)
    return Answer("yes", {"n": 1})


def dies(path):
    """End the process each time."""
    os._exit(9)
