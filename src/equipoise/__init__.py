"""Know where a robot's mass is, whether it will fall, and keep it standing.

    import equipoise as eq
    robot = eq.load("superbot", seed=4)
    result = eq.simulate(robot)
    print(result.summary["distance_final_w"])

Names are fetched when they are first used, so that importing the library is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from equipoise.core.notebook import HTML_MAKERS
from equipoise.runs.gym.known import make_known

if TYPE_CHECKING:
    from equipoise.control.laws import laws
    from equipoise.core.contracts import Command
    from equipoise.equations.motion import EquationsOfMotion, derive
    from equipoise.robots.load import load
    from equipoise.robots.robot import Robot
    from equipoise.runs.balance.balance import BalanceResult
    from equipoise.runs.check.check import CheckResult, check
    from equipoise.runs.export.export import export
    from equipoise.runs.many.simulate import simulate_many
    from equipoise.runs.named_limits import limits
    from equipoise.runs.simulate import simulate
    from equipoise.runs.stand.stand import StandResult
    from equipoise.runs.sweep.front import sweep
    from equipoise.sim.recording import open_run

    __version__: str

__all__ = [
    "BalanceResult",
    "CheckResult",
    "Command",
    "EquationsOfMotion",
    "Robot",
    "StandResult",
    "__version__",
    "check",
    "derive",
    "export",
    "laws",
    "limits",
    "load",
    "open_run",
    "simulate",
    "simulate_many",
    "sweep",
]

_HOMES = {
    "BalanceResult": "equipoise.runs.balance.balance",
    "CheckResult": "equipoise.runs.check.check",
    "Command": "equipoise.core.contracts",
    "check": "equipoise.runs.check.check",
    "EquationsOfMotion": "equipoise.equations.motion",
    "derive": "equipoise.equations.motion",
    "export": "equipoise.runs.export.export",
    "StandResult": "equipoise.runs.stand.stand",
    "Robot": "equipoise.robots.robot",
    "laws": "equipoise.control.laws",
    "limits": "equipoise.runs.named_limits",
    "load": "equipoise.robots.load",
    "open_run": "equipoise.sim.recording",
    "simulate": "equipoise.runs.simulate",
    "simulate_many": "equipoise.runs.many.simulate",
    "sweep": "equipoise.runs.sweep.front",
}


def __getattr__(name: str) -> Any:
    """Fetch a name from the file that defines it, or the version."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # slow to import

        try:
            return version("equipoise")
        except PackageNotFoundError:
            return "unknown"
    if name not in _HOMES:
        raise AttributeError(f"module 'equipoise' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return the names that can be used."""
    return sorted(__all__)


def _robot_html(robot: Any) -> str:
    """Return a robot as a notebook shows it; what draws it is imported then."""
    return import_module("equipoise.runs.notebook").robot_html(robot)


HTML_MAKERS["Robot"] = _robot_html
make_known()  # the environments, to Gymnasium; it is not imported for that
