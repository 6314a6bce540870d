"""Support parts: which feet stand, and when."""

__all__: list[str] = []
