"""Charts of a game: prestige over turns, final score by account."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from hansa.names import OWNERS
from hansa.svg.curves import num
from hansa.svg.document import document, place
from hansa.svg.furniture import spread
from hansa.svg.plots import ACCOUNTS, HEAD, UI, fitted, heading, legend, stack
from hansa.svg.state import COLOUR_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["prestige_chart", "score_chart"]

_PLOT_LEFT, _PLOT_RIGHT, _PLOT_TOP, _PLOT_BOTTOM = 44.0, 760.0, 52.0, 300.0


def _check_players(players: Sequence[str]) -> None:
    if not players:
        raise ValueError("nothing to draw: give at least one player")
    for player in players:
        if player not in OWNERS:
            raise ValueError(f"{player!r} is no player; use p1 … p5 or n")


def prestige_chart(
    series: Mapping[str, Sequence[int]],
    *,
    names: Mapping[str, str] | None = None,
    theme: str = "light",
    size: float | None = None,
    letters: bool = False,
) -> str:
    """Points on the track, turn by turn: player → points after each turn, the first at the start.

    Raises ValueError where the lines differ in length or a player is unknown.

    >>> prestige_chart({"p1": [0, 1, 3], "p2": [0, 0, 2]}).startswith("<svg")
    True
    """
    _check_players(list(series))
    turns = {len(points) for points in series.values()}
    if len(turns) != 1 or not turns.pop():
        raise ValueError("every player needs the same number of turns, at least the start")
    count = len(next(iter(series.values())))
    top = max(10, *(-(-max(points) // 10) * 10 for points in series.values()))
    step_x = (_PLOT_RIGHT - _PLOT_LEFT) / max(count - 1, 1)
    unit = (_PLOT_BOTTOM - _PLOT_TOP) / top
    called = {**COLOUR_NAMES, **(names or {})}

    def height(points: int) -> float:
        return _PLOT_BOTTOM - points * unit

    def own_height(player: str) -> Callable[[int], float]:
        lane = (
            list(series).index(player) - (len(series) - 1) / 2
        ) * 2.3  # equal scores run side by side
        return lambda points: height(points) + lane

    order = sorted(series, key=lambda player: (-series[player][-1], player))
    ends = spread(
        [height(series[player][-1]) for player in order], 19.0, _PLOT_TOP - 4, _PLOT_BOTTOM + 8
    )
    body = _grid(top, unit, count, step_x) + "".join(
        _line(player, series[player], own_height(player), step_x) for player in reversed(order)
    )
    for player, y in zip(order, ends, strict=True):
        last = series[player][-1]
        body += (
            f'<path d="M{num(_PLOT_RIGHT)} {num(own_height(player)(last))}L{num(_PLOT_RIGHT + 10)} {num(y)}" stroke="var(--{player})" '
            f'stroke-width="2.4" fill="none"/>{place(f"piece-t-{player}", _PLOT_RIGHT + 19, y, 0.86)}'
            f'<text x="{num(_PLOT_RIGHT + 33)}" y="{num(y + 5)}" {HEAD} font-size="15" fill="var(--ink)">{last}</text>'
            f'<text x="{num(_PLOT_RIGHT + 58)}" y="{num(y + 4.6)}" {UI} font-weight="500" font-size="13.5" '
            f'fill="var(--ink-2)">{fitted(called[player], 13.5, 90)}</text>'
        )
    said = "; ".join(f"{called[p]} ends at {series[p][-1]}" for p in order)
    return document(
        body,
        (0, 0, 920, 336),
        title="Points on the track, turn by turn",
        description=said,
        theme=theme,
        size=size,
        letters=letters,
    )


def _grid(top: int, unit: float, count: int, step_x: float) -> str:
    out = heading("Points on the track, turn by turn", 27)
    for value in range(0, top + 1, 10 if top > 20 else 5):
        y = _PLOT_BOTTOM - value * unit
        out += (
            f'<path d="M{num(_PLOT_LEFT)} {num(y)}H{num(_PLOT_RIGHT)}" stroke="var(--line)"/>'
            f'<text x="{num(_PLOT_LEFT - 8)}" y="{num(y + 4)}" text-anchor="end" {UI} font-size="12.5" fill="var(--ink-2)">{value}</text>'
        )
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if (count - 1) / step <= 12)
    for turn in range(0, count, every):
        out += (
            f'<text x="{num(_PLOT_LEFT + turn * step_x)}" y="{num(_PLOT_BOTTOM + 20)}" text-anchor="middle" {UI} font-size="12.5" '
            f'fill="var(--ink-2)">{turn or "turn"}</text>'
        )
    return out


def _line(player: str, points: Sequence[int], height: Callable[[int], float], step_x: float) -> str:
    path = f"M{num(_PLOT_LEFT)} {num(height(points[0]))}"
    for turn, (before, value) in enumerate(itertools.pairwise(points), 1):
        path += f"H{num(_PLOT_LEFT + turn * step_x)}"
        if value != before:
            path += f"V{num(height(value))}"
    marks = "".join(
        place(f"piece-t-{player}", _PLOT_LEFT + turn * step_x, height(points[turn]), 0.62)
        for turn in range(len(points) // 4, len(points) - 1, max(len(points) // 4, 1))
        if len(points) >= 8
    )
    return f'<path d="{path}" fill="none" stroke="var(--{player})" stroke-width="2.4" stroke-linejoin="round"/>{marks}'


def score_chart(
    scores: Mapping[str, Mapping[str, int]],
    *,
    names: Mapping[str, str] | None = None,
    theme: str = "light",
    size: float | None = None,
    letters: bool = False,
) -> str:
    """The final score as stacked bars, one row a player, the best first; takes `game.scores()`.

    Raises ValueError for an unknown player or account, or a total that is not the sum.
    """
    _check_players(list(scores))
    for player, accounts in scores.items():
        unknown = set(accounts) - set(ACCOUNTS) - {"total"}
        if unknown:
            raise ValueError(
                f"{player}: unknown account {min(unknown)!r}; use {', '.join(ACCOUNTS)}"
            )
        added = sum(value for name, value in accounts.items() if name != "total")
        if accounts.get("total", added) != added:
            raise ValueError(
                f"{player}: the total {accounts['total']} is not the sum {added} of the accounts"
            )
    called = {**COLOUR_NAMES, **(names or {})}
    totals = {
        p: sum(v for a, v in accounts.items() if a != "total") for p, accounts in scores.items()
    }
    order = sorted(scores, key=lambda player: (-totals[player], player))
    used = [
        account
        for account in ACCOUNTS
        if any(accounts.get(account) for accounts in scores.values())
    ]
    unit = 575.0 / max(1, *totals.values())
    body = legend(used)
    for i, player in enumerate(order):
        body += _row(i, player, called[player], scores[player], totals, unit)
    said = "; ".join(f"{called[p]} {totals[p]}" for p in order)
    return document(
        body,
        (0, 0, 920, 66 + 62 * len(order)),
        title="Final score by account",
        description=said,
        theme=theme,
        size=size,
        letters=letters,
    )


def _row(
    i: int,
    player: str,
    name: str,
    accounts: Mapping[str, int],
    totals: Mapping[str, int],
    unit: float,
) -> str:
    y, rank = 54 + 62 * i, 1 + sum(other > totals[player] for other in totals.values())
    out = (
        f'<path d="M20 {num(y - 4)}H900" stroke="var(--line)"/>'
        f'<text x="22" y="{num(y + 35)}" {HEAD} font-size="21" fill="var(--ink-3)">{rank}</text>'
        f"{place(f'piece-t-{player}', 70, y + 27, 1.45)}"
        f'<text x="96" y="{num(y + 34)}" {HEAD} font-size="20" fill="var(--ink)">{fitted(name, 20, 132)}</text>'
    )
    drawn, x = stack(accounts, name, x=240.0, y=y + 8, unit=unit, height=38)
    total = totals[player]
    return (
        out
        + drawn
        + f'<text x="{num(x + 14)}" y="{num(y + 36)}" {HEAD} font-size="26" fill="var(--ink)">{total}</text>'
    )
