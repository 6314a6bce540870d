"""Robots that come along as plain files are what their comments say, everywhere."""

import json
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.cli.app import run
from equipoise.core.errors import BadFileError, UnknownNameError
from equipoise.robots.builtin import builtin_names
from equipoise.robots.files.named import (
    is_robot_file,
    robot_path,
    shipped_file,
    shipped_names,
    shipped_what,
    typed_name,
)
from equipoise.runs.about import save_robot
from equipoise.runs.limits import footed_robot
from equipoise.runs.robot import RobotChoice, kept

# What each body is made of: (mass [kg], kind, sizes [m], place in its frame [m]), typed
# from the comments of the files. Cylinders: radius, length, axis.
COLT_LEG = {
    "hip": [(0.6, "cylinder", (0.045, 0.06, 1), (0, 0.04, 0))],
    "thigh": [
        (0.55, "cylinder", (0.045, 0.04, 1), (0, 0.008, 0)),
        (0.35, "box", (0.045, 0.03, 0.20), (0, 0, -0.10)),
    ],
    "shank": [(0.15, "box", (0.025, 0.022, 0.20), (0, 0, -0.10))],
    "foot": [(0.05, "ball", (0.025,), (0, 0, 0))],
}
COLT_TRUNK = [
    (4.6, "box", (0.38, 0.17, 0.10), (0, 0, 0)),
    (0.4, "box", (0.06, 0.12, 0.07), (0.22, 0, 0.02)),
    *(
        (0.3, "cylinder", (0.04, 0.05, 0), (x, y, 0))
        for x in (0.19, -0.19)
        for y in (0.065, -0.065)
    ),
]
SQUIRE_LEG = {
    "hip": [(0.9, "cylinder", (0.045, 0.08, 0), (-0.03, 0, 0))],
    "hip_cross": [(1.1, "cylinder", (0.05, 0.07, 1), (0, 0.02, 0))],
    "thigh": [
        (1.3, "cylinder", (0.05, 0.06, 1), (0, 0, 0)),
        (0.9, "cylinder", (0.05, 0.06, 1), (0, 0, -0.30)),
        (1.1, "box", (0.08, 0.06, 0.24), (0, 0, -0.16)),
    ],
    "shank": [
        (0.8, "box", (0.07, 0.07, 0.10), (0, 0, -0.10)),
        (1.4, "box", (0.06, 0.05, 0.28), (0, 0, -0.17)),
    ],
    "ankle": [(0.3, "ball", (0.03,), (0, 0, 0))],
    "foot": [(0.9, "box", (0.21, 0.09, 0.04), (0.035, 0, -0.05))],
    "shoulder": [(0.6, "cylinder", (0.045, 0.07, 1), (0, 0.015, 0))],
    "upper_arm": [(1.3, "box", (0.07, 0.06, 0.24), (0, 0.01, -0.11))],
    "forearm": [(0.9, "box", (0.06, 0.06, 0.24), (0, 0, -0.11))],
}
SQUIRE_TRUNK = {
    "pelvis": [
        (4.0, "box", (0.15, 0.20, 0.10), (0, 0, 0.02)),
        (0.3, "cylinder", (0.04, 0.06, 2), (0, 0.09, -0.02)),
        (0.3, "cylinder", (0.04, 0.06, 2), (0, -0.09, -0.02)),
    ],
    "torso": [
        (8.0, "box", (0.16, 0.26, 0.34), (0, 0, 0.19)),
        (2.4, "ball", (0.09,), (0.01, 0, 0.49)),
    ],
}


def mirrored(parts, side):
    """Return parts of the left for a side, +1 or -1."""
    return [(m, kind, size, (x, side * y, z)) for m, kind, size, (x, y, z) in parts]


