"""A command that reports everything that is wrong with what was typed, at once.

Typer stops at the first problem. Here each one is noted, its words are taken out, and
the rest is read again, until nothing is left to complain of.
"""

import re
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

from equipoise.cli.output import typed
from equipoise.core.digits import foreign_digit
from equipoise.core.errors import EquipoiseError, QuantityError
from equipoise.core.text import shown
from equipoise.robots.builtin import builtin_names

__all__ = ["ONLY", "SpokenCommand", "UsageProblemsError", "help_record", "offer"]

WHOLE = "valid integer"  # what Typer says of a text that is no whole number
ONLY = "Options of "
"""Beginning of the title over options that only some robots have."""
TYPE = re.compile(r" <(int|float|str|path|list\[\w+\])>$")
NUMBERS = ("int", "float")


class UsageProblemsError(EquipoiseError):
    """Error with all problems of a command as it was typed."""

    def __init__(self, command: str, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{'; '.join(problems)}; try '{command} --help'.")


class SpokenCommand(TyperCommand):
    """Command that reports all problems with its options in one sentence."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the help of all options, group by group; those without one first.

        Options of single robots are left out unless one of the robots is named; which
        robots have some is told unless a built-in robot is named.
        """
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        left_out = set[str]()
        for one in self.get_params(ctx):
            record, group = help_record(one, ctx), _group_of(one)
            robots = group.removeprefix(ONLY).split(", ")
            if group.startswith(ONLY) and not set(robots) & set(typed()):
                left_out.update(robots)
            elif record is not None:
                groups.setdefault(group, []).append(record)
        for group, records in groups.items():
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)
        if left_out and not _named_robots():
            names = sorted(left_out)
            formatter.write_paragraph()
            formatter.write_text(
                f"Robots with options of their own: {', '.join(names)}. "
                f"'{ctx.command_path} {names[0]} --help' lists those of '{names[0]}'."
            )

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the example; if a built-in robot is named, one with that robot."""
        named = _named_robots()
        if named and named[0] not in (self.epilog or "").split():
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(f"Example: {ctx.command_path} {named[0]}")
            return
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed, or say all that is wrong with it.

        Raises:
            UsageProblemsError: names every problem.
        """
        left, problems = list(args), list[str]()
        while True:
            try:
                rest = super().parse_args(ctx, list(left))
                problems += _in_other_digits(self.params, ctx.params, left)
                break
            except Exception as error:
                problem, names = _told(error, left)
                if not problem:
                    raise
                is_rest_clear = not problems or bool(names)
                problems += [problem] if is_rest_clear else []
                shorter = _without(left, names)
                if len(shorter) == len(left):
                    break
                left = shorter
        if problems:
            raise UsageProblemsError(ctx.command_path, problems)
        return rest


def offer(
    app: typer.Typer,
    name: str,
    command: Callable[..., int],
    brief: str,
    example: str,
    reads: type[SpokenCommand] = SpokenCommand,
) -> None:
    """Let a command be typed, with an example in its help.

    Args:
        app: what it belongs to.
        name: as it is typed.
        command: does it.
        brief: what it does, for the list of commands; 60 letters at most.
        example: a line that works, without the program's name.
        reads: what reads its options.
    """
    line = f"Example: equipoise {example}"
    app.command(name, cls=reads, epilog=line, short_help=brief)(command)


def help_record(param: Any, context: Any) -> tuple[str, str] | None:
    """Return the two cells that help shows of a parameter; None of a hidden one.

    The names of Python's types are left out: a number is an N, and whatever else has a
    placeholder of its own.

    Args:
        param: argument or option, as Typer makes it.
        context: of its command.
    """
    record = param.get_help_record(context)
    if record is None:
        return None
    name, text = record
    found = TYPE.search(name)
    if found is None:
        return name, text
    is_argument = param.param_type_name == "argument"
    placeholder = "" if is_argument else " N" if found[1] in NUMBERS else " NAME"
    return name[: found.start()] + placeholder, text


def _named_robots() -> list[str]:
    words = typed()
    return [name for name in builtin_names() if name in words]


def _group_of(parameter: Any) -> str:
    """Return the title under which help shows a parameter."""
    if parameter.param_type_name == "argument":
        return "Arguments"
    return getattr(parameter, "rich_help_panel", None) or "Options"


def _told(error: Exception, words: list[str]) -> tuple[str, list[str]]:
    """Return what is wrong in words, and the names of the option it is about.

    Args:
        error: as it was raised; "" is said of one that is none of Typer's.
        words: what was typed.
    """
    if isinstance(error, QuantityError):
        return error.problem, [error.name]
    if not hasattr(error, "format_message"):
        return "", []
    found: Any = error
    message = str(found.format_message()).rstrip(".?")
    unknown = getattr(found, "option_name", None)
    if unknown and isinstance(getattr(found, "possibilities", None), list | tuple):
        near = [name for name in found.possibilities if name.startswith("--")]
        hint = f" (did you mean {near[0]}?)" if near else ""
        return f"No such option: {shown(unknown)}{hint}", [unknown]
    names: list[str] = [*getattr(getattr(found, "param", None), "opts", ())]
    values = _typed(words, names)
    if not isinstance(error, typer.BadParameter) or not values:
        return message, []
    value = shown(values[-1])
    if WHOLE in message:
        return f"{names[0]} takes a whole number, got '{value}'", names
    return f"{message}, got '{value}'", names


def _in_other_digits(
    parameters: list[Any], values: dict[str, Any], words: list[str]
) -> list[str]:
    """Return what is wrong with numbers that Python reads in digits of any script.

    Args:
        parameters: of the command.
        values: that were read, by the parameter's name.
        words: what was typed.
    """
    numbers = [p for p in parameters if isinstance(values.get(p.name), int | float)]
    return [
        f"{p.opts[0]} takes a number in the digits 0 to 9, got '{shown(text)}'"
        for p in numbers
        for text in _typed(words, [*p.opts])
        if foreign_digit(text)
    ]


def _typed(words: list[str], names: list[str]) -> list[str]:
    """Return what was typed after an option, in its order."""
    found = list[str]()
    for k, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names:
            found.append(value if equals else "".join(words[k + 1 : k + 2]))
    return found


def _without(words: list[str], names: list[str]) -> list[str]:
    """Return what was typed but for an option and its value."""
    left, is_value = list[str](), False
    for word in words:
        name, equals, _ = word.partition("=")
        if name in names:
            is_value = not equals
        elif is_value and not word.startswith("--"):
            is_value = False
        else:
            left.append(word)
            is_value = False
    return left
