"""The module protocol as objects: readable, and the specification of the others."""
