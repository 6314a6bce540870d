"""A live page on viser: what it shows of a model, and who may talk to it."""
