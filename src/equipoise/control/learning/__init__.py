"""Learning which composition a supervisor activates in which state.

[Ridderstrom2003] section 3.3.3. ``world`` says what can be learned in: anything that
tells predicates, offers only actions that keep it safe, and rewards them; ``learner``
learns in it, ``turning`` is the world in which a machine on four legs learns to turn.
"""
