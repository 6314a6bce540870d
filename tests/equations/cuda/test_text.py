"""CUDA text compiled for this computer has the bits of the C of the same program."""

import ctypes
import subprocess
import sys

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.equations import (
    Tape,
    atan2,
    exp,
    less,
    log,
    maximum,
    minimum,
    program,
    sin,
    sqrt,
    where,
)
from equipoise.equations.cuda.module import cuda_module
from equipoise.equations.cuda.text import (
    device_function,
    kept_values,
    preamble,
)
from equipoise.equations.emit.c import c_source
from equipoise.equations.emit.toolchains import BOARDS, found

KINDS = {"double": np.float64, "single": np.float32}
LIBRARY = (5, 6, 7)  # exp, log and atan2 among the outputs
PRECISIONS = pytest.mark.parametrize("precision", ["double", "single"])


def every_operation():
    """Return a program with all operations, a parameter and its sine."""
    tape = Tape()
    a, b = tape.symbol("a", "input"), tape.symbol("b", "input")
    p = tape.symbol("p", "parameter")
    outputs = (
        sin(a) * p, -(a + b), a - b, 1 / (2 + a * a), sqrt(a * a + 1), exp(a),
        log(b * b + 1), atan2(a, b), abs(a), minimum(a, b), maximum(a, -b), less(a, b),
        where(less(a, b), a, p), a, -b, p, -p, 0 * a, 0 * a - 3, sin(b + p * p) - p,
    )  # fmt: skip
    return program(outputs, (a, b), (p,))


KERNEL = """
KERNEL all_of_it(unsigned int n, {w}const REAL *a, const REAL *b, REAL *y)
{{
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const REAL x[2] = {{a[i], b[i]}};
  REAL found[{count}];
  one({pass_w}x, found);
  for (int k = 0; k < {count}; ++k) y[k * n + i] = found[k];
}}
"""


def text_of(found, precision, values=None):
    """Return a whole CUDA file with one kernel."""
    words = ("", "") if values is not None else ("const REAL *w, ", "w, ")
    kernel = KERNEL.format(w=words[0], pass_w=words[1], count=len(found.outputs))
    function = device_function(found, "one", precision, values)
    return preamble(precision) + function + kernel


