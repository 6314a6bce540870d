"""The same job many times over, with other options, robots and seeds."""
