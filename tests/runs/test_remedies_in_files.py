"""Remedies carried out in the robot's file: checked again, and let go in MuJoCo."""

import re

import pytest

import equipoise as eq
from oracles.edited_files import edited_file
from oracles.let_go import stays
from oracles.uneven_robots import uneven_robot

BY_DAY = (3, 6, 7, 18)  # a slope, a URDF, feet on the base, an MJCF file
IN_FILE = ("move", "lighter", "apart", "sole")


def failures(seed: int, folder) -> tuple[list[str], list[str]]:
    """Return the kinds of a robot's remedies, and what is wrong with them."""
    robot = uneven_robot(seed)
    path = folder / ("robot.urdf" if robot.kind == "urdf" else "robot.xml")
    path.write_text(robot.text)
    result = eq.check(eq.load(path), joints="held", **robot.question)
    wrong, kinds = [], []
    for remedy in result.remedies:
        kinds.append(remedy.kind)
        text, question = robot.text, dict(robot.question)
        if remedy.kind in IN_FILE:
            text = edited_file(robot, remedy.sentence, remedy.what)
        else:
            name = "slope_deg" if remedy.kind == "slope" else remedy.kind
            found = re.search(r"at (?:least|most) ([\d.e+-]+)", remedy.sentence)
            question[name] = float(found[1])
        path.write_text(text)
        again = eq.check(eq.load(path), joints="held", **question, remedies=False)
        if again.stands != "yes":
            wrong.append(f"{seed}: {remedy.sentence}, but then: {again}")
        if not stays(
            robot, text, question.get("friction", 1.0), question.get("slope_deg", 0.0)
        ):
            wrong.append(f"{seed}: {remedy.sentence}, but it is gone in MuJoCo")
    return kinds, wrong


@pytest.mark.parametrize("seed", BY_DAY)
def test_a_remedy_done_in_the_file_makes_it_stand(seed, tmp_path):
    kinds, wrong = failures(seed, tmp_path)
    assert kinds
    assert wrong == []


@pytest.mark.slow
def test_five_hundred_remedies_done_in_files_make_robots_stand(tmp_path):
    seen, wrong, seed = [], [], 0
    while len(seen) < 500:
        kinds, more = failures(seed, tmp_path)
        seen, wrong, seed = seen + kinds, wrong + more, seed + 1
    assert wrong == []
    assert {*IN_FILE, "friction", "slope"} == set(seen)
    assert min(seen.count(kind) for kind in set(seen)) >= 20


def test_way_down_an_asked_slope_is_creeping_and_not_sinking(tmp_path):
    # on hard ground friction holds it; the engine lets it creep 0.25 m in a minute, by
    # which it comes down 25 % of its height
    robot, path = uneven_robot(3), tmp_path / "robot.xml"
    path.write_text(robot.text)
    question = {**robot.question, "friction": 0.5}
    found = eq.check(eq.load(path), joints="held", remedies=False, **question)
    assert found.stands == "yes"
    assert re.search(r"it creeps \d+ mm in 60 s", str(found))


def test_what_turns_down_an_asked_slope_within_a_minute_is_no_creeping(tmp_path):
    # hard ground holds it too, and in four seconds it hardly moves
    robot, path = uneven_robot(3), tmp_path / "robot.xml"
    path.write_text(robot.text)
    question = {**robot.question, "friction": 0.8}
    found = eq.check(eq.load(path), joints="held", remedies=False, **question)
    assert found.stands == "unknown"
    assert "within a minute" in str(found)
