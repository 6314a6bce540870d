"""The module program built for, and tried on, small processors."""
