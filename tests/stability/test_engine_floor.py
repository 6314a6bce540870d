"""Robots on their simulator's own floor: where they rest, lean and tip."""

import math
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.robots.scene.engine_contacts import EngineContacts
from equipoise.stability import Foot, compliant_stance, tipping_barrier
from equipoise.stability.engine.floor import engine_floor
from equipoise.stability.engine.rest import at_rest, downhill
from equipoise.stability.soft.springs import rotation_after
from oracles.engine_falls import PutDown, rigid
from oracles.engine_robots import SHAPES, drawn_robot
from oracles.soft_falls import SoftWorld, drawn_body

PROMISE = 0.05  # of the critical solref, on both sides


def floor_of(model, pose=None):
    return engine_floor(EngineContacts(model, model.qpos0 if pose is None else pose, 1))


class EdgeWell:
    """A well whose slope never ends, with a bend of its own against tilts.

    A contact that comes and goes with every tilt looks like a bend without end.
    """

    weight = size = 1.0

    def __init__(self, bend):
        self.bend, self.bends = bend, 0

    def relaxed(self, lift, R, factor):
        way = math.asin(R[2, 1])
        return SimpleNamespace(
            lift=lift, R=R, slope=np.array([0.0, -0.01, 0.0]), energy=-0.01 * way
        )

    def hessian(self, at, factor):
        self.bends += 1
        return np.diag([1.0, self.bend, 1.0])

    def tilted(self, R, tilt):
        return rotation_after(R, np.array([tilt[0], 0.0, 0.0]))

    def lean(self, R, other):
        return abs(math.asin(R[2, 1]) - math.asin(other[2, 1]))


@pytest.mark.parametrize(
    ("bend", "how", "looks"), [(-1e8, "unknown", 14), (-1e-2, "falls", 40)]
)
def test_a_robot_stuck_on_an_edge_of_contact_is_given_up_soon(bend, how, looks):
    well = EdgeWell(bend)
    start = well.relaxed(0.0, np.eye(3), 1.0)
    assert at_rest(well, start).how == how
    assert well.bends <= looks


def put_down(robot):
    """Return the prediction and the engine for a robot as it is drawn."""
    model = robot.spec().compile()
    return floor_of(model), PutDown(rigid(robot.spec(), model.qpos0), model.qpos0)


def agree(found, engine):
    """Compare lean and end with a robot put down gently."""
    lean = engine.lean(1.0)
    if found.how == "stands":
        # solver: the engine's rest after 30 s against ours, 0.001 degree
        assert lean == pytest.approx(found.lean, abs=2e-5)
    else:
        assert found.how == "falls" and math.isinf(lean)
    assert not math.isinf(engine.lean(found.factor / (1 - PROMISE) ** 2))
    assert math.isinf(engine.lean(found.factor / (1 + PROMISE) ** 2))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_drawn_robot_tips_where_it_is_said_to(rng, shape):
    for _ in range(20):
        found, engine = put_down(drawn_robot(rng, shape))
        if 0.0 < found.factor < math.inf and found.how != "unknown":
            agree(found, engine)
            break
    else:
        pytest.fail("no robot near its limit was drawn")


@pytest.mark.slow
def test_a_hundred_drawn_robots_tip_where_they_are_said_to(rng):
    compared, sides = 0, set()
    for _ in range(140):
        found, engine = put_down(drawn_robot(rng))
        if 0.0 < found.factor < math.inf and found.how != "unknown":
            agree(found, engine)
            compared += 1
            sides.add(found.how)
        if found.how == "stands" and found.holds_let_go:
            assert not math.isinf(engine.lean(1.0, gently=False))
    assert compared >= 100 and sides == {"stands", "falls"}


def test_linear_springs_give_the_answer_of_the_general_test(rng):
    compared = 0
    while compared < 3:
        body = drawn_body(rng)
        feet = list(zip(body.arms, body.stiffness, strict=True))
        end = compliant_stance(
            body.mass, [Foot(s, float(k)) for s, k in feet]
        ).multiplier
        stiffer = [Foot(s, float(3 * end * k)) for s, k in feet]
        want = compliant_stance(body.mass, stiffer)
        world = SoftWorld(body)
        world.soften(3 * end)
        found = floor_of(world.model)
        if found.how != "stands" or math.degrees(want.tilt) > 2.5:
            continue  # the engine's floor is not asked for leans beyond 5 degrees
        compared += 1
        assert found.lean == pytest.approx(want.tilt, abs=1e-8)  # solver: 1e-10 rad
        easiest = tipping_barrier(body.mass, stiffer).energy
        # solver: the square of 0.3 degree of direction, by how steep a ridge is
        assert found.barrier.energy == pytest.approx(easiest, rel=1e-4)


