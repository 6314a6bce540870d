"""A simulated robot that somebody takes part in."""

import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.live.start import live_modules, live_robot, live_walk
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.staged import staged_walk

PLENTY = 60.0  # of our time, more than any of these needs [s]


@pytest.fixture(scope="module")
def robot():
    """The walking machine."""
    return eq.load("warp1")


@pytest.fixture
def walk(robot):
    """A walk, at its start."""
    return live_walk(robot, WalkConfig())


@pytest.fixture
def stand(robot):
    """The same machine, told to stand."""
    return live_robot(robot)


def test_untouched_job_is_the_run_itself(robot, walk):
    staged = staged_walk(robot, WalkConfig(seconds=2.5)).staged
    run = staged.run()
    walk.advance(2.5, PLENTY)
    walk.stepper.sense()  # the rollout brings kinematics up to date at the end
    np.testing.assert_array_equal(walk.stepper.data.qpos, run.last["qpos"][-1])


def test_push_moves_it_where_it_is_pushed_and_ends(stand):
    stand.advance(1.0, PLENTY)
    stand.push(None, np.array([0.0, 15.0, 0.0]))
    stand.advance(0.05, PLENTY)
    assert stand.frame().marks.push is not None
    stand.advance(0.06, PLENTY)
    mass = stand.probe.mass
    frame = stand.frame()
    moment = stand.probe.data
    assert stand.pushes == 1 and stand.pushing is None
    assert frame.marks.push is None
    # feet hold against it: it got a good part of the impulse, not more
    speed = moment.subtree_linvel[moment.model.body(stand.probe.root).id, 1]
    assert 0.2 * 15.0 < mass * speed < 15.0
    stand.advance(1.5, PLENTY)
    assert stand.frame().verdict == "yes"
    assert not np.any(stand.stepper.data.xfrc_applied)


def test_body_that_is_named_is_pushed(stand):
    name = stand.world.robot.legs[0]
    stand.push(name, np.array([1.0, 0.0, 0.0]))
    stand.advance(0.01, PLENTY)
    row = stand.world.model.body(name).id
    assert stand.stepper.data.xfrc_applied[row, 0] == pytest.approx(10.0)


def test_click_on_what_only_pictures_have_pushes_the_base(stand):
    stand.push("linkage:front:0", np.array([1.0, 0.0, 0.0]))
    stand.advance(0.01, PLENTY)
    assert stand.stepper.data.xfrc_applied[stand.world.base, 0] == pytest.approx(10.0)


def test_hard_push_is_a_fall_and_again_begins_anew(stand):
    stand.push(None, np.array([0.0, 10.0 * stand.strongest_push, 0.0]))
    stand.advance(4.0, PLENTY)
    frame = stand.frame()
    assert frame.verdict == "no" and "It fell at" in frame.why
    assert stand.is_over and stand.time < 4.0
    stand.restart()
    assert stand.time == 0.0 and not stand.is_over
    stand.advance(0.5, PLENTY)
    assert stand.frame().verdict == "yes"
    assert stand.summary()["falls"] == 1 and stand.summary()["is_up"]


def test_speed_makes_a_stander_walk_and_stop(stand):
    stand.advance(1.5, PLENTY)
    still = stand.way
    stand.turn("speed", 0.3)
    stand.advance(4.0, PLENTY)
    assert still < 0.05 and stand.way > 0.5
    stand.turn("speed", 0.0)
    stand.advance(2.5, PLENTY)
    stopped = stand.way
    stand.advance(1.0, PLENTY)
    assert stand.way - stopped < 0.05


def test_payload_weighs_on_the_feet(stand):
    stand.advance(1.0, PLENTY)
    light = stand.frame().marks.arrows
    stand.turn("payload", 20.0)
    stand.advance(1.0, PLENTY)
    heavy = stand.frame().marks.arrows
    before, after = (float((a[:, 1, 2] - a[:, 0, 2]).sum()) for a in (light, heavy))
    mass = stand.probe.mass
    # reading: the machine still swings a little on its legs
    assert after / before == pytest.approx((mass + 20.0) / mass, rel=0.02)
    stand.turn("payload", 0.0)
    assert float(stand.world.model.body_mass.sum()) == pytest.approx(mass)


