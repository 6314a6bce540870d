"""What every part of a walking controller must keep; all are found by name.

[Ridderstrom2003] section 4.2 has four parts; each support is tried with each motion and
balance part, alone and with all reflexes, on WARP1: by day one part is not the usual
one, by night any.
"""

import copy
import dataclasses
import itertools
import json
import pkgutil
import typing

import numpy as np
import pytest

from equipoise.control import balance, motion, planners, reflexes, support
from equipoise.control.parts import BALANCES, MOTIONS, PLANNERS, REFLEXES, SUPPORTS
from equipoise.control.pilot import WalkingGoal
from equipoise.control.planners.stopping import StoppingConfig
from equipoise.control.walker import WalkerConfig, part_settings, walker, walker_config
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.setting import described_settings
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.rollout import rollout
from oracles.walking_parts import flat, flat_world, machine, recorded, same

KINDS = {
    "planner": (PLANNERS, planners),
    "support": (SUPPORTS, support),
    "motion": (MOTIONS, motion),
    "balance": (BALANCES, balance),
    "reflexes": (REFLEXES, reflexes),
}
NAMED = [(k, n) for k, (catalogue, _) in KINDS.items() for n in catalogue.names()]
TRIPLES = [
    triple
    for triple in itertools.product(SUPPORTS.names(), MOTIONS.names(), BALANCES.names())
    if not any(
        catalogue.find(name).needs  # of a planner, see each_planner
        for catalogue, name in zip((SUPPORTS, MOTIONS), triple, strict=False)
    )
]
CHANNELS = (
    "q", "v", "current", "gyro", "acceleration", "inclination", "load", "pad",
)  # fmt: skip
GOALS = (
    WalkingGoal(time=0.1, forward=0.2, left=0.05, turn=0.1),
    WalkingGoal(time=0.8, walk=False),
)
TORQUES = np.array([drive.torque for drive in machine().drives])
VOLTS = 48.0  # of WARP1's supply [V]
MIDST = 320  # tick of the recorded walk in which WARP1 trots

each_part = pytest.mark.parametrize("kind, name", NAMED)
USUAL = ("clocked", "stride", "capture")


def by_day_or_night(triple):
    """Return three parts; by day at most one of them is not WARP1's usual one."""
    others = sum(a != b for a, b in zip(triple, USUAL, strict=True))
    marks = [pytest.mark.slow] if others > 1 else []
    return pytest.param(triple, marks=marks, id="-".join(triple))


each_triple = pytest.mark.parametrize("parts", [by_day_or_night(t) for t in TRIPLES])


def controller(parts, reflexes=None, goals=GOALS, drives_motors=True, planner="none"):
    """Return a walking controller of three parts by name, and all reflexes."""
    config = WalkerConfig(
        planner=planner,
        stopping=StoppingConfig(gait="trot"),
        support=parts[0],
        motion=parts[1],
        balance=parts[2],
        reflexes=REFLEXES.names() if reflexes is None else reflexes,
    )
    return walker(machine(), goals, config, drives_motors=drives_motors)


def with_part(kind, name):
    """Return a controller in which one part is the named one."""
    names = {"support": "clocked", "motion": "stride", "balance": "capture"}
    if kind == "planner":
        return with_planner(name)
    if kind == "reflexes":
        return controller(tuple(names.values()), (name,))
    if KINDS[kind][0].find(name).needs:
        return controller(("planned", "follow", "capture"), planner="intermittent")
    return controller(tuple((names | {kind: name}).values()))


def with_planner(name):
    """Return a controller with a planner, and parts that go by its plan."""
    needs = PLANNERS.find(name).needs
    support = "planned" if "heeded plan" in needs else "clocked"
    motion = "follow" if "followed plan" in needs else "stride"
    return controller((support, motion, "skyhook"), ("reach",), planner=name)


def after(control, readings, state=None):
    """Return all commands and the state after some readings."""
    state, commands = control.init() if state is None else state, []
    for reading in readings:
        command, state = control.step(reading, state)
        commands.append(command)
    return commands, state


