"""What a walk cost the computer; nothing else of a walk depends on the computer."""

from equipoise.sim.run import Run

__all__ = ["timing_numbers"]


def timing_numbers(run: Run) -> dict[str, float]:
    """Return processor times of the loop [s], and the controller's a tick [µs].

    Args:
        run: what happened.
    """
    ticks = max(float(run.time[-1]) / run.period, 1.0)
    return {
        "loop_s": run.cpu.total,
        "physics_s": run.cpu.physics,
        "sensing_s": run.cpu.sensing,
        "control_s": run.cpu.control,
        "control_tick_us": 1e6 * run.cpu.control / ticks,
    }
