"""Parts that charts are made of: headings, legends, stacked bars, shares with their intervals.

A panel is drawn from 0 downwards and says how high it is; `sheet` puts panels below each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hansa.svg.curves import num
from hansa.svg.data import text_width
from hansa.svg.document import document, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["ACCOUNTS", "HEAD", "UI", "Panel", "Share", "bars", "columns", "fitted", "heading",
           "legend", "shares", "sheet", "stack", "stacks"]  # fmt: skip

# The accounts of `game.scores()` in the order they are added up, with their names.
ACCOUNTS = {
    "track": "On the track",
    "skills": "Full skills",
    "markers": "Markers",
    "prestige": "Prestige",
    "cities": "Cities",
    "network": "Network",
    "missions": "Mission",
    "regions": "Countries",
}
UI = 'font-family="var(--font-ui)"'
HEAD = 'font-family="var(--font-head)" font-weight="800"'
WIDTH, LEFT, RIGHT = 920.0, 20.0, 900.0
_WIDE = 1.16  # where the reader has not our types, others run wider
_LABEL = 14.5
_MOST_LABEL = 300.0


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of a sheet: its drawing, which begins at 0, and its height."""

    body: str
    height: float


@dataclass(frozen=True, slots=True)
class Share:
    """A share that was seen, with its interval, and what to say about it at the right."""

    name: str
    share: float
    low: float
    high: float
    note: str = ""


def heading(words: str, y: float) -> str:
    """The small line over a plot."""
    return (
        f'<text x="{num(LEFT)}" y="{num(y)}" {UI} font-weight="700" font-size="12" letter-spacing="1.1" '
        f'fill="var(--ink-3)">{text(words.upper())}</text>'
    )


def legend(used: Sequence[str], y: float = 18.0) -> str:
    """The accounts' colours and names in a line."""
    out, x = "", LEFT
    for account in used:
        out += (
            f'<rect x="{num(x)}" y="{num(y)}" width="15" height="15" rx="4" fill="var(--ac-{account})"/>'
            f'<text x="{num(x + 22)}" y="{num(y + 12.5)}" {UI} font-weight="500" font-size="14" fill="var(--ink)">{ACCOUNTS[account]}</text>'
        )
        x += 42 + text_width(ACCOUNTS[account], 14) * _WIDE
    return out


def stack(
    accounts: Mapping[str, float],
    name: str,
    *,
    x: float,
    y: float,
    unit: float,
    height: float,
    digits: int = 0,
) -> tuple[str, float]:
    """A bar of accounts with their figures, and where it ends."""
    out = ""
    for account, title in ACCOUNTS.items():
        value = accounts.get(account, 0)
        if value <= 0:
            continue
        width, said = value * unit, f"{value:.{digits}f}"
        out += (
            f"<g><title>{text(f'{name}, {title}: {said}')}</title>"
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(max(width - 1.6, 0.6))}" height="{num(height)}" rx="2" fill="var(--ac-{account})"/>'
        )
        if width > 6 + 9.5 * len(said.replace(".", "")):
            out += (
                f'<text x="{num(x + width / 2 - 0.8)}" y="{num(y + height / 2 + 5)}" text-anchor="middle" {UI} font-weight="700" '
                f'font-size="14.5" fill="var(--on-ac)">{said}</text>'
            )
        out += "</g>"
        x += width
    return out, x


def stacks(title: str, rows: Mapping[str, Mapping[str, float]]) -> Panel:
    """Stacked bars of mean accounts, one row a name; `total` is what is written behind them."""
    used = [account for account in ACCOUNTS if any(row.get(account) for row in rows.values())]
    at = _plot_left(rows)
    totals = {name: row["total"] for name, row in rows.items()}
    unit = (RIGHT - 76 - at) / max(1.0, *totals.values())
    body, y = heading(title, 14) + legend(used, 30), 62.0
    for name, row in rows.items():
        drawn, end = stack(row, name, x=at, y=y, unit=unit, height=28, digits=1)
        body += _label(name, y + 19, at) + drawn
        body += f'<text x="{num(end + 10)}" y="{num(y + 20.5)}" {HEAD} font-size="19" fill="var(--ink)">{totals[name]:.1f}</text>'
        y += 40
    return Panel(body, y)


def shares(title: str, rows: Sequence[Share], fair: float | None = None) -> Panel:
    """Shares as points with their intervals, against what would be fair."""
    at, end = _plot_left([row.name for row in rows]), 640.0
    top = next(top for top in (0.25, 0.5, 1.0) if max([r.high for r in rows] + [fair or 0]) <= top)
    unit, bottom = (end - at) / top, 62 + 36.0 * len(rows)
    body = heading(title, 14)
    for k in range(6):
        x = at + (end - at) * k / 5
        body += (
            f'<path d="M{num(x)} 52V{num(bottom)}" stroke="var(--line)"/>'
            f'<text x="{num(x)}" y="{num(bottom + 18)}" text-anchor="middle" {UI} font-size="12.5" fill="var(--ink-2)">{top * k * 20:g} %</text>'
        )
    if fair is not None:
        x = at + fair * unit
        body += (
            f'<path d="M{num(x)} 48V{num(bottom)}" stroke="var(--brass)" stroke-width="1.8" stroke-dasharray="5 4"/>'
            f'<text x="{num(x)}" y="42" text-anchor="middle" {UI} font-weight="700" font-size="12.5" fill="var(--ink-2)">fair {100 * fair:.3g} %</text>'
        )
    for k, row in enumerate(rows):
        body += _share(row, 76 + 36.0 * k, at, unit, fair)
    return Panel(body, bottom + 24)


