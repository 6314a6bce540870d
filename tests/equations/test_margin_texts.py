"""Margins as CUDA and C: the same numbers as machine code gives, without a card."""

import ctypes
import json
import subprocess
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from equipoise.core.errors import ConfigError, EquipoiseError, UnknownNameError
from equipoise.core.kinds import Precision
from equipoise.equations.cuda.module import cuda_module
from equipoise.equations.emit.targets import LINE, without_colours
from equipoise.equations.emit.toolchains import BOARDS, call
from equipoise.equations.margins import card, layout
from equipoise.equations.margins.batch import static_margins
from equipoise.equations.margins.card import start_margin
from equipoise.equations.margins.code import MarginCode, c_text, cuda_text
from equipoise.equations.margins.export import export_margin
from equipoise.equations.margins.kinds import MarginKind, margin_code
from equipoise.equations.margins.run import margins_on_cpu
from oracles.emulated import need

Array = NDArray[np.float64]
SLOW = pytest.mark.slow  # compilers take seconds


def some_states(kind: MarginKind, count: int) -> Array:
    """States of three contacts, a fourth masked now and then, as single precision."""
    rng = np.random.default_rng(len(kind))
    code = margin_code(kind, 4)
    x = rng.uniform(-0.3, 0.3, (count, code.inputs))
    own = sum(width for _, width in code.given)
    rows = x[:, own:].reshape(count, 4, -1)
    rows[:, :, :2] += [[0.4, 0.3], [0.4, -0.3], [-0.4, 0.3], [-0.4, -0.3]]
    rows[:, :, -1] = rng.uniform(size=(count, 4)) < 0.9
    if kind == "pressure":
        x[:, 5] -= 5.0
    elif kind == "soft":
        x[:, 2] += 0.9
        x[:, 3] = rng.uniform(100, 200, count)
        rows[:, :, 3] = 10 ** rng.uniform(4, 5, (count, 4))
    elif kind == "cone":
        x[:, 5] += 9.81
        rows[:, :, 5] += 1.0
        rows[:, :, 6] = rng.uniform(0.3, 1.0, (count, 4))
    return x.astype(np.float32).astype(np.float64)


def on_host(code: MarginCode, precision: Precision, x: Array) -> Array:
    kind = np.float64 if precision == "double" else np.float32
    module = cuda_module(
        cuda_text(code, precision), precision=precision, backend="host"
    )
    given = np.ascontiguousarray(x.T.astype(kind))
    told = np.empty((code.outputs, len(x)), kind)
    start_margin(module, code, given, told, lambda n: np.zeros(n, np.int32))
    return told.T.astype(np.float64)


@pytest.mark.parametrize(
    "kind",
    [pytest.param("static", marks=SLOW), pytest.param("pressure", marks=SLOW), "soft"],
)
def test_cuda_text_tells_what_machine_code_tells(kind: MarginKind) -> None:
    x = some_states(kind, 200)
    wanted = margins_on_cpu(kind, 4, x.T).T
    told = on_host(margin_code(kind, 4), "double", x)
    status = 1
    assert np.array_equal(told[:, status], wanted[:, status])
    judged = wanted[:, status] == 0
    assert judged.sum() > 100
    # the same operations in the same order; sums of products may be fused in one
    assert told[judged] == pytest.approx(wanted[judged], rel=1e-9, abs=1e-12)


@SLOW
@pytest.mark.parametrize("precision", ["double", "single"])
def test_cuda_text_of_cones(precision: Precision) -> None:
    x = some_states("cone", 2000)
    wanted = margins_on_cpu("cone", 4, x.T).T
    told = on_host(margin_code("cone", 4, precision), precision, x)
    both = (told[:, 3] == 0) & (wanted[:, 3] == 0)
    assert both.mean() > 0.95
    error = np.abs(told[both, 0] - wanted[both, 0])
    # single: rounding times t, see docs/margins.md; double: what a fused product leaves
    assert np.percentile(error, 99) < (1e-9 if precision == "double" else 1e-4)
    # and never more than the bounds are apart, 1.2e-3 and 2.4e-3 of the spread
    assert error.max() < (1e-9 if precision == "double" else 2.4e-3 * 0.9)
    # a proved bound is never above the margin
    fine = (wanted[:, 3] == 0) & (told[:, 3] != 1)
    above = (told[:, 1] - wanted[:, 0])[fine]
    below = (wanted[:, 0] - told[:, 2])[fine]
    assert max(above.max(), below.max()) < 1e-9


def compiled_c(code: MarginCode, precision: Precision, folder: Path) -> ctypes.CDLL:
    for name, text in c_text(code, precision).items():
        (folder / name).write_text(text, encoding="utf-8")
    library = folder / f"{code.name}.so"
    flags = ["-std=c99", "-Wall", "-Werror", "-Wno-unused-function", "-O1", "-shared"]
    source = str(folder / f"{code.name}.c")
    flags += ["-fPIC", "-ffp-contract=off", source, "-o", str(library), "-lm"]
    subprocess.run(["cc", *flags], check=True)
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize(
    "kind",
    [
        "static",
        *(pytest.param(kind, marks=SLOW) for kind in ("pressure", "soft", "cone")),
    ],
)
def test_c_tells_what_cuda_text_tells(kind: MarginKind, tmp_path: Path) -> None:
    x = some_states(kind, 50)
    code = margin_code(kind, 4, "single")
    wanted = on_host(code, "single", x)
    library = compiled_c(code, "single", tmp_path)
    given = x.astype(np.float32)
    told = np.zeros((50, code.outputs), np.float32)
    function = library[code.name]
    function.restype = None
    for a, b in zip(given, told, strict=True):
        pointers = [ctypes.c_void_p(v.ctypes.data) for v in (a, b)]
        function(*pointers, ctypes.c_size_t(1))
    same = np.array_equal(told.astype(np.float64), wanted, equal_nan=True)
    assert same  # to the last bit


