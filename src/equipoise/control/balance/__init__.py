"""Balance parts: how the trunk is kept upright; one file each."""
