"""Margins as operations of autograd, with NumPy in PyTorch's place.

The oracle is ``batch``, which takes the same states as arrays; derivatives are those
that it tells by argument, and a table's rows are where each argument went.
"""

import numpy as np
import pytest

from equipoise.core.errors import ShapeError
from equipoise.equations.margins import autograd, batch
from oracles.numpy_torch import Function, Tensor, fake_torch

FEET = np.array([[0.3, 0.2], [0.3, -0.2], [-0.3, 0.2], [-0.3, -0.2]])
COUNT = 3


@pytest.fixture
def torch(monkeypatch):
    module = fake_torch()
    monkeypatch.setattr(autograd, "require_extra", lambda extra, name: module)
    autograd._operation.cache_clear()
    yield module
    autograd._operation.cache_clear()


def tensors(*arrays):
    return [np.array(x, float).view(Tensor) for x in arrays]


def states(seed):
    """Return centres of mass, places, normals and frictions of four feet."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(-0.08, 0.08, (COUNT, 4, 3))
    p[..., :2] += FEET
    n = rng.uniform(-0.3, 0.3, (COUNT, 4, 3))
    n[..., 2] += 1.0
    com = rng.uniform(-0.1, 0.1, (COUNT, 3))
    com[1, 0] = 0.9  # outside of its feet
    return com, p, n, rng.uniform(0.4, 1.0, (COUNT, 4))


def back(by_margin):
    """Return the derivatives by the table of the last call, a column a state."""
    last = Function.last
    slopes, *rest = last.function.backward(last.ctx, by_margin, *last.found[1:])
    assert rest == [None, None]
    table, code, _ = last.given
    assert slopes.shape == table.shape == (code.inputs, COUNT)
    return np.asarray(slopes), code


def by_argument(slopes, code):
    """Return a table's rows by the names of what is in them."""
    found, at = {}, 0
    for name, width in code.given:
        found[name] = slopes[at : at + width].T
        at += width
    each = sum(width for _, width in code.each)
    for _ in range(code.contacts):
        for name, width in code.each:
            found.setdefault(name, []).append(slopes[at : at + width].T)
            at += width
    assert at == code.inputs and each * code.contacts <= at
    return {
        name: np.stack(part, axis=1) if isinstance(part, list) else part
        for name, part in found.items()
    }


def compare(told, wanted, names):
    """Compare margins, status and derivatives with those of arrays."""
    np.testing.assert_array_equal(told.margin, wanted.margin)
    np.testing.assert_array_equal(told.status, wanted.status)
    weights = np.array([1.0, -2.0, 3.0])
    rows, code = back(weights)
    found = by_argument(rows, code)
    assert not found["mask"].any()
    for name, argument in names.items():
        slope = np.asarray(wanted.slopes[argument])
        own = found[name].reshape(COUNT, -1)
        slope = slope[..., :2] if own.size < slope.size else slope
        np.testing.assert_allclose(
            own, (weights * slope.reshape(COUNT, -1).T).T, atol=1e-12, err_msg=name
        )


def test_static_margins_are_those_of_arrays(torch):
    com, p, _, _ = states(1)
    told = autograd.torch_static_margins(*tensors(com[:, :2], p))
    compare(
        told,
        batch.static_margins(com[:, :2], p),
        {"pxy_WC": "pxy_WC", "points": "points"},
    )
    assert told.lower is None and told.upper is None
    assert told.margin[0] > 0.0 > told.margin[1]


def test_pressure_margins_are_those_of_arrays(torch):
    com, p, _, _ = states(2)
    com[:, 2] += 0.6
    force = np.array([[3.0, -2.0, -90.0]] * COUNT)
    force[2, 2] = 5.0  # nothing presses
    moment = np.array([1.0, 2.0, 0.0])
    told = autograd.torch_pressure_margins(*tensors(com, force, moment, p), 0.1)
    wanted = batch.pressure_margins(com, force, np.tile(moment, (COUNT, 1)), p, 0.1)
    assert told.status.tolist() == [0, 0, 1] and told.margin[2] == -np.inf
    np.testing.assert_array_equal(told.margin, wanted.margin)
    np.testing.assert_array_equal(told.status, wanted.status)
    rows, code = back(np.ones(COUNT))
    found = by_argument(rows, code)
    for name in ("p_WC", "force", "moment"):
        np.testing.assert_allclose(found[name][:2], wanted.slopes[name][:2], atol=1e-12)
    assert found["height"].shape == (COUNT, 1)


