"""Starting a margin's kernels, on a card or on this computer."""

from collections.abc import Callable
from functools import cache
from typing import Any

from equipoise.core.errors import ShapeError
from equipoise.core.kinds import Precision
from equipoise.equations.cuda.module import Backend, CudaModule, cuda_module
from equipoise.equations.margins.code import MarginCode, cuda_text
from equipoise.equations.margins.kinds import MarginKind, margin_code

__all__ = ["margin_module", "start_margin"]

MOST_STATES = (1 << 31) - 1


@cache
def margin_module(
    kind: MarginKind, contacts: int, precision: Precision, backend: Backend
) -> tuple[MarginCode, CudaModule]:
    """Return a margin and its kernels, written and compiled once in a process.

    Args:
        kind: which margin.
        contacts: a state has at most.
        precision: ``double`` or ``single``.
        backend: as ``cuda_module`` takes it.
    """
    code = margin_code(kind, contacts, precision)
    text = cuda_text(code, precision)
    return code, cuda_module(text, precision=precision, backend=backend)


def start_margin(
    module: CudaModule,
    code: MarginCode,
    given: Any,
    told: Any,
    zeros: Callable[[int], Any],
) -> None:
    """Judge states that are on a card; this returns before it has ended.

    Args:
        module: of the margin's ``cuda_text``.
        code: the margin.
        given: (given, n), contiguous.
        told: (told, n), contiguous; overwritten.
        zeros: makes so many whole numbers of 32 bits, zero, where the states are.

    Raises:
        ShapeError: more states than fit in 31 bits.
    """
    n = int(given.shape[1])
    if n > MOST_STATES:
        raise ShapeError(f"at most {MOST_STATES} states at once, got {n}.")
    if not code.tries:
        module.launch(f"{code.name}_many", n, [n, given, told])
        return
    waiting = zeros(n + 1)
    for number in range(2):
        module.launch(f"{code.name}_pass", n, [n, given, told, waiting, number])