def balls(k, m=12.0, h=0.6, r=0.05, ball=0.02, d=0.9):
    """Return a mass over four balls on springs k, a cross of arms r, just touching."""
    feet = "".join(
        f'<geom size="{ball}" pos="{x} {y} {-h}" mass="0"/>'
        for x, y in ((r, 0), (-r, 0), (0, r), (0, -r))
    )
    reference = k * (1 - d) / m  # K = |solref| / ((1 - d) w), w = 1 / m
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option cone="elliptic"/>
      <default><geom solref="{-reference} -100" solimp="{d} {d} 0.001"/></default>
      <worldbody><geom type="plane" size="0 0 1"/>
      <body pos="0 0 {h + ball}"><freejoint/><inertial pos="0 0 0" mass="{m}"
        diaginertia="0.5 0.5 0.5"/>{feet}</body></worldbody></mujoco>""")


def test_balls_on_linear_springs_end_where_the_closed_form_ends():
    # [Ridderstrom2003] (10.1) corrected: a_4 = 2 m g h / (4 k r^2) = 1 at the end, the
    # height that of the centre of mass over the balls' centres
    k = 2.0 * (2 * 12.0 * 9.81 * 0.6) / (4 * 0.05**2)  # twice what is needed
    found = floor_of(balls(k))
    assert found.how == "stands" and found.lean < 1e-8
    # rounding: rows of the engine; solver: the bracket of the end, 5e-4
    assert found.stiffness == pytest.approx(k, rel=1e-9)
    assert found.factor == pytest.approx(0.5, rel=1e-3)
    assert found.sink == pytest.approx(12.0 * 9.81 / (4 * k), rel=1e-6)


def test_a_robot_let_go_within_its_barrier_stands(rng):
    held = 0
    for _ in range(30):
        robot = drawn_robot(rng)
        found, engine = put_down(robot)
        if found.how != "stands" or not found.holds_let_go:
            continue
        held += 1
        assert not math.isinf(engine.lean(1.0, gently=False))
        break
    assert held == 1


def block(feet: str, *, height=0.5, gravity="0 0 -9.81", more=""):
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option gravity="{gravity}"/>
      <worldbody>
      <body name="block" pos="0 0 {height}"><freejoint/>
        <inertial pos="0 0 0" mass="5" diaginertia="0.1 0.1 0.1"/>{feet}</body>
      {more}</worldbody></mujoco>""")


FLOOR = '<geom type="plane" size="0 0 1"/>'
SOLE = '<geom type="box" size="0.1 0.1 0.02" pos="0 0 -0.48"/>'


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (block(SOLE), "no contact"),
        (block(SOLE, gravity="1 0 -9.7", more=FLOOR), "slope"),
        (block('<geom size="0.5"/>', more=FLOOR), "do not resist a tilt"),
        (
            block(
                SOLE,
                height=0.6,
                more=FLOOR + '<body pos="0 0 0.05"><freejoint/>'
                '<geom type="box" size="0.2 0.2 0.05" mass="9"/></body>',
            ),
            "can move",
        ),
        (
            block(
                SOLE.replace("-0.48", "-0.4") + '<geom size="0.02" pos="0.3 0 -0.45"/>',
                more='<geom type="box" size="0.3 0.3 0.05" pos="0 0 0.03"/>'
                '<geom type="plane" size="0 0 1" pos="0.33 0 0" euler="0 -60 0"/>',
            ),
            "different ways",
        ),
    ],
)
def test_what_is_not_understood_is_not_known(model, why):
    found = floor_of(model)
    assert found.how == "unknown" and why in found.reason


def test_a_robot_in_the_air_is_lowered_and_its_drop_counted():
    low, high = block(SOLE, more=FLOOR), block(SOLE, height=0.7, more=FLOOR)
    on, above = floor_of(low), floor_of(high)
    assert above.lean == pytest.approx(on.lean, abs=1e-9)
    # exact: 0.2 m of drop under 5 kg
    assert above.released - on.released == pytest.approx(5 * 9.81 * 0.2, rel=1e-9)


def test_too_close_to_the_end_it_does_not_tell(rng):
    robot = drawn_robot(rng, "box")
    model = robot.spec().compile()
    model.geom_solref[:, 0] = floor_of(model).solref * 0.997
    found = floor_of(model)
    assert found.how == "unknown" and "too close" in found.reason
    assert found.factor == pytest.approx(0.997**2, rel=1e-3)  # solver: the bracket


def test_what_is_pressed_in_springs_back():
    # exact: four springs k pressed by s hold 2 k (s - s0)^2 above their rest s0
    model = balls(k=4e4)
    model.qpos0[2] -= 2e-3
    found = floor_of(model)
    rest = 12 * 9.81 / (4 * 4e4)
    assert found.released == pytest.approx(2 * 4e4 * (2e-3 - rest) ** 2, rel=1e-6)


class Dented:
    """A slope down along one tilt with a narrow hollow on the way."""

    weight = size = 1.0

    def tilted(self, R, tilt):
        return R + tilt

    def relaxed(self, lift, R, factor):
        x = float(R[0])
        climbs = min(max(x - 0.003, 0.0), 0.0035)
        slope = np.array([0.0, 1.0 if 0.003 < x < 0.0065 else -1.0, 0.0])
        return SimpleNamespace(lift=0.0, R=R, slope=slope, energy=2 * climbs - x)


def test_no_hollow_is_jumped_over():
    well = Dented()
    start = well.relaxed(0.0, np.zeros(2), 1.0)
    assert well.relaxed(0.0, np.array([0.01, 0.0]), 1.0).energy < start.energy
    ahead = downhill(well, start, np.array([0.01, 0.0]), 1.0)
    assert 0.0 < ahead.R[0] < 0.0065