@pytest.fixture(scope="module")
def walked():
    """States amid a trot, by names of the parts: made when asked for."""
    return {}


def amid(walked, parts):
    """Return a controller of some parts and its state amid the recorded walk."""
    if parts not in walked:
        control = controller(parts)
        walked[parts] = control, after(control, recorded()[:MIDST])[1]
    return walked[parts]


def expect_within_limits(commands, *, tells=True):
    """Check that torques and voltages are finite and what drives can give."""
    for command in commands:
        if tells:  # footholds that are not planned are told by nan
            assert np.isfinite(flat(command.telemetry)).all()
        assert (np.abs(command.tau) <= TORQUES).all()
        assert (np.abs(command.volts) <= VOLTS).all()


def test_the_catalogues_find_every_part():
    for catalogue, package in KINDS.values():
        homes = {m.name for m in pkgutil.iter_modules(package.__path__)}
        found = {catalogue.find(n).__module__.split(".")[-1] for n in catalogue.names()}
        assert found <= homes
    assert {"clocked", "standing"} <= set(SUPPORTS.names())
    assert {"none", "posture", "capture"} <= set(BALANCES.names())
    with pytest.raises(UnknownNameError, match="clocked"):
        SUPPORTS.find("clocks")


class Watched:
    """A part that is asked twice, and whose arguments must stay as they are."""

    def __init__(self, part):
        self.part, self.asked = part, 0

    def init(self, machine):
        assert same(self.part.init(machine), self.part.init(machine))
        return self.part.init(machine)

    def step(self, *arguments):
        before, again = copy.deepcopy(arguments), copy.deepcopy(arguments)
        answer = self.part.step(*arguments)
        for k, (now, then) in enumerate(zip(arguments, before, strict=True)):
            assert same(now, then), f"argument {k} was changed"
        assert same(answer, self.part.step(*again))
        self.asked += 1
        return answer

    def tell(self, state):
        return self.part.tell(state)


@each_part
def test_a_part_is_deterministic_and_leaves_its_inputs_alone(kind, name):
    control = with_part(kind, name)
    part = control.reflexes[0] if kind == "reflexes" else getattr(control, kind)
    watched = Watched(part)
    put = {kind: (watched,) if kind == "reflexes" else watched}
    _, state = after(control, recorded()[:MIDST])
    control = dataclasses.replace(control, **put)
    after(control, recorded()[MIDST : MIDST + 120], state)
    after(control, recorded()[:5])
    assert watched.asked == 125


@each_triple
def test_a_step_is_deterministic_and_leaves_readings_and_state(parts, walked):
    control, state = amid(walked, parts)
    readings = recorded()[MIDST]
    was, had = copy.deepcopy(readings), copy.deepcopy(state)
    first = control.step(readings, state)
    assert same((readings, state), (was, had))
    assert same(first, control.step(readings, state))
    afresh = after(controller(parts), recorded()[: MIDST + 1])
    assert same(first, (afresh[0][-1], afresh[1]))


def faults(readings):
    """Yield names and readings that are bad in one way each."""
    for name in CHANNELS:
        array = getattr(readings, name)
        for value in (np.nan, np.inf, -np.inf):
            yield f"all {name} {value}", {name: np.full_like(array, value)}
        for k in range(len(array)):
            bad = array.copy()
            bad[k] = np.nan
            yield f"{name} {k} nan", {name: bad}
    yield "all nan", {n: np.full_like(getattr(readings, n), np.nan) for n in CHANNELS}
    yield "no contact", {"load": np.zeros(4), "pad": np.zeros(4)}
    yield "zero dt", {"dt": 0.0}
    for value in (-1.0, 1.0):
        yield f"limits {value}", {"limit": np.full_like(readings.limit, value)}


