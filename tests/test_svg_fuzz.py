"""Whatever is put into a position or a decision: a picture or a clear error, never a crash."""

from __future__ import annotations

import contextlib
import copy
import functools
import xml.etree.ElementTree as ET
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import hansa
from hansa import svg

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.floats(allow_nan=True)
    | st.sampled_from(
        ["p1", "p9", "p1:t", "p2:x", "?", "plus3", "emden", "groningen-emden", "city", ""]
    )
    | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=4,
)
WORDS = st.sampled_from(
    [
        *(
            "place",
            "put",
            "displace",
            "lift",
            "take",
            "establish",
            "use",
            "lay",
            "green",
            "neutral",
            "pawn",
        ),
        *(
            "office",
            "extra",
            "skill",
            "prestige",
            "none",
            "swap",
            "block",
            "plus3",
            "t",
            "m",
            "1",
            "7",
            "99",
        ),
        *(
            "emden",
            "waren",
            "minden",
            "groningen-emden",
            "groningen-emden/2",
            "coellen-warburg",
            "keys",
            "p2",
            "x",
        ),
    ]
)


@functools.cache
def base() -> dict[str, Any]:
    data: dict[str, Any] = {**hansa.Game.new(board="hansa", players=2, seed=5).to_dict()}
    data["pawn"] = 4
    data["players"]["p1"] |= {
        "markers": ["swap"],
        "favours": ["city"],
        "plate": ["plus3"],
        "mission": ["emden", "minden", "halle"],
    }
    data["routes"]["groningen-emden"] |= {"posts": ["p1:t", "p2:m", None], "laid": ["p1:block"]}
    data["pending"] = {
        "stack": [
            {"what": "displaced", "player": "p2", "waiting": "t", "route": "emden-osnabrueck"}
        ],
        "hand": [["p1:t", "groningen-emden/3"]],
    }
    return data


def paths(data: Any, head: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    out = [head] if head else []
    if isinstance(data, dict):
        # One route and one city stand for all of them.
        keys = [k for k in data if len(data) < 25 or k in {"groningen-emden", "emden"}]
        out += [path for key in keys for path in paths(data[key], (*head, key))]
    elif isinstance(data, list):
        out += [path for i, item in enumerate(data) for path in paths(item, (*head, i))]
    return out


@given(st.data(), JUNK)
def test_a_damaged_position(draw: st.DataObject, junk: Any) -> None:
    data = copy.deepcopy(base())
    *parents, last = draw.draw(st.sampled_from(paths(data)))
    spot = data
    for key in parents:
        spot = spot[key]
    spot[last] = junk
    with contextlib.suppress(hansa.HansaError):
        ET.fromstring(svg.position(data, desks=True))


@given(st.lists(WORDS, min_size=0, max_size=5).map(" ".join) | st.text(max_size=30))
def test_any_text_as_a_decision(text: str) -> None:
    with contextlib.suppress(hansa.MalformedAction):
        ET.fromstring(svg.action(base(), text))
    with contextlib.suppress(hansa.MalformedAction):
        ET.fromstring(svg.card(text))
