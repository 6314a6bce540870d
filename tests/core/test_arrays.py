import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from equipoise.core.arrays import expect_array
from equipoise.core.errors import ShapeError

SHAPES = npst.array_shapes(min_dims=0, max_dims=3, max_side=4)


@given(npst.arrays(np.float64, SHAPES, elements=st.floats(-1e3, 1e3)))
def test_a_fitting_float_array_passes_untouched(array: np.ndarray):
    assert expect_array("a", array, array.shape) is array
    assert expect_array("a", array, [-1] * array.ndim) is array


@given(SHAPES, SHAPES)
def test_accepts_a_shape_exactly_when_it_is_the_one(have: tuple, want: tuple):
    try:
        expect_array("a", np.zeros(have), want)
        accepted = True
    except ShapeError:
        accepted = False
    assert accepted == (have == want)


def test_turns_lists_and_integers_into_floats():
    array = expect_array("p_WB", [1, 2, 3], (3,))
    assert array.dtype == np.float64
    np.testing.assert_array_equal(array, [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("value", "shape", "sentence"),
    [
        (np.zeros(2), (3,), "p_WB must have shape (3,), got (2,)."),
        (np.zeros((2, 2)), (-1, 3), "p_WB must have shape ('any', 3), got (2, 2)."),
        (np.zeros(3), (3, 1), "p_WB must have shape (3, 1), got (3,)."),
        ([0.0, np.nan], (2,), "p_WB must be finite, got [0.0, nan]."),
        ([0.0, -np.inf], (2,), "p_WB must be finite, got [0.0, -inf]."),
        (["x", "y"], (2,), "p_WB must be an array of numbers, got ['x', 'y']."),
        ([[1.0], [1.0, 2.0]], (2,), "p_WB must be an array of numbers"),
        (None, (3,), "p_WB must"),
    ],
)
def test_says_what_is_wrong(value: object, shape: tuple, sentence: str):
    with pytest.raises(ShapeError) as caught:
        expect_array("p_WB", value, shape)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)
