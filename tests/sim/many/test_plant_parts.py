"""Parts of a step by straight lines, each against a few lines of NumPy."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.named import NamedSymbols
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.sim.many import plant
from equipoise.sim.many.falls import fall_of
from equipoise.sim.many.ground_shape import GroundSlope, shape_settings, tangent_plane
from equipoise.sim.terrain import GroundPlane


def symbols(tape: Tape, count: int, name: str = "x") -> list[Any]:
    return [tape.symbol(f"{name}{k}", "input") for k in range(count)]


def values(rows: list[Any], given: list[Any], numbers: Any) -> np.ndarray:
    return interpret(program(rows, given), np.array(numbers, float))


# --- a step's turn ----------------------------------------------------------------


def quat_after(quat: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return a quaternion after a turn in its own axes, by the exponential."""
    half = 0.5 * np.linalg.norm(turn)
    axis = turn / np.linalg.norm(turn)
    w, x, y, z = math.cos(half), *(math.sin(half) * axis)
    a, b, c, d = quat
    return np.array([
        a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w,
    ])  # fmt: skip


@pytest.mark.parametrize("angle", [1e-3, 0.05, 0.2])
def test_a_step_turns_as_far_as_it_says_and_moves_by_the_new_speeds(angle, rng):
    tape = Tape()
    q, v, rates = (symbols(tape, n, c) for n, c in ((9, "q"), (8, "v"), (8, "a")))
    equations: Any = SimpleNamespace(q=q, v=v)
    dt = 0.004
    speeds, places = plant._euler(equations, dt, rates)
    quat = rng.normal(size=4)
    quat /= np.linalg.norm(quat)
    start = np.concatenate([rng.normal(size=3), quat, rng.normal(size=2)])
    speed, rate = rng.normal(size=8), rng.normal(size=8)
    new = speed + dt * rate
    turn = np.array([0.6, -0.48, 0.64]) * angle / dt
    rate[3:6] += (turn - new[3:6]) / dt
    new[3:6] = turn
    out = values([*speeds, *places], [*q, *v, *rates], [*start, *speed, *rate])
    np.testing.assert_allclose(out[:8], new, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(out[8:11], start[:3] + dt * new[:3], atol=1e-14)
    np.testing.assert_allclose(out[15:], start[7:] + dt * new[6:], atol=1e-14)
    # the series' first term that is left out, (0.1)^8 / 8!, and rounding
    wanted = quat_after(quat, dt * turn)
    np.testing.assert_allclose(out[11:15], wanted, rtol=0.0, atol=2e-12 * 0.2)
    np.testing.assert_allclose(np.linalg.norm(out[11:15]), 1.0, atol=1e-14)


def test_a_quaternion_s_length_comes_back_to_one():
    tape = Tape()
    q, v = symbols(tape, 7, "q"), symbols(tape, 6, "v")
    equations: Any = SimpleNamespace(q=q, v=v)
    rates = [tape.constant(0.0)] * 6
    _, places = plant._euler(equations, 0.001, rates)
    for size in (0.999, 1.001):
        out = values(places[3:], [*q, *v], [0, 0, 0, size, 0, 0, 0, *([0.0] * 6)])
        # Newton's step for 1/sqrt: what is left is 3/2 of the error's square
        assert abs(np.linalg.norm(out) - 1.0) < 1.6e-6


# --- drives -----------------------------------------------------------------------


@pytest.mark.parametrize("asked", [-100.0, -15.0, 0.0, 15.0, 100.0])
@pytest.mark.parametrize("speed", [-12.0, -9.0, -4.0, 0.0, 3.0, 9.5, 12.0])
def test_a_drive_gives_what_its_speed_leaves(asked, speed):
    tape = Tape()
    told, rate = symbols(tape, 2)
    drive: Any = SimpleNamespace(speed=10.0, torque=20.0, stall=1.5, damping=0.25)
    out = values([plant._limited_torque(told, rate, drive)], [told, rate],
                 [asked, speed])  # fmt: skip
    # at most 20 N m, and 30 N m less what the speed of 10 rad/s takes, on either side
    up = min(20.0, max(0.0, 30.0 * (1.0 - speed / 10.0)))
    down = min(20.0, max(0.0, 30.0 * (1.0 + speed / 10.0)))
    assert out[0] == pytest.approx(min(up, max(-down, asked)) - 0.25 * speed)


# --- what is refused --------------------------------------------------------------


def plain_world(change: str = "") -> Any:
    """Return a world that straight lines have, with something else in it."""
    joint = {"ball": "type='ball'", "rubs": "frictionloss='1'"}.get(change, "")
    base = "" if change == "fixed" else "<freejoint/>"
    model = mujoco.MjModel.from_xml_string(f"""<mujoco><worldbody><body>{base}
      <geom size=".1"/><body><joint {joint}/><geom size=".1"/></body></body>
    </worldbody></mujoco>""")
    plane = GroundPlane.zeros(1)
    plane["rise"][0] = 0.25, 0.5 if change == "aside" else 0.0
    tiles = np.ones((1, 1)) if change == "tiles" else np.zeros((0, 0))
    law = SimpleNamespace(config=SimpleNamespace(exponent=1.0))
    if change == "exponent":
        law.config.exponent = 1.5
    nq = model.nq - 7 if change == "loose" else model.nq
    kind = "lag" if change == "valve" else "motor"
    return SimpleNamespace(
        ground=None if change == "engine" else law, model=model, terrain="slope:25",
        surface=SimpleNamespace(tiles=tiles, plane=plane),
        board="board" if change == "board" else None,
        robot=SimpleNamespace(name="it", model=SimpleNamespace(nq=nq),
                              drives=[SimpleNamespace(kind=kind)]),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("engine", "must be a law of force"),
        ("exponent", "exponent must be 1"),
        ("tiles", "must be a plane, got 'slope:25'"),
        ("board", "must be a plane"),
        ("aside", "must rise along x alone"),
        ("loose", "something other than the robot"),
        ("fixed", "trunk must float"),
        ("ball", "joints be hinges and slides"),
        ("rubs", "dry friction"),
        ("valve", "must be motors"),
    ],
)
def test_worlds_that_straight_lines_do_not_have_are_refused_for_one_reason(
    change, said
):
    plant.expect_plain_world(plain_world())
    with pytest.raises(ConfigError, match=said) as caught:
        plant.expect_plain_world(plain_world(change))
    assert len(caught.value.problems) == 1


