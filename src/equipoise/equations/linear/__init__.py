"""Equations about a state: A, B and poles."""
