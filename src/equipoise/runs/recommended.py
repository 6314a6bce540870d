"""The controller that ``equipoise balance`` uses unless told otherwise."""

__all__ = ["RECOMMENDED"]

RECOMMENDED = "upright"
