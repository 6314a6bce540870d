"""Faults thrown at the module protocol, and the judge of what it then says."""
