"""What all tests share: hypothesis profiles, which tests are measured for coverage, and which are long.

`HYPOTHESIS_PROFILE=long` looks longer; the default is the quick share that `make test` runs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Two busy cores make single examples slow now and then: that is no failure.
settings.register_profile(
    "quick", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# They play the same rules over and over: tracing each line of them costs minutes and shows nothing new.
UNMEASURED = (
    "bots/",
    "envs/",
    "oracle/",
    "games/",
    "test_engine_fuzz",
    "test_engine_golden",
    "test_svg",
)
HERE = Path(__file__).parent
# Variations of one test that take long: another of the same test runs with `make test`, these with
# `make test-long`. German stays where words must fit: its words are the longest.
LONG = re.compile(
    r"test_no_button_of_the_bar\S*\[(?!four-de|favours-de)"
    r"|test_the_choices_inside_an_action\S*\[(en|ja)"
    r"|test_the_whole_lesson\[(de|ja)"
    r"|test_it_prints_as_some_ten_pages\[(de|ja)"
    r"|test_it_is_whole_without_barriers\[phone-ja"
    r"|test_no_page_has_barriers\[(desktop-dark|phone-light)"
    r"|test_no_page_runs_over\[(en|ja)|test_the_form_is_whole_at_every_width\[(en|ja)"
    r"|test_a_game_is_played_to_its_end_by_clicking\[(hansa-|east|britannia-23|pawn|neutral)"
    r"|test_a_game_by_keyboard_alone|test_a_game_is_played_to_its_end_by_touch|test_the_first_half_hour_of_a_newcomer"
)
# The longest: begun last, one of them would keep all others waiting for its end.
FIRST = (
    "test_a_toy_board_and_a_toy_marker_live_in_every_room",
    "test_the_documents_build",
    "test_a_game_is_played_to_its_end",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave tests out of the coverage where they would only be slow; mark the long ones."""
    items.sort(key=_place)
    for item in items:
        if LONG.match(item.name):
            item.add_marker("long")
        if item.path.relative_to(HERE).as_posix().startswith(UNMEASURED):
            item.add_marker("no_cover")


def _place(item: pytest.Item) -> tuple[bool, bool]:
    """Those with a browser last, the longest first among both.

    Playwright's loop runs on in their process; where it runs, no test can run one of its own any more.
    """
    browser = "browser" in item.path.relative_to(HERE).parts
    return browser, not item.name.startswith(FIRST)
