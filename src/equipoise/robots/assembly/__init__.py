"""Module assemblies: who holds whom, as files and as robots."""
