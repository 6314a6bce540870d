"""Text from files made safe to show: on a terminal, in a plot, on a page.

A name in a robot file or a recording can be anything: control characters that move the
cursor, letters that turn the reading direction, formulas, three megabytes of x. Whoever
shows such text passes it through here. What a program reads (JSON) is left as it is.
"""

__all__ = ["plot_text", "shown"]

LONGEST = 120
"""Characters of a name that people see."""
GAP = " ... "
LOST = "\N{REPLACEMENT CHARACTER}"


def shown(text: object, most: int = LONGEST) -> str:
    """Return a text on one line, without control characters, and not endless.

    A tab or a line's end becomes a blank, every other character that does not print
    (Unicode's control, format, surrogate and unassigned ones) a replacement character.

    Args:
        text: a name, or a line in which some are.
        most: characters to keep, at least 8; the middle of a longer text is left out.
    """
    line = str(text)
    if len(line) > most:
        head = (most - len(GAP) + 1) // 2
        line = line[:head] + GAP + line[len(line) - (most - len(GAP) - head) :]
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else " " if c.isspace() else LOST for c in line)


def plot_text(text: object, most: int = LONGEST) -> str:
    """Return a text as a plot shows it: safe, and never read as a formula.

    Args:
        text: a name, or a line in which some are.
        most: characters to keep.
    """
    return shown(text, most).replace("$", r"\$")
