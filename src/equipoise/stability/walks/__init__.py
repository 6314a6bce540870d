"""Walks: do they return after a disturbance, do they end standing."""
