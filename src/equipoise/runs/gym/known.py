"""Make the environments known to Gymnasium, whichever of the two is imported first.

Gymnasium is an extra and takes long to import, so ``import equipoise`` does not import
it. Where it is there already, the environments are registered at once; else a finder
waits for it, registers them when it has been imported, and goes away. Entry points are
names: nothing of the environments is imported before one is made.
"""

import importlib.abc
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, final

__all__ = ["ENVIRONMENTS", "make_known", "register_with"]

REGISTRY = "gymnasium.envs.registration"
HOME = "equipoise.runs.gym.environments"
ENVIRONMENTS = {
    "equipoise/Stand-v0": "Stand",
    "equipoise/Walk-v0": "Walk",
    "equipoise/Modules-v0": "Modules",
}
"""Their names with Gymnasium, and how their classes begin."""
MANY, MANY_HOME = "equipoise/ManyWalk-v0", "equipoise.runs.gym.many:ManyWalkVectorEnv"
"""The one of thousands of robots, which is never of one."""


def make_known() -> None:
    """Register the environments now, or as soon as Gymnasium is imported."""
    registration = sys.modules.get(REGISTRY)
    if registration is not None and hasattr(registration, "register"):
        register_with(registration)
    elif not any(isinstance(finder, WaitingFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, WaitingFinder())


def register_with(registration: Any) -> None:
    """Register the environments that are not yet.

    Args:
        registration: Gymnasium's module of that name.
    """
    for name, begins in ENVIRONMENTS.items():
        if name not in registration.registry:
            registration.register(
                id=name,
                entry_point=f"{HOME}:{begins}Env",
                vector_entry_point=f"{HOME}:{begins}VectorEnv",
            )
    if MANY not in registration.registry:
        registration.register(id=MANY, vector_entry_point=MANY_HOME)


@final
class WaitingFinder(importlib.abc.MetaPathFinder):
    """Finds one module of Gymnasium as others do, and acts when it has been run."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return how the awaited module is loaded; None for all others.

        Args:
            fullname: of the module that is imported.
            path: of its package, not needed.
            target: not needed.
        """
        del path, target
        if fullname != REGISTRY:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)  # so that the others are asked
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = FollowedLoader(spec.loader)
        return spec


@final
class FollowedLoader(importlib.abc.Loader):
    """A loader after which the environments are registered.

    Args:
        loader: that loads the module.
    """

    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def __getattr__(self, name: str) -> Any:
        """Return whatever else the loader offers."""
        return getattr(self.loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the module, or None for an ordinary one.

        Args:
            spec: of the module.
        """
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then register the environments with it.

        Args:
            module: Gymnasium's registry.
        """
        self.loader.exec_module(module)
        register_with(module)
