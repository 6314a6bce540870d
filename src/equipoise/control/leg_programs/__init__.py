"""Leg programs: how feet stand and swing; one file each."""
