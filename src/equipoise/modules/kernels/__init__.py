"""The module protocol compiled, on rows of arrays: equal to ``member`` by frames."""
