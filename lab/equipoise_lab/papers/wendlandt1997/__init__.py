"""[Wendlandt1997]: a recursive workspace balancing controller for a 3D biped."""
