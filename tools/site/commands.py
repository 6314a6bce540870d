"""A page a command, asked of the commands themselves: usage, arguments, options."""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

__all__ = ["command_pages"]

DEFAULT = re.compile(r"\s*\[default: (.*)\]$|\s*\[(required)\]$", re.DOTALL)
OF_ROBOTS = "Options of built-in robots"
OF_ALL = "Options that every command has"
COMMON = ("--seed", "--json", "--out", "--help")


def command_pages() -> dict[str, str]:
    """Return the commands' pages and the list of them, by path."""
    found = dict(walked())
    rows = [
        f"| [`{name}`]({file_of(name)}) | {first_sentence(command)} |"
        for name, (command, _) in sorted(found.items())
        if not subcommands(command)
    ]
    pages = {
        f"commands/{file_of(name)}": page(command, context)
        for name, (command, context) in sorted(found.items())
        if not subcommands(command)
    }
    pages["commands/index.md"] = "\n".join(
        [
            "# Commands",
            "",
            "Made from the commands themselves: what `--help` says. What is the same",
            "for all of them, and exit codes: [the command `equipoise`](../cli.md).",
            "",
            "| command | what it does |",
            "| --- | --- |",
            *rows,
            "",
        ]
    )
    return pages


def walked() -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield every command's full name, itself and its context, groups first."""
    from typer.main import get_command

    from equipoise.cli.app import app

    front = get_command(app)
    waiting = [(front, front.make_context("equipoise", [], resilient_parsing=True))]
    while waiting:
        command, context = waiting.pop()
        if context.parent is not None:
            yield context.command_path, (command, context)
        for name, inner in subcommands(command).items():
            if not inner.hidden:
                waiting.append((inner, type(context)(inner, context, info_name=name)))


def subcommands(command: Any) -> dict[str, Any]:
    """Return a group's commands by name; of a command none."""
    return getattr(command, "commands", {})


def file_of(name: str) -> str:
    """Return the page of a command's full name."""
    return name.removeprefix("equipoise ").replace(" ", "_") + ".md"


def first_sentence(command: Any) -> str:
    """Return what a command does, as a cell."""
    return cell((command.help or "").partition("\n\n")[0])


def cell(text: str) -> str:
    """Return a text that a table can hold."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def page(command: Any, context: Any) -> str:
    """Return one command's page."""
    usage = " ".join(command.get_usage(context).split()).removeprefix("Usage: ")
    lines = [f"# `{context.command_path}`", "", unwrapped(command.help or ""), ""]
    lines += ["```text", usage, "```", ""]
    for title, rows in sections(command, context).items():
        lines += table(title, rows)
    if command.epilog:
        lines += ["", *epilog(command.epilog)]
    return "\n".join(lines) + "\n"


def sections(command: Any, context: Any) -> dict[str, list[tuple[str, str]]]:
    """Return the rows of one command's arguments and options by title, in order."""
    from equipoise.cli.command import ONLY, help_record

    found: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    last: dict[str, list[tuple[str, str]]] = {OF_ROBOTS: [], OF_ALL: []}
    for parameter in command.get_params(context):
        record = help_record(parameter, context)
        if record is None:
            continue
        panel = getattr(parameter, "rich_help_panel", None) or "Options"
        if not record[0].startswith("-"):
            panel = "Arguments"
        elif record[0].split()[0].strip(",") in COMMON:
            panel = OF_ALL
        elif panel.startswith(ONLY):
            panel = OF_ROBOTS
        (last if panel in last else found).setdefault(panel, []).append(record)
    return found | last


def unwrapped(text: str) -> str:
    """Return a help text's paragraphs; those that are kept as they are, as code."""
    parts = []
    for part in text.split("\n\n"):
        if part.startswith("\b"):
            parts.append("```text\n" + part.strip("\b\n") + "\n```")
        else:
            parts.append(" ".join(part.split()).replace("<", "&lt;"))
    return "\n\n".join(parts)


def epilog(text: str) -> list[str]:
    """Return the end of a command's help: its examples as code, else as it is."""
    plain = text.replace("\b", "").strip()
    if "equipoise " in plain:
        return ["## Example", "", "```text", plain, "```"]
    return [unwrapped(plain)]


def table(title: str, rows: list[tuple[str, str]]) -> list[str]:
    """Return a table of arguments or options; nothing where there are none."""
    if not rows:
        return []
    lines = [f"## {title}", "", "| name | what it is | unless given |"]
    lines.append("| --- | --- | --- |")
    for name, told in rows:
        default = DEFAULT.search(told)
        unless = (default[1] or default[2]) if default else ""
        what = DEFAULT.sub("", told)
        shown = escape(" ".join(name.split())).replace("|", "&#124;")
        lines.append(
            f"| <code>{shown}</code> | {cell(what)} | {cell(unless.strip('()'))} |"
        )
    return [*lines, ""]
