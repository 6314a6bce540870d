"""No number of a built-in robot without its source, and every machine tells them."""

import importlib
import json
from dataclasses import fields, replace
from numbers import Number

import numpy as np
import pytest

from equipoise.cli.app import run
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.assembly.module import SOURCES, SuperbotModule
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.drives import Drive
from equipoise.robots.sliding import MEANINGS, SlidingBuild
from equipoise.robots.source import Provenance, chosen
from equipoise.robots.titan3.build import BUILD

SLIDING = ("asv", "titan3", "titan4", "titan6")
LOOKS = {"METAL", "LIMB", "PAD", "LOAD", "FORWARD", "ACROSS"}
"""Colours, and axes that need no source."""
MASSES = {"titan3": 80.0, "titan4": 160.0, "titan6": 195.0, "asv": 2700.0}


def is_number(value) -> bool:
    if isinstance(value, tuple | list):
        return bool(value) and all(is_number(one) for one in value)
    return isinstance(value, Number | Drive | np.ndarray)


def numbers_of(module) -> set[str]:
    """Names of the numbers that a file has at its top, colours and axes left out."""
    names = {n for n, v in vars(module).items() if n.isupper() and is_number(v)}
    return {n for n in names - LOOKS if not n.endswith("COLOUR")}


@pytest.mark.parametrize("file", ["warp1.warp1", "biped.biped"])
def test_each_number_of_a_file_has_a_source(file):
    module = importlib.import_module(f"equipoise.robots.{file}")
    own = numbers_of(module) - {"PAPER_HEIGHT"}  # an option's default
    assert own == set(module.SOURCES)
    assert len(own) > 20


def test_each_number_of_a_module_has_a_source():
    assert {f.name for f in fields(SuperbotModule)} - {"kind"} == set(SOURCES)


def test_a_machine_cannot_be_built_of_a_number_without_a_source():
    less = {name: s for name, s in BUILD.sources.items() if name != "rotor"}
    with pytest.raises(ConfigError, match="rotor has no source"):
        replace(BUILD, sources=less)
    with pytest.raises(ConfigError, match="outside has no source"):
        replace(BUILD, outside=(2.0, 1.0, 1.0))
    with pytest.raises(ConfigError, match="wings is no number of it"):
        replace(BUILD, sources={**BUILD.sources, "wings": chosen("none")})
    words = {"name", "sources", "senses", "simplified"}
    assert set(MEANINGS) == {f.name for f in fields(SlidingBuild)} - words


def test_parts_that_do_not_add_up_are_refused():
    with pytest.raises(ConfigError, match="its parts weigh 80 kg, all of it 81 kg"):
        replace(BUILD, mass=81.0)


def test_a_sensor_that_there_is_not_is_refused():
    with pytest.raises(UnknownNameError, match="taste"):
        Provenance(facts=(), senses={"taste": chosen("why not")})


@pytest.mark.parametrize("name", builtin_names())
def test_every_robot_says_what_it_is(name, capsys):
    assert run(["robots", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["robot"] == name
    assert told["what"] == builtin(name).what
    kinds = {row["source"] for row in told["numbers"] + told["sensors"]}
    assert kinds <= {"printed", "chosen", "tried", "follows"}
    assert all(row["where"] and row["what"] for row in told["numbers"])
    assert told["controllers"]
    assert told["limits"]
    assert {"--" + o.option for o in builtin(name).typed} == {
        "--" + row["name"] for row in told["options"]
    }


@pytest.mark.parametrize("name", SLIDING)
def test_the_mass_is_printed_and_what_is_not_says_so(name, capsys):
    assert run(["robots", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in told["numbers"]}
    assert rows["mass"]["source"] == "printed"
    assert rows["mass"]["value"] == MASSES[name] == pytest.approx(told["mass_kg"])
    assert rows["rotor"]["source"] in ("chosen", "tried")
    assert told["legs"]["count"] == (6 if name == "asv" else 4)
    assert told["legs"]["joints_each"] == 3


def test_it_is_told_to_people_too(capsys):
    assert run(["robots", "asv"]) == 0
    text = capsys.readouterr().out
    for words in ("2700 kg", "6 legs of 3 joints", "25000 N", "figure 3.9", "2 Hz"):
        assert words in " ".join(text.split())


def test_of_a_file_describe_tells_more(capsys):
    assert run(["robots", "dog.urdf"]) == 2
    assert "'equipoise describe FILE'" in capsys.readouterr().err
    assert run(["robots", "titan9"]) == 2
    assert "did you mean 'titan6'?" in capsys.readouterr().err
