"""What would make it stand: closed forms on tables, and falls in MuJoCo beside them."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.robot import Robot
from equipoise.runs.check.remedies import changed, find
from equipoise.runs.check.remedies.goal import remedy_goals
from equipoise.runs.check.remedies.masses import moved_masses
from equipoise.runs.check.remedies.search import begun
from equipoise.runs.check.remedies.torques import stronger
from equipoise.runs.check.remedies.world import stiffer
from oracles.tables import Table, drawn

SIDES = {"front": (1, 0), "rear": (-1, 0), "left": (0, 1), "right": (0, -1)}
MM = 1e-3
BARELY = 5e-5  # margin within which contacts, though hard, may let it fall [m]


def loaded(table: Table, folder, **names):
    path = folder / "table.urdf"
    path.write_text(table.urdf(**names))
    return eq.load(path)


def remedies(result):
    """Return the remedies of a check by kind, the first of each."""
    found = {}
    for remedy in result.remedies:
        found.setdefault(remedy.kind, remedy)
    return found


def test_a_table_that_tips_in_closed_form(tmp_path):
    table = Table(x=0.32)
    result = eq.check(loaded(table, tmp_path))
    found = remedies(result)
    out = -table.margin  # by which its centre of mass is outside
    move = found["move"]
    assert out / table.share == pytest.approx(0.04)  # there it is on the very edge
    inside = searched(result).goal.inside
    across = math.sqrt(0.4**2 + 0.34**2 + 0.35**2)  # its corners, nearly
    assert inside == pytest.approx(2e-3 * across, rel=0.1)
    assert move.amount == pytest.approx(0.043)  # at 42 mm it is 1.14 mm inside
    assert move.sentence == "it stands if 'battery' (4 kg) moves 43 mm to the rear"
    assert (move.what, move.towards) == (("battery",), "rear")
    each = math.ceil((out + inside) / MM) * MM
    assert found["apart"].amount == pytest.approx(2 * each)
    assert found["apart"].change == (
        "its legs 'front_left_leg', 'front_right_leg', 'rear_left_leg', "
        "'rear_right_leg' are attached 50 mm further apart from front to rear, 25 mm "
        "each"
    )
    longer = math.ceil(2 * (out + inside) / MM) * MM
    assert found["sole"].amount == pytest.approx(longer)
    # m x / (3 + m) = 0.16 at m = 3: less, in steps of 0.1 kg
    assert found["lighter"].amount == pytest.approx(2.9)
    assert set(found) == {"move", "apart", "sole", "lighter"}
    first, *rest = str(result).splitlines()
    assert first.startswith("table: no, it tips")
    assert rest == [remedy.sentence for remedy in result.remedies]


def test_a_required_margin_is_reached_and_no_more(tmp_path):
    table = Table(x=0.2)
    result = eq.check(loaded(table, tmp_path), require={"margin": 0.06})
    assert (result.stands, result.verdict) == ("yes", "no")
    move = remedies(result)["move"]
    needed = (0.06 - table.margin) / table.share
    assert needed <= move.amount < needed + 1.01 * MM
    assert move.goal == "its margin is at least 0.06 m"


def test_a_square_table_must_grow_both_ways(tmp_path):
    result = eq.check(loaded(Table(), tmp_path), require={"margin": 0.17})
    (apart,) = (r for r in result.remedies if r.kind == "apart")
    both = "20 mm further apart from front to rear and from left to right, 10 mm each"
    assert both in apart.change
    first, second, third = str(result).splitlines()
    assert (first[:10], second[:9]) == ("table: no,", "its margi")
    assert third == apart.sentence
    # what moves one way only cannot do: the other two edges stay where they are
    assert {r.kind for r in result.remedies} == {"apart"}


def test_a_robot_of_many_parts_is_not_searched(tmp_path, monkeypatch):
    result = eq.check(loaded(Table(x=0.32), tmp_path))
    monkeypatch.setattr(find, "MOST_BODIES", 6)  # the table and the world are seven
    assert result.stands == "no"
    assert result.remedies == ()


def test_friction_and_slope_in_closed_form(tmp_path):
    robot = loaded(Table(), tmp_path)
    found = remedies(eq.check(robot, slope_deg=20.0, friction=0.2))
    assert set(found) == {"friction", "slope"}
    needed = math.tan(math.radians(20.0))
    assert needed <= found["friction"].amount < needed + 0.01
    steepest = math.degrees(math.atan(0.2))
    assert steepest - 0.1 < found["slope"].amount <= steepest
    assert found["friction"].sentence == "it stands if friction is at least 0.37"


def test_ground_that_is_too_soft_in_closed_form(tmp_path):
    table = Table()
    result = eq.check(loaded(table, tmp_path), ground_stiffness=100.0)
    critical = result.summary["compliance"]["critical_stiffness"]
    (found,) = stiffer(searched(result))
    assert critical <= found.amount <= 1.05 * critical
    # four feet of stiffness k hold m g h while k L² 4 > m g h, L to a leg's middle;
    # the spread of a foot itself adds to that
    height = (2.0 * 0.31 + 0.15 + 4.0 * 0.34) / 7.0
    least = 7.0 * 9.81 * height / (4 * 0.15**2)
    assert found.amount == pytest.approx(least, rel=0.06)


def test_nothing_is_said_of_what_stands_or_when_not_wanted(tmp_path):
    stands = eq.check(loaded(Table(), tmp_path))
    assert stands.remedies == ()
    assert "\n" not in str(stands)
    tips = loaded(Table(x=0.32), tmp_path)
    assert eq.check(tips, remedies=False).remedies == ()


def test_sides_are_the_robots_own(tmp_path):
    robot = loaded(Table(x=0.32), tmp_path)
    pose = np.array(robot.model.qpos0)
    pose[3:7] = math.cos(0.6), 0.0, 0.0, math.sin(0.6)  # turned by 69 degrees
    move = moved_masses(searched(eq.check(robot, qpos=pose)))[0]
    assert (move.towards, move.amount) == ("rear", pytest.approx(0.043))


@pytest.mark.parametrize("seed", range(1))
def test_mujoco_agrees_just_inside_and_just_outside(seed, tmp_path):
    agrees(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 120))
def test_mujoco_agrees_on_many_tables(seed, tmp_path):
    agrees(seed, tmp_path)


def agrees(seed, folder):
    """See a table fall, stand after each remedy, and fall just short of it."""
    table = drawn(seed)
    assert table.falls()
    result = eq.check(loaded(table, folder))
    assert result.stands == "no"
    found = remedies(result)
    for kind in ("move", "apart", "lighter"):
        remedy = found[kind]
        assert not mended(table, remedy, remedy.amount).falls(), remedy.sentence
        inside = searched(result).goal.inside
        step = {"move": -2 * MM, "apart": -4 * MM, "lighter": 0.1}[kind]
        short = mended(table, remedy, remedy.amount + step)
        assert short.margin < inside, remedy.sentence
        more = {"move": -inside / table.share, "apart": -2 * inside, "lighter": 0.1}
        short = mended(table, remedy, remedy.amount + step + more[kind])
        if kind != "lighter" or short.margin < -BARELY:
            assert short.falls(), remedy.sentence


def mended(table, remedy, amount):
    """Return a table after a remedy, by the words of the remedy alone."""
    if remedy.kind == "move":
        a, b = SIDES[remedy.towards]
        return replace(table, x=table.x + a * amount, y=table.y + b * amount)
    if remedy.kind == "lighter":
        return replace(table, battery=amount)
    if "from front to rear" in remedy.change:
        return replace(table, length=table.length + 0.5 * amount)
    return replace(table, width=table.width + 0.5 * amount)


def searched(result):
    """Return the search for remedies of a check."""
    return begun(result.asked, result, remedy_goals(result)[0])


def test_the_contacts_of_a_file_are_asked_before_a_move_is_told(tmp_path):
    """On its own soft floor a table must come further in than on hard ground."""
    path = tmp_path / "table.xml"
    path.write_text(
        '<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1"/><body '
        'name="top" pos="0 0 0.3"><freejoint/><inertial pos="0 0 0" mass="3" '
        'diaginertia="0.1 0.1 0.1"/>'
        + "".join(
            f'<geom type="sphere" size="0.02" pos="{x} {y} -0.28" mass="0"/>'
            for x, y in ((0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2))
        )
        + '<body name="battery" pos="0.36 0 0"><inertial pos="0 0 0" mass="4" '
        'diaginertia="0.01 0.01 0.01"/></body></body></worldbody></mujoco>'
    )
    result = eq.check(eq.load(path))
    assert result.stands == "no"
    (move, *_) = moved_masses(searched(result))
    assert move.what == ("battery",)
    needed = 0.36 - 0.2 * 7 / 4
    assert needed < move.amount < needed + 7 * MM
    path.write_text(
        path.read_text().replace('"0.36 0 0"', f'"{0.36 - move.amount} 0 0"')
    )
    assert eq.check(eq.load(path)).stands == "yes"


def test_a_joint_that_is_too_weak_is_named_with_what_it_needs(tmp_path):
    robot = leg_press()
    result = eq.check(robot, torque_limits=True)
    assert result.stands == "no"
    # the arm of 0.5 kg at 0.2 m needs 0.981 N m, and its joint has 0.5
    (found,) = stronger(searched(result))
    assert found.what == ("shoulder",)
    needed = 0.5 * 9.81 * 0.2
    # searched in hundredths of its 0.5 N m, then rounded up to a thousandth
    assert needed < found.amount < needed + 0.005 + 0.001


def leg_press():
    """Return a box with an arm held out, whose joint is too weak to hold it."""
    spec = mujoco.MjSpec.from_string(
        '<mujoco><compiler autolimits="true"/><worldbody>'
        '<body name="box" pos="0 0 0.1"><freejoint/><geom '
        'name="box" type="box" size="0.2 0.2 0.1" mass="10"/><body name="arm" '
        'pos="0 0 0.1"><joint name="shoulder" type="hinge" axis="0 1 0" '
        'actuatorfrcrange="-0.5 0.5"/><inertial pos="0.2 0 0" mass="0.5" '
        'diaginertia="0.001 0.001 0.001"/></body></body></worldbody></mujoco>'
    )
    return Robot("press", spec, base="box")


def test_a_change_that_comes_out_otherwise_is_none(tmp_path):
    """A frame turns what is inside it, a directive undoes masses: no false remedy."""
    turned = mujoco.MjSpec.from_string(
        '<mujoco><worldbody><body name="box" pos="0 0 0.1"><freejoint/><geom '
        'type="box" size="0.2 0.2 0.1" mass="1"/><frame euler="0 0 30"><body '
        'name="battery" pos="0.1 0 0.1"><geom type="box" size="0.01 0.01 0.01" '
        'mass="1"/></body></frame></body></worldbody></mujoco>'
    )
    robot = Robot("turned", turned, base="box")
    pose = np.array(robot.model.qpos0)
    way = np.array([0.05, 0.0, 0.0])
    new = changed.moved_bodies(robot, pose, {"battery": way})
    if new is not None:  # MuJoCo resolved the frame: then the move is as meant
        body = robot.model.body("battery").id
        old, now = (
            changed.data_of_pose(r.model, pose).xipos[body] for r in (robot, new)
        )
        np.testing.assert_allclose(now - old, way, atol=1e-9)
    assert changed.lighter_body(robot, "battery", 0.5).model.body(
        "battery"
    ).mass == pytest.approx(0.5)
    by_geoms = turned.copy()
    by_geoms.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    stubborn = Robot("stubborn", by_geoms, base="box")
    assert changed.lighter_body(stubborn, "battery", 0.5) is None
    assert changed.with_moved_centre(stubborn, pose, "box", way) is None
