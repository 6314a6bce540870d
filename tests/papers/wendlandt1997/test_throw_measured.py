"""The throw's numbers and the jobs of its claims, on made-up throws with known ones."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.robots.biped.biped import BipedSize, biped, set_point
from equipoise.sim.disturbances import Push
from equipoise_lab.papers.wendlandt1997 import jobs, throw_numbers
from equipoise_lab.papers.wendlandt1997.printed import Shares
from equipoise_lab.papers.wendlandt1997.throw import PrintedThrow

PLACE, QUAT = set_point(BipedSize())
TIME = np.arange(0.0, 3.0001, 0.002)
HIT = 0.08


def turned(axis, angle):
    """Return the set orientation turned by angles about one of its own axes, (n, 4)."""
    w, x, y, z = np.asarray(QUAT, float)
    c, s = np.cos(0.5 * angle), np.sin(0.5 * angle)
    by = {
        0: [w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s],
        1: [w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s],
    }[axis]
    return np.column_stack(by)


def calm():
    """Return a run without a block: x overshoots by a tenth, z by a fifth."""
    q = np.zeros((len(TIME), 20))
    ways = {0: 0.1, 2: 0.2}
    q[:, :3] = PLACE
    for axis, over in ways.items():
        q[:, axis] += 0.01 * np.interp(TIME, [0.0, 0.5, 1.0], [1.0, -over, 0.0])
    turn = 0.05 * np.interp(TIME, [0.0, 0.5, 1.0], [1.0, -0.05, 0.0])
    q[:, 3:7] = turned(1, turn)
    return {"qpos": SimpleNamespace(values=q)}


def hit():
    """Return a throw: the block slows down at HIT, heels rise and come back."""
    q = calm()["qpos"].values.copy()
    since = np.clip(TIME - HIT, 0.0, None)
    q[:, 0] -= 0.05 * since
    q[:, 1] += 1e-3 * np.clip(TIME - 2.0, 0.0, None)
    q[:, 3:7] = turned(0, 0.2 * since)
    q[:, 19] = 2.0 - 2.0 * TIME + 1.5 * since
    # joints jitter, but for jumps at the hit and soon after; later they jitter more
    jitter = np.where(np.arange(len(TIME)) % 2, 1.0, 0.0)
    jitter[TIME > 1.01] *= 7.0
    q[:, 7:19] += (1e-4 * jitter)[:, None]
    q[np.searchsorted(TIME, HIT + 0.004), 8] += 8e-4
    q[np.searchsorted(TIME, HIT + 0.018), 8] += 80e-4
    heel = np.zeros((len(TIME), 2))
    heel[:, 0] = 0.02 * np.sin(np.clip((TIME - 0.12) / 0.2, 0.0, 1.0) * np.pi)
    heel[:, 1] = 0.03 * np.sin(np.clip((TIME - 0.14) / 0.2, 0.0, 1.0) * np.pi)
    heel[TIME < 0.01] = 0.0017  # it starts a little above the ground
    toe = np.full((len(TIME), 2), -1e-3)
    toe[TIME < 0.01] = 5e-3
    toe[700, 1] = -4e-4
    tau = np.zeros((len(TIME), 12)) + jitter[:, None]
    tau[np.searchsorted(TIME, HIT + 0.006), 3] = 9.0
    tau[np.searchsorted(TIME, HIT - 0.018), 3] = 90.0
    tau[np.searchsorted(TIME, 0.34), 5] = 7.0
    tau[np.searchsorted(TIME, 0.358), 5] = 70.0
    dataset = {
        name: SimpleNamespace(values=value)
        for name, value in {
            "time": TIME, "qpos": q, "heel_height": heel, "toe_height": toe, "tau": tau,
        }.items()
    }  # fmt: skip
    summary = {
        "recontact_by_foot_s": [0.32, 0.34],
        "position_error_m": 1e-6,
        "orientation_error_deg": 4e-4,
        "peak_torque_nm": 195.0,
        "slip_mm": 4.1,
    }
    return SimpleNamespace(dataset=dataset, summary=summary, verdict="yes")


@pytest.fixture(scope="module")
def found():
    return throw_numbers._numbers_of(hit(), calm())


def test_times_are_read_to_a_tick(found):
    assert found.survived is True
    assert found.hit_s == pytest.approx(HIT, abs=2e-3)
    rises = [
        min(
            0.12 + 0.2 * math.asin(mm / 20.0) / math.pi,
            0.14 + 0.2 * math.asin(mm / 30.0) / math.pi,
        )
        for mm in (0.5, 1.0, 2.0, 5.0)
    ]
    assert found.rise_s == pytest.approx(rises, abs=2.1e-3)
    assert found.contact_s == (0.32, 0.34)
    assert throw_numbers.heel_times(hit()) == pytest.approx(
        (rises[1], 0.32, 0.34), abs=2.1e-3
    )
    # the errors' peaks are at the start; x falls below a twentieth of it last as it
    # comes back from the tenth that it overshoots by
    assert found.settled_s[2] == pytest.approx(0.5 + 0.5 * (1.0 - 0.05 / 0.2), abs=0.01)


def test_lengths_and_angles_are_in_their_units(found):
    assert found.heel_mm == pytest.approx((20.0, 30.0), rel=1e-3)
    assert found.toe_mm == pytest.approx(-0.4)  # after the first contact
    assert (found.final_m, found.final_deg) == (1e-6, 4e-4)
    assert (found.peak_nm, found.slip_mm) == (195.0, 4.1)
    effect = 0.15 - HIT
    assert found.push_mm == pytest.approx((-50.0 * effect, 0.0, 0.0), abs=0.11)
    # about x by 0.2 rad/s; the calm run's own turn about y is undone
    assert found.turn_deg[0] == pytest.approx(math.degrees(0.2 * effect), rel=0.05)
    assert found.y_drift_mm == pytest.approx(1.0, rel=1e-9)


def test_damping_ratios_follow_from_overshoots(found):
    def ratio(over):
        log = math.log(over)
        return -log / math.hypot(math.pi, log)

    # the least of the samples is the overshoot itself, to the tick
    wanted = [ratio(0.1), ratio(0.2), ratio(0.05)]
    assert found.damping_ratios == pytest.approx(wanted, rel=1e-6)


def test_jumps_are_over_the_usual_change(found):
    """What is farther than 12 ms from an event does not belong to it.

    Joints jitter by 1e-4 a tick, so that their rates change by 2e-4; a spike of 8e-4 is
    a change of 16e-4 less that. Torques jitter by 1; from 0 to 9, and from 7 to 1.
    """
    # rounding of joints over changes of 1e-4
    assert found.angle_jump == pytest.approx(7.0, rel=1e-9)
    assert found.torque_jumps == pytest.approx((9.0, 6.0), rel=1e-9)


def test_a_foot_that_stayed_has_no_contact_time():
    told = {"recontact_by_foot_s": [None, 0.4]}
    first, second = throw_numbers._contact_times(told)
    assert math.isnan(first) and second == 0.4
    assert throw_numbers._first_time(TIME, TIME > 9.0) == math.inf
    assert throw_numbers._first_time(TIME, TIME > 1.0) == pytest.approx(1.002)


def test_feet_creep_as_far_as_the_whole_robot_does():
    """By 3 and 4 mm in the last second, the robot as it is."""
    model = biped().model
    q = np.tile(np.r_[model.key("start").qpos, 0.0], (len(TIME), 1))
    late = np.clip(TIME - 2.0, 0.0, None)
    q[:, 0] += 3e-3 * late
    q[:, 1] -= 4e-3 * late
    q[TIME < 1.9, 0] += 5.0
    # a tick of 2 ms less than a second may be seen
    assert throw_numbers.foot_drift(TIME, q) == pytest.approx(5.0, rel=3e-3)
    q[:, 2] += late  # upwards does not count
    assert throw_numbers.foot_drift(TIME, q) == pytest.approx(5.0, rel=3e-3)


def test_a_throw_is_measured_beside_none(monkeypatch):
    asked = []

    def stand(config):
        asked.append((config.controller, config.block_mass))
        return hit() if len(asked) == 1 else SimpleNamespace(dataset=calm())

    monkeypatch.setattr(throw_numbers, "stand", stand)
    assert throw_numbers.measure() == throw_numbers._numbers_of(hit(), calm())
    assert [one[0] for one in asked] == ["workspace"] * 2
    assert [one[1] for one in asked] == [None, 0.0]  # its own block, and none


# --- jobs -----------------------------------------------------------------------------


@pytest.fixture
def stood(monkeypatch):
    """Return what was stood with; blocks over 2 kg, or 5 N s, bring it down."""
    asked = []

    def stand(config):
        asked.append(config)
        falls = (config.block_mass or 0.0) > 2.0
        if config.push is not None:
            falls = config.push.impulse[1] > 5.0
        return SimpleNamespace(
            verdict="no" if falls else "yes", summary={"heel_lift_mm": 0.25}
        )

    monkeypatch.setattr(jobs, "stand", stand)
    return asked


def test_a_search_begins_low_and_ends_between_what_stands_and_falls(stood):
    assert jobs.worked(jobs.Limit("workspace")) == pytest.approx(2.0, rel=0.15)
    assert {c.controller for c in stood} == {"workspace"}
    assert {c.seconds for c in stood} == {4.0} and {c.push for c in stood} == {None}
    assert stood[0].block_mass == 1.0 and stood[1].block_mass == pytest.approx(1.15)
    del stood[:]
    found = jobs.worked(jobs.Sideways("workspace-step"))
    assert found == pytest.approx(5.0, rel=0.2)
    assert {c.controller for c in stood} == {"workspace-step"}
    assert {c.block_mass for c in stood} == {0.0}
    assert stood[0].push == Push(impulse=(0.0, 2.0, 0.0))
    assert stood[1].push.impulse == pytest.approx((0.0, 2.4, 0.0))


def test_a_heavier_body_is_another_robot(stood, monkeypatch):
    monkeypatch.setattr(jobs, "heel_times", lambda result: (result.verdict, 1))
    assert jobs.worked(jobs.Heavier(60.0)) == ("yes", 1)
    (config,) = stood
    assert (config.controller, config.robot.name) == ("workspace", "biped")
    assert dict(config.robot.options) == {"body_mass": 60.0}


def test_each_kind_of_job_is_done_by_its_own(monkeypatch):
    monkeypatch.setattr(jobs, "throw_printed", lambda job: ("thrown", job))
    monkeypatch.setattr(jobs, "_tilted_fall", lambda job: ("tilted", job))
    monkeypatch.setattr(jobs, "_pressure_asked", lambda seconds: ("pressed", seconds))
    printed, tilted = PrintedThrow("w x p"), jobs.Tilted(0.0005, "about -y")
    assert jobs.worked(printed) == ("thrown", printed)
    assert jobs.worked(tilted) == ("tilted", tilted)
    assert jobs.worked(jobs.Pressure(0.5)) == ("pressed", 0.5)


def test_the_plan_has_every_law_time_step_and_mass():
    plan = jobs.planned()
    laws = ("workspace", "workspace-cone", "workspace-step")
    assert {j.law for j in plan if isinstance(j, jobs.Limit)} == set(laws)
    assert {j.law for j in plan if isinstance(j, jobs.Sideways)} == set(laws)
    tilted = {(j.timestep, j.quat) for j in plan if isinstance(j, jobs.Tilted)}
    assert tilted == {
        (dt, quat) for dt in (1e-4, 5e-4, 1e-3) for quat in ("as printed", "about -y")
    }
    masses = [j.body_mass for j in plan if isinstance(j, jobs.Heavier)]
    assert masses == list(jobs.OTHER_MASSES)
    assert [type(j) for j in plan].count(jobs.Pressure) == 1
    assert (plan[0], plan[1]) == (
        jobs.Limit("workspace-step"), jobs.Sideways("workspace-step"),
    )  # fmt: skip


def shares(left, right):
    """Return wrenches that act at a place of each sole, with loads of 100 N."""
    z = -0.04

    def wrench(x, load=100.0):
        return np.array([7.0, 0.0, load, 0.0, z * 7.0 - x * load, 0.0])

    light = wrench(9.0, 4.9)
    return Shares(
        wrench(left),
        light if right is None else wrench(right),
        np.zeros(6),
        np.zeros(6),
    )


def test_where_the_pressure_is_asked_for(stood, monkeypatch):
    robot = biped()
    corners = np.array(
        [[0.1, 0.03, -0.04], [0.1, -0.03, -0.04], [-0.06, 0.03, -0.04],
         [-0.06, -0.03, -0.04], [9.0, 9.0, 9.0]]
    )  # fmt: skip
    monkeypatch.setattr(
        jobs, "sole_corners", lambda *_: (np.array([0, 0, 0, 0, 1]), corners)
    )
    # ahead is -x: 3 cm and 10 cm from the middle, which is at 2 cm
    told = [shares(-0.01, -0.08)] * 3 + [shares(0.02, 0.02)] * 4 + [shares(0.12, None)]
    thrown = []

    def throwing(job):
        thrown.append(job)
        return robot, SimpleNamespace(shares=told)

    monkeypatch.setattr(jobs, "thrown", throwing)
    ahead, outside, half, lift = jobs.worked(jobs.Pressure(0.5))
    assert thrown == [PrintedThrow(seconds=0.5)]
    assert (half, lift) == (pytest.approx(8.0), 0.25)
    assert ahead == pytest.approx(10.0)
    # outside of half a sole's length three times ahead, once behind, at 500 Hz
    assert outside == pytest.approx(4 / 500.0)
    (config,) = stood
    assert (config.controller, config.seconds) == ("workspace-cone", 0.5)


def test_a_set_quaternion_is_taken_as_it_is_printed_but_for_its_length(monkeypatch):
    """What the law is led to, and how long it is watched; nothing is simulated."""
    kept = {}

    class Staged:
        controller: object

        def run(self):
            return SimpleNamespace(time=np.array([0.0, 0.4]))

    def law(name, robot, config=None, path=None):
        if path is None:
            start = SimpleNamespace(init=lambda: SimpleNamespace(scratch=Aim()))
            return start
        kept["aim"] = np.array(path(0.3))
        return "law"

    class Aim:
        aim = None

    monkeypatch.setattr(jobs, "aim_numbers", lambda aim: np.arange(13.0))
    monkeypatch.setattr(jobs, "balancer", law)
    monkeypatch.setattr(
        jobs, "staged_stand", lambda robot, config: kept.update(config=config) or 1
    )
    monkeypatch.setattr(
        jobs,
        "replace",
        lambda staged, controller: kept.update(law=controller) or Staged(),
    )
    monkeypatch.setattr(jobs, "ending", lambda robot, run: SimpleNamespace(fell=True))
    job = jobs.Tilted(0.0005, "about -y")
    assert jobs.worked(job) == 0.4
    assert (kept["config"].timestep, kept["config"].seconds) == (0.0005, 2.0)
    assert kept["config"].controller == "workspace" and kept["law"] == "law"
    quat = jobs.paper_aim("about -y").quat
    np.testing.assert_allclose(kept["aim"][3:7], quat / np.linalg.norm(quat))
    assert kept["aim"][[0, 1, 2, 7]].tolist() == [0.0, 1.0, 2.0, 7.0]
    monkeypatch.setattr(jobs, "ending", lambda robot, run: SimpleNamespace(fell=False))
    assert jobs.worked(job) is None
