"""Which contacts are one foot: by where they are, never by what they are called."""

from itertools import permutations

import numpy as np

from equipoise.stability.rigid.patches import contact_patches

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)


def square(x, y=0.0):
    """Return the corners of a square at a place."""
    return np.add(SQUARE, [x, y, 0.0])


def test_balls_of_one_body_are_feet_of_their_own():
    points = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]])
    np.testing.assert_array_equal(contact_patches(points, [7, 3, 5]), [0, 1, 2])


def test_soles_that_touch_are_one_and_apart_are_two():
    points = np.vstack([SQUARE, square(1.0, 0.2), square(2.5)])
    owner = np.repeat([4, 9, 2], 4)
    np.testing.assert_array_equal(
        contact_patches(points, owner), np.repeat([0, 0, 1], 4)
    )


def test_a_chain_of_patches_is_one_whatever_the_order():
    places = (0.0, 0.9, 1.8, 2.7)
    for order in permutations(places):
        points = np.vstack([square(x) for x in order])
        found = contact_patches(points, np.repeat([3, 0, 2, 1], 4))
        np.testing.assert_array_equal(found, np.zeros(16))


def test_a_point_inside_a_sole_belongs_to_it():
    points = np.vstack([SQUARE, [[0.5, 0.5, 0]], [[1.5, 0.5, 0]]])
    found = contact_patches(points, [0, 0, 0, 0, 1, 2])
    np.testing.assert_array_equal(found, [0, 0, 0, 0, 0, 1])