# --- the ground's shape -----------------------------------------------------------


def test_a_slope_s_normal_looks_up_and_downhill():
    tape = Tape()
    rise, *p = symbols(tape, 4)
    slope = GroundSlope.of(rise)
    out = values([*slope.normal, slope.over((p[0], p[1], p[2]))], [rise, *p],
                 [0.75, 2.0, 3.0, 4.0])  # fmt: skip
    np.testing.assert_allclose(out, [-0.6, 0.0, 0.8, 0.8 * (4.0 - 1.5)])


def test_the_documented_shape_is_flat_and_waves_begin_ahead_of_the_robot():
    named = {one.name: one.value for one in shape_settings(0.1)}
    assert named == {
        "slope": 0.1, "waves.height": 0.0, "waves.length": 1.0, "waves.phase": 0.0,
        "waves.from": 0.8,
    }  # fmt: skip
    tape = Tape()
    p = symbols(tape, 3)
    known = {name: tape.constant(value) for name, value in named.items()}
    slope = GroundSlope.of(known["slope"])
    plane = tangent_plane(known, slope, (p[0], p[1], p[2]))
    assert plane.normal is slope.normal  # no waves: no work for them


# --- falls ------------------------------------------------------------------------

TRUNK = """<mujoco><worldbody><body name="trunk" pos="0 0 1"><freejoint/>
  <geom type="box" size=".4 .1 .05" pos=".1 0 .02" quat=".8 .6 0 0"/>
  <geom type="box" size=".1 .3 .05" pos="-.2 .1 0" euler="0 30 0"/>
  <geom type="box" size="2 2 2" contype="0" conaffinity="0"/>
  <body name="leg"><joint/><geom size=".1" pos="0 0 -.9"/></body>
</body></worldbody></mujoco>"""
MODEL = mujoco.MjModel.from_xml_string(TRUNK)


