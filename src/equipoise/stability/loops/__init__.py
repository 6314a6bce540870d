"""Control loops that hold a stance: damped, sampled, late."""
