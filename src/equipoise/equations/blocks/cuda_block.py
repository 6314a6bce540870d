"""A block as CUDA: its step for many at once, each with its own state and inputs."""

from typing import Any

from equipoise.core.kinds import Precision
from equipoise.equations.blocks.block import Block
from equipoise.equations.cuda.file import CudaFile, init_kernel, joined_work
from equipoise.equations.cuda.kernel import ArrayRows, straight_kernel

__all__ = ["block_cuda", "parameter_list"]


def block_cuda(block: Block, prefix: str, precision: Precision) -> CudaFile:
    """Return the kernel ``PREFIX_step`` of a block.

    Its arrays are ``x``, the states, and ``u0``, ``u1`` ..., the inputs; then
    ``rates`` of the states and ``y0``, ``y1`` ..., the outputs. Their names stand in
    the info file.

    Args:
        block: what to compute.
        prefix: of the kernels' names, a C identifier.
        precision: ``double`` or ``single``.

    Raises:
        ConfigError: a number too large for the precision.
    """
    states = tuple(s.name for s in block.states)
    inputs = [ArrayRows("x", states, "states")] if states else []
    inputs += [
        ArrayRows(f"u{k}", _numbered(s.name, s.width), s.help)
        for k, s in enumerate(block.inputs)
    ]
    outputs = [ArrayRows("rates", states, "of the states")] if states else []
    outputs += [
        ArrayRows(f"y{k}", _numbered(s.name, s.width), s.help)
        for k, s in enumerate(block.outputs)
    ]
    work = joined_work([block.program])
    step = straight_kernel(
        block.program, f"{prefix}_step", inputs, outputs, precision, work
    )
    init = init_kernel(prefix, [block.program], work, precision)
    parameters = parameter_list(block)
    return CudaFile(prefix, precision, (step,), init, parameters, len(work))


def _numbered(name: str, width: int) -> tuple[str, ...]:
    """Return the names of a signal's scalars."""
    return (name,) if width == 1 else tuple(f"{name}[{k}]" for k in range(width))


def parameter_list(block: Block) -> tuple[dict[str, Any], ...]:
    """Return what an info file says about parameters."""
    return tuple(
        {"name": p.name, "value": float(p.value), "index": k, "help": p.help}
        for k, p in enumerate(block.parameters)
    )