def test_what_no_margin_is_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="statics"):
        margin_code("statics", 4)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="0"):
        margin_code("cone", 0)
    with pytest.raises(ConfigError, match="half"):
        margin_code("cone", 4, "half")  # type: ignore[arg-type]


def test_a_margin_is_written_with_the_names_of_its_numbers(tmp_path: Path) -> None:
    paths = export_margin("cone", 4, tmp_path / "c")
    assert [p.name for p in paths] == [
        "cone_margin.c",
        "cone_margin.h",
        "cone_margin_info.json",
    ]
    info = json.loads(paths[-1].read_text("utf-8"))
    code = margin_code("cone", 4, "single")
    assert len(info["given"]) == code.inputs and len(info["told"]) == code.outputs
    assert info["given"][12] == "frictions[0]" and info["given"][14] == "points[1][0]"
    assert info["told"][10] == "d margin / d points[0][0]"
    (cuda, _) = export_margin("static", 4, tmp_path / "cu", "cuda")
    assert "static_margin_many" in cuda.read_text("utf-8")
    with pytest.raises(ConfigError, match="rust"):
        export_margin("cone", 4, tmp_path, "rust")  # type: ignore[arg-type]


TRIAL = """#include "{name}.h"
typedef REAL real;
#define INIT(p, w) ((void)(p), (void)(w))
#define STEP(w, x, y) {name}(x, y, 1)
#define PARAMETERS 0
#define WORK 0
#define GIVEN {given}
#define RESULTS {told}
#define TRIALS {trials}
static const uint32_t TABLE[] IN_FLASH = {{{table}}};
"""


@SLOW
@pytest.mark.parametrize("kind", ["static", "pressure", "soft", "cone"])
def test_margins_on_a_microcontroller(kind: MarginKind, tmp_path: Path) -> None:
    """An emulated Cortex-M4F gives the bits of the host."""
    board = BOARDS["cortex-m"]
    need("cortex-m")
    x = some_states(kind, 3)
    code = margin_code(kind, 4, "single")
    wanted = on_host(code, "single", x).astype(np.float32)
    export_margin(kind, 4, tmp_path)
    shelf = files("equipoise.equations") / "firmware"
    names = {"harness.c": "harness.c", board.header: "board.h"}
    for source, name in {**names, "cortex_m.ld": "cortex_m.ld"}.items():
        (tmp_path / name).write_text((shelf / source).read_text("utf-8"), "utf-8")
    words = ", ".join(f"{w}u" for w in np.frombuffer(x.astype("<f4").tobytes(), "<u4"))
    sizes = {"given": code.inputs, "told": code.outputs, "trials": len(x)}
    text = TRIAL.format(name=code.name, table=words, **sizes)
    (tmp_path / "trial.h").write_text(text, "utf-8")
    sources = ["harness.c", f"{code.name}.c", "-o", "program"]
    call(board.compiler, [*board.flags, *sources, *board.link], tmp_path)
    assert board.emulator is not None
    printed = without_colours(
        call(board.emulator, [*board.arguments, "program"], tmp_path)
    )
    lines = [m.groups() for m in map(LINE.fullmatch, printed) if m]
    told = np.array([int(v, 16) for kind, v in lines if kind == "y"], "<u4")
    assert np.array_equal(
        told.view("<f4").reshape(wanted.shape), wanted, equal_nan=True
    )


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_arrays_of_a_card_take_the_way_of_the_card(kind, monkeypatch) -> None:
    """A library that is not NumPy, and the host in the card's place."""
    library = ModuleType("other")
    vars(library).update(vars(np))
    monkeypatch.setattr(layout, "array_library", lambda given: library)
    real = card.margin_module
    monkeypatch.setattr(card, "margin_module", lambda *a: real(*a[:3], "host"))
    rng = np.random.default_rng(3)
    points = rng.uniform(-1, 1, (20, 4, 2)).astype(kind)
    told = static_margins([0.1, 0.2], points)
    assert told.margin.dtype == kind and told.slopes["points"].dtype == kind
    assert told.slopes["pxy_WC"].shape == (2,)
    monkeypatch.undo()
    wanted = static_margins([0.1, 0.2], points)
    # a few roundings of numbers below two
    assert told.margin == pytest.approx(
        wanted.margin, abs=float(16 * np.finfo(kind).eps)
    )

    def full(*_: object) -> None:
        raise type("OutOfMemoryError", (Exception,), {})

    monkeypatch.setattr(layout, "array_library", lambda given: library)
    monkeypatch.setattr(card, "margin_module", lambda *a: real(*a[:3], "host"))
    monkeypatch.setattr(card, "start_margin", full)
    with pytest.raises(EquipoiseError, match="no memory for 20 states"):
        static_margins([0.1, 0.2], points)
