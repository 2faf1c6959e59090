"""Standings of a tournament: win shares with intervals, ratings, points, lengths."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any

from .match import Result

__all__ = ["as_csv", "interval", "standings", "summary", "table"]

SURE = 1.96
"""Standard errors of a 95 % interval."""


def interval(share: float, number: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in so many trials."""
    if number == 0:
        return 0.0, 1.0
    z = SURE * SURE / number
    middle = (share + z / 2) / (1 + z)
    half = SURE * sqrt(share * (1 - share) / number + z / (4 * number)) / (1 + z)
    # Rounding must not push a bound past what it bounds.
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def standings(results: Sequence[Result]) -> dict[str, Any]:
    """The `bots` of the results file, best first, and what is common to all games."""
    names = list(dict.fromkeys(name for result in results for name in result.bots))
    rated = _ratings(results, names)
    bots = [_standing(name, results, rated.get(name)) for name in names]
    bots.sort(key=lambda bot: -bot["win_share"])
    seats = max((len(result.bots) for result in results), default=0)
    number = max(len(results), 1)
    return {
        "bots": bots,
        "mean_turns": round(sum(result.turns for result in results) / number, 2),
        "mean_decisions": round(sum(result.decisions for result in results) / number, 1),
        "end_reasons": dict(Counter(str(result.end_reason) for result in results)),
        "seat_win_share": [round(_seat_share(results, seat), 4) for seat in range(seats)],
        "faults": [fault for result in results for fault in result.faults],
    }


def _seat_share(results: Sequence[Result], seat: int) -> float:
    won = sum(1 / len(r.winners) for r in results if seat in r.winners)
    return won / max(len(results), 1)


def _standing(name: str, results: Sequence[Result], rating: Any) -> dict[str, Any]:
    """One bot over all seats it held; a shared win counts its part."""
    seats = [(r, seat) for r in results for seat, bot in enumerate(r.bots) if bot == name]
    number = len(seats)
    wins = sum(1 / len(r.winners) for r, seat in seats if seat in r.winners)
    low, high = interval(wins / number, number)
    fair = sum(1 / len(r.bots) for r, _ in seats) / number
    categories = list(seats[0][0].points[0])
    decisions = sum(r.decisions / len(r.bots) for r, _ in seats)
    standing = {
        "name": name,
        "games": len({id(r) for r, _ in seats}),
        "seats": number,
        "wins": round(wins, 3),
        "win_share": round(wins / number, 4),
        "win_share_low": round(low, 4),
        "win_share_high": round(high, 4),
        "fair_share": round(fair, 4),
        "mean_score": round(sum(r.totals[seat] for r, seat in seats) / number, 2),
        "points": {
            key: round(sum(r.points[seat][key] for r, seat in seats) / number, 2)
            for key in categories
        },
        "seconds_per_decision": round(
            sum(r.seconds[seat] for r, seat in seats) / max(decisions, 1), 4
        ),
        "faults": sum(
            len([f for f in r.faults if f.startswith(f"p{seat + 1}:")]) for r, seat in seats
        ),
    }
    if rating is not None:
        standing["rating"] = round(rating.mu, 2)
        standing["rating_low"] = round(rating.mu - SURE * rating.sigma, 2)
        standing["rating_high"] = round(rating.mu + SURE * rating.sigma, 2)
    return standing


def _ratings(results: Sequence[Result], names: Sequence[str]) -> dict[str, Any]:
    """Openskill's ratings, where it is installed and there is somebody to compare with."""
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415  # an extra
    except ModuleNotFoundError:
        return {}
    if len(names) < 2:
        return {}
    model = PlackettLuce()
    rated = {name: model.rating(name=name) for name in names}
    for result in results:
        _rate_game(model, rated, result)
    return rated


def _rate_game(model: Any, rated: dict[str, Any], result: Result) -> None:
    """One game; of a bot that holds several seats the mean of its new ratings counts."""
    if len(set(result.bots)) < 2:
        return
    ranks = [0.0 if seat in result.winners else 1.0 for seat in range(len(result.bots))]
    order = sorted(set(result.totals), reverse=True)
    ranks = [
        rank if rank == 0.0 else 1.0 + order.index(total)
        for rank, total in zip(ranks, result.totals, strict=True)
    ]
    teams = [[rated[name]] for name in result.bots]
    fresh = model.rate(teams, ranks=ranks)
    for name in set(result.bots):
        mine = [team[0] for bot, team in zip(result.bots, fresh, strict=True) if bot == name]
        rating = model.rating(name=name)
        rating.mu = sum(one.mu for one in mine) / len(mine)
        rating.sigma = sum(one.sigma for one in mine) / len(mine)
        rated[name] = rating


COLUMNS = (
    ("bot", "name", "{}"),
    ("games", "games", "{}"),
    ("win share", "win_share", "{:.1%}"),
    ("from", "win_share_low", "{:.1%}"),
    ("to", "win_share_high", "{:.1%}"),
    ("fair", "fair_share", "{:.1%}"),
    ("points", "mean_score", "{:.1f}"),
    ("rating", "rating", "{:.1f}"),
    ("from", "rating_low", "{:.1f}"),
    ("to", "rating_high", "{:.1f}"),
    ("s/decision", "seconds_per_decision", "{:.3f}"),
)


def table(results: dict[str, Any]) -> str:
    """The standings as lines of text; intervals are 95 %."""
    shown = [column for column in COLUMNS if all(column[1] in bot for bot in results["bots"])]
    rows = [[title for title, _, _ in shown]]
    rows += [[form.format(bot[key]) for _, key, form in shown] for bot in results["bots"]]
    return _aligned(rows)


def summary(results: dict[str, Any]) -> str:
    """What the table leaves out, as lines of text: points by account, lengths, ends, seats."""
    bots, games = results["bots"], max(results["games"], 1)
    accounts = [key for key in bots[0]["points"] if any(bot["points"][key] for bot in bots)]
    rows = [["mean points", *accounts]]
    rows += [[bot["name"], *(f"{bot['points'][key]:.1f}" for key in accounts)] for bot in bots]
    ends = ", ".join(
        f"{'stopped' if reason == 'None' else reason} {number / games:.0%}"
        for reason, number in sorted(results["end_reasons"].items(), key=lambda item: -item[1])
    )
    seats = ", ".join(f"p{k + 1} {share:.1%}" for k, share in enumerate(results["seat_win_share"]))
    turns, decisions = results["mean_turns"], results["mean_decisions"]
    lines = [
        *([_aligned(rows), ""] if accounts else []),
        f"length: {turns:.1f} turns, {decisions:.0f} decisions a game; ended by {ends}",
        f"wins by seat: {seats}",
    ]
    faults = results["faults"]
    if faults:
        lines.append(f"faults: {len(faults)}, the first: {faults[0]}")
    return "\n".join(lines)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns of text, the first to the left and the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def as_csv(results: dict[str, Any]) -> str:
    """The standings as comma-separated values."""
    out = io.StringIO()
    rows = []
    for bot in results["bots"]:
        points = {f"points_{name}": value for name, value in bot["points"].items()}
        rows.append({**{key: value for key, value in bot.items() if key != "points"}, **points})
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
