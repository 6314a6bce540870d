"""Kernels called with arrays of many robots, whoever owns the memory.

Arrays are passed without a copy: CuPy's, PyTorch's, and any other through DLPack; on
the host NumPy's, and PyTorch's that are not on a card. What comes back belongs to the
library of the first array.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from equipoise.core.errors import (
    BadFileError,
    EquipoiseError,
    ShapeError,
    UnknownNameError,
)
from equipoise.core.extras import require_extra
from equipoise.equations.cuda.module import Backend, CudaModule, cuda_module

__all__ = ["KernelBatch", "open_kernels"]

KINDS = {"double": np.float64, "single": np.float32}


@final
class KernelBatch:
    """Kernels of an info file, as functions of arrays.

    Args:
        info: what ``CudaFile.info`` returns.
        module: the compiled text.
    """

    def __init__(self, info: Mapping[str, Any], module: CudaModule) -> None:
        self.info = info
        self.module = module
        self.kernels = {about["kernel"]: about for about in info["kernels"]}
        """What is known of each kernel, by name."""

    def __call__(
        self,
        kernel: str,
        *given: Any,
        out: Sequence[Any] | None = None,
        work: Any = None,
    ) -> list[Any]:
        """Return what a kernel computes, an array for each of its outputs, (rows, n).

        Args:
            kernel: its name.
            given: its inputs, each (rows, n) or with the rows over several axes,
                robots along the last.
            out: arrays to write to; new ones if not given.
            work: ``w`` where it takes parameters, as ``init`` wrote it.

        Raises:
            UnknownNameError: no such kernel.
            ShapeError: an array of another shape or type, or not on the card.
            EquipoiseError: the card has no memory left for the results.
        """
        if kernel not in self.kernels:
            raise UnknownNameError("kernel", kernel, self.kernels, "the CUDA text")
        about = self.kernels[kernel]
        inputs, outputs = about["inputs"], about["outputs"]
        if len(given) != len(inputs) or not given:
            names = ", ".join(a["name"] for a in inputs)
            raise ShapeError(f"{kernel} takes {names}, got {len(given)} arrays.")
        n = int(np.shape(given[0])[-1]) if np.ndim(given[0]) else 0
        for wanted, x in zip(inputs, given, strict=True):
            _expect_rows(wanted, x, n, kernel)
        if out is None:
            empty = _maker(given[0], self.module.backend)
            kind = KINDS[self.module.precision]
            out = [_made(empty, (len(a["rows"]), n), kind) for a in outputs]
        for wanted, x in zip(outputs, out, strict=True):
            _expect_rows(wanted, x, n, kernel)
        first = [n]
        if about["takes_w"]:
            size, got = self.info["arrays"]["w"], tuple(np.shape(work))
            if got != (size,):
                problem = f"'w' of {kernel} must have shape ({size},), got {got}."
                raise ShapeError(problem)
            first.append(work)
        passed = [_passable(x, self.module.backend) for x in (*given, *out)]
        self.module.launch(kernel, n, [*first, *passed])
        return list(out)


def _expect_rows(wanted: Mapping[str, Any], given: Any, n: int, kernel: str) -> None:
    """Refuse an array of another shape.

    Raises:
        ShapeError: another shape.
    """
    shape, rows = tuple(np.shape(given)), len(wanted["rows"])
    if not shape or shape[-1] != n or int(np.prod(shape[:-1])) != rows:
        raise ShapeError(
            f"'{wanted['name']}' of {kernel} must have shape ({rows}, {n}), robots "
            f"along the last axis, got {shape}."
        )


def _library_of(array: Any) -> str:
    """Return the package that an array is from."""
    return type(array).__module__.partition(".")[0]


def _maker(like: Any, backend: str) -> Callable[[tuple[int, ...], Any], Any]:
    """Return what makes arrays of the kind of another one.

    Args:
        like: the other one.
        backend: of the kernels, whose kind is made where the other's cannot be.
    """
    name = _library_of(like)
    if name == "torch" or (backend == "torch" and name != "cupy"):
        torch: Any = require_extra("gpu", "torch")
        kinds = {np.float32: torch.float32, np.float64: torch.float64}
        device = like.device if name == "torch" else "cuda"
        return lambda shape, kind: torch.empty(shape, dtype=kinds[kind], device=device)
    if backend == "host":
        return lambda shape, kind: np.empty(shape, kind)
    cupy: Any = require_extra("gpu", "cupy")
    return lambda shape, kind: cupy.empty(shape, kind)


def _made(
    empty: Callable[[tuple[int, ...], Any], Any], shape: tuple[int, ...], kind: Any
) -> Any:
    """Return a new array.

    Args:
        empty: from ``_maker``.
        shape: of the array.
        kind: of its numbers.

    Raises:
        EquipoiseError: there is no memory left for it.
    """
    try:
        return empty(shape, kind)
    except Exception as error:  # each library has a kind of its own
        if "OutOfMemory" not in type(error).__name__:
            raise
        size = np.dtype(kind).itemsize * np.prod(shape) / 1e9
        raise EquipoiseError(
            f"the graphics card has no {size:.3g} GB left for the results of "
            f"{shape[-1]} robots; take fewer at a time, or give out=."
        ) from error


def _passable(array: Any, backend: str) -> Any:
    """Return an array that a backend takes, of the same memory.

    Args:
        array: any array.
        backend: ``cupy``, ``torch`` or ``host``.
    """
    if backend == "host":
        if isinstance(array, np.ndarray) or not hasattr(array, "__dlpack__"):
            return array
        return np.from_dlpack(array.detach() if hasattr(array, "detach") else array)
    if hasattr(array, "__cuda_array_interface__") or isinstance(array, np.ndarray):
        return array
    if hasattr(array, "__dlpack__"):
        package: Any = require_extra("gpu", backend)
        return package.from_dlpack(array)
    return array


def open_kernels(
    path: str | Path, *, exact: bool = False, backend: Backend = "auto"
) -> KernelBatch:
    """Return the kernels of a saved file, compiled.

    Args:
        path: of ``NAME_info.json``; ``NAME.cu`` is beside it.
        exact: see ``cuda_module``.
        backend: see ``cuda_module``.

    Raises:
        BadFileError: a file is not there or is no such file.
    """
    file = Path(path)
    try:
        info = json.loads(file.read_text(encoding="utf-8"))
        source = (file.parent / f"{info['prefix']}.cu").read_text(encoding="utf-8")
        precision = info["precision"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFileError(
            f"{file}: is no info file of kernels ({type(error).__name__}); "
            "make one by equipoise derive ROBOT --target cuda --out FOLDER."
        ) from error
    module = cuda_module(source, precision=precision, exact=exact, backend=backend)
    return KernelBatch(info, module)