class Trunk:
    """A trunk on a slope, and what its fall is told by."""

    def __init__(self, up: float = 0.25, height: float = 1.0) -> None:
        tape = Tape()
        self.given = symbols(tape, 7 + 9 + 2)
        q, R = self.given[:7], self.given[7:16]

        def back(n: Any) -> Any:  # Rᵀ n
            return tuple(sum((R[3 * a + b] * n[a] for a in range(1, 3)),
                             R[b] * n[0]) for b in range(3))  # fmt: skip

        link = SimpleNamespace(turn=SimpleNamespace(back=back))
        equations: Any = SimpleNamespace(q=q, tree=SimpleNamespace(links=[link]))
        plane = GroundPlane.zeros(1)
        plane["rise"][0, 0] = up
        start = np.array([0.2, 0.5, height, 1, 0, 0, 0, 0])
        world: Any = SimpleNamespace(
            model=MODEL, base=1, surface=SimpleNamespace(plane=plane),
            start=lambda: SimpleNamespace(qpos=start),
        )  # fmt: skip
        self.start = (height - up * 0.2) / math.hypot(1.0, up)
        self.told, self.rows = fall_of(world, equations, *self.given[16:])

    def __call__(self, place: Any, R: np.ndarray, rise=0.0, raised=0.0) -> np.ndarray:
        numbers = [*place, 1, 0, 0, 0, *R.ravel(), rise, raised]
        return values(self.rows, self.given, numbers)


def corners(R: np.ndarray) -> float:
    """Return the lowest corner of the trunk's boxes over its origin, in W."""
    lowest = 0.0
    for g in range(2):
        R_G = np.zeros(9)
        mujoco.mju_quat2Mat(R_G, MODEL.geom_quat[g])
        for signs in np.ndindex(2, 2, 2):
            half = MODEL.geom_size[g] * (2 * np.array(signs) - 1)
            point = MODEL.geom_pos[g] + R_G.reshape(3, 3) @ half
            lowest = min(lowest, float((R @ point)[2]))
    return lowest


def rotation(axis: Any, angle: float) -> np.ndarray:
    quat, R = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, np.array(axis, float), angle)
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)


def test_what_is_told_before_the_first_step():
    trunk = Trunk()
    assert [one.value for one in trunk.told] == [0.0, pytest.approx(trunk.start), 1.0]


@pytest.mark.parametrize("axis", [(1, 0, 0), (0.6, 0.8, 0), (0, -1, 0)])
@pytest.mark.parametrize(("angle", "fallen"), [(34.9, 0.0), (35.1, 1.0), (120.0, 1.0)])
def test_it_has_fallen_beyond_35_degrees(axis, angle, fallen):
    R = rotation(axis, math.radians(angle))
    out = Trunk()((0.0, 0.0, 5.0), R)
    assert out[0] == fallen
    assert out[2] == pytest.approx(math.cos(math.radians(angle)))


@pytest.mark.parametrize("raised", [0.0, 0.3])
def test_it_has_fallen_below_half_its_height_over_the_slope(raised):
    trunk, rise = Trunk(up=0.0), 0.75
    level = rotation((0, 1, 0), -math.atan(0.75))
    for height, fallen in ((0.51 * trunk.start, 0.0), (0.49 * trunk.start, 1.0)):
        z = 0.75 * 0.4 + raised + height / 0.8
        out = trunk((0.4, 7.0, z), level, rise, raised)
        assert out[0] == fallen
        np.testing.assert_allclose(out[1:], [height, 1.0])


