"""The command ``equipoise``: parsing and printing, nothing else."""
