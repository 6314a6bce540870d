"""Balance a robot of modules in simulation."""
