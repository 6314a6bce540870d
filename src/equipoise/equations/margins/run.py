"""Margins on this computer: machine code by LLVM, eight states at once."""

from functools import cache

import numpy as np

from equipoise.core.arrays import Array
from equipoise.equations.emit.wide import WIDTH, WideCode
from equipoise.equations.margins.code import MarginCode
from equipoise.equations.margins.cone.kernel import cone_loop
from equipoise.equations.margins.cone.programs import ROUNDS
from equipoise.equations.margins.cone.settings import SETTINGS
from equipoise.equations.margins.kernel import line_loop
from equipoise.equations.margins.kinds import MarginKind, margin_code
from equipoise.equations.margins.soft.code import LOADS, TURNS
from equipoise.equations.margins.soft.kernel import soft_loop

__all__ = ["margins_on_cpu"]


@cache
def _machine_code(kind: MarginKind, contacts: int) -> tuple[MarginCode, WideCode]:
    """Return a margin and its programs as machine code, compiled once in a process."""
    code = margin_code(kind, contacts)
    return code, WideCode([part for _, part in code.parts])


def margins_on_cpu(kind: MarginKind, contacts: int, states: Array) -> Array:
    """Return what a margin's programs tell of states, (told, n).

    Args:
        kind: which margin.
        contacts: a state has at most.
        states: (given, n).
    """
    code, machine = _machine_code(kind, contacts)
    n = states.shape[1]
    if not n:
        return np.empty((code.outputs, 0))
    whole = -(-n // WIDTH) * WIDTH
    rows = np.empty((code.inputs, whole))
    rows[:, :n] = states
    rows[:, n:] = rows[:, n - 1 : n]  # lanes without a state do as the last one
    told = np.empty((code.outputs, whole))
    if kind == "cone":
        s = SETTINGS["double"]
        ends = np.array([s.held, s.coarse, s.fine])
        cone_loop(machine.addresses, rows, told, contacts, ROUNDS, ends)
    elif kind == "soft":
        soft_loop(machine.addresses, rows, told, LOADS, TURNS)
    else:
        line_loop(int(machine.addresses[0]), rows, told)
    return told[:, :n]