def test_soft_margins_are_those_of_arrays(torch):
    com, p, _, _ = states(3)
    com[:, 2] += 0.5
    com[1, 0] = 0.05
    p[..., 2] = 0.0
    k = np.full(4, 3e4)
    told = autograd.torch_soft_margins(*tensors(com, 150.0, p, k))
    wanted = batch.soft_margins(com, 150.0, p, k)
    np.testing.assert_array_equal(told.margin, wanted.margin)
    np.testing.assert_array_equal(told.status, wanted.status)
    rows, code = back(np.ones(COUNT))
    found = by_argument(rows, code)
    np.testing.assert_allclose(found["p_WC"], wanted.slopes["p_WC"], atol=1e-12)
    np.testing.assert_allclose(found["points"], wanted.slopes["points"], atol=1e-12)
    np.testing.assert_allclose(
        found["weight"].sum(), np.sum(wanted.slopes["weight"]), rtol=1e-9
    )


def test_what_is_not_there_is_masked_and_has_no_derivative(torch):
    com, p, _, _ = states(4)
    mask = np.array([True, True, True, False])
    told = autograd.torch_static_margins(*tensors(com[:, :2], p), mask.view(Tensor))
    wanted = batch.static_margins(com[:, :2], p, mask)
    np.testing.assert_array_equal(told.margin, wanted.margin)
    found = by_argument(*back(np.ones(COUNT)))
    assert not found["points"][:, 3].any() and found["points"][:, :3].any()
    none = autograd.torch_static_margins(
        *tensors(com[:, :2], p), np.zeros(4, bool).view(Tensor)
    )
    assert np.isneginf(none.margin).all() and (none.status == 1).all()


def test_states_that_do_not_fit_are_told_by_name(torch):
    com, p, _, _ = states(5)
    with pytest.raises(
        ShapeError,
        match=r"broadcast together: pxy_WC \(2, 2\), "
        r"points",
    ):
        autograd.torch_static_margins(*tensors(com[:2, :2], p))


def test_leading_axes_and_precision_are_those_of_the_tensors(torch):
    com, p, _, _ = states(6)
    one = np.array(com[0, :2]).view(Tensor)
    many = np.stack([p, p + 0.01]).view(Tensor)
    told = autograd.torch_static_margins(one, many)
    assert told.margin.shape == told.status.shape == (2, COUNT)
    wanted = batch.static_margins(com[0, :2], p)
    np.testing.assert_array_equal(told.margin[0], wanted.margin)
    single = autograd.torch_static_margins(
        *(x.astype(np.float32).view(Tensor) for x in (com[:, :2], p))
    )
    assert single.margin.dtype == np.float32 and single.status.dtype == np.int64
    assert [id(x) for x in Function.last.ctx.without] == [
        id(x) for x in Function.last.found[1:]
    ]


@pytest.mark.slow
def test_margins_of_cones_are_those_of_arrays(torch):
    com, p, n, mu = states(7)
    a = np.array([0.5, -0.3, 0.2])
    told = autograd.torch_cone_margins(*tensors(com, p, n, mu, a), gravity=9.0)
    wanted = batch.cone_margins(com, p, n, mu, a, gravity=9.0)
    for one in ("margin", "status", "lower", "upper"):
        np.testing.assert_array_equal(getattr(told, one), getattr(wanted, one))
    found = by_argument(*back(np.ones(COUNT)))
    for name in ("p_WC", "points", "normals"):
        slope = np.asarray(wanted.slopes[name])
        np.testing.assert_allclose(found[name], slope, atol=1e-12)
