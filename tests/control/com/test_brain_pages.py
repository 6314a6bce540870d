"""Pages: what 40 bytes keep of a robot's numbers, and what they cost in precision."""

import numpy as np
import pytest

from equipoise.control.com.brain import pages as bp
from equipoise.spatial.rotations import random_rotation

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
    page, pose, back = bp.empty_payload(2), np.zeros((1, 18)), np.zeros((1, 18))
    for R in rotations(rng):
        pose[0] = *R.ravel(), *rng.normal(size=3), *rng.normal(0, 5, 6)
        bp.put_world_page(page, 1, pose, 0, 37)
        assert bp.read_world_page(page, 1, back, 0) == 37
        # rounding: errors e of three numbers, up to 3 e / (1/2) of the fourth, and an
        # entry of R moves by at most 2 (4 products with sizes up to 1) times that
        atol = 16 * SINGLE
        np.testing.assert_allclose(back[0, :9], pose[0, :9], rtol=0, atol=atol)
        np.testing.assert_allclose(back[0, 9:12], pose[0, 9:12], rtol=SINGLE)
        np.testing.assert_allclose(back[0, 12:], pose[0, 12:], rtol=HALF)
        turned = back[0, :9].reshape(3, 3)
        # rounding: nine products of numbers up to 1
        np.testing.assert_allclose(turned @ turned.T, np.eye(3), rtol=0, atol=1e-14)
    assert not page.byte[0].any()


def test_a_motion_page_keeps_rate_push_and_span(rng):
    page = bp.empty_payload(1)
    load, span = rng.normal(0, 3, (2, 19)), rng.uniform(0, 2, (2, 3))
    bp.put_motion_page(page, 0, load, 1, span, 1, 300, 301)
    got, got_span = np.zeros((1, 19)), np.zeros((1, 3))
    assert bp.read_motion_page(page, 0, got, 0, got_span, 0) == (255, 301)
    np.testing.assert_allclose(got[0, 10:13], load[1, 10:13], rtol=SINGLE)
    np.testing.assert_allclose(got[0, 13:], load[1, 13:], rtol=HALF)
    np.testing.assert_allclose(got_span[0], span[1], rtol=SINGLE)
    assert not got[0, :10].any()


@pytest.mark.parametrize("touches", [True, False])
def test_a_contact_page_keeps_who_and_where(touches, rng):
    page, normal = bp.empty_payload(1), random_rotation(rng)[:, 0]
    place = np.array([[*rng.normal(size=3), *normal, 0.8, 0.042, *rng.normal(0, 9, 3)]])
    bp.put_contact_page(page, 0, 32766, 255, touches, 777, place, 0)
    who, got = np.zeros((1, 6), np.int64), np.zeros((1, 11))
    bp.read_contact_page(page, 0, who, got, 0)
    assert who[0, :4].tolist() == [32766, 255, int(touches), 777]
    np.testing.assert_allclose(got[0, :3], place[0, :3], rtol=SINGLE)
    # half a step of a whole number
    np.testing.assert_allclose(got[0, 3:6], normal, rtol=0, atol=0.5 / 32767 + 1e-12)
    assert abs(got[0, 6] - 0.8) <= 0.5 / 4096 + 1e-12
    np.testing.assert_allclose(got[0, 7], 0.042, rtol=SINGLE)
    np.testing.assert_allclose(got[0, 8:], place[0, 8:], rtol=HALF)


def test_what_is_not_a_number_is_sent_as_zero():
    page, pose, back = bp.empty_payload(1), np.full((1, 18), np.nan), np.ones((1, 18))
    pose[0, 9:12] = np.nan, np.inf, 1e300
    bp.put_world_page(page, 0, pose, 0, 0)
    bp.read_world_page(page, 0, back, 0)
    assert np.isfinite(back).all()
    assert not back[0, 9:].any()


def test_bytes_that_are_no_page_give_finite_numbers(rng):
    page, back = bp.empty_payload(1), np.zeros((1, 18))
    for _ in range(300):
        page.byte[0] = rng.integers(0, 256, 40)
        bp.read_world_page(page, 0, back, 0)
        assert np.isfinite(back).all()
        turned = back[0, :9].reshape(3, 3)
        np.testing.assert_allclose(turned @ turned.T, np.eye(3), rtol=0, atol=1e-14)
