"""A rule as an example: a scenario in YAML, checked by a test.

Run: pytest examples/scenario_as_test.py
Run: python examples/scenario_as_test.py

`hansa check FILE` does the same for files of scenarios.
"""

from __future__ import annotations

from hansa import scenarios

DISPLACING_A_TRADER = """
id: displacing-a-trader-costs-two
rules: [DISPLACE-2, DISPLACE-3, DISPLACE-7]
game: {board: hansa, players: 3}
position:
  players: {p1: {supply: {t: 3, m: 0}}}
  routes: {groningen-emden: {posts: ["p2:t", null, null]}}
play:
  - displace t groningen-emden/1
  - p2> put t emden-osnabrueck/1
  - p2> done
illegal: [displace t groningen-emden/1]
expect:
  actions_left: 1
  players: {p1: {supply: {t: 1, m: 0}}}
  routes:
    groningen-emden: {posts: ["p1:t", null, null]}
    emden-osnabrueck: {posts: ["p2:t", null, null, null]}
"""


def test_displacing_a_trader_costs_two() -> None:
    """The scenario holds: nothing differs from what it expects."""
    for scenario in scenarios.parse(DISPLACING_A_TRADER):
        assert scenarios.run(scenario) == []  # noqa: S101 - this is a test


def main() -> None:
    """Run it, and show what a scenario that does not hold says."""
    wrong = DISPLACING_A_TRADER.replace("actions_left: 1", "actions_left: 2")
    for text in (DISPLACING_A_TRADER, wrong):
        for scenario in scenarios.parse(text):
            print(scenarios.Outcome(scenario.id, tuple(scenarios.run(scenario))))


if __name__ == "__main__":
    main()
