"""MuJoCo worlds, the loop that runs a controller in them, and recorded runs."""

from equipoise.sim.board import Rocking
from equipoise.sim.delay import DelayedController
from equipoise.sim.disturbances import Push, ThrownBlock
from equipoise.sim.ground import GroundConfig
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig, bus_figures
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.plant import Plant
from equipoise.sim.recorded_looks import replay_model
from equipoise.sim.recording import RunInfo, open_run, recorded, write_run
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Cpu, Outcome, Run
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
    "IdealConfig",
    "MachineConfig",
    "Outcome",
    "Plant",
    "Push",
    "Rocking",
    "Run",
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
    "write_run",
]
