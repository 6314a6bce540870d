"""Closed forms shared by the tests."""
