"""Usual share of a module's mass; apart from the module, for commands that start."""

__all__ = ["MASS_SCALE"]

MASS_SCALE = 0.1
"""Share of a module's real mass that is simulated; [Moll2006] section V uses 10 %."""
