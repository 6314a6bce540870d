"""The controller that ``equipoise balance`` uses unless told otherwise."""

from equipoise.control.com.law import RECOMMENDED

__all__ = ["RECOMMENDED"]
