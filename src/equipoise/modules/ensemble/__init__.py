"""Many modules on faulty wires in one process, as arrays."""
