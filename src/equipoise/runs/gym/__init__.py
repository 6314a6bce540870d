"""Environments of Gymnasium: a robot to stand, to walk or to steer, for learners."""