def plain_c(found_program, values, x, precision, folder):
    """Return what the C of a program computes, (robots, outputs)."""
    (folder / "plain.c").write_text(c_source(found_program, "plain", precision))
    command = [found(BOARDS["host"].compiler), "-O1", "-ffp-contract=off", "-fPIC"]
    command += ["-shared", "plain.c", "-o", "plain.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "plain.so"))
    kind = KINDS[precision]
    p, w = np.array(values, kind), np.zeros(max(len(found_program.kept), 1), kind)
    library.plain_init(
        p.ctypes.data_as(ctypes.c_void_p), w.ctypes.data_as(ctypes.c_void_p)
    )
    y = np.empty((len(x), len(found_program.outputs)), kind)
    for row, out in zip(np.ascontiguousarray(x, kind), y, strict=True):
        library.plain_step(*(ctypes.c_void_p(z.ctypes.data) for z in (w, row, out)))
    return y


@PRECISIONS
def test_every_operation_has_the_bits_of_c(precision, tmp_path):
    done, kind = every_operation(), KINDS[precision]
    x = np.random.default_rng(0).normal(size=(150, 2)).astype(kind)
    expected = plain_c(done, [0.7], x, precision, tmp_path)
    a, b = np.ascontiguousarray(x.T)
    for values in (None, [0.7]):  # through memory, and written into the text
        text = text_of(done, precision, values)
        module = cuda_module(text, precision=precision, backend="host")
        y = np.empty((len(done.outputs), len(x)), kind)
        given = [a, b, y]
        if values is None:
            given.insert(0, kept_values(done, [0.7], precision).astype(kind))
        module.launch("all_of_it", len(x), [len(x), *given])
        own = list(LIBRARY) if precision == "double" else []  # not the C library's
        same = np.setdiff1d(np.arange(len(y)), own)
        np.testing.assert_array_equal(y[same].T, expected[:, same])
        off = np.abs(y[own].T - expected[:, own])
        assert np.all(off <= 3 * np.spacing(np.abs(expected[:, own])))


def test_elementary_functions_in_double_are_good_to_three_units(tmp_path):
    tape = Tape()
    a, b = tape.symbol("a", "input"), tape.symbol("b", "input")
    done = program((exp(a), log(b), atan2(a, b), atan2(-a, -b)), (a, b))
    module = cuda_module(
        text_of(done, "double", ()), precision="double", backend="host"
    )
    rng, n = np.random.default_rng(1), 3000
    size = np.exp(rng.uniform(-7, 6.5, n))
    edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-310, 1e308])
    x, y = (e.ravel() for e in np.meshgrid(edges, edges))
    a = np.concatenate([rng.choice([-1, 1], n) * size, x])
    b = np.concatenate([np.exp(rng.uniform(-700, 700, n)), y])
    found = np.empty((4, len(a)))
    module.launch("all_of_it", len(a), [len(a), a, b, found])
    with np.errstate(all="ignore"):
        wanted = np.array([np.exp(a), np.log(b), np.arctan2(a, b), np.arctan2(-a, -b)])
    wanted[0, wanted[0] < 1e-306] = found[0, found[0] < 1e-306] = 0.0
    with np.errstate(invalid="ignore"):  # infinities beside each other
        close = np.abs(found - wanted) <= 3 * np.spacing(np.abs(wanted))
    is_nan = np.isnan(found) & np.isnan(wanted)
    assert np.all(close | (found == wanted) | is_nan)
    assert np.isnan(found).any() and np.isinf(found).any()
    zero = wanted == 0.0  # signs of zero, and so the side of the cut
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(wanted[zero]))


def test_the_same_text_is_compiled_once_and_kernels_are_known_by_name():
    text = text_of(every_operation(), "double", [0.7])
    module = cuda_module(text, precision="double", backend="host")
    assert cuda_module(text, precision="double", backend="host") is module
    names = [argument.name for argument in module.kernels["all_of_it"].arguments]
    assert names == ["n", "a", "b", "y"]
    with pytest.raises(UnknownNameError, match="kernel 'all_of_him'"):
        module.launch("all_of_him", 1, [])


def test_arguments_that_do_not_fit_are_refused():
    text = text_of(every_operation(), "double", [0.7])
    module = cuda_module(text, precision="double", backend="host")
    y = np.zeros((20, 3))
    with pytest.raises(ShapeError, match=r"takes 4 arguments \(n, a, b, y\), got 2"):
        module.launch("all_of_it", 3, [3, y])
    with pytest.raises(ShapeError, match="array of float64, got float32"):
        module.launch("all_of_it", 3, [3, y, y, y.astype(np.float32)])
    with pytest.raises(ShapeError, match="must be a contiguous NumPy array"):
        module.launch("all_of_it", 3, [3, y, y, y.T])
    with pytest.raises(ShapeError, match="got list"):
        module.launch("all_of_it", 3, [3, y, y, [1.0]])


def test_what_cannot_be_compiled_is_refused():
    with pytest.raises(ConfigError, match="no backend 'cuda'"):
        cuda_module("", precision="double", backend="cuda")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no precision 'half'"):
        cuda_module("", precision="half", backend="host")
    with pytest.raises(ConfigError, match=r"'half \*x' is none of"):
        text = "KERNEL bad(half *x)\n{\n}\n"
        cuda_module(text, precision="double", backend="host")
    with pytest.raises(ShapeError, match=r"shape \(1,\), got \(2,\)"):
        device_function(every_operation(), "one", "double", [1.0, 2.0])


def test_a_module_needs_numpy_alone():
    script = """
import sys
import equipoise.equations.cuda.module, equipoise.equations.cuda.text
print(*sorted({"mujoco", "numba", "scipy", "llvmlite", "cupy"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
