"""Room control/com."""
