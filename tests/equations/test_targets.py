"""The same block on the host, a Cortex-M4F and an ATmega128: the same bits."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from equipoise.core.errors import (
    ConfigError,
    EquipoiseError,
    MissingToolError,
    ShapeError,
    UnknownNameError,
)
from equipoise.equations import Tape, cos, maximum, minimum, sin, where
from equipoise.equations.blocks.block import Block, Output, Parameter, Signal
from equipoise.equations.blocks.export import MOST
from equipoise.equations.emit.targets import HARNESS, run_on
from equipoise.equations.emit.toolchains import BOARDS
from equipoise.equations.motion import derive
from equipoise.equations.tape import interpret as interpreter
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.tape import Op
from equipoise.robots.load import load
from oracles.emulated import need
from oracles.export_blocks import leg_controller, pendulum
from oracles.portable import single_sine_cosine

TARGETS = ("host", "cortex-m", "atmega128")
pytestmark = pytest.mark.sim


def states(block, count, seed=1):
    """Return random states and inputs, angles of more than a turn among them."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-7, 7, (count, len(block.program.inputs))).astype(np.float32)


@pytest.fixture
def portable(monkeypatch):
    """Let the interpreter take sines as the generated code does."""
    ways = interpreter.WAYS
    monkeypatch.setitem(ways, Op.SINE, lambda a: single_sine_cosine(a)[0])
    monkeypatch.setitem(ways, Op.COSINE, lambda a: single_sine_cosine(a)[1])


def test_sine_and_cosine_are_good_to_an_ulp():
    a = np.random.default_rng(0).uniform(-1000, 1000, 200_000).astype(np.float32)
    sine, cosine = single_sine_cosine(a)
    exact = a.astype(np.float64)
    # an ulp at 1 is 1.2e-7; three parts of pi/2 hold to 1e3 rad
    assert np.abs(sine - np.sin(exact)).max() < 1.2e-7
    assert np.abs(cosine - np.cos(exact)).max() < 1.2e-7


@pytest.mark.parametrize("target", TARGETS)
def test_every_bit_is_that_of_single_precision(portable, target):
    need(target)
    block = leg_controller()
    x = states(block, 250)
    ours = run_on(block, x, target=target)
    wanted = interpret(block.program, x, block.values, dtype=np.float32)
    assert ours.outputs.dtype == np.float32
    np.testing.assert_array_equal(ours.outputs.view("u4"), wanted.view("u4"))


def test_comparisons_and_choices_are_the_same_everywhere():
    need(*TARGETS)
    tape = Tape()
    a, b = tape.symbol("a", "input"), tape.symbol("b", "input")
    p = tape.symbol("p", "parameter")
    results = (
        minimum(a, -b), maximum(a, b * p), abs(a - b), where(a < b, 1 / a, -p),
    )  # fmt: skip
    block = Block(
        "choices", (Parameter("p", p, 0.3),), (), (Signal("ab", (a, b)),),
        (Output("y", results),),
    )  # fmt: skip
    x = states(block, 200)
    wanted = interpret(block.program, x, block.values, dtype=np.float32)
    for target in TARGETS:
        ours = run_on(block, x, target=target)
        np.testing.assert_array_equal(ours.outputs, wanted)


def tangle(seed):
    """Return a block of random operations; outputs have any sign, some come twice."""
    rng = np.random.default_rng(seed)
    tape = Tape()
    x = [tape.symbol(f"x{k}", "input") for k in range(4)]
    found = list(x)
    for _ in range(150):
        i, j = rng.integers(max(0, len(found) - 12), len(found), 2)
        a, b = found[i], found[j]
        more = (a + b, a - b, a * 0.5, sin(a), cos(b), abs(a), 1 / (2 + cos(a)), a * b)
        found.append(sin(more[-1]) if rng.random() < 0.3 else more[rng.integers(7)])
    outputs = [found[k] * rng.choice([-1, 1]) for k in rng.integers(0, 154, 30)]
    return Block(
        "tangle",
        inputs=(Signal("x", tuple(x)),),
        outputs=(Output("y", tuple(outputs)),),
    )


