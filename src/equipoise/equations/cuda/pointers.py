"""Where an array is on a card, whoever owns it, and numbers as a kernel takes them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from equipoise.core.errors import ShapeError
from equipoise.equations.cuda.signature import KernelArgument, KernelSignature

__all__ = ["COMMON_FLAGS", "flags", "passed_values"]

COMMON_FLAGS = ("--std=c++17",)
EXACT_FLAGS = ("--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false")
QUICK_FLAGS = ("--fmad=true", "--prec-div=false", "--prec-sqrt=false", "--ftz=true")


def flags(*, exact: bool) -> list[str]:
    """Return what NVRTC and nvcc are told.

    Args:
        exact: whether every operation is rounded by itself, as on a processor.
    """
    chosen = EXACT_FLAGS if exact else QUICK_FLAGS
    return [*COMMON_FLAGS, *chosen, f"-DEXACT={int(exact)}"]


def passed_values(kernel: KernelSignature, given: Sequence[Any]) -> list[Any]:
    """Return arguments as NumPy's numbers; an array becomes its address on the card.

    Args:
        kernel: what takes them.
        given: arrays and numbers.

    Raises:
        ShapeError: an array of another type, not contiguous, or not on a card.
    """
    return [
        _address(kernel.name, wanted, x) if wanted.is_array else wanted.kind(x)
        for wanted, x in zip(kernel.arguments, given, strict=True)
    ]


def _address(kernel: str, wanted: KernelArgument, given: Any) -> np.uint64:
    """Return where an array is on the card.

    Raises:
        ShapeError: it is of another type, not contiguous, or not on a card.
    """
    kind = np.dtype(wanted.kind)
    if getattr(given, "requires_grad", False):
        given = given.detach()
    about = getattr(given, "__cuda_array_interface__", None)
    wrong = ""
    if about is None:
        wrong = f"a {type(given).__name__}, which is not on a card"
    elif np.dtype(about["typestr"]) != kind:
        wrong = f"{np.dtype(about['typestr'])}"
    elif not is_contiguous(about["shape"], about.get("strides"), kind.itemsize):
        wrong = f"one of shape {tuple(about['shape'])} that is not contiguous"
    if about is None or wrong:
        raise ShapeError(
            f"'{wanted.name}' of kernel '{kernel}' must be a contiguous array of "
            f"{kind} on the card, got {wrong}."
        )
    return np.uint64(about["data"][0] or 0)


def is_contiguous(
    shape: Sequence[int], strides: Sequence[int] | None, size: int
) -> bool:
    """Return whether an array's numbers lie one after the other, last axis first.

    Args:
        shape: of the array.
        strides: in bytes; None says that they do.
        size: of a number [bytes].
    """
    if strides is None or 0 in shape:
        return True
    for length, stride in zip(reversed(shape), reversed(strides), strict=True):
        if length > 1 and stride != size:
            return False
        size *= length
    return True
