"""Rigid ground: support, energy, pressure, rest, torques."""
