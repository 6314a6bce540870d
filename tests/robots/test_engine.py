"""The engine solves what the library relies on; one that does not is named."""

import subprocess
import sys
import warnings

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import EngineWarning
from equipoise.robots.engine import warn_of_defects
from oracles.touching_quadrupeds import touching_quadrupeds


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_sparse_and_dense_solutions_agree_for_robots_that_touch(cone):
    # MuJoCo 4.0.0 fails: wrong by as much as the accelerations themselves.
    sparse, dense = (
        touching_quadrupeds(8, cone, matrices) for matrices in ("sparse", "dense")
    )
    a, b = mujoco.MjData(sparse), mujoco.MjData(dense)
    b.qvel[:] = 0.5 * np.random.default_rng(3).normal(size=dense.nv)
    touched = 0
    for _ in range(100):
        mujoco.mj_step(dense, b)
        a.qpos[:], a.qvel[:], a.qacc_warmstart[:] = b.qpos, b.qvel, b.qacc_warmstart
        mujoco.mj_forward(sparse, a)
        mujoco.mj_forward(dense, b)
        robots = dense.body_rootid[dense.geom_bodyid[b.contact.geom]]
        touched += bool(np.any((robots[:, 0] != robots[:, 1]) & (robots.min(1) > 0)))
        # solver: each stops at a scaled gradient of 1e-12; the stiffest contact
        # makes at most a thousandfold of it an acceleration
        allowed = 1e-9 * np.abs(b.qacc).max()
        np.testing.assert_allclose(a.qacc, b.qacc, rtol=0, atol=allowed)
    assert touched > 50  # robot against robot, in most of the states


def test_the_installed_engine_is_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_defects(mujoco.mj_version())


@pytest.mark.parametrize("version", [3_011_000, 3_017_000, 4_000_001, 4_001_000])
def test_other_versions_are_not_warned_of(version):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_defects(version)


def test_a_version_with_a_wrong_solver_is_named_with_what_to_install():
    with pytest.warns(EngineWarning, match=r"^MuJoCo 4\.0\.0 computes wrong .*!=4\.0"):
        warn_of_defects(4_000_000)


AS_IF = """import sys, mujoco
mujoco.mj_version = lambda: 4_000_000
from equipoise.cli.app import main
main(sys.argv[1:])"""


def test_the_command_says_it_once_on_stderr():
    done = subprocess.run(
        [sys.executable, "-c", AS_IF, "check", "warp1", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("{")
    assert done.stderr.count("MuJoCo 4.0.0 computes wrong accelerations") == 1
    assert len(done.stderr.splitlines()) == 1