@pytest.mark.parametrize("raised", [0.0, 0.3])
@pytest.mark.parametrize(
    ("axis", "angle"),
    [((1, 0, 0), 20.0), ((0, 1, 0), 30.0), ((0.6, -0.8, 0), -25.0), ((0, 1, 0), -15.0)],
)
def test_it_has_fallen_with_a_corner_of_its_own_boxes_in_the_ground(
    axis, angle, raised
):
    trunk, R = Trunk(up=0.0, height=0.15), rotation(axis, math.radians(angle))
    z = -corners(R)
    assert z > 0.08 > 0.5 * trunk.start  # so that its height does not count first
    for more, fallen in ((0.001, 0.0), (-0.001, 1.0)):
        assert trunk((3.0, -2.0, raised + z + more), R, 0.0, raised)[0] == fallen


# --- forces of a step -------------------------------------------------------------

DRIVEN = mujoco.MjModel.from_xml_string("""<mujoco><compiler angle="radian"/><worldbody>
  <body name="trunk" pos="0 0 1"><freejoint/><geom size=".1" pos=".3 -.2 .5"/>
    <body><joint name="a" stiffness="3" springref=".25" damping=".5"/>
      <geom size=".1"/>
      <body><joint name="b" damping="2"/><geom size=".1"/></body></body>
    <body><joint name="c" type="slide" stiffness="7"/><geom size=".1"/></body></body>
</worldbody><actuator><motor joint="c"/><motor joint="a"/></actuator></mujoco>""")


def test_drives_springs_dampers_and_the_push_act_where_they_should(monkeypatch):
    tape = Tape()
    q, v = symbols(tape, 10, "q"), symbols(tape, 9, "v")
    numbers = [SimpleNamespace(speed=10.0, torque=most, stall=2.0, damping=0.125)
               for most in (20.0, 40.0)]  # fmt: skip
    monkeypatch.setattr(
        plant, "drive_bank", lambda *_: SimpleNamespace(numbers=numbers)
    )
    turn = SimpleNamespace(back=lambda f: (f[1], -f[0], f[2]))  # by a right angle
    tree = SimpleNamespace(
        zero=tape.constant(0.0), nv=9, tape=tape, links=[SimpleNamespace(turn=turn)]
    )
    given = NamedSymbols(tape)
    equations: Any = SimpleNamespace(q=q, v=v, tree=tree)
    world: Any = SimpleNamespace(model=DRIVEN, base=1, robot=SimpleNamespace(drives=()))
    rows = plant._driven(world, equations, given)
    told = given.symbols(["push.x", "push.y", "push.z", "torque.0", "torque.1"])
    rng = np.random.default_rng(3)
    place, rate, push = rng.normal(size=10), rng.normal(size=9), rng.normal(size=3)
    out = values(rows, [*q, *v, *told], [*place, *rate, *push, 5.0, -8.0])
    np.testing.assert_allclose(out[:3], push)
    arm = DRIVEN.body_ipos[1]
    turned = np.array([push[1], -push[0], push[2]])
    np.testing.assert_allclose(out[3:6], np.cross(arm, turned))
    np.testing.assert_allclose(out[6:], [
        -8.0 - 0.125 * rate[6] - 3.0 * (place[7] - 0.25) - 0.5 * rate[6],
        -2.0 * rate[7],
        5.0 - 0.125 * rate[8] - 7.0 * place[9],
    ])  # fmt: skip


def test_what_a_table_raises_is_the_mean_over_the_feet():
    tape = Tape()
    given = NamedSymbols(tape)
    feet: Any = SimpleNamespace(forces=dict.fromkeys("abc"), probes=[("x", "y")])
    raised = plant._raised(given, feet)
    heights = given.symbols([f"{foot}.ground.height" for foot in "abc"])
    assert values([raised], heights, [0.1, 0.2, 0.6])[0] == pytest.approx(0.3)
    feet.probes = []
    assert values([plant._raised(given, feet)], heights, [1, 2, 6])[0] == 0.0