@pytest.mark.parametrize("block", [leg_controller(), tangle(1), tangle(2)])
def test_calls_instead_of_lines_change_no_bit(monkeypatch, portable, block):
    need("cortex-m")
    x = states(block, 20)
    wanted = interpret(block.program, x, block.values, dtype=np.float32)
    assert np.all(np.isfinite(wanted))
    lines = run_on(block, x, target="cortex-m")
    monkeypatch.setitem(MOST, "cortex-m", 0)
    calls = run_on(block, x, target="cortex-m")
    assert calls.code_bytes != lines.code_bytes
    np.testing.assert_array_equal(lines.outputs, wanted)
    np.testing.assert_array_equal(calls.outputs, wanted)


@pytest.mark.slow
def test_every_parameter_of_a_walking_machine_fits_the_flash():
    need("atmega128")
    block = derive(load("warp1"), parameters="general").block
    assert run_on(block, np.ones((1, 61)), target="atmega128").flash_bytes < 1 << 17


@pytest.fixture(scope="module")
def walker():
    """Return WARP1's equations of motion, and states to try them in."""
    block = derive(load("warp1")).block
    rng = np.random.default_rng(4)
    x = rng.uniform(-1, 1, (200, len(block.program.inputs)))
    x[:, 3:7] /= np.linalg.norm(x[:, 3:7], axis=1, keepdims=True)  # an attitude
    return block, x.astype(np.float32)


@pytest.fixture(scope="module")
def walker_here(walker):
    """Return what they do on this machine."""
    need("host")
    return run_on(*walker)


def test_a_walking_machine_has_every_bit_of_single_precision(
    walker, walker_here, portable
):
    block, x = walker
    wanted = interpret(block.program, x, block.values, dtype=np.float32)
    np.testing.assert_array_equal(walker_here.outputs, wanted)


@pytest.mark.parametrize("target", ["simd", "cortex-m"])
def test_a_walking_machine_has_one_checksum(walker, walker_here, target):
    need(target)
    assert len(walker[0].lanes) == 4
    assert run_on(*walker, target=target).crc == walker_here.crc


def test_a_walking_machine_has_the_same_checksum_in_eight_bits(walker, walker_here):
    need("atmega128")
    small = run_on(*walker, target="atmega128")
    assert small.crc == walker_here.crc
    assert small.cost <= 550_000
    assert small.flash_bytes <= 115_000
    assert small.memory_bytes < 4096


def test_the_law_is_the_transposed_jacobian_times_a_force():
    block = leg_controller()
    x = states(block, 3).astype(float)
    q, w, r_ref, v_ref = x.reshape(3, 4, 3).transpose(1, 0, 2)
    k, d = block.values[2:5], block.values[5:8]

    def foot(q):
        side, bend, knee = q
        down = 0.3 * np.cos(bend) + 0.33 * np.cos(bend + knee)
        back = -0.3 * np.sin(bend) - 0.33 * np.sin(bend + knee)
        return np.array([back, down * np.sin(side), -down * np.cos(side)])

    for n in range(3):
        step = 1e-6 * np.eye(3)
        J = np.stack([foot(q[n] + e) - foot(q[n] - e) for e in step], axis=1) / 2e-6
        force = k * (r_ref[n] - foot(q[n])) + d * (v_ref[n] - J @ w[n])
        ours = interpret(block.program, x[n], block.values)
        # central differences: 1e-12 from the step, 1e-10 from rounding, times 1e4 N
        np.testing.assert_allclose(ours, J.T @ force, atol=1e-4)


def test_a_leg_controller_is_cheap():
    need("atmega128", "cortex-m")
    block = leg_controller()
    assert block.program.operations[:3] <= (24, 33, 6)
    x = states(block, 5)
    small = run_on(block, x, target="atmega128")
    assert small.unit == "cycles"
    assert 10_000 < small.cost <= 20_000
    large = run_on(block, x, target="cortex-m")
    assert large.unit == "instructions"
    # sixty operations, three sines of some forty instructions, loads and stores
    assert 150 < large.cost < 600


@pytest.mark.parametrize(("target", "each"), [("cortex-m", 1), ("atmega128", 90)])
def test_costs_grow_with_the_work(target, each):
    need(target)
    costs: list[int] = []
    for count in (20, 60):
        tape = Tape()
        x = tape.symbol("x", "input")
        total = x
        for k in range(count):
            total = total * x + k
        block = Block(
            "sum", inputs=(Signal("x", (x,)),), outputs=(Output("y", (total,)),)
        )
        costs.append(run_on(block, [[0.5]], target=target).cost or 0)
    more = (costs[1] - costs[0]) / 80  # a sum and a product, forty times
    assert each <= more <= 2.5 * each


