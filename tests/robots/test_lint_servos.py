"""Servo gains that a time step cannot hold, against MuJoCo's own derivatives."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from equipoise.robots.lint.lint import lint
from equipoise.robots.lint.servos import gain_limits
from equipoise.robots.lint.step_stability import linear_step
from oracles.servo_models import largest_gain, servo_mjcf, step_is_unstable

JOINT = """<mujoco><option timestep="{h}" integrator="{integrator}"/><worldbody>
<body name="arm"><joint name="elbow" axis="0 1 0" armature="0.02" damping="{damping}"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.03 0.03 0.03"/></body></worldbody>
<actuator><{servo} name="drive" joint="elbow"/></actuator></mujoco>"""


def findings(tmp_path: Path, text: str) -> list:
    """Return what lint says of servos and damping."""
    path = tmp_path / "robot.xml"
    path.write_text(text)
    said = lint(path).findings
    return [f for f in said if "servo" in f.what or "damping of" in f.what]


def joint(servo: str, integrator: str = "Euler", damping: float = 0.0) -> str:
    """Return one joint of 0.05 kg m² and its servo, at 2 ms."""
    return JOINT.format(h=0.002, integrator=integrator, damping=damping, servo=servo)


def model_of(text: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return a compiled text."""
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


@pytest.mark.parametrize("start", range(0, 120, 40))
def test_the_law_agrees_with_the_steps_eigenvalues(start: int):
    unstable = 0
    for seed in range(start, start + 40):
        rng = np.random.default_rng(seed)
        model, data = model_of(servo_mjcf(rng, int(rng.integers(1, 4))))
        step = linear_step(model, data)
        assert step is not None
        kp = np.array([servo.kp for servo in step.servos])
        kv = np.array([servo.kv for servo in step.servos])
        is_unstable = step_is_unstable(model, data)
        assert step.is_held(kp, kv) is not is_unstable, seed
        assert bool(gain_limits(step)) is is_unstable, seed
        unstable += is_unstable
    assert 5 < unstable < 35  # both sides are tried


@pytest.mark.parametrize(
    "count", [10, pytest.param(120, marks=pytest.mark.slow)]
)  # halving by finite differences takes a tenth of a second each
def test_the_largest_gain_is_the_one_that_differences_find(count: int):
    tried, seed = 0, 5000
    while tried < count:
        seed += 1
        model, data = model_of(servo_mjcf(np.random.default_rng(seed), 1))
        step = linear_step(model, data)
        limits = [] if step is None else gain_limits(step)
        for limit in limits:
            found = largest_gain(model, data, limit.actuator, limit.gain)
            # 1 % is asked of; differences of 1e-6 near a double eigenvalue lose 0.2 %
            assert limit.largest == pytest.approx(found, rel=5e-3), seed
            tried += 1


@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_one_joint_is_the_formula_of_issue_3443(tmp_path: Path, damping: float):
    """h ω < 2 ζ + 2 √(ζ² + 1) with implicit damping."""
    inertia, h = 0.05, 0.002
    # ω = √(k/m), ζ = d / (2 m ω): h² k = 4 m + 2 h d
    largest = (4.0 * inertia + 2.0 * h * damping) / h**2
    held = f'position kp="{0.999 * largest}"'
    assert findings(tmp_path, joint(held, damping=damping)) == []
    (told,) = findings(
        tmp_path, joint(f'position kp="{1.5 * largest}"', damping=damping)
    )
    assert (told.level, told.body) == ("warning", "arm")
    assert told.what == (
        "servo 'drive' of joint 'elbow' is not stable at the file's time step"
    )
    assert told.value == f"kp {1.5 * largest:.6g}, time step 0.002 s"
    words = told.suggestion.split()
    assert 0.99 * largest < float(words[3].rstrip(",")) <= largest  # three digits


@pytest.mark.parametrize(
    ("servo", "integrator", "gain"),
    [
        ('velocity kv="60"', "Euler", "kv"),  # limit 2 m / h = 50
        ('velocity kv="60"', "implicitfast", None),
        ('velocity kv="60"', "implicit", None),
        ('velocity kv="60"', "RK4", None),  # 2.785 m / h = 69.6
        ('velocity kv="80"', "RK4", "kv"),
        ('position kp="45000" kv="20"', "Euler", "kp"),
        ('position kp="60000"', "implicitfast", "kp"),
        ('position kp="60000" kv="20"', "implicitfast", None),
        ('position kp="60000"', "RK4", None),  # (2.83 / h)² m = 100,000
        ('position kp="120000"', "RK4", "kp"),
        ('general gainprm="60000" biastype="affine" biasprm="0 -60000 0"', "Euler",
         "kp"),
        ('position kp="13000" gear="2"', "Euler", "kp"),
        ('motor gear="99999"', "Euler", None),
    ],
)  # fmt: skip
def test_each_servo_and_integrator(tmp_path: Path, servo, integrator, gain):
    told = findings(tmp_path, joint(servo, integrator))
    assert [f.value.split()[0] for f in told] == ([] if gain is None else [gain])


