"""Planting bugs in a copy of the source, drawn at random or from a list."""
