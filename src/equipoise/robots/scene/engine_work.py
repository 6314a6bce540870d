"""How much work one step of the engine is, by counting: joints, shapes, contacts.

Trials are bounded by what they would take, and not by a clock, so that the same file
always has the same answer. One unit is about a microsecond of an ordinary processor.
"""

from typing import Any, final

import mujoco
import numpy as np

__all__ = ["EngineWork", "tree_work"]

BODY, SHAPE, CONTACT = 0.35, 0.1, 0.2
DEPTHS = 7e-4  # of the squares of how many joints move each joint, summed
ENTRY = 0.012  # of the Jacobian of contacts, in each iteration of the solver
COUPLED = 2e-3  # of contact forces taken two by two, where the solver does so
PIECE = 1e5  # between two looks at what a step takes


def tree_work(model: Any) -> float:
    """Return the work of a step without its contacts.

    Args:
        model: compiled.
    """
    depths = np.zeros(int(model.nv))
    parents = np.asarray(model.dof_parentid)
    for d, parent in enumerate(parents):
        depths[d] = 1.0 + (depths[parent] if parent >= 0 else 0.0)
    counted = 5.0 + BODY * int(model.nbody) + SHAPE * int(model.ngeom)
    return counted + DEPTHS * float(depths @ depths)


@final
class EngineWork:
    """Steps of the engine, as many as a budget of work allows.

    Args:
        model: compiled.
        most: work that may be done in all.
    """

    def __init__(self, model: Any, most: float) -> None:
        self._model, self._most = model, most
        self._tree = tree_work(model)
        self._spent = 0.0

    def step(self, data: Any) -> float:
        """Return the work of a step like the last one.

        Args:
            data: after a step.
        """
        model = self._model
        rounds = 1.0 + float(np.max(data.solver_niter, initial=0))
        nefc, entries = int(data.nefc), float(np.size(data.efc_J))
        work = self._tree + CONTACT * int(data.ncon) + ENTRY * rounds * entries
        is_coupled = int(model.opt.solver) == int(mujoco.mjtSolver.mjSOL_PGS)
        if is_coupled or int(model.opt.noslip_iterations):
            rounds += int(model.opt.noslip_iterations)
            work += COUPLED * rounds * float(nefc) ** 2
        return work

    def can_step(self, data: Any, count: int) -> bool:
        """Return whether the budget is enough for some more steps like the last one.

        Args:
            data: after a step.
            count: how many.
        """
        return self._spent + count * self.step(data) <= self._most

    def run(self, data: Any, count: int) -> bool:
        """Make some steps; say whether the budget was enough for them.

        Args:
            data: of the model; it is changed.
            count: how many.
        """
        piece = 1
        while count > 0:
            piece = min(piece, count)
            mujoco.mj_step(self._model, data, piece)
            count -= piece
            work = self.step(data)
            self._spent += piece * work
            if self._spent > self._most:
                return False
            piece = max(1, int(PIECE / work))
        return True