def test_fused_products_are_kept_out_by_the_code_itself(monkeypatch):
    need("host", "cortex-m")
    block = leg_controller()
    x = states(block, 50)
    board = BOARDS["cortex-m"]
    assert "-ffp-contract=off" in board.flags
    flags = (*(f for f in board.flags if f != "-ffp-contract=off"), "-O2")
    monkeypatch.setitem(BOARDS, "cortex-m", replace(board, flags=flags))
    assert run_on(block, x, target="cortex-m").crc == run_on(block, x).crc


def test_double_precision_runs_on_a_cortex_m():
    need("host", "cortex-m")
    x = states(pendulum(), 20).astype(float)
    ours = run_on(pendulum(), x, target="cortex-m", precision="double")
    assert ours.outputs.dtype == np.float64
    assert ours.crc == run_on(pendulum(), x, precision="double").crc


def test_other_parameters_can_be_tried():
    need("host")
    x = [[0.0, 0.0, 3.0, 0.0]]
    ours = run_on(pendulum(), x, parameters=[2.0, 1.0, 9.81])
    np.testing.assert_array_equal(ours.outputs, np.float32([[0.0, 1.5, 0.0, -1.0]]))


def wide(count, build):
    """Return a block with many inputs."""
    tape = Tape()
    x = [tape.symbol(f"x{k}", "input") for k in range(count)]
    return Block(
        "wide", inputs=(Signal("x", tuple(x)),), outputs=(Output("y", (build(x),)),)
    )


def squares(x):
    """Return an expression for which all products wait until their sum is there."""
    products = [a * b for a, b in pairwise(x[:160])]
    total = sum(products[1:], products[0])
    return sum((p * (total + k) for k, p in enumerate(products)), 0 * x[0])


@pytest.mark.parametrize(
    ("count", "build", "message"),
    [
        (1500, lambda x: x[0], "its numbers take 6004 of the 4096 bytes"),
        (900, squares, "its stack runs into its numbers"),
    ],
)
def test_too_little_memory_is_told(count, build, message):
    need("atmega128")
    with pytest.raises(ConfigError, match=message):
        run_on(wide(count, build), np.ones((1, count)), target="atmega128")


def test_too_little_flash_is_told(monkeypatch):
    need("atmega128")
    board = replace(BOARDS["atmega128"], flash=HARNESS + 2000)
    monkeypatch.setitem(BOARDS, "atmega128", board)
    with pytest.raises(ConfigError, match="leaves no room for states in the 8000"):
        run_on(leg_controller(), np.ones((1, 12)), target="atmega128")


@pytest.mark.parametrize(
    ("target", "package"),
    [("host", "gcc"), ("cortex-m", "gcc-arm-none-eabi"), ("atmega128", "gcc-avr")],
)
def test_a_missing_tool_is_named_with_its_package(monkeypatch, target, package):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingToolError, match=f"apt-get install {package}"):
        run_on(pendulum(), np.zeros((1, 4)), target=target)


@pytest.mark.parametrize(
    ("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)]
)
def test_a_missing_tool_fails_only_where_it_must_be_there(monkeypatch, ci, outcome):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="avr-gcc is not installed"):
        need("atmega128")


def test_mistakes_are_told_in_a_sentence(tmp_path):
    with pytest.raises(UnknownNameError, match="no target 'z80'"):
        run_on(pendulum(), np.zeros((1, 4)), target="z80")
    with pytest.raises(ShapeError, match=r"states should have shape \(n, 4\)"):
        run_on(pendulum(), np.zeros((1, 5)))
    with pytest.raises(ShapeError, match=r"parameters should have shape \(3,\)"):
        run_on(pendulum(), np.zeros((1, 4)), parameters=[1.0])


def test_a_compiler_that_fails_is_quoted(monkeypatch):
    need("host")
    flags = (*BOARDS["host"].flags, "-ffast-math")
    monkeypatch.setitem(BOARDS, "host", replace(BOARDS["host"], flags=flags))
    with pytest.raises(EquipoiseError, match="sine and cosine need sums in the order"):
        run_on(pendulum(), np.zeros((1, 4)))
