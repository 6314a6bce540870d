"""The world of a robot's file: ground, pairs that touch, what pulls."""
