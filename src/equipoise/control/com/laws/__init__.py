"""Steering laws, one file each."""
