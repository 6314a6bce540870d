"""What a learner's robots see and do, written down, against plain arithmetic."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.named import NamedSymbols
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.runs.gym.servo import Servo
from equipoise.runs.gym.task import WrittenTask, bounded

SPRINGS = np.array([3.0, 5.0])
DAMPERS, REST = np.array([0.2, 0.4]), np.array([0.1, -0.7])
SCALE, LIMIT, HEIGHT = np.array([1.0, 0.5]), np.array([2.0, 4.0]), 0.4


class Written:
    """A task on a tape of its own: a free trunk with two joints."""

    def __init__(self, kind: Any = "position") -> None:
        tape = Tape()
        given = NamedSymbols(tape)
        self.names = ["speed", "left", "turn", "action.0", "action.1"]
        self.q = [tape.symbol(f"q{k}", "state") for k in range(9)]
        self.v = [tape.symbol(f"v{k}", "state") for k in range(8)]
        plant: Any = SimpleNamespace(
            given=given, equations=SimpleNamespace(q=self.q, v=self.v)
        )
        world: Any = SimpleNamespace(
            q_address=np.array([8, 7]), v_address=np.array([7, 6])
        )
        plan: Any = SimpleNamespace(machine=SimpleNamespace(height=HEIGHT))
        servo = Servo(
            kind=kind, scale=SCALE, rest=REST, stiffness=SPRINGS, damping=DAMPERS
        )
        self.task = WrittenTask(plant, world, plan, servo, LIMIT)
        self.told = given.symbols(self.names)

    def value(self, rows: Any, q: Any, v: Any, told: Any) -> np.ndarray:
        """Return what expressions are at a state."""
        done = program(list(rows), [*self.q, *self.v, *self.told])
        return interpret(done, np.concatenate([q, v, told]))


def state(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, Rotation]:
    """Return a state and its attitude."""
    turn = Rotation.from_quat(rng.normal(size=4))
    x, y, z, w = turn.as_quat()
    return (
        np.r_[rng.normal(size=3), w, x, y, z, rng.normal(size=2)],
        rng.normal(size=8),
        turn,
    )


def test_velocity_is_in_the_trunk_s_own_level_axes(rng):
    written = Written()
    up, velocity = written.task.motion()
    for _ in range(20):
        q, v, turn = state(rng)
        found = written.value([*up, *velocity], q, v, np.zeros(5))
        ahead = turn.apply([1.0, 0.0, 0.0])
        level = Rotation.from_euler("z", np.arctan2(ahead[1], ahead[0]))
        wanted = [*turn.inv().apply([0.0, 0.0, 1.0]), *level.inv().apply(v[:3])]
        # rounding: the heading of a trunk that stands nearly upright on its nose
        assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("kind", ["position", "torque"])
def test_springs_pull_to_where_the_action_asks(kind, rng):
    written = Written(kind)
    q, v, _ = state(rng)
    action = np.array([0.3, -0.8])
    found = written.value(written.task.torques(), q, v, [0, 0, 0, *action])
    wanted = SCALE * action
    if kind == "position":
        wanted = SPRINGS * (wanted + REST - q[[8, 7]]) - DAMPERS * v[[7, 6]]
    assert found == pytest.approx(wanted, abs=1e-14)


def test_reward_is_the_merit_less_the_price_of_the_effort(rng):
    """Merit exp(-4 off² / (told² + 0.01 g h)); effort the mean square share, each at
    most 1, a tenth of which is taken off."""
    written = Written("torque")
    q, v, _ = state(rng)
    q[3:7], v[:3] = [1.0, 0.0, 0.0, 0.0], [0.25, -0.05, 0.7]
    told = [0.3, 0.1, 9.0, 1.0, -1.0]  # torques of 1 and -0.5 N m, of 2 and 4
    merit = np.exp(-4.0 * (0.05**2 + 0.15**2) / (0.1 + 0.01 * 9.81 * HEIGHT))
    (found,) = written.value([written.task.reward()], q, v, told)
    assert found == pytest.approx(merit - 0.1 * (0.5**2 + 0.125**2) / 2.0)
    (found,) = written.value([written.task.reward()], q, v, [0.3, 0.1, 0.0, 9.0, 0.0])
    assert found == pytest.approx(merit - 0.1 * 1.0 / 2.0)


def test_what_is_observed_is_cut_off_at_its_bounds():
    tape = Tape()
    x = [tape.symbol(f"x{k}", "input") for k in range(3)]
    done = program(bounded(x, np.array([-1.0, -2.0, -3.0]), np.array([4.0, 5, 6])), x)
    assert interpret(done, np.array([9.0, -9.0, 0.5])).tolist() == [4.0, -2.0, 0.5]


def test_loads_are_seen_in_weights_and_actions_as_they_are(rng):
    written = Written()
    task: Any = written.task
    task.world.robot = SimpleNamespace(feet=("left", "right"))
    task.walk.machine.mass = 5.0
    loads = task.plant.given.symbols(("left.load", "right.load"))
    q, v, _ = state(rng)
    told = [0.3, 0.1, 0.2, 0.5, -0.5]
    done = program(task.observation(), [*written.q, *written.v, *written.told, *loads])
    seen = interpret(done, np.concatenate([q, v, told, [5.0 * 9.81, 2.5 * 9.81]]))
    assert seen[:3] == pytest.approx(told[:3])
    assert seen[9:12] == pytest.approx(v[3:6])
    assert seen[12:14] == pytest.approx(q[[8, 7]] - REST)
    assert seen[14:16] == pytest.approx(v[[7, 6]])
    assert seen[16:18] == pytest.approx([1.0, 0.5])  # of the robot's weight
    assert seen[18:] == pytest.approx([0.5, -0.5])
