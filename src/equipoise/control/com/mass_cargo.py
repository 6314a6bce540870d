"""Mass properties as what the module protocol adds up.

A module speaks in the frame of its own connector and knows how the neighbour's lies to
it, so that no module needs another's joint angles: ten numbers, turned and shifted once
on the way out and once on the way in, and added. Nothing is ever subtracted.
"""

from typing import final

from equipoise.control.com.module_frames import ModuleFrames
from equipoise.modules.member_cargo import AbstractCargo
from equipoise.spatial.mass import MassProperties

__all__ = ["MassCargo"]


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
