"""Rules by which legs of an insect influence their neighbours, and what comes of them.

A leg decides by itself when to lift: when it has gone back beyond its posterior extreme
position. Neighbours shift that position, [Ridderstrom2003] section 3.4.1; gaits are not
told to anyone, they emerge.
"""
