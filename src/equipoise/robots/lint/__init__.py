"""Are the mass properties of a robot file credible?"""