def _share(row: Share, y: float, at: float, unit: float, fair: float | None) -> str:
    colour = "--ink-2"
    if fair is not None and row.low > fair:
        colour = "--good"
    elif fair is not None and row.high < fair:
        colour = "--warn"
    said = f"{row.name}: {_percent(row.share)}, {_percent(row.low)} to {_percent(row.high)}"
    ends = "".join(f"M{num(at + x * unit)} {num(y - 6)}v12" for x in (row.low, row.high))
    return (
        f"{_label(row.name, y + 5, at)}<g><title>{text(said)}</title>"
        f'<path d="M{num(at + row.low * unit)} {num(y)}H{num(at + row.high * unit)}{ends}" stroke="var({colour})" stroke-width="2.2" '
        f'stroke-linecap="round" fill="none"/><circle cx="{num(at + row.share * unit)}" cy="{num(y)}" r="6.5" fill="var({colour})" '
        f'stroke="var(--panel)" stroke-width="1.6"/></g>'
        f'<text x="724" y="{num(y + 6)}" text-anchor="end" {HEAD} font-size="18" fill="var(--ink)">{_percent(row.share)}</text>'
        f'<text x="740" y="{num(y + 5)}" {UI} font-size="13" fill="var(--ink-2)">{text(row.note)}</text>'
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def bars(title: str, rows: Mapping[str, tuple[float, str]], colour: str = "skills") -> Panel:
    """Plain bars, each with its value and what to write behind it."""
    at = _plot_left(rows)
    unit = (RIGHT - 170 - at) / max([value for value, _ in rows.values()] + [1e-9])
    body, y = heading(title, 14), 32.0
    for name, (value, said) in rows.items():
        width = max(value * unit, 1.5)
        body += (
            f'{_label(name, y + 15, at)}<rect x="{num(at)}" y="{num(y)}" width="{num(width)}" height="20" rx="2" fill="var(--ac-{colour})"/>'
            f'<text x="{num(at + width + 10)}" y="{num(y + 15.5)}" {UI} font-weight="700" font-size="14" fill="var(--ink)">{text(said)}</text>'
        )
        y += 30
    return Panel(body, y)


def columns(title: str, counts: Mapping[str, int], axis: str, colour: str = "network") -> Panel:
    """Columns side by side: how often each value was seen."""
    body, bottom, high = heading(title, 14), 212.0, 150.0
    step = min((RIGHT - LEFT) / max(len(counts), 1), 96.0)
    unit = high / max([*counts.values(), 1])
    for k, (name, count) in enumerate(counts.items()):
        x, height = LEFT + (k + 0.5) * step, count * unit
        middle = f'x="{num(x)}" text-anchor="middle" {UI}'
        body += (
            f'<rect x="{num(x - step * 0.41)}" y="{num(bottom - height)}" width="{num(step * 0.82)}" height="{num(height)}" rx="2" fill="var(--ac-{colour})"/>'
            f'<text {middle} y="{num(bottom - height - 6)}" font-weight="700" font-size="13.5" fill="var(--ink)">{count or ""}</text>'
            f'<text {middle} y="{num(bottom + 18)}" font-size="12.5" fill="var(--ink-2)">{text(name)}</text>'
        )
    body += (
        f'<path d="M{num(LEFT)} {num(bottom)}H{num(LEFT + step * len(counts))}" stroke="var(--line-2)"/>'
        f'<text x="{num(LEFT)}" y="{num(bottom + 38)}" {UI} font-size="12.5" fill="var(--ink-3)">{text(axis)}</text>'
    )
    return Panel(body, bottom + 44)


def _plot_left(names: Iterable[str]) -> float:
    """Where plots begin: behind the longest label that is written out."""
    widest = max((text_width(name, _LABEL) * _WIDE for name in names), default=0.0)
    return LEFT + 26 + min(widest, _MOST_LABEL)


def _label(name: str, y: float, right: float) -> str:
    """A row's name."""
    return (
        f'<text x="{num(LEFT)}" y="{num(y)}" {UI} font-weight="500" font-size="{_LABEL}" fill="var(--ink)">'
        f"{fitted(name, _LABEL, right - 26 - LEFT)}</text>"
    )


def fitted(name: str, size: float, room: float) -> str:
    """A name that fits in any typeface; one that is too long loses its end and keeps it as a title."""
    shown = name
    while len(shown) > 1 and text_width(shown, size) * _WIDE > room + 0.1:
        shown = shown.removesuffix("…")[:-1] + "…"
    return text(name) if shown == name else f"<title>{text(name)}</title>{text(shown)}"


def sheet(
    title: str,
    subtitle: str,
    panels: Sequence[Panel],
    *,
    theme: str = "light",
    size: float | None = None,
) -> str:
    """Panels below each other under a title, as a document; raises ValueError as `document`."""
    body = (
        f'<text x="{num(LEFT)}" y="38" {HEAD} font-size="25" fill="var(--ink)">{text(title)}</text>'
        f'<text x="{num(LEFT)}" y="60" {UI} font-size="14" fill="var(--ink-2)">{text(subtitle)}</text>'
    )
    y = 76.0
    for panel in panels:
        body += f'<path d="M{num(LEFT)} {num(y)}H{num(RIGHT)}" stroke="var(--line)"/>'
        body += f'<g transform="translate(0 {num(y + 14)})">{panel.body}</g>'
        y += panel.height + 30
    return document(
        body, (0, 0, WIDTH, y), title=title, description=subtitle, theme=theme, size=size
    )
