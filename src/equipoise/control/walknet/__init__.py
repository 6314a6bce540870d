"""Walknet's leg level: small nets that answer with joint speeds.

[Ridderstrom2003] section 3.4.1: a selector chooses between a swing net and a stance
net; a target net says where swings end and a height net how high the leg stands. Every
leg has its own, and reads its own joints.
"""
