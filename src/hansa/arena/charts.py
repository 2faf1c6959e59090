"""The results of a tournament as a picture."""

from __future__ import annotations

from typing import Any

from hansa.svg import plots

__all__ = ["chart"]


def chart(results: dict[str, Any], *, theme: str = "light", size: float | None = None) -> str:
    """Win shares against the fair share, and mean points by account, as an SVG document.

    Takes what `run` gives; raises ValueError for an unknown theme.
    """
    bots = results["bots"]
    rows = [
        plots.Share(
            bot["name"], bot["win_share"], bot["win_share_low"], bot["win_share_high"], _note(bot)
        )
        for bot in bots
    ]
    panels = [
        plots.shares("Share of wins with its 95 % interval", rows, _fair(bots)),
        plots.stacks(
            "Mean points by account",
            {bot["name"]: {**bot["points"], "total": bot["mean_score"]} for bot in bots},
        ),
    ]
    return plots.sheet(_title(results), _subtitle(results), panels, theme=theme, size=size)


def _note(bot: dict[str, Any]) -> str:
    if "rating" not in bot:
        return f"{bot['seats']} seats"
    rating = f"{bot['rating']:.1f}".replace("-", "−")
    return f"rating {rating} ± {bot['rating_high'] - bot['rating']:.1f}"


def _fair(bots: list[dict[str, Any]]) -> float:
    return float(bots[0]["fair_share"])


def _title(results: dict[str, Any]) -> str:
    games = results["games"]
    return f"Arena: {games} game{'s' if games != 1 else ''} on board {results['board']}"


def _subtitle(results: dict[str, Any]) -> str:
    rated = any("rating" in bot for bot in results["bots"])
    return (
        f"{results['players']} players, {results['edition']} edition, seeds from {results['seed']};"
        f" {results['mean_turns']:.1f} turns a game"
        + ("; ratings with 95 % intervals by openskill" if rated else "")
    )
