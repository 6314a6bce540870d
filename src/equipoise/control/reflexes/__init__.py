"""Reflexes: what is done at once when something is amiss; one file each."""
