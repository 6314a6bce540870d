"""Margins on this computer: machine code by LLVM, no C compiler needed."""

from functools import cache

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.equations.emit.callable import Compiled, compiled_program
from equipoise.equations.margins.code import MarginCode
from equipoise.equations.margins.cone.kernel import cone_loop
from equipoise.equations.margins.cone.programs import ROUNDS
from equipoise.equations.margins.cone.settings import SETTINGS
from equipoise.equations.margins.kinds import MarginKind, margin_code
from equipoise.equations.margins.soft.code import LOADS, TURNS
from equipoise.equations.margins.soft.kernel import soft_loop

__all__ = ["margins_on_cpu"]


@cache
def machine_code(kind: MarginKind, contacts: int) -> tuple[MarginCode, list[Compiled]]:
    """Return a margin and its programs as machine code, compiled once in a process."""
    code = margin_code(kind, contacts)
    return code, [compiled_program(part) for _, part in code.parts]


def margins_on_cpu(kind: MarginKind, contacts: int, states: Array) -> Array:
    """Return what a margin's programs tell of states, (n, told).

    Args:
        kind: which margin.
        contacts: a state has at most.
        states: (n, given).
    """
    code, parts = machine_code(kind, contacts)
    rows = np.ascontiguousarray(states, dtype=np.float64)
    if kind in ("static", "pressure"):
        return parts[0].many(rows)
    told = np.empty((len(rows), code.outputs))
    addresses: Ints = np.array([part.address for part in parts], np.int64)
    if kind == "soft":
        soft_loop(addresses, rows, told, LOADS, TURNS)
        return told
    s = SETTINGS["double"]
    ends = np.array([s.held, s.coarse, s.fine])
    cone_loop(addresses, rows, told, contacts, ROUNDS, ends)
    return told
