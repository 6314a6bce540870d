"""Many states at once have the bits of one after the other."""

import ctypes
import subprocess

import numpy as np
import pytest

from equipoise.equations import (
    Tape,
    atan2,
    exp,
    less,
    log,
    maximum,
    minimum,
    sin,
    sqrt,
    where,
)
from equipoise.equations.blocks.block import Block, Output, Parameter, Signal
from equipoise.equations.blocks.export import export_block
from equipoise.equations.emit.toolchains import BOARDS, found
from equipoise.equations.motion import derive
from equipoise.robots.load import load
from oracles.emulated import need
from oracles.export_blocks import leg_controller

KINDS = {"double": np.float64, "single": np.float32}


def every_operation():
    """Return a block with all operations, outputs that are inputs and numbers too."""
    tape = Tape()
    a, b = tape.symbol("a", "input"), tape.symbol("b", "input")
    p = tape.symbol("p", "parameter")
    results = (
        sin(a) * p, -(a + b), a - b, 1 / (2 + a * a), sqrt(a * a + 1), exp(a),
        log(b * b + 1), atan2(a, b), abs(a), minimum(a, b), maximum(a, -b), less(a, b),
        where(less(a, b), a, p), a, -b, p, -p, 0 * a, 0 * a - 3,
    )  # fmt: skip
    return Block(
        "every", (Parameter("p", p, 0.7),), (), (Signal("ab", (a, b)),),
        (Output("y", results),),
    )  # fmt: skip


def library_of(block, folder, target, precision, *flags):
    """Return an export as a compiled library."""
    name = export_block(block, folder, target, precision)[0].stem
    command = [found(BOARDS["host"].compiler), "-O2", "-Wall", "-Werror", *flags]
    command += ["-fPIC", "-shared", f"{name}.c", "-o", "lib.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "lib.so"))


def both(library, block, precision, count):
    """Return the results of a batch and of single steps."""
    name, kind, program = block.name, KINDS[precision], block.program
    rng = np.random.default_rng(count)
    x = rng.uniform(-3, 3, (count, len(program.inputs))).astype(kind)
    w, p = np.zeros(1000, kind), block.values.astype(kind)
    many = np.zeros((count, len(program.outputs)), kind)
    single = np.zeros_like(many)

    def at(array):
        return ctypes.c_void_p(array.ctypes.data)

    getattr(library, f"{name}_init")(at(p), at(w))
    batch, step = getattr(library, f"{name}_batch"), getattr(library, f"{name}_step")
    batch(at(w), ctypes.c_size_t(count), at(x), at(many))
    for row, result in zip(x, single, strict=True):
        step(at(w), at(row), at(result))
    return many, single


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("block", [leg_controller(), every_operation()])
def test_a_batch_has_the_bits_of_its_steps(tmp_path, block, precision):
    need("host")
    library = library_of(block, tmp_path, "host", precision, "-ffp-contract=off")
    for count in (1, 16, 37):  # no lanes full, all full, some left over
        many, single = both(library, block, precision, count)
        np.testing.assert_array_equal(many, single)
        assert np.all(np.isfinite(single))
        assert np.any(single != 0)


@pytest.mark.sim
def test_a_batch_beside_legs_side_by_side(tmp_path):
    need("host")
    block = derive(load("warp1")).block
    library = library_of(block, tmp_path, "simd", "single", "-O0")
    many, single = both(library, block, "single", 21)
    np.testing.assert_array_equal(many, single)
