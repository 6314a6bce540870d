"""Checks of the documentation, one kind a file; ``check_docs.py`` runs them."""
