"""MuJoCo worlds, the loop that runs a controller in them, and recorded runs."""

from equipoise.sim.delay import Delayed
from equipoise.sim.disturbances import Push, ThrownBlock
from equipoise.sim.recording import RunInfo, open_run, recorded, replay_model, write_run
from equipoise.sim.rollout import Cpu, Outcome, Rollout, rollout
from equipoise.sim.soles import SoleLog, SoleWatch
from equipoise.sim.world import World, WorldConfig, build_world

__all__ = [
    "Cpu",
    "Delayed",
    "Outcome",
    "Push",
    "Rollout",
    "RunInfo",
    "SoleLog",
    "SoleWatch",
    "ThrownBlock",
    "World",
    "WorldConfig",
    "build_world",
    "open_run",
    "recorded",
    "replay_model",
    "rollout",
    "write_run",
]
