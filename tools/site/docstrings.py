"""Docstrings as Markdown: a paragraph that ends with ``::`` introduces code."""

import re
from typing import Any

import griffe

__all__ = ["Plain"]


class Plain(griffe.Extension):
    """Turns the one mark of our docstrings that Markdown does not know."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change a docstring as it is read.

        Args:
            obj: what has the docstring.
        """
        if obj.docstring:
            obj.docstring.value = re.sub(r"::(?=\n\n +)", ":", obj.docstring.value)
