"""Ground from a table: its heights, its text, and tables that are none."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.equations.cuda.module import cuda_module
from equipoise.equations.cuda.text import preamble
from equipoise.sim.many.height_field import PROBE_TEXT, HeightField
from equipoise.sim.many.robots import ManyRobots
from oracles.many_hopper import hopper

KERNEL = """
KERNEL look(const unsigned int n, const REAL *restrict heights, const int across,
            const int along, const REAL west, const REAL south, const REAL per,
            const REAL *restrict x, const REAL *restrict y, REAL *out)
{
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  probe_ground(heights, across, along, west, south, per, x[i], y[i], out + 3 * i);
}
"""


def field() -> HeightField:
    """Return a rough table of 7 by 5 points."""
    heights = np.random.default_rng(2).normal(0.0, 0.1, (7, 5))
    return HeightField(heights, 0.25, (-0.5, -0.3))


def places() -> tuple[np.ndarray, np.ndarray]:
    """Return places on the table, on its points and edges, and beyond."""
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-1.0, 1.5, 400), rng.uniform(-0.8, 1.2, 400)
    x[:7], y[:7] = -0.5 + 0.25 * np.arange(7), -0.3
    return x, y


def test_heights_are_the_tables_and_slopes_are_theirs():
    table, (x, y) = field(), places()
    at = table.at(x[:7], y[:7])
    np.testing.assert_allclose(at[0], table.heights[:, 0], rtol=0.0, atol=1e-15)
    h = 1e-6
    _, ahead, left = table.at(x, y)
    inside = [(p - c) % 0.25 for p, c in ((x, -0.5), (y, -0.3))]
    smooth = np.all([(r > h) & (r < 0.25 - h) for r in inside], axis=0)
    assert smooth.sum() > 300
    by_x = (table.at(x + h, y)[0] - table.at(x - h, y)[0]) / (2 * h)
    by_y = (table.at(x, y + h)[0] - table.at(x, y - h)[0]) / (2 * h)
    # rounding: eps over the step, of heights up to 0.3 m; it is linear along each axis
    np.testing.assert_allclose(ahead[smooth], by_x[smooth], rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(left[smooth], by_y[smooth], rtol=0.0, atol=1e-9)
    assert (ahead[x < -0.5] == 0.0).all()
    assert (ahead[x > 1.0] == 0.0).all()


def test_the_text_looks_up_the_same():
    table, (x, y) = field(), places()
    source = preamble("double") + PROBE_TEXT + KERNEL
    module = cuda_module(source, precision="double", exact=True, backend="host")
    out = np.zeros((len(x), 3))
    grid = [table.heights, 7, 5, *table.corner, 1.0 / table.cell]
    module.launch("look", len(x), [len(x), *grid, x, y, out])
    np.testing.assert_allclose(out.T, table.at(x, y), rtol=0.0, atol=1e-14)  # rounding


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"heights": np.zeros(4)}, "rows and columns"),
        ({"heights": np.full((3, 3), np.nan)}, "heights must be finite"),
        ({"heights": np.zeros((3, 3)), "cell": 0.0}, "cell must be > 0 m, got 0"),
        ({"heights": np.zeros((3, 3)), "corner": (0.0, np.inf)}, "corner must be two"),
    ],
)
def test_a_table_that_is_none_is_refused(given, said):
    with pytest.raises(ConfigError, match=said):
        HeightField(**given)


def test_robots_without_a_table_are_given_none():
    with pytest.raises(
        ConfigError, match="looks up no heights of the ground, but was given"
    ):
        ManyRobots(hopper(), 2, ground=field(), backend="host")
    with pytest.raises(ConfigError, match="must be a HeightField, got ndarray"):
        ManyRobots(hopper(), 2, ground=np.zeros((3, 3)), backend="host")
