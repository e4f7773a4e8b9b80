# SPDX-License-Identifier: Apache-2.0
"""Sequences of dataclasses as tables: text, HTML for notebooks, pandas."""
from __future__ import annotations

import dataclasses
import html as html_module
from typing import TYPE_CHECKING, Any, Iterable, TypeVar

from . import errors

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row")


def counted(count: int, noun: str) -> str:
    """ "1 image", "2 images"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


class Table(tuple[Row, ...]):
    """Rows, which are dataclasses. Prints as a table."""

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """IPython's terminal, and notebooks where HTML is not shown."""
        printer.text(text(self) if not cycle else "Table(...)")

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each item; nested fields are columns such as "stages.gemm.wait_token". Needs pandas."""
        return frame(self)


def row(item: Any) -> dict[str, Any]:
    """The fields by name. Fields that are dataclasses themselves add theirs; dictionaries are flattened, their keys
    joined by '.'."""
    result: dict[str, Any] = {}
    for field in dataclasses.fields(item):
        _add(result, field.name, getattr(item, field.name))
    return result


def _add(result: dict[str, Any], name: str, value: Any) -> None:
    if dataclasses.is_dataclass(value):
        result.update(row(value))
    elif isinstance(value, dict):
        for key, inner in value.items():
            _add(result, f"{name}.{key}", inner)
    else:
        result[name] = value


def _rows(items: Iterable[Any]) -> list[dict[str, Any]]:
    """A field that is a dictionary in some rows and None in others has columns for its keys only."""
    rows = [row(item) for item in items]
    flattened = {name.partition(".")[0] for values in rows for name in values if "." in name}
    return [{name: value for name, value in values.items() if name not in flattened} for values in rows]


def _cells(items: Iterable[Any]) -> tuple[list[str], list[list[Any]]]:
    """Without flattened fields, which are many, and without columns that are empty."""
    rows = _rows(items)
    names = {name: None for values in rows for name, value in values.items() if "." not in name and value is not None}
    return list(names), [[values.get(name) for name in names] for values in rows]


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def text(items: Iterable[Any]) -> str:
    names, rows = _cells(items)
    columns = [[name, *(_shown(cells[i]) for cells in rows)] for i, name in enumerate(names)]
    is_number = [all(isinstance(cells[i], (int, float, type(None))) for cells in rows) for i in range(len(names))]
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for line in zip(*columns):
        cells = [cell.rjust(width) if number else cell.ljust(width)
                 for cell, width, number in zip(line, widths, is_number)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def html(items: Iterable[Any]) -> str:
    names, rows = _cells(items)
    head = "".join(f"<th>{html_module.escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{html_module.escape(_shown(cell))}</td>" for cell in cells) + "</tr>"
                   for cells in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def frame(items: Iterable[Any]) -> pandas.DataFrame:
    try:
        import pandas as module  # optional, and slow to import
    except ImportError as error:
        raise errors.UnsupportedError("to_pandas() needs pandas: pip install pandas") from error
    return module.DataFrame(_rows(items))
