"""Kernels of robots, run on this computer, against the CPU's own equations."""

import json
import sys
from typing import final

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import (
    BadFileError,
    ConfigError,
    MissingExtraError,
    ShapeError,
)
from equipoise.equations.blocks.export import export_block
from equipoise.equations.cuda import kernel
from equipoise.equations.cuda.batch import KernelBatch, open_kernels
from equipoise.equations.cuda.kernel import CROWDED, Crowding
from equipoise.equations.cuda.module import cuda_module
from equipoise.equations.motion import derive
from equipoise.equations.robot.gpu_kernels import LINEAR, program_of, robot_cuda, usual
from equipoise.equations.robot.quantities import QUANTITIES
from equipoise.equations.tape.interpret import interpret
from equipoise.robots.robot import Robot
from oracles.export_blocks import leg_controller

MODEL = """<mujoco><worldbody>
<body name="strange trunk"><freejoint/><geom size=".2 .1 .05" type="box" mass="5"/>
<body name="upper" pos=".2 0 0"><joint name="hip" axis="0 1 0" armature=".01"/>
<geom size=".03" pos="0 .01 -.1" mass="1"/>
<body name="lower" pos="0 .02 -.2"><joint name="lift" type="slide" axis="0 0 1"/>
<geom size=".02" pos="0 0 -.1" mass=".5"/><site name="toe one" pos="0 0 -.2"/></body>
</body></body></worldbody></mujoco>"""
CLOSE = 1e-12  # some thousand roundings of 1e-16; sines of two libraries


@pytest.fixture(scope="module")
def motion():
    """Return the equations of a floating trunk with one leg of two joints."""
    robot = Robot("one leg", mujoco.MjSpec.from_string(MODEL), base="strange trunk")
    return derive(robot, engine="numpy", feet=("toe one",))


def states(motion, count, seed=0):
    """Return inputs by letter, (rows, count)."""
    rng, widths = np.random.default_rng(seed), {"q": motion.nq, "f": 3}
    return {k: rng.normal(size=(widths.get(k, motion.nv), count)) for k in "qvtaf"}


def inputs_of(name):
    return "qvat" if name == LINEAR else QUANTITIES[name].inputs


def test_every_kernel_computes_what_the_equations_say(motion):
    names, given = usual(motion.functions), states(motion, 5)
    assert names[-1] == LINEAR and "forward_on_feet" in names
    file = robot_cuda(motion.functions, "r", "double", fixed=True)
    module = cuda_module(file.text, precision="double", backend="host")
    batch = KernelBatch(file.info(), module)
    values = np.array(list(motion.parameters.values()))
    for name in names:
        x = [given[k] for k in inputs_of(name)]
        found = np.concatenate(batch(f"r_{name}", *x))
        program = program_of(motion.functions, name)
        wanted = interpret(program, np.concatenate(x).T, values).T
        assert found.shape == wanted.shape
        assert np.abs(found - wanted).max() < CLOSE * np.abs(wanted).max(), name


def test_the_functions_of_a_card_have_the_shapes_of_the_cpus(motion):
    card, x = motion.on_gpu(precision="double", backend="host"), states(motion, 3)
    q, v, tau, forces = (x[k] for k in "qvtf")
    forces = forces.reshape(1, 3, 3)
    vdot = card.forward_dynamics(q, v, tau, forces)
    wanted = motion.forward_dynamics(q.T, v.T, tau.T, np.moveaxis(forces, -1, 0))
    np.testing.assert_allclose(vdot.T, wanted, rtol=0, atol=CLOSE * abs(wanted).max())
    back = card.inverse_dynamics(q, v, vdot, forces)
    np.testing.assert_allclose(back, tau, rtol=0, atol=1e3 * CLOSE * abs(wanted).max())
    assert card.foot_positions(q).shape == (1, 3, 3)
    a, b = card.linearize(q, v, tau)
    joints = len(motion.expressions.driven)
    assert a.shape == (2 * motion.nv,) * 2 + (3,)
    assert b.shape == (2 * motion.nv, joints, 3)
    out = np.empty_like(vdot)
    assert card.forward_dynamics(q, v, tau, forces, out=out) is out
    np.testing.assert_array_equal(out, vdot)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_values_that_wait_in_shared_memory_change_no_bit(
    motion, precision, monkeypatch
):
    name, kind = "forward_on_feet", {"double": np.float64, "single": np.float32}
    given = [states(motion, 200)[k].astype(kind[precision]) for k in "qvtf"]
    found = np.empty((2, motion.nv, 200), kind[precision])
    for room, out in zip((None, 20), found, strict=True):
        if room is not None:
            monkeypatch.setitem(CROWDED, precision, (Crowding(1e9, room, 4),))
            monkeypatch.setattr(kernel, "REGISTERS", 1000)
            monkeypatch.setattr(kernel, "SHARED", 32 * 4 * 20)
        file = robot_cuda(motion.functions, "r", precision, [name], fixed=True)
        for word in ("near[", "far["):
            assert (word in file.text) == (room is not None)
        module = cuda_module(file.text, precision=precision, backend="host")
        module.launch("r_forward_on_feet", 200, [200, *given, out])
    np.testing.assert_array_equal(*found)


