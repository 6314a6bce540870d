"""Expressions on a tape: shared, ordered, differentiated, solved, interpreted."""
