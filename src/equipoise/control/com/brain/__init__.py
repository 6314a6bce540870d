"""A module that knows its robot by 64-byte frames alone."""