def test_a_saved_file_is_opened_and_its_parameters_set(motion, tmp_path):
    paths = motion.export(tmp_path, target="cuda", precision="double")
    assert [path.suffix for path in paths] == [".cu", ".h", ".json"]
    info = json.loads(paths[-1].read_text())
    assert [p["name"] for p in info["parameters"]] == list(motion.parameters)
    # without the last kernel, the linearisation, which takes long to compile
    source = paths[0].read_text()
    paths[0].write_text(source[: source.rindex("\nKERNEL")])
    batch = open_kernels(paths[-1], backend="host")
    p, w = np.array(list(motion.parameters.values())), np.empty(info["arrays"]["w"])
    batch.module.launch(f"{info['prefix']}_init", 1, [p, w])
    q, v, tau = (states(motion, 4)[k] for k in "qvt")
    kernel = f"{info['prefix']}_forward_dynamics"
    found = batch(kernel, q, v, tau, work=w)[0]
    wanted = motion.forward_dynamics(q.T, v.T, tau.T).T
    np.testing.assert_allclose(found, wanted, rtol=0, atol=CLOSE * abs(wanted).max())
    for text in (paths[0].read_text(), paths[1].read_text()):
        assert not any(name in text for name in ("strange", "hip", "lift", "toe"))


@final
class NothingStarted:
    """A module that counts what is started, for kernels that must not be."""

    backend, precision = "host", "double"

    def __init__(self):
        self.started = []

    def launch(self, name, threads, arguments):
        self.started.append([name, threads, *arguments])


INFO = {
    "arrays": {"w": 5},
    "kernels": [
        {
            "kernel": "step",
            "takes_w": True,
            "inputs": [{"name": "q", "rows": ["a", "b"]}, {"name": "u", "rows": ["c"]}],
            "outputs": [{"name": "y", "rows": ["d", "e", "f"]}],
        }
    ],
}


def test_an_array_that_a_kernel_would_read_beyond_its_end_is_refused():
    """Of 4 robots: q of two rows, u of one, y of three, and five numbers of work."""
    module = NothingStarted()
    batch, work = KernelBatch(INFO, module), np.zeros(5)
    q, u, y = np.zeros((2, 4)), np.zeros((1, 4)), np.zeros((3, 4))
    assert batch("step", q, u, work=work)[0].shape == (3, 4)
    assert batch("step", q.reshape(2, 1, 4), u, out=[y], work=work)[0] is y
    assert [(name, n) for name, n, *_ in module.started] == [("step", 4)] * 2
    module.started.clear()
    wrong = {
        "q": [(np.zeros((1, 4)), u), (np.zeros((3, 4)), u), (np.zeros(()), u)],
        "u": [(q, np.zeros((1, 3))), (q, np.zeros((1, 5))), (q, np.zeros((2, 4)))],
    }
    wrong["u"] += [(q, np.zeros((0, 4))), (q, np.zeros(()))]
    for name, pairs in wrong.items():
        for given in pairs:
            with pytest.raises(ShapeError, match=f"'{name}' of step must have shape"):
                batch("step", *given, work=work)
    for shape in ((3, 3), (3, 5), (2, 4), (4, 4)):
        with pytest.raises(ShapeError, match=r"'y' of step must have shape \(3, 4\)"):
            batch("step", q, u, out=[np.zeros(shape)], work=work)
    for short in (None, np.zeros(4), np.zeros(6), np.zeros((5, 1))):
        with pytest.raises(ShapeError, match=r"'w' of step must have shape \(5,\)"):
            batch("step", q, u, work=short)
    for count in ((q,), (q, u, u), ()):
        with pytest.raises(ShapeError, match="takes q, u, got"):
            batch("step", *count, work=work)
    assert module.started == []


def test_what_does_not_fit_is_refused(motion, tmp_path):
    card, x = motion.on_gpu(precision="double", backend="host"), states(motion, 3)
    q, v, tau = (x[k] for k in "qvt")
    with pytest.raises(ShapeError, match=rf"'v' .* shape \({motion.nv}, 3\), robots"):
        card.forward_dynamics(q, v.T, tau)
    with pytest.raises(ShapeError, match="takes q, v, tau, got 2 arrays"):
        card.call("forward_dynamics", q, v)
    with pytest.raises(ShapeError, match="float64, got float32"):
        card.forward_dynamics(q.astype(np.float32), v, tau)
    with pytest.raises(ConfigError, match="no precision 'half'"):
        motion.on_gpu(precision="half")
    with pytest.raises(BadFileError, match="is no info file of kernels"):
        open_kernels(tmp_path / "none_info.json")
    without = derive(motion.robot, engine="numpy")
    with pytest.raises(ConfigError, match="it has no feet"):
        without.on_gpu(backend="host").foot_positions(np.zeros((without.nq, 1)))


def test_without_a_card_one_sentence_says_what_to_install(motion, monkeypatch):
    for name in ("cupy", "torch"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'equipoise\[gpu\]'"):
        motion.on_gpu()


def test_a_block_becomes_one_kernel_with_its_own_arrays(tmp_path):
    block = leg_controller()
    paths = export_block(block, tmp_path, target="cuda", precision="double")
    batch = open_kernels(paths[-1], backend="host")
    prefix, rng = batch.info["prefix"], np.random.default_rng(3)
    about = batch.kernels[f"{prefix}_step"]
    given = [rng.normal(size=(len(a["rows"]), 6)) for a in about["inputs"]]
    w = np.empty(batch.info["arrays"]["w"])
    batch.module.launch(f"{prefix}_init", 1, [np.array(block.values), w])
    found = np.concatenate(batch(f"{prefix}_step", *given, work=w))
    values = np.array(block.values)
    wanted = interpret(block.program, np.concatenate(given).T, values).T
    scale = np.abs(wanted).max()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=CLOSE * scale)
