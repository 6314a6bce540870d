"""A walking machine: sensors, bus, nodes, drives, and its world."""
