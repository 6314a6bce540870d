"""Modules as processes of their own."""
