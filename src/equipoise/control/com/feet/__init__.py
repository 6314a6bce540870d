"""Robots of modules on several feet: who carries what, who lifts when."""