def test_ground_becomes_soft_and_firm_again(stand):
    model = stand.world.model
    firm = model.geom_solref.copy(), float(model.opt.impratio)
    stand.advance(0.5, PLENTY)
    high = float(stand.stepper.data.qpos[2])
    stand.turn("stiffness", 10.0)
    stand.advance(1.0, PLENTY)
    sunk = high - float(stand.stepper.data.qpos[2])
    weight = stand.probe.mass * 9.81 / 4.0 / 10e3
    # about as deep as a spring of 10 kN/m under each foot gives way
    assert 0.7 * weight < sunk < 1.3 * weight
    stand.turn("stiffness", 200.0)
    np.testing.assert_array_equal(model.geom_solref, firm[0])
    assert float(model.opt.impratio) == firm[1]


def test_friction_is_the_ground_s(stand):
    stand.turn("friction", 0.25)
    assert (stand.world.model.geom_friction[:, 0] == 0.25).all()


def test_settings_change_the_controller_and_keep_its_memory(walk):
    walk.advance(2.0, PLENTY)
    state, controller = walk.state, walk.controller
    walk.set_gains({"stride.sway": 0.0})
    assert walk.controller is not controller and walk.state is state
    assert walk.gains == {"stride.sway": 0.0}
    walk.advance(0.5, PLENTY)
    assert walk.frame().verdict != "no"
    with pytest.raises(EquipoiseError, match=r"stride\.swya"):
        walk.set_gains({"stride.swya": 1.0})
    assert walk.gains == {"stride.sway": 0.0}


def test_state_that_is_not_finite_is_unknown_and_drawn_as_it_was_last(walk):
    walk.advance(0.1, PLENTY)
    good = walk.frame().qpos
    walk.stepper.data.qpos[7] = math.nan
    walk.advance(0.1, PLENTY)
    frame = walk.frame()
    assert frame.verdict == "unknown" and "finite" in frame.why
    np.testing.assert_array_equal(frame.qpos, good)
    assert walk.is_over


def test_what_has_an_end_is_no_live_walk(robot):
    said = r"force must be 0\.0, got 10\.0; freeze must be 0, got 3"
    with pytest.raises(ConfigError, match=said):
        live_walk(robot, WalkConfig(force=10.0, freeze=3))


def test_planned_push_comes_in_its_time(robot):
    job = live_walk(robot, WalkConfig(push=5.0, push_at=1.2))
    job.advance(1.15, PLENTY)
    assert job.pushes == 0
    job.advance(0.1, PLENTY)
    assert job.pushes == 1


def test_modules_are_judged_by_their_line():
    job = live_modules(eq.load("superbot", modules=5), SteerConfig())
    frame = job.frame()
    assert frame.verdict in ("yes", "unknown") and len(frame.values) == 1
    job.advance(4.0, PLENTY)
    assert job.frame().verdict == "yes"
    assert job.summary()["distance_w"] < 0.1
    assert job.handle != job.world.robot.base  # which is bolted: a push does nothing
    still = np.abs(job.stepper.data.qvel).max()
    job.push(None, np.array([0.0, 0.3 * job.strongest_push, 0.0]))
    job.advance(0.05, PLENTY)
    assert np.abs(job.stepper.data.qvel).max() > 10.0 * still


def test_robot_that_no_controller_holds_is_held_by_springs(tmp_path):
    path = tmp_path / "post.xml"
    path.write_text(
        "<mujoco model='post'><worldbody><body name='post' pos='0 0 .5'>"
        "<geom type='box' size='.05 .05 .5' mass='2'/>"
        "<body name='arm' pos='0 0 .5'><joint name='lift' axis='0 1 0'/>"
        "<geom type='capsule' size='.02' fromto='0 0 0 .4 0 0' mass='1'/>"
        "</body></body></worldbody></mujoco>"
    )
    job = live_robot(eq.load(path))
    assert "springs" in job.look.title and "springs" in job.look.notes[0]
    job.advance(1.0, PLENTY)
    hinge = job.world.model.joint("lift").qposadr[0]
    assert abs(job.stepper.data.qpos[hinge]) < 0.02  # held against its weight [rad]
    held = float(job.stepper.data.qpos[hinge])
    job.push("arm", np.array([0.0, 0.0, -1.0]))
    job.advance(0.1, PLENTY)
    assert job.stepper.data.qpos[hinge] > held + 0.005  # down: about +y
