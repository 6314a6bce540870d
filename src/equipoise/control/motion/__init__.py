"""Motion parts: where the trunk goes."""

__all__: list[str] = []
