"""Proved bounds where mass and stiffness are only known roughly."""
