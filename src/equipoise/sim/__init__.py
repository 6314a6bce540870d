"""MuJoCo worlds, the loop that runs a controller in them, and recorded runs."""

from equipoise.sim.board import Rocking
from equipoise.sim.delay import DelayedController
from equipoise.sim.disturbances import Push, ThrownBlock
from equipoise.sim.ground import GroundConfig
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig, bus_figures
from equipoise.sim.machine.log import MachineRun
from equipoise.sim.machine.loop import run_machine
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.machine.setup import MachineConfig
from equipoise.sim.machine.world import MachineWorld, machine_world
from equipoise.sim.recording import RunInfo, open_run, recorded, replay_model, write_run
from equipoise.sim.rollout import Cpu, Outcome, Rollout, rollout
from equipoise.sim.soles import SoleLog, SoleWatch
from equipoise.sim.terrain import Terrain, parse_terrain
from equipoise.sim.world import World, WorldConfig, build_world

__all__ = [
    "ActuatorConfig",
    "BusConfig",
    "Cpu",
    "DelayedController",
    "GroundConfig",
    "HeldForces",
    "MachineConfig",
    "MachineRun",
    "MachineWorld",
    "Outcome",
    "Push",
    "Rocking",
    "Rollout",
    "RunInfo",
    "SensorConfig",
    "SoleLog",
    "SoleWatch",
    "Terrain",
    "ThrownBlock",
    "World",
    "WorldConfig",
    "build_world",
    "bus_figures",
    "machine_world",
    "open_run",
    "parse_terrain",
    "recorded",
    "replay_model",
    "rollout",
    "run_machine",
    "write_run",
]
