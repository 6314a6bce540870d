"""As much of PyTorch's tensors as margins ask of them, on NumPy: for tests without it.

A function of autograd is run forwards and remembered, so that a test can run it
backwards by hand; no graph is kept.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["Tensor", "fake_torch"]


class Tensor(np.ndarray):
    """An array with the methods of a tensor of this computer."""

    device = "cpu"
    is_cuda = False

    def expand(self, *sizes: int) -> "Tensor":
        """Repeat along axes of length one; -1 keeps an axis as it is."""
        shape = (1,) * (len(sizes) - self.ndim) + self.shape
        whole = [
            own if size == -1 else size for own, size in zip(shape, sizes, strict=True)
        ]
        return np.broadcast_to(self, whole).view(Tensor)

    def flatten(self, start_dim: int = 0) -> "Tensor":  # type: ignore[override]
        """Make one axis of the last ones."""
        kept = self.shape[:start_dim]
        return self.reshape(*kept, int(np.prod(self.shape[start_dim:])))

    def detach(self) -> "Tensor":
        """Return it without a history."""
        return self

    def contiguous(self) -> "Tensor":
        """Return it row by row."""
        return np.ascontiguousarray(self).view(Tensor)

    def numpy(self) -> np.ndarray:
        """Return a plain array."""
        return np.asarray(self)

    def to(self, dtype: Any) -> "Tensor":
        """Return it as numbers of another kind."""
        return self.astype(dtype)

    def new_tensor(self, values: Any) -> "Tensor":
        """Return other numbers of the same kind."""
        return np.array(values, self.dtype).view(Tensor)


class Context:
    """What a function keeps for its way back."""

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Keep tensors."""
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Note what has no derivatives."""
        self.without = tensors


class Function:
    """A function of autograd; ``last`` is how it was called last."""

    last: Any = None

    @classmethod
    def apply(cls, *given: Any) -> Any:
        """Run it forwards."""
        ctx = Context()
        found = cls.forward(ctx, *given)  # type: ignore[attr-defined]
        Function.last = SimpleNamespace(function=cls, ctx=ctx, given=given, found=found)
        return found


def _view(array: Any) -> Tensor:
    return np.asarray(array).view(Tensor)


def _cat(parts: Any, dim: int = 0) -> Tensor:
    return _view(np.concatenate(list(parts), axis=dim))


def _broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as problem:
        raise RuntimeError(str(problem)) from None


def fake_torch() -> Any:
    """Return a module with the names that are used."""
    return SimpleNamespace(
        bool=np.dtype(bool),
        float32=np.dtype(np.float32),
        float64=np.dtype(np.float64),
        int64=np.dtype(np.int64),
        inf=np.inf,
        nan=np.nan,
        as_tensor=lambda x, dtype=None, device=None: _view(np.asarray(x, dtype)),
        ones=lambda *size, dtype=None, device=None: _view(np.ones(size, dtype)),
        zeros_like=lambda x: _view(np.zeros_like(x)),
        where=lambda test, a, b: _view(np.where(test, a, b)),
        cat=_cat,
        from_numpy=_view,
        broadcast_shapes=_broadcast_shapes,
        autograd=SimpleNamespace(
            Function=Function,
            function=SimpleNamespace(once_differentiable=lambda f: f),
        ),
    )
