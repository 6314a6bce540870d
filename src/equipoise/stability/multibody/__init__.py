"""Robots with heavy legs, held by springs that a controller makes."""
