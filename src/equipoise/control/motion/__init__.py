"""Motion parts: where the trunk goes; one file each."""
