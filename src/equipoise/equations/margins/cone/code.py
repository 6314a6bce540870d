"""The loop around the cone programs in C, the same as ``cone_loop``."""

from functools import cache

from equipoise.core.kinds import Precision
from equipoise.equations.margins.code import MarginCode
from equipoise.equations.margins.cone.programs import ROUNDS, cone_programs
from equipoise.equations.margins.cone.settings import (
    HALFWAY,
    MOST_TURNS,
    REACHED,
    SETTLED,
)

__all__ = ["cone_code"]

DRIVER = """{{
  REAL spot[{spot}], search[{search}], held[5];
  {{
    REAL x[{given}], y[{prepared}];
    FLAT for (int k = 0; k < {given}; ++k) x[k] = given[k * apart];
    cone_prepare(x, y);
    FLAT for (int k = 0; k < {seen}; ++k) spot[k] = y[k];
    FLAT for (int k = 0; k < {corners}; ++k) search[k] = y[{seen} + k];
    search[{corners}] = spot[{com}];
    search[{corners} + 1] = spot[{com} + 1];
    FLAT for (int k = 2; k < 16; ++k) search[{corners} + k] = 0;
    search[{corners} + 11] = (REAL)1e30;
    search[{corners} + 12] = 1;
    FLAT for (int k = 0; k < 8; ++k) spot[{seen} + k] = 0;
    FLAT for (int k = 0; k < 5; ++k) held[k] = 0;
  }}
  ROLLED for (int round = 0; ; ++round) {{
    {{
      REAL y[{search}];
      cone_look(search, y);
      FLAT for (int k = 0; k < {search}; ++k) search[k] = y[k];
    }}
    if (search[{corners} + 15] != 0 || round == tries) break;
    REAL y[6], there[5];
    spot[{seen}] = search[{corners} + 7];
    spot[{seen} + 1] = search[{corners} + 8];
    {{
      REAL first[5];
      cone_begin(spot, first);
      FLAT for (int k = 0; k < 5; ++k) there[k] = spot[{seen} + 2 + k] = first[k];
    }}
    spot[{seen} + 7] = (REAL){held};
    int leg = 0;
    ROLLED for (int turn = 0; turn < {most}; ++turn) {{
      cone_turn(spot, y);
      FLAT for (int k = 0; k < 5; ++k) spot[{seen} + 2 + k] = y[k];
      const REAL left = spot[{seen} + 7] * (REAL){reached} - spot[{seen} + 6];
      if (!(y[5] > (REAL){halfway}) && left < 0) {{
        if (leg == 1) break;
        leg = 1;
        FLAT for (int k = 0; k < 5; ++k) there[k] = y[k];
        spot[{seen} + 7] = (REAL){coarse};
      }}
    }}
    REAL found[4];
    cone_touch(spot, found);
    if (found[2] < search[{corners} + 11])
      FLAT for (int k = 0; k < 5; ++k) held[k] = there[k];
    FLAT for (int k = 0; k < 4; ++k) search[{corners} + 3 + k] = found[k];
  }}
  if (tries < {rounds} && search[{corners} + 15] == 0) return 1;
  spot[{seen}] = search[{corners} + 12];
  spot[{seen} + 1] = search[{corners} + 13];
  FLAT for (int k = 0; k < 5; ++k) spot[{seen} + 2 + k] = held[k];
  spot[{seen} + 7] = (REAL){fine};
  ROLLED for (int turn = 0; turn < {most}; ++turn) {{
    REAL y[8];
    cone_swing(spot, y);
    FLAT for (int k = 0; k < 7; ++k) spot[{seen} + k] = y[k];
    const REAL left = spot[{seen} + 7] * (REAL){reached} - spot[{seen} + 6];
    if (!(y[7] > (REAL){settled}) && left < 0) break;
  }}
  {{
    REAL x[{given} + 11], y[{told}];
    FLAT for (int k = 0; k < {given}; ++k) x[k] = given[k * apart];
    FLAT for (int k = 0; k < 7; ++k) x[{given} + k] = spot[{seen} + k];
    x[{given} + 7] = search[{corners} + 14];
    x[{given} + 8] = search[{corners} + 11];
    x[{given} + 9] = search[{corners} + 12];
    x[{given} + 10] = search[{corners} + 13];
    cone_answer(x, y);
    FLAT for (int k = 0; k < {told}; ++k) told[k * apart] = y[k];
  }}
  return 0;
}}
"""
PARTS = ("prepare", "begin", "turn", "touch", "look", "swing", "answer")


@cache
def cone_code(contacts: int, precision: Precision = "double") -> MarginCode:
    """Return the margin against friction cones, for so many contacts at most.

    Args:
        contacts: at least one.
        precision: in which it will run.
    """
    p = cone_programs(contacts, precision)
    driver = DRIVER.format(
        spot=p.spot,
        search=p.search,
        given=p.given,
        prepared=p.seen + p.corners,
        seen=p.seen,
        corners=p.corners,
        com=8 * contacts,
        rounds=ROUNDS,
        held=p.settings.held,
        most=MOST_TURNS,
        settled=SETTLED,
        halfway=HALFWAY,
        reached=REACHED,
        coarse=p.settings.coarse,
        fine=p.settings.fine,
        told=p.outputs,
    )
    return MarginCode(
        name="cone_margin",
        contacts=contacts,
        parts=tuple((f"cone_{part}", getattr(p, part)) for part in PARTS),
        driver=driver,
        given=(("p_WC", 3), ("push", 3)),
        each=(("points", 3), ("normals", 3), ("frictions", 1), ("mask", 1)),
        results=(("margin", 1), ("lower", 1), ("upper", 1), ("status", 1)),
        tries=ROUNDS,
    )
