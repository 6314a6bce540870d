"""Reflexes: what is done at once when something is amiss."""

__all__: list[str] = []
