"""Charts as figures a template draws: columns, lines and bars, with their axis and their table.

Every chart is made of its table: what is plotted is what the table and the CSV say. Lengths are
in units of the drawing, which is `WIDTH` by `HEIGHT` and scales with the page.

    columns_chart("decisions", "Decisions a day", ("allow", "ask"), rows)
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from math import ceil, floor, isnan, log10, nan

from msgspec import Struct

WIDTH, HEIGHT = 640.0, 180.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 8.0, 12.0, 28.0
NO_FIGURE = nan  # where there is nothing to measure: a gap, an empty cell
LABELS = 5  # days named below a chart, at most
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet would run

Row = tuple[str, tuple[float, ...]]


class ChartBox(Struct, frozen=True):
    """A rectangle of a chart: its position, and its meaning."""

    series: str
    x: float
    y: float
    width: float
    height: float
    said: str


class ChartLine(Struct, frozen=True):
    """A line of a chart.

    Args:
        path: SVG path data.
        dots: where points without a neighbour are, which a line cannot show.
    """

    series: str
    path: str
    dots: tuple[tuple[float, float], ...] = ()


class ChartTick(Struct, frozen=True):
    """A mark on an axis: its position and label."""

    at: float
    text: str


class Chart(Struct, frozen=True, kw_only=True):
    """A chart and its table.

    Args:
        id: names it in addresses; unit: what its figures are.
        series: the names of its columns; rows: a label and one figure a series
            (`NO_FIGURE` = none, in lines only).
        said: what it shows, in one sentence, for those who do not see it.
    """

    id: str
    title: str
    unit: str
    said: str
    series: tuple[str, ...]
    rows: tuple[Row, ...]
    boxes: tuple[ChartBox, ...] = ()
    lines: tuple[ChartLine, ...] = ()
    levels: tuple[ChartTick, ...] = ()
    labels: tuple[ChartTick, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to plot."""
        return not any(value > 0 for _, values in self.rows for value in values)


def columns_chart(
    id: str, title: str, unit: str, series: tuple[str, ...], rows: Sequence[Row]
) -> Chart:
    """Return a chart with one stacked column per row.

    Args:
        unit: of the figures.
        series: names of the parts, from below.
    """
    top = nice_top(max((sum(values) for _, values in rows), default=0))
    step = (WIDTH - LEFT - RIGHT) / max(1, len(rows))
    boxes: list[ChartBox] = []
    for at, (label, values) in enumerate(rows):
        base = HEIGHT - BOTTOM
        for name, value in zip(series, values, strict=True):
            height = _length(value, top)
            base -= height
            if height:
                said = f"{label}: {value:g} {name}"
                x = LEFT + at * step + step * 0.1
                boxes.append(_box(name, x, base, step * 0.8, height, said))
    said = f"{title}, from {rows[0][0]} to {rows[-1][0]}" if rows else title
    return Chart(
        id=id,
        title=title,
        unit=unit,
        said=said,
        series=series,
        rows=tuple(rows),
        boxes=tuple(boxes),
        levels=_levels(top),
        labels=_labels(rows, step),
    )


def lines_chart(
    id: str,
    title: str,
    unit: str,
    series: tuple[str, ...],
    rows: Sequence[Row],
    *,
    most: float = 0.0,
) -> Chart:
    """Return a chart with one line per series and a gap at each `NO_FIGURE`.

    Args:
        most: end of the axis; 0 = chosen from the figures.
    """
    known = (value for _, values in rows for value in values if not isnan(value))
    top = most or nice_top(max(known, default=0))
    step = (WIDTH - LEFT - RIGHT) / max(1, len(rows))
    lines = tuple(
        _line(name, [values[at] for _, values in rows], top, step) for at, name in enumerate(series)
    )
    said = f"{title}, from {rows[0][0]} to {rows[-1][0]}" if rows else title
    return Chart(
        id=id,
        title=title,
        unit=unit,
        said=said,
        series=series,
        rows=tuple(rows),
        lines=lines,
        levels=_levels(top),
        labels=_labels(rows, step),
    )


def nice_top(most: float) -> float:
    """Return the end of an axis for a largest figure: 1, 2 or 5 times a power of ten."""
    if most <= 0:
        return 1.0
    power = 10.0 ** floor(log10(most))
    return next((times * power for times in (1, 2, 5, 10) if times * power >= most), most)


def as_csv(chart: Chart) -> str:
    """Return a chart's table as CSV; no cell is a formula."""
    return csv_of(("", *chart.series), [(label, *values) for label, values in chart.rows])


def csv_of(names: Sequence[str], rows: Sequence[Sequence[str | float]]) -> str:
    """Return a table as CSV; a text that a spreadsheet would run gets a leading quote."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in (names, *rows):
        writer.writerow([_cell(value) for value in row])
    return out.getvalue()


def _cell(value: str | float) -> str:
    if not isinstance(value, str):
        return "" if isnan(value) else f"{value:g}"
    return f"'{value}" if value.startswith(FORMULA) else value


def _length(value: float, top: float) -> float:
    return (HEIGHT - TOP - BOTTOM) * min(max(value, 0.0), top) / top


def _box(series: str, x: float, y: float, width: float, height: float, said: str) -> ChartBox:
    return ChartBox(series, round(x, 1), round(y, 1), round(width, 1), round(height, 1), said)


def _line(name: str, values: Sequence[float], top: float, step: float) -> ChartLine:
    """Return a line through the figures; one between two gaps is a dot."""
    runs: list[list[tuple[float, float]]] = [[]]
    for at, value in enumerate(values):
        if isnan(value):
            runs.append([])
            continue
        x, y = LEFT + (at + 0.5) * step, HEIGHT - BOTTOM - _length(value, top)
        runs[-1].append((round(x, 1), round(y, 1)))
    paths = ("M" + " L".join(f"{x} {y}" for x, y in run) for run in runs if len(run) > 1)
    return ChartLine(name, " ".join(paths), tuple(run[0] for run in runs if len(run) == 1))


def _levels(top: float) -> tuple[ChartTick, ...]:
    return tuple(
        ChartTick(round(HEIGHT - BOTTOM - _length(top * part, top), 1), f"{top * part:g}")
        for part in (0.0, 0.5, 1.0)
    )


def _labels(rows: Sequence[Row], step: float) -> tuple[ChartTick, ...]:
    every = max(1, ceil(len(rows) / LABELS))
    return tuple(
        ChartTick(round(LEFT + (at + 0.5) * step, 1), label)
        for at, (label, _) in enumerate(rows)
        if at % every == 0
    )
