"""Generated equations against sympy, symengine, CasADi, Pinocchio and MuJoCo.

    python benchmarks/equations.py [--rounds 200] [--quick] [--json] [--out DIR]

The same as ``equipoise bench equations``. Needs the extra ``peers`` for all rows.
"""

import sys

from equipoise.cli.app import main

if __name__ == "__main__":
    main(["bench", "equations", *sys.argv[1:]])
