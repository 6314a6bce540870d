"""Balance parts: how the trunk is kept upright."""

__all__: list[str] = []
