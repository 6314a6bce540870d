"""Sensors that some machines have beside WARP1's: in their feet, and a range scanner.

[Ridderstrom2003] chapter 3 names them: contacts and a proximity detector under TITAN
III's feet, force sensors in TITAN VI's, a laser scanner on the Adaptive Suspension
Vehicle that gives the ground's heights twice a second. No quality is printed; ours is a
share of the machine's weight and size, WARP1's for its load cells.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.bound import bound
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Readings
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.seeds import stream
from equipoise.core.setting import Setting, Settings
from equipoise.robots.robot import Robot
from equipoise.robots.senses import FOOT_SENSES
from equipoise.sim.machine.foot_contacts import FeltFoot
from equipoise.sim.machine.views import MachineViews
from equipoise.sim.terrain import Surface, surface_height

__all__ = ["FootSensorConfig", "FootSensors", "foot_sensors"]

CONTACTS = 6
"""Round each foot."""
RIM = 1.5  # radius of their ring over the foot's
DROP = (
    1.0  # of the ground below a contact that does not feel it, over the foot's radius
)
TOUCH = 0.002  # load over the weight from which contacts count
SCAN_AHEAD, SCAN_ASIDE = (0.5, 4.0), 1.25  # what a scanner sees, in heights of the hips
SCAN_CELLS = (24, 17)  # points ahead and aside


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FootSensorConfig(Settings):
    """Quality of foot sensors; ideal ones are exact and have the same range.

    Raises:
        ConfigError: a number that is not positive.
    """

    force_noise: Annotated[
        float,
        Setting("Standard deviation of a force, over the machine's weight", above=0.0),
    ] = 0.005
    force_offset: Annotated[
        float, Setting("Offset of a force, over the machine's weight", above=0.0)
    ] = 0.0085
    near_range: Annotated[
        float,
        Setting(
            "Distance beyond which nothing is near, over the height of the hips",
            above=0.0,
        ),
    ] = 0.2
    near_noise: Annotated[
        float,
        Setting(
            "Standard deviation of that distance, over the height of the hips",
            above=0.0,
        ),
    ] = 0.003
    scan_rate: Annotated[
        float,
        Setting(
            "Rate of a range scanner, [Ridderstrom2003] section 3.2.1", "1/s", above=0.0
        ),
    ] = 2.0
    scan_noise: Annotated[
        float,
        Setting(
            "Standard deviation of a height, over the height of the hips", above=0.0
        ),
    ] = 0.01


class FootSensor(Record):
    """Settings that all sensors in the feet of a machine share."""

    radius: float = entry("of a foot", "m")
    touch: float = entry("load from which contacts count", "N")
    reach: float = entry("beyond which nothing is near", "m")
    has_force: float = entry("0 where feet measure it, else nan")
    has_edge: float = entry("0 where feet have contacts, else nan")
    has_near: float = entry("0 where feet have proximity detectors, else nan")
    force_noise: float = entry("standard deviation", "N")
    near_noise: float = entry("standard deviation", "m")
    scan_noise: float = entry("standard deviation", "m")


class FootArrays(NamedTuple):
    """Sensors in nl feet as the kernel takes them; all but the first are overwritten.

    A reading leaves its node one control period late, as WARP1's loads do.
    """

    setting: Records[FootSensor]
    offset: Array
    """Of each force, (nl, 3) [N]."""
    noise: Array
    """Standard normal numbers of this tick, (nl, 4)."""
    last: Array
    """What was measured last: force, edge and near, (nl, 5)."""
    force: Array
    edge: VecN
    near: VecN


@final
@dataclass(eq=False)
class FootSensors:
    """A machine's sensors beside WARP1's; views of what is read are in ``Readings``."""

    arrays: FootArrays
    surface: Surface
    views: MachineViews
    rng: np.random.Generator
    every: int
    """Control periods from one scan to the next; 0 without a scanner."""
    ahead: Array
    """Where a scanner looks, ahead and to the left of the trunk, (n, 2) [m]."""
    readings: Readings
    kernel: Callable[[int], None] | None = field(default=None, repr=False)

    def bind(self, feet: Records[FeltFoot]) -> None:
        """Bind the kernel to what feet feel.

        Args:
            feet: what they felt last, (nl,).
        """
        if len(self.arrays.edge):
            given = self.views, feet, self.surface, self.arrays
            self.kernel = bound(_read_feet, *given, int)

    def read(self, k: int) -> None:
        """Read tick ``k``.

        Args:
            k: number of the control period; they must be read one after the other.
        """
        if self.kernel is not None:
            self.rng.standard_normal(out=self.arrays.noise)
            self.kernel(k)
        if self.every and k % self.every == 0:
            self.scan(k)

    def scan(self, k: int) -> None:
        """Look at the ground ahead."""
        qpos, R_WB = self.views.joints.qpos, self.views.R_WB
        p_WB, level = qpos[:3], math.hypot(R_WB[0, 0], R_WB[1, 0])
        c, s = R_WB[0, 0] / level, R_WB[1, 0] / level
        points = np.empty((len(self.ahead), 3))
        points[:, 0] = p_WB[0] + c * self.ahead[:, 0] - s * self.ahead[:, 1]
        points[:, 1] = p_WB[1] + s * self.ahead[:, 0] + c * self.ahead[:, 1]
        noise = self.arrays.setting[0].scan_noise
        _read_heights(self.surface, points)
        points[:, 2] += noise * self.rng.standard_normal(len(points))
        self.readings.scan[:] = (points - p_WB) @ R_WB
        self.readings.scanned = k * self.readings.dt


def foot_sensors(
    robot: Robot,
    config: FootSensorConfig,
    readings: Readings,
    surface: Surface,
    views: MachineViews,
    *,
    seed: int | None,
) -> FootSensors | None:
    """Return a machine's sensors beside WARP1's, None where it has none.

    Args:
        robot: the machine.
        config: how good they are.
        readings: get the arrays that are read.
        surface: the ground.
        views: of the machine in the engine.
        seed: of noise and offsets; None for ideal sensors.
    """
    senses, feet = robot.senses, len(robot.feet)
    has_feet, has_scan = not senses.isdisjoint(FOOT_SENSES), "scan" in senses
    if not (has_feet or has_scan):
        return None
    rng = stream(0 if seed is None else seed, "foot sensors")
    setting = _shared(robot, config, is_real=seed is not None)
    offset = np.zeros((feet, 3))
    if seed is not None:
        weight = setting[0].touch / TOUCH
        sign = 2.0 * rng.integers(0, 2, offset.shape) - 1.0
        offset[:] = config.force_offset * weight * sign
    count = feet if has_feet else 0
    arrays = FootArrays(
        setting, offset, np.zeros((count, 4)), np.zeros((count, 5)),
        np.full((count, 3), np.nan), np.full(count, np.nan), np.full(count, np.nan),
    )  # fmt: skip
    readings.force, readings.edge, readings.near = arrays[-3:]
    ahead, every = np.zeros((0, 2)), 0
    if has_scan:
        ahead = scan_grid(float(robot.model.key("start").qpos[2]))
        every = max(1, round(1.0 / (config.scan_rate * readings.dt)))
        readings.scan = np.full((len(ahead), 3), np.nan)
    return FootSensors(arrays, surface, views, rng, every, ahead, readings)


def _shared(
    robot: Robot, config: FootSensorConfig, *, is_real: bool
) -> Records[FootSensor]:
    """Return what all sensors share; ideal ones make no noise."""
    setting = FootSensor.zeros()
    one, model = setting[0], robot.model
    weight = float(model.body_subtreemass[model.body(robot.base).id]) * GRAVITY
    height = float(model.key("start").qpos[2])
    one.radius = float(model.geom(robot.feet[0]).size[0])
    one.touch, one.reach = TOUCH * weight, config.near_range * height
    for name in FOOT_SENSES:
        setting[f"has_{name}"] = 0.0 if name in robot.senses else np.nan
    if is_real:
        one.force_noise = config.force_noise * weight
        one.near_noise = config.near_noise * height
        one.scan_noise = config.scan_noise * height
    return setting


def scan_grid(height: float) -> Array:
    """Return where a scanner looks, from the trunk, for hips so high, (n, 2) [m]."""
    ahead = height * np.linspace(*SCAN_AHEAD, SCAN_CELLS[0])
    aside = height * np.linspace(-SCAN_ASIDE, SCAN_ASIDE, SCAN_CELLS[1])
    return np.stack(np.meshgrid(ahead, aside, indexing="ij"), axis=-1).reshape(-1, 2)


@compiled(allocates=False)
def _read_heights(surface: Surface, points: Array) -> None:
    """Write how high the ground is at places.

    Args:
        surface: the ground.
        points: in W; the third column is overwritten, (n, 3) [m].
    """
    for i in range(points.shape[0]):
        points[i, 2] = surface_height(surface, points[i, 0], points[i, 1])


@compiled(allocates=False)
def _read_feet(
    machine: MachineViews,
    feet: Records[FeltFoot],
    surface: Surface,
    sensors: FootArrays,
    k: int,
) -> None:
    """Write what sensors in the feet measured a control period ago.

    Args:
        machine: as it is now.
        feet: what they felt last, (nl,).
        surface: the ground.
        sensors: readings are overwritten.
        k: number of the control period.
    """
    setting, R_WB = sensors.setting[0], machine.R_WB
    for leg in range(feet.shape[0]):
        place, last = machine.geom_xpos[machine.foot_geom[leg]], sensors.last[leg]
        noise, felt = sensors.noise[leg], feet[leg].force
        if k > 0:
            _hand_over(last, sensors, leg)
        for i in range(3):
            force = R_WB[0, i] * felt[0] + R_WB[1, i] * felt[1] + R_WB[2, i] * felt[2]
            error = sensors.offset[leg, i] + setting.force_noise * noise[i]
            last[i] = force + error + setting.has_force
        last[3] = setting.has_edge
        if feet[leg].normal > setting.touch:
            last[3] += bare_share(surface, place, setting.radius)
        away = place[2] - setting.radius - surface_height(surface, place[0], place[1])
        last[4] = math.nan
        if away < setting.reach:
            last[4] = max(away, 0.0) + setting.near_noise * noise[3] + setting.has_near
        if k == 0:
            _hand_over(last, sensors, leg)


@compiled(allocates=False)
def _hand_over(last: VecN, sensors: FootArrays, leg: int) -> None:
    """Write a foot's last measurement as its reading."""
    for i in range(3):
        sensors.force[leg, i] = last[i]
    sensors.edge[leg], sensors.near[leg] = last[3], last[4]


@compiled(allocates=False)
def bare_share(surface: Surface, place: VecN, radius: float) -> float:
    """Return the share of the contacts round a foot that have no ground below them."""
    bare, below = 0.0, place[2] - radius - DROP * radius
    for i in range(CONTACTS):
        turn = 2.0 * math.pi * i / CONTACTS
        x = place[0] + RIM * radius * math.cos(turn)
        y = place[1] + RIM * radius * math.sin(turn)
        if surface_height(surface, x, y) < below:
            bare += 1.0
    return bare / CONTACTS
