"""Sums over legs done together are the sums done one by one."""

import ctypes

import numpy as np
import pytest

from equipoise.equations.emit.callable import compiled_program
from equipoise.equations.emit.simd import simd_source
from equipoise.equations.emit.toolchains import BOARDS, call
from equipoise.equations.tape import functions as fn
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.lane_sums import grouped_units
from equipoise.equations.tape.lanes import packing
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.equations.tape.vectors import total
from oracles.emulated import need

SUMS = 7
# Products are fused with sums: some units in the last place of terms up to 10.
PRECISE = 1e-13


def meeting_legs(signs=(1, 1, 1, 1)):
    """Seven sums over four legs, one more of what follows from them; the symbols."""
    tape = Tape()
    shared, tilt = (tape.symbol(name, "state") for name in ("shared", "tilt"))
    q = [tape.symbol(f"q{k}", "state") for k in range(4)]
    parts = [[fn.sin(x) * (n + 1) + x * shared for x in q] for n in range(SUMS)]
    sums = [
        total([s * x for s, x in zip(signs, row, strict=True)]) * (n + 2)
        for n, row in enumerate(parts)
    ]
    again = total([x * sums[0] + sums[1] for x in q])
    outputs = [*sums, again, again * fn.cos(tilt) + fn.sin(shared)]
    outputs += [x * again for x in q]
    return program(outputs, [shared, tilt, *q]), [[x.ref] for x in q]


@pytest.mark.parametrize("signs", [(1, 1, 1, 1), (-1, -1, -1, -1), (1, -1, 1, 1)])
def test_machine_code_gives_the_sums(signs):
    found, lanes = meeting_legs(signs)
    states = np.random.default_rng(0).uniform(-2, 2, (40, 6))
    wanted = interpret(found, states)
    run = compiled_program(found, (), lanes)
    np.testing.assert_allclose(run(states), wanted, rtol=PRECISE, atol=10 * PRECISE)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_compiled_c_gives_the_sums(precision, tmp_path):
    need("host")
    found, lanes = meeting_legs()
    (tmp_path / "sums.c").write_text(simd_source(found, lanes, "sums", precision))
    flags = ["-O2", "-ffp-contract=off", "-fPIC", "-shared"]
    arguments = [*flags, "sums.c", "-o", "sums.so", "-lm"]
    call(BOARDS["host"].compiler, arguments, tmp_path)
    code = ctypes.CDLL(str(tmp_path / "sums.so"))
    kind = np.float64 if precision == "double" else np.float32
    state = np.random.default_rng(1).uniform(-2, 2, 6).astype(kind)
    y = np.zeros(len(found.outputs), dtype=kind)
    code.sums_step(None, *(ctypes.c_void_p(a.ctypes.data) for a in (state, y)))
    wanted = interpret(found, state, dtype=kind)
    # sine and cosine are the code's own, a unit in the last place from NumPy's
    near = 1e-13 if precision == "double" else 2e-5
    np.testing.assert_allclose(y, wanted, rtol=near, atol=near)


def test_sums_that_wait_for_others_come_later():
    found, lanes = meeting_legs()
    order, groups = grouped_units(found, packing(found, lanes))
    assert [len(group) for group in groups] == [4, 3]
    inside = {j for group in groups for s in group for j in (s.node, *s.halves)}
    assert len(inside) == 3 * SUMS
    seen = set()
    packs = packing(found, lanes)
    for unit in order:
        if unit.pack is None:
            nodes = [unit.node]
        elif unit.pack < 0:
            group = groups[-1 - unit.pack]
            nodes = [j for s in group for j in (s.node, *s.halves)]
        else:
            nodes = [abs(r) for r in packs.packs[unit.pack]]
        for j in nodes:
            needed = {abs(a) for a in found.tape.args[j]} & set(found.step)
            assert needed <= seen | set(nodes)
        seen.update(nodes)
    assert seen >= set(found.step)
