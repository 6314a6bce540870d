"""Which mistakes are in a robot file: masses, inertias, frames, servo gains?"""
