"""Margins as operations of PyTorch: autograd against differences, in doubles."""

import numpy as np
import pytest

from equipoise.core.errors import ShapeError
from equipoise.equations.margins import autograd, batch

torch = pytest.importorskip("torch")
FEET = np.array([[0.3, 0.2], [0.3, -0.2], [-0.3, 0.2], [-0.3, -0.2]])


def tensors(seed: int, count: int = 3):
    """Centre of mass, places, normals and frictions of four feet, with gradients."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(-0.08, 0.08, (count, 4, 3))
    p[..., :2] += FEET
    n = rng.uniform(-0.3, 0.3, (count, 4, 3))
    n[..., 2] += 1.0
    com = rng.uniform(-0.1, 0.1, (count, 3))
    parts = (com, p, n, rng.uniform(0.4, 1.0, (count, 4)))
    return [torch.tensor(x, requires_grad=True) for x in parts]


def test_every_margin_passes_gradcheck() -> None:
    com, p, n, mu = tensors(1)
    a = torch.tensor([0.5, -0.3, 0.2], dtype=torch.float64, requires_grad=True)
    force = torch.tensor([3.0, -2.0, -90.0], dtype=torch.float64, requires_grad=True)
    moment = torch.tensor([1.0, 2.0, 0.0], dtype=torch.float64, requires_grad=True)
    high = (com.detach() + torch.tensor([0, 0, 0.5])).requires_grad_()
    weight = torch.tensor(150.0, dtype=torch.float64, requires_grad=True)
    k = torch.full((4,), 3e4, dtype=torch.float64, requires_grad=True)
    check = torch.autograd.gradcheck
    # steps of 1e-6 on margins good to 1e-9 (cones) or to rounding
    assert check(
        lambda c, q: autograd.torch_static_margins(c[..., :2], q).margin, (com, p)
    )
    assert check(
        lambda *x: autograd.torch_pressure_margins(*x).margin, (high, force, moment, p)
    )
    assert check(
        lambda *x: autograd.torch_soft_margins(*x).margin, (high, weight, p, k)
    )
    given = (com, p, n, mu, a)
    assert check(lambda *x: autograd.torch_cone_margins(*x).margin, given, atol=1e-3)


def test_tensors_are_judged_as_arrays_are() -> None:
    com, p, n, mu = tensors(2)
    mask = torch.tensor([True, True, True, False])
    told = autograd.torch_cone_margins(com, p, n, mu, mask=mask)
    told.margin.sum().backward()
    arrays = [x.detach().numpy() for x in (com, p, n, mu)]
    wanted = batch.cone_margins(*arrays, mask=mask.numpy())
    assert np.array_equal(told.margin.detach().numpy(), wanted.margin)
    assert np.array_equal(told.lower.numpy(), wanted.lower)
    assert np.array_equal(p.grad.numpy(), wanted.slopes["points"])
    single = autograd.torch_cone_margins(*(x.detach().float() for x in (com, p, n, mu)))
    assert single.margin.dtype == torch.float32


def test_what_does_not_fit_or_hold_is_said() -> None:
    com, p, n, mu = tensors(3)
    with pytest.raises(ShapeError, match="fit"):
        autograd.torch_cone_margins(com[:2], p, n, mu)
    none = autograd.torch_cone_margins(
        com, p, n, mu, mask=torch.zeros(4, dtype=torch.bool)
    )
    assert torch.isneginf(none.margin).all()
    none.margin.clamp(min=-1.0).sum().backward()
    assert not com.grad.any()
