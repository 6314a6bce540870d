"""Margins of millions of states with their derivatives, on processors and cards."""
