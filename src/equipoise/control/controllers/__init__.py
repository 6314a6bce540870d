"""Controllers by name: which parts, with which settings; one file each."""
