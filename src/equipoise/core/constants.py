"""Constants of nature that the library takes for granted."""

__all__ = ["GRAVITY"]

GRAVITY = 9.81
"""Of the earth [m/s²]; every world that is not given another has it."""
