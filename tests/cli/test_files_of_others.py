"""Commands on robot files that nobody here wrote: an answer, or one sentence.

``tools/try_files.py`` tries all of them; here are a few that should be refused.
"""

from pathlib import Path

import pytest

from equipoise.cli.app import run
from oracles.hostile import Case, verdict
from oracles.robot_files import example_urdfs, gymnasium_mjcfs

REFUSED = {  # by walk: what it says
    "bolt.urdf": "got 2",
    "centauro.urdf": "wheel",
    "panda.urdf": "no legs were found",
    "tiago.urdf": "no legs were found",
    "alex_nub_hands.urdf": "hangs between its limbs",
    "falcon.urdf": "MuJoCo cannot use it",
    "ur3.urdf": "has no bodies",
    "half_cheetah.xml": "got 2",
    "hopper.xml": "no legs were found",
    "swimmer.xml": "no legs were found",
}
SHORT = ("describe", "mass", "check", "lint", "linearize")


def place_of(name: str) -> Path:
    """Return a file of others, or skip the test."""
    files = {path.name: path for path in (*example_urdfs(), *gymnasium_mjcfs())}
    if name not in files:
        pytest.skip("example-robot-data and gymnasium are not installed (make setup)")
    return files[name]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_walk_is_told_why(name: str, capfd):
    assert run(["walk", str(place_of(name)), "--seconds", "2.5"]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert REFUSED[name] in err
    assert run(["balance", str(place_of(name)), "--seconds", "1"]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize("name", ["a1.urdf", "bolt.urdf", "ant.xml"])
def test_every_answer_is_one(name: str):
    path = place_of(name)
    for command in SHORT:
        assert verdict(Case((command, str(path), "--json"))) == ""
