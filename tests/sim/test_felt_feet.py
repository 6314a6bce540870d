"""Contacts summed foot by foot, and rows kept, on arrays that are written by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.sim.contacts import NO_FOOT, OUTSIDE, Contacts, standing_foot
from equipoise.sim.ground import FootBall
from equipoise.sim.machine.foot_contacts import (
    CARRIES,
    FeltFoot,
    feel_contacts,
    split_foot_forces,
)
from equipoise.sim.machine.log import MachineRow, keep_row
from equipoise.sim.machine.motor_kernel import DriveState, Joints
from equipoise.sim.machine.views import MachineViews
from equipoise.sim.run import HUGE
from equipoise.sim.terrain import GroundPlane, Surface

FOOT_OF = np.array([OUTSIDE, 0, NO_FOOT, 1, OUTSIDE])
"""Of five geoms: two of the ground, a foot, a knee, another foot."""
AXES = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def contacts(*rows: tuple[int, int, int, Any], speed: Any = None) -> Contacts:
    """Return contacts of geoms, where their forces begin, and the forces."""
    force, rates = np.zeros(20), np.zeros(20)
    for k, (_, _, at, forces) in enumerate(rows):
        if at >= 0:
            force[at : at + 3] = forces
            rates[at : at + 3] = (0.0, 0.0, 0.0) if speed is None else speed[k]
    return Contacts(
        geom=np.array([row[:2] for row in rows], np.int32),
        address=np.array([row[2] for row in rows], np.int32),
        frame=np.array([np.roll(AXES, k, axis=0) for k in range(len(rows))]),
        force=force,
        speed=rates,
    )


@pytest.mark.parametrize(
    ("geoms", "at", "stands"),
    [
        ((0, 1), 0, (0, 1.0)),  # the engine's force acts on the second
        ((1, 0), 0, (0, -1.0)),
        ((4, 3), 0, (1, 1.0)),
        ((3, 4), 5, (1, -1.0)),
        ((0, 1), -1, (NO_FOOT, 0.0)),  # too far to act
        ((0, 2), 0, (NO_FOOT, 0.0)),  # a knee on the ground
        ((2, 0), 0, (NO_FOOT, 0.0)),
        ((1, 3), 0, (NO_FOOT, 0.0)),  # a foot on a foot
        ((1, 2), 0, (NO_FOOT, 0.0)),
        ((0, 4), 0, (NO_FOOT, 0.0)),
    ],
)
def test_a_foot_stands_where_it_touches_the_ground(geoms, at, stands):
    assert standing_foot(contacts((*geoms, at, (1, 2, 3))), 0, FOOT_OF) == stands


def test_each_foot_s_contacts_are_summed_in_the_world():
    found = contacts(
        (0, 1, 3, (10.0, 3.0, -4.0)), (3, 4, 9, (20.0, 5.0, 12.0)),
        (1, 0, 0, (6.0, -8.0, 6.0)), (0, 2, 12, (99.0, 99.0, 99.0)),
    )  # fmt: skip
    feet = FeltFoot.zeros(2)
    feet["force"], feet["normal"], feet["tangential"], feet["slip"] = 7.0, 7.0, 7.0, 2.0
    feel_contacts(0.5, found, FOOT_OF, feet)
    frames = found.frame
    one = frames[0].T @ [10.0, 3.0, -4.0] - frames[2].T @ [6.0, -8.0, 6.0]
    np.testing.assert_allclose(feet["force"][0], one)
    np.testing.assert_allclose(feet["force"][1], -frames[1].T @ [20.0, 5.0, 12.0])
    np.testing.assert_allclose(feet["normal"], [16.0, 20.0])
    np.testing.assert_allclose(feet["tangential"], [5.0 + 10.0, 13.0])
    np.testing.assert_array_equal(feet["slip"], 2.0)
    feel_contacts(0.5, contacts((0, 2, 0, (9, 9, 9))), FOOT_OF, feet)
    for name in ("force", "normal", "tangential"):
        np.testing.assert_array_equal(feet[name], 0.0)


def test_a_foot_slips_with_the_contact_that_carries_the_most():
    for first, second, speed in (
        (10.0, 20.0, 13.0), (20.0, 10.0, 5.0), (CARRIES, 1.0, 0.0), (5.1, 5.2, 13.0),
    ):  # fmt: skip
        found = contacts(
            (0, 1, 0, (first, 0, 0)), (0, 1, 6, (second, 0, 0)),
            speed=[(90.0, 3.0, -4.0), (90.0, 5.0, 12.0)],
        )  # fmt: skip
        feet = FeltFoot.zeros(2)
        feet["slip"] = 1.0
        feel_contacts(0.5, found, FOOT_OF, feet)
        assert feet["slip"].tolist() == [1.0 + 0.5 * speed, 1.0]


def test_forces_of_soft_ground_are_split_by_the_slope():
    plane = GroundPlane.zeros(1)
    plane["rise"][0] = 0.75, 0.0
    slope = Surface(plane, np.zeros((0, 0)))
    normal, along, side = [-0.6, 0, 0.8], [0.8, 0, 0.6], [0.0, 1.0, 0.0]
    axes = np.array([normal, along, side])
    balls, feet = FootBall.zeros(3), FeltFoot.zeros(3)
    balls["force"] = np.array([[50.0, 3.0, 4.0], [4.9, 1.0, 0.0], [0, 0, 0]]) @ axes
    balls["velocity"] = np.array([[9.0, 5.0, 12.0], [0.0, 3.0, 4.0], [1, 1, 1]]) @ axes
    feet["slip"] = 1.0
    split_foot_forces(balls, slope, 0.05, feet, 0.5)
    np.testing.assert_allclose(feet["force"], balls["force"])
    np.testing.assert_allclose(feet["normal"], [50.0, 4.9, 0.0], atol=1e-12)
    np.testing.assert_allclose(feet["tangential"], [5.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(feet["slip"], [1.0 + 0.5 * 13.0, 1.0, 1.0])


def machine() -> tuple[MachineViews, Any, Any, Any]:
    """Return a machine of three joints and two feet, and room for three rows."""
    rng = np.random.default_rng(4)
    geoms, bodies = rng.normal(size=(5, 3)), rng.normal(size=(4, 3, 3))
    views = MachineViews(
        Joints(rng.normal(size=10), rng.normal(size=9), np.arange(7, 10),
               np.arange(6, 9)),
        rng.normal(size=3), rng.normal(size=3), np.eye(3), rng.normal(size=3),
        np.array([3, 1]), np.array([2, 1]), geoms, bodies,
    )  # fmt: skip
    drives, feet = DriveState.zeros(3), FeltFoot.zeros(2)
    for records in (drives, feet):
        for name in records.dtype.names or ():
            records[name] = rng.normal(size=records[name].shape)
    rows = MachineRow.zeros(3, nq=10, nv=9, joints=3, feet=2)
    np.asarray(rows).view(np.float64)[:] = -7.0
    return views, drives, feet, rows


def test_a_row_keeps_what_the_machine_is_now():
    views, drives, feet, rows = machine()
    assert keep_row(views, drives, feet, rows, 1, 2.5)
    row = SimpleNamespace(**{name: rows[name][1] for name in rows.dtype.names or ()})
    assert row.time == 2.5
    np.testing.assert_array_equal(row.qpos, views.joints.qpos)
    np.testing.assert_array_equal(row.qvel, views.joints.qvel)
    for name in ("tau", "volts", "current"):
        np.testing.assert_array_equal(getattr(row, name), drives[name])
    for name in ("work_plus", "work_minus", "electric", "drawn"):
        assert getattr(row, name) == pytest.approx(drives[name].sum())
    np.testing.assert_array_equal(row.foot_place, views.geom_xpos[[3, 1]])
    np.testing.assert_array_equal(row.foot_force, feet["force"])
    for name in ("normal", "tangential", "slip"):
        np.testing.assert_array_equal(getattr(row, name), feet[name])
    np.testing.assert_array_equal(row.p_WC, views.p_WC)
    assert (np.asarray(rows[[0, 2]]).view(np.float64) == -7.0).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, HUGE, -HUGE])
@pytest.mark.parametrize(
    "part, at", [("qpos", 0), ("qpos", 9), ("qvel", 0), ("qvel", 8)]
)
def test_no_row_is_kept_of_a_state_that_is_not_finite(part, at, bad):
    views, drives, feet, rows = machine()
    getattr(views.joints, part)[at] = bad
    assert not keep_row(views, drives, feet, rows, 1, 2.5)
    assert (np.asarray(rows).view(np.float64) == -7.0).all()
    getattr(views.joints, part)[at] = 0.5 * np.sign(bad) * HUGE if bad == bad else 0.0
    if not np.isinf(bad):
        assert keep_row(views, drives, feet, rows, 1, 2.5)
