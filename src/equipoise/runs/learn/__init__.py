"""Learning a supervisor: which composition is run in which state of predicates."""