def test_damping_that_an_explicit_step_cannot_hold(tmp_path: Path):
    assert findings(tmp_path, joint('motor gear="1"', "Euler", 500.0)) == []
    (told,) = findings(tmp_path, joint('motor gear="1"', "RK4", 500.0))
    assert told.body == "arm"
    assert told.what == (
        "damping of joint 'elbow' does not hold at the file's time step"
    )
    assert told.suggestion.startswith("damping up to 69.6")  # 2.785 m / h


def test_what_the_suggestion_says_holds(tmp_path: Path):
    """Two servos that do not hold: lowered as told, both do."""
    text = """<mujoco><option timestep="0.005"/><worldbody><body name="a">
    <joint name="x" axis="0 1 0"/><geom size="0.05" mass="1" pos="0 0 0.2"/>
    <body name="b" pos="0 0 0.3"><joint name="y" axis="0 1 0"/>
    <geom size="0.05" mass="0.5" pos="0 0 0.2"/></body></body></worldbody>
    <actuator><position joint="x" kp="{}"/><position joint="y" kp="{}"/></actuator>
    </mujoco>"""
    told = findings(tmp_path, text.format(90000, 9000))
    assert [f.body for f in told] == ["a", "b"]
    low = [0.99 * float(f.suggestion.split()[3].rstrip(",")) for f in told]
    assert findings(tmp_path, text.format(*low)) == []
    h = 0.99 * min(float(f.suggestion.split("step up to ")[1].split()[0]) for f in told)
    slow = text.format(90000, 9000).replace("0.005", str(h))
    assert findings(tmp_path, slow) == []


def test_every_keyframe_is_tried(tmp_path: Path):
    """Stretched, the inertia is large; folded, the same gain does not hold."""
    text = """<mujoco><worldbody><body name="a"><joint name="x" axis="0 0 1"/>
    <geom size="0.01" mass="0.001"/><body name="b"><joint name="s" type="slide"
    axis="1 0 0"/><geom size="0.01" mass="1"/></body></body></worldbody>
    <actuator><position joint="x" kp="2000"/></actuator>
    <keyframe>{}</keyframe></mujoco>"""
    stretched, folded = '<key qpos="0 0.3"/>', '<key qpos="0 0"/>'
    assert findings(tmp_path, text.format(stretched)) == []
    assert len(findings(tmp_path, text.format(stretched + folded))) == 1


def test_a_loop_is_as_heavy_as_all_that_it_moves(tmp_path: Path):
    """A light rod that an equality constraint ties to a heavy one."""
    text = """<mujoco><worldbody>
    <body name="a"><joint name="x"/><geom size="0.01" mass="0.01"/></body>
    <body name="b"><joint name="y"/><geom size="0.1" mass="5"/></body></worldbody>
    {}<actuator><position joint="x" kp="5000"/></actuator></mujoco>"""
    tie = '<equality><joint joint1="x" joint2="y"/></equality>'
    assert len(findings(tmp_path, text.format(""))) == 1
    assert findings(tmp_path, text.format(tie)) == []


def test_a_file_that_mujoco_refuses_is_passed_over(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = 'diaginertia="0.03 0.03 0.3"'
    text = joint('position kp="1e9"').replace('diaginertia="0.03 0.03 0.03"', wrong)
    path = tmp_path / "robot.xml"
    path.write_text(text)
    assert [f.level for f in lint(path).findings if "servo" not in f.what] == ["error"]
    assert findings(tmp_path, text) == []
    assert [p.name for p in tmp_path.iterdir()] == ["robot.xml"]  # no log beside it


def test_meshes_need_not_be_there(tmp_path: Path):
    text = (
        joint('position kp="1e6"')
        .replace(
            "<worldbody>", '<asset><mesh name="m" file="none.stl"/></asset><worldbody>'
        )
        .replace(
            "</body></worldbody>", '<geom type="mesh" mesh="m"/></body></worldbody>'
        )
    )
    assert len(findings(tmp_path, text)) == 1
