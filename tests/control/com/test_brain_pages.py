"""Pages: what 40 bytes keep of a robot's numbers, and what they cost in precision."""

import numpy as np
import pytest

from equipoise.control.com.brain import pages as bp
from equipoise.control.com.brain.state import ContactEntry
from equipoise.control.com.loads import CarriedLoad, MovingFrame
from equipoise.spatial.rotations import random_rotation
from oracles.module_robots import put_frame

SINGLE = 2.0**-24  # rounding of a float32, relative
HALF = 2.0**-11  # rounding of a half, relative


def test_halves_are_ieee_halves(rng):
    sizes = 10.0 ** rng.uniform(-9, 4.8, 2000) * rng.choice([-1, 1], 2000)
    ties = np.arange(1, 200) * 2.0**-25  # halfway between two subnormals
    for x in [0.0, 65504.0, -65504.0, 2.0**-14, 2.0**-24, *ties, *sizes]:
        want = np.float16(x)
        bits = bp.half_bits(x)
        assert bits & 0x7FFF == int(want.view(np.uint16)) & 0x7FFF, x
        assert bp.half_value(bits) == float(want)


def test_every_half_survives():
    bits = np.arange(65536, dtype=np.uint16)
    finite = bits[(bits & 0x7C00) != 0x7C00]
    for b in finite[::7]:
        value = float(b.view(np.float16))
        assert bp.half_value(int(b)) == value
        assert bp.half_value(bp.half_bits(value)) == value


@pytest.mark.parametrize("x", [70000.0, np.inf])
def test_halves_saturate(x):
    assert bp.half_value(bp.half_bits(x)) == 65504.0
    assert bp.half_value(bp.half_bits(-x)) == -65504.0
    assert bp.half_bits(np.nan) == 0


def rotations(rng):
    """Return random rotations, half turns about every axis among them."""
    turns = [random_rotation(rng) for _ in range(200)]
    halves = [
        2.0 * np.outer(u, u) - np.eye(3) for u in (*np.eye(3), np.full(3, 3**-0.5))
    ]
    return [np.eye(3), *halves, *turns]


def test_a_world_page_keeps_pose_and_twist(rng):
    page, frames = bp.empty_payload(2), MovingFrame.zeros(2)
    pose, back = frames[0], frames[1]
    for R in rotations(rng):
        put_frame(pose, np.r_[R.ravel(), rng.normal(size=3), rng.normal(0, 5, 6)])
        bp.put_world_page(page.world[1], pose, 37)
        assert bp.read_world_page(page.world[1], back) == 37
        # rounding: errors e of three numbers, up to 3 e / (1/2) of the fourth, and an
        # entry of R moves by at most 2 (4 products with sizes up to 1) times that
        atol = 16 * SINGLE
        np.testing.assert_allclose(back.R, pose.R, rtol=0, atol=atol)
        np.testing.assert_allclose(back.p, pose.p, rtol=SINGLE)
        np.testing.assert_allclose([back.v, back.w], [pose.v, pose.w], rtol=HALF)
        # rounding: nine products of numbers up to 1
        np.testing.assert_allclose(back.R @ back.R.T, np.eye(3), rtol=0, atol=1e-14)
    assert not page.byte[0].any()


def test_a_motion_page_keeps_rate_push_and_span(rng):
    page, loads = bp.empty_payload(1), CarriedLoad.zeros(2)
    load, got, span, got_span = loads[0], loads[1], rng.uniform(0, 2, 3), np.zeros(3)
    for name in ("lump", "rate", "force", "moment"):
        getattr(load, name)[:] = rng.normal(0, 3, getattr(load, name).shape)
    bp.put_motion_page(page.motion[0], load, span, 300, 301)
    assert bp.read_motion_page(page.motion[0], got, got_span) == (255, 301)
    np.testing.assert_allclose(got.rate, load.rate, rtol=SINGLE)
    np.testing.assert_allclose(got.force, load.force, rtol=HALF)
    np.testing.assert_allclose(got.moment, load.moment, rtol=HALF)
    np.testing.assert_allclose(got_span, span, rtol=SINGLE)
    assert not got.lump.any()


@pytest.mark.parametrize("touches", [True, False])
def test_a_contact_page_keeps_who_and_where(touches, rng):
    page, entries = bp.empty_payload(1), ContactEntry.zeros(2)
    news, got = entries[0], entries[1]
    news.who, news.foot, news.touches, news.age = 32766, 255, touches, 777
    place, normal = news.place, random_rotation(rng)[:, 0]
    place.point[:], place.normal[:] = rng.normal(size=3), normal
    place.friction, place.radius, place.force[:] = 0.8, 0.042, rng.normal(0, 9, 3)
    bp.put_contact_page(page.contact[0], news)
    bp.read_contact_page(page.contact[0], got)
    assert (got.who, got.foot, got.touches, got.age) == (32766, 255, int(touches), 777)
    np.testing.assert_allclose(got.place.point, place.point, rtol=SINGLE)
    # half a step of a whole number
    atol = 0.5 / 32767 + 1e-12
    np.testing.assert_allclose(got.place.normal, normal, rtol=0, atol=atol)
    assert abs(got.place.friction - 0.8) <= 0.5 / 4096 + 1e-12
    np.testing.assert_allclose(got.place.radius, 0.042, rtol=SINGLE)
    np.testing.assert_allclose(got.place.force, place.force, rtol=HALF)


def test_what_is_not_a_number_is_sent_as_zero():
    page, frames = bp.empty_payload(1), MovingFrame.zeros(2)
    pose, back = frames[0], frames[1]
    put_frame(pose, np.full(18, np.nan))
    put_frame(back, np.ones(18))
    pose.p[:] = np.nan, np.inf, 1e300
    bp.put_world_page(page.world[0], pose, 0)
    bp.read_world_page(page.world[0], back)
    assert np.isfinite(back.R).all()
    assert not np.r_[back.p, back.v, back.w].any()


def test_bytes_that_are_no_page_give_finite_numbers(rng):
    page, back = bp.empty_payload(1), MovingFrame.zeros()[0]
    for _ in range(300):
        page.byte[0] = rng.integers(0, 256, 40)
        bp.read_world_page(page.world[0], back)
        assert np.isfinite(np.r_[back.R.ravel(), back.p, back.v, back.w]).all()
        np.testing.assert_allclose(back.R @ back.R.T, np.eye(3), rtol=0, atol=1e-14)
