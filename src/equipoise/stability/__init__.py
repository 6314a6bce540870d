"""Criteria of balance: does it stand, by how much, and which way does it fail first.

Pure functions: arrays and models in, arrays out; nothing here steps time or draws.
"""

__all__ = []
