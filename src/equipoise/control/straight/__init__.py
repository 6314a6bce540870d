"""A walking controller as straight lines: the parts of ``control`` on a tape."""
