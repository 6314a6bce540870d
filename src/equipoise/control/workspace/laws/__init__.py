"""The balance laws, one file each; found by name."""
