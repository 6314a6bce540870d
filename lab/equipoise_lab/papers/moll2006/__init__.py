"""[Moll2006]: distributed control of the centre of mass of a modular robot."""