def bodies_of(name):
    """Return every body's parts."""
    if name == "colt":
        left_right = (("fl", 1), ("fr", -1), ("rl", 1), ("rr", -1))
        legs = {
            f"{leg}_{part}": mirrored(parts, side)
            for leg, side in left_right
            for part, parts in COLT_LEG.items()
        }
        return {"trunk": COLT_TRUNK} | legs
    limbs = {
        f"{leg}_{part}": mirrored(parts, side)
        for leg, side in (("left", 1), ("right", -1))
        for part, parts in SQUIRE_LEG.items()
    }
    return SQUIRE_TRUNK | limbs


def inertia_of(mass, kind, size):
    """Return the inertia of a solid about its centre: the textbook's forms."""
    if kind == "ball":
        return 0.4 * mass * size[0] ** 2 * np.eye(3)
    if kind == "box":
        square = np.square(size)
        return mass / 12.0 * np.diag(square.sum() - square)
    radius, length, axis = size
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    found = np.full(3, across)
    found[axis] = 0.5 * mass * radius**2
    return np.diag(found)


def composed(parts):
    """Return mass, centre of mass and inertia about it, by Steiner's rule."""
    mass = sum(part[0] for part in parts)
    com = sum(m * np.array(place) for m, _, _, place in parts) / mass
    inertia = np.zeros((3, 3))
    for m, kind, size, place in parts:
        d = np.array(place) - com
        inertia += inertia_of(m, kind, size) + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, com, inertia


