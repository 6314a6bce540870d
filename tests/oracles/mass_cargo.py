"""Mass properties as what the module protocol adds up.

A module speaks in the frame of its own connector and knows how the neighbour's lies to
it, so that no module needs another's joint angles: ten numbers, turned and shifted once
on the way out and once on the way in, and added. Nothing is ever subtracted.

On the wire they are ten float32: mass, three first and six second moments.
"""

from typing import final

import numpy as np

from equipoise.control.com.module_frames import ModuleFrames
from equipoise.core.errors import EquipoiseError
from equipoise.modules.member.cargo import AbstractCargo
from equipoise.spatial.mass.mass import MassProperties

__all__ = ["MassCargo", "mass_from_bytes", "mass_to_bytes"]

_WIRE = np.dtype("<f4")
_ROWS, _COLUMNS = (3, 0, 1, 2, 0, 0, 0, 1, 1, 2), (3, 3, 3, 3, 0, 1, 2, 1, 2, 2)


@final
class MassCargo(AbstractCargo[ModuleFrames, MassProperties]):
    """Sums of mass properties, each in the frame M of the module that holds it.

    ``body`` is what follows from the module's joints and docks in this round
    (``module_frames``). Connectors are the protocol's ports.
    """

    def own(self, body: ModuleFrames) -> MassProperties:
        """Return the module alone, in M."""
        return body.own.mass

    def bring_in(
        self, body: ModuleFrames, port: int, value: MassProperties
    ) -> MassProperties:
        """Return what the neighbour said in its connector's frame, in M."""
        X_MN = body.inwards[port].X_AB
        return value.transformed(X_MN.R, X_MN.p)

    def bring_out(
        self, body: ModuleFrames, port: int, value: MassProperties
    ) -> MassProperties:
        """Return what is known in M, in the frame of one's own connector."""
        X_CM = body.outwards[port].X_AB
        return value.transformed(X_CM.R, X_CM.p)

    def add(self, a: MassProperties, b: MassProperties) -> MassProperties:
        """Return both lumps together."""
        return a + b


def mass_to_bytes(mass: MassProperties) -> bytes:
    """Return the 40 bytes of [m, hx, hy, hz, Sxx, Sxy, Sxz, Syy, Syz, Szz]."""
    return mass.to_vector().astype(_WIRE).tobytes()


def mass_from_bytes(data: bytes) -> MassProperties | None:
    """Return the body of 40 bytes, or None where no body has these numbers."""
    S = np.zeros((4, 4), np.float32)  # so that rounding is judged as float32's
    S[_ROWS, _COLUMNS] = S[_COLUMNS, _ROWS] = np.frombuffer(data, _WIRE)
    try:
        return MassProperties.from_second_moment(S)
    except EquipoiseError:
        return None
