"""Equations with names on what goes in and comes out, wired and exported."""