@pytest.mark.parametrize(("name", "mass"), [("colt", 13.0), ("squire", 38.0)])
def test_masses_and_inertias_are_those_of_the_parts(name, mass):
    model = eq.load(name).model
    bodies = bodies_of(name)
    assert {model.body(b).name for b in range(1, model.nbody)} == set(bodies)
    assert float(model.body_mass.sum()) == pytest.approx(mass, rel=1e-12)
    for body, parts in bodies.items():
        b = model.body(body).id
        expected, com, inertia = composed(parts)
        assert model.body_mass[b] == pytest.approx(expected, rel=1e-9)
        assert model.body_ipos[b] == pytest.approx(com, abs=1e-6)  # six digits kept
        R = np.empty(9)
        mujoco.mju_quat2Mat(R, model.body_iquat[b])
        R = R.reshape(3, 3)
        found = R @ np.diag(model.body_inertia[b]) @ R.T
        assert found == pytest.approx(inertia, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("name", ["colt", "squire"])
def test_its_sides_are_mirror_images(name):
    robot = eq.load(name)
    data = mujoco.MjData(robot.model)
    data.qpos[:] = robot.found.qpos
    mujoco.mj_forward(robot.model, data)
    assert abs(data.subtree_com[1][1]) < 1e-9
    left = [leg for leg in robot.found.legs if leg.name in ("fl", "rl", "left")]
    right = [leg for leg in robot.found.legs if leg not in left]
    ends = [
        np.array([data.body(leg.foot.body).xpos for leg in legs])
        for legs in (left, right)
    ]
    assert ends[0] * (1, -1, 1) == pytest.approx(ends[1], abs=1e-7)


@pytest.mark.parametrize("name", ["colt", "squire"])
def test_it_is_clean_and_stands_on_its_drives(name, capsys):
    assert run(["lint", name, "--strict"]) == 0
    assert "0 errors, 0 warnings, 0 notes" in capsys.readouterr().out
    robot = eq.load(name)
    assert eq.check(robot, qpos=robot.found.qpos).verdict == "yes"


def test_their_legs_are_found_as_in_any_file():
    colt, squire = eq.load("colt"), eq.load("squire")
    assert [len(leg.joints) for leg in colt.found.legs] == [3, 3, 3, 3]
    assert [leg.foot.kind for leg in colt.found.legs] == ["ball"] * 4
    assert [len(leg.joints) for leg in squire.found.legs] == [6, 6]
    assert [leg.foot.kind for leg in squire.found.legs] == ["sole"] * 2
    assert colt.found.drives[0].torque == 25.0
    assert not any("torque" in drive.assumed for drive in squire.found.drives)


def test_names_are_listed_and_clash_with_none():
    assert shipped_names() == ("colt", "squire")
    assert not set(shipped_names()) & set(builtin_names())
    for name in shipped_names():
        assert shipped_what(name).startswith("a ")
        assert is_robot_file(name)
        assert robot_path(name) == shipped_file(name)
    assert not is_robot_file("warp1")
    assert robot_path("my.urdf") == "my.urdf"
    assert typed_name(str(shipped_file("colt"))) == "colt"
    assert typed_name("/somewhere/colt.urdf") == "colt.urdf"
    assert typed_name("") == "FILE"


def test_a_copy_is_the_same_robot(tmp_path, capsys):
    copy = save_robot("colt", tmp_path / "mine.urdf")
    assert copy.read_bytes() == Path(robot_path("colt")).read_bytes()
    other = save_robot("colt", tmp_path / "mine.xml")
    for path in (copy, other):
        mine = eq.load(path).model
        assert mine.body_mass == pytest.approx(eq.load("colt").model.body_mass)
        assert mine.nu == 12
    assert run(["robots", "squire", "--save", str(tmp_path / "s.xml"), "--json"]) == 0
    told = {"robot": "squire", "file": str(tmp_path / "s.xml")}
    assert json.loads(capsys.readouterr().out) == told  # and nothing else
    with pytest.raises(BadFileError, match=r"name one that ends in \.urdf or \.xml"):
        save_robot("colt", tmp_path / "mine.txt")
    assert run(["robots", "--save", "a.urdf"]) == 2
    assert "name it" in capsys.readouterr().err


def test_it_is_told_like_a_file_and_listed(capsys):
    assert run(["robots"]) == 0
    assert "a quadruped of 12 joints, 13 kg" in " ".join(
        capsys.readouterr().out.split()
    )
    assert run(["robots", "colt", "--json"]) == 0
    assert '"legs"' in capsys.readouterr().out
    assert run(["describe", "colt"]) == 0
    assert "hips" in capsys.readouterr().out


@pytest.mark.parametrize("has_package", [True, False])
def test_an_unknown_name_is_answered_with_what_works(has_package, monkeypatch, capsys):
    """One sentence: those that come along, a file, the package and how to get it."""
    if not has_package:
        monkeypatch.setitem(sys.modules, "robot_descriptions", None)
    with pytest.raises(UnknownNameError) as error:
        eq.load("go2")
    said = str(error.value)
    assert "has no robot 'go2': take colt or squire" in said
    assert "go2_description" in said
    assert ("pip install robot_descriptions" in said) == (not has_package)
    assert ". " not in said
    for command in ("lint", "describe", "walk", "check", "balance"):
        assert run([command, "go2"]) == 2
        assert capsys.readouterr().err == f"{said}\n"


def test_limits_reads_it_as_a_robot_file():
    ready = kept(RobotChoice(name="squire"), footed_robot)
    assert len(ready.robot.feet) == 8  # four corners a sole
    assert kept(RobotChoice(name="squire"), footed_robot) is ready  # read once


def test_it_trots_and_takes_a_push():
    walk = eq.simulate(eq.load("colt"), speed=0.5, push=8.0, push_at=2.0, seconds=3.5)
    assert walk.verdict == "yes"


@pytest.mark.slow
@pytest.mark.parametrize("gait", ["trot", "crawl"])
def test_it_walks_a_minute_with_other_seeds(gait):
    for seed in range(7000, 7005):
        walk = eq.simulate(eq.load("colt"), gait=gait, seconds=60.0, seed=seed)
        assert walk.verdict == "yes", seed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mass", "law"), [(2.0, "workspace-cone"), (4.0, "workspace-step")]
)
def test_a_block_is_thrown_at_the_humanoid(mass, law):
    assert eq.simulate(eq.load("squire"), law, block_mass=mass).verdict == "yes"


@pytest.mark.parametrize("name", builtin_names())
def test_all_of_a_machine_is_seen(name):
    model = eq.load(name).model
    drawn = model.geom_group < 3  # what MuJoCo's viewer shows
    assert drawn.any()
    assert (model.geom_rgba[drawn, 3] == 1.0).all()