@each_triple
def test_bad_sensors_and_no_contact_neither_raise_nor_break_limits(parts, walked):
    control, walking = amid(walked, parts)
    sound = recorded()
    for began, state in ((0, control.init()), (MIDST, walking)):
        for name, change in faults(sound[began]):
            window = sound[began : began + 3]
            bad = [dataclasses.replace(r, **change) for r in window]
            try:
                commands, left = after(control, bad, state)
                commands += after(control, sound[began + 3 : began + 6], left)[0]
                expect_within_limits(commands, tells=not control.tells_legs)
            except Exception as problem:
                raise AssertionError(f"{name} at tick {began}") from problem


@pytest.mark.parametrize("name", PLANNERS.names())
def test_each_planner_bears_bad_sensors(name):
    control, sound = with_planner(name), recorded()
    _, state = after(control, sound[:MIDST])
    for _, change in faults(sound[MIDST]):
        bad = dataclasses.replace(sound[MIDST], **change)
        expect_within_limits(after(control, [bad] * 3, state)[0], tells=False)


@pytest.mark.parametrize("name", REFLEXES.names())
def test_each_reflex_alone_bears_bad_sensors(name):
    control = controller(("clocked", "stride", "capture"), (name,))
    sound = recorded()
    _, state = after(control, sound[:MIDST])
    for _, change in faults(sound[MIDST]):
        bad = dataclasses.replace(sound[MIDST], **change)
        expect_within_limits(after(control, [bad] * 3, state)[0])


@pytest.mark.sim
@each_triple
def test_parts_run_a_second_in_simulation(parts):
    height = []
    run = rollout(
        flat_world(),
        controller(parts),
        1.0,
        plant=MachineConfig.real(2),
        watch=lambda k, data: height.append(data.qpos[2]),
        record_every=10,
    )
    assert run.is_finite
    assert len(height) == 501  # to the end, tick by tick at 500 Hz
    assert np.isfinite(run.tau).all()
    assert min(height) > 0.3  # it has not fallen within the second


def rebuilt(cls, data):
    """Return a configuration from what a file held of it."""
    hints, kept = typing.get_type_hints(cls), {}
    for name, value in data.items():
        if dataclasses.is_dataclass(hints[name]):
            value = rebuilt(hints[name], value)
        elif name == "parts":
            usual = part_settings()
            value = {part: rebuilt(type(usual[part]), x) for part, x in value.items()}
        elif isinstance(value, list):
            value = tuple(value)
        kept[name] = value
    return cls(**kept)


def altered(config):
    """Return a configuration in which every number differs from the default."""
    changes = {}
    for f in dataclasses.fields(config):
        value = getattr(config, f.name)
        if dataclasses.is_dataclass(value):
            changes[f.name] = altered(value)
        elif f.name == "parts":
            changes[f.name] = {part: altered(x) for part, x in value.items()}
        elif isinstance(value, float):
            changes[f.name] = 0.95 * value  # within every range
    return dataclasses.replace(config, **changes)


@each_part
def test_a_config_survives_writing_and_reading(kind, name):
    catalogue = KINDS[kind][0]
    part = catalogue.find(name)()
    if not hasattr(part, "config"):
        assert dataclasses.fields(part) == ()  # nothing to keep
        return
    for config in (part.config, altered(part.config)):
        text = json.dumps(dataclasses.asdict(config))
        assert rebuilt(type(config), json.loads(text)) == config
    described = described_settings(type(part.config)).values()
    numbers = [one.name for one in described if one.kind is float and not one.is_tuple]
    assert numbers
    for name in numbers:  # and what is no number is refused, by its name
        with pytest.raises(ConfigError, match=name):
            dataclasses.replace(part.config, **{name: float("nan")})


@pytest.mark.parametrize("gait", ["trot", "crawl"])
def test_a_whole_controllers_settings_survive_too(gait):
    config = altered(walker_config(gait))
    text = json.dumps(dataclasses.asdict(config))
    assert rebuilt(WalkerConfig, json.loads(text)) == config
    assert config != walker_config(gait)
