"""Planners: what is to come, decided ahead of time; one file each."""
