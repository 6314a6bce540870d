"""MuJoCo worlds, the loop that runs a controller in them, and recorded runs."""

from equipoise.sim.recording import RunInfo, open_run, recorded, replay_model, write_run
from equipoise.sim.rollout import Cpu, Outcome, Rollout, rollout
from equipoise.sim.world import World, WorldConfig, build_world

__all__ = [
    "Cpu",
    "Outcome",
    "Rollout",
    "RunInfo",
    "World",
    "WorldConfig",
    "build_world",
    "open_run",
    "recorded",
    "replay_model",
    "rollout",
    "write_run",
]
