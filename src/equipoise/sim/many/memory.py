"""Arrays where the robots are: on a graphics card, or on this computer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.extras import require_extra

__all__ = ["Memory"]

T = TypeVar("T")


@final
@dataclass(frozen=True)
class Memory:
    """Makes arrays and brings them back.

    Raises:
        ConfigError: there is not enough memory for what is asked.
    """

    backend: Literal["cupy", "torch", "host"]

    def put(self, values: Any, kind: str) -> Any:
        """Return an array there.

        Args:
            values: NumPy's, or an array that is there.
            kind: of its numbers, as "float32".
        """
        if self.backend == "torch":
            torch: Any = require_extra("gpu", "torch")
            there = {"dtype": getattr(torch, kind), "device": "cuda"}
            if isinstance(values, torch.Tensor):
                return values.to(**there).contiguous()
            made = np.ascontiguousarray(values, dtype=kind)
            return expect_room(lambda: torch.tensor(made, **there), made.nbytes)
        if self.backend == "cupy":
            cupy: Any = require_extra("gpu", "cupy")
            size = np.dtype(kind).itemsize * np.size(values)
            return expect_room(lambda: cupy.ascontiguousarray(
                cupy.asarray(values, dtype=kind)), size)  # fmt: skip
        return np.ascontiguousarray(values, dtype=kind)

    def full(self, shape: tuple[int, ...], value: float, kind: str) -> Any:
        """Return an array of one value.

        Args:
            shape: of the array.
            value: in every place.
            kind: of its numbers, as "int32".
        """
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(kind).itemsize
        if self.backend == "torch":
            torch: Any = require_extra("gpu", "torch")
            there = {"dtype": getattr(torch, kind), "device": "cuda"}
            return expect_room(lambda: torch.full(shape, value, **there), size)
        numbers: Any = require_extra("gpu", "cupy") if self.backend == "cupy" else np
        return expect_room(lambda: numbers.full(shape, value, dtype=kind), size)

    def take(self, there: Any) -> Array:
        """Return an array of NumPy's with the same numbers.

        Args:
            there: an array that was made here.
        """
        if self.backend == "torch":
            return there.cpu().numpy()
        return there.get() if self.backend == "cupy" else np.asarray(there)

    def wait(self) -> None:
        """Wait until all that was started has ended."""
        if self.backend == "torch":
            torch: Any = require_extra("gpu", "torch")
            torch.cuda.synchronize()
        elif self.backend == "cupy":
            cupy: Any = require_extra("gpu", "cupy")
            cupy.cuda.get_current_stream().synchronize()


def expect_room(make: Callable[[], T], size: int) -> T:
    """Return what is made, or say that it does not fit.

    Args:
        make: makes it.
        size: [bytes].

    Raises:
        ConfigError: there is no room for it.
    """
    try:
        return make()
    except Exception as error:  # each library has a class of its own
        is_full = isinstance(error, MemoryError)
        if not (is_full or "OutOfMemory" in type(error).__name__):
            raise
    problem = (
        f"no memory is left for {size / 1e9:.3g} GB more; ask for fewer of them, or "
        "record less"
    )
    raise ConfigError("the robots", [problem])
