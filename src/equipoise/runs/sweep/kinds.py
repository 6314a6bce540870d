"""Kinds of designs but a list; light, for commands name them in their help."""

__all__ = ["KINDS"]

KINDS = ("grid", "random", "sobol")
