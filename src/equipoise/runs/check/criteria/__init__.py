"""What a check asks, a file each; see ``runs.check.criterion``."""
